//! Whether any pair of parts intersects.

use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};

use super::counted::SidedBox;
use super::effort::Effort;
use super::inside::{Place, place_within};
use super::intersection::intersect;
use super::nearest_first::{PartPair, Visitor};
use super::sides::Sides;
use super::solid::hull_of;
use crate::answer::{Proximity, Separation};
use crate::pair::Placed;

/// Whether two shapes, at least one of which is a composite, have a point in common, or could not be told apart with the
/// effort of the question.
pub(crate) fn intersects<V: Vector>(a: Placed<V>, b: Placed<V>) -> bool {
    let hulls = [a, b].map_each(hull_of);
    if hulls.iter().any(Option::is_some) {
        let [hull_a, hull_b] = hulls;
        return intersect(hull_a.unwrap_or(a), hull_b.unwrap_or(b));
    }
    !matches!(crossing(a, b), Crossing::None) || place_within(&a, &b) != Place::Outside
}

/// Whether surfaces cross.
pub(super) enum Crossing<V: Vector> {
    /// They do not.
    None,
    /// These parts do.
    Found(Separation<V>),
    /// The effort of the question was used up before any were found.
    Open,
}

/// Looks for any two parts that cross.
pub(super) fn crossing<V: Vector>(a: Placed<V>, b: Placed<V>) -> Crossing<V> {
    let Some((sides, exchange)) = Sides::in_order(a, b) else {
        return Crossing::None;
    };
    let mut any = Any {
        sides: &sides,
        effort: Effort::of(&a, &b),
        found: None,
        is_open: false,
    };
    sides.descend(&mut any);
    match any.found {
        Some(near) => Crossing::Found(exchange.answer(near)),
        None if any.is_open => Crossing::Open,
        None => Crossing::None,
    }
}

struct Any<'a, V: Vector> {
    sides: &'a Sides<'a, V>,
    effort: Effort,
    found: Option<Separation<V>>,
    /// Whether parts that may intersect were left when the effort was used up.
    is_open: bool,
}

impl<V: Vector> Visitor for Any<'_, V> {
    fn limit(&self) -> Real {
        if self.found.is_some() || self.effort.is_used_up() {
            Real::NEG_INFINITY
        } else {
            self.sides.limit(0.0)
        }
    }

    fn is_selective(&self) -> bool {
        self.sides.is_selective
    }

    fn passes(&self, parts: &SidedBox) -> bool {
        self.sides.passes(parts)
    }

    fn open(&mut self) {
        self.effort.take(1);
    }

    fn visit(&mut self, parts: PartPair) {
        let answer = self.sides.measure(parts, 0.0, &mut None);
        self.effort.take(self.sides.effort_of(&answer));
        let near = answer.ok().and_then(Proximity::near);
        self.found = self.found.or(near.filter(|near| near.distance <= 0.0));
    }

    fn skip(&mut self, gap: Real) {
        self.is_open |= self.effort.is_used_up() && gap <= self.sides.limit(0.0);
    }
}
