//! Why the world refused something.

use clearance_math::{Pose, PoseError, Real, Rotation, Vector};
use clearance_shapes::ShapeError;

use crate::{Body, BodyId, MAX_THREADS, Velocity};

/// The body that an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// A body that was to be inserted and has no id yet.
    New,
    /// One of many bodies that were to be inserted, by its place among them, counted from 0.
    Listed(usize),
    /// A body of the world.
    Body(BodyId),
}

impl core::fmt::Display for Subject {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::New => f.write_str("new body"),
            Self::Listed(place) => write!(f, "new body {place}"),
            Self::Body(id) => write!(f, "body {id}"),
        }
    }
}

/// Why the world refused something: which body, which field, and what would be valid.
///
/// A refusal changes nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// No body has this id: its body was removed, or there never was one.
    #[error("body {id} is not in this world")]
    NotInWorld {
        /// The id that was given.
        id: BodyId,
    },
    /// The id was given out by another world.
    #[error("body {id} is of another world: use the id that this world gave out")]
    OtherWorld {
        /// The id that was given.
        id: BodyId,
    },
    /// A body was named twice where a pair of two bodies was meant.
    #[error("body {id} is named twice, must be two different bodies")]
    SameBody {
        /// The id that was given twice.
        id: BodyId,
    },
    /// A pose is not finite or its rotation not of unit length.
    #[error("{body}: pose.{error}")]
    Pose {
        /// The body.
        body: Subject,
        /// What is wrong with the pose.
        error: PoseError,
    },
    /// A component of a linear velocity is NaN or infinite.
    #[error("{body}: velocity.linear[{axis}] is {value}, must be finite")]
    LinearVelocity {
        /// The body.
        body: Subject,
        /// The axis, counted from 0.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
    /// An angular velocity, or a component of one, is NaN or infinite.
    #[error("{body}: velocity.angular{} is {value}, must be finite", index(*.axis))]
    AngularVelocity {
        /// The body.
        body: Subject,
        /// The axis, counted from 0; `None` in the plane, where an angular velocity is one number.
        axis: Option<usize>,
        /// The value that was given.
        value: Real,
    },
    /// A fixed body was given a velocity, by which no step would move it.
    #[error(
        "body {id} is fixed and would not move by velocity, must be zero: make it moving first, or set its pose"
    )]
    FixedVelocity {
        /// The body.
        id: BodyId,
    },
    /// Cells or heights of a body cannot be changed.
    #[error("{body}: {error}")]
    Cells {
        /// The body.
        body: Subject,
        /// Why not.
        error: ShapeError,
    },
    /// An extra margin is negative, NaN or infinite.
    #[error("{body}: extra_margin is {value}, must be finite and >= 0")]
    ExtraMargin {
        /// The body.
        body: Subject,
        /// The value that was given.
        value: Real,
    },
    /// A margin is negative, NaN or infinite.
    #[error("margin is {value}, must be finite and >= 0")]
    Margin {
        /// The value that was given.
        value: Real,
    },
    /// A time step is negative, NaN or infinite.
    #[error("dt is {value}, must be finite and >= 0")]
    TimeStep {
        /// The value that was given.
        value: Real,
    },
    /// A step would have moved a body beyond the largest number.
    #[error(
        "body {id}: the step would move pose.translation[{axis}] to {value:e}, must stay finite"
    )]
    OutOfRange {
        /// The body.
        id: BodyId,
        /// The axis, counted from 0.
        axis: usize,
        /// The coordinate that it would have moved to.
        value: f64,
    },
    /// Zero threads were asked for.
    #[error("threads is 0, must be at least 1")]
    NoThreads,
    /// More than [`MAX_THREADS`] threads were asked for.
    #[error("threads is {threads}, must be from 1 to {MAX_THREADS}")]
    TooManyThreads {
        /// The number that was asked for.
        threads: usize,
    },
    /// More than one thread was asked for in a build without the cargo feature `parallel`.
    #[error("threads is {threads}, must be 1 in this build: enable the cargo feature `parallel`")]
    NotParallel {
        /// The number that was asked for.
        threads: usize,
    },
    /// The operating system did not start the threads.
    #[error("{threads} threads could not be started: {reason}")]
    ThreadStart {
        /// The number that was asked for.
        threads: usize,
        /// What the operating system said.
        reason: String,
    },
    /// Every slot is in use, or has used up its ids.
    #[error("the world is full: every one of its 2^30 slots is taken")]
    Full,
}

/// Whether `value` can be a margin or a time step.
pub(crate) fn is_finite_and_not_negative(value: Real) -> bool {
    value.is_finite() && value >= 0.0
}

pub(crate) fn check_body<V: Vector>(
    subject: Subject,
    body: Body<V>,
) -> Result<Body<V>, WorldError> {
    Ok(Body {
        pose: check_pose(subject, body.pose)?,
        residual: body.pose.residual_or_none(&body.residual),
        velocity: check_velocity(subject, body.velocity)?,
        extra_margin: check_extra_margin(subject, body.extra_margin)?,
        ..body
    })
}

pub(crate) fn check_pose<V: Vector>(body: Subject, pose: Pose<V>) -> Result<Pose<V>, WorldError> {
    pose.checked()
        .map_err(|error| WorldError::Pose { body, error })
}

pub(crate) fn check_velocity<V: Vector>(
    body: Subject,
    velocity: Velocity<V>,
) -> Result<Velocity<V>, WorldError> {
    for axis in 0..V::DIM {
        let value = velocity.linear.component(axis);
        if !value.is_finite() {
            return Err(WorldError::LinearVelocity { body, axis, value });
        }
    }
    let angular = V::Rotation::angular_in_space(velocity.angular).to_array();
    if let Some(axis) = angular.iter().position(|value| !value.is_finite()) {
        return Err(WorldError::AngularVelocity {
            body,
            axis: (V::DIM > 2).then_some(axis),
            value: angular[axis],
        });
    }
    Ok(velocity)
}

/// An index as it is written behind the name of a vector; nothing for a single number.
fn index(axis: Option<usize>) -> String {
    axis.map_or_else(String::new, |axis| format!("[{axis}]"))
}

pub(crate) fn check_extra_margin(body: Subject, value: Real) -> Result<Real, WorldError> {
    if is_finite_and_not_negative(value) {
        // Turns minus zero into zero, so that equal margins have equal bits.
        Ok(value + 0.0)
    } else {
        Err(WorldError::ExtraMargin { body, value })
    }
}
