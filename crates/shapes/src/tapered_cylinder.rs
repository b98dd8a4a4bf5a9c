//! Tapered cylinders, also called frustums or truncated cones.

use clearance_math::{PreciseVector, Real, Vec3, Vector};

use crate::cylinder::{across, half_diagonal, rim};
use crate::error::check_number;
use crate::support::Support;
use crate::{Cone, Core, Cylinder, Requirement, Shape, ShapeError};

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

impl Shape<Vec3> {
    /// A tapered cylinder about the y axis of the body: the convex hull of a disc of `radius_top` at y
    /// = +half_height and one of `radius_bottom` at y = -half_height. One of the radii, but not both,
    /// may be zero.
    ///
    /// ```
    /// use clearance::ShapeError;
    /// use clearance::dim3::Shape;
    ///
    /// let bucket = Shape::tapered_cylinder(0.5, 0.5, 0.25)?;
    /// assert_eq!(Shape::tapered_cylinder(0.5, 0.0, 0.0), Err(ShapeError::NoRadius));
    /// assert_eq!(Shape::tapered_cylinder(0.5, 0.0, 0.25)?, Shape::cone(0.5, 0.25)?);
    /// # Ok::<(), ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A `half_height` that is not positive, a negative radius, two radii of zero, or a number that is
    /// not finite.
    pub fn tapered_cylinder(
        half_height: Real,
        radius_top: Real,
        radius_bottom: Real,
    ) -> Result<Self, ShapeError> {
        Self::upright_tapered(half_height, radius_top, radius_bottom)
    }
}

impl<V: Vector> Shape<V> {
    /// The tapered cylinder, cylinder or cone of [`Shape::tapered_cylinder`], for code of both
    /// dimensions. Only call it in 3D.
    pub(crate) fn upright_tapered(
        half_height: Real,
        radius_top: Real,
        radius_bottom: Real,
    ) -> Result<Self, ShapeError> {
        check_number(
            "tapered_cylinder",
            "half_height",
            half_height,
            Requirement::Positive,
        )?;
        check_number(
            "tapered_cylinder",
            "radius_top",
            radius_top,
            Requirement::NotNegative,
        )?;
        check_number(
            "tapered_cylinder",
            "radius_bottom",
            radius_bottom,
            Requirement::NotNegative,
        )?;
        if radius_top == 0.0 && radius_bottom == 0.0 {
            return Err(ShapeError::NoRadius);
        }
        if radius_top == 0.0 {
            let cone = Cone {
                half_height,
                radius: radius_bottom,
            };
            return Ok(Self::convex(Core::Cone(cone), 0.0));
        }
        if radius_top == radius_bottom {
            let cylinder = Cylinder {
                half_height,
                radius: radius_top,
            };
            return Ok(Self::convex(Core::Cylinder(cylinder), 0.0));
        }
        let core = TaperedCylinder {
            half_height,
            radius_top,
            radius_bottom,
        };
        Ok(Self::convex(Core::TaperedCylinder(core), 0.0))
    }
}
