//! Why a collider is in no world.

use bevy_ecs::entity::Entity;
use clearance::{ShapeError, WorldError};

use crate::PlacementError;

/// Why a collider is in no world, until its entity changes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the collider of entity {entity} is in no world: {cause}")]
#[non_exhaustive]
pub struct ColliderProblem {
    /// The entity of the collider.
    pub entity: Entity,
    /// What is wrong.
    pub cause: Cause,
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
    /// Its mesh makes no collider.
    #[cfg(feature = "mesh")]
    #[error(transparent)]
    Mesh(#[from] crate::MeshError),
}

impl Cause {
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
