//! Cylinders.

use clearance_math::{PreciseVector, Real, greater_of, tolerances};

use crate::support::Support;

/// A cylinder about the y axis of the body, centred on its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Half the height, > 0.
    pub half_height: Real,
    /// The radius of the discs, > 0.
    pub radius: Real,
}

/// The part of a direction that is perpendicular to the y axis, and the length of that part.
#[inline]
pub(crate) fn across<P: PreciseVector>(direction: P) -> (P, f64) {
    let flat = direction.with_component(1, 0.0);
    (flat, flat.length())
}

/// The farthest point, along `flat` of length `length`, of a disc of `radius` about the y axis.
#[inline]
pub(crate) fn rim<P: PreciseVector>((flat, length): (P, f64), radius: f64) -> P {
    // For a direction along the axis all points of the disc are equally far, and the centre is
    // chosen. The lower limit of the length keeps the quotient finite.
    flat * (radius / greater_of(length, tolerances::LEAST_DIRECTION))
}

/// The distance from the centre to the rim of either disc.
pub(crate) fn half_diagonal(half_height: Real, radius: Real) -> f64 {
    // `hypot` is not used, because its last bit differs between platforms.
    let (half, radius) = (f64::from(half_height), f64::from(radius));
    (half * half + radius * radius).sqrt()
}

impl Cylinder {
    /// The greatest scalar product of its points with a direction.
    pub(crate) fn height<P: PreciseVector>(&self, direction: P) -> f64 {
        let along = f64::from(self.half_height) * direction.component(1).abs();
        along + f64::from(self.radius) * across(direction).1
    }
}

impl<P: PreciseVector> Support<P> for Cylinder {
    #[inline]
    fn support(&self, direction: P) -> P {
        let y = f64::from(self.half_height).copysign(direction.component(1));
        rim(across(direction), f64::from(self.radius)).with_component(1, y)
    }

    fn center(&self) -> P {
        P::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        half_diagonal(self.half_height, self.radius)
    }
}
