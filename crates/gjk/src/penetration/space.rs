//! Penetration in space: the expanding polytope.

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::lanes::{Simd, dispatch, level};
use clearance_math::{DVec3, PreciseVector, tolerances};

use super::polytope::Polytope;
use super::{Depth, flat};
use crate::difference::Minkowski;
use crate::simplex::{Simplex, tetrahedron_surely_holds_origin};
use crate::vertex::Vertex;

/// The most vertices of the polytope at first: most overlaps need about ten.
const VERTICES: usize = 128;
const BLOCKS: usize = VERTICES / 2;

/// The most vertices of the polytope where these do not do.
///
/// Round shapes in the middle of each other leave whole circles of directions almost equally deep: a
/// few hundred faces around them close the bounds to [`tolerances::SMOOTH_DEPTH_GAP`].
const MANY_VERTICES: usize = 512;
const MANY_BLOCKS: usize = MANY_VERTICES / 2;

/// Grows a polytope inside the difference until its face nearest the origin lies on the boundary.
///
/// Van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects" (2001).
/// Deviates in starting from any tetrahedron inside the difference (a face with the origin in
/// front of it has a negative distance and is simply the first to grow), in keeping the best
/// direction seen as upper bound, and in bounding the depth from below at every step.
pub(super) fn expand<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    simplex: &Simplex<P>,
    gap: f64,
) -> Depth<P> {
    let support = |direction: DVec3| in_space(&difference.support(P::from_space(direction)));
    let known = simplex.vertices().iter().map(in_space);
    let thin = tolerances::FLAT_DIFFERENCE * difference.size() + difference.rounding();
    let depth = match tetrahedron(&support, known, thin) {
        Ok(corners) => {
            let limits = (gap, difference.rounding());
            let mut depth = grow::<P, VERTICES, BLOCKS>(difference, corners, limits);
            if depth.has_run_out {
                depth = grow_wide(difference, corners, limits);
            }
            let depth = depth.depth;
            if depth.height.is_finite() {
                depth
            } else {
                // Nothing but slivers: the difference is a needle.
                let along = corners[1].point - corners[0].point;
                flat(&support, along.perpendicular())
            }
        }
        Err(normal) => flat(&support, normal),
    };
    Depth {
        height: depth.height,
        lower: depth.lower,
        normal: P::from_space(depth.normal),
        witnesses: depth
            .witnesses
            .map(|(a, b)| (P::from_space(a), P::from_space(b))),
    }
}

#[inline(always)]
fn in_space<P: PreciseVector>(vertex: &Vertex<P>) -> Vertex<DVec3> {
    Vertex {
        point: vertex.point.in_space(),
        on_a: vertex.on_a.in_space(),
        on_b: vertex.on_b.in_space(),
    }
}

/// A tetrahedron of vertices of the difference, not flatter than `thin`, or the direction across a
/// flat difference.
fn tetrahedron(
    support: &impl Fn(DVec3) -> Vertex<DVec3>,
    known: impl ExactSizeIterator<Item = Vertex<DVec3>>,
    thin: f64,
) -> Result<[Vertex<DVec3>; 4], DVec3> {
    let known: ArrayVec<Vertex<DVec3>, 4> = known.collect();
    if let Ok(corners) = known.clone().into_inner()
        && is_solid(&corners)
    {
        return Ok(corners);
    }
    let first = known[0];
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let from_first = |v: &Vertex<DVec3>| (v.point - first.point).length();
    let Some(second) = farthest(support, &known, &axes, (from_first, thin)) else {
        return Err(DVec3::X);
    };
    let along = (second.point - first.point).normalize();
    let across = along.perpendicular();
    let sides = [across, along.cross(across)];
    let from_line = |v: &Vertex<DVec3>| (v.point - first.point).cross(along).length();
    let Some(third) = farthest(support, &known, &sides, (from_line, thin)) else {
        return Err(across);
    };
    let normal = along.cross(third.point - first.point).normalize();
    let from_plane = |v: &Vertex<DVec3>| (v.point - first.point).dot(normal).abs();
    match farthest(support, &known, &[normal], (from_plane, thin)) {
        Some(fourth) => Ok([first, second, third, fourth]),
        None => Err(normal),
    }
}

/// Whether a tetrahedron is far from flat: nothing better need be sought.
fn is_solid([a, b, c, d]: &[Vertex<DVec3>; 4]) -> bool {
    let [u, v, w] = [b, c, d].map(|vertex| vertex.point - a.point);
    let volume = u.dot(v.cross(w));
    let edges = u.length_squared() * v.length_squared() * w.length_squared();
    volume * volume > tolerances::SOLID * tolerances::SOLID * edges
}

/// The known vertex that is farthest by `measure`, or one found along the directions and their
/// opposites where none of the known is far enough.
fn farthest(
    support: &impl Fn(DVec3) -> Vertex<DVec3>,
    known: &[Vertex<DVec3>],
    directions: &[DVec3],
    (measure, thin): (impl Fn(&Vertex<DVec3>) -> f64, f64),
) -> Option<Vertex<DVec3>> {
    let pick = |best: Option<Vertex<DVec3>>, v: Vertex<DVec3>| match best {
        Some(other) if measure(&other) >= measure(&v) => Some(other),
        _ => Some(v),
    };
    let among = known.iter().copied().fold(None, pick);
    let found = if among.is_some_and(|v| measure(&v) > tolerances::FAR_FROM_FLAT * thin) {
        among
    } else {
        let both = directions.iter().flat_map(|&d| [d, -d]);
        both.map(support).fold(among, pick)
    };
    found.filter(|v| measure(v) > thin)
}

/// What came of a growth.
struct Grown {
    depth: Depth<DVec3>,
    /// Whether it ended because the polytope was full.
    has_run_out: bool,
}

/// [`grow`] with capacity for more vertices, which few overlaps need.
#[cold]
#[inline(never)]
fn grow_wide<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    corners: [Vertex<DVec3>; 4],
    limits: (f64, f64),
) -> Grown {
    grow::<P, MANY_VERTICES, MANY_BLOCKS>(difference, corners, limits)
}

#[inline]
fn grow<P: PreciseVector, const VERTICES: usize, const BLOCKS: usize>(
    difference: &impl Minkowski<P>,
    corners: [Vertex<DVec3>; 4],
    limits: (f64, f64),
) -> Grown {
    let mut polytope = Polytope::<VERTICES, BLOCKS>::new();
    polytope.start(corners);
    let mut depth = dispatch!(level(), simd => expanded(simd, difference, &mut polytope, limits));
    // The origin may be beyond faces whose planes are not known, unless it was inside from the start.
    let (_, rounding) = limits;
    if polytope.sliver_width() > rounding
        && !tetrahedron_surely_holds_origin(corners.map(|v| v.point), rounding)
    {
        depth.lower = depth.lower.min(0.0);
    }
    Grown {
        has_run_out: polytope.is_full() && depth.height - depth.lower > limits.0,
        depth,
    }
}

#[inline(always)]
fn expanded<S: Simd, P: PreciseVector, const VERTICES: usize, const BLOCKS: usize>(
    simd: S,
    difference: &impl Minkowski<P>,
    polytope: &mut Polytope<VERTICES, BLOCKS>,
    (gap, rounding): (f64, f64),
) -> Depth<DVec3> {
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
            return best; // nothing but slivers is left
        }
        best.lower = best.lower.max(face.distance - polytope.slack(scale));
        let vertex = difference.support_in_lanes(simd, P::from_space(face.normal));
        let vertex = in_space(&vertex);
        let height = vertex.point.dot(face.normal);
        let is_lower = height < best.height;
        best.height = select_unpredictable(is_lower, height, best.height);
        best.normal = select_unpredictable(is_lower, face.normal, best.normal);
        // The face lies on the boundary, or so near below it that no other can be much nearer.
        let below = height - face.distance;
        if below <= 2.0 * rounding || (below <= gap && best.height - best.lower <= gap) {
            if height - best.height <= gap {
                // The depth along the normal that the witness points lie on, if only a little more.
                best.height = height;
                best.normal = face.normal;
                best.witnesses = polytope.foot(&face, gap);
            }
            return best;
        }
        let is_known = below <= gap && polytope.contains(&vertex);
        if is_known || polytope.is_full() || !polytope.add(simd, (&face, vertex), rounding) {
            return best;
        }
    }
}
