//! Point and point: ball and ball.

use core::cmp::Ordering;

use clearance_math::{Matrix, Pose, PreciseVector, Real, Rotation, Vector, round_down, tolerances};
use clearance_shapes::{Core, Shape};

use crate::answer::Separation;
use crate::canonical;
use crate::measured::{Measured, lower_with_radii};
use crate::placed::Placed;

/// How far apart two balls are, along the axes of the world: their rotations do not matter.
///
/// Every operation treats both sides alike, so that they need not stand in canonical order: exchanging
/// them turns the signs of differences, and nothing else. Only where a difference is zero, which has
/// no sign to turn, the order counts.
#[derive(Clone, Copy)]
pub(crate) struct Gap<P> {
    centers: (P, P),
    /// From centre to centre.
    apart: P,
    /// The length of that.
    distance: f64,
    /// How far that length may be wrong.
    rounding: f64,
    /// What is taken off at either end.
    radii: [f64; 2],
    /// The surfaces are not nearer than this.
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

    /// The distance and where it is taken, if not proven out of range: so are half of the pairs whose
    /// boxes overlap, and nothing else is worked out for them.
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

/// Measures two balls; `None` for other shapes.
#[inline(always)]
pub(crate) fn measure<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Option<Result<Separation<V>, OutOfRange>> {
    Gap::new(a, b).map(|gap| gap.measure(a, b, within))
}

/// The distance is not below this, which exceeds what was asked for.
pub(crate) struct OutOfRange {
    pub(crate) lower: Real,
}

/// A ball in the world.
struct Ball<P> {
    /// The origin of its body.
    origin: P,
    /// The centre from there.
    center: P,
    /// How far the centre is from there.
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

/// A point of a body, from the body's origin, along the axes of the world.
#[inline]
pub(crate) fn turned<V: Vector>(point: V, pose: &Pose<V>) -> V::Precise {
    if point == V::ZERO {
        V::Precise::ZERO
    } else {
        pose.rotation.matrix().apply(point.to_precise())
    }
}

/// The normal where the centres are level along some axis: zero, the difference either way, has the
/// sign that it has in canonical order. Where the centres coincide every direction will do.
#[cold]
#[inline(never)]
fn level_normal<V: Vector>(apart: V::Precise, a: Placed<V>, b: Placed<V>) -> V::Precise {
    let is_exchanged = canonical::compare(&a, &b) == Ordering::Greater;
    // Added to zero, so that it is never minus zero.
    let apart = V::Precise::ZERO + if is_exchanged { -apart } else { apart };
    let distance = apart.length();
    let normal = if distance > 0.0 {
        apart / distance
    } else {
        V::Precise::axis(1)
    };
    if is_exchanged { -normal } else { normal }
}
