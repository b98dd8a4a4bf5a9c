//! Whether any pair of parts intersects.

use clearance_math::{Real, Vector};

use super::nearest_first::{PartPair, Visitor};
use super::sides::Sides;
use super::solid::is_within;
use crate::answer::Proximity;
use crate::effort::Effort;
use crate::placed::Placed;

/// Whether two shapes, at least one of which is a composite, have a point in common, or could not be told apart with the
/// effort of the question.
pub(crate) fn intersects<V: Vector>(a: Placed<V>, b: Placed<V>) -> bool {
    let Some((sides, _)) = Sides::in_order(a, b) else {
        return false;
    };
    let mut any = Any {
        sides: &sides,
        effort: Effort::of(&a, &b),
        is_found: false,
        is_open: false,
    };
    sides.descend(&mut any);
    any.is_found || any.is_open || is_within(&a, &b)
}

struct Any<'a, V: Vector> {
    sides: &'a Sides<'a, V>,
    effort: Effort,
    is_found: bool,
    /// Whether parts that may intersect were left when the effort was used up.
    is_open: bool,
}

impl<V: Vector> Visitor for Any<'_, V> {
    fn limit(&self) -> Real {
        if self.is_found || self.effort.is_used_up() {
            Real::NEG_INFINITY
        } else {
            self.sides.limit(0.0)
        }
    }

    fn open(&mut self) {
        self.effort.take(1);
    }

    fn visit(&mut self, parts: PartPair) {
        let answer = self.sides.measure(parts, 0.0);
        self.effort
            .take(self.sides.effort_of(parts, answer.as_ref()));
        self.is_found |= matches!(answer, Some(Proximity::Near(near)) if near.distance <= 0.0);
    }

    fn skip(&mut self, gap: Real) {
        self.is_open |= self.effort.is_used_up() && gap <= self.sides.limit(0.0);
    }
}
