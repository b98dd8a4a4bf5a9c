//! Convex shapes of the Clearance collision engine: constructors, support mappings, boxes and hulls.
//!
//! A convex shape is a *core* (point, segment, triangle, cuboid, hull, cylinder, cone, ellipsoid)
//! swept by a ball of some *radius*: a ball is a point with a radius, a capsule a segment with one.
//! Distances are measured between cores; radii are subtracted at the end.

mod cone;
mod convex;
mod core_shape;
mod cuboid;
mod cylinder;
mod eight_corners;
mod ellipsoid;
mod encoding;
mod error;
mod half_space;
pub mod hull;
mod segment;
mod shape;
mod sides;
#[cfg(feature = "serde")]
mod stored;
mod support;
mod transform;
mod triangle;

pub use cone::Cone;
pub use convex::Convex;
pub use core_shape::{Core, CoreKind};
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
#[doc(hidden)] // for the crates of this workspace
pub use eight_corners::EightCorners;
pub use ellipsoid::Ellipsoid;
pub use encoding::ShapeEncoding;
pub use error::{Requirement, ShapeError};
pub use half_space::HalfSpace;
pub use hull::{Edge, Face, Hull, HullError};
pub use segment::Segment;
pub use shape::Shape;
#[doc(hidden)] // for the crates of this workspace
pub use sides::{FourSides, MOST_SIDES};
pub use support::Support;
pub use triangle::Triangle;
