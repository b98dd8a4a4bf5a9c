//! Where a ray enters a box. The arithmetic for one box and for four boxes at once is identical.

use clearance_math::{Aabb, Ray, Real, Vector};
use glam::Vec4;

/// Twice the relative rounding error of a slab parameter (a difference and a quotient), and a
/// reserve. With it, a ray that touches a box in exact arithmetic is never missed.
const SLACK: Real = 4.0 * Real::EPSILON;

/// A lower bound of the parameter at which `ray` enters `bounds`, if that is at most `max`.
///
/// Kay and Kajiya, "Ray Tracing Complex Scenes" (1986). Dividing keeps the result monotone: a box
/// that contains another one that is hit is hit itself, and not later.
#[must_use]
pub fn entry<V: Vector>(ray: &Ray<V>, bounds: &Aabb<V>, max: Real) -> Option<Real> {
    let (mut near, mut far) = (0.0, max);
    for k in 0..V::DIM {
        let (origin, direction) = (ray.origin().component(k), ray.direction().component(k));
        let (low, high) = (bounds.min.component(k), bounds.max.component(k));
        if direction == 0.0 {
            if !(low <= origin && origin <= high) {
                return None;
            }
            continue;
        }
        let (first, second) = if direction > 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        near = Real::max(near, (first - origin) / direction);
        far = Real::min(far, (second - origin) / direction);
    }
    (near <= far * (1.0 + SLACK)).then_some(near * (1.0 - SLACK))
}

/// [`entry`] for four boxes given by component: the lanes that are hit, as bits, and the
/// parameters.
#[inline]
#[must_use]
pub fn entry_of_four<V: Vector>(
    ray: &Ray<V>,
    low: &[Vec4; 3],
    high: &[Vec4; 3],
    max: Real,
) -> (u32, [Real; 4]) {
    let (mut near, mut far) = (Vec4::ZERO, Vec4::splat(max));
    let mut mask = 0b1111;
    for k in 0..V::DIM {
        let direction = ray.direction().component(k);
        let origin = Vec4::splat(ray.origin().component(k));
        if direction == 0.0 {
            mask &= (low[k].cmple(origin) & origin.cmple(high[k])).bitmask();
            continue;
        }
        let (first, second) = if direction > 0.0 {
            (low[k], high[k])
        } else {
            (high[k], low[k])
        };
        near = near.max((first - origin) / direction);
        far = far.min((second - origin) / direction);
    }
    mask &= near.cmple(far * (1.0 + SLACK)).bitmask();
    (mask, (near * (1.0 - SLACK)).to_array())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_math::{Vec2, Vec3};

    #[test]
    fn a_ray_along_a_side_and_one_that_starts_inside_hit() {
        let unit = Aabb::new(Vec2::ZERO, Vec2::ONE);
        let along = Ray::new(Vec2::new(-2.0, 1.0), Vec2::new(1.0, 0.0)).unwrap();
        let entered = entry(&along, &unit, 10.0).unwrap();
        assert!(entered <= 2.0 && entered > 1.999_99);
        assert_eq!(entry(&along, &unit, 1.9), None);
        let inside = Ray::new(Vec2::splat(0.5), Vec2::new(0.0, -1.0)).unwrap();
        assert_eq!(entry(&inside, &unit, 10.0), Some(0.0));
        let behind = Ray::new(Vec2::new(2.0, 0.5), Vec2::new(1.0, 0.0)).unwrap();
        assert_eq!(entry(&behind, &unit, 10.0), None);
    }

    #[test]
    fn infinite_sides_and_subnormal_directions_give_no_nan() {
        let below = Aabb::new(
            Vec3::splat(Real::NEG_INFINITY),
            Vec3::new(Real::INFINITY, 0.0, Real::INFINITY),
        );
        let down = Ray::new(Vec3::new(0.0, 4.0, 0.0), Vec3::new(1e-42, -2.0, 0.0)).unwrap();
        let entered = entry(&down, &below, Real::INFINITY).unwrap();
        assert!(entered <= 2.0 && entered > 1.999_99);
    }
}
