//! Types for code that serves the plane and space alike: the vector is the type parameter.
//!
//! The bound to write is [`Vector`]; [`dim2`](crate::dim2) and [`dim3`](crate::dim3) are these types with the
//! parameter filled in.
//!
//! What needs a cross product is written for space, of which the plane is a slice: [`Vector::to_precise`] and
//! [`in_space`](clearance_math::PreciseVector::in_space) lead there, [`from_space`](clearance_math::PreciseVector::from_space)
//! and [`Vector::from_precise`] back, [`Rotation::angular_in_space`] and [`Rotation::angular_from_space`] do it for angular
//! velocities. The example `stack` is a solver of that sort.
//!
//! ```
//! use clearance::generic::{Body, Pose, Shape, Vector, World};
//! use clearance::{Options, WorldError, dim2, dim3};
//!
//! /// Adds a row of touching balls along the first axis, and returns how many contacts that makes.
//! fn row_of_balls<V: Vector>(world: &mut World<V>, count: usize) -> Result<usize, Box<dyn std::error::Error>> {
//!     for k in 0..count {
//!         let place = V::axis(0) * k as f32;
//!         world.insert(Body::moving(Shape::ball(0.5)?, Pose::from_translation(place)))?;
//!     }
//!     world.step(0.0)?;
//!     Ok(world.contacts().len())
//! }
//!
//! let (mut plane, mut space) = (dim2::World::default(), dim3::World::default());
//! assert_eq!((row_of_balls(&mut plane, 4)?, row_of_balls(&mut space, 4)?), (3, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use clearance_gjk::{
    Advance, Cast, CastHit, CrossingSegment, Expansion, Feature, Iteration, Manifold,
    ManifoldPoint, Motion, Placed, PlacedManifold, Proximity, Question, RayHit, Separation,
    cast_ray, cast_ray_all_into, cast_shapes, contact_manifold, contact_manifolds_into,
    contacts_into, crossing_segments_into, face_normal, intersects, manifold_each, match_points,
    measure, measure_each, point_proximity, proximity, ray_hits, self_crossings_into, trace,
    trace_cast, trace_expansion,
};
pub use clearance_math::{Aabb, Pose, Ray, Rotation, Vector};
pub use clearance_shapes::{
    Cells, Composite, CompoundPart, Hull, MassProperties, Shape, Tile, Voxels,
};
pub use clearance_world::{
    BatchSeparation, Body, BodyCastHit, BodyIter, BodyManifold, BodyMut, BodyPose, BodyRayHit,
    BodyRef, BodySeparation, BodyVelocity, Contact, ContactView, Event, Impact, PushOut, Query,
    Slide, SlideContact, SlideGround, SlideOptions, Sliding, SlidingBody, Snapshot, Velocity,
    World,
};
