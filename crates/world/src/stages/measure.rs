//! The fourth stage: how far apart the pairs are.

use clearance_broadphase::Key;
use clearance_gjk::{Proximity, Question, Separation, measure_each, unbounded_separation};
use clearance_math::{Real, Vector};

use crate::Contact;
use crate::bodies::Bodies;
use crate::pair_key::PairKey;
use crate::range::range;
use crate::report::Found;
use crate::threads::Threads;

/// Fills `found` with the contacts among `pairs`, in their order.
///
/// Each pair is measured from its shapes and poses alone: neither earlier frames nor other pairs
/// can change a bit of the answer.
pub(crate) fn measure<V: Vector>(
    bodies: &Bodies<V>,
    margin: Real,
    threads: &Threads,
    pairs: &[(Key, Key)],
    found: &mut Found<V>,
) {
    let usual = range(margin, 0.0, 0.0);
    let extra_margins = &bodies.columns.extra_margins;
    let within = |(a, b): (Key, Key)| {
        if extra_margins.are_none() {
            usual
        } else {
            range(margin, extra_margins[a as usize], extra_margins[b as usize])
        }
    };
    let work = |pairs: &[(Key, Key)], found: &mut Vec<Contact<V>>| {
        let ask = |&pair: &(Key, Key)| question(bodies, pair, within(pair));
        measure_each(pairs, ask, |&(a, b), question, answer| {
            if let Some(separation) = separation(question, answer) {
                let (a, b) = (bodies.id(a as usize), bodies.id(b as usize));
                found.push(Contact { a, b, separation });
            }
        });
    };
    threads.gather(pairs, found, work, PairKey::of);
}

/// What is to be measured of a pair: two shapes at their poses, up to the sum of their margins.
#[inline]
fn question<V: Vector>(
    bodies: &Bodies<V>,
    (a, b): (Key, Key),
    within: Real,
) -> Option<Question<'_, V>> {
    Some(Question {
        a: bodies.placed(a as usize)?,
        b: bodies.placed(b as usize)?,
        within,
    })
}

/// What a contact says of a pair, or `None` if it is out of range.
#[inline]
fn separation<V: Vector>(question: &Question<V>, answer: Proximity<V>) -> Option<Separation<V>> {
    match answer {
        Proximity::Near(separation) if separation.distance <= question.within => Some(separation),
        Proximity::Near(_) | Proximity::Farther { .. } => None,
        Proximity::Unbounded => Some(unbounded_separation(question.a, question.b)),
    }
}
