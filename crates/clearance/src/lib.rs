//! Collision worlds in 2D and 3D: every pair of bodies closer than a margin, each frame, with signed
//! distance, closest points and normal.
//!
//! What one wants from a [`dim3::World`], and the call for it:
#![doc = include_str!("world_calls.md")]
//!
//! Without a world: [`dim3::proximity`] measures two shapes (distance, closest points, normal, bounds),
//! [`dim3::intersects`] says yes or no, [`dim3::contact_manifold`] finds points for a solver, [`dim3::cast_shapes`] when two shapes
//! in motion meet, [`dim3::cast_ray`] and [`dim3::point_proximity`] what a ray or a point meets of one shape.
//!
//! In the repository, `docs/book` is a book: it leads from a first loop to a game, has whole small programs, explains how
//! the engine works, and lists the names of other engines side by side with these.
//!
//! Cargo features: `parallel` (default; steps on several threads, by rayon), `serde` (snapshots, bodies and options can be stored, in plain JSON too),
//! `rtree` (the R-tree of the crate rstar as another broad phase), `dim2` and `dim3` (default; which dimensions are compiled with the engine).
//! A program of one dimension builds faster without the other. Without the one that it uses, that is compiled with the program: again
//! after each edit, and unoptimized in a debug build.
//!
//! Import from [`dim2`] or [`dim3`]: both have the same names, for the plane and for space, without type
//! parameters.
//! Code that serves both takes the vector as a type parameter: see [`generic`]. The parts that worlds
//! are made of can be used on their own: [`math`], [`shapes`], [`gjk`], [`broadphase`].
//!
//! ```
//! use clearance::dim3::{Body, Options, Pose, Quat, Shape, Vec3, Velocity, World};
//!
//! let mut world = World::new(Options { margin: 0.1, ..Options::default() })?;
//! let table = world.insert(Body::fixed(Shape::cuboid(Vec3::new(2.0, 0.5, 2.0))?, Pose::IDENTITY))?;
//! let can = Pose::new(Vec3::new(0.0, 2.0, 0.0), Quat::IDENTITY);
//! let fall = Velocity::from_linear(Vec3::new(0.0, -1.0, 0.0));
//! let can = world.insert(Body::moving(Shape::cylinder(0.5, 0.25)?, can).with_velocity(fall))?;
//! world.step(0.9375)?;
//! let contact = &world.contacts()[0];
//! assert_eq!((contact.a, contact.b), (table, can));
//! assert!((contact.distance() - 0.0625).abs() < 1e-6);
//! assert!((contact.separation.normal - Vec3::Y).length() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The plane has the same names:
//!
//! ```
//! use clearance::dim2::{Body, Options, Pose, Shape, Vec2, Velocity, World};
//!
//! let mut world = World::new(Options { margin: 0.1, ..Options::default() })?;
//! let wall = world.insert(Body::fixed(Shape::half_space(Vec2::X)?, Pose::IDENTITY))?;
//! let ball = Pose::from_translation(Vec2::new(1.5, 3.0));
//! let roll = Velocity::from_linear(Vec2::new(-2.0, 0.0));
//! let ball = world.insert(Body::moving(Shape::ball(0.5)?, ball).with_velocity(roll))?;
//! world.step(0.46875)?;
//! let contact = &world.contacts()[0];
//! assert_eq!((contact.a, contact.b), (wall, ball));
//! assert!((contact.distance() - 0.0625).abs() < 1e-6);
//! assert!((contact.separation.normal - Vec2::X).length() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Lengths are in any unit, angles in radians, times in seconds, axes right-handed. A distance is
//! positive for a gap and minus the depth for an overlap; normals point from a to b. Bad input is
//! refused by an error that names the field and the body, and then nothing has changed.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod dim2;
pub mod dim3;
pub mod generic;
pub mod prelude;

/// The broad phase on its own: boxes, keys, pairs.
pub use clearance_broadphase as broadphase;
/// The pair function on its own, and the parts that it is made of.
pub use clearance_gjk as gjk;
/// Vectors, rotations, poses and boxes, with the vector as a parameter.
pub use clearance_math as math;
/// Shapes, with the vector as a parameter, and the support mapping.
pub use clearance_shapes as shapes;

pub use clearance_broadphase::Backend;
pub use clearance_gjk::{
    BackFaces, CastOptions, Completeness, DEFAULT_EFFORT, Interior, Leaving, QueryError,
    RayOptions, Side, Status,
};
pub use clearance_math::Inconsistent;
pub use clearance_math::{PoseError, RayError, Real, RotationError};
pub use clearance_shapes::ShapeError;
pub use clearance_world::{
    AtWalls, BatchError, BodyId, BodyKind, BodyPair, Clock, EventKind, Groups, MAX_THREADS,
    Methods, Nearest, Options, Profile, SlideError, StageTime, Subject, WorldError,
};

/// Compiles and runs the code of documents as tests.
#[cfg(doctest)]
macro_rules! documents {
    ($($name:ident: $path:literal),* $(,)?) => {
        $(#[doc = include_str!(concat!("../../../", $path))]
        struct $name;)*
    };
}

#[cfg(doctest)]
documents! {
    Readme: "README.md",
    Start: "docs/book/src/start.md",
    Shapes: "docs/book/src/shapes.md",
    Contacts: "docs/book/src/contacts.md",
    Events: "docs/book/src/events.md",
    Levels: "docs/book/src/levels.md",
    Digging: "docs/book/src/digging.md",
    Motion: "docs/book/src/motion.md",
    Characters: "docs/book/src/characters.md",
    OwnShapes: "docs/book/src/own-shapes.md",
    LargeWorlds: "docs/book/src/large-worlds.md",
    Recipes: "docs/book/src/recipes.md",
    Solver: "docs/book/src/solver.md",
    Robots: "docs/book/src/robots.md",
    Determinism: "docs/book/src/determinism.md",
}
