//! What a search for the contacts of all parts tells about the pair.

use clearance_math::{Real, Vector, compile_once};

use super::effort;
use super::effort::{Completeness, Effort};
use super::least::NearestParts;
use super::sides::{Passed, Sides, exchange};
use crate::answer::{Proximity, Separation, Status};
use crate::pair::Placed;

/// How a search for the contacts of all parts ended.
#[derive(Clone, Copy, Debug)]
pub struct OfAllParts {
    /// Whether all were found.
    pub completeness: Completeness,
    /// What they tell about the nearest parts.
    pub nearest: NearestPart,
}

/// What the contacts of all parts tell about the answer of [`measure`](crate::measure) for the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearestPart {
    /// It is [`nearest_of_parts`]; without contacts the pair is out of range.
    Known,
    /// It is one of the contacts, which are as near as each other, up to what iterations allow for.
    Tied,
    /// Nothing: that of solids is another one, and a search may end early.
    Unknown,
}

impl OfAllParts {
    /// Nothing was searched.
    pub const UNKNOWN: Self = Self {
        completeness: Completeness::EffortLimit,
        nearest: NearestPart::Unknown,
    };

    pub(super) fn without_nearest(completeness: Completeness) -> Self {
        Self {
            completeness,
            nearest: NearestPart::Unknown,
        }
    }
}

compile_once! {
    /// The nearest of all contacts of parts of two placed shapes, with a lower bound for all of them.
    pub fn nearest_of_parts<'a, 'c, V>(
        a: Placed<'a, V>,
        b: Placed<'a, V>,
        contacts: &'c mut (dyn Iterator<Item = Separation<V>> + 'c),
    ) -> Option<Separation<V>> {
        let exchange = exchange(&a, &b);
        let mut nearest = NearestParts::default();
        for contact in contacts {
            nearest.take(&exchange.answer(contact));
        }
        exchange.answer(nearest.of_all())
    }
}

/// What is noted on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted {
    /// What a search for the nearest parts alone would at least have left of its effort: it opens and measures some of those
    /// that are opened and measured here, for a range that is not negative, as those of worlds are.
    of_nearest: Effort,
    /// Whether each distance was found up to what searches allow for.
    are_sure: bool,
    /// Whether any depth was found by iteration. Where another part is as deep up to what that allows for, a search that looks
    /// for the nearest alone may stop earlier.
    has_depth_by_iteration: bool,
    /// The least distance, and the next.
    least: [Real; 2],
    /// The least lower bounds of contacts, and of what is a little beyond.
    lower: [Real; 2],
}

impl Noted {
    pub(super) fn new<V: Vector>([a, b]: [Placed<V>; 2]) -> Self {
        Self {
            of_nearest: Effort::of(&a, &b),
            are_sure: true,
            has_depth_by_iteration: false,
            least: [Real::INFINITY; 2],
            lower: [Real::INFINITY; 2],
        }
    }

    /// What is known after a complete search.
    pub(super) fn nearest<V: Vector>(&self, sides: &Sides<'_, V>) -> NearestPart {
        let [of_contacts, beyond] = self.lower;
        let [least, next] = self.least;
        if !self.are_sure || self.of_nearest.is_used_up() || of_contacts > beyond {
            NearestPart::Unknown
        } else if self.has_depth_by_iteration && next <= sides.next_to(least) {
            NearestPart::Tied
        } else {
            NearestPart::Known
        }
    }

    /// Two nodes were opened.
    #[inline(always)]
    pub(super) fn opened(&mut self) {
        self.of_nearest.take(1);
    }

    /// Two parts are out of range.
    #[inline(always)]
    pub(super) fn farther(&mut self) {
        self.of_nearest.take(effort::OF_DEPTH);
    }

    /// Two parts were measured.
    #[inline]
    pub(super) fn measured<V: Vector>(
        &mut self,
        answer: &Result<Proximity<V>, Passed>,
        sides: &Sides<'_, V>,
        within: Real,
    ) {
        self.of_nearest.take(effort::OF_DEPTH);
        let Ok(Proximity::Near(near)) = answer else {
            return;
        };
        let lower = &mut self.lower[usize::from(near.distance > within)];
        *lower = lower.min(near.lower);
        let [least, next] = self.least;
        self.least = [least.min(near.distance), next.min(near.distance.max(least))];
        let is_deep = near.distance < 0.0 && near.status != Status::Exact;
        self.has_depth_by_iteration |= is_deep;
        self.are_sure &= match near.status {
            Status::Exact => true,
            Status::Converged => !(is_deep && sides.is_curved),
            Status::IterationLimit | Status::Saturated => false,
        };
    }
}
