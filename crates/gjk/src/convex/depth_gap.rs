//! How far apart the bounds of a depth may be.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::Convex;

use crate::answer::{Outcome, Status};

/// How far apart the bounds of the depth may be where the search ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthGap {
    /// Relative to the size of the difference.
    pub(crate) relative: f64,
    /// Whether it was chosen for the sake of the smaller of two shapes.
    is_of_smaller: bool,
}

/// The gap for two shapes.
pub(crate) fn depth_gap<V: Vector>(a: &Convex<V>, b: &Convex<V>) -> DepthGap {
    let of_difference = |relative| DepthGap {
        relative,
        is_of_smaller: false,
    };
    if a.core().is_polytope() && b.core().is_polytope() {
        return of_difference(tolerances::POLYTOPE_DEPTH_GAP);
    }
    let sizes = [a, b].map_each(|shape| shape.core_size() + shape.radius());
    let of_smaller = tolerances::SMOOTH_DEPTH_GAP_OF_SMALLER * sizes[0].min(sizes[1])
        / (a.core_size() + b.core_size());
    // A point has no size to be relative to.
    if of_smaller > 0.0 && of_smaller < tolerances::SMOOTH_DEPTH_GAP {
        DepthGap {
            relative: of_smaller,
            is_of_smaller: true,
        }
    } else {
        of_difference(tolerances::SMOOTH_DEPTH_GAP)
    }
}

/// The outcome of a search with that gap. The search cannot reach it for a small shape deep within a large curved one.
/// Such an answer counts as converged where its bounds are near each other relative to the depth.
pub(crate) fn near_enough<P: PreciseVector>(mut outcome: Outcome<P>, gap: DepthGap) -> Outcome<P> {
    if let Outcome::Near(measured) = &mut outcome
        && gap.is_of_smaller
        && measured.status == Status::IterationLimit
        && measured.upper - measured.lower
            <= tolerances::SMOOTH_DEPTH_GAP_OF_DEPTH * -measured.lower
    {
        measured.status = Status::Converged;
    }
    outcome
}
