//! What the comparison of two steps asks of a contact, in one number.

use clearance_broadphase::MAX_KEY;
use clearance_math::Vector;

use crate::Contact;
use crate::event::Nearness;

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
        let [a, b] = [contact.a, contact.b].map(|id| u64::from(id.index()));
        let touching = Nearness::of(contact) == Nearness::Touching;
        Self((a << SLOT_BITS | b) << 1 | u64::from(touching))
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
