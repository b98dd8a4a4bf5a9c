#![doc = include_str!("../README.md")]
//!
//! # Where is what
//!
//! Entities: `collider` and `components` are what a game puts on them, `primitives` and `constructor` make colliders of
//! primitives and meshes. A step: `changes` notes what changed, `space`, `family` and `collect` make bodies of it, `step` steps and
//! writes transforms, `events` reports; `plugin` puts them in order, `world` holds the bodies, `records` whose they are, `bonds`
//! what hangs on what, `problem` what is wrong with them. Answers: `contacts`, `queries` with `filter`, `snapshot`. Tools: `picking`, `gizmos`,
//! `diagnostics`, `inspector`.

#![cfg_attr(docsrs, feature(doc_cfg))]

/// Compiles and runs the code of the book's chapter as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/src/bevy.md")]
struct BookChapter;

mod bonds;
mod changes;
mod collect;
mod collider;
mod components;
#[cfg(feature = "mesh")]
mod constructor;
mod contacts;
#[cfg(feature = "diagnostics")]
mod diagnostics;
pub mod dim2;
pub mod dim3;
mod events;
mod family;
mod filter;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "inspector")]
mod inspector;
#[cfg(feature = "picking")]
mod picking;
mod plugin;
#[cfg(feature = "primitives")]
mod primitives;
mod problem;
mod queries;
mod records;
mod snapshot;
mod space;
mod step;
mod world;

pub use clearance;
pub use collider::Collider;
pub use components::{
    BodyKind, BodyOrder, CollisionEvents, CompoundBody, InWorld, Layers, Margin, PartContacts,
    Sensor, Swept, Velocity, WorldOrigin,
};
#[cfg(feature = "mesh")]
pub use constructor::{
    ColliderConstructor, ColliderConstructorHierarchy, ColliderConstructorPlugin, MeshError,
    MeshShape,
};
pub use contacts::{Contacts, EntityContact, EntityImpact, EntityManifold};
#[cfg(feature = "diagnostics")]
pub use diagnostics::CollisionDiagnosticsPlugin;
pub use events::{CollisionEnded, CollisionStarted, RangeEntered, RangeLeft};
pub use filter::{EntityPart, Sensors, SpatialFilter};
#[cfg(feature = "gizmos")]
pub use gizmos::{CollisionGizmos, CollisionGizmosPlugin};
#[cfg(feature = "inspector")]
pub use inspector::{CollisionInspector, CollisionInspectorPlugin};
#[cfg(feature = "picking")]
pub use picking::{CollisionPickingLayers, CollisionPickingPlugin, CollisionPickingSettings};
pub use plugin::{CollisionPlugin, CollisionSystems};
pub use problem::{Cause, ColliderProblem};
pub use queries::{
    EntityCastHit, EntityRayHit, EntitySeparation, EntitySlide, EntityTouch, MoveAndSlide,
    MoveError, SpatialQuery,
};
pub use snapshot::CollisionSnapshot;
pub use space::{Placement, PlacementError, Reflected, Space};
pub use world::CollisionWorld;

/// For the tests of this crate, and no promise to others: what is here changes without notice.
#[cfg(feature = "picking")]
#[doc(hidden)]
pub mod internal {
    pub use crate::picking::{Pick, PickingSpace};
}

/// The types of one dimension, `V` in the module that calls it.
macro_rules! aliases {
    () => {
        #[cfg(feature = "gizmos")]
        pub use crate::CollisionGizmos;
        pub use crate::{
            BodyKind, BodyOrder, Cause, ColliderProblem, CollisionEvents, CollisionSystems,
            CompoundBody, EntityPart, InWorld, Layers, Margin, PartContacts, Sensor, Sensors,
            SpatialFilter, Swept,
        };

        /// The component that makes an entity collide.
        pub type Collider = crate::Collider<V>;
        /// How fast the step moves a body.
        pub type Velocity = crate::Velocity<V>;
        /// The place of the origin of all transforms.
        pub type WorldOrigin = crate::WorldOrigin<V>;
        /// The plugin.
        pub type CollisionPlugin = crate::CollisionPlugin<V>;
        /// The worlds.
        pub type CollisionWorld = crate::CollisionWorld<V>;
        /// The contacts of the last step.
        pub type Contacts<'w> = crate::Contacts<'w, V>;
        /// A contact as one of its two entities sees it.
        pub type EntityContact = crate::EntityContact<V>;
        /// Two bodies that met within the last step.
        pub type EntityImpact = crate::EntityImpact<V>;
        /// The points in which two bodies touch.
        pub type EntityManifold = crate::EntityManifold<V>;
        /// Questions about the bodies.
        pub type SpatialQuery<'w> = crate::SpatialQuery<'w, V>;
        /// Where a ray hits an entity.
        pub type EntityRayHit = crate::EntityRayHit<V>;
        /// An entity that a shape in motion meets.
        pub type EntityCastHit = crate::EntityCastHit<V>;
        /// An entity, and how far it is from what was asked about.
        pub type EntitySeparation = crate::EntitySeparation<V>;
        /// A body that somebody steers.
        pub type MoveAndSlide = crate::MoveAndSlide<V>;
        /// Where a body that slides went.
        pub type EntitySlide = crate::EntitySlide<V>;
        /// What a body that slides touched.
        pub type EntityTouch = crate::EntityTouch<V>;
        /// The state of the worlds, to go back to.
        pub type CollisionSnapshot = crate::CollisionSnapshot<V>;
        /// Draws the worlds.
        #[cfg(feature = "gizmos")]
        pub type CollisionGizmosPlugin = crate::CollisionGizmosPlugin<V>;
        /// Measures the steps.
        #[cfg(feature = "diagnostics")]
        pub type CollisionDiagnosticsPlugin = crate::CollisionDiagnosticsPlugin<V>;
        /// Serves a world to browsers.
        #[cfg(feature = "inspector")]
        pub type CollisionInspectorPlugin = crate::CollisionInspectorPlugin<V>;
        /// The inspector of a game.
        #[cfg(feature = "inspector")]
        pub type CollisionInspector = crate::CollisionInspector<V>;
        /// Picks colliders.
        #[cfg(feature = "picking")]
        pub type CollisionPickingPlugin = crate::CollisionPickingPlugin<V>;
        /// Two bodies began to touch.
        pub type CollisionStarted = crate::CollisionStarted<V>;
        /// Two bodies no longer touch.
        pub type CollisionEnded = crate::CollisionEnded<V>;
        /// Two bodies came within the margin of each other.
        pub type RangeEntered = crate::RangeEntered<V>;
        /// Two bodies are no longer within the margin of each other.
        pub type RangeLeft = crate::RangeLeft<V>;
    };
}
use aliases;
