//! A direction along which parts of two composites are apart.
//!
//! Where two surfaces face each other, the normal of the nearest pair found so far separates most other
//! pairs by at least as much. That rules out pairs of triangles which are nearer than their boxes tell,
//! for the price of a few scalar products.

use clearance_math::{MapEach, PreciseVector, Real, RelativePose, Vector};
use clearance_shapes::{NodeContent, TriangleGroup};
use clearance_tree::Node;
use glam::Vec4;

use crate::frames::KeptFrames;

/// A unit direction from a to b, in the frames of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    in_a: [Real; 3],
    in_b: [Real; 3],
    /// How far the origin of b's frame lies ahead of that of a's.
    ahead: Real,
}

/// How far the lanes of two nodes reach along an axis, from the origin of a's frame.
pub(super) struct Extents {
    greatest_of_a: Vec4,
    least_of_b: Vec4,
}

impl Axis {
    /// The axis along a unit normal in the frame of the world.
    pub(super) fn new<V: Vector>(normal: V, frames: &KeptFrames<V::Precise>) -> Self {
        let normal = normal.to_precise();
        let components = |in_world: &RelativePose<V::Precise>| {
            let local = in_world.inverse_transform_direction(normal).in_space();
            [local.x, local.y, local.z].map_each(|component| component as Real)
        };
        let apart = frames.b_in_world.translation - frames.a_in_world.translation;
        Self {
            in_a: components(&frames.a_in_world),
            in_b: components(&frames.b_in_world),
            ahead: normal.dot(apart) as Real,
        }
    }

    #[inline]
    pub(super) fn extents<V: Vector>(&self, [a, b]: &[NodeContent<'_>; 2]) -> Extents {
        Extents {
            greatest_of_a: greatest::<V>(a, self.in_a),
            least_of_b: Vec4::splat(self.ahead) - greatest::<V>(b, self.in_b.map_each(|x| -x)),
        }
    }
}

impl Extents {
    /// Lower bounds of the signed distances between a lane of a and the lanes of b, up to rounding.
    #[inline]
    pub(super) fn gaps(&self, lane_a: usize) -> Vec4 {
        self.least_of_b - Vec4::splat(self.greatest_of_a[lane_a])
    }
}

/// How far each lane reaches along a direction. Means nothing for empty lanes.
#[inline]
fn greatest<V: Vector>(content: &NodeContent<'_>, direction: [Real; 3]) -> Vec4 {
    match content {
        NodeContent::Boxes(node) => greatest_of_boxes::<V>(node, direction),
        NodeContent::ComputedBoxes(node) => greatest_of_boxes::<V>(node, direction),
        NodeContent::Triangles(group) => greatest_of_triangles(group, direction),
    }
}

#[inline]
fn greatest_of_boxes<V: Vector>(node: &Node, direction: [Real; 3]) -> Vec4 {
    let mut sum = Vec4::ZERO;
    for (k, component) in direction.into_iter().enumerate().take(V::DIM) {
        sum += (node.low[k] * component).max(node.high[k] * component);
    }
    sum
}

#[inline]
fn greatest_of_triangles(group: &TriangleGroup, [x, y, z]: [Real; 3]) -> Vec4 {
    let mut greatest = Vec4::NEG_INFINITY;
    for corner in &group.corners {
        greatest = greatest.max(corner[0] * x + corner[1] * y + corner[2] * z);
    }
    greatest
}
