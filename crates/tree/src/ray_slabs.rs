//! Where a ray enters the boxes of a node: the quick case of [`crate::ray_box`], for nearly all rays.

use clearance_math::internal::lanes::{Select, Simd, SimdBase, dispatch_widest, f32x16};
use clearance_math::{Aabb, Real, Vector, compile_once, tolerances};
use glam::{BVec4A, Vec4};

use crate::internal::{MOST_LIMIT, Search, WideLeaf, WideNode, nearest_first};
use crate::least_first::{keys, reach_of};
use crate::ray_box::{self, RayLine};
use crate::wide::{MOST_COORDINATE, WideScratch, widened};
use crate::{Node, Tree};

/// A ray prepared for tests against the boxes of many nodes, which it enters at `(plane - origin) * inverse`.
///
/// Places before the start do not count, so that all others may be changed in proportion. A ray along the planes
/// of an axis enters them at negative infinity and leaves them at infinity, or the other way around if it is
/// beside the box. For that its origin is moved by one step, so that a ray on a plane is not beside the box.
///
/// A plane that the moved origin is on makes NaN. The box is beside the ray then, so it does not matter whether it
/// counts as entered, and that depends on the processor: some drop a maximum with NaN, some drop what came before.
/// What matters is that no NaN and no negative number is left, because other lanes are compared with it: so the
/// maximum with zero comes last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaySlabs {
    /// The coordinates of the origin, for the planes of entry and for those of exit.
    enter_origin: [Real; 3],
    leave_origin: [Real; 3],
    /// One over the components of the direction, so that the ray enters early.
    enter: [Real; 3],
    /// One over the components of the direction, so that the ray leaves late.
    leave: [Real; 3],
    /// The sides by which the ray enters: 0 for the lower ones, 1 for the upper ones.
    side: [usize; 3],
    /// Whether that is the upper side.
    is_backward: [BVec4A; 3],
}

impl RaySlabs {
    /// `None` if a component of the direction is tiny or huge, or the line does not start at its origin.
    #[inline]
    pub(crate) fn new<V: Vector>(line: &RayLine<V>) -> Option<Self> {
        let mut slabs = Self {
            enter_origin: [0.0; 3],
            leave_origin: [0.0; 3],
            enter: [0.0; 3],
            leave: [0.0; 3],
            side: [0; 3],
            is_backward: [BVec4A::FALSE; 3],
        };
        let mut is_usual = line.start == 0.0;
        for k in 0..V::DIM {
            let component = line.direction.component(k);
            let [enter, leave] = line.origins(k);
            let is_parallel = component == 0.0;
            is_usual &= is_parallel || tolerances::RAY_NODE_COMPONENTS.contains(&component.abs());
            let inverse = if is_parallel {
                Real::INFINITY
            } else {
                1.0 / component
            };
            slabs.enter_origin[k] = if is_parallel { enter.next_up() } else { enter };
            slabs.leave_origin[k] = if is_parallel {
                leave.next_down()
            } else {
                leave
            };
            slabs.enter[k] = inverse * (1.0 - tolerances::RAY_NODE_ENTER_SLACK);
            slabs.leave[k] = inverse * (1.0 + tolerances::RAY_NODE_LEAVE_SLACK);
            slabs.side[k] = usize::from(component < 0.0);
            slabs.is_backward[k] = Vec4::splat(component).cmplt(Vec4::ZERO);
        }
        is_usual.then_some(slabs)
    }

    /// Lower bounds of the places where the ray enters the boxes of a node, as [`keys`], for the lanes that it
    /// enters at a place of at most `limit`.
    #[inline(always)]
    pub(crate) fn entries<V: Vector>(&self, node: &Node, limit: Real) -> Vec4 {
        let (mut near, mut far) = (Vec4::NEG_INFINITY, Vec4::splat(limit));
        for k in 0..V::DIM {
            let (low, high) = (node.low[k], node.high[k]);
            let first = Vec4::select(self.is_backward[k], high, low);
            let second = Vec4::select(self.is_backward[k], low, high);
            near = near.max((first - Vec4::splat(self.enter_origin[k])) * self.enter[k]);
            far = far.min((second - Vec4::splat(self.leave_origin[k])) * self.leave[k]);
        }
        let near = near.max(Vec4::ZERO);
        keys(near.cmple(far), near)
    }

    /// The same for a wide node, as measures of a [`Search`].
    #[inline(always)]
    fn wide_entries<V: Vector, S: Simd>(&self, simd: S, node: &WideNode) -> f32x16<S> {
        let (mut near, mut far) = self.wide_places(simd, node, 0);
        for k in 1..V::DIM {
            let (enter, leave) = self.wide_places(simd, node, k);
            near = near.max(enter);
            far = far.min(leave);
        }
        // In this order, because both may be NaN where a box is beside the ray; and so that no place is infinite.
        let near = near.max(f32x16::splat(simd, 0.0));
        let far = far.min(f32x16::splat(simd, MOST_LIMIT));
        near.simd_le(far)
            .select(near, f32x16::splat(simd, Real::MAX))
    }

    /// Where the ray enters and leaves the slabs along axis k. No closure: what is not inlined is compiled for the oldest
    /// processors, and calls for each operation.
    #[inline(always)]
    fn wide_places<S: Simd>(&self, simd: S, node: &WideNode, k: usize) -> (f32x16<S>, f32x16<S>) {
        let side = self.side[k] & 1;
        let first = f32x16::load_array_ref(simd, &node.planes[k][side]);
        let second = f32x16::load_array_ref(simd, &node.planes[k][1 - side]);
        let enter = (first - self.enter_origin[k]) * self.enter[k];
        (enter, (second - self.leave_origin[k]) * self.leave[k])
    }

    /// Whether all places within boxes up to [`MOST_COORDINATE`] are far below [`MOST_LIMIT`].
    fn is_near<V: Vector>(line: &RayLine<V>) -> bool {
        (0..V::DIM).all(|k| line.origin.component(k).abs() <= MOST_COORDINATE)
            && (0..V::DIM)
                .any(|k| line.direction.component(k).abs() >= tolerances::RAY_NODE_LEAST_LENGTH)
    }
}

/// What is told of each leaf on a ray.
type Visit<'v> = dyn FnMut(u32, Real) -> Real + 'v;

/// A search for the leaves on a ray.
struct OnRay<'a, 'v, V> {
    line: &'a RayLine<V>,
    slabs: &'a RaySlabs,
    limit: Real,
    visit: &'a mut Visit<'v>,
}

impl<V: Vector> Search for OnRay<'_, '_, V> {
    #[inline(always)]
    fn limit(&self) -> Real {
        reach_of(self.limit)
    }

    #[inline(always)]
    fn measures<S: Simd>(&self, simd: S, node: &WideNode, _limit: Real) -> f32x16<S> {
        self.slabs.wide_entries::<V, S>(simd, node)
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, _simd: S, leaf: WideLeaf<'_>) {
        if let Some(entry) = ray_box::entry(self.line, &leaf.bounds(), self.limit) {
            self.limit = self.limit.min((self.visit)(leaf.number, entry));
        }
    }
}

impl<V: Vector> Tree<V> {
    /// The nodes for [`leaves_on_ray_by`], which stand for the tree as it is now, in memory of `scratch`. `None`
    /// if the tree is too deep, or its boxes are too far out.
    ///
    /// The leaves get the boxes of `bounds_of`, which must lie within those in the tree.
    #[must_use]
    pub fn widened(
        &self,
        bounds_of: &mut dyn FnMut(u32) -> Aabb<V>,
        scratch: &mut WideScratch,
    ) -> Option<Vec<WideNode>> {
        widened(self, bounds_of, scratch)
    }
}

compile_once! {
    /// Visits the leaves of [`Tree::widened`] whose boxes the line enters before the parameter `max`, which is what
    /// `visit` returns from then on; returns the last one. `visit` gets what [`ray_box::entry`] finds.
    ///
    /// `None` if the line is too far out, or its direction too short or long, for wide nodes; then nothing was visited.
    pub fn leaves_on_ray_by<'a, V>(
        wide: &'a [WideNode],
        line: &'a RayLine<V>,
        max: Real,
        visit: &'a mut Visit<'a>,
    ) -> Option<Real> {
        let slabs = RaySlabs::new(line).filter(|_| RaySlabs::is_near(line))?;
        let mut search = OnRay {
            line,
            slabs: &slabs,
            limit: max,
            visit,
        };
        dispatch_widest!(simd => nearest_first(simd, wide, &mut search));
        Some(search.limit)
    }
}
