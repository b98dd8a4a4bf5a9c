//! Penetration depth in 3D by an expanding polytope.

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::lanes::{Simd, dispatch};
use clearance_math::{DVec3, PreciseVector, greater_of, tolerances};

use super::corner_search::CornerSearch;
use super::polytope::{Face, Polytope};
use super::{Depth, Limits, flat};
use crate::search::{
    Expansion, Minkowski, Simplex, Vertex, record, tetrahedron_surely_holds_origin,
};

/// The depth by the expanding polytope algorithm.
///
/// A polytope inside the difference grows until its face nearest to the origin lies on the boundary of
/// the difference. It starts from vertices of `simplex`, which is what GJK ended with.
///
/// Source: van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects"
/// (2001). There are three changes. The polytope starts from any tetrahedron inside the difference,
/// whether or not it contains the origin: a face with the origin in front of it has a negative
/// distance, so it is expanded first. The best direction so far gives an upper bound of the depth. And
/// each step gives a lower bound.
pub(super) fn expand<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    simplex: &Simplex<P>,
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<P> {
    let support = |direction: DVec3| in_space(&difference.support(P::from_space(direction)));
    let corners = match solid(simplex) {
        Some(corners) => Ok(corners),
        None => {
            let thin = tolerances::FLAT_DIFFERENCE * difference.size() + difference.rounding();
            let known: ArrayVec<_, 4> = simplex.vertices().iter().map(in_space).collect();
            tetrahedron(&support, &known, thin)
        }
    };
    let depth = match corners {
        Ok(corners) => {
            let depth = grow(difference, &corners, limits, steps);
            if depth.height.is_finite() {
                depth
            } else {
                // All faces were slivers, so the difference is a needle.
                let along = corners[1].point - corners[0].point;
                flat(&support, along.perpendicular())
            }
        }
        Err(normal) => flat(&support, normal),
    };
    depth.map(P::from_space)
}

#[inline(always)]
fn in_space<P: PreciseVector>(vertex: &Vertex<P>) -> Vertex<DVec3> {
    vertex.map(PreciseVector::in_space)
}

/// The vertices of a simplex, if they are the corners of a tetrahedron so far from flat that looking for a better one
/// is not worthwhile.
#[inline(always)]
fn solid<P: PreciseVector>(simplex: &Simplex<P>) -> Option<[Vertex<DVec3>; 4]> {
    let [a, b, c, d] = simplex.vertices() else {
        return None;
    };
    let corners = [in_space(a), in_space(b), in_space(c), in_space(d)];
    is_solid(&corners).then_some(corners)
}

/// A tetrahedron whose corners are vertices of the difference.
///
/// If the difference is not thicker than `thin`, so that it counts as flat, the error is the direction
/// perpendicular to it.
#[inline(never)]
fn tetrahedron(
    support: &dyn Fn(DVec3) -> Vertex<DVec3>,
    known: &[Vertex<DVec3>],
    thin: f64,
) -> Result<[Vertex<DVec3>; 4], DVec3> {
    let first = known[0];
    let corners = CornerSearch {
        support,
        known,
        enough: tolerances::FAR_FROM_FLAT * thin,
        thin,
    };
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let from_first = |v: &Vertex<DVec3>| (v.point - first.point).length();
    let Some(second) = corners.farthest(&axes, &from_first) else {
        return Err(DVec3::X);
    };
    let along = (second.point - first.point).normalize();
    let across = along.perpendicular();
    let sides = [across, along.cross(across)];
    let from_line = |v: &Vertex<DVec3>| (v.point - first.point).cross(along).length();
    let Some(third) = corners.farthest(&sides, &from_line) else {
        return Err(across);
    };
    let normal = along.cross(third.point - first.point).normalize();
    let from_plane = |v: &Vertex<DVec3>| (v.point - first.point).dot(normal).abs();
    match corners.farthest(&[normal], &from_plane) {
        Some(fourth) => Ok([first, second, third, fourth]),
        None => Err(normal),
    }
}

fn is_solid([a, b, c, d]: &[Vertex<DVec3>; 4]) -> bool {
    let [u, v, w] = [b, c, d].map_each(|vertex| vertex.point - a.point);
    let volume = u.dot(v.cross(w));
    let edges = u.length_squared() * v.length_squared() * w.length_squared();
    volume * volume > tolerances::SOLID * tolerances::SOLID * edges
}

/// Expands a polytope from a tetrahedron.
#[inline(never)]
fn grow<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    corners: &[Vertex<DVec3>; 4],
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<DVec3> {
    let mut polytope = Polytope::new();
    polytope.start(corners);
    let mut depth = dispatch!(simd => expand_fully(simd, difference, &mut polytope, limits, steps));
    if !surely_holds_origin(&polytope, polytope.start_corners(), limits.rounding) {
        depth.lower = depth.lower.min(0.0);
    }
    depth
}

/// Whether the origin is behind all faces if it is behind those whose planes are known.
///
/// Faces whose planes are unknown may have the origin in front of them, unless the tetrahedron `start`
/// contained it.
fn surely_holds_origin(polytope: &Polytope, start: [DVec3; 4], rounding: f64) -> bool {
    polytope.sliver_width() <= rounding || tetrahedron_surely_holds_origin(start, rounding)
}

/// Adds support points to the polytope until its nearest face lies on the boundary of the difference,
/// or until it is full.
#[inline(always)]
fn expand_fully<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    polytope: &mut Polytope,
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<DVec3> {
    let Limits { gap, rounding, .. } = limits;
    let mut best = Depth {
        height: f64::INFINITY,
        lower: 0.0,
        normal: DVec3::X,
        witnesses: None,
    };
    let scale = rounding / tolerances::DIFFERENCE_ROUNDING;
    loop {
        let face = polytope.nearest_face();
        if face.distance == f64::INFINITY {
            return best; // only slivers are left
        }
        best.lower = greater_of(best.lower, face.distance - polytope.slack(scale));
        let vertex = difference.support_in_lanes(simd, P::from_space(face.normal));
        let vertex = in_space(&vertex);
        let height = vertex.point.dot(face.normal);
        let is_lower = height < best.height;
        best.height = select_unpredictable(is_lower, height, best.height);
        best.normal = select_unpredictable(is_lower, face.normal, best.normal);
        record(steps, || step(polytope, &face, &vertex, &best, rounding));
        if best.height < limits.of_interest {
            return best;
        }
        // The face lies on the boundary of the difference, or so close to it that no other face can
        // be much nearer to the origin.
        let below = height - face.distance;
        if below <= 2.0 * rounding || (below <= gap && best.height - best.lower <= gap) {
            if height - best.height <= gap {
                // The witness points belong to this face, so its normal and depth are used, even if
                // another normal was slightly better.
                best.height = height;
                best.normal = face.normal;
                best.witnesses = polytope.witness_points(&face, gap);
            }
            return best;
        }
        let is_known = below <= gap && polytope.contains(&vertex);
        if is_known || polytope.is_full() || !polytope.add(simd, &face, &vertex, rounding) {
            return best;
        }
    }
}

/// A step of the polytope as a trace shows it.
#[cold]
fn step<P: PreciseVector>(
    polytope: &Polytope,
    face: &Face,
    support: &Vertex<DVec3>,
    best: &Depth<DVec3>,
    rounding: f64,
) -> Expansion<P> {
    let [lower, upper] = best.bounds(rounding);
    let from_space = |vertex: Vertex<DVec3>| vertex.map(P::from_space);
    Expansion {
        vertices: polytope.vertices().map(from_space).collect(),
        corners: polytope.corners(),
        nearest: face.index(),
        point: P::from_space(face.normal * face.distance),
        normal: P::from_space(face.normal),
        support: from_space(*support),
        lower: if surely_holds_origin(polytope, polytope.start_corners(), rounding) {
            lower
        } else {
            0.0
        },
        upper,
    }
}
