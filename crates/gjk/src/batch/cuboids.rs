//! Four pairs of cuboids at a time: the usual path of `pairs/cuboid_cuboid` in SIMD lanes.
//!
//! The cases of one lane, in this order:
//! * No face separates the cuboids: the lane is given up.
//! * The gap along the normal of a face exceeds the range: the answer is farther.
//! * The closest points are found in a few steps and proven by the plane between them: the answer
//!   is near.
//! * Everything else, mainly shapes that touch: the lane is given up.

use clearance_math::lanes::{
    FourMatrices, FourVectors, LANES, Select, Simd, SimdBase, SimdFloat, SimdMask, f64x4, mask64x4,
};
use clearance_math::{PreciseVector, Rotation, Vector, tolerances};

use super::four_answers::{FourAnswers, FourMeasured};
use super::{OfCuboids, Side};
use crate::pair::just_beyond;

/// Measures four pairs of cuboids, in 2D or in 3D.
#[inline(always)]
pub(super) fn measure<S: Simd, V: Vector>(simd: S, pairs: &[OfCuboids<V>; LANES]) -> FourAnswers {
    let rotation = V::Rotation::matrices(simd, pairs.map(|pair| pair.a.pose.rotation));
    let [radius_a, radius_b] = [
        of_lanes(simd, pairs, |pair| pair.a.convex.radius()),
        of_lanes(simd, pairs, |pair| pair.b.convex.radius()),
    ];
    let radii = radius_a + radius_b;
    let four = Four::new(simd, pairs, &rotation);

    let way = four.across_faces();
    let least = way.gap - four.rounding;
    let within = of_lanes(simd, pairs, |pair| just_beyond(pair.within));
    // The range is a little larger than required and the bounds a little wider than found, as for
    // one pair.
    let cores_within = within + radii + (16.0 * f64::EPSILON) * (within.abs() + radii);
    let slack = (4.0 * f64::EPSILON) * (least.abs() + radii);
    let is_farther = way.is_apart & least.simd_gt(cores_within);

    let (measured, is_found) = four.nearest_points(four.start(&way));
    let measured = measured.with_radii(radius_a, radius_b);
    let origin = FourVectors::from_lanes(simd, |lane| origin(&pairs[lane].a));
    let in_world = FourMeasured {
        normal: rotation.apply(measured.normal),
        on_a: rotation.apply(measured.on_a) + origin,
        on_b: rotation.apply(measured.on_b) + origin,
        ..measured
    };
    FourAnswers::new(
        pairs,
        (is_farther, least - radii - slack),
        (
            is_found & way.is_apart & in_world.is_in_single_precision(),
            &in_world,
        ),
    )
}

/// A number for each of four pairs.
#[inline(always)]
fn of_lanes<S: Simd, V: Vector>(
    simd: S,
    pairs: &[OfCuboids<V>; LANES],
    number: impl Fn(&OfCuboids<V>) -> f64,
) -> f64x4<S> {
    let [a, b, c, d] = pairs;
    f64x4::load_array(simd, [number(a), number(b), number(c), number(d)])
}

#[inline(always)]
fn origin<V: Vector>(side: &Side<V>) -> V::Precise {
    side.pose.translation.to_precise()
}

/// Four pairs of boxes, each in the frame of its first box.
struct Four<S: Simd, P> {
    half_a: FourVectors<S, P>,
    half_b: FourVectors<S, P>,
    rotation: FourMatrices<S, P>,
    translation: FourVectors<S, P>,
    rounding: f64x4<S>,
}

/// The gaps along the normals of faces of one of the boxes.
struct Ways<S: Simd, P> {
    gap: f64x4<S>,
    toward: FourVectors<S, P>,
    /// Whether the face with the widest gap belongs to b.
    is_of_b: mask64x4<S>,
    is_apart: mask64x4<S>,
}

impl<S: Simd, P: PreciseVector> Four<S, P> {
    #[inline(always)]
    fn new<V: Vector<Precise = P>>(
        simd: S,
        pairs: &[OfCuboids<V>; LANES],
        a_in_world: &FourMatrices<S, P>,
    ) -> Self {
        let half = |side: &Side<V>| side.cuboid.half_extents.to_precise();
        let apart = FourVectors::from_lanes(simd, |lane| origin(&pairs[lane].b))
            - FourVectors::from_lanes(simd, |lane| origin(&pairs[lane].a));
        let b_in_world = V::Rotation::matrices(simd, pairs.map(|pair| pair.b.pose.rotation));
        let translation = a_in_world.apply_transposed(apart);
        let size = of_lanes(simd, pairs, |pair| {
            pair.a.convex.core_bounding_radius() + pair.b.convex.core_bounding_radius()
        });
        Self {
            half_a: FourVectors::from_lanes(simd, |lane| half(&pairs[lane].a)),
            half_b: FourVectors::from_lanes(simd, |lane| half(&pairs[lane].b)),
            rotation: a_in_world.transposed_times(&b_in_world),
            rounding: tolerances::DIFFERENCE_ROUNDING * (size + translation.length()),
            translation,
        }
    }

    #[inline(always)]
    fn across_faces(&self) -> Ways<S, P> {
        let b_from_a = self.translation;
        let a_from_b = self.rotation.apply_transposed(b_from_a).negated();
        let mut gaps_a = b_from_a.abs() - self.half_a;
        let mut gaps_b = a_from_b.abs() - self.half_b;
        let [x, y, z] = self.rotation.columns;
        let [x, y, z] = [x.abs(), y.abs(), z.abs()];
        let half = self.half_b;
        gaps_a = gaps_a - x * half.x - y * half.y - z * half.z;
        let half = self.half_a;
        gaps_b = gaps_b - FourVectors::new([x.dot(half), y.dot(half), z.dot(half)]);
        let (gap_a, gap_b) = (greatest(gaps_a), greatest(gaps_b));
        let is_of_b = gap_b.simd_gt(gap_a);
        let zero = FourVectors::zero(gap_a.simd);
        let from_a = gaps_a.at_least(zero).with_signs_of(b_from_a);
        let from_b = gaps_b.at_least(zero).with_signs_of(a_from_b.negated());
        Ways {
            gap: is_of_b.select(gap_b, gap_a),
            toward: self.rotation.apply(from_b).or_where_unset(is_of_b, from_a),
            is_of_b,
            is_apart: gap_a.simd_gt(0.0) | gap_b.simd_gt(0.0),
        }
    }

    /// The points of b from which the search for the closest points starts.
    #[inline(always)]
    fn start(&self, way: &Ways<S, P>) -> FourVectors<S, P> {
        let corner_of_a = self.half_a.with_signs_of(way.toward);
        let in_b = self.rotation.apply_transposed(way.toward.negated());
        let corner_of_b = self.half_b.with_signs_of(in_b);
        self.nearest_in_b(corner_of_a)
            .or_where_unset(way.is_of_b, corner_of_b)
    }

    /// The points of b closest to the given points of a's frame, in b's frame.
    #[inline(always)]
    fn nearest_in_b(&self, point: FourVectors<S, P>) -> FourVectors<S, P> {
        let in_b = self.rotation.apply_transposed(point - self.translation);
        in_b.held(self.half_b.negated(), self.half_b)
    }

    /// The closest points, and the lanes in which they were found and proven.
    ///
    /// In a pile a quarter of the pairs needs the second step, and one in a hundred would need a
    /// third.
    #[inline(always)]
    fn nearest_points(&self, at: FourVectors<S, P>) -> (FourMeasured<S, P>, mask64x4<S>) {
        let first = self.look_from(at);
        if first.is_nearest.all_true() {
            return self.measured(&first);
        }
        let losses = first.slopes.abs().scaled_by(self.half_b) + first.slopes.scaled_by(at);
        let steepest = Steepest::of(losses);
        // Where rounding dominates the result, the pair needs the careful method.
        let is_level = steepest
            .most
            .simd_le(self.rounding * steepest.component(self.half_b));
        let next = self.step(at, &first, &steepest);
        let mut second = self.look_from(at.or_where_unset(first.is_nearest, next));
        second.is_nearest &= first.is_nearest | !is_level;
        self.measured(&second)
    }

    /// The points of a that are closest to the points `at` of b, and whether those are the closest,
    /// too.
    #[inline(always)]
    fn look_from(&self, at: FourVectors<S, P>) -> View<S, P> {
        let on_b = self.rotation.apply(at) + self.translation;
        let on_a = on_b.held(self.half_a.negated(), self.half_a);
        let apart = on_b - on_a;
        let slopes = self.rotation.apply_transposed(apart);
        let squared_distance = apart.length_squared();
        let beneath = slopes.abs().dot(self.half_b) + slopes.dot(at);
        let gap = tolerances::CLOSED_FORM_GAP * squared_distance;
        View {
            on_a,
            on_b,
            apart,
            slopes,
            squared_distance,
            beneath,
            is_nearest: beneath.simd_le(gap),
        }
    }

    /// The distances, and the lanes in which the plane perpendicular to the normal proves them.
    #[inline(always)]
    fn measured(&self, view: &View<S, P>) -> (FourMeasured<S, P>, mask64x4<S>) {
        let distance = view.squared_distance.sqrt();
        let rounding = 3.0 * self.rounding;
        let lower = distance - view.beneath / distance - rounding;
        let measured = FourMeasured {
            distance,
            lower,
            upper: distance + rounding,
            normal: view.apart / distance,
            on_a: view.on_a,
            on_b: view.on_b,
        };
        (measured, view.is_nearest & lower.simd_gt(0.0))
    }

    /// The next points of b: closest to the corner of a that is nearest, or a step along an axis.
    #[inline(always)]
    fn step(
        &self,
        at: FourVectors<S, P>,
        view: &View<S, P>,
        steepest: &Steepest<S>,
    ) -> FourVectors<S, P> {
        let (apart, slopes) = (view.apart, view.slopes);
        let is_level = [
            apart.x.simd_eq(0.0),
            apart.y.simd_eq(0.0),
            apart.z.simd_eq(0.0),
        ];
        let to_corner = self.nearest_in_b(self.half_a.with_signs_of(apart));
        let [x, y, z] = self.rotation.columns;
        let column = z.or_where_unset(steepest.is_z, y.or_where_unset(steepest.is_y, x));
        let zero = f64x4::splat(apart.x.simd, 0.0);
        let edge = FourVectors::<S, P>::new([
            is_level[0].select(zero, column.x),
            is_level[1].select(zero, column.y),
            is_level[2].select(zero, column.z),
        ]);
        let half = steepest.component(self.half_b);
        let next = steepest.component(at) - steepest.component(slopes) / edge.length_squared();
        let next = next.simd_lt(-half).select(-half, next);
        let next = next.simd_gt(half).select(half, next);
        let along_axis = steepest.with_component(at, next);
        let is_level = if P::DIM == 2 {
            is_level[0] | is_level[1]
        } else {
            is_level[0] | is_level[1] | is_level[2]
        };
        along_axis.or_where_unset(is_level, to_corner)
    }
}

/// The view from points of b on a.
struct View<S: Simd, P> {
    on_a: FourVectors<S, P>,
    on_b: FourVectors<S, P>,
    apart: FourVectors<S, P>,
    /// The vectors between the two points, in the axes of b.
    slopes: FourVectors<S, P>,
    squared_distance: f64x4<S>,
    /// How far b extends below the plane, times the distance.
    beneath: f64x4<S>,
    is_nearest: mask64x4<S>,
}

/// The greatest component of each vector.
#[inline(always)]
fn greatest<S: Simd, P: PreciseVector>(vectors: FourVectors<S, P>) -> f64x4<S> {
    let in_plane = vectors.x.max(vectors.y);
    if P::DIM == 2 {
        in_plane
    } else {
        in_plane.max(vectors.z)
    }
}

/// The greatest component of each of four vectors and its axis; the first of equal ones.
struct Steepest<S: Simd> {
    most: f64x4<S>,
    is_y: mask64x4<S>,
    is_z: mask64x4<S>,
}

impl<S: Simd> Steepest<S> {
    #[inline(always)]
    fn of<P: PreciseVector>(vectors: FourVectors<S, P>) -> Self {
        let [x, y, z] = vectors.components();
        let is_y = y.simd_gt(x);
        let most = is_y.select(y, x);
        let is_z = if P::DIM == 2 {
            mask64x4::splat(x.simd, false)
        } else {
            z.simd_gt(most)
        };
        Self {
            most: is_z.select(z, most),
            is_y,
            is_z,
        }
    }

    /// The component of each vector along its axis.
    #[inline(always)]
    fn component<P: PreciseVector>(&self, vectors: FourVectors<S, P>) -> f64x4<S> {
        let of_first = self.is_y.select(vectors.y, vectors.x);
        self.is_z.select(vectors.z, of_first)
    }

    /// These vectors with that component replaced.
    #[inline(always)]
    fn with_component<P: PreciseVector>(
        &self,
        vectors: FourVectors<S, P>,
        number: f64x4<S>,
    ) -> FourVectors<S, P> {
        let of_first = self.is_y.select(vectors.x, number);
        let of_second = self.is_y.select(number, vectors.y);
        FourVectors::new([
            self.is_z.select(vectors.x, of_first),
            self.is_z.select(vectors.y, of_second),
            self.is_z.select(number, vectors.z),
        ])
    }
}
