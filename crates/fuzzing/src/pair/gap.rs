//! The signed distance seen along a direction, from the definitions of the shapes.
//!
//! Along any unit vector n the least height of b over the highest of a is at most the signed
//! distance, apart or overlapping, and along the normal of the contact it is that distance.

use clearance_math::PreciseVector;

use crate::body::{Body, apart};
use crate::dimension::Dimension;

/// How often the height is improved by turning the direction.
const CLIMBS: usize = 24;
/// How often the nearest point is improved.
const STEPS: usize = 32;

/// Two bounded shapes.
pub(super) struct Gap<'a, V: Dimension> {
    a: &'a Body<V>,
    b: &'a Body<V>,
    apart: V::Precise,
    /// The sum of the bounding radii.
    pub(super) size: f64,
    /// What roundings are relative to: all that is added up.
    pub(super) scale: f64,
}

impl<'a, V: Dimension> Gap<'a, V> {
    pub(super) fn new(a: &'a Body<V>, b: &'a Body<V>) -> Self {
        let apart = apart(a, b);
        let size = a.form.bounding_radius() + b.form.bounding_radius();
        let scale = size + apart.length();
        Self {
            a,
            b,
            apart,
            size,
            scale,
        }
    }

    /// The point of b - a that is lowest along a unit direction.
    fn lowest(&self, unit: V::Precise) -> V::Precise {
        self.apart + self.b.support(-unit) - self.a.support(unit)
    }

    /// How far b lies over a along a unit direction: never above the signed distance.
    pub(super) fn along(&self, unit: V::Precise) -> f64 {
        unit.dot(self.lowest(unit))
    }

    /// The greatest height found from `normal` and from directions all around.
    pub(super) fn greatest(&self, normal: V::Precise) -> f64 {
        let mut best = (self.along(normal), normal);
        for direction in self.directions() {
            if let Some(unit) = direction.direction() {
                let height = self.along(unit);
                if height > best.0 {
                    best = (height, unit);
                }
            }
        }
        self.climb(best)
    }

    /// Turns the direction uphill: the lowest point is the gradient of the height.
    fn climb(&self, (mut height, mut unit): (f64, V::Precise)) -> f64 {
        let mut stride = 1.0 / self.scale.max(f64::MIN_POSITIVE);
        for _ in 0..CLIMBS {
            let gradient = self.lowest(unit);
            let across = gradient - unit * unit.dot(gradient);
            let Some(next) = (unit + across * stride).direction() else {
                break;
            };
            let reached = self.along(next);
            if reached > height {
                (height, unit) = (reached, next);
                stride *= 1.5;
            } else {
                stride *= 0.3;
            }
        }
        height
    }

    /// Directions all around, the axes of both shapes, and that from one origin to the other.
    fn directions(&self) -> Vec<V::Precise> {
        let mut directions = vec![self.apart, -self.apart];
        let count = 3_usize.pow(V::DIM as u32);
        for index in 0..count {
            let sign = |k: u32| (index / 3_usize.pow(k) % 3) as f64 - 1.0;
            let direction = V::Precise::from_fn(|k| sign(k as u32));
            directions.push(direction);
        }
        for body in [self.a, self.b] {
            for index in 0..V::DIM {
                directions.extend([body.axis(index), -body.axis(index)]);
            }
        }
        directions
    }

    /// The distance of two points, one of each shape: never below the distance of the shapes.
    ///
    /// Gilbert's method (1966): the nearest point of ever another segment of b - a.
    pub(super) fn distance_of_two_points(&self, normal: V::Precise) -> f64 {
        let mut nearest = self.lowest(normal);
        for _ in 0..STEPS {
            let Some(unit) = nearest.direction() else {
                break;
            };
            let next = self.lowest(unit);
            let along = next - nearest;
            let squared = along.length_squared();
            if !(squared > 0.0) {
                break;
            }
            let share = (-nearest.dot(along) / squared).clamp(0.0, 1.0);
            nearest += along * share;
        }
        nearest.length()
    }
}
