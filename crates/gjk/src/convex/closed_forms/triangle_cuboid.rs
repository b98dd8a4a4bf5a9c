//! Triangle and cuboid in space: a triangle, or one in each lane, beside a cuboid.
//!
//! The axes of a triangle and a box are the normal of the triangle, the axes of the box, and their cross products with
//! the sides of the triangle: the normals of all faces of the difference, so the least overlap is the depth. Source for
//! the axes: Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", 2001, which asks only whether they overlap.
//!
//! The cases, in this order:
//! * The triangle is so thin that its normal is not precise enough for a proof: it is given up.
//! * An axis separates them by more than the range: the answer is farther.
//! * They overlap, and the deepest corner of one lies over a face of the other: the answer is near.
//! * They are separated, and the plane between the closest points proves it: the answer is near.
//! * Everything else is given up.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Condition, MatricesInLanes, Number, VectorsInLanes, apart};
use clearance_math::{DVec3, Matrix, PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Cuboid, Triangle};

use super::axes::ByAxes;
use super::corners_in_lanes::{
    Corners, greatest, greatest_square, heights, relative_to, turned_back,
};
use super::nearest_to_cuboid::BesideBox;
use super::point_triangle_lanes::nearest_of_corners;
use crate::answer::MeasuredInLanes;
use crate::convex::CorePair;
use crate::search::penetration::Depth;
use crate::search::witness_slack;

/// Measures a triangle and a cuboid in the frame of the triangle.
pub(crate) fn measure_one<V: Vector>(
    pair: &CorePair<V>,
    core_a: &Triangle<V>,
    core_b: &Cuboid<V>,
) -> ByAxes<V::Precise> {
    let corners = core_a
        .corners()
        .map_each(|corner| VectorsInLanes::splat((), corner.in_space()));
    let cuboid = CuboidInFrame::new((pair.b, core_b), pair.b_in_a);
    let found = measure::<f64>((), corners, &cuboid, (pair.within, true));
    let found = if found.is_near {
        ByAxes::Near(found.measured.lane(0))
    } else if found.is_farther {
        ByAxes::Farther(found.least)
    } else if found.is_deep {
        let normal = found.axes.normal.lane(0);
        ByAxes::Overlapping(Depth::along(normal, [found.axes.depth; 2]))
    } else {
        ByAxes::Undecided
    };
    found.map(V::Precise::from_space)
}

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

impl CuboidInFrame {
    pub(crate) fn new<V: Vector>(
        (convex, core): (&Convex<V>, &Cuboid<V>),
        pose: &RelativePose<V::Precise>,
    ) -> Self {
        let half = core.half_extents.to_precise();
        let radius = |axis| pose.rotation.apply_transposed(axis).abs().dot(half);
        Self {
            half: half.in_space(),
            axes: [0, 1, 2].map_each(|k: usize| pose.rotation.column(k).in_space()),
            radii: [0, 1, 2].map_each(|k: usize| radius(pose.rotation.column(k))),
            center: pose.translation.in_space(),
            size: convex.core_size(),
            bounding_radius: convex.core_bounding_radius(),
        }
    }
}

/// What is known about a triangle, or about one in each lane.
#[derive(Clone, Copy)]
pub(crate) struct TriangleAnswers<F: Number> {
    pub(crate) measured: MeasuredInLanes<F, DVec3>,
    /// Where that is the answer.
    pub(crate) is_near: F::Mask,
    /// Where the cores are farther apart than the range, and by how much at least.
    pub(crate) is_farther: F::Mask,
    pub(crate) least: F,
    /// Where they overlap.
    is_deep: F::Mask,
    axes: LeastGap<F>,
}

/// Measures triangles against a cuboid. Little is done for lanes that are not wanted.
#[inline(always)]
pub(crate) fn measure<F: Number>(
    set: F::Set,
    corners: Corners<F, DVec3>,
    cuboid: &CuboidInFrame,
    (within, is_wanted): (f64, F::Mask),
) -> TriangleAnswers<F> {
    let pair = Overlaps::new(set, corners, cuboid);
    let (axes, is_precise) = pair.deepest_axes(is_wanted);
    let least = axes.gap - pair.rounding;
    let is_farther = axes.is_apart & least.is_above(within);
    let is_beside = is_wanted & axes.is_apart & !is_farther;
    let is_deep = is_wanted & is_precise & !axes.is_apart;
    let mut found = TriangleAnswers {
        // Read where something is measured only.
        measured: MeasuredInLanes::exact(axes.gap, axes.normal, [axes.normal; 2], least),
        is_near: F::Mask::of_all(set, false),
        is_farther: is_precise & is_farther,
        least,
        is_deep,
        axes,
    };
    if is_beside.holds_somewhere() {
        let (measured, is_proven) = apart!(pair.beside());
        found.measured = measured;
        found.is_near = is_proven & is_beside & is_precise;
    }
    if is_deep.holds_somewhere() {
        let (measured, is_exact) = apart!(pair.overlapping(&axes, is_deep));
        found.measured = measured.or_where_unset(is_deep, found.measured);
        found.is_near |= is_exact & is_deep;
    }
    found
}

/// Triangles and the cuboid, in their frame.
#[derive(Clone, Copy)]
struct Overlaps<'a, F: Number> {
    set: F::Set,
    corners: Corners<F, DVec3>,
    cuboid: &'a CuboidInFrame,
    half: VectorsInLanes<F, DVec3>,
    center: VectorsInLanes<F, DVec3>,
    rotation: MatricesInLanes<F, DVec3>,
    rounding: F,
}

/// The least overlap of each lane, or the first gap.
#[derive(Clone, Copy)]
struct LeastGap<F: Number> {
    is_apart: F::Mask,
    gap: F,
    depth: F,
    normal: VectorsInLanes<F, DVec3>,
}

impl<F: Number> LeastGap<F> {
    /// Whether a single pair has a gap: then no other axis is tested. For many at a time it would take longer to ask.
    #[inline(always)]
    fn is_decided(&self) -> bool {
        F::COUNT == 1 && self.is_apart.holds_everywhere()
    }
}

impl<'a, F: Number> Overlaps<'a, F> {
    #[inline(always)]
    fn new(set: F::Set, corners: Corners<F, DVec3>, cuboid: &'a CuboidInFrame) -> Self {
        let [x, y, z] = cuboid.axes;
        let radius = F::splat(set, cuboid.bounding_radius);
        let apart = F::splat(set, cuboid.center.length());
        let scale = greatest_square(corners).sqrt() + radius + apart;
        Self {
            set,
            corners,
            cuboid,
            half: VectorsInLanes::splat(set, cuboid.half),
            center: VectorsInLanes::splat(set, cuboid.center),
            rotation: MatricesInLanes {
                columns: [
                    VectorsInLanes::splat(set, x),
                    VectorsInLanes::splat(set, y),
                    VectorsInLanes::splat(set, z),
                ],
            },
            rounding: scale * tolerances::DIFFERENCE_ROUNDING,
        }
    }

    /// The axes of least overlap, and the lanes whose triangles have precise normals.
    #[inline(always)]
    fn deepest_axes(&self, is_wanted: F::Mask) -> (LeastGap<F>, F::Mask) {
        let set = self.set;
        let [p, q, r] = self.corners;
        let sides = [q - p, r - q, p - r];
        let longest = greatest_square(sides);
        let normal = sides[0].cross(sides[1]);
        let area = normal.length();
        let is_precise = area.is_above(longest * tolerances::PRECISE_NORMAL);
        let every = F::Mask::of_all(set, true);
        let relative = relative_to(self.corners, self.center);
        let mut best = LeastGap {
            is_apart: F::Mask::of_all(set, false),
            gap: F::splat(set, 0.0),
            depth: F::splat(set, f64::INFINITY),
            normal: VectorsInLanes::splat(set, DVec3::X),
        };
        let axis = normal / area;
        apart!(best.test(&relative, (axis, self.radius(axis)), every));
        for k in 0..3 {
            if best.is_decided() {
                break;
            }
            let radius = F::splat(set, self.cuboid.radii[k]);
            apart!(best.test(&relative, (self.rotation.columns[k], radius), every));
        }
        let is_done = !is_wanted | !is_precise;
        for side in sides {
            if (best.is_apart | is_done).holds_everywhere() {
                break;
            }
            let along = direction(side);
            for k in 0..3 {
                if best.is_decided() {
                    break;
                }
                let axis = along.cross(self.rotation.columns[k]);
                let length = axis.length();
                let axis = axis / length;
                let is_tested = length.is_above(tolerances::PARALLEL);
                apart!(best.test(&relative, (axis, self.radius(axis)), is_tested));
            }
        }
        (best, is_precise)
    }

    /// Half the widths of the cuboid along unit vectors.
    #[inline(always)]
    fn radius(&self, axis: VectorsInLanes<F, DVec3>) -> F {
        self.rotation.apply_transposed(axis).abs().dot(self.half)
    }

    /// Triangles apart from the cuboid: the distances, and where they are proven.
    #[inline(always)]
    fn beside(&self) -> (MeasuredInLanes<F, DVec3>, F::Mask) {
        let in_b = turned_back(&self.rotation, relative_to(self.corners, self.center));
        let beside = BesideBox {
            half: self.half,
            rounding: self.rounding,
        };
        let (found, is_proven) = beside.measure(in_b);
        (found.in_world(&self.rotation, self.center), is_proven)
    }

    /// Triangles that overlap the cuboid: the signed distances, and where a corner is over a face, so that the
    /// witness points are right.
    #[inline(always)]
    fn overlapping(
        &self,
        best: &LeastGap<F>,
        is_deep: F::Mask,
    ) -> (MeasuredInLanes<F, DVec3>, F::Mask) {
        let (normal, depth) = (best.normal, best.depth);
        let of_triangles = self.sizes();
        let cuboid = F::splat(self.set, self.cuboid.size);
        let size = of_triangles + cuboid;
        let smaller = of_triangles.lesser(cuboid);
        let slack = witness_slack(smaller, self.rounding);
        let leave = normal * depth;
        let on_a = farthest(self.corners, normal);
        let in_b = self.rotation.apply_transposed(normal.negated());
        let corner = self.half.with_signs_of(in_b);
        let on_b = self.rotation.apply(corner) + self.center;

        let above_b = self.rotation.apply_transposed(on_a - leave - self.center);
        let [x, y, z] = (self.half - above_b.abs()).components();
        let inset = x.lesser(y).lesser(z);
        let is_over_b = inset.is_at_least(-slack);
        let mut witnesses = [on_a, on_a - leave];
        let mut is_over = is_over_b;
        if (is_deep & !is_over_b).holds_somewhere() {
            let above_a = on_b + leave;
            let from_above = relative_to(self.corners, above_a);
            let (from_nearest, is_thick) = apart!(nearest_of_corners(self.set, from_above));
            let is_over_a = is_thick & from_nearest.length().is_at_most(slack);
            witnesses = [
                witnesses[0].or_where_unset(is_over_b, above_a),
                witnesses[1].or_where_unset(is_over_b, on_b),
            ];
            is_over = is_over_b | is_over_a;
        }
        // As `penetration::finish` completes it, in the lanes in which it would not look for other points.
        let astray = witnesses[0] - witnesses[1] - leave;
        let allowed = size * tolerances::WITNESS_OFFSET;
        let measured = MeasuredInLanes {
            distance: -depth + F::splat(self.set, 0.0),
            ..MeasuredInLanes::exact(-depth, normal, witnesses, self.rounding)
        };
        (measured, is_over & astray.length().is_at_most(allowed))
    }

    /// The sizes of the triangles, as each alone has it.
    #[inline(always)]
    fn sizes(&self) -> F {
        let [a, b, c] = self.corners;
        let center = (a + b + c) * F::splat(self.set, 1.0 / 3.0);
        // The root of the greatest square is the greatest of the roots, which are rounded in order.
        let about_center = greatest_square(relative_to(self.corners, center)).sqrt();
        let about_center = about_center * (1.0 + tolerances::RADIUS_ROUNDING);
        let about_origin = greatest_square(self.corners).sqrt();
        about_center.lesser(about_origin)
    }
}

impl<F: Number> LeastGap<F> {
    /// Tests unit axes, along which the cuboid has the given half widths.
    #[inline(always)]
    fn test(
        &mut self,
        corners: &Corners<F, DVec3>,
        (axis, radius): (VectorsInLanes<F, DVec3>, F),
        is_tested: F::Mask,
    ) {
        let [p, q, r] = heights(*corners, axis);
        let forward = greatest([p, q, r]) + radius;
        let backward = radius - p.lesser(q).lesser(r);
        let overlap = forward.lesser(backward);
        let is_first_gap = is_tested & !self.is_apart & overlap.is_below(0.0);
        self.gap = is_first_gap.choose(-overlap, self.gap);
        self.is_apart |= is_first_gap;
        let is_less = is_tested & overlap.is_below(self.depth);
        self.depth = is_less.choose(overlap, self.depth);
        let is_ahead = forward.is_at_most(backward);
        let toward = axis.or_where_unset(is_ahead, axis.negated());
        self.normal = toward.or_where_unset(is_less, self.normal);
    }
}

/// The unit vectors along vectors that are not zero.
#[inline(always)]
fn direction<F: Number>(vectors: VectorsInLanes<F, DVec3>) -> VectorsInLanes<F, DVec3> {
    let largest = greatest(vectors.abs().components());
    let scaled = vectors / largest;
    scaled / scaled.length()
}

/// The farthest corners along directions, the first of equal ones.
#[inline(always)]
fn farthest<F: Number>(
    [a, b, c]: Corners<F, DVec3>,
    direction: VectorsInLanes<F, DVec3>,
) -> VectorsInLanes<F, DVec3> {
    let [of_a, of_b, of_c] = heights([a, b, c], direction);
    let is_b = of_b.is_above(of_a);
    let height = is_b.choose(of_b, of_a);
    let is_c = of_c.is_above(height);
    c.or_where_unset(is_c, b.or_where_unset(is_b, a))
}
