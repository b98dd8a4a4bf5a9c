//! A core and its radius.

use clearance_math::{Aabb, Matrix, Pose, Rotation, Vector, round_down, round_up};
use clearance_math::{PreciseVector, tolerances};

use crate::{Core, Support};

/// A convex shape: the Minkowski sum of a core and a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Convex<V: Vector> {
    core: Core<V>,
    radius: f64,
    // Derived from the core, kept because every query asks for them.
    center: V::Precise,
    reach: f64,
}

impl<V: Vector> Convex<V> {
    pub(crate) fn new(core: Core<V>, radius: f64) -> Self {
        Self {
            center: core.center(),
            reach: core.reach(),
            core,
            radius,
        }
    }

    /// The shape without its radius.
    #[inline]
    #[must_use]
    pub fn core(&self) -> &Core<V> {
        &self.core
    }

    /// The radius of the ball that sweeps the core, >= 0; a sum of radii is kept exactly.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// A point of the core near its middle, in the frame of the body.
    #[inline]
    #[must_use]
    pub fn core_center(&self) -> V::Precise {
        self.center
    }

    /// The greatest distance of a point of the core from the origin of the body.
    #[inline]
    #[must_use]
    pub fn core_reach(&self) -> f64 {
        self.reach
    }

    pub(crate) fn with_more_radius(&self, radius: f64) -> Self {
        Self::new(self.core.clone(), self.radius + radius)
    }

    /// The least box that holds all points within `distance` >= 0 of the shape at `pose`, rounded
    /// outwards.
    ///
    /// Tight for every kind: it is built from the support function, not from a sphere.
    #[must_use]
    pub fn bounds_within(&self, pose: &Pose<V>, distance: f64) -> Aabb<V> {
        // Most of the time for the box of a ball would go into its rotation, which does not matter.
        let [low, high] = match &self.core {
            Core::Point(point) if *point == V::ZERO => [V::Precise::ZERO; 2],
            core => core.extent(&pose.rotation.matrix()),
        };
        let translation = pose.translation.to_precise();
        let radius = self.radius + distance;
        let size = self.reach + radius;
        let mut bounds = Aabb::new(V::ZERO, V::ZERO);
        for k in 0..V::DIM {
            let at = translation.component(k);
            let slack = tolerances::DIFFERENCE_ROUNDING * (at.abs() + size);
            let low = at + low.component(k) - radius - slack;
            let high = at + high.component(k) + radius + slack;
            bounds.min = bounds.min.with_component(k, round_down(low));
            bounds.max = bounds.max.with_component(k, round_up(high));
        }
        bounds
    }
}

/// The box of a half-space: unbounded but for the side that an axis-aligned normal closes.
pub(crate) fn half_space_bounds<V: Vector>(
    half_space: &crate::HalfSpace<V>,
    pose: &Pose<V>,
    distance: f64,
) -> Aabb<V> {
    let offset = half_space.offset() + distance;
    let normal = pose.rotation.matrix().apply(half_space.normal());
    let mut bounds = Aabb::<V>::everything();
    if let Some((axis, sign)) = crate::half_space::only_axis(normal) {
        let at = pose.translation.to_precise().component(axis);
        let slack = tolerances::DIFFERENCE_ROUNDING * (at.abs() + offset);
        if sign > 0.0 {
            let top = round_up(at + offset + slack);
            bounds.max = bounds.max.with_component(axis, top);
        } else {
            let bottom = round_down(at - offset - slack);
            bounds.min = bounds.min.with_component(axis, bottom);
        }
    }
    bounds
}
