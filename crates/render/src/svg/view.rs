//! Which part of the plane an image shows, and where.

use clearance_math::{Aabb, DVec2, Pose, Real, Vec2, Vector};
use clearance_shapes::HalfSpace;
use clearance_world::World;

use super::options::SvgOptions;
use crate::extent::extent;

/// The part of the picture's width and height that stays free on every side of the bodies.
const BORDER: f64 = 0.04;

/// The map from the plane to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    center: DVec2,
    /// Pixels a unit of length.
    scale: f64,
    size: DVec2,
}

impl View {
    /// A view of `size` pixels.
    pub(crate) fn new(world: &World<Vec2>, options: &SvgOptions, size: [f64; 2]) -> Self {
        let size = DVec2::from(size);
        let (window, free) = match options.window.filter(Aabb::is_finite) {
            Some(window) => (window, 0.0),
            None => (extent(world), BORDER),
        };
        let (min, max) = (window.min.to_precise(), window.max.to_precise());
        // A single point is shown as if it had a size.
        let least = (min.abs().max(max.abs()).max_element() * 1e-6).max(1e-30);
        let scale = size * (1.0 - 2.0 * free) / (max - min).max(DVec2::splat(least));
        Self {
            center: (min + max) * 0.5,
            scale: scale.min_element(),
            size,
        }
    }

    /// Pixels a unit of length.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// Where a point is in the picture; its y axis points down.
    pub(crate) fn pixel(&self, point: DVec2) -> [f64; 2] {
        let from_center = (point - self.center) * self.scale;
        [
            self.size.x * 0.5 + from_center.x,
            self.size.y * 0.5 - from_center.y,
        ]
    }

    /// What the picture shows of the plane.
    pub(crate) fn window(&self) -> Aabb<Vec2> {
        let half = self.size * (0.5 / self.scale);
        Aabb::rounded_outwards([self.center - half, self.center + half])
    }

    pub(crate) fn shows(&self, bounds: &Aabb<Vec2>) -> bool {
        self.window().overlaps(bounds)
    }

    /// How far a half-space reaches along its boundary line, from the point of the line that is nearest to
    /// the body, to fill the picture.
    pub(crate) fn reach(&self, half_space: &HalfSpace<Vec2>, pose: &Pose<Vec2>) -> Real {
        let nearest = pose.transform_point(Vec2::from_precise(
            half_space.normal() * half_space.offset(),
        ));
        let away = (nearest.to_precise() - self.center).length();
        Vec2::from_precise(DVec2::splat(away + self.size.length() / self.scale)).x
    }
}
