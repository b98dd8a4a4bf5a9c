//! Whether any pair of parts intersects.

use clearance_math::{Real, Vector};

use super::nearest_first::{PartPair, Visitor};
use super::sides::Sides;
use crate::answer::Proximity;
use crate::placed::Placed;

/// Whether two shapes, at least one of which is a composite, have a point in common.
pub(crate) fn intersects<V: Vector>(a: Placed<V>, b: Placed<V>) -> bool {
    let Some(sides) = Sides::new(a, b).or_else(|| Sides::new(b, a)) else {
        return false;
    };
    let mut any = Any {
        sides: &sides,
        is_found: false,
    };
    sides.descend(&mut any);
    any.is_found
}

struct Any<'a, V: Vector> {
    sides: &'a Sides<'a, V>,
    is_found: bool,
}

impl<V: Vector> Visitor for Any<'_, V> {
    fn limit(&self) -> Real {
        if self.is_found {
            Real::NEG_INFINITY
        } else {
            self.sides.limit(0.0)
        }
    }

    fn visit(&mut self, parts: PartPair) {
        let answer = self.sides.measure(parts, 0.0);
        self.is_found |= matches!(answer, Some(Proximity::Near(near)) if near.distance <= 0.0);
    }

    fn skip(&mut self, _gap: Real) {}
}
