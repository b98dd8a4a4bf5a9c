//! Segment and cuboid in space: capsule and box.
//!
//! All in the frame of the cuboid, in which it is a box around the origin: there the gap along each axis takes a few
//! operations.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::VectorsInLanes;
use clearance_math::{DVec3, PreciseVector, Vector, tolerances};
use clearance_shapes::{Cuboid, Segment};

use super::axes::{AxisGap, ByAxes, LeastHeight};
use super::nearest_to_cuboid::BesideBox;
use crate::answer::Measured;
use crate::convex::CorePair;
use crate::search::Minkowski;
use crate::search::penetration::Depth;

/// Measures a segment against a box, in the frame of the segment. Where they overlap, the depth is the least overlap over
/// the axes of the box and their cross products with the segment.
///
/// These are the normals of all faces of the difference, so the least overlap is the depth. Source
/// for the axes: Gottschalk, Lin, Manocha, "OBBTree", 1996.
#[inline]
pub(crate) fn measure<V: Vector>(
    pair: &CorePair<V>,
    core_a: &Segment<V>,
    core_b: &Cuboid<V>,
) -> ByAxes<V::Precise> {
    let (b_in_a, difference) = (pair.b_in_a, pair.difference());
    let in_b = |end: V| b_in_a.inverse_transform_point(end.to_precise()).in_space();
    let segment = InBox {
        ends: [core_a.a, core_a.b].map_each(in_b),
        half: core_b.half_extents.to_precise().in_space(),
        size: difference.size(),
        rounding: difference.rounding(),
    };
    let in_a = |point| b_in_a.transform_point(V::Precise::from_space(point));
    let mut least = LeastHeight::NONE;
    match segment.test(&mut least) {
        Ok(()) => ByAxes::Overlapping(Depth {
            height: least.height,
            lower: least.height,
            normal: b_in_a.transform_direction(V::Precise::from_space(least.normal)),
            witnesses: (segment.witnesses(&least)).map(|(on_a, on_b)| (in_a(on_a), in_a(on_b))),
        }),
        Err(apart) => match apart.beyond(pair.within, segment.rounding) {
            ByAxes::Undecided => segment.nearest().map_or(ByAxes::Undecided, |measured| {
                let measured = measured.map(V::Precise::from_space);
                ByAxes::Near(measured.moved_to_world(b_in_a))
            }),
            farther => farther,
        },
    }
}

/// A segment in the frame of a box.
struct InBox {
    ends: [DVec3; 2],
    /// The half extents of the box.
    half: DVec3,
    /// The size of both, and how far rounding may move a point of their difference.
    size: f64,
    rounding: f64,
}

impl InBox {
    /// Tests all axes.
    ///
    /// # Errors
    /// The gap along the first one that separates them.
    #[inline(always)]
    fn test(&self, least: &mut LeastHeight) -> Result<(), AxisGap> {
        let [start, end] = self.ends;
        let (middle, along) = ((start + end) * 0.5, (end - start) * 0.5);
        let mut test = |axis: DVec3, apart: f64, reach: f64| {
            let toward = if apart < 0.0 { -axis } else { axis };
            least.test(toward, reach - apart.abs())
        };
        for k in 0..3 {
            test(DVec3::AXES[k], -middle[k], self.half[k] + along[k].abs())?;
        }
        let shortest = tolerances::DIFFERENCE_ROUNDING * along.length();
        for k in 0..3 {
            let (l, m) = ((k + 1) % 3, (k + 2) % 3);
            // The cross product of the segment and axis k.
            let (x, y) = (along[m], -along[l]);
            let length = (x * x + y * y).sqrt();
            // A segment along axis k has no such product: up to rounding the other axes cover it.
            if length > shortest {
                let (x, y) = (x / length, y / length);
                let mut axis = DVec3::ZERO;
                (axis[l], axis[m]) = (x, y);
                let apart = -(middle[l] * x + middle[m] * y);
                test(axis, apart, self.half[l] * x.abs() + self.half[m] * y.abs())?;
            }
        }
        Ok(())
    }

    /// The deepest end and the point of the box's face above it, if it lies over the face. Otherwise the closest points
    /// after the segment was moved out of the box and a little away from it, if they are as far apart as it was moved.
    #[inline]
    fn witnesses(&self, least: &LeastHeight) -> Option<(DVec3, DVec3)> {
        let leave = least.normal * least.height;
        let [first, second] = self.ends;
        let is_second = (second - first).dot(least.normal) > 0.0;
        let end = if is_second { second } else { first };
        // No more than rounding: of ends that are equally deep, the other may be over the face, or points between them.
        let beyond = (end - leave).abs() - self.half;
        if beyond.cmple(DVec3::splat(4.0 * self.rounding)).all() {
            return Some((end, end - leave));
        }
        let away = leave + least.normal * (tolerances::CLEARANCE_TO_REFINE * self.size);
        let moved = (self.ends).map_each(|end| VectorsInLanes::splat((), end - away));
        let points = self.beside().nearest_to_edge(moved);
        let (on_a, on_b) = (points.on_a.lane(0) + away, points.on_b.lane(0));
        let astray = (on_a - on_b - leave).length();
        (astray <= tolerances::WITNESS_OFFSET * self.size).then_some((on_a, on_b))
    }

    /// The closest points, if they are proven to be.
    fn nearest(&self) -> Option<Measured<DVec3>> {
        let (beside, ends) = (self.beside(), self.ends);
        let ends = ends.map_each(|end| VectorsInLanes::splat((), end));
        let (found, is_proven) = beside.proven(beside.nearest_to_edge(ends), &ends);
        is_proven.then(|| found.lane(0))
    }

    fn beside(&self) -> BesideBox<f64, DVec3> {
        BesideBox {
            half: VectorsInLanes::splat((), self.half),
            rounding: self.rounding,
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Pose, Quat, Real, RelativePose, Vec3};
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
            let pair = CorePair {
                a,
                b,
                b_in_a: &b_in_a,
                within: f64::INFINITY,
                hint: None,
            };
            let ByAxes::Overlapping(depth) = measure(&pair, core_a, core_b) else {
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
