//! How contacts are coloured: by sign and size of their distance.

use clearance_math::{Real, Vector};
use clearance_world::{Contact, World};

/// How many steps of gaps are told apart.
const STEPS: u8 = 3;

/// What a contact looks like in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Closeness {
    /// The bodies overlap.
    Overlap,
    /// There is a gap between them: 0 for the least, 2 for the greatest third of the range.
    Gap(u8),
}

impl Closeness {
    /// All kinds, in the order of their numbers.
    pub(crate) const ALL: [Self; 4] = [Self::Overlap, Self::Gap(0), Self::Gap(1), Self::Gap(2)];

    /// The place in [`Closeness::ALL`].
    pub(crate) fn number(self) -> usize {
        match self {
            Self::Overlap => 0,
            Self::Gap(step) => 1 + usize::from(step),
        }
    }

    /// Red, green and blue.
    pub(crate) fn colour(self) -> [u8; 3] {
        [
            [0xc6, 0x28, 0x28],
            [0xe0, 0x7b, 0x00],
            [0x6f, 0x8f, 0x00],
            [0x00, 0x83, 0x6b],
        ][self.number()]
    }
}

/// The gaps that a picture shows, from zero to a greatest one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GapRange {
    greatest: Real,
}

impl GapRange {
    /// Up to the margin of a world, or the widest gap of its contacts if single bodies asked for more.
    pub(crate) fn of<V: Vector>(world: &World<V>) -> Self {
        let gaps = world.contacts().iter().map(Contact::distance);
        Self {
            greatest: gaps.fold(world.options().margin, Real::max),
        }
    }

    pub(crate) fn closeness(self, distance: Real) -> Closeness {
        if distance < 0.0 {
            return Closeness::Overlap;
        }
        let steps = (0..STEPS - 1).take_while(|step| distance > self.end(*step));
        Closeness::Gap(steps.count() as u8)
    }

    /// The widest gap of a step.
    pub(crate) fn end(self, step: u8) -> Real {
        self.greatest * (Real::from(step + 1) / Real::from(STEPS))
    }
}
