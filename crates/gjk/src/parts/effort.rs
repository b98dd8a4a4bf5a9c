//! How long a question about composites may search.

use clearance_math::{Real, Vector};
use clearance_shapes::Shape;

use crate::answer::{Outcome, Proximity, Status};
use crate::pair::Placed;

/// What a pair of parts counts that the question leaves out.
pub(crate) const OF_LEAVING_OUT: u32 = 1;

/// What one counts that is looked at from the side on which it does not count.
pub(crate) const OF_PASSING: u32 = 4;

/// What a pair of parts that is measured by a closed form counts, in pairs of boxes.
pub(crate) const OF_MEASURING: u32 = 8;

/// What a triangle counts that is out of range of a ball or a cuboid: as if four were measured at once, which they are
/// where there are registers for it.
pub(crate) const OF_FOUR: u32 = 1;

/// What one counts that is measured by iteration.
pub(crate) const OF_ITERATION: u32 = 16;

/// What two triangles count that are apart. It takes a few times as long as to look at the sixteen pairs of boxes of two nodes.
pub(crate) const OF_TRIANGLES: u32 = 4;

/// What one counts whose depth is found by iteration.
pub(crate) const OF_DEPTH: u32 = 128;

/// What is counted for a pair of parts that is cast, and for each time at which it is looked at, in pairs of boxes.
pub(crate) const OF_CASTING: u32 = 8;

/// What a measured pair of parts counts.
pub(crate) fn of_answer<V: Vector>(answer: &Proximity<V>) -> u32 {
    match answer {
        Proximity::Near(near) => of_measured(near.status, near.distance),
        Proximity::Farther { .. } | Proximity::Unbounded | Proximity::Undecided { .. } => {
            OF_MEASURING
        }
    }
}

/// [`of_answer`] for parts in their own frame.
pub(crate) fn of_outcome<P>(outcome: &Outcome<P>) -> u32 {
    match outcome {
        Outcome::Near(measured) => of_measured(measured.status, measured.distance as Real),
        Outcome::Farther { .. } | Outcome::Unbounded => OF_MEASURING,
    }
}

/// [`of_answer`] for what was found in one way, and lies that far apart.
pub(crate) fn of_measured(status: Status, distance: Real) -> u32 {
    match status {
        Status::Exact => OF_MEASURING,
        _ if distance < 0.0 => OF_DEPTH,
        _ => OF_ITERATION,
    }
}

/// What is left of the effort of a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    left: u32,
}

impl Effort {
    /// What a question about two shapes may take: as much as all composites among them allow.
    pub(crate) fn of<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Self {
        let of = |side: &Placed<V>| match side.shape {
            Shape::Composite(_) => side.effort,
            _ => u32::MAX,
        };
        Self {
            left: of(a).min(of(b)),
        }
    }

    pub(crate) fn unlimited() -> Self {
        Self { left: u32::MAX }
    }

    /// A part of it, for a question that is asked in the end.
    pub(crate) fn for_the_end<V: Vector>(placed: Placed<'_, V>) -> Placed<'_, V> {
        placed.with_effort(placed.effort / 4)
    }

    pub(crate) fn used_up() -> Self {
        Self { left: 0 }
    }

    pub(crate) fn add(&mut self, count: u32) {
        self.left = self.left.saturating_add(count);
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, count: u32) {
        self.left = self.left.saturating_sub(count);
    }

    /// Whether the search has to end.
    #[inline(always)]
    pub(crate) fn is_used_up(self) -> bool {
        self.left == 0
    }
}

/// Whether a list has all that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completeness {
    /// It has.
    Complete,
    /// The search ended at its effort (see [`Placed::with_effort`]): what is listed is right, and more may be there.
    EffortLimit,
}
