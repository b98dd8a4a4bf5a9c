//! The fourth stage: how far apart the pairs are.

use core::iter;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_broadphase::Key;
use clearance_gjk::internal::{
    Ball, BallPairs, Hinted, MOST_BALLS, measure_hinted_each, unbounded_separation,
};
use clearance_gjk::{Proximity, Question, Separation};
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::is_wide;
use clearance_math::{Real, Vector};

use crate::Contact;
use crate::bodies::Bodies;
use crate::hints::Hints;
use crate::pair_key::PairKey;
use crate::range::{may_be_within, range};
use crate::report::changes::Found;
use crate::threads::Threads;

/// How many pairs are looked at at a time.
const BLOCK: usize = 256;

/// Which of some pairs are to be measured.
pub(super) type IsLeft<'a> = &'a (dyn Fn((Key, Key)) -> bool + Sync);

/// Sees some pairs that may be within range.
pub(super) type VisitNear<'v> = dyn FnMut(&[(Key, Key)]) + 'v;

/// What decides whether a pair is a contact: the bodies and the margin; and who measures it.
#[derive(Clone, Copy)]
pub(crate) struct Measuring<'a, V: Vector> {
    pub(crate) bodies: &'a Bodies<V>,
    pub(crate) threads: &'a Threads,
    /// Where the search of a pair begins; this changes no answer.
    pub(crate) hints: &'a Hints,
    /// Of how many pairs the search ended before it was known whether they are contacts.
    pub(crate) undecided: &'a AtomicUsize,
    /// Whether all pairs are to have part contacts.
    pub(crate) wants_parts: bool,
    /// Whether ghosts are told from the other part contacts.
    pub(crate) wants_surface: bool,
    /// Whether all pairs are to have manifolds.
    pub(crate) wants_manifolds: bool,
    pub(crate) margin: Real,
    /// The range of bodies without extra margins: the [`range`] that follows from the margin alone.
    pub(crate) usual: Real,
}

impl<'a, V: Vector> Measuring<'a, V> {
    /// Fills `found` with the contacts among `pairs`, in their order: of all of them, or of those that are left.
    ///
    /// Each pair is measured from its shapes and poses alone: neither earlier frames nor other pairs
    /// can change a bit of the answer.
    pub(super) fn contacts(
        &self,
        pairs: &[(Key, Key)],
        is_left: Option<IsLeft<'_>>,
        found: &mut Found<V>,
    ) {
        let work = |places: Range<usize>, found: &mut Vec<Contact<V>>| {
            let mut near = NearPairs::new();
            for pairs in pairs[places].chunks(BLOCK) {
                let are_all_left =
                    || is_left.is_none_or(|is_left| pairs.iter().all(|&pair| is_left(pair)));
                if is_wide() && self.are_balls(pairs) && are_all_left() {
                    self.contacts_of_balls(pairs, found);
                    continue;
                }
                near.find(self, pairs);
                if let Some(is_left) = is_left {
                    near.retain(is_left);
                }
                self.contacts_of_any(near.pairs(), found);
            }
        };
        self.threads.gather(pairs.len(), found, &work, PairKey::of);
    }

    /// Visits the pairs whose bounding spheres are within range, some at a time, in order.
    pub(super) fn each_near(&self, pairs: &[(Key, Key)], visit: &mut VisitNear<'_>) {
        let mut near = NearPairs::new();
        for pairs in pairs.chunks(BLOCK) {
            near.find(self, pairs);
            visit(near.pairs());
        }
    }

    fn contacts_of_any(&self, pairs: &[(Key, Key)], found: &mut Vec<Contact<V>>) {
        let ask = |&pair: &(Key, Key)| {
            self.question(pair).map(|question| Hinted {
                question,
                hint: self.hints.of(pair),
            })
        };
        measure_hinted_each(pairs, ask, |&pair, question, answer| match answer {
            Proximity::Near(near) if near.distance <= question.within => {
                // Space is made before the contact, so that it is copied straight to its place. By way of the
                // stack its second half would wait for the first.
                found.extend(iter::once_with(|| self.contact(pair, near)));
            }
            Proximity::Near(_) | Proximity::Farther { .. } => {}
            Proximity::Undecided { .. } => {
                self.undecided.fetch_add(1, Ordering::Relaxed);
            }
            Proximity::Unbounded => {
                let separation = unbounded_separation(question.a, question.b);
                found.push(self.contact(pair, &separation));
            }
        });
    }

    /// Whether the shapes of all pairs are balls around the origins of their bodies.
    fn are_balls(&self, pairs: &[(Key, Key)]) -> bool {
        let spheres = self.bodies.columns.shapes.bounding_spheres();
        pairs
            .iter()
            .all(|&(a, b)| spheres[a as usize].is_ball & spheres[b as usize].is_ball)
    }

    /// The contacts among pairs of balls, whose shapes need not be read.
    fn contacts_of_balls(&self, pairs: &[(Key, Key)], found: &mut Vec<Contact<V>>) {
        let columns = &self.bodies.columns;
        let ball = |slot: Key| Ball::<V> {
            center: columns.poses[slot as usize].position(),
            radius: columns.shapes.bounding_spheres()[slot as usize].radius,
        };
        let mut balls = BallPairs::default();
        for pairs in pairs.chunks(MOST_BALLS) {
            let mut near = [(0, 0); MOST_BALLS];
            let mut count = 0;
            for &(a, b) in pairs {
                let pair = [ball(a), ball(b)];
                near[count] = (a, b);
                balls.set(count, pair);
                count += usize::from(may_be_within(pair, self.range((a, b))));
            }
            balls.measure(count);
            for (number, &pair) in near[..count].iter().enumerate() {
                match balls.separation(number) {
                    Some(near) if near.distance <= self.range(pair) => {
                        found.extend(iter::once_with(|| self.contact(pair, &near)));
                    }
                    Some(_) => {}
                    None => self.contacts_of_any(&[pair], found),
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn contact(&self, (a, b): (Key, Key), separation: &Separation<V>) -> Contact<V> {
        let [a, b] = [a, b].map_each(|slot| self.bodies.id(slot as usize));
        Contact {
            a,
            b,
            separation: *separation,
        }
    }

    /// The range of two bodies.
    #[inline(always)]
    fn range(&self, (a, b): (Key, Key)) -> Real {
        let extra_margins = &self.bodies.columns.extra_margins;
        if extra_margins.are_none() {
            self.usual
        } else {
            range(
                self.margin,
                extra_margins[a as usize],
                extra_margins[b as usize],
            )
        }
    }

    /// What is to be measured of a pair: two shapes at their poses, up to the sum of their margins.
    #[inline(always)] // what is returned by memory is read in other pieces than it was written, and waits for them
    pub(super) fn question(&self, pair: (Key, Key)) -> Option<Question<'a, V>> {
        Some(Question {
            a: self.bodies.placed(pair.0 as usize)?,
            b: self.bodies.placed(pair.1 as usize)?,
            within: self.range(pair),
        })
    }
}

/// The pairs of a block whose bounding spheres are within range, in order. The others are no contacts.
struct NearPairs {
    pairs: [(Key, Key); BLOCK],
    count: usize,
}

impl NearPairs {
    fn new() -> Self {
        Self {
            pairs: [(0, 0); BLOCK],
            count: 0,
        }
    }

    fn pairs(&self) -> &[(Key, Key)] {
        &self.pairs[..self.count]
    }

    /// Keeps those that a condition holds for.
    fn retain(&mut self, mut is_kept: impl FnMut((Key, Key)) -> bool) {
        let all = core::mem::take(&mut self.count);
        for place in 0..all {
            let pair = self.pairs[place];
            self.pairs[self.count] = pair;
            self.count += usize::from(is_kept(pair));
        }
    }

    /// Finds them among at most [`BLOCK`] pairs.
    fn find<V: Vector>(&mut self, measuring: &Measuring<V>, pairs: &[(Key, Key)]) {
        let columns = &measuring.bodies.columns;
        let spheres = columns.shapes.bounding_spheres();
        let sphere = |slot: Key| Ball::<V> {
            center: columns.poses[slot as usize].position(),
            radius: spheres[slot as usize].radius,
        };
        self.count = 0;
        for &pair in pairs {
            self.pairs[self.count % BLOCK] = pair;
            let spheres = [sphere(pair.0), sphere(pair.1)];
            self.count += usize::from(may_be_within(spheres, measuring.range(pair)));
        }
    }
}
