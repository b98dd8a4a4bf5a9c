//! The ellipse and the ellipsoid.

use clearance_math::{PreciseVector, Vector};

use crate::support::Support;

/// An ellipse or ellipsoid centred on the origin of the body, with its axes along the body's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<V> {
    /// The half axes, each > 0.
    pub radii: V,
}

impl<V: Vector> Support<V::Precise> for Ellipsoid<V> {
    /// With D = diag(radii) the farthest point along n is D D n / |D n|.
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        let radii = self.radii.to_precise();
        let scaled = direction.scaled_by(radii);
        let length = scaled.length();
        if length > 0.0 {
            scaled.scaled_by(radii) / length
        } else {
            V::Precise::axis(0) * radii.component(0)
        }
    }

    fn center(&self) -> V::Precise {
        V::Precise::ZERO
    }

    fn reach(&self) -> f64 {
        let radii = self.radii.to_precise();
        (0..V::DIM).map(|k| radii.component(k)).fold(0.0, f64::max)
    }
}
