//! Convex shapes: a core and its rounding radius.

use clearance_math::internal::MapEach;
use clearance_math::{
    Aabb, DVec3, Matrix, Pose, PreciseVector, RelativePose, Rotation, Vector, tolerances,
};

use crate::{Core, Support};

/// A convex shape of finite size: all points within a radius of a core, in the frame of its body.
/// This is the Minkowski sum of the core and a ball.
///
/// The constructors of [`crate::Shape`] make it.
// In this order what two cuboids need is in one line of the cache more often.
#[repr(C)]
#[derive(Clone, Debug, PartialEq)]
pub struct Convex<V: Vector> {
    // The first three follow from what is below; they are stored because every query needs them.
    center: V::Precise,
    size: f64,
    bounding_radius: f64,
    radius: f64,
    core: Core<V>,
}

impl<V: Vector> Convex<V> {
    pub(crate) fn new(core: Core<V>, radius: f64) -> Self {
        let (center, bounding_radius) = (core.center(), core.bounding_radius());
        Self {
            center,
            bounding_radius,
            // The origin is the middle of many shapes, though not the mean of their corners.
            size: core.radius_about(center).min(bounding_radius),
            core,
            radius,
        }
    }

    /// The shape without its rounding radius.
    #[inline]
    #[must_use]
    pub fn core(&self) -> &Core<V> {
        &self.core
    }

    /// The rounding radius, >= 0, in units of length.
    ///
    /// Radii are added in double precision where a shape is rounded several times.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// A point inside the core near its middle, in the frame of the body. Searches start from it.
    #[inline]
    #[must_use]
    pub fn core_center(&self) -> V::Precise {
        self.center
    }

    /// An upper bound of the distance of the core's points from the origin of the body, in units of
    /// length.
    #[inline]
    #[must_use]
    pub fn core_bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// An upper bound of the distance of the core's points from a point in its middle, in units of length.
    ///
    /// Unlike [`Convex::core_bounding_radius`] it does not grow with the distance of the core from the
    /// origin of the body.
    #[inline]
    #[must_use]
    pub fn core_size(&self) -> f64 {
        self.size
    }

    /// A ball around the core: its centre in the frame of the body, and its radius, which is
    /// [`Convex::core_size`].
    #[inline]
    #[must_use]
    pub fn core_ball(&self) -> (V::Precise, f64) {
        let is_about_origin = self.size == self.bounding_radius;
        let center = if is_about_origin {
            V::Precise::ZERO
        } else {
            self.center
        };
        (center, self.size)
    }

    /// The unit normal of the front of a triangle in space, from where its corners run counter-clockwise, or of a segment
    /// in the plane, on the right of the way from its first end to its second, in the frame of the body. `None` for all
    /// other shapes, and for a triangle without area.
    #[must_use]
    pub fn front(&self) -> Option<V::Precise> {
        let normal = match &self.core {
            Core::Triangle(triangle) if const { V::DIM == 3 } => {
                let [a, b, c] = triangle.corners().map_each(PreciseVector::in_space);
                (b - a).cross(c - a)
            }
            Core::Segment(segment) if const { V::DIM == 2 } => {
                let along = (segment.b.to_precise() - segment.a.to_precise()).in_space();
                along.cross(DVec3::Z)
            }
            _ => return None,
        };
        V::Precise::from_space(normal).direction()
    }

    pub(crate) fn with_more_radius(&self, radius: f64) -> Self {
        Self::new(self.core.clone(), self.radius + radius)
    }

    /// The corners of the smallest axis-aligned box around all points within `distance` >= 0 of the shape at
    /// `pose`, moved outwards by the rounding error that they may have.
    ///
    /// The box is tight for every kind of shape, since it is computed from the support function and
    /// not from a bounding sphere.
    #[must_use]
    pub fn limits_within(&self, pose: &Pose<V>, distance: f64) -> [V::Precise; 2] {
        // The rotation of a ball does not matter, and computing its matrix would take most of the
        // time.
        match &self.core {
            Core::Point(point) if *point == V::ZERO => {
                ball_limits::<V>(pose.position(), self.radius + distance)
            }
            _ => self.limits(pose, distance),
        }
    }

    /// The box of [`Convex::limits_within`], at a pose in double precision, rounded outwards.
    #[must_use]
    pub fn bounds_at(&self, pose: &RelativePose<V::Precise>, distance: f64) -> Aabb<V> {
        let extent = self.core.extent(&pose.rotation);
        Aabb::rounded_outwards(self.limits_around(extent, pose.translation, distance))
    }

    #[inline]
    fn limits(&self, pose: &Pose<V>, distance: f64) -> [V::Precise; 2] {
        let extent = self.core.extent(&pose.rotation.matrix());
        self.limits_around(extent, pose.position(), distance)
    }

    #[inline]
    fn limits_around(
        &self,
        extent: [V::Precise; 2],
        translation: V::Precise,
        distance: f64,
    ) -> [V::Precise; 2] {
        let [mut low, mut high] = extent;
        let radius = self.radius + distance;
        let size = self.bounding_radius + radius;
        for k in 0..V::DIM {
            let at = translation.component(k);
            let slack = tolerances::DIFFERENCE_ROUNDING * (at.abs() + size);
            low = low.with_component(k, at + low.component(k) - radius - slack);
            high = high.with_component(k, at + high.component(k) + radius + slack);
        }
        [low, high]
    }
}

/// The smallest axis-aligned box around a ball, rounded outwards. The radius is in units of length.
#[inline]
#[must_use]
pub fn ball_bounds<V: Vector>(center: V::Precise, radius: f64) -> Aabb<V> {
    Aabb::rounded_outwards(ball_limits::<V>(center, radius))
}

/// The corners of [`ball_bounds`] in double precision.
#[inline]
#[must_use]
pub fn ball_limits<V: Vector>(center: V::Precise, radius: f64) -> [V::Precise; 2] {
    let reach = (0..V::DIM).fold(V::Precise::ZERO, |reach, k| {
        let slack = tolerances::DIFFERENCE_ROUNDING * (center.component(k).abs() + radius);
        reach.with_component(k, radius + slack)
    });
    [center - reach, center + reach]
}

/// The corners of the box of a half-space. It is infinite, except on the side that a normal parallel to an axis
/// closes.
pub(crate) fn half_space_limits<V: Vector>(
    half_space: &crate::HalfSpace<V>,
    pose: &Pose<V>,
    distance: f64,
) -> [V::Precise; 2] {
    let offset = half_space.offset() + distance;
    let normal = pose.rotation.matrix().apply(half_space.normal());
    let [mut low, mut high] = [f64::NEG_INFINITY, f64::INFINITY].map(V::Precise::splat);
    if let Some((axis, sign)) = crate::half_space::only_axis(normal) {
        let at = pose.position().component(axis);
        let slack = tolerances::DIFFERENCE_ROUNDING * (at.abs() + offset);
        if sign > 0.0 {
            high = high.with_component(axis, at + offset + slack);
        } else {
            low = low.with_component(axis, at - offset - slack);
        }
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use clearance_math::{Quat, Vec3};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::Shape;

    /// Numbers of the test are whole multiples of 2^-40, and less than 2^24.
    const SCALE: f64 = (1_u64 << 40) as f64;

    fn whole(random: &mut Pcg64, most: i32) -> i32 {
        random.random_range(-most..=most)
    }

    fn vector(random: &mut Pcg64, most: i32) -> [i32; 3] {
        [(); 3].map(|()| whole(random, most))
    }

    fn as_vec3(vector: [i32; 3]) -> Vec3 {
        Vec3::from_array(vector.map(|component| component as f32))
    }

    /// Whole numbers x, y, z, w that make a quaternion of unit length within 1e-3 when divided by 2^10.
    fn quaternion(random: &mut Pcg64) -> [i32; 4] {
        loop {
            let parts = [(); 4].map(|()| whole(random, 1024));
            let squared: i32 = parts.iter().map(|part| part * part).sum();
            if (squared - (1 << 20)).abs() < 2000 {
                return parts;
            }
        }
    }

    /// The rotation matrix times the squared length of the quaternion.
    fn matrix([x, y, z, w]: [i128; 4]) -> [[i128; 3]; 3] {
        [
            [
                x * x + w * w - y * y - z * z,
                2 * (x * y - w * z),
                2 * (x * z + w * y),
            ],
            [
                2 * (x * y + w * z),
                y * y + w * w - x * x - z * z,
                2 * (y * z - w * x),
            ],
            [
                2 * (x * z - w * y),
                2 * (y * z + w * x),
                z * z + w * w - x * x - y * y,
            ],
        ]
    }

    /// Single precision hides what double precision rounds off, so the limits are compared before they are
    /// rounded, with whole numbers.
    #[test]
    fn limits_hold_exactly() {
        let random = &mut Pcg64::seed_from_u64(29);
        for round in 0..20_000 {
            let points: Vec<[i32; 3]> = (0..4).map(|_| vector(random, 1 << 12)).collect();
            let [a, b, c, _] = [0, 1, 2, 3].map(|k| as_vec3(points[k]));
            let radius = random.random_range(1..1 << 12);
            let (shape, count) = match round % 4 {
                0 => (Shape::ball(radius as f32), 0),
                1 => (Shape::segment(a, b), 2),
                2 => (Shape::triangle(a, b, c), 3),
                _ => (
                    Shape::hull(points.iter().map(|&p| as_vec3(p)).collect::<Vec<_>>()),
                    4,
                ),
            };
            let Ok(Shape::Convex(convex)) = shape else {
                panic!("a convex shape was made");
            };
            let at = vector(random, 1 << 22);
            let parts = quaternion(random);
            let turn = Quat::from_array(parts.map(|part| part as f32 / 1024.0));
            let limits = convex.limits(&Pose::new(as_vec3(at), turn), 0.0);
            let squared: i128 = parts.iter().map(|&part| i128::from(part * part)).sum();
            let rows = matrix(parts.map(i128::from));
            let radius = if count == 0 { i128::from(radius) } else { 0 };
            for (k, row) in rows.iter().enumerate() {
                let turned = |point: &[i32; 3]| -> i128 {
                    row.iter().zip(point).map(|(m, &p)| m * i128::from(p)).sum()
                };
                let heights = points[..count].iter().map(turned);
                let most = heights.clone().max().unwrap_or(0) + radius * squared;
                let least = heights.min().unwrap_or(0) - radius * squared;
                let [low, high] = limits.map(|limit| (limit[k] * SCALE) as i128 * squared);
                let exact = |height: i128| (i128::from(at[k]) * squared + height) << 40;
                assert!(
                    high >= exact(most),
                    "{convex:?} at {at:?} turned by {parts:?}"
                );
                assert!(
                    low <= exact(least),
                    "{convex:?} at {at:?} turned by {parts:?}"
                );
            }
        }
    }
}
