//! Tapered capsules: convex hulls of two balls of different radii.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, greater_of, tolerances};

use crate::support::Support;

/// The core of a tapered capsule along the y axis of the body: the convex hull of two balls, from
/// which the lesser radius has been split off.
///
/// The lesser radius, [`TaperedCapsule::inset`], becomes the rounding radius of the shape, so the
/// core is the hull of a point and a ball. The constructor of [`crate::Shape`] makes a capsule of
/// equal radii, and a ball if one ball contains the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaperedCapsule {
    half_length: Real,
    radius_top: Real,
    radius_bottom: Real,
}

impl TaperedCapsule {
    pub(crate) fn new(half_length: Real, radius_top: Real, radius_bottom: Real) -> Self {
        Self {
            half_length,
            radius_top,
            radius_bottom,
        }
    }

    /// Half the distance between the centres of the balls, > 0.
    #[must_use]
    pub fn half_length(&self) -> Real {
        self.half_length
    }

    /// The radius of the ball about y = +half_length, > 0.
    #[must_use]
    pub fn radius_top(&self) -> Real {
        self.radius_top
    }

    /// The radius of the ball about y = -half_length, > 0.
    #[must_use]
    pub fn radius_bottom(&self) -> Real {
        self.radius_bottom
    }

    /// The radius that was split off: all points within it of the core form the whole shape.
    #[inline]
    #[must_use]
    pub fn inset(&self) -> f64 {
        f64::from(self.radius_top.min(self.radius_bottom))
    }

    /// The radii of the core's ball at the top and at the bottom, one of which is zero.
    #[inline]
    #[must_use]
    pub fn core_radii(&self) -> [f64; 2] {
        [self.radius_top, self.radius_bottom].map_each(|radius| f64::from(radius) - self.inset())
    }

    /// The least and greatest scalar products of the core's points with a direction, found at the
    /// two balls.
    pub(crate) fn span<P: PreciseVector>(&self, direction: P) -> (f64, f64) {
        let up = f64::from(self.half_length) * direction.component(1);
        let [top, bottom] = self
            .core_radii()
            .map_each(|radius| radius * direction.length());
        ((up - top).min(-up - bottom), (up + top).max(bottom - up))
    }
}

impl<P: PreciseVector> Support<P> for TaperedCapsule {
    /// Compares the scalar products of both balls, `h d_y + r |d|` and `-h d_y + s |d|`.
    #[inline]
    fn support(&self, direction: P) -> P {
        let half = f64::from(self.half_length);
        let [top, bottom] = self.core_radii();
        let length = direction.length();
        let is_top = 2.0 * half * direction.component(1) >= (bottom - top) * length;
        let (y, radius) = if is_top { (half, top) } else { (-half, bottom) };
        P::axis(1) * y + direction * (radius / greater_of(length, tolerances::LEAST_DIRECTION))
    }

    /// The middle between the ends of the core on the axis.
    fn center(&self) -> P {
        let [top, bottom] = self.core_radii();
        P::axis(1) * (0.5 * (top - bottom))
    }

    fn bounding_radius(&self) -> f64 {
        let [top, bottom] = self.core_radii();
        f64::from(self.half_length) + top.max(bottom)
    }
}
