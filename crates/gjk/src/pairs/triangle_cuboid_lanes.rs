//! Triangles and a cuboid in space in SIMD lanes: four triangles beside one cuboid.
//!
//! The cases of one lane, in this order:
//! * The triangle is so thin that its normal is not precise: the lane is given up.
//! * An axis separates them by more than the range: the answer is farther.
//! * They overlap, and the deepest corner of one lies over a face of the other: the answer is near.
//! * They are separated, and the plane between the closest points proves it: the answer is near.
//! * Everything else: the lane is given up.
//!
//! The operations are those of [`super::triangle_cuboid`], [`super::deepest_axis`] and
//! [`super::nearest_to_cuboid`], in their order, so the bits are those of one triangle alone.

use clearance_math::lanes::{
    FourMatrices, FourVectors, Select, Simd, SimdBase, SimdFloat, SimdMask, apart, f64x4,
    lesser_in_lanes, mask64x4,
};
use clearance_math::{DVec3, tolerances};

use super::corners_in_lanes::{greatest, greatest_square, heights, relative_to, turned_back};
use super::nearest_to_cuboid_lanes::FourBesideBox;
use super::point_triangle_lanes::nearest_of_corners;
use crate::answers_in_lanes::FourMeasured;

/// A cuboid in the frame of triangles, without its radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CuboidInFrame {
    pub(crate) half: DVec3,
    /// The images of the axes of the cuboid.
    pub(crate) axes: [DVec3; 3],
    /// Half the widths along these images.
    pub(crate) radii: [f64; 3],
    pub(crate) center: DVec3,
    /// The size and the bounding radius.
    pub(crate) size: f64,
    pub(crate) bounding_radius: f64,
}

/// What is known about four triangles.
#[derive(Clone, Copy)]
pub(crate) struct FourFound<S: Simd> {
    pub(crate) measured: FourMeasured<S, DVec3>,
    /// Where that is the answer.
    pub(crate) is_near: mask64x4<S>,
    /// Where the cores are farther apart than the range, and by how much at least.
    pub(crate) is_farther: mask64x4<S>,
    pub(crate) least: f64x4<S>,
}

/// Measures triangles against a cuboid. Little is done for lanes that are not wanted.
#[inline(always)]
pub(crate) fn measure<S: Simd>(
    simd: S,
    corners: [FourVectors<S, DVec3>; 3],
    cuboid: &CuboidInFrame,
    (within, is_wanted): (f64, mask64x4<S>),
) -> FourFound<S> {
    let four = Four::new(simd, corners, cuboid);
    let (axes, is_precise) = four.deepest_axes(is_wanted);
    let least = axes.gap - four.rounding;
    let is_farther = axes.is_apart & least.simd_gt(within);
    let is_beside = is_wanted & axes.is_apart & !is_farther;
    let is_deep = is_wanted & is_precise & !axes.is_apart;
    let mut found = FourFound {
        measured: axes.unmeasured(),
        is_near: mask64x4::splat(simd, false),
        is_farther: is_precise & is_farther,
        least,
    };
    if is_beside.any_true() {
        let (measured, is_proven) = apart!(four.beside());
        found.measured = measured;
        found.is_near = is_proven & is_beside & is_precise;
    }
    if is_deep.any_true() {
        let (measured, is_exact) = apart!(four.overlapping(&axes, is_deep));
        found.measured = measured.or_where_unset(is_deep, found.measured);
        found.is_near |= is_exact & is_deep;
    }
    found
}

/// Four triangles and the cuboid, in the frame of the triangles.
#[derive(Clone, Copy)]
struct Four<'a, S: Simd> {
    simd: S,
    corners: [FourVectors<S, DVec3>; 3],
    cuboid: &'a CuboidInFrame,
    half: FourVectors<S, DVec3>,
    center: FourVectors<S, DVec3>,
    rotation: FourMatrices<S, DVec3>,
    rounding: f64x4<S>,
}

/// The least overlap of each lane, or the first gap.
#[derive(Clone, Copy)]
struct FourBest<S: Simd> {
    is_apart: mask64x4<S>,
    gap: f64x4<S>,
    depth: f64x4<S>,
    normal: FourVectors<S, DVec3>,
}

impl<'a, S: Simd> Four<'a, S> {
    #[inline(always)]
    fn new(simd: S, corners: [FourVectors<S, DVec3>; 3], cuboid: &'a CuboidInFrame) -> Self {
        let [x, y, z] = cuboid.axes;
        let scale =
            greatest_square(corners).sqrt() + cuboid.bounding_radius + cuboid.center.length();
        Self {
            simd,
            corners,
            cuboid,
            half: FourVectors::splat(simd, cuboid.half),
            center: FourVectors::splat(simd, cuboid.center),
            rotation: FourMatrices {
                columns: [
                    FourVectors::splat(simd, x),
                    FourVectors::splat(simd, y),
                    FourVectors::splat(simd, z),
                ],
            },
            rounding: tolerances::DIFFERENCE_ROUNDING * scale,
        }
    }

    /// The axes of least overlap, and the lanes whose triangles have precise normals.
    #[inline(always)]
    fn deepest_axes(&self, is_wanted: mask64x4<S>) -> (FourBest<S>, mask64x4<S>) {
        let simd = self.simd;
        let [p, q, r] = self.corners;
        let sides = [q - p, r - q, p - r];
        let longest = greatest_square(sides);
        let normal = sides[0].cross(sides[1]);
        let area = normal.length();
        let is_precise = area.simd_gt(tolerances::PRECISE_NORMAL * longest);
        let every = mask64x4::splat(simd, true);
        let relative = relative_to(self.corners, self.center);
        let mut best = FourBest {
            is_apart: mask64x4::splat(simd, false),
            gap: f64x4::splat(simd, 0.0),
            depth: f64x4::splat(simd, f64::INFINITY),
            normal: FourVectors::splat(simd, DVec3::X),
        };
        let axis = normal / area;
        apart!(best.test(&relative, (axis, self.radius(axis)), every));
        for k in 0..3 {
            let radius = f64x4::splat(simd, self.cuboid.radii[k]);
            apart!(best.test(&relative, (self.rotation.columns[k], radius), every));
        }
        let is_done = !is_wanted | !is_precise;
        for side in sides {
            if (best.is_apart | is_done).all_true() {
                break;
            }
            let along = direction(side);
            for k in 0..3 {
                let axis = along.cross(self.rotation.columns[k]);
                let length = axis.length();
                let axis = axis / length;
                let is_tested = length.simd_gt(tolerances::PARALLEL);
                apart!(best.test(&relative, (axis, self.radius(axis)), is_tested));
            }
        }
        (best, is_precise)
    }

    /// Half the widths of the cuboid along unit vectors.
    #[inline(always)]
    fn radius(&self, axis: FourVectors<S, DVec3>) -> f64x4<S> {
        self.rotation.apply_transposed(axis).abs().dot(self.half)
    }

    /// Triangles apart from the cuboid: the distances, and where they are proven.
    #[inline(always)]
    fn beside(&self) -> (FourMeasured<S, DVec3>, mask64x4<S>) {
        let in_b = turned_back(&self.rotation, relative_to(self.corners, self.center));
        let beside = FourBesideBox {
            half: self.half,
            rounding: self.rounding,
        };
        let (found, is_proven) = beside.measure(in_b);
        let measured = FourMeasured {
            normal: self.rotation.apply(found.normal),
            on_a: self.rotation.apply(found.on_a) + self.center,
            on_b: self.rotation.apply(found.on_b) + self.center,
            ..found
        };
        (measured, is_proven)
    }

    /// Triangles that overlap the cuboid: the signed distances, and where a corner is over a face, so that the
    /// witness points are right.
    #[inline(always)]
    fn overlapping(
        &self,
        best: &FourBest<S>,
        is_deep: mask64x4<S>,
    ) -> (FourMeasured<S, DVec3>, mask64x4<S>) {
        let (normal, depth) = (best.normal, best.depth);
        let of_triangles = self.sizes();
        let cuboid = f64x4::splat(self.simd, self.cuboid.size);
        let size = of_triangles + cuboid;
        let smaller = lesser_in_lanes(of_triangles, cuboid);
        let slack = tolerances::POINTS_BESIDE_NORMAL * smaller + 4.0 * self.rounding;
        let leave = normal * depth;
        let on_a = farthest(self.corners, normal);
        let in_b = self.rotation.apply_transposed(normal.negated());
        let corner = self.half.with_signs_of(in_b);
        let on_b = self.rotation.apply(corner) + self.center;

        let above_b = self.rotation.apply_transposed(on_a - leave - self.center);
        let [x, y, z] = (self.half - above_b.abs()).components();
        let inset = lesser_in_lanes(lesser_in_lanes(x, y), z);
        let is_over_b = inset.simd_ge(-slack);
        let mut witnesses = [on_a, on_a - leave];
        let mut is_over = is_over_b;
        if (is_deep & !is_over_b).any_true() {
            let above_a = on_b + leave;
            let from_above = relative_to(self.corners, above_a);
            let (from_nearest, is_thick) = apart!(nearest_of_corners(self.simd, from_above));
            let is_over_a = is_thick & from_nearest.length().simd_le(slack);
            witnesses = [
                witnesses[0].or_where_unset(is_over_b, above_a),
                witnesses[1].or_where_unset(is_over_b, on_b),
            ];
            is_over = is_over_b | is_over_a;
        }
        let (measured, is_exact) = self.finished(best, size, witnesses);
        (measured, is_over & is_exact)
    }

    /// Completes depths as `penetration::finish` does, and the lanes in which it would not look for other points.
    #[inline(always)]
    fn finished(
        &self,
        best: &FourBest<S>,
        size: f64x4<S>,
        [on_a, on_b]: [FourVectors<S, DVec3>; 2],
    ) -> (FourMeasured<S, DVec3>, mask64x4<S>) {
        let (normal, depth) = (best.normal, best.depth);
        let zero = f64x4::splat(self.simd, 0.0);
        let astray = on_a - on_b - normal * depth;
        let is_exact = astray.length().simd_le(tolerances::WITNESS_OFFSET * size);
        let gap = -depth;
        let lower = gap - self.rounding;
        let upper = self.rounding - depth;
        let distance = gap.simd_lt(upper).select(gap, upper) + zero;
        let measured = FourMeasured {
            distance,
            lower,
            upper,
            normal,
            on_a,
            on_b,
        };
        (measured, is_exact)
    }

    /// The sizes of the triangles, as each alone has it.
    #[inline(always)]
    fn sizes(&self) -> f64x4<S> {
        let [a, b, c] = self.corners;
        let center = (a + b + c) * f64x4::splat(self.simd, 1.0 / 3.0);
        // The root of the greatest square is the greatest of the roots, which are rounded in order.
        let about_center = greatest_square(relative_to(self.corners, center)).sqrt();
        let about_center = about_center * (1.0 + tolerances::RADIUS_ROUNDING);
        let about_origin = greatest_square(self.corners).sqrt();
        lesser_in_lanes(about_center, about_origin)
    }
}

impl<S: Simd> FourBest<S> {
    /// What stands where nothing is measured.
    #[inline(always)]
    fn unmeasured(&self) -> FourMeasured<S, DVec3> {
        FourMeasured {
            distance: self.gap,
            lower: self.gap,
            upper: self.gap,
            normal: self.normal,
            on_a: self.normal,
            on_b: self.normal,
        }
    }

    /// Tests unit axes, along which the cuboid has the given half widths.
    #[inline(always)]
    fn test(
        &mut self,
        corners: &[FourVectors<S, DVec3>; 3],
        (axis, radius): (FourVectors<S, DVec3>, f64x4<S>),
        is_tested: mask64x4<S>,
    ) {
        let [p, q, r] = heights(*corners, axis);
        let forward = greatest([p, q, r]) + radius;
        let backward = radius - lesser_in_lanes(lesser_in_lanes(p, q), r);
        let overlap = lesser_in_lanes(forward, backward);
        let is_first_gap = is_tested & !self.is_apart & overlap.simd_lt(0.0);
        self.gap = is_first_gap.select(-overlap, self.gap);
        self.is_apart |= is_first_gap;
        let is_less = is_tested & overlap.simd_lt(self.depth);
        self.depth = is_less.select(overlap, self.depth);
        let is_ahead = forward.simd_le(backward);
        let toward = axis.or_where_unset(is_ahead, axis.negated());
        self.normal = toward.or_where_unset(is_less, self.normal);
    }
}

/// The unit vectors along vectors that are not zero.
#[inline(always)]
fn direction<S: Simd>(vectors: FourVectors<S, DVec3>) -> FourVectors<S, DVec3> {
    let largest = greatest(vectors.abs().components());
    let scaled = vectors / largest;
    scaled / scaled.length()
}

/// The farthest corners along directions, the first of equal ones.
#[inline(always)]
fn farthest<S: Simd>(
    [a, b, c]: [FourVectors<S, DVec3>; 3],
    direction: FourVectors<S, DVec3>,
) -> FourVectors<S, DVec3> {
    let [of_a, of_b, of_c] = heights([a, b, c], direction);
    let is_b = of_b.simd_gt(of_a);
    let height = is_b.select(of_b, of_a);
    let is_c = of_c.simd_gt(height);
    c.or_where_unset(is_c, b.or_where_unset(is_b, a))
}
