//! Geometric predicates with an exact sign: the orientation of three points, and the side of a plane on
//! which a point lies.
//!
//! The points are made of `f32`, so each coordinate is a multiple of 2^-149 and less than 2^128; that whose height is asked may be
//! any `f64` down to 2^-250. All products of three coordinates, and the parts into which the exact evaluation splits
//! them, are within the normal range of `f64`. So the predicates neither overflow nor underflow, and no scaling
//! is needed.
//!
//! Points that are in a plane are common, since faces have more than three corners. Rounding cannot tell these, but whole
//! numbers of 128 bits do where the coordinates have a common step, as those of a part beside its origin have.
//!
//! Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates", 1997, as implemented by the crate `robust`.

use clearance_math::internal::MapEach;
use clearance_math::{DVec2, DVec3, tolerances};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Twice the signed area of a triangle: positive if `a`, `b`, `c` are in counter-clockwise order.
///
/// The sign is exact: the result is zero only for collinear points. The value is rounded.
#[inline]
pub(crate) fn orientation(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c))
}

/// The height of `point` above the plane of a triangle, times twice the area of the triangle. It is
/// positive on the side from which the corners are in counter-clockwise order.
///
/// The sign is exact: the result is zero only for points in the plane. The value is rounded.
#[inline]
pub(crate) fn height([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    #[cfg(test)]
    super::cost::count_step();
    let [x, y, z] = [a, b, c].map_each(|corner| corner - point);
    let estimate = -x.dot(y.cross(z));
    let [x, y, z] = [x, y, z].map_each(DVec3::abs);
    let terms = x.dot(DVec3::new(
        y.y * z.z + y.z * z.y,
        y.z * z.x + y.x * z.z,
        y.x * z.y + y.y * z.x,
    ));
    if estimate.abs() > tolerances::DETERMINANT_ROUNDING * terms {
        return estimate;
    }
    if let Some(exact) = height_in_steps([a, b, c], point) {
        return exact;
    }
    let coord = |p: DVec3| Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    };
    -orient3d(coord(a), coord(b), coord(c), coord(point))
}

/// [`height`] by whole numbers; `None` where they are too large.
fn height_in_steps(corners: [DVec3; 3], point: DVec3) -> Option<f64> {
    // The exponent of the last binary digit of a number.
    let last_digit = |x: f64| {
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i64;
        (x != 0.0).then_some(exponent - 1075 + i64::from((bits | 1 << 52).trailing_zeros()))
    };
    let all = corners.iter().chain([&point]).flat_map(|p| p.to_array());
    let least = all.filter_map(last_digit).min()?;
    let power = |exponent: i64| f64::from_bits(((1023 + exponent) as u64) << 52);
    // Third powers have a place in double precision, too.
    if least.abs() > 200 {
        return None;
    }
    // Differences of such numbers are below 2^41, and so all that follows is below 2^126.
    let whole = |p: DVec3| {
        let scaled = p * power(-least);
        let is_small = scaled.abs().max_element() < (1_u64 << 40) as f64;
        is_small.then(|| scaled.to_array().map_each(|x| x as i64))
    };
    let from = whole(point)?;
    let beside = |corner: DVec3| {
        let [x, y, z] = whole(corner)?;
        Some([x - from[0], y - from[1], z - from[2]].map_each(i128::from))
    };
    let [a, b, c] = corners.map_each(beside);
    let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a?, b?, c?);
    let volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    Some(-volume as f64 * power(3 * least))
}

/// The cross product of two edges of a triangle. It is normal to the triangle and points to the side
/// from which `a`, `b`, `c` are in counter-clockwise order.
///
/// The signs of the components are exact, so the result is zero only for collinear points.
#[inline]
pub(crate) fn cross([a, b, c]: [DVec3; 3]) -> DVec3 {
    let component = |axis| {
        let [a, b, c] = [a, b, c].map_each(|point| project_along(axis, point));
        orientation(a, b, c)
    };
    DVec3::new(component(0), component(1), component(2))
}

/// Projects a point along an axis to 2D, by leaving out one coordinate. The order of the other two is
/// such that points in counter-clockwise order around the axis remain so.
#[inline]
pub(crate) fn project_along(axis: usize, point: DVec3) -> DVec2 {
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// Whatever coordinates four points have, the sign is that of Shewchuk's expansions.
    #[test]
    fn heights_have_the_signs_of_expansions() {
        let mut random = Pcg64::seed_from_u64(60);
        let mut level = 0;
        for round in 0..100_000 {
            // Multiples of a step, few or many, far from the origin or not; and all numbers of single precision.
            let (step, count) = (
                f32::exp2(random.random_range(-149.0..80.0_f32).floor()),
                1 << random.random_range(1..24),
            );
            let any = round % 4 == 0;
            let mut coordinate = || match any {
                true => f64::from(f32::from_bits(random.random_range(0..0x7f7f_ffff_u32))),
                false => f64::from(random.random_range(-count..=count) as f32 * step),
            };
            let mut point = || DVec3::new(coordinate(), coordinate(), coordinate());
            let [a, b, c] = [point(), point(), point()];
            let of_plane = [a, b, b + c - a, a + 2.0 * (c - b)][round / 4 % 4]
                .as_vec3()
                .as_dvec3();
            let point = if round % 2 == 0 { point() } else { of_plane };
            let coord = |p: DVec3| Coord3D {
                x: p.x,
                y: p.y,
                z: p.z,
            };
            let expected = -orient3d(coord(a), coord(b), coord(c), coord(point));
            let found = height([a, b, c], point);
            let sign = |x: f64| x.partial_cmp(&0.0);
            assert_eq!(sign(found), sign(expected), "{a} {b} {c} {point}");
            level += usize::from(found == 0.0);
        }
        assert!((10_000..90_000).contains(&level), "{level}");
    }

    /// Heights are compared with each other, so those that only whole numbers tell are in the same unit.
    #[test]
    fn a_height_of_one_step_is_one_step() {
        let a = DVec3::new(8_000_001.0, 8_000_000.0, 7_999_999.0);
        let corners = [a, a + DVec3::Z, a + DVec3::new(1.0, 1.0, 0.0)];
        for step in [-149, -20, 0, 100].map(|exponent| 2.0_f64.powi(exponent)) {
            let found = height(corners.map(|corner| corner * step), DVec3::ZERO);
            assert_eq!(found.abs(), step.powi(3));
        }
    }
}
