//! The sides of a cast.

use core::cmp::Ordering;

use clearance_math::internal::MapEach;
use clearance_math::{Pose, Rotation, Vector};

use super::answer::CastOptions;
use super::motion::{Motion, Moving};
use super::pair::MovingPair;
use super::part::{MovingPart, is_centred_ball};
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

/// Calls a function with two whole shapes in canonical order; `None` if one is a composite, or both are half-spaces.
#[inline(always)]
pub(super) fn with_pair<V: Vector, T>(
    casts: [&Cast<V>; 2],
    call: impl FnOnce(&MovingPair<V>) -> Option<T>,
) -> Option<T> {
    let [a, b] = casts;
    let body_a = Moving::new(a.placed.pose, &a.motion);
    let body_b = Moving::new(b.placed.pose, &b.motion);
    let part_a = MovingPart::new(a.placed.shape, None, &body_a)?;
    let part_b = MovingPart::new(b.placed.shape, None, &body_b)?;
    call(&MovingPair::new([&part_a, &part_b], 0.0)?)
}
