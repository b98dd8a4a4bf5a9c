//! How far apart the bounds of a depth may be.

use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::Convex;

use crate::answer::Status;
use crate::measured::Outcome;

/// The gap between the bounds of the depth at which the search ends, relative to the size of the difference.
pub(crate) fn depth_gap<V: Vector>(a: &Convex<V>, b: &Convex<V>) -> f64 {
    if a.core().is_polytope() && b.core().is_polytope() {
        return tolerances::POLYTOPE_DEPTH_GAP;
    }
    let sizes = [a, b].map(|shape| shape.core_size() + shape.radius());
    let of_smaller = tolerances::SMOOTH_DEPTH_GAP_OF_SMALLER * sizes[0].min(sizes[1])
        / (a.core_size() + b.core_size());
    // A point has no size to be relative to.
    if of_smaller > 0.0 {
        of_smaller.min(tolerances::SMOOTH_DEPTH_GAP)
    } else {
        tolerances::SMOOTH_DEPTH_GAP
    }
}

/// The outcome of a search with that gap: a small shape that is deep within a large curved one is out of reach of the
/// search, and converged where the bounds are near each other relative to the depth.
pub(crate) fn near_enough<P: PreciseVector>(mut outcome: Outcome<P>, gap: f64) -> Outcome<P> {
    let is_of_smaller = gap < tolerances::SMOOTH_DEPTH_GAP && gap != tolerances::POLYTOPE_DEPTH_GAP;
    if let Outcome::Near(measured) = &mut outcome
        && is_of_smaller
        && measured.status == Status::IterationLimit
        && measured.upper - measured.lower
            <= tolerances::SMOOTH_DEPTH_GAP_OF_DEPTH * -measured.lower
    {
        measured.status = Status::Converged;
    }
    outcome
}
