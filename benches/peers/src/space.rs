//! parry and rapier in space.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use clearance_benches::AnyFilm;
use clearance_math::Vec3;
use clearance_scene::{BodyShape, Scene, SceneBody};
use clearance_shapes::{CompositeKind, Core, Shape};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::query::{ClosestPoints, Contact, details};
use parry3d::shape::{
    Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, SharedShape, Triangle,
};
use parry3d::utils::Array2;

use crate::{Clearance, Compared, Cuboids, Engine, Film, Peer, Upkeep};

use parry3d as parry;
use rapier3d as rapier;

/// The vector of this dimension.
type Dimension = Vec3;

/// A shape by its type, so that no pair is looked up through a table.
#[derive(Clone, Debug)]
pub enum Form {
    /// A ball about the origin of the body.
    Ball(Ball),
    /// A box.
    Cuboid(Cuboid),
    /// A segment swept by a ball.
    Capsule(Capsule),
    /// A triangle.
    Triangle(Triangle),
    /// A cylinder about y.
    Cylinder(Cylinder),
    /// A cone about y.
    Cone(Cone),
    /// The hull of points.
    Hull(Arc<ConvexPolyhedron>),
    /// A composite, which the dispatcher of parry measures.
    Surface(SharedShape),
}

/// Does something with any form but a ball, of which parry makes support functions.
macro_rules! with_support {
    ($form:expr, $shape:ident => $answer:expr) => {
        match $form {
            Form::Ball($shape) => $answer,
            Form::Cuboid($shape) => $answer,
            Form::Capsule($shape) => $answer,
            Form::Triangle($shape) => $answer,
            Form::Cylinder($shape) => $answer,
            Form::Cone($shape) => $answer,
            Form::Hull(hull) => {
                let $shape = &**hull;
                $answer
            }
            Form::Surface(_) => unreachable!("the dispatcher measures surfaces"),
        }
    };
}

impl Form {
    /// The form of a shape; `None` if parry has none, or refuses the points of a hull.
    #[must_use]
    pub fn new(shape: &Shape<Vec3>) -> Option<Self> {
        let convex = match shape {
            Shape::Convex(convex) => convex,
            Shape::Composite(composite) => return surface(composite.kind()).map(Self::Surface),
            Shape::HalfSpace(_) => return None,
        };
        let radius = convex.radius() as f32;
        Some(match convex.core() {
            Core::Point(center) if *center == Vec3::ZERO => Self::Ball(Ball::new(radius)),
            Core::Segment(segment) => Self::Capsule(Capsule::new(segment.a, segment.b, radius)),
            _ if radius > 0.0 => return None,
            Core::Cuboid(cuboid) => Self::Cuboid(Cuboid::new(cuboid.half_extents)),
            Core::Triangle(corners) => {
                Self::Triangle(Triangle::new(corners.a, corners.b, corners.c))
            }
            Core::Cylinder(cylinder) => {
                Self::Cylinder(Cylinder::new(cylinder.half_height, cylinder.radius))
            }
            Core::Cone(cone) => Self::Cone(Cone::new(cone.half_height, cone.radius)),
            Core::Hull(hull) => Self::Hull(Arc::new(ConvexPolyhedron::from_convex_hull(
                hull.vertices(),
            )?)),
            _ => return None,
        })
    }

    /// The form as rapier keeps it.
    #[must_use]
    pub fn shared(&self) -> SharedShape {
        match self {
            Self::Ball(shape) => SharedShape::new(*shape),
            Self::Cuboid(shape) => SharedShape::new(*shape),
            Self::Capsule(shape) => SharedShape::new(*shape),
            Self::Triangle(shape) => SharedShape::new(*shape),
            Self::Cylinder(shape) => SharedShape::new(*shape),
            Self::Cone(shape) => SharedShape::new(*shape),
            Self::Hull(shape) => SharedShape(shape.clone()),
            Self::Surface(shape) => shape.clone(),
        }
    }

    /// The form as parry asks for it where it chooses by the kinds of both shapes.
    #[must_use]
    pub fn as_shape(&self) -> &dyn parry::shape::Shape {
        match self {
            Self::Surface(shape) => &**shape,
            form => with_support!(form, shape => shape),
        }
    }
}

/// A mesh, a height field or voxels; `None` for other composites. parry divides the cells of a height field by
/// the other diagonal.
fn surface(kind: &CompositeKind<Vec3>) -> Option<SharedShape> {
    match kind {
        CompositeKind::Mesh(mesh) => {
            let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
            SharedShape::trimesh(vertices, triangles).ok()
        }
        CompositeKind::HeightField(field) => {
            let (rows, columns) = (field.rows() as usize, field.columns() as usize);
            let by_column = (0..columns).flat_map(|column| {
                (0..rows).map(move |row| field.heights()[row * columns + column])
            });
            let heights = Array2::new(rows, columns, by_column.collect());
            Some(SharedShape::heightfield(heights, field.scale()))
        }
        CompositeKind::Voxels(voxels) => {
            let cells: Vec<_> = voxels.cells().iter().collect();
            Some(SharedShape::voxels(voxels.size(), &cells))
        }
        _ => None,
    }
}

/// Our pose in the type of parry.
#[must_use]
pub fn pose(pose: &clearance_math::Pose<Vec3>) -> Pose {
    Pose::from_parts(pose.translation(), pose.rotation)
}

fn into_dimension(film: AnyFilm) -> Option<Film<Dimension>> {
    match film {
        AnyFilm::Space(film) => Some(film),
        AnyFilm::Plane(_) => None,
    }
}

include!("both/queries.rs");

#[path = "both/by_hand.rs"]
#[allow(
    clippy::duplicate_mod,
    reason = "parry is a crate of its own in each dimension"
)]
mod by_hand;
#[path = "both/pipeline.rs"]
#[allow(
    clippy::duplicate_mod,
    reason = "rapier is a crate of its own in each dimension"
)]
mod pipeline;

pub use by_hand::ByHand;
pub use pipeline::Pipeline;
