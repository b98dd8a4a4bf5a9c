// The names that both dimensions have, of the vector `V` of the module that includes this file.

pub use clearance_gjk::{
    Feature, cast_ray, cast_ray_all_into, cast_shapes, contact_manifold, contact_manifolds_into,
    contacts_into, face_normal, intersects, manifold_each, match_points, measure, measure_each,
    point_proximity, proximity, ray_hits, trace, trace_cast, trace_expansion,
};

pub use crate::{
    AtWalls, BackFaces, Backend, BatchError, BodyId, BodyKind, BodyPair, CastOptions, Clock,
    Completeness, DEFAULT_EFFORT, EventKind, Groups, Interior, Leaving, MAX_THREADS, Methods,
    Nearest, Options, PoseError, Profile, QueryError, RayError, RayOptions, Real, RotationError,
    ShapeError, Side, SlideError, StageTime, Status, Subject, WorldError,
};

/// The vector: points, directions, velocities.
pub type Vector = V;
/// A position and an orientation.
pub type Pose = clearance_math::Pose<V>;
/// What rounding left over of the pose of a body that moved.
pub type PoseResidual = clearance_math::PoseResidual<V>;
/// A box with sides along the axes.
pub type Aabb = clearance_math::Aabb<V>;
/// A ray: an origin and a direction.
pub type Ray = clearance_math::Ray<V>;

/// The shape of a body.
pub type Shape = clearance_shapes::Shape<V>;
/// A convex polygon or polyhedron with its faces and their neighbours.
pub type Hull = clearance_shapes::Hull<V>;
/// The union of numbered convex parts: a mesh, a polyline, a height field or a compound.
pub type Composite = clearance_shapes::Composite<V>;
/// A set of cells, for voxels and tiles.
pub type Cells = clearance_shapes::Cells<V>;
/// The filled cells of a grid, as a kind of composite.
pub type Voxels = clearance_shapes::Voxels<V>;
/// A shape that cells of voxels can have instead of the whole cell.
pub type Tile = clearance_shapes::Tile<V>;
/// The side from which a one-way tile counts.
pub type OneWay = clearance_shapes::OneWay<V>;
/// A shape with its place in a compound.
pub type CompoundPart = clearance_shapes::CompoundPart<V>;
/// Mass, centre of mass and inertia of a shape.
pub type MassProperties = clearance_shapes::MassProperties<V>;

/// A shape at a pose.
pub type Placed<'a> = clearance_gjk::Placed<'a, V>;
/// Two placed shapes, and the range within which their distance is needed.
pub type Question<'a> = clearance_gjk::Question<'a, V>;
/// How far apart two shapes are, if they are within a range.
pub type Proximity = clearance_gjk::Proximity<V>;
/// Signed distance, closest points and normal of two shapes.
pub type Separation = clearance_gjk::Separation<V>;
/// How a placed shape moves from time 0 to time 1.
pub type Motion = clearance_gjk::Motion<V>;
/// A placed shape in motion.
pub type Cast<'a> = clearance_gjk::Cast<'a, V>;
/// When and where two shapes in motion meet.
pub type CastHit = clearance_gjk::CastHit<V>;
/// A time at which a cast measured the shapes.
pub type Advance = clearance_gjk::Advance<V>;
/// One iteration of a search for a distance.
pub type Iteration = clearance_gjk::Iteration<Precise>;
/// One step of a search for a penetration depth.
pub type Expansion = clearance_gjk::Expansion<Precise>;
/// The points that stand for the region in which two shapes touch.
pub type Manifold = clearance_gjk::Manifold<V>;
/// A manifold, and where its two bodies were.
pub type PlacedManifold<'a> = clearance_gjk::PlacedManifold<'a, V>;
/// A point of a manifold.
pub type ManifoldPoint = clearance_gjk::ManifoldPoint<V>;
/// Where a ray hits a shape.
pub type RayHit = clearance_gjk::RayHit<V>;

/// Bodies, and the contacts of the last step. What one wants, and the call for it:
#[doc = include_str!("world_calls.md")]
pub type World = clearance_world::World<V>;
/// The description of a body.
pub type Body = clearance_world::Body<V>;
/// A body of the world that is to be changed.
pub type BodyMut<'w> = clearance_world::BodyMut<'w, V>;
/// A view of a body of the world.
pub type BodyRef<'a> = clearance_world::BodyRef<'a, V>;
/// All bodies of a world, in the order of their ids.
pub type BodyIter<'w> = clearance_world::BodyIter<'w, V>;
/// Where a body is to be.
pub type BodyPose = clearance_world::BodyPose<V>;
/// How fast a body is to move.
pub type BodyVelocity = clearance_world::BodyVelocity<V>;
/// Linear and angular velocity.
pub type Velocity = clearance_world::Velocity<V>;
/// Two bodies within range of each other, and how far apart they are.
pub type Contact = clearance_world::Contact<V>;
/// A contact as one of its two bodies sees it.
pub type ContactView = clearance_world::ContactView<V>;
/// Questions about the bodies of a world.
pub type Query<'w> = clearance_world::Query<'w, V>;
/// Where a ray hits a body.
pub type BodyRayHit = clearance_world::BodyRayHit<V>;
/// A body that a shape in motion meets.
pub type BodyCastHit = clearance_world::BodyCastHit<V>;
/// The contact manifold of two bodies, or of a part of each.
pub type BodyManifold = clearance_world::BodyManifold<V>;
/// When and where two bodies met within the last step.
pub type Impact = clearance_world::Impact<V>;
/// A body, and how far it is from what was asked about.
pub type BodySeparation = clearance_world::BodySeparation<V>;
/// A body that was found for one of the questions of a batch.
pub type BatchSeparation = clearance_world::BatchSeparation<V>;
/// A shape that somebody steers.
pub type Sliding<'a> = clearance_world::Sliding<'a, V>;
/// How a body gets out of what it overlaps.
pub type PushOut = clearance_world::PushOut<V>;
/// A body of the world that somebody steers.
pub type SlidingBody = clearance_world::SlidingBody<V>;
/// How a shape moves and slides.
pub type SlideOptions = clearance_world::SlideOptions<V>;
/// Where a shape that slides went, and what it stands on.
pub type Slide = clearance_world::Slide<V>;
/// The ground under a shape that stands.
pub type SlideGround = clearance_world::SlideGround<V>;
/// What a shape that slides touched.
pub type SlideContact = clearance_world::SlideContact<V>;
/// What changed for a pair in the last step.
pub type Event<'w> = clearance_world::Event<'w, V>;
/// The state of a world, to return to it later.
pub type Snapshot = clearance_world::Snapshot<V>;
