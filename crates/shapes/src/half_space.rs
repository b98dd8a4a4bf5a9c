//! Half-spaces: everything on one side of a line (2D) or plane (3D).

use clearance_math::{PreciseVector, Vector};

/// All points `x` with `normal . x <= offset`, in the frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<V: Vector> {
    pub(crate) normal: V::Precise,
    pub(crate) offset: f64,
}

impl<V: Vector> HalfSpace<V> {
    /// The outward unit normal, in the frame of the body.
    #[must_use]
    pub fn normal(&self) -> V::Precise {
        self.normal
    }

    /// The distance of the boundary from the origin of the body along the normal, in units of
    /// length. It is the rounding radius: zero unless the half-space was rounded.
    #[must_use]
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

/// The axis to which a normal is parallel and its component along that axis, or `None` if the
/// normal is parallel to no axis.
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
