//! The contact manifolds of many pairs in one call.
//!
//! Pairs of two cuboids are measured four at a time, and pairs of two segments or capsules, whose manifold is nearly
//! always one point, four or eight. Two balls touch in the points that are closest to each other. What the kernels do not
//! decide is left to the functions for one pair: no answer depends on the other pairs.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{LANES, Lanes, Simd, dispatch_if_wide};
use clearance_math::{Real, Vector, compile_once};
use clearance_shapes::Shape;

use super::cuboids;
use super::of_cores::{OfCuboids, in_lanes, of_lanes};
use super::segments::{self, OfSegments};
use crate::answer::{Proximity, Separation};
use crate::convex::PartQuestion;
use crate::convex::closed_forms::point_point;
use crate::manifold::{
    Beside, CutSides, Feature, MOST_UNCUT, Manifold, OrderedShapes, Room, Uncut, fill_manifold,
};
use crate::pair::Question;
use crate::parts::part_manifold;

/// How many pairs are classified at a time.
const BLOCK: usize = MOST_UNCUT;

/// A number that no part of a composite has.
const NO_PART: u32 = u32::MAX;

/// Finds the contact manifolds of many pairs. `query` turns each item into a pair of shapes, or into `None` to skip the
/// item; `report` receives the manifolds in the order of the items.
///
/// They are those of [`contact_manifold`](crate::contact_manifold), bit for bit. The poses must be valid: their rotations
/// of unit length, and no number infinite or NaN. A pair with a composite has none: its parts have, see
/// [`contact_manifolds_into`](crate::contact_manifolds_into).
/// Where many pairs are two cuboids or two capsules, or any shapes of the plane, this is faster than asking for one manifold
/// after the other.
///
/// ```
/// use clearance::dim3::{Placed, Pose, Question, Shape, Vec3, manifold_each};
///
/// let cube = Shape::cuboid(Vec3::ONE)?;
/// let poses = [0.0, 1.75, 3.5].map(|y| Pose::from_translation(Vec3::new(0.0, y, 0.0)));
/// let placed = |k: usize| Placed::new(&cube, &poses[k]);
/// let question = |&(a, b): &(usize, usize)| {
///     Some(Question { a: placed(a), b: placed(b), within: 0.0 })
/// };
/// let mut found = Vec::new();
/// manifold_each(&[(0, 1), (0, 2), (1, 2)], question, |&pair, _, manifold| {
///     found.extend(manifold.map(|manifold| (pair, manifold.points().len())));
/// });
/// assert_eq!(found, [((0, 1), 4), ((1, 2), 4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn manifold_each<'a, T, V: Vector>(
    items: &'a [T],
    query: impl Fn(&'a T) -> Option<Question<'a, V>>,
    mut report: impl FnMut(&'a T, &Question<'a, V>, Option<&Manifold<V>>),
) {
    let parts = [NO_PART; 2];
    part_manifold_each(
        items,
        |item| {
            query(item).map(|question| PartQuestion {
                question,
                parts,
                hint: None,
            })
        },
        |item, of_parts, manifold| report(item, &of_parts.question, manifold),
    );
}

/// Answers as [`manifold_each`] does, for parts of composites, too: see [`part_manifold`].
pub fn part_manifold_each<'a, T: 'a, V: Vector>(
    items: impl IntoIterator<Item = &'a T>,
    query: impl Fn(&'a T) -> Option<PartQuestion<'a, V>>,
    mut report: impl FnMut(&'a T, &PartQuestion<'a, V>, Option<&Manifold<V>>),
) {
    let asked = |item| query(item).map(|question| (item, question));
    let mut asked = items.into_iter().filter_map(asked).fuse();
    let mut found = Manifolds::new();
    loop {
        let mut items = ArrayVec::<&'a T, BLOCK>::new();
        let mut questions = ArrayVec::<_, BLOCK>::new();
        for (item, question) in asked.by_ref().take(BLOCK) {
            items.push(item);
            questions.push(question);
        }
        if questions.is_empty() {
            return;
        }
        find_block(&questions, &mut found);
        for ((item, question), manifold) in items.into_iter().zip(&questions).zip(&found) {
            report(item, question, manifold.found());
        }
    }
}

/// The manifolds of a block, in the order of its questions. Those of pairs that have none have no points.
type Manifolds<V> = ArrayVec<Manifold<V>, BLOCK>;

compile_once! {
    /// Finds the manifolds of at most [`BLOCK`] pairs.
    fn find_block<'a, V>(questions: &'a [PartQuestion<'a, V>], found: &'a mut Manifolds<V>) {
        let mut block = Block { questions, found, uncut: Uncut::new(), places: ArrayVec::new() };
        let mut cuboids = ArrayVec::<_, BLOCK>::new();
        let mut segments = ArrayVec::<_, BLOCK>::new();
        for (place, of_parts) in questions.iter().enumerate() {
            // What is listed is found below, in the room of the last block.
            match block.found.get_mut(place) {
                Some(manifold) => manifold.clear(),
                None => block.found.push(Manifold::none()),
            }
            let question = &of_parts.question;
            if let Some(measured) = point_point::measure_question(question) {
                if let Some(near) = measured.ok().filter(|near| near.distance <= question.within) {
                    let ball = Feature::Face(0);
                    block.found[place].set_one_point(near, [ball, ball]);
                }
            } else if let Some(pair) = OfCuboids::new(place, question) {
                cuboids.push(pair);
            } else if const { V::DIM == 3 }
                && let Some(pair) = OfSegments::new(place, question)
            {
                segments.push(pair);
            } else {
                block.find_alone(place);
            }
        }
        if !(cuboids.is_empty() && segments.is_empty() && block.uncut.is_empty()) {
            dispatch_if_wide!(simd, Wide => {
                block.of_cuboids::<Wide<_>, _>(simd, &cuboids);
                block.of_segments(simd, &segments);
                if const { V::DIM == 2 } {
                    block.cut::<Wide<_>, _>(simd);
                }
            }, else {
                let places = cuboids.iter().map(|pair| pair.place);
                let places = places.chain(segments.iter().map(|pair| pair.place));
                places.for_each(|place| block.find_alone(place));
                if const { V::DIM == 2 } {
                    block.cut::<f64, 1>(());
                }
            });
        }
    }
}

/// Questions, and the manifolds that are found for them.
struct Block<'q, 'a, V: Vector> {
    questions: &'q [PartQuestion<'a, V>],
    found: &'q mut Manifolds<V>,
    /// Sides in the plane that are still to be cut, and the places of their manifolds.
    uncut: Uncut<V::Precise>,
    places: ArrayVec<usize, BLOCK>,
}

impl<V: Vector> Block<'_, '_, V> {
    /// Finds the manifold of one pair where it is to stay.
    fn find_alone(&mut self, place: usize) {
        let of_parts = &self.questions[place];
        let Question { a, b, .. } = &of_parts.question;
        let is_composite = |shape: &Shape<V>| matches!(shape, Shape::Composite(_));
        if is_composite(a.shape) || is_composite(b.shape) {
            if let Some(manifold) = part_manifold(*of_parts) {
                self.found[place] = manifold;
            }
        } else {
            self.fill(place, |room| fill_manifold(&of_parts.hinted(), room));
        }
    }

    /// Lets a function fill the manifold at a place. It leaves the sides of one pair at most.
    #[inline(always)]
    fn fill(&mut self, place: usize, fill: impl FnOnce(Room<'_, V>)) {
        fill(Room {
            manifold: &mut self.found[place],
            uncut: &mut self.uncut,
        });
        if self.places.len() < self.uncut.len() {
            self.places.push(place);
        }
    }

    /// Cuts the sides that are left.
    #[inline(always)]
    fn cut<F: Lanes<N>, const N: usize>(&mut self, set: F::Set) {
        let Self {
            uncut,
            places,
            found,
            ..
        } = self;
        for (sides, places) in uncut.chunks(N).zip(places.chunks(N)) {
            if let Some(lanes) = in_lanes::<_, N>(sides) {
                let cut = CutSides::of_pairs::<F, _>(set, lanes);
                for (lane, (sides, &place)) in sides.iter().zip(places).enumerate() {
                    cut.fill(lane, sides.touching(), &mut found[place]);
                }
            } else {
                for (sides, &place) in sides.iter().zip(places) {
                    sides.cut(&mut found[place]);
                }
            }
        }
    }

    #[inline(always)]
    fn of_segments<S: Simd>(&mut self, simd: S, pairs: &[OfSegments<V>]) {
        for group in pairs.chunks(LANES) {
            let Some(lanes) = in_lanes(group) else {
                group.iter().for_each(|pair| self.find_alone(pair.place));
                continue;
            };
            let measured = segments::measure(simd, &lanes);
            for (lane, pair) in group.iter().enumerate() {
                let Some(answer) = measured.answers.of_lane(lane) else {
                    self.find_alone(pair.place);
                    continue;
                };
                let Some(near) = within(answer, pair.within) else {
                    continue;
                };
                let found = &mut self.found[pair.place];
                if let Some(features) = measured.one_point.features(lane) {
                    let features = pair.exchange.sides(features);
                    found.set_one_point(near, features);
                    continue;
                }
                let radii = [pair.a.convex.radius(), pair.b.convex.radius()];
                let alone = measured.measured.lane(lane);
                let segments = [measured.segments.a, measured.segments.b];
                let segments = segments.map_each(|segment| segment.lane(lane));
                let beside = Beside::of_segments(segments, radii, &alone);
                found.begin(near);
                beside.fill(pair.a.origin(), pair.asked(), found);
            }
        }
    }

    #[inline(always)]
    fn of_cuboids<F: Lanes<N>, const N: usize>(&mut self, set: F::Set, pairs: &[OfCuboids<V>]) {
        for pairs in pairs.chunks(N) {
            let Some(lanes) = in_lanes::<_, N>(pairs) else {
                pairs.iter().for_each(|pair| self.find_alone(pair.place));
                continue;
            };
            let measured = cuboids::measure::<F, V, N>(set, &lanes);
            let answers = measured.answers(&lanes);
            let rectangles = if const { V::DIM == 2 } {
                let within = of_lanes(set, &lanes, |pair| f64::from(pair.within));
                Some(measured.cut_sides(within))
            } else {
                None
            };
            for (lane, pair) in pairs.iter().enumerate() {
                let Some(answer) = answers.of_lane(lane) else {
                    self.find_alone(pair.place);
                    continue;
                };
                let Some(near) = within(answer, pair.within) else {
                    continue;
                };
                if let Some(rectangles) = &rectangles {
                    let manifold = &mut self.found[pair.place];
                    manifold.begin(near);
                    rectangles.fill(lane, pair.exchange, manifold);
                    continue;
                }
                let Question { a, b, .. } = self.questions[pair.place].question;
                let [a, b] = pair.exchange.sides([a, b]);
                let sides = OrderedShapes {
                    shapes: [a.shape, b.shape],
                    a_in_world: &measured.a_in_world(lane),
                    b_in_a: &measured.b_in_a(lane),
                    exchange: pair.exchange,
                };
                self.fill(pair.place, |room| {
                    room.manifold.begin(near);
                    sides.fill_faces(&measured.measured.lane(lane), pair.within, room);
                });
            }
        }
    }
}

/// The distance, if it is not more than `within`.
#[inline(always)]
fn within<V: Vector>(answer: Proximity<V>, within: Real) -> Option<Separation<V>> {
    answer.near().filter(|near| near.distance <= within)
}
