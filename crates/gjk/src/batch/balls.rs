//! Many pairs of balls, four or eight at a time.

use clearance_math::internal::lanes::{Condition, Lanes, VectorsInLanes, dispatch_if_wide};
use clearance_math::{
    PreciseVector, Real, Vector, compile_once, round_down, round_nearest, round_up, tolerances,
};

use crate::answer::{
    MeasuredInLanes, Separation, Status, in_single_precision, precise, precise_vector, rounded,
    vector,
};
use crate::convex::closed_forms::point_point::Ball;

/// How many pairs can be measured at a time.
pub const MOST_BALLS: usize = 128;

/// A number for each pair.
type Row<T = Real> = [T; MOST_BALLS];

/// Pairs of balls, and how far apart they are: the answers of [`measure_balls`](crate::internal::measure_balls), bit for bit.
///
/// All pairs are written before the first is measured, and all are measured before the first answer is read: one
/// after the other each would wait for its root and its division.
#[derive(Clone, Debug)]
pub struct BallPairs<V: Vector> {
    pairs: [[Ball<V>; 2]; MOST_BALLS],
    /// Whether the answer for a pair is known.
    is_known: [bool; MOST_BALLS],
    distance: Row,
    lower: Row,
    upper: Row,
    normal: [Row; 3],
    /// The witness points on a and on b.
    points: [[Row<f64>; 3]; 2],
}

impl<V: Vector> Default for BallPairs<V> {
    fn default() -> Self {
        let blank = Ball {
            center: V::Precise::ZERO,
            radius: 0.0,
        };
        Self {
            pairs: [[blank; 2]; MOST_BALLS],
            is_known: [false; MOST_BALLS],
            distance: [0.0; MOST_BALLS],
            lower: [0.0; MOST_BALLS],
            upper: [0.0; MOST_BALLS],
            normal: [[0.0; MOST_BALLS]; 3],
            points: [[[0.0; MOST_BALLS]; 3]; 2],
        }
    }
}

impl<V: Vector> BallPairs<V> {
    /// Writes the pair of a number.
    #[inline(always)]
    pub fn set(&mut self, number: usize, pair: [Ball<V>; 2]) {
        self.pairs[number] = pair;
    }

    /// Measures the first `count` pairs.
    #[inline]
    pub fn measure(&mut self, count: usize) {
        measure(self, count);
    }

    /// The answer for the pair of a number, however far apart the balls are.
    ///
    /// `None` where it takes more care: if the centres are level along an axis, or if a number is beyond the range of
    /// single precision; and for all pairs unless [`is_wide`](clearance_math::internal::lanes::is_wide).
    #[inline(always)]
    #[must_use]
    pub fn separation(&self, number: usize) -> Option<Separation<V>> {
        self.is_known[number].then(|| Separation {
            distance: self.distance[number],
            lower: self.lower[number],
            upper: self.upper[number],
            normal: vector(&self.normal, number),
            position_a: precise_vector(&self.points[0], number),
            position_b: precise_vector(&self.points[1], number),
            part_a: 0,
            part_b: 0,
            status: Status::Exact,
        })
    }

    #[inline(always)]
    fn measure_in_lanes<F: Lanes<N>, const N: usize>(&mut self, set: F::Set, count: usize) {
        let groups = self.pairs.as_chunks::<N>().0.iter();
        for (group, pairs) in groups.take(count.div_ceil(N)).enumerate() {
            let (measured, is_known) = measure_group::<F, V, N>(set, pairs);
            let is_known = is_known.bits();
            for (lane, known) in in_group::<_, N>(&mut self.is_known, group)
                .iter_mut()
                .enumerate()
            {
                *known = is_known >> lane & 1 == 1;
            }
            *in_group(&mut self.distance, group) =
                in_single_precision(measured.distance, round_nearest);
            *in_group(&mut self.lower, group) = in_single_precision(measured.lower, round_down);
            *in_group(&mut self.upper, group) = in_single_precision(measured.upper, round_up);
            put_vectors::<V, _, N>(&mut self.normal, group, rounded(measured.normal));
            let [on_a, on_b] = &mut self.points;
            put_vectors::<V, _, N>(on_a, group, precise(measured.on_a));
            put_vectors::<V, _, N>(on_b, group, precise(measured.on_b));
        }
    }
}

#[inline(always)]
fn put_vectors<V: Vector, T: Copy, const N: usize>(
    rows: &mut [Row<T>; 3],
    group: usize,
    vectors: [[T; N]; 3],
) {
    for k in 0..V::DIM {
        *in_group(&mut rows[k], group) = vectors[k];
    }
}

/// The numbers of the pairs that are measured together.
#[inline(always)]
fn in_group<T, const N: usize>(row: &mut [T; MOST_BALLS], group: usize) -> &mut [T; N] {
    &mut row.as_chunks_mut::<N>().0[group]
}

compile_once! {
    fn measure<'a, V>(balls: &'a mut BallPairs<V>, count: usize) {
        dispatch_if_wide!(
            set, Wide => balls.measure_in_lanes::<Wide<_>, _>(set, count),
            else balls.is_known[..count].fill(false)
        );
    }
}

/// The operations of [`measure_balls`](crate::internal::measure_balls), in their order.
#[inline(always)]
fn measure_group<F: Lanes<N>, V: Vector, const N: usize>(
    set: F::Set,
    pairs: &[[Ball<V>; 2]; N],
) -> (MeasuredInLanes<F, V::Precise>, F::Mask) {
    let center_a = VectorsInLanes::from_lanes(set, |lane| pairs[lane][0].center);
    let center_b = VectorsInLanes::from_lanes(set, |lane| pairs[lane][1].center);
    let mut radii = [[0.0; N]; 2];
    for (lane, [a, b]) in pairs.iter().enumerate() {
        [radii[0][lane], radii[1][lane]] = [a.radius.into(), b.radius.into()];
    }
    let [radius_a, radius_b] = [F::of_lanes(set, radii[0]), F::of_lanes(set, radii[1])];
    let apart = center_b - center_a;
    let distance = apart.length();
    let rounding = distance * (4.0 * tolerances::DIFFERENCE_ROUNDING);
    // Zero is added so that no component is -0.0.
    let zero = VectorsInLanes::zero(set);
    let points = [center_a + zero, center_b + zero];
    let measured = MeasuredInLanes::exact(distance, apart / distance, points, rounding);
    let measured = measured.with_radii(radius_a, radius_b);
    let mut is_level = apart.x.is_equal(0.0) | apart.y.is_equal(0.0);
    if const { V::DIM == 3 } {
        is_level |= apart.z.is_equal(0.0);
    }
    (measured, !is_level & measured.is_in_single_precision())
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::is_wide;
    use clearance_math::{Vec2, Vec3};

    use super::*;
    use crate::Proximity;
    use crate::internal::measure_balls;

    fn answers_are_those_of_single_pairs<V: Vector>() {
        // Multiples of irrational numbers cover their range evenly.
        let spread = |k: usize, step: Real| (k as Real * step).fract() * 4.0 - 2.0;
        let ball = |k: usize| Ball::<V> {
            center: (V::axis(0) * spread(k, 0.618_034)
                + V::axis(1) * spread(k, 0.414_214)
                + V::axis(V::DIM - 1) * spread(k, 0.732_051))
            .to_precise(),
            radius: spread(k, 0.236_068).abs(),
        };
        let on_axis = |x: Real, radius: Real| Ball {
            center: V::Precise::axis(0) * f64::from(x),
            radius,
        };
        let far = Ball {
            center: V::Precise::splat(Real::MAX.into()),
            radius: 1.0,
        };
        let careful = [[on_axis(0.0, 1.0), on_axis(1.0, 1.0)], [ball(1), far]];
        let usual = (1..51).map(|k| [ball(k), ball(k + 7)]);
        let pairs: Vec<_> = usual.chain(careful).collect();
        let mut balls = BallPairs::default();
        for (number, &pair) in pairs.iter().enumerate() {
            balls.set(number, pair);
        }
        balls.measure(pairs.len());
        for (number, &[a, b]) in pairs.iter().enumerate() {
            let alone = measure_balls(a, b, Real::INFINITY).and_then(Proximity::near);
            let expected = if number < 50 && is_wide() {
                alone
            } else {
                None
            };
            assert_eq!(balls.separation(number), expected);
        }
    }

    #[test]
    fn answers_are_those_of_single_pairs_in_both_dimensions() {
        answers_are_those_of_single_pairs::<Vec2>();
        answers_are_those_of_single_pairs::<Vec3>();
    }
}
