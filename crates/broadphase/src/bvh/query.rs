//! Queries by box, ray and point.

use clearance_math::{Aabb, Ray, Real, Vector};
use glam::Vec4;
use smallvec::SmallVec;

use super::Tree;
use super::node::{Child, LANES, Node, lanes, spread_box};
use crate::{Key, PairFilter, ray_box};

/// All lanes of a node, as bits.
const ALL_LANES: u32 = (1 << LANES) - 1;

/// A stack of subtrees. At most three remain for each level, so that it is large enough for
/// ordinary trees; for deeper ones it moves to the heap.
type Stack<T> = SmallVec<[T; 64]>;

impl Tree {
    /// Visits the leaves that overlap `bounds`.
    pub(super) fn query_box<V: Vector>(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        if self.nodes.is_empty() {
            return;
        }
        self.query_lanes(bounds, |_| ALL_LANES, visit);
    }

    /// [`Self::query_box`] restricted to leaves with which `filter` may allow a pair.
    pub(super) fn query_allowed<V: Vector>(
        &self,
        bounds: &Aabb<V>,
        filter: PairFilter,
        visit: &mut dyn FnMut(Key),
    ) {
        if self.filters.is_empty() {
            self.query_box(bounds, visit);
        } else {
            let allowed = |at: u32| self.filters[at as usize].allowed(filter);
            self.query_lanes(bounds, allowed, visit);
        }
    }

    /// Visits the leaves that overlap `bounds`, and enters only the lanes that `allowed` returns
    /// for a node.
    fn query_lanes<V: Vector>(
        &self,
        bounds: &Aabb<V>,
        allowed: impl Fn(u32) -> u32,
        visit: &mut dyn FnMut(Key),
    ) {
        let (low, high) = spread_box(bounds);
        let mut stack = Stack::<u32>::new();
        stack.push(0);
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            for lane in lanes(node.overlapping::<V>(&low, &high) & allowed(at)) {
                let child = node.children[lane];
                match child.key() {
                    Some(key) => visit(key),
                    None => stack.push(child.raw()),
                }
            }
        }
    }

    /// Visits the leaves that the ray hits; returns the new `max`.
    pub(super) fn query_ray<V: Vector>(
        &self,
        ray: &Ray<V>,
        max: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) -> Real {
        self.nearest_first(max, visit, |node, max| {
            ray_box::entry_of_four(ray, &node.low, &node.high, max)
        })
    }

    /// Visits the leaves within the squared `radius` of `point`; returns the new squared radius.
    pub(super) fn query_nearest<V: Vector>(
        &self,
        point: V,
        radius: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) -> Real {
        self.nearest_first(radius, visit, |node, radius| {
            let mut squared = Vec4::ZERO;
            for k in 0..V::DIM {
                let at = Vec4::splat(point.component(k));
                let outside = (node.low[k] - at).max(at - node.high[k]).max(Vec4::ZERO);
                squared += outside * outside;
            }
            let mask = squared.cmple(Vec4::splat(radius)).bitmask();
            (mask, squared.to_array())
        })
    }

    /// Visits leaves by increasing measure, as far as a depth-first search allows: among the
    /// children of a node, the one with the least measure comes first. `measure` returns the lanes
    /// within the limit and their measures, which never decrease from a node to its children.
    fn nearest_first(
        &self,
        mut limit: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
        measure: impl Fn(&Node, Real) -> (u32, [Real; LANES]),
    ) -> Real {
        if self.nodes.is_empty() {
            return limit;
        }
        let mut stack = Stack::<(Real, Child)>::new();
        stack.push((0.0, Child::node(0)));
        while let Some((least, child)) = stack.pop() {
            if least > limit {
                continue;
            }
            let Some(at) = child.index() else {
                if let Some(key) = child.key() {
                    limit = limit.min(visit(key, least));
                }
                continue;
            };
            let node = &self.nodes[at];
            let (mask, measures) = measure(node, limit);
            let bottom = stack.len();
            for lane in lanes(mask) {
                if !node.children[lane].is_empty() {
                    stack.push((measures[lane], node.children[lane]));
                }
            }
            stack[bottom..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        }
        limit
    }
}
