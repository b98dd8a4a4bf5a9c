//! Where a ray enters a box, and where it enters the four boxes of a node.

use clearance_math::tolerances::{DIFFERENCE_ROUNDING, RAY_BOX_SLACK};
use clearance_math::{Aabb, PreciseVector, Ray, Real, Vector, round_up};
use glam::{BVec4A, Vec4};

use crate::Node;

/// A lower bound of the parameter at which `line` enters `bounds`, if that is at most `max`.
///
/// Kay and Kajiya, "Ray Tracing Complex Scenes" (1986). Every step is monotone, rounding included: a box
/// that contains another one that is hit is hit itself, and not later.
#[must_use]
pub fn entry<V: Vector>(line: &RayLine<V>, bounds: &Aabb<V>, max: Real) -> Option<Real> {
    let (mut near, mut far) = (line.start, max);
    for k in 0..V::DIM {
        let direction = line.direction.component(k);
        let (low, high) = (bounds.min.component(k), bounds.max.component(k));
        if direction == 0.0 {
            let [most, least] = line.origins(k);
            if !(low <= most && least <= high) {
                return None;
            }
            continue;
        }
        let [enter, leave] = line.origins(k);
        let (first, second) = if direction > 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        let (first, second) = (first - enter, second - leave);
        let inverse = 1.0 / direction;
        let (first, second) = if inverse.is_finite() {
            (first * inverse, second * inverse)
        } else {
            (first / direction, second / direction)
        };
        near = Real::max(near, first);
        far = Real::min(far, second);
    }
    let near = near * (1.0 - RAY_BOX_SLACK);
    (near <= far * (1.0 + RAY_BOX_SLACK)).then_some(near)
}

/// A ray prepared for tests against the boxes of many nodes.
///
/// The slabs of a box are entered and left where `(plane - origin) * inverse` says; the planes at which
/// the ray enters are known from the signs of its direction, so that there is nothing to compare. A box
/// that the ray touches in exact arithmetic is never missed.
#[derive(Clone, Copy, Debug)]
pub struct RayBoxes {
    axes: [Axis; 3],
    start: Vec4,
}

/// One axis of the ray, in all four lanes.
#[derive(Clone, Copy, Debug)]
struct Axis {
    kind: AxisKind,
    /// The coordinate of the origin, moved by the slack so that the ray enters early.
    enter_origin: Vec4,
    /// The coordinate of the origin, moved by the slack so that the ray leaves late.
    leave_origin: Vec4,
    /// The component of the direction, and one over it.
    component: Vec4,
    inverse: Vec4,
    /// Whether the ray runs towards lower coordinates: it enters at the upper plane then.
    is_backward: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum AxisKind {
    /// The ray crosses the planes of this axis.
    Crossing,
    /// The ray is parallel to the planes of this axis: it is between them or not.
    Parallel,
    /// The component is so small that its inverse overflows: differences are divided by it.
    Tiny,
}

/// The parts of a ray that boxes are tested with.
#[derive(Clone, Copy, Debug)]
pub struct RayLine<V> {
    /// A point of the line, from which the parameter is counted.
    pub origin: V,
    /// The direction; the parameter is in units of its length.
    pub direction: V,
    /// The least parameter of interest.
    pub start: Real,
    /// By how much boxes are grown on every side, in units of length: as much as the origin may be
    /// beside the true line, and the line beside its direction.
    pub slack: Real,
}

impl<V: Vector> RayLine<V> {
    /// The coordinates of the origin from which the line enters early and leaves late: moved by the slack, outwards by a step
    /// more, since the sums are rounded. Along an axis that the line is parallel to, the greatest and the least.
    pub(crate) fn origins(&self, axis: usize) -> [Real; 2] {
        let (origin, slack) = (self.origin.component(axis), self.slack);
        if slack == 0.0 {
            return [origin; 2];
        }
        let ends = [(origin + slack).next_up(), (origin - slack).next_down()];
        if self.direction.component(axis) < 0.0 {
            [ends[1], ends[0]]
        } else {
            ends
        }
    }

    /// A ray of the world, for boxes in a frame that lies at `frame` in the world and is not turned.
    ///
    /// The slack is what single precision cannot hold of the origin: nothing if it has no more digits.
    #[must_use]
    pub fn of(ray: &Ray<V>, frame: V::Precise) -> Self {
        let exact = ray.origin() - frame;
        let origin = V::from_precise(exact);
        let lost = exact - origin.to_precise();
        let rounding = if frame == V::Precise::ZERO {
            0.0
        } else {
            DIFFERENCE_ROUNDING * exact.length()
        };
        Self {
            origin,
            direction: ray.direction(),
            start: 0.0,
            slack: round_up(lost.length() + rounding),
        }
    }
}

impl Axis {
    /// The planes at which the ray enters and leaves.
    #[inline]
    fn planes(&self, low: Vec4, high: Vec4) -> (Vec4, Vec4) {
        if self.is_backward {
            (high, low)
        } else {
            (low, high)
        }
    }
}

impl RayBoxes {
    /// Prepares a line.
    #[must_use]
    pub fn new<V: Vector>(line: RayLine<V>) -> Self {
        let axis = |k: usize| {
            let component = if k < V::DIM {
                line.direction.component(k)
            } else {
                0.0
            };
            let [enter, leave] = if k < V::DIM {
                line.origins(k)
            } else {
                [0.0; 2]
            };
            let inverse = 1.0 / component;
            let is_backward = component < 0.0;
            Axis {
                kind: if component == 0.0 {
                    AxisKind::Parallel
                } else if inverse.is_finite() {
                    AxisKind::Crossing
                } else {
                    AxisKind::Tiny
                },
                enter_origin: Vec4::splat(enter),
                leave_origin: Vec4::splat(leave),
                component: Vec4::splat(component),
                inverse: Vec4::splat(inverse),
                is_backward,
            }
        };
        Self {
            axes: [axis(0), axis(1), axis(2)],
            start: Vec4::splat(line.start),
        }
    }

    /// The lanes of a node that the line enters at a parameter of at most `max`, as bits, and lower
    /// bounds of the parameters where it enters them.
    #[inline]
    #[must_use]
    pub fn entries<V: Vector>(&self, node: &Node, max: Real) -> (u32, Vec4) {
        let (mut near, mut far) = (self.start, Vec4::splat(max));
        let mut beside = BVec4A::FALSE;
        for (k, axis) in self.axes.iter().enumerate().take(V::DIM) {
            let (low, high) = (node.low[k], node.high[k]);
            match axis.kind {
                AxisKind::Crossing => {
                    let (first, second) = axis.planes(low, high);
                    near = near.max((first - axis.enter_origin) * axis.inverse);
                    far = far.min((second - axis.leave_origin) * axis.inverse);
                }
                AxisKind::Parallel => {
                    beside |= low.cmpgt(axis.enter_origin) | high.cmplt(axis.leave_origin);
                }
                AxisKind::Tiny => {
                    let (first, second) = axis.planes(low, high);
                    near = near.max((first - axis.enter_origin) / axis.component);
                    far = far.min((second - axis.leave_origin) / axis.component);
                }
            }
        }
        // Parameters round in proportion to themselves.
        let near = (near * (1.0 - RAY_BOX_SLACK)).min(near * (1.0 + RAY_BOX_SLACK));
        let is_hit =
            near.cmple((far * (1.0 - RAY_BOX_SLACK)).max(far * (1.0 + RAY_BOX_SLACK))) & !beside;
        (is_hit.bitmask() & node.occupied_lanes(), near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_math::{DVec2, DVec3, Vec2, Vec3};

    #[test]
    fn a_ray_along_a_side_and_one_that_starts_inside_hit() {
        let unit = Aabb::new(Vec2::ZERO, Vec2::ONE);
        let line = |ray: Ray<Vec2>| RayLine::of(&ray, DVec2::ZERO);
        let along = Ray::<Vec2>::new(Vec2::new(-2.0, 1.0), Vec2::new(1.0, 0.0)).unwrap();
        let entered = entry(&line(along), &unit, 10.0).unwrap();
        assert!(entered <= 2.0 && entered > 1.999_99);
        assert_eq!(entry(&line(along), &unit, 1.9), None);
        let inside = Ray::new(Vec2::splat(0.5), Vec2::new(0.0, -1.0)).unwrap();
        assert_eq!(entry(&line(inside), &unit, 10.0), Some(0.0));
        let behind = Ray::new(Vec2::new(2.0, 0.5), Vec2::new(1.0, 0.0)).unwrap();
        assert_eq!(entry(&line(behind), &unit, 10.0), None);
    }

    #[test]
    fn what_single_precision_cannot_hold_of_an_origin_is_no_reason_to_miss() {
        // Found by review: the slack is less than half a step of the origin, so that the sum of both was the origin.
        let start = DVec2::new(1e7 + 0.45, 1e7);
        let ray = Ray::<Vec2>::new(start, Vec2::new(1.0, 4.0)).unwrap();
        let center = DVec2::new(1e7 + 1.53, 1e7 + 1.9);
        let bounds = Aabb::<Vec2>::rounded_outwards([center - 0.55, center + 0.55]);
        let line = RayLine::of(&ray, DVec2::ZERO);
        assert!(line.slack > 0.0);
        assert!(entry(&line, &bounds, Real::INFINITY).is_some());
        let slabs = crate::ray_slabs::RaySlabs::new(&line).unwrap();
        let mut node = Node::new(crate::NONE);
        node.set_lane(0, &bounds);
        node.children[0] = crate::Child::leaf(0);
        assert_eq!(RayBoxes::new(line).entries::<Vec2>(&node, Real::MAX).0, 1);
        assert!(slabs.entries::<Vec2>(&node, Real::MAX)[0] < Real::MAX);
    }

    #[test]
    fn infinite_sides_and_subnormal_directions_give_no_nan() {
        let below = Aabb::new(
            Vec3::splat(Real::NEG_INFINITY),
            Vec3::new(Real::INFINITY, 0.0, Real::INFINITY),
        );
        let down = Ray::new(Vec3::new(0.0, 4.0, 0.0), Vec3::new(1e-42, -2.0, 0.0)).unwrap();
        let entered = entry(&RayLine::of(&down, DVec3::ZERO), &below, Real::INFINITY).unwrap();
        assert!(entered <= 2.0 && entered > 1.999_99);
    }
}
