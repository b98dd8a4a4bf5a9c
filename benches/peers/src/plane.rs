//! parry and rapier in the plane.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use clearance_benches::AnyFilm;
use clearance_math::Vec2;
use clearance_scene::{BodyShape, Scene, SceneBody};
use clearance_shapes::{Core, Shape};
use parry2d::bounding_volume::Aabb;
use parry2d::math::{Pose, Rot2};
use parry2d::query::{ClosestPoints, Contact, details};
use parry2d::shape::{Ball, Capsule, ConvexPolygon, Cuboid, SharedShape, Triangle};

use crate::{Clearance, Compared, Cuboids, Engine, Film, Peer, Upkeep};

use parry2d as parry;
use rapier2d as rapier;

/// The vector of this dimension.
type Dimension = Vec2;

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
    /// The hull of points.
    Hull(Arc<ConvexPolygon>),
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
    pub fn new(shape: &Shape<Vec2>) -> Option<Self> {
        let Shape::Convex(convex) = shape else {
            return None;
        };
        let radius = convex.radius() as f32;
        Some(match convex.core() {
            Core::Point(center) if *center == Vec2::ZERO => Self::Ball(Ball::new(radius)),
            Core::Segment(segment) => Self::Capsule(Capsule::new(segment.a, segment.b, radius)),
            _ if radius > 0.0 => return None,
            Core::Cuboid(cuboid) => Self::Cuboid(Cuboid::new(cuboid.half_extents)),
            Core::Triangle(corners) => {
                Self::Triangle(Triangle::new(corners.a, corners.b, corners.c))
            }
            Core::Hull(hull) => {
                Self::Hull(Arc::new(ConvexPolygon::from_convex_hull(hull.vertices())?))
            }
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

/// Our pose in the type of parry.
#[must_use]
pub fn pose(pose: &clearance_math::Pose<Vec2>) -> Pose {
    let (cos, sin) = (pose.rotation.cos() as f32, pose.rotation.sin() as f32);
    Pose::from_parts(pose.translation(), Rot2::from_cos_sin_unchecked(cos, sin))
}

fn into_dimension(film: AnyFilm) -> Option<Film<Dimension>> {
    match film {
        AnyFilm::Plane(film) => Some(film),
        AnyFilm::Space(_) => None,
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
