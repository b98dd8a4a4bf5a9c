//! The corners of a triangle, or of one in each lane.
//!
//! Functions, since closures passed to `map` are not always inlined: then they are compiled for the oldest instruction
//! set, and each operation in lanes becomes a call.

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{MatricesInLanes, Number, VectorsInLanes};

/// The first, second and third corners, or the sides.
pub(crate) type Corners<F, P> = [VectorsInLanes<F, P>; 3];

/// The corners relative to a point.
#[inline(always)]
pub(crate) fn relative_to<F: Number, P: PreciseVector>(
    [a, b, c]: Corners<F, P>,
    point: VectorsInLanes<F, P>,
) -> Corners<F, P> {
    [a - point, b - point, c - point]
}

/// The corners in the frames that the matrices turn.
#[inline(always)]
pub(crate) fn turned_back<F: Number, P: PreciseVector>(
    rotation: &MatricesInLanes<F, P>,
    [a, b, c]: Corners<F, P>,
) -> Corners<F, P> {
    [
        rotation.apply_transposed(a),
        rotation.apply_transposed(b),
        rotation.apply_transposed(c),
    ]
}

/// The heights of the corners along a direction.
#[inline(always)]
pub(crate) fn heights<F: Number, P: PreciseVector>(
    [a, b, c]: Corners<F, P>,
    direction: VectorsInLanes<F, P>,
) -> [F; 3] {
    [a.dot(direction), b.dot(direction), c.dot(direction)]
}

/// The greatest squared length.
#[inline(always)]
pub(crate) fn greatest_square<F: Number, P: PreciseVector>([a, b, c]: Corners<F, P>) -> F {
    greatest([a.length_squared(), b.length_squared(), c.length_squared()])
}

/// The greatest number in each lane.
#[inline(always)]
pub(crate) fn greatest<F: Number>([a, b, c]: [F; 3]) -> F {
    a.greater(b).greater(c)
}
