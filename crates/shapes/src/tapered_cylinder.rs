//! Tapered cylinders, also called frustums or truncated cones.

use clearance_math::{PreciseVector, Real};

use crate::cylinder::{across, half_diagonal, rim};
use crate::support::Support;

/// The convex hull of two discs across the y axis of the body, centred on its origin.
///
/// The constructor of [`crate::Shape`] makes a cylinder of equal radii, and a cone if the disc at the
/// top is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaperedCylinder {
    /// Half the height, > 0.
    pub half_height: Real,
    /// The radius of the disc at y = +half_height, > 0.
    pub radius_top: Real,
    /// The radius of the disc at y = -half_height, >= 0.
    pub radius_bottom: Real,
}

impl TaperedCylinder {
    /// The least and greatest scalar products of its points with a direction, found at the rims.
    pub(crate) fn span<P: PreciseVector>(&self, direction: P) -> (f64, f64) {
        let up = f64::from(self.half_height) * direction.component(1);
        let length = across(direction).1;
        let top = f64::from(self.radius_top) * length;
        let bottom = f64::from(self.radius_bottom) * length;
        ((up - top).min(-up - bottom), (up + top).max(bottom - up))
    }
}

impl<P: PreciseVector> Support<P> for TaperedCylinder {
    /// Compares the scalar products of both rims, `h d_y + r |d_xz|` and `-h d_y + s |d_xz|`.
    #[inline]
    fn support(&self, direction: P) -> P {
        let half = f64::from(self.half_height);
        let (top, bottom) = (f64::from(self.radius_top), f64::from(self.radius_bottom));
        let (flat, length) = across(direction);
        let is_top = 2.0 * half * direction.component(1) >= (bottom - top) * length;
        let (y, radius) = if is_top { (half, top) } else { (-half, bottom) };
        rim((flat, length), radius).with_component(1, y)
    }

    /// The centre of mass.
    fn center(&self) -> P {
        let half = f64::from(self.half_height);
        let (top, bottom) = (f64::from(self.radius_top), f64::from(self.radius_bottom));
        // Relative to the greater radius, so that no square overflows or vanishes.
        let greatest = top.max(bottom);
        let (t, b) = (top / greatest, bottom / greatest);
        let y = 0.5 * half * (t * t - b * b) / (t * t + t * b + b * b);
        P::ZERO.with_component(1, y)
    }

    fn bounding_radius(&self) -> f64 {
        half_diagonal(self.half_height, self.radius_top.max(self.radius_bottom))
    }
}
