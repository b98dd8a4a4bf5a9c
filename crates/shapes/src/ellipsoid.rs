//! Ellipses and ellipsoids.

use clearance_math::{PreciseVector, Vector};

use crate::support::Support;

/// How much of the least radius of curvature is split off as the rounding radius. It is a little
/// less than all of it, so that rounding cannot make the core concave.
const INSET: f64 = 0.999;

/// The core of an ellipse or ellipsoid centred on the origin, whose axes are those of the body.
///
/// A convex body whose radius of curvature is nowhere less than r is the Minkowski sum of a ball of
/// radius r and a smaller convex body. For half axes a <= b <= c the least radius of curvature is
/// a^2 / c. The core is the smaller body for a radius a little below that, [`Ellipsoid::inset`],
/// which becomes the rounding radius of the shape. The closer the ellipsoid is to a ball, the
/// smaller its core is, and the faster its distances are found.
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

    /// The radius that was split off: all points within it of the core form the whole ellipsoid.
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
    /// With D = diag(radii), the farthest point of the ellipsoid along a unit vector n is D D n /
    /// |D n|. The farthest point of the core lies [`Ellipsoid::inset`] below it along n.
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

    /// The bounding radius of the whole ellipsoid, because the rounding error of a support point
    /// grows with the whole.
    fn bounding_radius(&self) -> f64 {
        least_and_greatest(self.radii).1
    }
}
