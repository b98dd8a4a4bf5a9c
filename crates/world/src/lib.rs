//! Moving bodies, and every pair of them that is closer than a margin, each frame.
//!
//! A [`World`] owns bodies: a shape at a pose, moving or fixed. [`World::step`] moves them and
//! finds every pair that is nearer than the margin; [`World::contacts`] lists the pairs with their
//! signed distance, closest points and normal. The contacts depend on shapes, poses, margins,
//! groups and ids alone: not on the history of the world, the number of threads, or the broad
//! phase.
//!
//! ```
//! use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
//!
//! let mut world = World::new(Options::default())?;
//! let ground = Body::fixed(Shape::half_space(Vec2::Y)?, Pose::IDENTITY);
//! let ball = Body::moving(Shape::ball(0.5)?, Pose::from_translation(Vec2::new(0.0, 0.54)));
//! let (ground, ball) = (world.insert(ground)?, world.insert(ball)?);
//! world.step(1.0 / 60.0)?;
//! let contact = &world.contacts()[0];
//! assert_eq!((contact.a, contact.b), (ground, ball));
//! assert!((contact.separation.distance - 0.04).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bodies;
mod body;
mod body_mut;
mod body_pair;
mod body_ref;
mod box_space;
mod cell_edits;
mod columns;
mod contact;
mod contacts;
mod digest;
mod edit;
#[cfg(feature = "serde")]
mod encoding;
mod error;
mod event;
mod hints;
mod id;
mod ignored;
mod impact;
mod impacts;
#[doc(hidden)]
pub mod internal;
mod options;
mod pair_filter;
mod pair_key;
mod pair_rules;
mod part_contacts;
mod profile;
mod queries;
mod range;
mod removal;
mod report;
mod reserve;
mod seams;
mod shape_column;
mod slide;
mod slot_set;
mod snapshot;
mod sparse_column;
mod stages;
mod step;
mod surface_contacts;
mod threads;
mod traits;
mod user_data;
mod validate;
mod world;

pub use body::{Body, BodyPose, BodyVelocity, Velocity};
pub use body_mut::BodyMut;
pub use body_pair::BodyPair;
pub use body_ref::{BodyIter, BodyRef};
pub use clearance_broadphase::{Backend, BodyKind, Groups};
pub use contact::{Contact, ContactView};
pub use error::{Subject, WorldError};
pub use event::{Event, EventKind};
pub use id::BodyId;
pub use impact::Impact;
pub use options::{MAX_THREADS, Options};
pub use profile::{Clock, Methods, Profile, StageTime};
pub use queries::{
    BatchError, BatchSeparation, BodyCastHit, BodyManifold, BodyRayHit, BodySeparation, Nearest,
    Query,
};
pub use slide::{
    AtWalls, PushOut, Slide, SlideContact, SlideError, SlideGround, SlideOptions, Sliding,
    SlidingBody,
};
pub use snapshot::Snapshot;
pub use world::World;
