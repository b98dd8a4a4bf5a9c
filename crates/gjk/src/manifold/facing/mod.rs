//! The part of a shape's surface that faces a direction: a face, an edge or a point.
//!
//! Each kind of core answers for itself, so that a pair of kinds needs no code of its own.

mod cuboid;
mod hull;
mod round;
mod straight;

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core, HalfSpace, Support};

pub(crate) use cuboid::SidesOfRectangles;

use super::feature::Feature;

/// The most corners of a face that are looked at. Of a face with more, so many are taken, evenly.
pub(super) const MOST_CORNERS: usize = 16;

/// A corner of a flat part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner<P> {
    pub(super) point: P,
    pub(super) number: u32,
}

pub(super) type Corners<P> = ArrayVec<Corner<P>, MOST_CORNERS>;

/// The part of a surface that faces a direction.
#[derive(Clone, Debug)]
pub(super) struct Facing<P: PreciseVector> {
    /// One corner for a point, two for a line, more for a polygon in space, in order around it. None for a
    /// half-space, whose face has no end.
    pub(super) corners: Corners<P>,
    /// The outward unit normal of the part.
    pub(super) normal: P,
    /// A point in the plane of the part.
    pub(super) origin: P,
    /// What the part is.
    pub(super) feature: Feature,
    /// The radii of curvature across a line, at its ends.
    pub(super) roundness: [f64; 2],
}

/// A straight line of a surface, such as an edge.
#[derive(Clone, Copy, Debug)]
struct Line<P> {
    ends: [Corner<P>; 2],
    /// The outward unit normal that faces the direction.
    normal: P,
    feature: Feature,
}

impl<P: PreciseVector> Facing<P> {
    /// Nothing yet. The part is built where it stays, since moving all its room for corners takes longer than finding
    /// it.
    #[inline]
    pub(super) fn empty() -> Self {
        Self {
            corners: Corners::new(),
            normal: P::ZERO,
            origin: P::ZERO,
            feature: Feature::Face(0),
            roundness: [0.0; 2],
        }
    }

    #[inline]
    fn set_point(&mut self, point: P, normal: P, feature: Feature) {
        self.corners.push(Corner { point, number: 0 });
        self.set_plane(normal, feature);
    }

    #[inline]
    fn set_line(&mut self, line: &Line<P>) {
        self.corners.push(line.ends[0]);
        self.corners.push(line.ends[1]);
        self.set_plane(line.normal, line.feature);
    }

    /// Sets what else there is to know about a part whose corners are known.
    #[inline]
    fn set_plane(&mut self, normal: P, feature: Feature) {
        self.origin = self.corners.first().map_or(P::ZERO, |corner| corner.point);
        self.normal = normal;
        self.feature = feature;
    }

    /// Becomes the boundary of a half-space.
    pub(super) fn set_half_space<V: Vector<Precise = P>>(&mut self, half_space: &HalfSpace<V>) {
        self.normal = half_space.normal();
        self.origin = self.normal * half_space.offset();
    }

    /// Becomes the part of a convex shape that faces `direction`, a unit vector in the frame of its body. It must be
    /// empty.
    pub(super) fn set_convex<V: Vector<Precise = P>>(&mut self, shape: &Convex<V>, direction: P) {
        match shape.core() {
            Core::Segment(segment) => straight::segment(segment, direction, self),
            Core::Triangle(triangle) => straight::triangle(triangle, direction, self),
            Core::Cuboid(cuboid) => cuboid::facing(cuboid, direction, self),
            Core::Hull(hull) => hull::facing((hull, shape.core_size()), direction, self),
            Core::Cylinder(cylinder) => {
                let radius = f64::from(cylinder.radius);
                round::frustum(cylinder.half_height, [radius; 2], direction, self);
            }
            Core::Cone(cone) => {
                let radii = [0.0, f64::from(cone.radius)];
                round::frustum(cone.half_height, radii, direction, self);
            }
            Core::TaperedCylinder(cylinder) => {
                let radii = [cylinder.radius_top, cylinder.radius_bottom].map_each(f64::from);
                round::frustum(cylinder.half_height, radii, direction, self);
            }
            Core::TaperedCapsule(capsule) => round::tapered_capsule(capsule, direction, self),
            core @ (Core::Point(_) | Core::Ellipsoid(_) | Core::Custom(_)) => {
                self.set_point(core.support(direction), direction, Feature::Face(0));
            }
        }
        self.add_radius(shape.radius());
    }

    /// Moves the part to the surface that lies a radius above this one.
    fn add_radius(&mut self, radius: f64) {
        if radius > 0.0 {
            let up = self.normal * radius;
            self.origin += up;
            for corner in &mut self.corners {
                corner.point += up;
            }
            self.roundness = self.roundness.map_each(|of_core| of_core + radius);
        }
    }

    /// Brings the part into the frame in which the body has a pose.
    pub(super) fn place(&mut self, pose: &RelativePose<P>) {
        self.normal = pose.transform_direction(self.normal);
        self.origin = pose.transform_point(self.origin);
        for corner in &mut self.corners {
            corner.point = pose.transform_point(corner.point);
        }
    }

    /// Whether the part is a line of a shape in space, or a side of one in the plane.
    pub(super) fn is_line(&self) -> bool {
        self.corners.len() == 2
    }
}

/// The number of the edge between two corners of a face of a core in space.
pub(super) fn edge_number<V: Vector>(core: &Core<V>, ends: [u32; 2]) -> u32 {
    match core {
        Core::Cuboid(_) => cuboid::edge_number(ends),
        Core::Hull(hull) => hull::edge_number(hull, ends),
        Core::Triangle(_) => straight::edge_number(ends),
        _ => round::edge_number(ends),
    }
}

/// Whether a unit normal leads so nearly along a unit direction that its face faces it.
pub(super) fn is_facing(cosine: f64) -> bool {
    cosine >= tolerances::FACING_COSINE
}

/// The outward normal of an edge along the unit vector `along` whose surface faces `direction`; `None` if the edge
/// does not lie across the direction.
fn across<P: PreciseVector>(along: P, direction: P) -> Option<P> {
    let sine = along.dot(direction);
    if sine.abs() <= tolerances::FACING_SINE {
        (direction - along * sine).direction()
    } else {
        None
    }
}
