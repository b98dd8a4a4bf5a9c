//! Point and point: ball and ball.

use core::cmp::Ordering;

use clearance_math::{Matrix, Pose, PreciseVector, Real, Rotation, Vector, round_down, tolerances};
use clearance_shapes::{Core, Shape};

use crate::answer::Separation;
use crate::canonical;
use crate::measured::{Measured, lower_with_radii};
use crate::placed::Placed;

/// Measures two balls, along the axes of the world: their rotations do not matter.
///
/// Every operation treats both sides alike, so that they need not stand in canonical order: exchanging
/// them turns the signs of differences, and nothing else. Only where a difference is nought, which has
/// no sign to turn, the order counts.
#[inline(always)]
pub(crate) fn measure<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Option<Result<Separation<V>, OutOfRange>> {
    let (ball_a, ball_b) = (Ball::new(a)?, Ball::new(b)?);
    let apart = (ball_b.origin - ball_a.origin) + (ball_b.center - ball_a.center);
    let distance = apart.length();
    let scale = ball_a.center.length() + ball_b.center.length() + distance;
    let rounding = 4.0 * tolerances::DIFFERENCE_ROUNDING * scale;
    // Half of the pairs whose boxes overlap are out of range: nothing else is worked out for them.
    let radii = ball_a.radius + ball_b.radius;
    let lower = round_down(lower_with_radii(distance, distance - rounding, radii));
    if lower > within {
        return Some(Err(OutOfRange { lower }));
    }
    let normal = if (0..V::DIM).any(|k| apart.component(k) == 0.0) {
        level_normal(apart, a, b)
    } else {
        apart / distance
    };
    let centers = (ball_a.origin + ball_a.center, ball_b.origin + ball_b.center);
    let measured = Measured::exact(distance, normal, centers, rounding);
    Some(Ok(measured
        .with_radii(ball_a.radius, ball_b.radius)
        .rounded()))
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

/// The normal where the centres are level along some axis: nought, the difference either way, has the
/// sign that it has in canonical order. Where the centres coincide every direction will do.
#[cold]
#[inline(never)]
fn level_normal<V: Vector>(apart: V::Precise, a: Placed<V>, b: Placed<V>) -> V::Precise {
    let is_exchanged = canonical::compare(&a, &b) == Ordering::Greater;
    // Added to nought, so that it is never minus nought.
    let apart = V::Precise::ZERO + if is_exchanged { -apart } else { apart };
    let distance = apart.length();
    let normal = if distance > 0.0 {
        apart / distance
    } else {
        V::Precise::axis(1)
    };
    if is_exchanged { -normal } else { normal }
}
