//! Point and point: ball and ball.

use core::cmp::Ordering;

use clearance_math::{Matrix, Pose, PreciseVector, Real, Rotation, Vector, round_down, tolerances};
use clearance_shapes::{Core, Shape};

use crate::answer::Separation;
use crate::canonical;
use crate::measured::{Measured, lower_with_radii};
use crate::placed::Placed;

/// The gap between two balls, along the axes of the world; their rotations do not matter.
///
/// Every operation treats both sides alike, so the balls need not be in canonical order: exchanging
/// them changes the signs of differences and nothing else. Only a difference of zero, which has no
/// sign to change, depends on the order.
#[derive(Clone, Copy)]
pub(crate) struct Gap<P> {
    centers: (P, P),
    /// The vector from the centre of a to the centre of b.
    apart: P,
    /// The length of that vector.
    distance: f64,
    /// The greatest error of that length.
    rounding: f64,
    /// The radii of a and b.
    radii: [f64; 2],
    /// The lower bound of the distance of the surfaces.
    lower: f64,
}

impl<P: PreciseVector> Gap<P> {
    /// `None` for other shapes.
    #[inline(always)]
    pub(crate) fn new<V: Vector<Precise = P>>(a: Placed<V>, b: Placed<V>) -> Option<Self> {
        let (a, b) = (Ball::new(a)?, Ball::new(b)?);
        let apart = (b.origin - a.origin) + (b.center - a.center);
        let distance = apart.length();
        let rounding = 4.0 * tolerances::DIFFERENCE_ROUNDING * (a.reach + b.reach + distance);
        Some(Self {
            centers: (a.origin + a.center, b.origin + b.center),
            apart,
            distance,
            rounding,
            radii: [a.radius, b.radius],
            lower: lower_with_radii(distance, distance - rounding, a.radius + b.radius),
        })
    }

    /// The result, unless it is proven to be out of range. That is so for half of the pairs whose
    /// boxes overlap, for which nothing else is computed.
    #[inline(always)]
    pub(crate) fn measure<V: Vector<Precise = P>>(
        &self,
        a: Placed<V>,
        b: Placed<V>,
        within: Real,
    ) -> Result<Separation<V>, OutOfRange> {
        if self.lower > f64::from(within) {
            let lower = round_down(self.lower);
            if lower > within {
                return Err(OutOfRange { lower });
            }
        }
        let normal = if (0..V::DIM).any(|k| self.apart.component(k) == 0.0) {
            level_normal(self.apart, a, b)
        } else {
            self.apart / self.distance
        };
        let measured = Measured::exact(self.distance, normal, self.centers, self.rounding);
        let [radius_a, radius_b] = self.radii;
        Ok(measured.with_radii(radius_a, radius_b).rounded())
    }
}

/// `None` for other shapes.
#[inline(always)]
pub(crate) fn measure<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Option<Result<Separation<V>, OutOfRange>> {
    Gap::new(a, b).map(|gap| gap.measure(a, b, within))
}

/// The lower bound of the distance, which exceeds the range.
pub(crate) struct OutOfRange {
    pub(crate) lower: Real,
}

/// A ball in the world.
struct Ball<P> {
    /// The origin of its body.
    origin: P,
    /// The vector from the origin to the centre.
    center: P,
    /// The length of that vector.
    reach: f64,
    radius: f64,
}

impl<P: PreciseVector> Ball<P> {
    /// `None` for other shapes.
    #[inline]
    fn new<V: Vector<Precise = P>>(placed: Placed<V>) -> Option<Self> {
        let Shape::Convex(convex) = placed.shape else {
            return None;
        };
        let Core::Point(center) = convex.core() else {
            return None;
        };
        Some(Self {
            origin: placed.pose.translation.to_precise(),
            center: turned(*center, placed.pose),
            reach: convex.core_bounding_radius(),
            radius: convex.radius(),
        })
    }
}

/// A vector from the origin of a body to a point of it, in the axes of the world.
#[inline]
pub(crate) fn turned<V: Vector>(point: V, pose: &Pose<V>) -> V::Precise {
    if point == V::ZERO {
        V::Precise::ZERO
    } else {
        pose.rotation.matrix().apply(point.to_precise())
    }
}

/// The normal for centres that are level along some axis: a difference of zero gets the sign that
/// it has in canonical order. If the centres coincide, any direction is right.
#[cold]
#[inline(never)]
fn level_normal<V: Vector>(apart: V::Precise, a: Placed<V>, b: Placed<V>) -> V::Precise {
    let is_exchanged = canonical::compare(&a, &b) == Ordering::Greater;
    // Zero is added so that the result is never -0.0.
    let apart = V::Precise::ZERO + if is_exchanged { -apart } else { apart };
    let distance = apart.length();
    let normal = if distance > 0.0 {
        apart / distance
    } else {
        V::Precise::axis(1)
    };
    if is_exchanged { -normal } else { normal }
}
