//! Up to four triangles side by side: what the lowest nodes of the trees of surfaces hold.

use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};
use clearance_tree::internal::BLOCK;
use clearance_tree::{Child, LANES, NONE, Node, occupied_lanes};
use glam::{Mat4, Vec4};

use super::turned_boxes::dot;

/// Up to four triangles of a mesh or a height field, by component, so that a query can test all four at
/// once.
///
/// Lanes that hold nothing repeat a triangle that is there, and have an empty child.
#[derive(Clone, Copy, Debug)]
pub struct TriangleGroup {
    /// For each of the three corners, its coordinates by component; lanes are triangles.
    pub corners: [[Vec4; 3]; 3],
    /// The numbers of the parts.
    pub parts: [Child; LANES],
}

impl TriangleGroup {
    /// Gathers triangles; `corner` returns a corner of the triangle in a lane.
    #[inline(always)]
    pub(super) fn new<V: Vector>(
        parts: [Child; LANES],
        corner: impl Fn(usize, usize) -> V,
    ) -> Self {
        // Without closures over arrays, which the compiler leaves as calls that copy.
        let mut corners = [[Vec4::ZERO; 3]; 3];
        for (number, by_component) in corners.iter_mut().enumerate() {
            let lanes = Mat4::from_cols(
                row(corner(0, number)),
                row(corner(1, number)),
                row(corner(2, number)),
                row(corner(3, number)),
            );
            let transposed = lanes.transpose();
            by_component[0] = transposed.x_axis;
            by_component[1] = transposed.y_axis;
            by_component[2] = transposed.z_axis;
        }
        Self { corners, parts }
    }

    /// The corners of the triangle in a lane.
    #[inline]
    #[must_use]
    pub fn corners_of<V: Vector>(&self, lane: usize) -> [V; 3] {
        let corner = |corner: &[Vec4; 3]| V::from_fn(|k| corner[k][lane]);
        let [a, b, c] = &self.corners;
        [corner(a), corner(b), corner(c)]
    }

    /// The triangle of one lane, four times.
    #[inline]
    #[must_use]
    pub fn spread(&self, lane: usize) -> Self {
        let of_lane = |component: Vec4| Vec4::splat(component[lane]);
        Self {
            corners: self.corners.map_each(|corner| corner.map_each(of_lane)),
            parts: [self.parts[lane]; LANES],
        }
    }

    /// Where all triangles together begin and end along a direction, from the origin.
    pub(super) fn extent(&self, direction: &[Vec4; 3]) -> [Real; 2] {
        let [a, b, c] = self.corners.map_each(|corner| dot(&corner, direction));
        [a.min(b).min(c).min_element(), a.max(b).max(c).max_element()]
    }

    /// The lanes that hold something, as bits.
    #[inline]
    #[must_use]
    pub fn occupied_lanes(&self) -> u32 {
        occupied_lanes(&self.parts)
    }

    /// The node that holds the triangles, with the box of each.
    #[inline]
    #[must_use]
    pub fn node(&self) -> Node {
        let mut node = Node::new(NONE);
        let [a, b, c] = &self.corners;
        for k in 0..3 {
            node.low[k] = a[k].min(b[k]).min(c[k]);
            node.high[k] = a[k].max(b[k]).max(c[k]);
        }
        node.children = self.parts;
        for lane in 0..LANES {
            if self.parts[lane].is_empty() {
                for k in 0..3 {
                    node.low[k][lane] = Real::INFINITY;
                    node.high[k][lane] = Real::NEG_INFINITY;
                }
            }
        }
        node
    }
}

/// Up to sixteen triangles of a mesh by component: four groups, which a ray tests at once.
///
/// Lanes that hold nothing are as those of a group.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct TriangleBlock {
    /// For each of the three corners, its coordinates by component; lanes are triangles, four of each group.
    pub corners: [[[Real; BLOCK * LANES]; 3]; 3],
    /// The numbers of the parts.
    parts: [[Child; LANES]; BLOCK],
}

impl TriangleBlock {
    /// Puts groups side by side, of which there is at least one; `group` returns one of them, or `None`.
    pub(super) fn new(group: impl Fn(usize) -> Option<TriangleGroup>) -> Self {
        let mut block = Self {
            corners: [[[0.0; BLOCK * LANES]; 3]; 3],
            parts: [[Child::EMPTY; LANES]; BLOCK],
        };
        for slot in 0..BLOCK {
            let found = group(slot);
            block.parts[slot] = found
                .as_ref()
                .map_or([Child::EMPTY; LANES], |group| group.parts);
            let Some(group) = found.or_else(|| group(0)) else {
                continue;
            };
            for (lanes, components) in block.corners.iter_mut().zip(&group.corners) {
                for (lanes, component) in lanes.iter_mut().zip(components) {
                    lanes[slot * LANES..][..LANES].copy_from_slice(&component.to_array());
                }
            }
        }
        block
    }

    /// The corners of one triangle.
    #[inline(always)]
    pub(super) fn corners_of<V: Vector>(&self, lane: usize) -> [V; 3] {
        let lane = lane % (BLOCK * LANES);
        let corner = |corner: &[[Real; BLOCK * LANES]; 3]| V::from_fn(|k| corner[k][lane]);
        let [a, b, c] = &self.corners;
        [corner(a), corner(b), corner(c)]
    }

    /// One of the groups.
    #[inline(always)]
    #[must_use]
    pub fn group(&self, slot: usize) -> TriangleGroup {
        let slot = slot % BLOCK;
        // Without closures over arrays, as above.
        let mut corners = [[Vec4::ZERO; 3]; 3];
        for (components, lanes) in corners.iter_mut().zip(&self.corners) {
            for (component, lanes) in components.iter_mut().zip(lanes) {
                *component = Vec4::from_slice(&lanes[slot * LANES..][..LANES]);
            }
        }
        TriangleGroup {
            corners,
            parts: self.parts[slot],
        }
    }
}

/// The coordinates, followed by zeros.
#[inline(always)]
fn row<V: Vector>(corner: V) -> Vec4 {
    let z = if V::DIM > 2 { corner.component(2) } else { 0.0 };
    Vec4::new(corner.component(0), corner.component(1), z, 0.0)
}
