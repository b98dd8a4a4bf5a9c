//! Polytope (segment, triangle, cuboid or hull) and frustum (cylinder, cone or tapered cylinder) in space. Where they are
//! apart, see [`nearest`].
//!
//! Where they overlap, the depth is the least height of the difference over all directions. Each local minimum is the
//! normal of a smooth part of the boundary of the difference, and there are three sorts of them:
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
mod edge_distance;
mod faces;
mod frustum;
mod nearest;
mod polytope;
mod question;
mod turn;
mod witnesses;

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, Vector};
use clearance_shapes::Core;

use self::edge::EdgeAtFrustum;
use self::faces::{Faces, OpenEdges};
use self::frustum::Frustum;
use self::polytope::{CuboidFaces, HullFaces, Polytope, ThinFaces};
use self::question::FrustumQuestion;
use self::witnesses::witness_points;
use super::axes::{AxisGap, ByAxes, LeastHeight};
use crate::convex::CorePair;
use crate::search::Minkowski;
use crate::search::penetration::Depth;

/// Measures a polytope a and a frustum b, in a's frame. `None` if they are not, or if they may overlap and a has too many
/// faces, or so thin ones that rounding decides about their normals. The closest points are not looked for if the distance
/// is out of range.
#[inline(never)]
pub(crate) fn measure<V: Vector>(pair: &CorePair<V>) -> Option<ByAxes<V::Precise>> {
    let core = pair.a.core();
    if !core.is_polytope() {
        return None;
    }
    let frustum = Frustum::of(pair.b.core(), pair.b_in_a)?;
    let difference = pair.difference();
    let toward_b = (-difference.center()).direction();
    let question = FrustumQuestion {
        smaller: difference.smaller(),
        middle: pair.a.core_center().in_space(),
        rounding: difference.rounding(),
        within: pair.within,
        toward_b: toward_b.unwrap_or(V::Precise::axis(0)).in_space(),
        apart: toward_b.and_then(|toward_b| apart_along(&difference, toward_b)),
    };
    if let Some(apart) = question.apart
        && !question.is_in_range(apart)
    {
        return Some(apart.beyond(question.within, question.rounding));
    }
    let found = with_polytope(core, &frustum, &question)?;
    Some(found.map(V::Precise::from_space))
}

/// The plane across a direction, if that separates the shapes. The one between the centres does so for most pairs that are
/// far apart, and takes less than the faces and edges.
fn apart_along<P: PreciseVector>(difference: &impl Minkowski<P>, normal: P) -> Option<AxisGap> {
    let height = normal.dot(difference.support(normal).point);
    (height < 0.0).then_some(AxisGap(-height))
}

/// Chooses the kind of polytope.
fn with_polytope<V: Vector>(
    core: &Core<V>,
    frustum: &Frustum,
    question: &FrustumQuestion,
) -> Option<ByAxes<DVec3>> {
    let precise = |corner: V| corner.to_precise().in_space();
    match core {
        Core::Segment(segment) => {
            let ends = [segment.a, segment.b].map_each(precise);
            compiled_for(&ThinFaces::of_segment(ends), frustum, question)
        }
        Core::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c].map_each(precise);
            compiled_for(&ThinFaces::of_triangle(corners), frustum, question)
        }
        Core::Cuboid(cuboid) => {
            let half_extents = precise(cuboid.half_extents);
            compiled_for(&CuboidFaces { half_extents }, frustum, question)
        }
        Core::Hull(hull) => compiled_for(&HullFaces { hull }, frustum, question),
        _ => None,
    }
}

/// [`with_frustum`] compiled for each kind of polytope; in WebAssembly, which is loaded from the network, for all together.
fn compiled_for(
    polytope: &impl Polytope,
    frustum: &Frustum,
    question: &FrustumQuestion,
) -> Option<ByAxes<DVec3>> {
    #[cfg(target_family = "wasm")]
    let polytope: &dyn Polytope = polytope;
    with_frustum(polytope, frustum, question)
}

/// `None` if the shapes may overlap, and the polytope has no precise normals.
fn with_frustum(
    polytope: &(impl Polytope + ?Sized),
    frustum: &Frustum,
    question: &FrustumQuestion,
) -> Option<ByAxes<DVec3>> {
    // A segment is mostly the core of a capsule, and cores of capsules that overlap are mostly apart.
    let is_segment = polytope.corners() == 2;
    let nearest = || nearest::measure(polytope, frustum, question);
    if is_segment && let Some(found) = nearest() {
        return Some(found);
    }
    let apart = match question.apart {
        Some(apart) => apart,
        None if polytope.has_precise_normals() => match least_height(polytope, frustum, question) {
            Ok(depth) => return Some(ByAxes::Overlapping(depth)),
            Err(apart) => apart,
        },
        None => return None,
    };
    if !is_segment
        && question.is_in_range(apart)
        && let Some(found) = nearest()
    {
        return Some(found);
    }
    Some(apart.beyond(question.within, question.rounding))
}

/// The least height over all sorts of directions.
fn least_height(
    polytope: &(impl Polytope + ?Sized),
    frustum: &Frustum,
    question: &FrustumQuestion,
) -> Result<Depth<DVec3>, AxisGap> {
    let mut least = LeastHeight::NONE;
    frustum.test_corners(polytope, &mut least)?;
    let mut faces = Faces::new(question.rounding);
    faces.test(polytope, frustum, &mut least)?;
    let mut open = OpenEdges::default();
    faces.list_open(polytope, frustum, least.height, &mut open);
    while let Some(edge) = open.take_lowest(least.height) {
        let normals = (polytope.faces_at(edge)).map_each(|face| polytope.plane(face).normal);
        EdgeAtFrustum::new(polytope.edge(edge), frustum).test(normals, &mut least)?;
    }
    // Directions on arcs have the height of an edge, from which that of the polytope differs by rounding.
    let height = polytope.height(least.normal) + frustum.height(-least.normal);
    Ok(Depth {
        height: height.max(least.lower),
        lower: least.lower,
        normal: least.normal,
        witnesses: witness_points(
            polytope,
            frustum,
            &LeastHeight { height, ..least },
            question,
        ),
    })
}
