//! The corners of four triangles in SIMD lanes.
//!
//! Functions, since closures passed to `map` are not always inlined: then they are compiled for the oldest instruction
//! set, and each operation in lanes becomes a call.

use clearance_math::PreciseVector;
use clearance_math::lanes::{FourMatrices, FourVectors, Simd, f64x4, greater_in_lanes};

/// The first, second and third corners of four triangles, or their sides.
pub(crate) type FourCorners<S, P> = [FourVectors<S, P>; 3];

/// The corners relative to a point.
#[inline(always)]
pub(crate) fn relative_to<S: Simd, P: PreciseVector>(
    [a, b, c]: FourCorners<S, P>,
    point: FourVectors<S, P>,
) -> FourCorners<S, P> {
    [a - point, b - point, c - point]
}

/// The corners in the frames that the matrices turn.
#[inline(always)]
pub(crate) fn turned_back<S: Simd, P: PreciseVector>(
    rotation: &FourMatrices<S, P>,
    [a, b, c]: FourCorners<S, P>,
) -> FourCorners<S, P> {
    [
        rotation.apply_transposed(a),
        rotation.apply_transposed(b),
        rotation.apply_transposed(c),
    ]
}

/// The heights of the corners along a direction.
#[inline(always)]
pub(crate) fn heights<S: Simd, P: PreciseVector>(
    [a, b, c]: FourCorners<S, P>,
    direction: FourVectors<S, P>,
) -> [f64x4<S>; 3] {
    [a.dot(direction), b.dot(direction), c.dot(direction)]
}

/// The greatest squared length.
#[inline(always)]
pub(crate) fn greatest_square<S: Simd, P: PreciseVector>([a, b, c]: FourCorners<S, P>) -> f64x4<S> {
    greatest([a.length_squared(), b.length_squared(), c.length_squared()])
}

/// The greatest number in each lane.
#[inline(always)]
pub(crate) fn greatest<S: Simd>([a, b, c]: [f64x4<S>; 3]) -> f64x4<S> {
    greater_in_lanes(greater_in_lanes(a, b), c)
}
