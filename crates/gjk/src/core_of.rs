//! The core of a convex shape as a support mapping of its own.

use clearance_math::Vector;
use clearance_shapes::{Convex, Support};

/// A convex shape without its radius; remembers the middle and the reach of its core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoreOf<'a, V: Vector>(pub(crate) &'a Convex<V>);

impl<V: Vector> Support<V::Precise> for CoreOf<'_, V> {
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        self.0.core().support(direction)
    }

    #[inline]
    fn center(&self) -> V::Precise {
        self.0.core_center()
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.0.core_reach()
    }
}
