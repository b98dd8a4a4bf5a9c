//! The true signed distance of two bodies, bracketed without the engine.

use clearance_math::PreciseVector;
use clearance_shapes::{HalfSpace, Shape};

use super::axes::greatest_separation;
use super::body::Space;
use super::depth::depth;
use super::features::nearest_features;
use super::pair::Pair;
use super::solid::Solid;
use crate::common::Body;

/// The true signed distance lies between these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// How near the bounds of a distance are brought, relative to the size of the pair.
const DISTANCE_GAP: f64 = 1e-12;

/// How near the bounds of a curved depth are brought, relative to the size of the pair: where one
/// parameter decides and where two do.
const ARC_GAP: f64 = 1e-9;
const TRIANGLE_GAP: f64 = 5e-7;

/// The signed distance of two bodies; one of them may be a half-space.
pub(crate) fn truth<V: Space>(a: &Body<V>, b: &Body<V>) -> Truth {
    match (&a.shape, &b.shape) {
        (Shape::HalfSpace(plane), Shape::Convex(_)) => over_plane(a, plane, b),
        (Shape::Convex(_), Shape::HalfSpace(plane)) => over_plane(b, plane, a),
        _ => {
            let pair = Pair::new(a, b);
            let cores = match (pair.a.polytope(), pair.b.polytope()) {
                (Some(_), Some(_)) => of_polytopes(&pair),
                _ => of_curved(&pair),
            };
            let (radii, rounding) = (pair.radii(), pair.rounding());
            Truth {
                low: cores.low - radii - rounding,
                high: cores.high - radii + rounding,
            }
        }
    }
}

/// The signed distance of two cores that are hulls of finitely many points.
pub(crate) fn of_polytopes(pair: &Pair) -> Truth {
    let (axes, high) = greatest_separation(pair);
    // Not enough alone where the difference is flat, or where corners are nearest.
    if axes < -1e-11 * pair.size() {
        return Truth {
            low: axes,
            high: high + 1e-13 * pair.size(),
        };
    }
    let near = pair.nearest(DISTANCE_GAP * pair.size());
    let truth = Truth {
        low: near.low.max(axes),
        high: near.high,
    };
    if truth.high - truth.low <= DISTANCE_GAP * pair.size() {
        return truth;
    }
    let features = nearest_features(pair);
    Truth {
        low: truth.low.max(features.low),
        high: truth.high.min(features.high),
    }
}

fn of_curved(pair: &Pair) -> Truth {
    let near = pair.nearest(DISTANCE_GAP * pair.size());
    if near.low > 0.0 {
        return Truth {
            low: near.low,
            high: near.high,
        };
    }
    let gap = if pair.dimension == 2 || pair.common_axis().is_some() {
        ARC_GAP
    } else {
        TRIANGLE_GAP
    };
    let depth = depth(pair, gap * pair.size());
    Truth {
        low: near.low.max(-depth.high),
        high: near.high.min(-depth.low),
    }
}

/// The least height of a body over the plane of a half-space.
fn over_plane<V: Space>(a: &Body<V>, plane: &HalfSpace<V>, b: &Body<V>) -> Truth {
    let normal = V::turn(a.pose.rotation) * plane.normal().in_space();
    let apart = b.at() - a.at();
    let lowest = b.reach_along(-normal);
    let height = normal.dot(apart) + normal.dot(lowest) - plane.offset();
    let reach = Solid::new(b).reach;
    let rounding = 16.0 * f64::EPSILON * (reach + apart.length() + plane.offset());
    Truth {
        low: height - rounding,
        high: height + rounding,
    }
}
