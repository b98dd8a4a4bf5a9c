//! What the comparison of two steps asks of a contact, in one number.

use clearance_broadphase::MAX_KEY;
use clearance_math::{Real, Vector};

use crate::event::Nearness;
use crate::{BodyId, Contact};

/// The slots of a contact's two bodies, and whether these touch.
///
/// A contact has many times its size: comparing lists of marks leaves most memory alone. Contacts
/// of a step name bodies that live, so slots tell pairs apart, and order them as their ids do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

/// Bits of a slot: two of them leave room for the bit that says whether they touch.
const SLOT_BITS: u32 = 31;
const _: () = assert!(MAX_KEY >> SLOT_BITS == 0);

impl Mark {
    #[inline]
    pub(crate) fn of<V: Vector>(contact: &Contact<V>) -> Self {
        Self::new(contact.a, contact.b, contact.distance())
    }

    #[inline]
    fn new(a: BodyId, b: BodyId, distance: Real) -> Self {
        let [a, b] = [a, b].map(|id| u64::from(id.index()));
        Self((a << SLOT_BITS | b) << 1 | u64::from(distance <= 0.0))
    }

    /// A number for the pair, in the order of pairs.
    #[inline]
    pub(crate) fn pair(self) -> u64 {
        self.0 >> 1
    }

    #[inline]
    pub(crate) fn nearness(self) -> Nearness {
        if self.0 & 1 == 1 {
            Nearness::Touching
        } else {
            Nearness::InRange
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_the_order_of_pairs_and_tell_whether_they_touch() {
        let slots = [0, 1, 2, MAX_KEY - 1, MAX_KEY];
        let pairs = slots.map(|a| slots.map(|b| (a, b)));
        let marks = pairs.as_flattened().iter().map(|&(a, b)| {
            let [a, b] = [a, b].map(|slot| BodyId::from_parts(slot, 7));
            let [near, touching] = [1.0, 0.0].map(|distance| Mark::new(a, b, distance));
            assert_eq!(near.pair(), touching.pair());
            assert_eq!(near.nearness(), Nearness::InRange);
            assert_eq!(touching.nearness(), Nearness::Touching);
            near.pair()
        });
        assert!(marks.is_sorted_by(|a, b| a < b));
    }
}
