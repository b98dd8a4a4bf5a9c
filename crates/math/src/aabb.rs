//! Axis-aligned bounding boxes.

use crate::{PreciseVector, Real, Vector, round_down, round_up};

/// An axis-aligned box: a rectangle for `Vec2`, a cuboid for `Vec3`.
///
/// It contains all points `p` with `min <= p <= max` in every component, so points on the boundary
/// count as inside. A box whose `min` exceeds its `max` in any component is empty. Infinite corners
/// are allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<V> {
    /// The corner with the least coordinates.
    pub min: V,
    /// The corner with the greatest coordinates.
    pub max: V,
}

impl<V: Vector> Aabb<V> {
    /// The box from `min` to `max`.
    #[must_use]
    pub fn new(min: V, max: V) -> Self {
        Self { min, max }
    }

    /// The smallest box of single precision around a box of double precision, from its least to its greatest corner.
    #[inline]
    #[must_use]
    pub fn rounded_outwards([low, high]: [V::Precise; 2]) -> Self {
        let mut bounds = Self::new(V::ZERO, V::ZERO);
        for k in 0..V::DIM {
            let (low, high) = (low.component(k), high.component(k));
            bounds.min = bounds.min.with_component(k, round_down(low));
            bounds.max = bounds.max.with_component(k, round_up(high));
        }
        bounds
    }

    /// An empty box. Merging it with another box gives that other box.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(V::splat(Real::INFINITY), V::splat(Real::NEG_INFINITY))
    }

    /// The box that contains every point.
    #[must_use]
    pub fn everything() -> Self {
        Self::new(V::splat(Real::NEG_INFINITY), V::splat(Real::INFINITY))
    }

    /// Whether the box contains no point. A box with a NaN corner counts as empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (0..V::DIM).any(|k| !(self.min.component(k) <= self.max.component(k)))
    }

    /// Whether no coordinate is NaN or infinite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// Whether the two boxes have a point in common. Boxes that only touch overlap.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut all = true;
        for k in 0..V::DIM {
            all &= self.min.component(k) <= other.max.component(k);
            all &= other.min.component(k) <= self.max.component(k);
        }
        all
    }

    /// Whether all of `other` lies inside this box; the boundaries may touch.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        (0..V::DIM).all(|k| {
            self.min.component(k) <= other.min.component(k)
                && other.max.component(k) <= self.max.component(k)
        })
    }

    /// Whether `point` lies inside the box or on its boundary.
    #[must_use]
    pub fn contains_point(&self, point: V) -> bool {
        self.contains(&Self::new(point, point))
    }

    /// The smallest box that contains both boxes.
    #[inline]
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        Self::new(self.min.min(other.min), self.max.max(other.max))
    }

    /// The box with every side moved outwards by `distance`, or inwards if `distance` is negative.
    #[must_use]
    pub fn grown(&self, distance: Real) -> Self {
        Self::new(self.min - V::splat(distance), self.max + V::splat(distance))
    }

    /// The centre of the box. It does not overflow for any finite box.
    #[must_use]
    pub fn center(&self) -> V {
        self.min * 0.5 + self.max * 0.5
    }

    /// Half the side lengths.
    #[must_use]
    pub fn half_extents(&self) -> V {
        self.max * 0.5 - self.min * 0.5
    }

    /// Half the surface area in 3D, half the perimeter in 2D: the usual measure of what a box costs
    /// in a bounding volume tree.
    #[inline]
    #[must_use]
    pub fn half_surface(&self) -> Real {
        let size = self.max - self.min;
        if const { V::DIM == 2 } {
            size.component(0) + size.component(1)
        } else {
            let (x, y, z) = (size.component(0), size.component(1), size.component(2));
            x * y + y * z + z * x
        }
    }

    /// The squared distance from `point` to the box; zero if the point lies inside.
    #[must_use]
    pub fn squared_distance(&self, point: V) -> Real {
        let outside = (self.min - point).max(point - self.max).max(V::ZERO);
        outside.dot(outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, Vec3};

    #[test]
    fn touching_boxes_overlap_and_empty_ones_never() {
        let a = Aabb::new(Vec2::ZERO, Vec2::ONE);
        let b = Aabb::new(Vec2::new(1.0, 0.0), Vec2::new(2.0, 1.0));
        assert!(a.overlaps(&b) && b.overlaps(&a));
        assert!(!a.overlaps(&Aabb::empty()));
        assert!(Aabb::<Vec3>::empty().is_empty());
        assert!(a.overlaps(&Aabb::everything()));
        assert_eq!(a.merged(&Aabb::empty()), a);
    }

    #[test]
    fn distance_to_a_box_is_zero_inside() {
        let a = Aabb::new(Vec3::splat(-1.0), Vec3::ONE);
        assert_eq!(a.squared_distance(Vec3::splat(0.5)), 0.0);
        assert_eq!(a.squared_distance(Vec3::new(3.0, 0.0, 1.0)), 4.0);
    }
}
