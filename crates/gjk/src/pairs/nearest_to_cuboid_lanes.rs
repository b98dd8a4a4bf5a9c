//! Triangles apart from a cuboid in space in SIMD lanes: four triangles beside one cuboid.
//!
//! The operations are those of [`super::nearest_to_cuboid`], in their order, and its cases are told apart there. What
//! one triangle alone would not need is computed along and not selected, so the bits are those of one triangle alone.

use clearance_math::lanes::{
    FourVectors, Select, Simd, SimdBase, SimdMask, apart, f64x4, mask64x4,
};
use clearance_math::{DVec3, tolerances};

use super::corners_in_lanes::{greatest, greatest_square, heights};
use crate::answers_in_lanes::FourMeasured;

/// Points of four triangles, and the points of the box that are nearest to them.
#[derive(Clone, Copy)]
struct FourPoints<S: Simd> {
    on_a: FourVectors<S, DVec3>,
    on_b: FourVectors<S, DVec3>,
}

impl<S: Simd> FourPoints<S> {
    #[inline(always)]
    fn or_where_unset(self, mask: mask64x4<S>, otherwise: Self) -> Self {
        Self {
            on_a: self.on_a.or_where_unset(mask, otherwise.on_a),
            on_b: self.on_b.or_where_unset(mask, otherwise.on_b),
        }
    }
}

/// Places on four edges, and the slopes there.
#[derive(Clone, Copy)]
struct FourPlaces<S: Simd> {
    at: f64x4<S>,
    slope: f64x4<S>,
}

impl<S: Simd> FourPlaces<S> {
    #[inline(always)]
    fn or_where_unset(self, mask: mask64x4<S>, otherwise: Self) -> Self {
        Self {
            at: mask.select(self.at, otherwise.at),
            slope: mask.select(self.slope, otherwise.slope),
        }
    }
}

/// The box that four triangles are beside, around the origin.
#[derive(Clone, Copy)]
pub(crate) struct FourBesideBox<S: Simd> {
    pub(crate) half: FourVectors<S, DVec3>,
    /// How much the coordinates of each triangle may be wrong.
    pub(crate) rounding: f64x4<S>,
}

impl<S: Simd> FourBesideBox<S> {
    /// The distances of triangles, and the lanes in which they are proven.
    #[inline(always)]
    pub(crate) fn measure(
        &self,
        corners: [FourVectors<S, DVec3>; 3],
    ) -> (FourMeasured<S, DVec3>, mask64x4<S>) {
        let mut nearest = apart!(self.nearest_to_edges(corners));
        let (of_face, is_over_face) = apart!(self.nearest_to_face(corners));
        if is_over_face.any_true() {
            nearest = of_face.or_where_unset(is_over_face, nearest);
        }
        self.proven(nearest, corners)
    }

    #[inline(always)]
    fn nearest_to_point(&self, point: FourVectors<S, DVec3>) -> FourPoints<S> {
        FourPoints {
            on_a: point,
            on_b: point.held(self.half.negated(), self.half),
        }
    }

    #[inline(always)]
    fn place(&self, [start, along]: [FourVectors<S, DVec3>; 2], at: f64x4<S>) -> FourPlaces<S> {
        let points = self.nearest_to_point(start + along * at);
        FourPlaces {
            at,
            slope: along.dot(points.on_a - points.on_b),
        }
    }

    #[inline(always)]
    fn nearest_to_edge(&self, [start, end]: [FourVectors<S, DVec3>; 2]) -> FourPoints<S> {
        let simd = self.rounding.simd;
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let line = [start, end - start];
        let mut low = self.place(line, zero);
        let is_start = low.slope.simd_ge(0.0);
        let mut high = self.place(line, one);
        let is_end = high.slope.simd_le(0.0);
        let is_between = !(is_start | is_end);
        let end_of_edge = start.or_where_unset(is_start, end);
        if !is_between.any_true() {
            return self.nearest_to_point(end_of_edge);
        }
        let (starts, alongs) = (start.components(), line[1].components());
        let half = self.half.components();
        for k in 0..3 {
            for face in [-half[k], half[k]] {
                let ahead = face - starts[k];
                // Otherwise the quotient is not between zero and one.
                let may_cross = is_between & ahead.abs().simd_lt(alongs[k].abs());
                if may_cross.any_true() {
                    let place = apart!(self.place(line, ahead / alongs[k]));
                    let is_inside =
                        may_cross & place.at.simd_gt(low.at) & place.at.simd_lt(high.at);
                    let is_low = place.slope.simd_lt(0.0);
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

    #[inline(always)]
    fn nearest_to_edges(&self, [a, b, c]: [FourVectors<S, DVec3>; 3]) -> FourPoints<S> {
        let mut nearest = self.nearest_to_edge([a, b]);
        let mut least = (nearest.on_b - nearest.on_a).length_squared();
        for edge in [[b, c], [c, a]] {
            let points = apart!(self.nearest_to_edge(edge));
            let squared = (points.on_b - points.on_a).length_squared();
            let is_nearer = squared.simd_lt(least);
            nearest = points.or_where_unset(is_nearer, nearest);
            least = is_nearer.select(squared, least);
        }
        nearest
    }

    /// The corners of the box next to the planes of the triangles, the points below them, and the lanes in which
    /// these are inside of the triangles.
    #[inline(always)]
    fn nearest_to_face(
        &self,
        [a, b, c]: [FourVectors<S, DVec3>; 3],
    ) -> (FourPoints<S>, mask64x4<S>) {
        let simd = self.rounding.simd;
        let sides = [b - a, c - a, c - b];
        let longest = greatest_square(sides);
        let normal = sides[0].cross(sides[1]);
        let is_precise = normal
            .length()
            .simd_gt(tolerances::PRECISE_NORMAL * longest);
        let height = normal.dot(a);
        let is_behind = height.simd_lt(0.0);
        let normal = normal.negated().or_where_unset(is_behind, normal);
        let corner = self.half.with_signs_of(normal);
        let gap = normal.dot(a - corner);
        let foot = corner + normal * (gap / normal.length_squared());
        let (minus, plus) = (f64x4::splat(simd, -1.0), f64x4::splat(simd, 1.0));
        let outward = is_behind.select(minus, plus);
        let over_ab = turn((normal, outward), foot, [a, b]).simd_ge(0.0);
        let over_bc = turn((normal, outward), foot, [b, c]).simd_ge(0.0);
        let over_ca = turn((normal, outward), foot, [c, a]).simd_ge(0.0);
        let is_over_face = is_precise & gap.simd_gt(0.0) & over_ab & over_bc & over_ca;
        let points = FourPoints {
            on_a: foot,
            on_b: corner,
        };
        (points, is_over_face)
    }

    #[inline(always)]
    fn proven(
        &self,
        points: FourPoints<S>,
        corners: [FourVectors<S, DVec3>; 3],
    ) -> (FourMeasured<S, DVec3>, mask64x4<S>) {
        let FourPoints { on_a, on_b } = points;
        let apart = on_b - on_a;
        let distance = apart.length();
        let normal = apart / distance;
        let farthest = greatest(heights(corners, normal));
        let lower = -normal.abs().dot(self.half) - farthest;
        let allowed = tolerances::CLOSED_FORM_GAP * distance + 2.0 * self.rounding;
        let rounding = 3.0 * self.rounding;
        let is_proven = (distance - lower).simd_le(allowed) & lower.simd_gt(rounding);
        let measured = FourMeasured {
            distance,
            lower: lower - rounding,
            upper: distance + rounding,
            normal,
            on_a,
            on_b,
        };
        (measured, is_proven)
    }
}

/// Which way a triangle turns from an edge to a point, seen along its normal: not negative if the point is on the
/// inner side.
#[inline(always)]
fn turn<S: Simd>(
    (normal, outward): (FourVectors<S, DVec3>, f64x4<S>),
    foot: FourVectors<S, DVec3>,
    [from, to]: [FourVectors<S, DVec3>; 2],
) -> f64x4<S> {
    normal.dot((to - from).cross(foot - from)) * outward
}
