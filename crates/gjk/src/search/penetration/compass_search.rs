//! A direct search for the direction of least depth, used when the expanding polytope has no room
//! for more vertices.
//!
//! That happens for round shapes with almost the same centre, where whole circles or spheres of
//! directions are almost equally deep. The best direction of the polytope is then slightly wrong, or
//! it belongs to the wrong one of two local minima.

use clearance_math::{PreciseVector, tolerances};

use super::Depth;
use crate::search::Minkowski;

/// The first step of the search in radians: about the angle between neighbouring faces of a large
/// polytope that is full.
const FIRST_STEP: f64 = 0.1;

/// The most support points that one search may ask for.
const EVALUATION_LIMIT: usize = 400;

/// A direction, and the height of the support point of the difference along it.
#[derive(Clone, Copy)]
struct CompassCandidate<P> {
    height: f64,
    normal: P,
}

/// Replaces a depth by the least one that the search finds.
///
/// There are two searches. One starts from the best direction so far, the other from the best axis of
/// the two shapes, because the flat ends of cuboids, cylinders and cones are perpendicular to an axis.
pub(super) fn improved<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    depth: Depth<P>,
) -> Depth<P> {
    let height = |n: P| n.dot(difference.support(n).point);
    let so_far = CompassCandidate {
        height: depth.height,
        normal: depth.normal,
    };
    let mut axis = CompassCandidate {
        height: f64::INFINITY,
        normal: depth.normal,
    };
    for index in 0..2 * P::DIM {
        for normal in [difference.axis(index), -difference.axis(index)] {
            let height = height(normal);
            if height < axis.height {
                axis = CompassCandidate { height, normal };
            }
        }
    }
    let from_best = compass_search(height, so_far);
    let from_axis = compass_search(height, axis);
    let least = if from_axis.height < from_best.height {
        from_axis
    } else {
        from_best
    };
    if !(least.height < depth.height) {
        return depth;
    }
    let lower = depth.lower.min(least.height);
    Depth::along(least.normal, [lower, least.height])
}

/// Finds a local minimum of the height by compass search on the unit sphere.
///
/// Each iteration tries a step to every side and takes the first one that lowers the height. If none
/// does, the step is halved (Kolda, Lewis, Torczon, "Optimization by Direct Search", 2003).
fn compass_search<P: PreciseVector>(
    height: impl Fn(P) -> f64,
    mut best: CompassCandidate<P>,
) -> CompassCandidate<P> {
    let mut step = FIRST_STEP;
    let mut evaluations = 0;
    while step > tolerances::COMPASS_LAST_STEP && evaluations < EVALUATION_LIMIT {
        let mut has_moved = false;
        for side in tangents(best.normal).into_iter().take(2 * (P::DIM - 1)) {
            let Some(normal) = (best.normal + side * step).direction() else {
                continue;
            };
            let height = height(normal);
            evaluations += 1;
            if height < best.height {
                best = CompassCandidate { height, normal };
                has_moved = true;
                break;
            }
        }
        if !has_moved {
            step *= 0.5;
        }
    }
    best
}

/// Directions perpendicular to a unit vector. In 2D only the first two are valid, in 3D all four.
fn tangents<P: PreciseVector>(normal: P) -> [P; 4] {
    let u = normal.perpendicular();
    let v = P::from_space(normal.in_space().cross(u.in_space()));
    [u, -u, v, -v]
}
