//! The sides of a cast.

use core::cmp::Ordering;

use clearance_math::internal::MapEach;
use clearance_math::{Pose, Rotation, Vector};
use clearance_shapes::{Core, Shape};

use super::answer::CastOptions;
use super::motion::{Motion, Moving};
use crate::pair::{Placed, QueryError, Side, canonical, check};

/// A placed shape in motion: one of the two sides of a cast.
#[derive(Clone, Copy, Debug)]
pub struct Cast<'a, V: Vector> {
    /// The shape, and its pose at time 0.
    pub placed: Placed<'a, V>,
    /// How it moves from time 0 to time 1.
    pub motion: Motion<V>,
}

impl<'a, V: Vector> Cast<'a, V> {
    /// A placed shape in motion. Nothing is checked here; queries check the pose and the motion.
    #[must_use]
    pub fn new(placed: Placed<'a, V>, motion: Motion<V>) -> Self {
        Self { placed, motion }
    }

    /// A placed shape at rest.
    #[must_use]
    pub fn resting(placed: Placed<'a, V>) -> Self {
        Self::new(placed, Motion::rest())
    }

    /// The pose at a time, rounded to single precision.
    pub(super) fn pose_at(&self, time: f64) -> Pose<V> {
        self.motion.pose_at(self.placed.pose, time)
    }

    /// The body in motion, which does not turn where that makes no difference to the shape.
    pub(super) fn moving(&self) -> Moving<V::Precise> {
        let body = Moving::new(self.placed.pose, &self.motion);
        if self.turns() {
            body
        } else {
            body.without_turn()
        }
    }

    /// Whether the motion turns the shape.
    #[inline(always)]
    pub(super) fn turns(&self) -> bool {
        self.motion.angular != V::Angular::default() && !is_centred_ball(self.placed.shape)
    }
}

/// Refuses casts that are not valid, by few steps if they are.
pub(super) fn check_casts<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
) -> Result<(), QueryError> {
    let is_valid = options.check().is_ok()
        && [a, b]
            .iter()
            .all(|cast| cast.placed.is_valid() && cast.motion.is_finite());
    if is_valid {
        return Ok(());
    }
    refuse(a, b, options)
}

/// The error of casts that are not valid.
#[cold]
fn refuse<V: Vector>(a: &Cast<V>, b: &Cast<V>, options: CastOptions) -> Result<(), QueryError> {
    options.check()?;
    check(&a.placed, &b.placed, 0.0)?;
    a.motion.check(Side::A)?;
    b.motion.check(Side::B)
}

/// Compares by the canonical order of the shapes at their poses, and then by the motions.
pub(super) fn compare<V: Vector>(a: &Cast<V>, b: &Cast<V>) -> Ordering {
    let motions = || {
        let [linear_a, linear_b] = [a, b].map_each(|cast| cast.motion.linear.to_precise());
        let turns = [a, b].map_each(|cast| V::Rotation::angular_in_space(cast.motion.angular));
        canonical::compare_precise(linear_a, linear_b).then(canonical::compare_numbers(
            turns.map_each(|turn| turn.to_array()),
        ))
    };
    canonical::compare(&a.placed, &b.placed).then_with(motions)
}

/// Whether a shape is the same however it is turned about the origin.
#[inline(always)]
pub(super) fn is_centred_ball<V: Vector>(shape: &Shape<V>) -> bool {
    match shape {
        Shape::Convex(convex) => match convex.core() {
            Core::Point(center) => *center == V::ZERO,
            _ => false,
        },
        _ => false,
    }
}
