//! The description of a body.

use clearance_broadphase::{BodyKind, Groups};
use clearance_math::internal::MapEach;
use clearance_math::{Pose, PoseResidual, Real, Rotation, Vector};
use clearance_shapes::Shape;

use crate::BodyId;

/// How fast a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity<V: Vector> {
    /// Velocity of the body's origin: units of length per second, world axes.
    pub linear: V,
    /// Rotation about the body's origin: radians per second, counter-clockwise (2D), or a vector along
    /// the axis in world axes (3D).
    pub angular: V::Angular,
}

impl<V: Vector> Velocity<V> {
    /// Moving at `linear` units of length per second and turning at `angular` radians per second.
    #[must_use]
    pub fn new(linear: V, angular: V::Angular) -> Self {
        Self { linear, angular }
    }

    /// Moving at `linear` units of length per second without turning.
    #[must_use]
    pub fn from_linear(linear: V) -> Self {
        Self::new(linear, V::Angular::default())
    }

    /// Whether both are equal to the last bit: zeros of both signs differ.
    pub(crate) fn has_same_bits(&self, other: &Self) -> bool {
        let angular = |velocity: &Self| {
            let angular = V::Rotation::angular_in_space(velocity.angular);
            angular.to_array().map_each(Real::to_bits)
        };
        let is_same = |axis| {
            let [a, b] =
                [self, other].map_each(|velocity| velocity.linear.component(axis).to_bits());
            a == b
        };
        (0..V::DIM).all(is_same) && angular(self) == angular(other)
    }
}

/// The description of a body: what [`crate::World::insert`] takes and [`crate::World::remove`]
/// returns.
///
/// Start from [`Body::fixed`] or [`Body::moving`]: fields may be added in later versions. In text formats of serde all but
/// shape, pose and kind may be left out.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, bound = ""))]
#[doc(alias("collider", "rigid_body", "sensor", "trigger", "area"))]
pub struct Body<V: Vector> {
    /// The shape, in the body's own frame.
    pub shape: Shape<V>,
    /// Where the body is, in the world.
    pub pose: Pose<V>,
    /// What rounding to single precision left over of the pose of a body that moved; none at first.
    ///
    /// No contact depends on it: it is added to the next step of the body, so that steps below the
    /// resolution of the pose are not lost. Ignored if it does not belong to the pose.
    #[cfg_attr(feature = "serde", serde(default, with = "crate::encoding::residual"))]
    pub residual: PoseResidual<V>,
    /// Its velocity. A fixed body may come with one: it is kept, and applied once the body is made moving.
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: Velocity<V>,
    /// Whether a step moves it.
    pub kind: BodyKind,
    /// Which bodies it can make contacts with.
    #[cfg_attr(feature = "serde", serde(default))]
    pub groups: Groups,
    /// Added to the world's margin for all contacts of this body: >= 0, in units of length.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::encoding::extra_margin")
    )]
    pub extra_margin: Real,
    /// Whether its pairs give the contacts of their parts, too: see
    /// [`World::part_contacts`](crate::World::part_contacts). Off at first.
    #[cfg_attr(feature = "serde", serde(default))]
    pub part_contacts: bool,
    /// Whether steps find and keep the contact manifolds of its pairs: see
    /// [`World::manifolds`](crate::World::manifolds). Off at first.
    #[cfg_attr(feature = "serde", serde(default))]
    pub manifolds: bool,
    /// Whether a step looks at the whole way of the body, so that it meets nothing unnoticed: see
    /// [`World::impacts`](crate::World::impacts). Off at first. Of a fixed body, such as a thin wall: whether what moves
    /// is looked at on its whole way towards it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub swept: bool,
    /// A number of the caller's, for instance the entity that the body belongs to; no answer depends
    /// on it, unless a filter of pairs reads it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub user_data: u64,
}

impl<V: Vector> Body<V> {
    /// A body that steps leave at `pose`.
    #[must_use]
    #[doc(alias("static"))]
    pub fn fixed(shape: Shape<V>, pose: Pose<V>) -> Self {
        Self {
            shape,
            pose,
            residual: PoseResidual::none(),
            velocity: Velocity::default(),
            kind: BodyKind::Fixed,
            groups: Groups::ALL,
            extra_margin: 0.0,
            part_contacts: false,
            manifolds: false,
            swept: false,
            user_data: 0,
        }
    }

    /// A body that steps move, at rest until it is given a velocity.
    #[must_use]
    #[doc(alias("kinematic", "dynamic"))]
    pub fn moving(shape: Shape<V>, pose: Pose<V>) -> Self {
        Self {
            kind: BodyKind::Moving,
            ..Self::fixed(shape, pose)
        }
    }

    /// Replaces the velocity.
    #[must_use]
    pub fn with_velocity(self, velocity: Velocity<V>) -> Self {
        Self { velocity, ..self }
    }

    /// Replaces the groups.
    #[must_use]
    pub fn with_groups(self, groups: Groups) -> Self {
        Self { groups, ..self }
    }

    /// Attaches a number of the caller's: see [`Body::user_data`].
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let entity = 4711;
    /// let ball = Body::moving(Shape::ball(0.5)?, Pose::IDENTITY).with_user_data(entity);
    /// let ball = world.insert(ball)?;
    /// assert_eq!(world.user_data(ball), Some(entity));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// Lets its pairs give the contacts of their parts: see
    /// [`World::part_contacts`](crate::World::part_contacts).
    #[must_use]
    pub fn with_part_contacts(self) -> Self {
        Self {
            part_contacts: true,
            ..self
        }
    }

    /// Lets steps find and keep the contact manifolds of its pairs: see
    /// [`World::manifolds`](crate::World::manifolds).
    #[must_use]
    pub fn with_manifolds(self) -> Self {
        Self {
            manifolds: true,
            ..self
        }
    }

    /// Lets a step look at the whole way of the body, so that it meets nothing unnoticed: see [`Body::swept`].
    #[must_use]
    #[doc(alias("ccd", "ccd_enabled", "bullet", "continuous"))]
    pub fn with_swept(self) -> Self {
        Self {
            swept: true,
            ..self
        }
    }

    /// Replaces the extra margin.
    #[must_use]
    pub fn with_extra_margin(self, extra_margin: Real) -> Self {
        Self {
            extra_margin,
            ..self
        }
    }
}

/// How fast a body is to move: see [`crate::World::set_velocities`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyVelocity<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// Its velocity.
    pub velocity: Velocity<V>,
}

/// Where a body is to be: see [`crate::World::set_poses`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// Its pose.
    pub pose: Pose<V>,
}
