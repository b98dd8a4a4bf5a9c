//! The rectangle (2D) or box (3D).

use clearance_math::{PreciseVector, Vector};

use crate::support::Support;

/// A rectangle (2D) or box (3D) whose sides are parallel to the axes of the body, centred on its
/// origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<V> {
    /// Half the side lengths, each > 0.
    pub half_extents: V,
}

impl<V: Vector> Support<V::Precise> for Cuboid<V> {
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        let mut corner = self.half_extents.to_precise();
        for k in 0..V::DIM {
            // The sign is copied, because a comparison would compile to a branch that is
            // mispredicted half of the time.
            let signed = corner.component(k).copysign(direction.component(k));
            corner = corner.with_component(k, signed);
        }
        corner
    }

    fn center(&self) -> V::Precise {
        V::Precise::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        self.half_extents.to_precise().length()
    }
}
