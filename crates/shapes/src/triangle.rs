//! Triangles.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector};

use crate::support::{Support, farthest};

/// The filled triangle with three corners in any order, in the frame of the body. Its corners may
/// lie on one line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle<V> {
    /// The first corner.
    pub a: V,
    /// The second corner.
    pub b: V,
    /// The third corner.
    pub c: V,
}

impl<V: Vector> Triangle<V> {
    /// The three corners in double precision.
    #[must_use]
    pub fn corners(&self) -> [V::Precise; 3] {
        [self.a, self.b, self.c].map_each(Vector::to_precise)
    }
}

impl<V: Vector> Support<V::Precise> for Triangle<V> {
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        farthest(self.corners(), direction)
    }

    fn center(&self) -> V::Precise {
        let [a, b, c] = self.corners();
        (a + b + c) * (1.0 / 3.0)
    }

    fn bounding_radius(&self) -> f64 {
        // The root of the greatest square is the greatest of the roots, which are rounded in order.
        let squares = self.corners().map_each(PreciseVector::length_squared);
        squares.into_iter().fold(0.0, f64::max).sqrt()
    }
}
