//! The fourth stage: how far apart the pairs are.

use clearance_broadphase::Key;
use clearance_gjk::{Proximity, Question, measure_each, unbounded_separation};
use clearance_math::{Real, Vector};

use crate::Contact;
use crate::bodies::Bodies;
use crate::pair_key::PairKey;
use crate::range::range;
use crate::report::Found;
use crate::threads::{Chunk, Threads};

/// What decides whether a pair is a contact: the bodies and the margin; and who measures it.
#[derive(Clone, Copy)]
pub(crate) struct Measuring<'a, V: Vector> {
    pub(crate) bodies: &'a Bodies<V>,
    pub(crate) threads: &'a Threads,
    /// Whether all pairs are to have part contacts.
    pub(crate) wants_parts: bool,
    pub(crate) margin: Real,
    /// The range of bodies without extra margins.
    pub(crate) usual: Real,
}

impl<'a, V: Vector> Measuring<'a, V> {
    pub(crate) fn new(bodies: &'a Bodies<V>, threads: &'a Threads, margin: Real) -> Self {
        Self {
            bodies,
            threads,
            wants_parts: false,
            margin,
            usual: range(margin, 0.0, 0.0),
        }
    }

    /// Fills `found` with the contacts among `pairs`, in their order.
    ///
    /// Each pair is measured from its shapes and poses alone: neither earlier frames nor other pairs
    /// can change a bit of the answer.
    pub(crate) fn contacts(&self, pairs: &[(Key, Key)], found: &mut Found<V>) {
        let work = |pairs: Chunk<(Key, Key)>, found: &mut Vec<Contact<V>>| {
            let ask = |&pair: &(Key, Key)| self.question(pair);
            measure_each(pairs.items, ask, |&(a, b), question, answer| {
                let separation = match answer {
                    Proximity::Near(near) if near.distance <= question.within => near,
                    Proximity::Near(_) | Proximity::Farther { .. } => return,
                    Proximity::Unbounded => unbounded_separation(question.a, question.b),
                };
                let [a, b] = [a, b].map(|slot| self.bodies.id(slot as usize));
                found.push(Contact { a, b, separation });
            });
        };
        self.threads.gather(pairs, found, work, PairKey::of);
    }

    /// What is to be measured of a pair: two shapes at their poses, up to the sum of their margins.
    #[inline]
    pub(super) fn question(&self, (a, b): (Key, Key)) -> Option<Question<'a, V>> {
        let (a, b) = (a as usize, b as usize);
        let extra_margins = &self.bodies.columns.extra_margins;
        Some(Question {
            a: self.bodies.placed(a)?,
            b: self.bodies.placed(b)?,
            within: if extra_margins.are_none() {
                self.usual
            } else {
                range(self.margin, extra_margins[a], extra_margins[b])
            },
        })
    }
}
