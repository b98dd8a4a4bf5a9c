//! The shapes of the Clearance collision engine: constructors, support mappings, bounding boxes and
//! convex hulls.
//!
//! A convex shape is a *core* (point, segment, triangle, cuboid, hull, cylinder, cone, tapered capsule,
//! tapered cylinder, ellipsoid or a shape of your own) and a rounding *radius*: all points within that radius of the core. A ball is a point with a
//! radius, a capsule a segment with a radius. The engine measures distances between cores and then
//! subtracts the radii.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod composite;
mod cone;
mod constructors;
mod convex;
mod core_shape;
mod cuboid;
mod custom;
mod cylinder;
mod description;
mod eight_corners;
mod ellipsoid;
mod encoding;
mod error;
mod half_space;
pub mod hull;
mod kind_name;
mod mass;
mod sameness;
mod segment;
mod shape;
mod sides;
#[cfg(feature = "serde")]
mod stored;
mod support;
mod tapered_capsule;
mod tapered_cylinder;
mod transform;
mod triangle;

pub use composite::{
    Cells, Composite, CompositeKind, CompoundPart, FourBlocks, HeightPatch, LineOfParts,
    MOST_NESTED, Mesh, NodeContent, NodeRef, OneWay, OuterSide, Part, PartTree, PlacedVoxels,
    Solid, Tile, TriangleBlock, TriangleGroup, TurnedBoxes, Voxels,
};
pub use cone::Cone;
pub use convex::Convex;
pub use core_shape::{Core, CoreKind};
pub use cuboid::Cuboid;
pub use custom::{Custom, CustomShape};
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use encoding::ShapeEncoding;
pub use error::{Requirement, ShapeError};
pub use half_space::HalfSpace;
pub use hull::{Edge, Face, Hull, HullError};
pub use mass::MassProperties;
pub use segment::Segment;
pub use shape::Shape;
pub use support::Support;
pub use tapered_capsule::TaperedCapsule;
pub use tapered_cylinder::TaperedCylinder;
pub use triangle::Triangle;

/// For the crates of this workspace, and no promise to others: what is here changes without notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::composite::mesh::{
        blocks_of, corners_of, group_of, ray_nodes_of, wide_nodes_of,
    };
    pub use crate::composite::voxels::layout_of;
    pub use crate::convex::{ball_bounds, ball_limits};
    pub use crate::eight_corners::EightCorners;
    pub use crate::encoding::bits_of;
    pub use crate::hull::boundary::{
        Boundary, BoundaryEdge, BoundarySide, Spoke, boundary_of, unit_cube,
    };
    pub use crate::sameness::{address_of, are_plainly_same};
    pub use crate::sides::{FourSides, MOST_SIDES};
    pub use crate::transform::core_corners;
}
