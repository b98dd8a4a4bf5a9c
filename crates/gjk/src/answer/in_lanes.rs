//! The answers of closed forms for a pair in each lane.

use clearance_math::internal::lanes::{
    Condition, FourMatrices, FourVectors, LANES, Lanes, MatricesInLanes, Number, Simd,
    VectorsInLanes, f64x4, mask64x4,
};
use clearance_math::internal::{MapEach, map_lanes};
use clearance_math::{
    PreciseVector, Real, RelativePose, Vector, round_down, round_nearest, round_up,
};

use super::measured::Measured;
use super::proximity::{Proximity, Separation, Status};
use crate::pair::Exchange;

/// The results of four closed forms.
pub(crate) type FourMeasured<S, P> = MeasuredInLanes<f64x4<S>, P>;

/// The result of a closed form in each lane. The operations are those of [`crate::Measured`].
#[derive(Clone, Copy)]
pub(crate) struct MeasuredInLanes<F, P> {
    pub(crate) distance: F,
    pub(crate) lower: F,
    pub(crate) upper: F,
    pub(crate) normal: VectorsInLanes<F, P>,
    pub(crate) on_a: VectorsInLanes<F, P>,
    pub(crate) on_b: VectorsInLanes<F, P>,
}

impl<F: Number, P: PreciseVector> MeasuredInLanes<F, P> {
    /// The results of a closed form whose rounding errors are at most `rounding`.
    #[inline(always)]
    pub(crate) fn exact(
        distance: F,
        normal: VectorsInLanes<F, P>,
        [on_a, on_b]: [VectorsInLanes<F, P>; 2],
        rounding: F,
    ) -> Self {
        Self {
            distance,
            lower: distance - rounding,
            upper: distance + rounding,
            normal,
            on_a,
            on_b,
        }
    }

    /// These results in the lanes that `mask` selects, and those of `otherwise` in the others.
    #[inline(always)]
    pub(crate) fn or_where_unset(self, mask: F::Mask, otherwise: Self) -> Self {
        Self {
            distance: mask.choose(self.distance, otherwise.distance),
            lower: mask.choose(self.lower, otherwise.lower),
            upper: mask.choose(self.upper, otherwise.upper),
            normal: self.normal.or_where_unset(mask, otherwise.normal),
            on_a: self.on_a.or_where_unset(mask, otherwise.on_a),
            on_b: self.on_b.or_where_unset(mask, otherwise.on_b),
        }
    }

    /// Adds the rounding radii, as [`crate::Measured::with_radii`] does.
    #[inline(always)]
    pub(crate) fn with_radii(self, radius_a: F, radius_b: F) -> Self {
        let radii = radius_a + radius_b;
        let rounding = (radii + self.distance.abs()) * (4.0 * f64::EPSILON);
        Self {
            distance: self.distance - radii,
            lower: self.lower - radii - rounding,
            upper: self.upper - radii + rounding,
            normal: self.normal,
            on_a: self.on_a + self.normal * radius_a,
            on_b: self.on_b - self.normal * radius_b,
        }
    }

    /// These results in the frame of the world, in which the frames of a are turned by `rotation` and lie at
    /// `origin`.
    #[inline(always)]
    pub(crate) fn in_world(
        self,
        rotation: &MatricesInLanes<F, P>,
        origin: VectorsInLanes<F, P>,
    ) -> Self {
        Self {
            normal: rotation.apply(self.normal),
            on_a: rotation.apply(self.on_a) + origin,
            on_b: rotation.apply(self.on_b) + origin,
            ..self
        }
    }

    /// The results with both points moved.
    #[inline(always)]
    pub(crate) fn moved_by(self, offset: VectorsInLanes<F, P>) -> Self {
        Self {
            on_a: self.on_a + offset,
            on_b: self.on_b + offset,
            ..self
        }
    }

    /// The result in lane `lane`, which must be known.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Measured<P> {
        Measured {
            distance: self.distance.lane(lane),
            lower: self.lower.lane(lane),
            upper: self.upper.lane(lane),
            normal: self.normal.lane(lane),
            on_a: self.on_a.lane(lane),
            on_b: self.on_b.lane(lane),
            status: Status::Exact,
        }
    }

    /// The lanes in which all numbers are within the range of single precision. The others are
    /// measured one by one, so that their status says it.
    #[inline(always)]
    pub(crate) fn is_in_single_precision(&self) -> F::Mask {
        let [on_a, on_b] = [self.on_a, self.on_b].map_each(|points| points.abs().components());
        let most = (0..P::DIM).fold(self.distance.abs(), |most, k| {
            most.greater(on_a[k]).greater(on_b[k])
        });
        most.is_at_most(f64::from(Real::MAX))
    }
}

/// The vectors of all lanes in single precision: their x, y and z components.
pub(crate) type Vectors<const N: usize = LANES> = [[Real; N]; 3];

/// The vectors of all lanes in double precision: their x, y and z components.
pub(crate) type PreciseVectors<const N: usize = LANES> = [[f64; N]; 3];

/// What is asked about the pair in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AskedInLanes<const N: usize> {
    /// The way back to the order of each question.
    pub(crate) exchange: [Exchange; N],
    pub(crate) within: [Real; N],
}

/// The answers for four pairs.
pub(crate) type FourAnswers = AnswersInLanes<LANES>;

/// The answer for the pair in each lane.
pub(crate) struct AnswersInLanes<const N: usize> {
    asked: AskedInLanes<N>,
    /// A bit for each lane that is proven to be out of range, and the lower bound of its distance.
    farther: (u32, [Real; N]),
    /// A bit for each lane whose distance is known.
    near: u32,
    distance: [Real; N],
    lower: [Real; N],
    upper: [Real; N],
    normal: Vectors<N>,
    /// The witness points on a and on b.
    points: [PreciseVectors<N>; 2],
}

impl FourAnswers {
    /// The answers for four parts of one body at a pose as a, that were measured in its frame, and a shape as b.
    #[inline(always)]
    pub(crate) fn in_frame<S: Simd, P: PreciseVector>(
        (is_known, measured): (mask64x4<S>, FourMeasured<S, P>),
        farther: (mask64x4<S>, f64x4<S>),
        a_in_world: &RelativePose<P>,
        within: Real,
    ) -> Self {
        let simd = measured.distance.simd;
        let rotation = FourMatrices::splat(simd, &a_in_world.rotation);
        let origin = FourVectors::splat(simd, a_in_world.translation);
        let in_world = measured.in_world(&rotation, origin);
        let asked = AskedInLanes {
            exchange: [Exchange::NONE; LANES],
            within: [within; LANES],
        };
        let is_near = is_known & in_world.is_in_single_precision();
        Self::new(asked, farther, (is_near, &in_world))
    }
}

impl<const N: usize> AnswersInLanes<N> {
    /// The answers in the frame of the world, for pairs in canonical order.
    #[inline(always)]
    pub(crate) fn new<F: Lanes<N>, P: PreciseVector>(
        asked: AskedInLanes<N>,
        (is_farther, least): (F::Mask, F),
        (is_near, measured): (F::Mask, &MeasuredInLanes<F, P>),
    ) -> Self {
        Self {
            asked,
            farther: (is_farther.bits(), in_single_precision(least, round_down)),
            near: is_near.bits(),
            distance: in_single_precision(measured.distance, round_nearest),
            lower: in_single_precision(measured.lower, round_down),
            upper: in_single_precision(measured.upper, round_up),
            normal: rounded(measured.normal),
            points: [precise(measured.on_a), precise(measured.on_b)],
        }
    }

    /// The answer for one pair, in the order of its question; `None` if the kernel did not find it.
    #[inline]
    pub(crate) fn of_lane<V: Vector>(&self, lane: usize) -> Option<Proximity<V>> {
        let mut answer = Proximity::Unbounded;
        self.put_lane(lane, &mut answer).then_some(answer)
    }

    /// [`Self::of_lane`] written where it stays, or `false`: an answer that is passed on is copied by way of the
    /// stack, where wide loads wait for the narrow stores.
    #[inline(always)]
    pub(crate) fn put_lane<V: Vector>(&self, lane: usize, answer: &mut Proximity<V>) -> bool {
        let (farther, least) = &self.farther;
        if farther >> lane & 1 == 1 {
            *answer = Proximity::Farther { lower: least[lane] };
            return true;
        }
        if self.near >> lane & 1 == 0 {
            return false;
        }
        let lower = self.lower[lane];
        if lower > self.asked.within[lane] {
            *answer = Proximity::Farther { lower };
            return true;
        }
        let [first, second] = self.asked.exchange[lane].sides([0, 1]);
        let normal: V = vector(&self.normal, lane);
        *answer = Proximity::Near(Separation {
            distance: self.distance[lane],
            lower,
            upper: self.upper[lane],
            normal: normal * [1.0, -1.0][first],
            position_a: precise_vector(&self.points[first], lane),
            position_b: precise_vector(&self.points[second], lane),
            part_a: 0,
            part_b: 0,
            status: Status::Exact,
        });
        true
    }
}

/// The vector in lane `lane`.
#[inline(always)]
pub(crate) fn vector<V: Vector, const N: usize>(rows: &Vectors<N>, lane: usize) -> V {
    (0..V::DIM).fold(V::ZERO, |vector, k| vector.with_component(k, rows[k][lane]))
}

/// The vector in lane `lane`, in double precision.
#[inline(always)]
pub(crate) fn precise_vector<P: PreciseVector, const N: usize>(
    rows: &PreciseVectors<N>,
    lane: usize,
) -> P {
    P::from_fn(|k| rows[k][lane])
}

/// The vectors as arrays.
#[inline(always)]
pub(crate) fn precise<F: Lanes<N>, P: PreciseVector, const N: usize>(
    vectors: VectorsInLanes<F, P>,
) -> PreciseVectors<N> {
    let [x, y, z] = vectors.components();
    if const { P::DIM == 2 } {
        return [x.lanes(), y.lanes(), [0.0; N]];
    }
    [x.lanes(), y.lanes(), z.lanes()]
}

/// The vectors rounded to single precision.
#[inline(always)]
pub(crate) fn rounded<F: Lanes<N>, P: PreciseVector, const N: usize>(
    vectors: VectorsInLanes<F, P>,
) -> Vectors<N> {
    precise(vectors).map_each(|row| map_lanes(&row, |&number| round_nearest(number)))
}

/// The numbers of all lanes in single precision, rounded by this function.
#[inline(always)]
pub(crate) fn in_single_precision<F: Lanes<N>, const N: usize>(
    numbers: F,
    round: impl Fn(f64) -> Real,
) -> [Real; N] {
    map_lanes(&numbers.lanes(), |&number| round(number))
}
