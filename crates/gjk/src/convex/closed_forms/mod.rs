//! Closed forms, one file for each pair of cores.
//!
//! The files are named `[kind of a]_[kind of b]`, in the canonical order of kinds. Those with a
//! point work in the frame of the other core, where most of them are simplest. What several pairs share has a name
//! of its own.

pub(crate) mod axes;
pub(crate) mod coaxial;
pub(crate) mod corners_in_lanes;
pub(crate) mod cuboid_cuboid;
pub(crate) mod half_space_convex;
pub(crate) mod half_space_half_space;
pub(crate) mod nearest_to_cuboid;
pub(crate) mod point_convex;
mod point_cuboid;
mod point_ellipsoid;
mod point_hull;
pub(crate) mod point_point;
mod point_round;
pub(crate) mod point_segment;
pub(crate) mod point_triangle;
pub(crate) mod point_triangle_lanes;
mod polygon_lanes;
pub(crate) mod polygon_polygon;
pub(crate) mod polytope_frustum;
pub(crate) mod polytope_polytope;
pub(crate) mod segment_cuboid;
pub(crate) mod segment_segment;
pub(crate) mod triangle_cuboid;

use clearance_math::PreciseVector;

/// The signed distance of a point from a core and the nearest point of the core's boundary, in the
/// core's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PointAnswer<P> {
    /// The signed distance: the gap, or minus the depth of the point inside the core.
    pub(crate) distance: f64,
    /// The outward unit normal of the core at `nearest`.
    pub(crate) outward: P,
    /// The nearest point of the core's boundary.
    pub(crate) nearest: P,
}

impl<P: PreciseVector> PointAnswer<P> {
    /// The result for a point outside, whose nearest point of the core is known.
    ///
    /// `None` if the two points coincide up to `rounding`, where the direction is lost.
    pub(crate) fn outside(point: P, nearest: P, rounding: f64) -> Option<Self> {
        let apart = point - nearest;
        let distance = apart.length();
        (distance > rounding).then(|| Self {
            distance,
            outward: apart / distance,
            nearest,
        })
    }

    /// The result for a point inside at the given `depth`, where the boundary has the normal
    /// `outward`.
    pub(crate) fn inside(point: P, depth: f64, outward: P) -> Self {
        Self {
            distance: -depth,
            outward,
            nearest: point + outward * depth,
        }
    }
}
