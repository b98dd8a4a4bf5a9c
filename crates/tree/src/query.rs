//! Queries by box, ray and point.

use clearance_math::{Aabb, Real, Vector, compile_once};
use glam::Vec4;
use smallvec::SmallVec;

use crate::least_first::least_first;
use crate::node::spread_box;
use crate::ray_box::{RayBoxes, RayLine};
use crate::ray_slabs::RaySlabs;
use crate::{AllLanes, Arrival, LaneMask, NearestFirst, Node, Tree, lanes};

/// A stack of subtrees. At most three remain for each level, so that it is large enough for every
/// tree that was built at once; for deeper ones it moves to the heap.
type Stack<T> = SmallVec<[T; 64]>;

/// A function that a query calls with the number of each leaf that it finds, and where or how far
/// away the leaf is; it returns how far to search from then on.
type Visit<'a> = dyn FnMut(u32, Real) -> Real + 'a;

impl<V: Vector> Tree<V> {
    /// Visits the leaves whose boxes overlap `bounds`, in no particular order; touching counts.
    pub fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(u32)) {
        query_box(self, bounds, visit);
    }

    /// Visits the leaves whose boxes the ray enters before the parameter `max`; returns the last
    /// `max`.
    ///
    /// `visit` gets a lower bound of the parameter at which the ray enters the box, and returns the
    /// new `max`, which only counts if it is smaller than before. Nearer boxes come first, as far as
    /// a depth-first search allows. Rounding never loses a box that the ray hits; it may find one
    /// that the ray passes by a few units in the last place.
    pub fn query_ray(
        &self,
        line: &RayLine<V>,
        max: Real,
        visit: &mut dyn FnMut(u32, Real) -> Real,
    ) -> Real {
        query_ray(self, line, max, visit)
    }

    /// Visits the leaves whose boxes are within the squared distance `radius` of `point`; returns
    /// the last `radius`.
    ///
    /// `visit` gets the squared distance of the box, and returns the new `radius`, squared too,
    /// which only counts if it is smaller than before. Nearer boxes come first, as far as a
    /// depth-first search allows.
    pub fn query_nearest(
        &self,
        point: V,
        radius: Real,
        visit: &mut dyn FnMut(u32, Real) -> Real,
    ) -> Real {
        query_nearest(self, point, radius, visit)
    }

    /// [`Self::query_box`] in the lanes that `mask` allows.
    pub fn query_box_masked(
        &self,
        bounds: &Aabb<V>,
        mask: &impl LaneMask,
        visit: &mut dyn FnMut(u32),
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let (low, high) = spread_box(bounds);
        let mut stack = Stack::<u32>::new();
        stack.push(0);
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            for lane in lanes(node.overlapping::<V>(&low, &high) & mask.allowed(at)) {
                let child = node.children[lane];
                match child.number() {
                    Some(number) => visit(number),
                    None => stack.push(child.known_index()),
                }
            }
        }
    }

    /// Visits leaves by increasing measure, as far as a depth-first search allows: among the
    /// children of a node, the one with the least measure comes first. `measure` returns the lanes
    /// within the limit and their measures, which never decrease from a node to its children.
    #[inline]
    fn nearest_first(
        &self,
        mut limit: Real,
        visit: &mut impl FnMut(u32, Real) -> Real,
        measure: impl Fn(&Node, Real) -> (u32, Vec4),
    ) -> Real {
        if self.nodes.is_empty() {
            return limit;
        }
        let mut descent = NearestFirst::from_root();
        while let Some(Arrival {
            child,
            measure: least,
        }) = descent.pop()
        {
            if least > limit {
                continue;
            }
            if let Some(at) = child.index() {
                let node = &self.nodes[at];
                let (mask, measures) = measure(node, limit);
                descent.push(&node.children, mask, measures);
            } else {
                limit = limit.min(visit(child.known_number(), least));
            }
        }
        limit
    }
}

compile_once! {
    fn query_box<'a, V>(tree: &'a Tree<V>, bounds: &'a Aabb<V>, visit: &'a mut (dyn FnMut(u32) + 'a)) {
        tree.query_box_masked(bounds, &AllLanes, visit);
    }
}

compile_once! {
    fn query_ray<'a, V>(tree: &'a Tree<V>, line: &'a RayLine<V>, max: Real, visit: &'a mut Visit<'a>) -> Real {
        if tree.is_empty() {
            return max;
        }
        let mut visit = |number, entry| visit(number, entry);
        if let Some(slabs) = RaySlabs::new(line) {
            let entries = |node: &Node, limit: Real| slabs.entries::<V>(node, limit);
            return least_first(&tree.nodes, max, entries, &mut visit);
        }
        let boxes = RayBoxes::new(*line);
        tree.nearest_first(max, &mut visit, |node, limit| boxes.entries::<V>(node, limit))
    }
}

compile_once! {
    fn query_nearest<'a, V>(tree: &'a Tree<V>, point: V, radius: Real, visit: &'a mut Visit<'a>) -> Real {
        tree.nearest_first(radius, &mut |number, measure| visit(number, measure), |node, radius| {
            let mut squared = Vec4::ZERO;
            for k in 0..V::DIM {
                let at = Vec4::splat(point.component(k));
                let outside = (node.low[k] - at).max(at - node.high[k]).max(Vec4::ZERO);
                squared += outside * outside;
            }
            let mask = squared.cmple(Vec4::splat(radius)).bitmask() & node.occupied_lanes();
            (mask, squared)
        })
    }
}
