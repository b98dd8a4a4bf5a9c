//! The half-space.

use clearance_math::{PreciseVector, Vector};

/// All points `x` with `normal . x <= offset`, in the frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<V: Vector> {
    pub(crate) normal: V::Precise,
    pub(crate) offset: f64,
}

impl<V: Vector> HalfSpace<V> {
    /// The outward unit normal.
    #[must_use]
    pub fn normal(&self) -> V::Precise {
        self.normal
    }

    /// How far the boundary lies from the origin along the normal: the radius of a rounded one.
    #[must_use]
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

/// The one axis that a normal lies along and its component there, or `None` if it is tilted.
pub(crate) fn only_axis<P: PreciseVector>(normal: P) -> Option<(usize, f64)> {
    let mut found = None;
    for k in 0..P::DIM {
        if normal.component(k) != 0.0 {
            if found.is_some() {
                return None;
            }
            found = Some((k, normal.component(k)));
        }
    }
    found
}
