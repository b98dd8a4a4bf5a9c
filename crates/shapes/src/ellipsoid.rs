//! The ellipse and the ellipsoid.

use clearance_math::{PreciseVector, Vector};

use crate::support::Support;

/// The part of the least radius of curvature that is taken off; a little less than all of it, so
/// that rounding cannot make the core concave.
const INSET: f64 = 0.999;

/// The core of an ellipse or ellipsoid centred on the origin, its axes along the body's.
///
/// A body whose boundary bends nowhere more sharply than a ball of radius r is the Minkowski sum of
/// such a ball and a smaller convex body. For half axes a <= b <= c the sharpest bend has radius
/// a^2 / c: the core is the ellipsoid less [`Ellipsoid::inset`], which the shape carries as its
/// radius. The rounder the ellipsoid, the less is left to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<V> {
    radii: V,
    inset: f64,
}

impl<V: Vector> Ellipsoid<V> {
    pub(crate) fn new(radii: V) -> Self {
        let (least, greatest) = least_and_greatest(radii);
        Self {
            radii,
            inset: INSET * least * (least / greatest),
        }
    }

    /// The half axes of the whole ellipsoid, each > 0.
    #[must_use]
    pub fn radii(&self) -> V {
        self.radii
    }

    /// The radius of the ball that the core is swept by to give the whole ellipsoid.
    #[inline]
    #[must_use]
    pub fn inset(&self) -> f64 {
        self.inset
    }
}

fn least_and_greatest<V: Vector>(radii: V) -> (f64, f64) {
    let radii = radii.to_precise();
    let components = (0..V::DIM).map(|k| radii.component(k));
    components.fold((f64::INFINITY, 0.0), |(least, greatest), radius| {
        (radius.min(least), radius.max(greatest))
    })
}

impl<V: Vector> Support<V::Precise> for Ellipsoid<V> {
    /// With D = diag(radii) the farthest point along n is D D n / |D n|; the core's lies
    /// [`Ellipsoid::inset`] below it along n.
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        let radii = self.radii.to_precise();
        let scaled = direction.scaled_by(radii);
        let (length, unit) = (scaled.length(), direction.length());
        if length > 0.0 && unit > 0.0 {
            scaled.scaled_by(radii) / length - direction * (self.inset / unit)
        } else {
            V::Precise::axis(0) * (radii.component(0) - self.inset)
        }
    }

    fn center(&self) -> V::Precise {
        V::Precise::ZERO
    }

    /// That of the whole ellipsoid: rounding in a support point grows with it.
    fn bounding_radius(&self) -> f64 {
        least_and_greatest(self.radii).1
    }
}
