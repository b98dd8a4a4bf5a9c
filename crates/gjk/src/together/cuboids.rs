//! Cuboid and cuboid, four times: the usual path of `pairs/cuboid_cuboid.rs` in lanes.
//!
//! Cases of one lane, in this order:
//! * No face separates the cuboids: given up.
//! * The gap across a face exceeds the range: farther.
//! * The nearest points are found in a few steps, and proven by the plane between them: near.
//! * All else, touches above all: given up.

use clearance_math::lanes::{FourMatrices, FourVectors, LANES, f64x4, from_lanes, negated};
use clearance_math::{PreciseVector, Rotation, Vector, tolerances};

use super::four_answers::{FourAnswers, FourMeasured};
use super::{OfCuboids, Side};
use crate::proximity::just_beyond;

/// Measures cuboids, in the plane or in space.
pub(super) fn measure<V: Vector>(pairs: &[OfCuboids<V>; LANES]) -> FourAnswers {
    let rotation = V::Rotation::matrices(pairs.map(|pair| pair.a.pose.rotation));
    let radius_a = from_lanes(|lane| pairs[lane].a.convex.radius());
    let radius_b = from_lanes(|lane| pairs[lane].b.convex.radius());
    let radii = radius_a + radius_b;
    let four = Four::new(pairs, &rotation);

    let way = four.across_faces();
    let least = way.gap - four.rounding;
    let within = from_lanes(|lane| just_beyond(pairs[lane].within));
    // A little farther than asked, and a little less than found, as for one pair.
    let cores_within = within + radii + f64x4::splat(16.0 * f64::EPSILON) * (within.abs() + radii);
    let slack = f64x4::splat(4.0 * f64::EPSILON) * (least.abs() + radii);
    let is_farther = way.is_apart & least.simd_gt(cores_within);

    let (measured, is_found) = four.nearest_points(four.start(&way));
    let measured = measured.with_radii(radius_a, radius_b);
    let origin = FourVectors::from_lanes(|lane| origin(&pairs[lane].a));
    let in_world = FourMeasured {
        normal: rotation.apply(measured.normal),
        on_a: rotation.apply(measured.on_a) + origin,
        on_b: rotation.apply(measured.on_b) + origin,
        ..measured
    };
    FourAnswers::new(
        pairs,
        (is_farther, least - radii - slack),
        (is_found & way.is_apart, &in_world),
    )
}

fn origin<V: Vector>(side: &Side<V>) -> V::Precise {
    side.pose.translation.to_precise()
}

/// Four pairs of boxes, each in the frame of its first.
struct Four<P> {
    half_a: FourVectors<P>,
    half_b: FourVectors<P>,
    rotation: FourMatrices<P>,
    translation: FourVectors<P>,
    rounding: f64x4,
}

/// Ways from one box to the other across the faces of one of them.
struct Ways<P> {
    gap: f64x4,
    toward: FourVectors<P>,
    /// Whether it is a face of b that separates them most.
    is_of_b: f64x4,
    is_apart: f64x4,
}

impl<P: PreciseVector> Four<P> {
    #[inline]
    fn new<V: Vector<Precise = P>>(
        pairs: &[OfCuboids<V>; LANES],
        a_in_world: &FourMatrices<P>,
    ) -> Self {
        let half = |side: &Side<V>| side.cuboid.half_extents.to_precise();
        let apart = FourVectors::from_lanes(|lane| origin(&pairs[lane].b))
            - FourVectors::from_lanes(|lane| origin(&pairs[lane].a));
        let b_in_world = V::Rotation::matrices(pairs.map(|pair| pair.b.pose.rotation));
        let translation = a_in_world.apply_transposed(apart);
        let size = from_lanes(|lane| {
            pairs[lane].a.convex.core_reach() + pairs[lane].b.convex.core_reach()
        });
        Self {
            half_a: FourVectors::from_lanes(|lane| half(&pairs[lane].a)),
            half_b: FourVectors::from_lanes(|lane| half(&pairs[lane].b)),
            rotation: a_in_world.transposed_times(&b_in_world),
            rounding: f64x4::splat(tolerances::DIFFERENCE_ROUNDING) * (size + translation.length()),
            translation,
        }
    }

    #[inline]
    fn across_faces(&self) -> Ways<P> {
        let b_from_a = self.translation;
        let a_from_b = self.rotation.apply_transposed(b_from_a).negated();
        let mut gaps_a = b_from_a.abs() - self.half_a;
        let mut gaps_b = a_from_b.abs() - self.half_b;
        let across = self.rotation.columns.map(FourVectors::abs);
        for (column, half) in across.into_iter().zip(self.half_b.components()) {
            gaps_a = gaps_a - column * half;
        }
        gaps_b = gaps_b - FourVectors::new(across.map(|column| column.dot(self.half_a)));
        let (gap_a, gap_b) = (greatest(gaps_a), greatest(gaps_b));
        let is_of_b = gap_b.simd_gt(gap_a);
        let outside = |gaps: FourVectors<P>| gaps.zip(FourVectors::ZERO, f64x4::fast_max);
        let from_a = outside(gaps_a).with_signs_of(b_from_a);
        let from_b = outside(gaps_b).with_signs_of(a_from_b.negated());
        Ways {
            gap: is_of_b.bitselect(gap_b, gap_a),
            toward: self.rotation.apply(from_b).or_where_unset(is_of_b, from_a),
            is_of_b,
            is_apart: gap_a.simd_gt(f64x4::ZERO) | gap_b.simd_gt(f64x4::ZERO),
        }
    }

    /// The points of b from which the nearest ones are sought.
    #[inline]
    fn start(&self, way: &Ways<P>) -> FourVectors<P> {
        let corner_of_a = self.half_a.with_signs_of(way.toward);
        let in_b = self.rotation.apply_transposed(way.toward.negated());
        let corner_of_b = self.half_b.with_signs_of(in_b);
        self.nearest_in_b(corner_of_a)
            .or_where_unset(way.is_of_b, corner_of_b)
    }

    /// The points of b nearest points of a's frame, in b's.
    #[inline]
    fn nearest_in_b(&self, point: FourVectors<P>) -> FourVectors<P> {
        let in_b = self.rotation.apply_transposed(point - self.translation);
        in_b.held(self.half_b.negated(), self.half_b)
    }

    /// The nearest points, and in which lanes they were found and proven.
    ///
    /// A quarter of the pairs in a pile takes the second step, one in a hundred would take a third.
    #[inline]
    fn nearest_points(&self, at: FourVectors<P>) -> (FourMeasured<P>, f64x4) {
        let first = self.look_from(at);
        if first.is_nearest.all() {
            return self.measured(&first);
        }
        let losses = first.slopes.abs().scaled_by(self.half_b) + first.slopes.scaled_by(at);
        let steepest = Steepest::of(losses);
        // Where rounding is all that is left to lose a closer look is needed.
        let is_level = steepest
            .most
            .simd_le(self.rounding * steepest.component(self.half_b));
        let next = self.step(at, &first, &steepest);
        let mut second = self.look_from(at.or_where_unset(first.is_nearest, next));
        second.is_nearest &= first.is_nearest | !is_level;
        self.measured(&second)
    }

    /// The points of a nearest points `at` of b, and whether those are nearest, too.
    #[inline]
    fn look_from(&self, at: FourVectors<P>) -> View<P> {
        let on_b = self.rotation.apply(at) + self.translation;
        let on_a = on_b.held(self.half_a.negated(), self.half_a);
        let apart = on_b - on_a;
        let slopes = self.rotation.apply_transposed(apart);
        let squared_distance = apart.length_squared();
        let beneath = slopes.abs().dot(self.half_b) + slopes.dot(at);
        let gap = f64x4::splat(tolerances::CLOSED_FORM_GAP) * squared_distance;
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

    /// The distances, and where the planes across prove them.
    #[inline]
    fn measured(&self, view: &View<P>) -> (FourMeasured<P>, f64x4) {
        let distance = view.squared_distance.sqrt();
        let rounding = f64x4::splat(3.0) * self.rounding;
        let lower = distance - view.beneath / distance - rounding;
        let measured = FourMeasured {
            distance,
            lower,
            upper: distance + rounding,
            normal: view.apart / distance,
            on_a: view.on_a,
            on_b: view.on_b,
        };
        (measured, view.is_nearest & lower.simd_gt(f64x4::ZERO))
    }

    /// The next points of b: nearest the corner of a that is nearest, or a step along an axis.
    #[inline]
    fn step(&self, at: FourVectors<P>, view: &View<P>, steepest: &Steepest) -> FourVectors<P> {
        let (apart, slopes) = (view.apart, view.slopes);
        let level = apart.zip(apart, |component, _| component.simd_eq(f64x4::ZERO));
        let to_corner = self.nearest_in_b(self.half_a.with_signs_of(apart));
        let [x, y, z] = self.rotation.columns;
        let column = z.or_where_unset(steepest.is_z, y.or_where_unset(steepest.is_y, x));
        let edge = level.zip(column, |is_level, part| {
            is_level.bitselect(f64x4::ZERO, part)
        });
        let half = steepest.component(self.half_b);
        let next = steepest.component(at) - steepest.component(slopes) / edge.length_squared();
        let next = next.simd_lt(negated(half)).bitselect(negated(half), next);
        let next = next.simd_gt(half).bitselect(half, next);
        let along_axis = steepest.with_component(at, next);
        let is_level = if P::DIM == 2 {
            level.x | level.y
        } else {
            level.x | level.y | level.z
        };
        along_axis.or_where_unset(is_level, to_corner)
    }
}

/// What points of b look like from a.
struct View<P> {
    on_a: FourVectors<P>,
    on_b: FourVectors<P>,
    apart: FourVectors<P>,
    /// The vectors between them along the axes of b.
    slopes: FourVectors<P>,
    squared_distance: f64x4,
    /// How far b reaches beneath the plane across, times the distance.
    beneath: f64x4,
    is_nearest: f64x4,
}

/// The greatest components.
#[inline]
fn greatest<P: PreciseVector>(vectors: FourVectors<P>) -> f64x4 {
    let in_plane = vectors.x.fast_max(vectors.y);
    if P::DIM == 2 {
        in_plane
    } else {
        in_plane.fast_max(vectors.z)
    }
}

/// The greatest component of each of four vectors, the first of equals, and along which axis it is.
struct Steepest {
    most: f64x4,
    is_y: f64x4,
    is_z: f64x4,
}

impl Steepest {
    #[inline]
    fn of<P: PreciseVector>(vectors: FourVectors<P>) -> Self {
        let [x, y, z] = vectors.components();
        let is_y = y.simd_gt(x);
        let most = is_y.bitselect(y, x);
        let is_z = if P::DIM == 2 {
            f64x4::ZERO
        } else {
            z.simd_gt(most)
        };
        Self {
            most: is_z.bitselect(z, most),
            is_y,
            is_z,
        }
    }

    /// The component along the axis.
    #[inline]
    fn component<P: PreciseVector>(&self, vectors: FourVectors<P>) -> f64x4 {
        let of_first = self.is_y.bitselect(vectors.y, vectors.x);
        self.is_z.bitselect(vectors.z, of_first)
    }

    /// The same vectors with that component replaced.
    #[inline]
    fn with_component<P: PreciseVector>(
        &self,
        vectors: FourVectors<P>,
        number: f64x4,
    ) -> FourVectors<P> {
        let of_first = self.is_y.bitselect(vectors.x, number);
        let of_second = self.is_y.bitselect(number, vectors.y);
        FourVectors::new([
            self.is_z.bitselect(vectors.x, of_first),
            self.is_z.bitselect(vectors.y, of_second),
            self.is_z.bitselect(number, vectors.z),
        ])
    }
}
