//! Descending the trees of composites, the nearest boxes first.
//!
//! A node, or a pair of them (`two_trees.rs`), is expanded into its children. What is farther
//! apart than the visitor's limit is skipped. The nearest one of what remains is expanded next, so
//! that the limit, which usually is the least distance found so far, becomes small soon.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::Simd;
use clearance_math::{PreciseVector, Real, Vector};
use clearance_shapes::{NodeContent, PartTree, TriangleGroup};
use clearance_tree::{Arrival, LANES, NearestFirst, Node, lanes, occupied_lanes};
use glam::Vec4;

use super::counted::SidedBox;
use super::gap::nearest_lane;

/// Looks at the pairs of parts that a descent arrives at.
pub(crate) trait Visitor {
    /// The greatest gap that is still of interest, rounding included. It never grows, and stays the same until parts are
    /// visited or nodes are opened.
    fn limit(&self) -> Real;

    /// A unit direction along which parts are probably apart, once one is known, in the frame of a.
    fn axis(&self) -> Option<[Real; 3]> {
        None
    }

    /// Is told that a pair of nodes is opened: it may use up the effort of the question, and then nothing more is of
    /// interest.
    fn open(&mut self);

    /// Looks at a pair of parts.
    fn visit(&mut self, parts: PartPair);

    /// Looks at the triangle in a lane, as [`Self::visit`] does for the same part.
    #[inline]
    fn visit_lane(&mut self, group: &TriangleGroup, lane: usize) {
        self.visit(PartPair::of_lane(group, lane));
    }

    /// Looks at the triangles in some lanes, given as bits, as [`Self::visit_lane`] does. It may do so for all of
    /// them at once, if the limit does not depend on what it finds.
    #[inline(always)]
    fn visit_lanes<S: Simd>(&mut self, _simd: S, group: &TriangleGroup, which: u32) {
        for lane in lanes(which) {
            self.visit_lane(group, lane);
        }
    }

    /// Whether everything within the limit is visited, in any order, and nothing is asked about what is skipped. Then
    /// the limit that counts is that at the beginning.
    const VISITS_ALL: bool = false;

    /// Looks at the triangles in some lanes, given as bits, all at once, as [`Self::visit_lane`] does. False if they
    /// must be looked at one by one. A visitor may keep the limit that it had at the beginning.
    #[inline]
    fn visit_at_once(&mut self, _group: &TriangleGroup, _which: u32) -> bool {
        false
    }

    /// Whether some parts may not count, so that it is worth asking whether those in a box do.
    fn is_selective(&self) -> bool {
        false
    }

    /// Whether none of the parts in a box counts.
    fn passes(&self, _parts: &SidedBox) -> bool {
        false
    }

    /// Is told that some pairs of parts were skipped, which are at least `gap` apart up to rounding.
    fn skip(&mut self, gap: Real);
}

/// The numbers of a part of a and of a part of b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PartPair {
    pub(crate) a: u32,
    pub(crate) b: u32,
}

impl PartPair {
    /// The triangle in a lane, and a shape that is no composite.
    #[inline(always)]
    pub(super) fn of_lane(group: &TriangleGroup, lane: usize) -> Self {
        Self {
            a: group.parts[lane].known_number(),
            b: 0,
        }
    }
}

/// How far apart a shape that is no composite is from the boxes of a node.
pub(crate) trait Target<V: Vector> {
    /// Lower bounds of the signed distances, up to rounding, for the four lanes.
    fn gaps(&self, node: &Node) -> Vec4;

    /// The least and the greatest corner of the box around the shape; `None` if there is none, or it does not say much.
    fn corners(&self) -> Option<[[Real; 3]; 2]> {
        None
    }

    /// The same for the triangles of a node, where there may be tighter bounds than those for their boxes.
    /// Above the limit they need not be tight.
    fn gaps_of_triangles(&self, group: &TriangleGroup, _limit: Real) -> Vec4 {
        self.gaps(&group.node())
    }
}

/// Visits the pairs of the parts of `a` with one shape, which has part number 0.
pub(crate) fn tree_with_one<V: Vector, T: Visitor>(
    a: &impl PartTree,
    target: &(impl Target<V> + ?Sized),
    visitor: &mut T,
) {
    let mut descent = NearestFirst::from_root();
    let mut limit = visitor.limit();
    let mut skipped = Real::INFINITY;
    let within_limit = corners_within(target, limit).filter(|_| T::VISITS_ALL);
    let is_selective = visitor.is_selective();
    while let Some(Arrival { child, measure }) = descent.pop() {
        if !(measure <= limit) {
            skipped = skipped.min(measure);
            continue;
        }
        if is_selective
            && let Some(index) = child.index()
            && passes_below::<V>(a, index as u32, visitor)
        {
            continue;
        }
        let mut visit = |number| {
            visitor.visit(PartPair { a: number, b: 0 });
            limit = visitor.limit();
            measure <= limit
        };
        let Some(index) = child.index() else {
            visit(child.known_number());
            continue;
        };
        if let Some(corners) = within_limit
            && a.each_in_box(index as u32, corners, &mut visit)
        {
            if !(measure <= limit) {
                skipped = skipped.min(measure);
            }
            continue;
        }
        // Looked at where it is: nodes and groups take long to copy.
        let content = a.content(index as u32);
        let (children, gaps) = match &content {
            NodeContent::Boxes(node) => (node.children, target.gaps(node)),
            NodeContent::ComputedBoxes(node) => (node.children, target.gaps(node)),
            NodeContent::Triangles(group) if const { V::DIM == 3 } => {
                let gaps = target.gaps_of_triangles(group, limit);
                let farther = visit_triangles(group, gaps, visitor);
                skipped = skipped.min(farther);
                limit = visitor.limit();
                continue;
            }
            NodeContent::Triangles(group) => (group.parts, target.gaps(&group.node())),
        };
        let gaps = without_nan(gaps);
        let is_near = gaps.cmple(Vec4::splat(limit)).bitmask();
        let occupied = occupied_lanes(&children);
        descent.push(&children, is_near & occupied, gaps);
        skipped = skipped.min(least(gaps, occupied & !is_near));
    }
    if skipped < Real::INFINITY {
        visitor.skip(skipped);
    }
}

/// Whether all parts below a node count on one side, and none of them for the other shape.
#[cold]
#[inline(never)]
fn passes_below<V: Vector>(a: &impl PartTree, index: u32, visitor: &impl Visitor) -> bool {
    a.outer_side_below(index).is_some_and(|outer| {
        let around = a.content(index).node().bounds::<V>();
        let corner = |end: V| end.to_precise().in_space().as_vec3().to_array();
        let (low, high) = (corner(around.min), corner(around.max));
        visitor.passes(&SidedBox { outer, low, high })
    })
}

/// The box around a shape, grown by the greatest gap that is of interest.
fn corners_within<V: Vector>(
    target: &(impl Target<V> + ?Sized),
    limit: Real,
) -> Option<[[Real; 3]; 2]> {
    let [low, high] = target.corners()?;
    Some([
        low.map_each(|low| (low - limit).next_down()),
        high.map_each(|high| (high + limit).next_up()),
    ])
}

/// Visits the triangles of a group, the nearest ones first; returns the least gap of those that were
/// skipped. It is what a descent does with leaves, but the corners need not be looked up again.
#[inline]
fn visit_triangles(group: &TriangleGroup, gaps: Vec4, visitor: &mut impl Visitor) -> Real {
    let mut limit = visitor.limit();
    let gaps = without_nan(gaps);
    let occupied = group.occupied_lanes();
    let is_near = gaps.cmple(Vec4::splat(limit)).bitmask();
    let mut skipped = least(gaps, occupied & !is_near);
    let mut near = is_near & occupied;
    if near == 0 || visitor.visit_at_once(group, near) {
        return skipped;
    }
    let gaps = gaps.to_array();
    while near != 0 {
        let lane = nearest_lane(&gaps, near);
        near &= !(1 << lane);
        if gaps[lane] <= limit {
            visitor.visit_lane(group, lane);
            limit = visitor.limit();
        } else {
            skipped = skipped.min(gaps[lane]);
        }
    }
    skipped
}

/// The gaps without those that say nothing: sums that overflow give NaN.
#[inline]
pub(super) fn without_nan(gaps: Vec4) -> Vec4 {
    Vec4::select(gaps.cmpeq(gaps), gaps, Vec4::NEG_INFINITY)
}

/// Infinity in the lanes that are not in a mask, by the mask.
const ELSEWHERE: [[Real; LANES]; 1 << LANES] = {
    let mut rows = [[Real::INFINITY; LANES]; 1 << LANES];
    let mut place = 0;
    while place < LANES << LANES {
        let (mask, lane) = (place / LANES, place % LANES);
        if mask >> lane & 1 == 1 {
            rows[mask][lane] = Real::NEG_INFINITY;
        }
        place += 1;
    }
    rows
};

/// The least of the gaps in the lanes of a mask; infinite if there are none. How many there are is unpredictable, so there is no
/// branch. None may be NaN.
#[inline]
fn least(gaps: Vec4, mask: u32) -> Real {
    let elsewhere = Vec4::from_array(ELSEWHERE[mask as usize % ELSEWHERE.len()]);
    gaps.max(elsewhere).min_element()
}
