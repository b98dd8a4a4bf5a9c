//! A ball in the wide tree of a mesh.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Simd, SimdBase, SimdMask, apart, dispatch, f32x16};
use clearance_math::tolerances::SQUARED_DISTANCE_LOWERED;
use clearance_math::{Real, Vector, round_up, tolerances};
use clearance_shapes::internal::{group_of, wide_nodes_of};
use clearance_shapes::{Mesh, TriangleGroup};
use clearance_tree::internal::{
    MOST_LEVELS, MOST_LIMIT, Search, WIDE, WideLeaf, WideNode, nearest_first,
};
use clearance_tree::lanes;
use glam::Vec4;

use super::ball::BallInComposite;
use super::gap::{components, root};
use super::nearest_first::Visitor;

/// How many nodes wait at most: of each level the other children of one node.
const MOST_PENDING: usize = WIDE * MOST_LEVELS;

/// How many groups of triangles are found before they are visited.
const MOST_GROUPS: usize = 128;

struct Descent<'a, V: Vector, T> {
    mesh: &'a Mesh<V>,
    /// That of the ball, in the frame of the mesh.
    center: [Real; 3],
    /// That of the ball, rounded up.
    radius: Real,
    /// The limit of the visitor.
    limit: Real,
    visitor: &'a mut T,
}

/// Visits the triangles in space whose boxes are within the limit of the visitor, the nearest boxes first. False if
/// coordinates, none of which is greater than `size`, may be too great for that: it must be done in another way.
pub(super) fn descend<V: Vector, T: Visitor>(
    mesh: &Mesh<V>,
    ball: &BallInComposite<V::Precise>,
    size: Real,
    visitor: &mut T,
) -> bool {
    if !(size < tolerances::MOST_WIDE_SIZE as Real) {
        return false;
    }
    let mut descent = Descent {
        mesh,
        center: components(ball.center),
        radius: round_up(ball.radius),
        limit: visitor.limit(),
        visitor,
    };
    let nodes = wide_nodes_of(mesh);
    if T::VISITS_ALL {
        if descent.limit == Real::NEG_INFINITY {
            // The effort of the question was none.
            descent.visitor.skip(Real::NEG_INFINITY);
            return true;
        }
        dispatch!(simd => descent.visit_all(simd, nodes));
        return true;
    }
    let skipped = dispatch!(simd => nearest_first(simd, nodes, &mut descent));
    if skipped <= MOST_LIMIT {
        visitor.skip(skipped.sqrt() * SQUARED_DISTANCE_LOWERED - round_up(ball.radius));
    }
    true
}

impl<V: Vector, T: Visitor> Descent<'_, V, T> {
    /// Visits all groups of triangles whose boxes are within the limit, in no order: it takes longer to find the
    /// nearest of sixteen children again and again.
    #[inline(always)]
    fn visit_all<S: Simd>(&mut self, simd: S, nodes: &[WideNode]) {
        let limit = Search::limit(self);
        let mut pending = ArrayVec::<u32, MOST_PENDING>::new();
        let mut groups = ArrayVec::<u32, MOST_GROUPS>::new();
        pending.push(0);
        while let Some(index) = pending.pop() {
            if groups.remaining_capacity() < WIDE {
                apart!(self.visit_groups(simd, &groups));
                groups.clear();
            }
            let node = &nodes[index as usize];
            let measures = apart!(self.measures(simd, node, limit));
            let near = measures.simd_le(f32x16::splat(simd, limit)).to_bitmask();
            for lane in lanes(near as u32) {
                let child = node.children[lane];
                match child.index() {
                    Some(below) => pending.push(below as u32),
                    None => groups.push(child.known_number()),
                }
            }
        }
        apart!(self.visit_groups(simd, &groups));
    }

    /// Visits groups of triangles. The next one is read before the last one is measured, since its memory is far away.
    #[inline(always)]
    fn visit_groups<S: Simd>(&mut self, simd: S, numbers: &[u32]) {
        let Some(&first) = numbers.first() else {
            return;
        };
        let mut next = group_of(self.mesh, first);
        for k in 0..numbers.len() {
            let group = next;
            next = group_of(self.mesh, numbers[(k + 1).min(numbers.len() - 1)]);
            self.visit_group(simd, &group);
        }
    }
}

/// Measures are squared distances of the centre.
impl<V: Vector, T: Visitor> Search for Descent<'_, V, T> {
    #[inline(always)]
    fn limit(&self) -> Real {
        let reach = self.limit + self.radius;
        if reach < 0.0 {
            return -1.0;
        }
        // Squares of tiny numbers vanish.
        (reach * reach / SQUARED_DISTANCE_LOWERED + Real::MIN_POSITIVE).min(MOST_LIMIT)
    }

    #[inline(always)]
    fn measures<S: Simd>(&self, simd: S, node: &WideNode, _limit: Real) -> f32x16<S> {
        let mut squared = f32x16::splat(simd, 0.0);
        for k in 0..3 {
            let low = f32x16::load_array_ref(simd, &node.planes[k][0]);
            let high = f32x16::load_array_ref(simd, &node.planes[k][1]);
            let center = f32x16::splat(simd, self.center[k]);
            let outside = (low - center).max(center - high).max(0.0);
            squared += outside * outside;
        }
        (squared * SQUARED_DISTANCE_LOWERED).min(Real::MAX)
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, leaf: WideLeaf<'_>) {
        let group = group_of(self.mesh, leaf.number);
        self.visit_group(simd, &group);
    }
}

impl<V: Vector, T: Visitor> Descent<'_, V, T> {
    #[inline(always)]
    fn visit_group<S: Simd>(&mut self, simd: S, group: &TriangleGroup) {
        let least = least_distances(group, self.center) - Vec4::splat(self.radius);
        let is_near = least.cmple(Vec4::splat(self.limit));
        if !is_near.all() {
            let farther = Vec4::select(is_near, Vec4::INFINITY, least);
            self.visitor.skip(farther.min_element());
        }
        let near = is_near.bitmask() & group.occupied_lanes();
        if near == 0 {
            return;
        }
        apart!(self.visitor.visit_lanes(simd, group, near));
        if !T::VISITS_ALL {
            self.limit = self.visitor.limit();
        }
    }
}

/// Lower bounds of the distances of a point from the triangles of a group, up to rounding.
///
/// No point of a triangle is nearer, in any direction, than the nearest of its corners. In the direction of the
/// middle of the triangle this bound is the tighter the farther away and the smaller the triangle is.
#[inline(always)]
fn least_distances(group: &TriangleGroup, point: [Real; 3]) -> Vec4 {
    let mut squared = Vec4::ZERO;
    let mut along = [Vec4::ZERO; 3];
    let point = point.map_each(Vec4::splat);
    let mut middle = [Vec4::ZERO; 3];
    for k in 0..3 {
        let [a, b, c] = [0, 1, 2].map_each(|corner: usize| group.corners[corner][k] - point[k]);
        middle[k] = a + b + c;
        squared += middle[k] * middle[k];
        for (along, corner) in along.iter_mut().zip([a, b, c]) {
            *along += corner * middle[k];
        }
    }
    let least = along[0].min(along[1]).min(along[2]);
    // Where the middle is too near for a direction, nothing is known.
    let is_clear = least.cmpgt(Vec4::ZERO) & squared.cmpgt(Vec4::splat(1e-30));
    Vec4::select(is_clear, least / root(squared), Vec4::ZERO)
}
