//! What changed for pairs of bodies from one step to the next.

use clearance_math::Vector;

use crate::Contact;

/// What changed for a pair of bodies in a step.
///
/// Two bodies touch while their signed distance is zero or negative. They are in range while they make a
/// contact, whether or not they touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum EventKind {
    /// The bodies came into range of each other.
    Entered,
    /// They began to touch.
    Began,
    /// They touched before and still do.
    Stayed,
    /// They no longer touch.
    Ended,
    /// They are no longer in range of each other.
    Left,
}

/// What changed for a pair of bodies in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event<'w, V: Vector> {
    /// What changed.
    pub kind: EventKind,
    /// The contact that the last step found, or if there is none any more, the one of the step before.
    pub contact: &'w Contact<V>,
    /// The user data of the body `contact.a`, also where that body was removed.
    pub user_data_a: u64,
    /// The user data of the body `contact.b`, also where that body was removed.
    pub user_data_b: u64,
}

impl core::fmt::Display for EventKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Entered => "came into range",
            Self::Began => "began to touch",
            Self::Stayed => "still touch",
            Self::Ended => "no longer touch",
            Self::Left => "left the range",
        })
    }
}

/// Both ids, and what became of the pair.
impl<V: Vector> core::fmt::Display for Event<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}", self.contact.pair(), self.kind)
    }
}

/// How near two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nearness {
    OutOfRange,
    InRange,
    Touching,
}

impl Nearness {
    /// For two bodies that make a contact.
    pub(crate) fn of<V: Vector>(contact: &Contact<V>) -> Self {
        if contact.distance() <= 0.0 {
            Self::Touching
        } else {
            Self::InRange
        }
    }

    /// The events of a pair that was this near and is now `next`, in order: a pair enters the range before it
    /// touches, and no longer touches before it leaves.
    pub(crate) fn events_to(self, next: Self) -> impl Iterator<Item = EventKind> {
        use EventKind::{Began, Ended, Entered, Left, Stayed};
        use Nearness::{InRange, OutOfRange, Touching};
        let (first, second) = match (self, next) {
            (OutOfRange, OutOfRange) | (InRange, InRange) => (None, None),
            (OutOfRange, InRange) => (Some(Entered), None),
            (OutOfRange, Touching) => (Some(Entered), Some(Began)),
            (InRange, Touching) => (Some(Began), None),
            (Touching, Touching) => (Some(Stayed), None),
            (Touching, InRange) => (Some(Ended), None),
            (Touching, OutOfRange) => (Some(Ended), Some(Left)),
            (InRange, OutOfRange) => (Some(Left), None),
        };
        first.into_iter().chain(second)
    }
}
