//! Overlapping segment and cuboid in space: capsule and box.
//!
//! All in the frame of the cuboid, in which it is a box around the origin: there the gap along each axis takes a few
//! operations.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::VectorsInLanes;
use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Cuboid, Segment};

use super::axes::{Apart, Best};
use super::nearest_to_cuboid::BesideBox;
use crate::search::penetration::Depth;
use crate::search::{Cores, Minkowski};

/// The depth of a segment in a box, and the points along it, in the frame of the segment a: the least overlap over the
/// axes of the box and their cross products with the segment.
///
/// These are the normals of all faces of the difference, so the least overlap is the depth. Source
/// for the axes: Gottschalk, Lin, Manocha, "OBBTree", 1996.
///
/// # Errors
/// The gap along the first axis that separates them.
#[inline]
pub(crate) fn deepest<V: Vector>(
    (a, core_a): (&Convex<V>, &Segment<V>),
    (b, core_b): (&Convex<V>, &Cuboid<V>),
    b_in_a: &RelativePose<V::Precise>,
) -> Result<Depth<V::Precise>, Apart> {
    let ends =
        [core_a.a, core_a.b].map_each(|end| b_in_a.inverse_transform_point(end.to_precise()));
    let segment = InBox {
        ends,
        middle: (ends[0] + ends[1]) * 0.5,
        along: (ends[1] - ends[0]) * 0.5,
        half: core_b.half_extents.to_precise(),
    };
    let best = segment.least_overlap()?;
    let witnesses = segment.witnesses(&best, &Cores::new(a, b, b_in_a));
    let in_a = |point| b_in_a.transform_point(point);
    let witnesses = witnesses.map(|(on_a, on_b)| (in_a(on_a), in_a(on_b)));
    Ok(Depth {
        normal: b_in_a.transform_direction(best.normal),
        ..best.with_witnesses(witnesses)
    })
}

/// A segment in the frame of a box.
struct InBox<P> {
    ends: [P; 2],
    middle: P,
    /// From the middle to the second end.
    along: P,
    /// The half extents of the box.
    half: P,
}

impl<P: PreciseVector> InBox<P> {
    fn least_overlap(&self) -> Result<Best<P>, Apart> {
        let mut best = Best::none();
        for k in 0..P::DIM {
            let reach = self.half.component(k) + self.along.component(k).abs();
            best.test(P::axis(k), (-self.middle.component(k), reach))?;
        }
        let shortest = tolerances::DIFFERENCE_ROUNDING * self.along.length();
        for k in 0..P::DIM {
            let (l, m) = ((k + 1) % P::DIM, (k + 2) % P::DIM);
            // The cross product of the segment and axis k.
            let (x, y) = (self.along.component(m), -self.along.component(l));
            let length = (x * x + y * y).sqrt();
            // A segment along axis k has no such product: up to rounding the other axes cover it.
            if length > shortest {
                let (x, y) = (x / length, y / length);
                let apart = -(self.middle.component(l) * x + self.middle.component(m) * y);
                let reach = self.half.component(l) * x.abs() + self.half.component(m) * y.abs();
                let axis = P::ZERO.with_component(l, x).with_component(m, y);
                best.test(axis, (apart, reach))?;
            }
        }
        Ok(best)
    }

    /// The deepest end and the point of the box's face above it, if it lies over the face. Otherwise the closest points
    /// after the segment was moved out of the box and a little away from it, if they are as far apart as it was moved.
    fn witnesses(&self, best: &Best<P>, difference: &impl Minkowski<P>) -> Option<(P, P)> {
        let leave = best.normal * best.depth;
        let allowed = tolerances::WITNESS_OFFSET * difference.size();
        let [first, second] = self.ends;
        let is_second = (second - first).dot(best.normal) > 0.0;
        let end = if is_second { second } else { first };
        let beyond = (end - leave).abs() - self.half;
        // No more than rounding: of ends that are equally deep, the other may be over the face, or points between them.
        let rounding = 4.0 * difference.rounding();
        if (0..P::DIM).all(|k| beyond.component(k) <= rounding) {
            return Some((end, end - leave));
        }
        let away = leave + best.normal * (tolerances::CLEARANCE_TO_REFINE * difference.size());
        let beside = BesideBox {
            half: VectorsInLanes::splat((), self.half),
            rounding: difference.rounding(),
        };
        let moved = self
            .ends
            .map_each(|end| VectorsInLanes::splat((), end - away));
        let points = beside.nearest_to_edge(moved);
        let (on_a, on_b) = (points.on_a.lane(0) + away, points.on_b.lane(0));
        ((on_a - on_b - leave).length() <= allowed).then_some((on_a, on_b))
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Quat, Real, Vec3};
    use clearance_shapes::{Core, Shape};

    use super::*;

    /// Segments and boxes at any angle, and every other time with ends on a grid, so that ends, edges and faces lie above
    /// each other. Returns how many overlap, and of how many the points were found.
    fn overlaps() -> [usize; 2] {
        let cuboid = Shape::cuboid(Vec3::new(0.5, 1.0, 0.75)).expect("positive half extents");
        let (mut overlapping, mut found) = (0, 0);
        let mut round = 0_u64;
        for k in 0..4000 {
            let mut number = || {
                // Multiples of an irrational number cover their range evenly.
                round += 1;
                (round as f64 * 0.618_033_988_749_894_9).fract() as Real - 0.5
            };
            let mut point = |size: Real| Vec3::new(number(), number(), number()) * size;
            let [first, second, axis, place] = [point(2.5), point(2.5), point(2.0), point(1.0)];
            let is_on_grid = k % 2 == 0;
            let segment = if is_on_grid {
                Shape::segment(first.round(), second.round() + Vec3::Y * 0.25)
            } else {
                Shape::segment(first, second)
            };
            let segment = segment.expect("finite ends");
            let pose = if is_on_grid {
                Pose::<Vec3>::from_translation((place * 4.0).round() * 0.25)
            } else {
                let turn = Quat::from_axis_angle(axis.normalize_or(Vec3::X), axis.y * 3.0);
                Pose::<Vec3>::new(place, turn)
            };
            let (Shape::Convex(a), Shape::Convex(b)) = (&segment, &cuboid) else {
                unreachable!("both are convex");
            };
            let (Core::Segment(core_a), Core::Cuboid(core_b)) = (a.core(), b.core()) else {
                continue;
            };
            let b_in_a = RelativePose::between(&Pose::IDENTITY, &pose);
            let Ok(depth) = deepest((a, core_a), (b, core_b), &b_in_a) else {
                continue;
            };
            overlapping += 1;
            if let Some(points) = depth.witnesses {
                found += 1;
                assert_are_on_both(points, (core_a, core_b), &b_in_a);
                let apart = points.0 - points.1 - depth.normal * depth.height;
                assert!(apart.length() < 1e-4, "{depth:?} {segment:?} {pose:?}");
            }
        }
        [overlapping, found]
    }

    fn assert_are_on_both(
        (on_a, on_b): (DVec3, DVec3),
        (a, b): (&Segment<Vec3>, &Cuboid<Vec3>),
        b_in_a: &RelativePose<DVec3>,
    ) {
        let (start, end) = (a.a.to_precise(), a.b.to_precise());
        let along = end - start;
        let at = (on_a - start).dot(along) / along.length_squared();
        let beside = on_a - (start + along * at.clamp(0.0, 1.0));
        assert!(beside.length() < 1e-12, "{on_a} {a:?}");
        let beyond = b_in_a.inverse_transform_point(on_b).abs() - b.half_extents.to_precise();
        assert!(beyond.max_element() < 1e-13, "{on_b} {b:?}");
    }

    #[test]
    fn the_points_of_nearly_all_overlaps_are_found() {
        let [overlapping, found] = overlaps();
        assert!(overlapping > 1000, "{overlapping} of 4000 pairs overlap");
        assert!(
            1000 * found >= 999 * overlapping,
            "{found} of {overlapping}"
        );
    }
}
