//! Geometric predicates with an exact sign: the orientation of three points, and the side of a plane on
//! which a point lies.
//!
//! The points are made of `f32`, so each coordinate is a multiple of 2^-149 and less than 2^128. All
//! products of three coordinates, and the parts into which the exact evaluation splits them, are
//! within the normal range of `f64`. So the predicates neither overflow nor underflow, and no scaling
//! is needed.
//!
//! Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates", 1997, as implemented by the crate `robust`.

use clearance_math::internal::MapEach;
use clearance_math::{DVec2, DVec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Twice the signed area of a triangle: positive if `a`, `b`, `c` are in counter-clockwise order.
///
/// The sign is exact: the result is zero only for collinear points. The value is rounded.
#[inline]
pub(super) fn orientation(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c))
}

/// The height of `point` above the plane of a triangle, times twice the area of the triangle. It is
/// positive on the side from which the corners are in counter-clockwise order.
///
/// The sign is exact: the result is zero only for points in the plane. The value is rounded.
#[inline]
pub(super) fn height([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    #[cfg(test)]
    super::cost::count_step();
    let coord = |p: DVec3| Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    };
    -orient3d(coord(a), coord(b), coord(c), coord(point))
}

/// The cross product of two edges of a triangle. It is normal to the triangle and points to the side
/// from which `a`, `b`, `c` are in counter-clockwise order.
///
/// The signs of the components are exact, so the result is zero only for collinear points.
#[inline]
pub(super) fn cross([a, b, c]: [DVec3; 3]) -> DVec3 {
    let component = |axis| {
        let [a, b, c] = [a, b, c].map_each(|point| project_along(axis, point));
        orientation(a, b, c)
    };
    DVec3::new(component(0), component(1), component(2))
}

/// Projects a point along an axis to 2D, by leaving out one coordinate. The order of the other two is
/// such that points in counter-clockwise order around the axis remain so.
#[inline]
pub(super) fn project_along(axis: usize, point: DVec3) -> DVec2 {
    DVec2::new(point[(axis + 1) % 3], point[(axis + 2) % 3])
}

/// The first index below `count` for which `value` is greatest, and that value.
pub(super) fn argmax(count: usize, value: impl Fn(usize) -> f64) -> (usize, f64) {
    (0..count).fold((0, f64::NEG_INFINITY), |best, index| {
        let candidate = value(index);
        if candidate > best.1 {
            (index, candidate)
        } else {
            best
        }
    })
}
