//! Segment or triangle apart from a cuboid in space: capsule and box, triangle and box.
//!
//! All in the frame of the cuboid, in which it is a box around the origin. A segment is an edge. The cases of a
//! triangle, in this order:
//! * Its plane keeps the box on one side, and one corner of the box that is nearest to the plane (any, if there are
//!   several) projects into the triangle: the corner and its projection are the closest points.
//! * Otherwise an edge of the triangle has a point that is as near as any. For if a closest point is inside the
//!   triangle, the shortest way is across the plane, which keeps the box on one side, and ends at a point of the box
//!   that is as near to the plane as that corner is. So are all points of the box between it and the corner. Their
//!   projections begin inside the triangle and end outside, and one of them is on an edge.
//!
//! The plane across the way between the points proves the lower bound: rounding may leave a pair to the search, but
//! not make an answer wrong. The upper bound holds since both points lie on the shapes up to rounding, for which the
//! normal of a triangle must be precise.

use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes, apart};
use clearance_math::{PreciseVector, tolerances};

use super::corners_in_lanes::{Corners, greatest_square};
use crate::answer::MeasuredInLanes;

/// A point of a segment or a triangle, and the point of the box that is nearest to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointsBesideCuboid<F, P> {
    pub(super) on_a: VectorsInLanes<F, P>,
    pub(super) on_b: VectorsInLanes<F, P>,
}

impl<F: Number, P: PreciseVector> PointsBesideCuboid<F, P> {
    #[inline(always)]
    fn or_where_unset(self, mask: F::Mask, otherwise: Self) -> Self {
        Self {
            on_a: self.on_a.or_where_unset(mask, otherwise.on_a),
            on_b: self.on_b.or_where_unset(mask, otherwise.on_b),
        }
    }

    #[inline(always)]
    fn squared_distance(&self) -> F {
        (self.on_b - self.on_a).length_squared()
    }
}

/// A place on an edge, and the slope there.
#[derive(Clone, Copy)]
struct EdgePlace<F> {
    at: F,
    slope: F,
}

impl<F: Number> EdgePlace<F> {
    #[inline(always)]
    fn or_where_unset(self, mask: F::Mask, otherwise: Self) -> Self {
        Self {
            at: mask.choose(self.at, otherwise.at),
            slope: mask.choose(self.slope, otherwise.slope),
        }
    }
}

/// The box that something is beside, around the origin, or one in each lane.
#[derive(Clone, Copy)]
pub(super) struct BesideBox<F, P> {
    pub(super) half: VectorsInLanes<F, P>,
    /// How much coordinates may be wrong.
    pub(super) rounding: F,
}

impl<F: Number, P: PreciseVector> BesideBox<F, P> {
    /// The distances of triangles, and where they are proven.
    #[inline(always)]
    pub(super) fn measure(&self, corners: Corners<F, P>) -> (MeasuredInLanes<F, P>, F::Mask) {
        let mut nearest = apart!(self.nearest_to_edges(corners));
        let (of_face, is_over_face) = apart!(self.nearest_to_face(corners));
        if is_over_face.holds_somewhere() {
            nearest = of_face.or_where_unset(is_over_face, nearest);
        }
        self.proven(nearest, &corners)
    }

    #[inline(always)]
    fn nearest_to_point(&self, point: VectorsInLanes<F, P>) -> PointsBesideCuboid<F, P> {
        PointsBesideCuboid {
            on_a: point,
            on_b: point.held(self.half.negated(), self.half),
        }
    }

    /// How fast half of the squared distance grows along a segment. This slope never falls along it, and is linear
    /// between the planes of the box's faces.
    #[inline(always)]
    fn place(&self, [start, along]: [VectorsInLanes<F, P>; 2], at: F) -> EdgePlace<F> {
        let points = self.nearest_to_point(start + along * at);
        EdgePlace {
            at,
            slope: along.dot(points.on_a - points.on_b),
        }
    }

    /// The closest points of a segment and the box: where the slope is zero, or an end.
    #[inline(always)]
    pub(super) fn nearest_to_edge(
        &self,
        [start, end]: [VectorsInLanes<F, P>; 2],
    ) -> PointsBesideCuboid<F, P> {
        let set = self.rounding.set();
        let line = [start, end - start];
        let mut low = self.place(line, F::splat(set, 0.0));
        let is_start = low.slope.is_at_least(0.0);
        let mut high = self.place(line, F::splat(set, 1.0));
        let is_end = high.slope.is_at_most(0.0);
        let is_between = !(is_start | is_end);
        let end_of_edge = start.or_where_unset(is_start, end);
        if !is_between.holds_somewhere() {
            return self.nearest_to_point(end_of_edge);
        }
        let (starts, alongs) = (start.components(), line[1].components());
        let half = self.half.components();
        for k in 0..P::DIM {
            for face in [-half[k], half[k]] {
                let ahead = face - starts[k];
                // Otherwise the quotient is not between zero and one.
                let may_cross = is_between & ahead.abs().is_below(alongs[k].abs());
                if may_cross.holds_somewhere() {
                    let place = apart!(self.place(line, ahead / alongs[k]));
                    let is_inside =
                        may_cross & place.at.is_above(low.at) & place.at.is_below(high.at);
                    let is_low = place.slope.is_below(0.0);
                    low = place.or_where_unset(is_inside & is_low, low);
                    high = place.or_where_unset(is_inside & !is_low, high);
                }
            }
        }
        let share = low.slope / (low.slope - high.slope);
        let at = low.at + (high.at - low.at) * share;
        let between = start + line[1] * at;
        self.nearest_to_point(between.or_where_unset(is_between, end_of_edge))
    }

    /// The nearest of the closest points of the edges.
    #[inline(always)]
    fn nearest_to_edges(&self, [a, b, c]: Corners<F, P>) -> PointsBesideCuboid<F, P> {
        let mut nearest = self.nearest_to_edge([a, b]);
        let mut least = nearest.squared_distance();
        for edge in [[b, c], [c, a]] {
            let points = apart!(self.nearest_to_edge(edge));
            let squared = points.squared_distance();
            let is_nearer = squared.is_below(least);
            nearest = points.or_where_unset(is_nearer, nearest);
            least = is_nearer.choose(squared, least);
        }
        nearest
    }

    /// The corner of the box next to the plane of a triangle that keeps it on one side, and the point below that
    /// corner, and whether that is inside the triangle; not for thin triangles, either.
    #[inline(always)]
    fn nearest_to_face(&self, [a, b, c]: Corners<F, P>) -> (PointsBesideCuboid<F, P>, F::Mask) {
        let sides = [b - a, c - a, c - b];
        let longest = greatest_square(sides);
        let normal = sides[0].cross(sides[1]);
        let is_precise = normal
            .length()
            .is_above(longest * tolerances::PRECISE_NORMAL);
        let height = normal.dot(a);
        let is_behind = height.is_below(0.0);
        let normal = normal.negated().or_where_unset(is_behind, normal);
        let corner = self.half.with_signs_of(normal);
        let gap = normal.dot(a - corner);
        let foot = corner + normal * (gap / normal.length_squared());
        let set = height.set();
        let outward = is_behind.choose(F::splat(set, -1.0), F::splat(set, 1.0));
        let mut is_over = is_precise & gap.is_above(0.0);
        for [from, to] in [[a, b], [b, c], [c, a]] {
            // Which way the triangle turns from an edge to the foot, seen along its normal.
            let turn = normal.dot((to - from).cross(foot - from)) * outward;
            is_over &= turn.is_at_least(0.0);
        }
        let points = PointsBesideCuboid {
            on_a: foot,
            on_b: corner,
        };
        (points, is_over)
    }

    /// The distances of the points, and where the planes between them prove them.
    #[inline(always)]
    pub(super) fn proven(
        &self,
        PointsBesideCuboid { on_a, on_b }: PointsBesideCuboid<F, P>,
        corners: &[VectorsInLanes<F, P>],
    ) -> (MeasuredInLanes<F, P>, F::Mask) {
        let apart = on_b - on_a;
        let distance = apart.length();
        let normal = apart / distance;
        let mut farthest = corners[0].dot(normal);
        for corner in &corners[1..] {
            farthest = farthest.greater(corner.dot(normal));
        }
        let lower = -normal.abs().dot(self.half) - farthest;
        let allowed = distance * tolerances::CLOSED_FORM_GAP + self.rounding * 2.0;
        let rounding = self.rounding * 3.0;
        let is_proven = (distance - lower).is_at_most(allowed) & lower.is_above(rounding);
        let measured = MeasuredInLanes {
            lower: lower - rounding,
            ..MeasuredInLanes::exact(distance, normal, [on_a, on_b], rounding)
        };
        (measured, is_proven)
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Quat, Real, RelativePose, Vec3};
    use clearance_shapes::{Core, Shape};

    use crate::answer::{Measured, Outcome};
    use crate::convex::CorePair;
    use crate::convex::closed_forms::axes::ByAxes;
    use crate::convex::closed_forms::{segment_cuboid, triangle_cuboid};
    use crate::search::measure_in;

    /// The closed form agrees with the search, whose bounds are proven on their own.
    fn assert_agrees(found: &Measured<DVec3>, searched: &Measured<DVec3>) {
        let context = format!("{found:?} {searched:?}");
        assert!(found.lower <= searched.upper, "{context}");
        assert!(found.upper >= searched.lower, "{context}");
        assert!(
            (found.normal - searched.normal).length() < 1e-4,
            "{context}"
        );
        let beside = found.on_b - found.on_a - found.normal * found.distance;
        assert!(beside.length() < 1e-14, "{context}");
    }

    /// How many of 4,000 pairs are apart by more than a thousandth, and how many of these are decided.
    fn decided(shape: impl Fn([Vec3; 3]) -> Shape<Vec3>) -> [usize; 2] {
        let cuboid = Shape::cuboid(Vec3::new(0.5, 1.0, 0.75)).expect("positive half extents");
        let Shape::Convex(b) = &cuboid else {
            unreachable!("cuboids are convex");
        };
        let Core::Cuboid(core_b) = b.core() else {
            unreachable!("cuboids have cuboids as cores");
        };
        let (mut apart, mut found) = (0, 0);
        let mut round = 0_u64;
        for k in 0..4000 {
            let mut number = || {
                // Multiples of an irrational number cover their range evenly.
                round += 1;
                (round as f64 * 0.618_033_988_749_894_9).fract() as Real - 0.5
            };
            let mut point = || {
                let point = Vec3::new(number(), number(), number()) * 4.0;
                // Every other pair has corners, edges and faces that lie above each other.
                if k % 2 == 0 { point.round() } else { point }
            };
            let [axis, place] = [point(), point()];
            let rotation = if k % 4 < 2 {
                Quat::IDENTITY
            } else {
                Quat::from_axis_angle(axis.normalize_or(Vec3::X), axis.y)
            };
            let a = shape([point(), point(), point()]);
            let Shape::Convex(convex) = &a else {
                unreachable!("segments and triangles are convex");
            };
            let pose = Pose::<Vec3>::new(place, rotation);
            let pair = CorePair {
                a: convex,
                b,
                b_in_a: &RelativePose::between(&Pose::IDENTITY, &pose),
                within: f64::INFINITY,
                hint: None,
            };
            let searched = measure_in(&pair.difference(), f64::INFINITY, 1e-9);
            let Outcome::Near(searched) = searched else {
                unreachable!("an infinite range");
            };
            if searched.distance > 1e-3 {
                apart += 1;
                let closed = match convex.core() {
                    Core::Triangle(core_a) => triangle_cuboid::measure_one(&pair, core_a, core_b),
                    Core::Segment(core_a) => segment_cuboid::measure(&pair, core_a, core_b),
                    _ => continue,
                };
                if let ByAxes::Near(closed) = closed {
                    found += 1;
                    assert_agrees(&closed, &searched);
                }
            }
        }
        [apart, found]
    }

    #[test]
    fn nearly_all_pairs_that_are_apart_are_decided() {
        let segments = decided(|[a, b, _]| Shape::segment(a, b).expect("finite ends"));
        let triangles = decided(|[a, b, c]| Shape::triangle(a, b, c).expect("finite corners"));
        // Of rounded corners many are on one line: triangles without an area are left to the search.
        for ([apart, found], share) in [(segments, 99), (triangles, 85)] {
            assert!(apart > 1500, "{apart} of 4000 pairs are apart");
            assert!(
                100 * found >= share * apart,
                "{found} of {apart} are decided"
            );
        }
    }
}
