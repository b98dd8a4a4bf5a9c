//! Why a collider is in no world, or not what its components say.

use bevy_ecs::entity::Entity;
use clearance::{ShapeError, WorldError};

use crate::PlacementError;

/// Why a collider is in no world, or not what its components say, until its entity changes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the collider of entity {entity} {}: {cause}", .cause.effect())]
#[non_exhaustive]
pub struct ColliderProblem {
    /// The entity of the collider.
    pub entity: Entity,
    /// What is wrong.
    pub cause: Cause,
}

impl ColliderProblem {
    pub(crate) fn new(entity: Entity, cause: impl Into<Cause>) -> Self {
        let cause = cause.into();
        Self { entity, cause }
    }
}

/// What is wrong with a collider.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// Its transform puts it nowhere.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// Its shape cannot be scaled so, or be part of a compound.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The world refused it.
    #[error(transparent)]
    World(#[from] WorldError),
    /// It is a part of a [`CompoundBody`](crate::CompoundBody), whose own setting counts in place of this one.
    #[error(
        "{setting} does not count for a part of the compound body {body}; set it there, or mark this entity as a CompoundBody or a Sensor of its own"
    )]
    OfCompound {
        /// The name of the component.
        setting: &'static str,
        /// The entity of the body.
        body: Entity,
    },
    /// Its mesh makes no collider.
    #[cfg(feature = "mesh")]
    #[error(transparent)]
    Mesh(#[from] crate::MeshError),
}

impl Cause {
    /// What it does to the collider.
    fn effect(&self) -> &'static str {
        match self {
            Self::OfCompound { .. } => "is not as its components say",
            _ => "is in no world",
        }
    }

    /// Whether a mesh is the cause, whose entity has no collider.
    pub(crate) fn is_of_mesh(&self) -> bool {
        #[cfg(feature = "mesh")]
        return matches!(self, Self::Mesh(_));
        #[cfg(not(feature = "mesh"))]
        false
    }

    /// By what causes are told apart that are logged: numbers in them may change in each frame.
    pub(crate) fn words(&self) -> String {
        self.to_string()
            .chars()
            .filter(|letter| letter.is_alphabetic())
            .collect()
    }
}
