//! Line segments.

use clearance_math::{PreciseVector, Vector};

use crate::support::{Support, farthest};

/// The line segment from `a` to `b`, in the frame of the body. It is the core of a capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<V> {
    /// One end.
    pub a: V,
    /// The other end, which may equal the first.
    pub b: V,
}

impl<V: Vector> Support<V::Precise> for Segment<V> {
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        farthest([self.a.to_precise(), self.b.to_precise()], direction)
    }

    fn center(&self) -> V::Precise {
        (self.a.to_precise() + self.b.to_precise()) * 0.5
    }

    fn bounding_radius(&self) -> f64 {
        self.a
            .to_precise()
            .length()
            .max(self.b.to_precise().length())
    }
}
