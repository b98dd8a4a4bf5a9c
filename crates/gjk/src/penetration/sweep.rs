//! The last method for a depth: a direct search of directions where the polytope ran out of vertices.
//!
//! That happens where whole circles or spheres of directions are almost equally deep: round shapes
//! in the middle of each other. There the polytope's best direction is off by a little, or lies in
//! the wrong one of two valleys.

use clearance_math::PreciseVector;

use super::Depth;
use crate::difference::Minkowski;

/// The first step of the search, in radians: about as far as the faces of a full polytope lie apart.
const FIRST_STEP: f64 = 0.1;

/// The last step, in radians: the height is off by its square then.
const LAST_STEP: f64 = 1e-5;

/// The most evaluations of one search.
const EVALUATION_LIMIT: usize = 400;

/// The lowest height found by walking downhill from the best direction so far, and from the axes
/// of both shapes, in which the flat ends of cuboids, cylinders and cones face.
pub(super) fn lowered<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    depth: Depth<P>,
) -> Depth<P> {
    let height = |n: P| n.dot(difference.support(n).point);
    let mut axis = (f64::INFINITY, depth.normal);
    for index in 0..2 * P::DIM {
        for n in [difference.axis(index), -difference.axis(index)] {
            let found = height(n);
            if found < axis.0 {
                axis = (found, n);
            }
        }
    }
    let start = (depth.height, depth.normal);
    let (here, there) = (downhill(height, start), downhill(height, axis));
    let (lowest, normal) = if there.0 < here.0 { there } else { here };
    if !(lowest < depth.height) {
        return depth;
    }
    Depth {
        height: lowest,
        lower: depth.lower.min(lowest),
        normal,
        witnesses: None,
    }
}

/// Compass search on the sphere of directions: a step to each side, taken if it leads down, halved
/// if none does (Kolda, Lewis, Torczon, "Optimization by Direct Search", 2003).
fn downhill<P: PreciseVector>(
    height: impl Fn(P) -> f64,
    (mut lowest, mut normal): (f64, P),
) -> (f64, P) {
    let mut step = FIRST_STEP;
    let mut evaluations = 0;
    while step > LAST_STEP && evaluations < EVALUATION_LIMIT {
        let mut has_moved = false;
        for side in sides(normal).into_iter().take(2 * (P::DIM - 1)) {
            let Some(n) = (normal + side * step).direction() else {
                continue;
            };
            let found = height(n);
            evaluations += 1;
            if found < lowest {
                (lowest, normal, has_moved) = (found, n, true);
                break;
            }
        }
        if !has_moved {
            step *= 0.5;
        }
    }
    (lowest, normal)
}

/// The directions at right angles to a unit vector: two in the plane, four in space.
fn sides<P: PreciseVector>(normal: P) -> [P; 4] {
    let u = normal.perpendicular();
    let v = P::from_space(normal.in_space().cross(u.in_space()));
    [u, -u, v, -v]
}
