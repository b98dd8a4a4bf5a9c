//! When boxes of a body in motion may come within range of a half-space in motion, at the earliest.

use clearance_math::internal::MapEach;
use clearance_math::{Matrix, PreciseVector, Real, Vector, round_up};
use clearance_shapes::HalfSpace;
use clearance_tree::Node;
use glam::Vec4;

use super::swept_boxes::Range;
use crate::parts::{Below, Target, box_rounding};
use crate::questions::cast::motion::Bodies;

/// A half-space, body b, as the tree of a composite sees it, body a.
///
/// A point of a, at the distance r from a's origin, has a height above the plane. It changes by the relative velocity of
/// both along the normal, and by no more than r times the angle when a turns. When b turns, the normal turns, and the
/// height changes by no more than the angle times how far the point is from b's origin.
pub(super) struct SweptPlane {
    /// The plane at time 0.
    below: Below,
    /// What heights are within range at, rounding included.
    within: Real,
    /// How fast a point at a's origin may come nearer.
    speed: Real,
    /// How fast all others may, for each unit of length that they are from a's origin.
    turn: Real,
}

impl SweptPlane {
    pub(super) fn new<V: Vector>(
        plane: &HalfSpace<V>,
        bodies: &Bodies<V::Precise>,
        range: Range,
    ) -> Self {
        let ends = [0.0, 1.0].map_each(|time| bodies.way.at(time).length());
        let (farthest, angle) = (ends[0].max(ends[1]), bodies.b.turn.angle);
        let speed = if angle == 0.0 {
            bodies
                .way
                .velocity
                .dot(bodies.b.rotation(0.0).apply(plane.normal()))
        } else {
            bodies.way.velocity.length() + angle * farthest
        };
        let coordinates = range.sizes + range.within + ends[0] + bodies.way.velocity.length();
        Self {
            below: Below::new(plane, &bodies.b_in_a(0.0)),
            within: round_up(range.within) + box_rounding(coordinates),
            speed: round_up(speed),
            turn: round_up(angle + bodies.a.turn.angle),
        }
    }
}

impl<V: Vector> Target<V> for SweptPlane {
    /// The earliest times, infinite where there are none.
    fn gaps(&self, node: &Node) -> Vec4 {
        let heights = Target::<V>::gaps(&self.below, node).to_array();
        let mut squared = Vec4::ZERO;
        for k in 0..V::DIM {
            let farthest = node.low[k].abs().max(node.high[k].abs());
            squared += farthest * farthest;
        }
        let squared = squared.to_array();
        let time = |lane: usize| {
            let from_origin = squared[lane].sqrt() * (1.0 + 8.0 * Real::EPSILON);
            let gap = heights[lane] - self.within;
            let speed = (self.speed + self.turn * from_origin) * (1.0 + 8.0 * Real::EPSILON);
            // NaN, from numbers beyond the range of single precision, says nothing.
            if !(gap > 0.0) || speed.is_nan() {
                0.0
            } else if speed > 0.0 {
                gap / speed * (1.0 - 8.0 * Real::EPSILON)
            } else {
                Real::INFINITY
            }
        };
        Vec4::from_array([0, 1, 2, 3].map_each(time))
    }
}
