//! On which side a point lies: answers whose sign is exact.
//!
//! The points come from `f32`, so each coordinate is a multiple of 2^-149 and less than 2^128: all
//! products of three coordinates, and the parts that the exact evaluation splits them into, lie
//! within the normal range of `f64`. The predicates therefore neither overflow nor underflow,
//! and no scaling is needed.
//!
//! Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates", 1997, as implemented by the crate `robust`.

use clearance_math::{DVec2, DVec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Twice the signed area of the triangle: positive if `a`, `b`, `c` turn counter-clockwise.
///
/// The sign is exact, and so is zero; the value is rounded.
#[inline]
pub(super) fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c))
}

/// Six times the signed volume below `point`: positive on the side from which the triangle runs
/// counter-clockwise.
///
/// The sign is exact, and so is zero; the value is rounded. For one triangle it grows with the
/// distance from its plane.
#[inline]
pub(super) fn height([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    #[cfg(test)]
    super::effort::count_step();
    let coord = |p: DVec3| Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    };
    -orient3d(coord(a), coord(b), coord(c), coord(point))
}

/// The cross product of two sides of the triangle: normal to it, upright where `a`, `b`, `c` run
/// counter-clockwise.
///
/// The signs of the components are exact, so the answer is zero only for collinear points.
#[inline]
pub(super) fn cross([a, b, c]: [DVec3; 3]) -> DVec3 {
    let component = |axis| turn(flattened(a, axis), flattened(b, axis), flattened(c, axis));
    DVec3::new(component(0), component(1), component(2))
}

/// The point seen against axis `axis`: a turn counter-clockwise about it stays one.
#[inline]
pub(super) fn flattened(point: DVec3, axis: usize) -> DVec2 {
    DVec2::new(point[(axis + 1) % 3], point[(axis + 2) % 3])
}

/// The first index that maximises `value`, and the maximum.
pub(super) fn greatest(count: usize, value: impl Fn(usize) -> f64) -> (usize, f64) {
    (0..count).fold((0, f64::NEG_INFINITY), |best, index| {
        let candidate = value(index);
        if candidate > best.1 {
            (index, candidate)
        } else {
            best
        }
    })
}
