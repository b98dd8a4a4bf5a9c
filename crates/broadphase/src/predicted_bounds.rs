//! Predicted bounds: where a box may go before its tree has to change.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Vector};
use glam::Vec4;

/// The space in which a box may move without a change of the tree.
///
/// `outer` contains the box wherever it goes, and the box contains `inner` wherever it goes. The
/// corners of `inner` may be swapped (`min` above `max`). Even then boxes overlap if their inner
/// bounds pass the overlap test: `a.min <= inner_a.min <= inner_b.max <= b.max`, and likewise with
/// a and b exchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PredictedBounds<V> {
    pub(crate) outer: Aabb<V>,
    pub(crate) inner: Aabb<V>,
}

impl<V: Vector> PredictedBounds<V> {
    /// Predicted bounds that allow no motion.
    pub(crate) fn exact(bounds: Aabb<V>) -> Self {
        Self {
            outer: bounds,
            inner: bounds,
        }
    }

    /// Whether a box contains the inner bounds and lies within the outer ones.
    #[inline]
    pub(crate) fn contains(&self, bounds: &Aabb<V>) -> bool {
        let (outer, inner) = (Corners::of(&self.outer), Corners::of(&self.inner));
        let bounds = Corners::of(bounds);
        let low = outer.first.cmple(bounds.first) & bounds.first.cmple(inner.first);
        let high = inner.last.cmple(bounds.last) & bounds.last.cmple(outer.last);
        let (lowest, highest) = Corners::lanes::<V>();
        (low.bitmask() & lowest == lowest) & (high.bitmask() & highest == highest)
    }
}

/// The first four numbers of a box in memory, where `min` comes before `max`, and the last four:
/// each is loaded at once.
struct Corners {
    first: Vec4,
    last: Vec4,
}

impl Corners {
    #[inline(always)]
    fn of<V: Vector>(bounds: &Aabb<V>) -> Self {
        let (min, max) = (&bounds.min, &bounds.max);
        let [x, y] = [0, 1].map_each(|k| min.component(k));
        if const { V::DIM == 2 } {
            let all = Vec4::new(x, y, max.component(0), max.component(1));
            return Self {
                first: all,
                last: all,
            };
        }
        let (z, far) = (min.component(2), [0, 1, 2].map_each(|k| max.component(k)));
        Self {
            first: Vec4::new(x, y, z, far[0]),
            last: Vec4::new(z, far[0], far[1], far[2]),
        }
    }

    /// The lanes that hold `min` in the first four numbers, and those that hold `max` in the last
    /// four, as bits.
    fn lanes<V: Vector>() -> (u32, u32) {
        if const { V::DIM == 2 } {
            (0b0011, 0b1100)
        } else {
            (0b0111, 0b1110)
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Real, Vec2, Vec3};

    use super::*;

    /// Moves each side of a box in turn slightly beyond its limit.
    fn assert_tight<V: Vector>() {
        let cube = |half: Real| Aabb::new(V::splat(-half), V::splat(half));
        let predicted = PredictedBounds {
            outer: cube(2.0),
            inner: cube(1.0),
        };
        for inside in [1.0, 1.5, 2.0] {
            assert!(predicted.contains(&cube(inside)));
        }
        for half in [0.0, 1.0_f32.next_down(), 2.0_f32.next_up(), Real::INFINITY] {
            for k in 0..V::DIM {
                let (mut low, mut high) = (cube(1.5), cube(1.5));
                low.min = low.min.with_component(k, -half);
                high.max = high.max.with_component(k, half);
                assert!(!predicted.contains(&low), "{low:?}");
                assert!(!predicted.contains(&high), "{high:?}");
            }
        }
    }

    #[test]
    fn predicted_bounds_contain_boxes_between_inner_and_outer() {
        assert_tight::<Vec2>();
        assert_tight::<Vec3>();
    }
}
