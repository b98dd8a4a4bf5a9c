//! A pair of bodies, and whether they touch, in one number.

use clearance_broadphase::{Key, MAX_KEY};
use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};

use crate::event::Nearness;
use crate::{BodyId, Contact};

/// The slots of the two bodies of a contact, and whether they touch.
///
/// A contact takes up many times as much memory, so comparing and searching lists of keys is fast.
/// The contacts of one step name bodies that live at the same time, so slots are enough to tell
/// their pairs apart, and they order pairs as the ids do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairKey(u64);

/// Bits of a slot: two slots leave one bit, which says whether the bodies touch.
const SLOT_BITS: u32 = 31;
const SLOT_MASK: u64 = (1 << SLOT_BITS) - 1;
const _: () = assert!(MAX_KEY >> SLOT_BITS == 0);

impl PairKey {
    #[inline]
    pub(crate) fn of<V: Vector>(contact: &Contact<V>) -> Self {
        Self::new(contact.a, contact.b, contact.distance())
    }

    #[inline]
    fn new(a: BodyId, b: BodyId, distance: Real) -> Self {
        let [a, b] = [a, b].map_each(|id| u64::from(id.index()));
        Self((a << SLOT_BITS | b) << 1 | u64::from(distance <= 0.0))
    }

    /// The number of a pair of slots: see [`PairKey::pair`].
    #[inline]
    pub(crate) fn number((a, b): (Key, Key)) -> u64 {
        u64::from(a) << SLOT_BITS | u64::from(b)
    }

    /// A number for the pair, in the order of pairs.
    #[inline]
    pub(crate) fn pair(self) -> u64 {
        self.0 >> 1
    }

    /// The slots of both bodies, the lesser one first.
    #[inline]
    pub(crate) fn slots(self) -> (Key, Key) {
        Self::slots_of(self.pair())
    }

    /// The slots of a number that [`PairKey::number`] gave.
    #[inline]
    pub(crate) fn slots_of(number: u64) -> (Key, Key) {
        ((number >> SLOT_BITS) as Key, (number & SLOT_MASK) as Key)
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
    fn keys_have_the_order_of_pairs_and_tell_whether_they_touch() {
        let slots = [0, 1, 2, MAX_KEY - 1, MAX_KEY];
        let pairs = slots.map(|a| slots.map(|b| (a, b)));
        let keys = pairs.as_flattened().iter().map(|&(a, b)| {
            let ids = [a, b].map(|slot| BodyId::from_parts(slot, 7));
            let [near, touching] =
                [1.0, 0.0].map(|distance| PairKey::new(ids[0], ids[1], distance));
            assert_eq!(near.slots(), (a, b));
            assert_eq!(near.pair(), touching.pair());
            assert_eq!(near.nearness(), Nearness::InRange);
            assert_eq!(touching.nearness(), Nearness::Touching);
            near.pair()
        });
        assert!(keys.is_sorted_by(|a, b| a < b));
    }
}
