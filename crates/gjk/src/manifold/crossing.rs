//! Two segments, rounded or not, that touch in one point: their closest points are the whole manifold.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};
use clearance_math::{PreciseVector, tolerances};

use super::feature::Feature;
use crate::answer::Measured;
use crate::convex::closed_forms::segment_segment::Segments;

/// How far a segment may lean along the normal, relative to its length, so that what is computed here is off by
/// rounding only.
const LEANING: f64 = 1e-9;

/// How much farther apart the ends must be than they need to: rounding, and ends that are joined because they are near
/// each other, do not count then.
const MARGIN: f64 = 1.001;

/// How near each other ends may be so that they are joined: ten times the slack of a manifold, relative to the whole
/// length of a segment, which is twice that from the middle.
const JOINED: f64 = 2.0 * 10.0 * tolerances::MANIFOLD_SLACK;

/// Whether two segments are seen to touch in one point, and what they are there: a bit for each lane.
#[derive(Clone, Copy)]
pub(crate) struct OnePoint {
    is_one: u32,
    sides: [TouchingSegment; 2],
}

/// How a segment lies where it touches another shape.
#[derive(Clone, Copy)]
struct TouchingSegment {
    /// Whether it lies across the normal.
    is_line: u32,
    /// Whether its second end is nearer to the other shape than its first.
    is_second: u32,
}

impl OnePoint {
    /// What the two segments in a lane are where they touch, if that is seen to be one point: an edge if it lies across
    /// the normal, otherwise the nearer end.
    #[inline(always)]
    pub(crate) fn features(&self, lane: usize) -> Option<[Feature; 2]> {
        let bit = |bits: u32| bits >> lane & 1;
        let feature = |side: TouchingSegment| match bit(side.is_line) {
            1 => Feature::Edge(0),
            _ => Feature::Corner(bit(side.is_second)),
        };
        (bit(self.is_one) == 1).then(|| self.sides.map_each(feature))
    }
}

/// What two segments in space are where they touch, if that is seen to be one point: where their insides are closest
/// and they cross, or where one of them points at the other. `radii` is the sum of both radii.
///
/// This is what clipping them would find, for a fraction of its time, and most capsules meet in this way. That it is not
/// seen does not mean anything.
#[inline(always)]
pub(crate) fn one_point<F: Number, P: PreciseVector>(
    segments: &Segments<F, P>,
    radii: F,
    [normal, on_a]: [VectorsInLanes<F, P>; 2],
) -> OnePoint {
    let (a, b) = (segments.a.half, segments.b.half);
    let (uu, vv) = (a.length_squared(), b.length_squared());
    let (rise_a, rise_b) = (a.dot(normal), b.dot(normal));
    let (squared_a, squared_b) = (rise_a * rise_a, rise_b * rise_b);
    let least = tolerances::FACING_SINE * tolerances::FACING_SINE;
    let is_line = [
        squared_a.is_at_most(uu * least),
        squared_b.is_at_most(vv * least),
    ];
    let leaning = LEANING * LEANING;
    let is_level = squared_a.is_at_most(uu * leaning) & squared_b.is_at_most(vv * leaning);
    let is_one = (is_level & is_crossing(segments, radii, on_a)) | !(is_line[0] & is_line[1]);
    OnePoint {
        is_one: if const { P::DIM == 3 } {
            is_one.bits()
        } else {
            0
        },
        sides: [
            TouchingSegment {
                is_line: is_line[0].bits(),
                is_second: rise_a.is_above(0.0).bits(),
            },
            TouchingSegment {
                is_line: is_line[1].bits(),
                is_second: rise_b.is_below(0.0).bits(),
            },
        ],
    }
}

impl<P: PreciseVector> Segments<f64, P> {
    /// [`one_point`] for two segments whose distance was measured.
    #[inline(always)]
    pub(super) fn features_of_one_point(
        &self,
        radii: f64,
        pair: &Measured<P>,
    ) -> Option<[Feature; 2]> {
        let points = [pair.normal, pair.on_a].map_each(|vector| VectorsInLanes::splat((), vector));
        one_point(self, radii, points).features(0)
    }
}

/// Whether two segments across the normal are so far apart where they stop running beside each other that they have
/// no second point in common.
#[inline(always)]
fn is_crossing<F: Number, P: PreciseVector>(
    segments: &Segments<F, P>,
    radii: F,
    on_a: VectorsInLanes<F, P>,
) -> F::Mask {
    let (u, v) = (segments.a.half, segments.b.half);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    // Along u, times its length: where each segment begins and ends, seen from where they cross.
    let middle_a = u.dot(segments.a.center - on_a);
    let middle_b = u.dot(segments.b.center - on_a);
    let first = (middle_a - uu).greater(middle_b - uv.abs());
    let last = (middle_a + uu).lesser(middle_b + uv.abs());
    let stretch = (-first).greater(last);
    // There they are apart by the stretch times the tangent of the angle between them. Both sides are squared, since
    // roots and quotients take time; the square of a sum is at most twice the sum of the squares.
    let crossed = uu * vv - uv * uv;
    let beside = radii * (MARGIN * tolerances::PARALLEL_OFFSET);
    let enough = (beside * beside + uu.greater(vv) * (JOINED * JOINED)) * 2.0;
    let is_oblique = (uv * uv).is_above(uu * LEANING * vv);
    stretch.is_above(0.0)
        & is_oblique
        & (stretch * stretch * crossed).is_above(enough * uu * (uv * uv))
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Quat, Real, RelativePose, Vec3};
    use clearance_shapes::Shape;

    use super::*;
    use crate::answer::Outcome;
    use crate::convex::method::measure_shapes;
    use crate::manifold::OrderedShapes;
    use crate::manifold::facing::Facing;
    use crate::manifold::place::Place;
    use crate::manifold::points::{FacingParts, FoundPoint};
    use crate::pair::Exchange;

    /// Whether two capsules at an angle are seen to cross, and how many ends run beside each other.
    fn answers(radius: Real, angle: Real, aside: Vec3) -> Option<(bool, usize)> {
        let shapes = [(1.0, radius), (0.5, 0.5 * radius)];
        let [a, b] = shapes.map(|(half, radius)| Shape::<Vec3>::capsule(half, radius).ok());
        let (a, b) = (a?, b?);
        let up = Vec3::Z * (1.4 * radius);
        let pose = Pose::<Vec3>::new(up + aside, Quat::from_rotation_z(angle));
        let (identity, b_in_a) = (
            RelativePose::identity(),
            RelativePose::between(&Pose::IDENTITY, &pose),
        );
        let sides = OrderedShapes {
            shapes: [&a, &b],
            a_in_world: &identity,
            b_in_a: &b_in_a,
            exchange: Exchange::NONE,
        };
        let Outcome::Near(pair) = measure_shapes([&a, &b], &b_in_a, f64::INFINITY, None) else {
            return None;
        };
        let [mut of_a, mut of_b] = [Facing::empty(), Facing::empty()];
        sides.find_facing(0, pair.normal, &mut of_a);
        sides.find_facing(1, pair.normal, &mut of_b);
        of_b.place(&b_in_a);
        let parts = FacingParts {
            pair: &pair,
            facing: [&of_a, &of_b],
        };
        // Lines that are not beside each other have their closest points alone.
        let is_end = |spot: &FoundPoint<DVec3>| spot.places != [Place::Inside; 2];
        let are_lines = of_a.is_line() && of_b.is_line();
        let found = are_lines.then(|| parts.beside(f64::INFINITY));
        let ends = found.into_iter().flatten().filter(is_end).count();
        let is_crossing = sides.features_of_one_point(&pair) == Some([Feature::Edge(0); 2]);
        Some((is_crossing, ends))
    }

    /// What two capsules are where they touch, as one point; the second is 0.9 long and lies at this place.
    fn features(turn: Quat, place: Vec3) -> Option<[Feature; 2]> {
        let a = Shape::<Vec3>::capsule(1.0, 0.25).ok()?;
        let b = Shape::<Vec3>::capsule(0.45, 0.25).ok()?;
        let pose = Pose::<Vec3>::new(place, turn);
        let b_in_a = RelativePose::between(&Pose::IDENTITY, &pose);
        let sides = OrderedShapes {
            shapes: [&a, &b],
            a_in_world: &RelativePose::identity(),
            b_in_a: &b_in_a,
            exchange: Exchange::NONE,
        };
        match measure_shapes([&a, &b], &b_in_a, f64::INFINITY, None) {
            Outcome::Near(pair) => sides.features_of_one_point(&pair),
            _ => None,
        }
    }

    #[test]
    fn a_segment_touches_with_the_end_that_points_at_the_other() {
        let quarter = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
        let (edge, first, second) = (Feature::Edge(0), Feature::Corner(0), Feature::Corner(1));
        // Along y both; one end at the other.
        let above = |turn| features(turn, Vec3::Y * 1.9);
        assert_eq!(above(Quat::IDENTITY), Some([second, first]));
        assert_eq!(above(quarter * quarter), Some([second, second]));
        let below = features(Quat::IDENTITY, Vec3::Y * -1.9);
        assert_eq!(below, Some([first, second]));
        // The second across the first, beside its middle and above its end.
        assert_eq!(features(quarter, Vec3::X * 0.9), Some([edge, second]));
        assert_eq!(features(quarter, Vec3::X * -0.9), Some([edge, first]));
        assert_eq!(features(quarter, Vec3::Y * 1.4), Some([second, edge]));
        // Side by side there are two points.
        assert_eq!(features(Quat::IDENTITY, Vec3::X * 0.4), None);
    }

    #[test]
    fn segments_that_cross_have_no_second_point() {
        let mut counts = [0; 3];
        for radius in [1e-3, 0.05, 0.5, 3.0] {
            for step in 1..200_u8 {
                let angle = 1e-4 * 1.06_f32.powi(i32::from(step));
                for aside in [Vec3::ZERO, Vec3::X * 0.3, Vec3::new(1.2, 0.02, 0.0)] {
                    let answers = answers(radius, angle, aside);
                    let (is_crossing, found) = answers.expect("nothing is beyond infinity");
                    assert!(!is_crossing || found == 0, "{radius} {angle} {aside}");
                    counts[usize::from(is_crossing) + usize::from(found > 0) * 2] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
