//! Overlapping polytope (segment, triangle, cuboid or hull) and frustum (cylinder, cone or tapered cylinder) in space.
//!
//! The depth is the least height of the difference over all directions. Each local minimum is the normal of a smooth part
//! of the boundary of the difference, and there are three sorts of them:
//!
//! 1. a face of the polytope and a point of the frustum: the normals of the faces;
//! 2. an edge of the polytope and a rim, or a line along the side, of the frustum: on the arc of directions along which the
//!    edge is farthest, which leads from the normal of one face at the edge to that of the other;
//! 3. a corner of the polytope and a disc or the side of the frustum.
//!
//! Elsewhere, where a rim meets a corner for example, the boundary is not smooth but has an edge or a corner of its own,
//! which the least height never belongs to. So the least of the heights of the three sorts is the depth. If one is
//! negative, it separates the shapes: a convex set is all that lies behind the planes of the smooth parts of its boundary.
//!
//! Most faces and edges are ruled out by a ball inside the frustum, and most other edges by two points of the difference.

mod edge;
mod faces;
mod frustum;
mod polytope;
mod turn;
mod witnesses;

use clearance_math::{DVec3, PreciseVector, RelativePose, Vector};
use clearance_shapes::{Convex, Core};

use self::edge::EdgeAtFrustum;
use self::faces::Faces;
use self::frustum::Frustum;
use self::polytope::{CuboidFaces, HullFaces, Polytope, SegmentFaces, TriangleFaces};
use self::witnesses::witness_points;
use super::axes::Apart;
use crate::cores::Cores;
use crate::difference::Minkowski;
use crate::penetration::Depth;

/// The most normals of faces of a polytope: those of a hull of 64 corners, whose support function looks at all corners.
const MOST_NORMALS: usize = 124;

/// The most edges of a polytope: one more than a hull of 64 corners has.
const MOST_EDGES: usize = 187;

/// The depth of a frustum b in a polytope a, in a's frame. `None` if they are not, or if a has too many faces, or so thin ones
/// that rounding decides about their normals.
///
/// # Errors
/// The gap along a direction that separates them.
#[inline(never)]
pub(crate) fn deepest<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Result<Depth<V::Precise>, Apart>> {
    if V::DIM != 3 {
        return None;
    }
    let frustum = Frustum::of(b.core(), b_in_a)?;
    let difference = Cores::new(a, b, b_in_a);
    if let Some(apart) = apart_between_centers(&difference) {
        return Some(Err(apart));
    }
    let scale = Scale {
        size: difference.size(),
        rounding: difference.rounding(),
    };
    let depth = in_polytope(a.core(), &frustum, scale)?;
    let in_space = V::Precise::from_space;
    Some(depth.map(|depth| Depth {
        height: depth.height,
        lower: depth.lower,
        normal: in_space(depth.normal),
        witnesses: (depth.witnesses).map(|(on_a, on_b)| (in_space(on_a), in_space(on_b))),
    }))
}

/// The plane across the line between the centres, if that separates the shapes. It does so for most pairs that are far
/// apart, and takes less than the faces and edges.
fn apart_between_centers<P: PreciseVector>(difference: &impl Minkowski<P>) -> Option<Apart> {
    let toward_b = (-difference.center()).direction()?;
    let height = toward_b.dot(difference.support(toward_b).point);
    (height < 0.0).then_some(Apart(-height))
}

/// Chooses the kind of polytope.
fn in_polytope<V: Vector>(
    core: &Core<V>,
    frustum: &Frustum,
    scale: Scale,
) -> Option<Result<Depth<DVec3>, Apart>> {
    let precise = |corner: V| corner.to_precise().in_space();
    Some(match core {
        Core::Segment(segment) => {
            let ends = [segment.a, segment.b].map(precise);
            compiled_for(&SegmentFaces::new(ends), frustum, scale)
        }
        Core::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c].map(precise);
            compiled_for(&TriangleFaces::new(corners)?, frustum, scale)
        }
        Core::Cuboid(cuboid) => {
            let half_extents = precise(cuboid.half_extents);
            compiled_for(&CuboidFaces { half_extents }, frustum, scale)
        }
        Core::Hull(hull) => compiled_for(&HullFaces::new(hull)?, frustum, scale),
        _ => return None,
    })
}

/// [`least_height`] compiled for each kind of polytope; in WebAssembly, which is loaded from the network, for all together.
fn compiled_for(
    polytope: &impl Polytope,
    frustum: &Frustum,
    scale: Scale,
) -> Result<Depth<DVec3>, Apart> {
    #[cfg(target_family = "wasm")]
    let polytope: &dyn Polytope = polytope;
    least_height(polytope, frustum, scale)
}

/// How large the difference is, and how far rounding may move a point of it.
#[derive(Clone, Copy, Debug)]
struct Scale {
    size: f64,
    rounding: f64,
}

/// The least height so far.
#[derive(Clone, Copy, Debug)]
struct Least {
    height: f64,
    /// The unit direction along which b has to be moved.
    normal: DVec3,
    /// What no height is below, as far as the directions were looked at.
    lower: f64,
    /// An edge of the polytope and a line along the side of the frustum, if these meet along the normal.
    crossing: Option<[[DVec3; 2]; 2]>,
}

impl Least {
    const NONE: Self = Self {
        height: f64::INFINITY,
        normal: DVec3::X,
        lower: f64::INFINITY,
        crossing: None,
    };

    /// Takes a direction and the height along it. An error means that it separates the shapes.
    #[inline(always)]
    fn test(&mut self, normal: DVec3, height: f64) -> Result<(), Apart> {
        if height < 0.0 {
            return Err(Apart(-height));
        }
        if height < self.height {
            *self = Self {
                height,
                normal,
                lower: self.lower.min(height),
                crossing: None,
            };
        }
        Ok(())
    }
}

/// The least height over all sorts of directions.
fn least_height(
    polytope: &(impl Polytope + ?Sized),
    frustum: &Frustum,
    scale: Scale,
) -> Result<Depth<DVec3>, Apart> {
    let mut least = Least::NONE;
    frustum.test_corners(polytope, &mut least)?;
    let mut faces = Faces::new(scale.rounding);
    faces.test(polytope, frustum, &mut least)?;
    let mut open = faces.open_edges(polytope, frustum, least.height);
    while let Some(edge) = open.take_lowest(least.height) {
        let normals = (polytope.faces_at(edge)).map(|face| polytope.plane(face).normal);
        EdgeAtFrustum::new(polytope.edge(edge), frustum).test(normals, &mut least)?;
    }
    // Directions on arcs have the height of an edge, from which that of the polytope differs by rounding.
    let height = polytope.height(least.normal) + frustum.height(-least.normal);
    Ok(Depth {
        height: height.max(least.lower),
        lower: least.lower,
        normal: least.normal,
        witnesses: witness_points(polytope, frustum, &Least { height, ..least }, scale.size),
    })
}
