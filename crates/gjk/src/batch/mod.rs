//! Many pairs in one call, a few at a time with SIMD, unless an x86 processor has no AVX2 or a target no SIMD at all.
//!
//! | door | pairs in lanes |
//! | --- | --- |
//! | [`measure_each`] | two cuboids, four or eight: `of_cores.rs`, `cuboids.rs` |
//! | [`manifold_each`], in `manifolds.rs` | two cuboids, two segments, four: `segments.rs`; in the plane all sides that face each other |
//! | [`BallPairs`], in `balls.rs` | two balls, of a world |
//!
//! A closed form is written once, over [`Number`](clearance_math::internal::lanes::Number), for one pair and for a pair in each lane.
//! The bits of an answer therefore do not depend on the other pairs of the batch. A pair that would leave
//! the usual path of the closed form is dropped from the kernel and measured on its own.

mod balls;
mod cuboids;
mod manifolds;
mod of_cores;
mod segments;

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{Lanes, dispatch_if_wide};
use clearance_math::{Vector, compile_once};

use self::of_cores::{OfCuboids, in_lanes};
use crate::answer::Proximity;
use crate::convex::Hinted;
use crate::convex::closed_forms::point_point::{self, OutOfRange};
use crate::pair::Question;
use crate::parts::any_pair::measure_others;

pub use balls::{BallPairs, MOST_BALLS};
pub use manifolds::{manifold_each, part_manifold_each};

/// How many pairs are classified at a time.
const BLOCK: usize = 64;

/// Measures many pairs. `query` turns each item into a pair of shapes, or into `None` to skip the
/// item; `report` receives the answers in the order of the items.
///
/// The answers are those of [`measure`](crate::measure), bit for bit, and the poses must be valid,
/// as there. Where many pairs are two cuboids, and the processor has AVX2 or is not an x86, this is
/// more than twice as fast as measuring one pair after the other.
///
/// ```
/// use clearance::dim3::{Placed, Pose, Question, Shape, Vec3, measure_each};
///
/// let cube = Shape::cuboid(Vec3::ONE)?;
/// let poses = [0.0, 2.5, 5.5].map(|x| Pose::from_translation(Vec3::new(x, 0.0, 0.0)));
/// let placed = |k: usize| Placed::new(&cube, &poses[k]);
/// let question = |&(a, b): &(usize, usize)| {
///     Some(Question { a: placed(a), b: placed(b), within: 1.0 })
/// };
/// let mut near = Vec::new();
/// measure_each(&[(0, 1), (0, 2), (1, 2)], question, |&pair, _, answer| {
///     near.extend(answer.near().map(|near| (pair, near.distance)));
/// });
/// assert_eq!(near, [((0, 1), 0.5), ((1, 2), 1.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_each<'a, T, V: Vector>(
    items: &'a [T],
    query: impl Fn(&'a T) -> Option<Question<'a, V>>,
    report: impl FnMut(&'a T, &Question<'a, V>, &Proximity<V>),
) {
    let hinted = |item| {
        query(item).map(|question| Hinted {
            question,
            hint: None,
        })
    };
    measure_hinted_each(items, hinted, report);
}

/// Answers as [`measure_each`] does. What was nearest is kept in the hints.
pub fn measure_hinted_each<'a, T, V: Vector>(
    items: &'a [T],
    query: impl Fn(&'a T) -> Option<Hinted<'a, V>>,
    mut report: impl FnMut(&'a T, &Question<'a, V>, &Proximity<V>),
) {
    for items in items.chunks(BLOCK) {
        let mut asked = ArrayVec::<&'a T, BLOCK>::new();
        let mut questions = ArrayVec::<_, BLOCK>::new();
        for item in items {
            if let Some(question) = query(item) {
                asked.push(item);
                questions.push(question);
            }
        }
        let mut answers = Answers::new();
        measure_block(&questions, &mut answers);
        for ((item, hinted), answer) in asked.iter().zip(&questions).zip(&answers) {
            report(item, &hinted.question, answer);
        }
    }
}

/// The answers to the questions of a block, in their order.
///
/// All of them are written before the first is read: a processor that copies in one piece what it has just
/// written number by number must wait for it.
type Answers<V> = ArrayVec<Proximity<V>, BLOCK>;

compile_once! {
    /// Measures at most [`BLOCK`] pairs.
    fn measure_block<'a, V>(questions: &'a [Hinted<'a, V>], answers: &'a mut Answers<V>) {
        let mut cuboids = ArrayVec::<_, BLOCK>::new();
        for (place, hinted) in questions.iter().enumerate() {
            let question = &hinted.question;
            // Each case writes its own answer. A common variable for the answer of any case would be
            // copied in memory.
            match point_point::measure_question(question) {
                Some(Ok(near)) => answers.push(Proximity::Near(near)),
                Some(Err(OutOfRange { lower })) => answers.push(Proximity::Farther { lower }),
                None => match OfCuboids::new(place, question) {
                    Some(pair) => {
                        cuboids.push(pair);
                        // Replaced below.
                        answers.push(Proximity::Unbounded);
                    }
                    None => {
                        answers.push(Proximity::Unbounded);
                        measure_others(question, hinted.hint, &mut answers[place]);
                    }
                },
            }
        }
        if !cuboids.is_empty() {
            let mut pairs = CuboidPairs {
                pairs: &cuboids,
                questions,
                answers,
            };
            dispatch_if_wide!(
                simd, Wide => pairs.measure_in_lanes::<Wide<_>, _>(simd),
                else pairs.pairs.iter().for_each(|pair| pairs.measure_alone(pair.place))
            );
        }
    }
}

/// Pairs of cuboids, the questions about them, and the answers, which are written in their places.
struct CuboidPairs<'q, 'a, V: Vector> {
    pairs: &'q [OfCuboids<'a, V>],
    questions: &'q [Hinted<'a, V>],
    answers: &'q mut Answers<V>,
}

impl<V: Vector> CuboidPairs<'_, '_, V> {
    /// Measures as many pairs at a time as there are lanes where the kernel finds the answer, and on their own
    /// otherwise.
    #[inline(always)]
    fn measure_in_lanes<F: Lanes<N>, const N: usize>(&mut self, set: F::Set) {
        for pairs in self.pairs.chunks(N) {
            let Some(lanes) = in_lanes::<_, N>(pairs) else {
                for pair in pairs {
                    self.measure_alone(pair.place);
                }
                continue;
            };
            let found = cuboids::measure::<F, V, N>(set, &lanes).answers(&lanes);
            for (lane, pair) in pairs.iter().enumerate() {
                if !found.put_lane(lane, &mut self.answers[pair.place]) {
                    self.measure_alone(pair.place);
                }
            }
        }
    }

    #[inline(always)]
    fn measure_alone(&mut self, place: usize) {
        measure_others(
            &self.questions[place].question,
            None,
            &mut self.answers[place],
        );
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::{LANES, Simd, dispatch, f64x4, f64x8};
    use clearance_math::{Pose, Real, Rotation, Vec2, Vec3};
    use clearance_shapes::Shape;

    use super::*;
    use crate::pair::Placed;
    use crate::parts::any_pair::measure;

    /// What the kernels answer for two placed cuboids, alike with four and with eight lanes.
    fn by_kernel<V: Vector>(shape: &Shape<V>, poses: &[Pose<V>; 2]) -> Option<Proximity<V>> {
        let question = Question {
            a: Placed::new(shape, &poses[0]),
            b: Placed::new(shape, &poses[1]),
            within: 1.0,
        };
        let pair = OfCuboids::new(0, &question)?;
        dispatch!(simd => alike_in_all_lanes(simd, &pair))
    }

    #[inline(always)]
    fn alike_in_all_lanes<S: Simd, V: Vector>(
        simd: S,
        pair: &OfCuboids<V>,
    ) -> Option<Proximity<V>> {
        let four = [pair; LANES];
        let eight = [pair; 8];
        let of_four = cuboids::measure::<f64x4<S>, V, LANES>(simd, &four).answers(&four);
        let of_eight = cuboids::measure::<f64x8<S>, V, 8>(simd, &eight).answers(&eight);
        let first = of_four.of_lane(0);
        for lane in 0..eight.len() {
            assert_eq!(of_four.of_lane(lane % LANES), first);
            assert_eq!(of_eight.of_lane(lane), first);
        }
        first
    }

    fn the_kernel_answers_what_is_apart_and_what_overlaps<V: Vector>() {
        let cube = Shape::cuboid(V::splat(1.0)).expect("positive half extents");
        let answer = |x: Real| {
            let poses = [0.0, x].map(|x| Pose::from_translation(V::axis(0) * x));
            by_kernel(&cube, &poses)
        };
        let distance = |x| {
            answer(x)
                .and_then(Proximity::near)
                .map(|near| near.distance)
        };
        assert_eq!(distance(2.5), Some(0.5));
        assert_eq!(distance(-2.25), Some(0.25));
        assert!(matches!(answer(4.0), Some(Proximity::Farther { .. })));
        assert_eq!(distance(1.5), Some(-0.5));
        assert_eq!(distance(-1.75), Some(-0.25));
        assert_eq!(distance(2.0), Some(0.0));
    }

    #[test]
    fn the_kernel_answers_what_is_apart_and_what_overlaps_in_both_dimensions() {
        the_kernel_answers_what_is_apart_and_what_overlaps::<Vec2>();
        the_kernel_answers_what_is_apart_and_what_overlaps::<Vec3>();
    }

    /// Boxes at any angle, of which most overlap by up to half of their size: few are left to the
    /// closed form for one pair.
    fn the_kernel_leaves_few_overlaps<V: Vector>() {
        let half = V::axis(0) * 0.5 + V::axis(1) * 0.75 + V::axis(V::DIM - 1) * 0.25;
        let shape = Shape::cuboid(half).expect("positive half extents");
        let (mut overlaps, mut answered) = (0, 0);
        for round in 0..500 {
            // Multiples of irrational numbers cover their range evenly.
            let spread = |step: Real| (round as Real * step).fract() - 0.5;
            let [one, another] = [
                Vec3::new(0.618_034, 0.414_213, 0.732_051),
                Vec3::new(0.236_068, 0.645_751, 0.316_625),
            ]
            .map(|steps| Vec3::new(spread(steps.x), spread(steps.y), spread(steps.z)) * 6.0);
            let turned = |turn| {
                let identity = <V::Rotation as Rotation<V>>::IDENTITY;
                identity.integrated(V::Rotation::angular_from_space(turn), 1.0)
            };
            let apart = V::axis(round % V::DIM) * (0.9 + 0.6 * spread(0.449_490));
            let apart = apart + V::axis((round + 1) % V::DIM) * (0.5 * spread(0.123_105));
            let poses = [
                Pose::new(V::ZERO, turned(one)),
                Pose::new(apart, turned(another)),
            ];
            let [a, b] = [&poses[0], &poses[1]].map(|pose| Placed::new(&shape, pose));
            let alone = measure(a, b, 1.0);
            let of_kernel = by_kernel(&shape, &poses);
            assert!(of_kernel.is_none_or(|answer| answer == alone), "{poses:?}");
            if alone.near().is_some_and(|near| near.distance < 0.0) {
                overlaps += 1;
                answered += usize::from(of_kernel.is_some());
            }
        }
        assert!(overlaps > 150, "{overlaps} overlaps");
        assert!(20 * answered >= 19 * overlaps, "{answered} of {overlaps}");
    }

    #[test]
    fn the_kernel_leaves_few_overlaps_in_both_dimensions() {
        the_kernel_leaves_few_overlaps::<Vec2>();
        the_kernel_leaves_few_overlaps::<Vec3>();
    }
}
