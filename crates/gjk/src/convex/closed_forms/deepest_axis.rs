//! The results of overlapping cores whose axis of least overlap is known.

use clearance_math::{RelativePose, Vector, tolerances};
use clearance_shapes::Convex;

use crate::answer::{Measured, Status};
use crate::search::penetration::{Depth, finish};
use crate::search::{Cores, Minkowski};

/// Completes the overlap along the axis of least overlap.
#[inline(never)]
pub(crate) fn along_axis<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    depth: Depth<V::Precise>,
) -> Measured<V::Precise> {
    let difference = Cores::new(a, b, b_in_a);
    let slack = tolerances::WITNESS_OFFSET * difference.size();
    Measured {
        status: Status::Exact,
        ..finish(&difference, depth, slack, None)
    }
}
