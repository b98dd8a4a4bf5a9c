//! The box with sides along the axes of its body.

use clearance_math::{PreciseVector, Vector};

use crate::support::Support;

/// A rectangle or box centred on the origin of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<V> {
    /// Half the lengths of the sides, each > 0.
    pub half_extents: V,
}

impl<V: Vector> Support<V::Precise> for Cuboid<V> {
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        let mut corner = self.half_extents.to_precise();
        for k in 0..V::DIM {
            // Not a comparison: its branch would be wrong half of the time.
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
