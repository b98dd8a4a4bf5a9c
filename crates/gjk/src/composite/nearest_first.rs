//! Descending the trees of composites, the nearest pair of boxes first.
//!
//! A pair of tree nodes is expanded into the pairs of their children. Pairs whose boxes are farther
//! apart than the visitor's limit are skipped. The nearest one of what remains is expanded next, so
//! that the limit, which usually is the least distance found so far, becomes small soon.

use arrayvec::ArrayVec;
use clearance_math::lanes::Simd;
use clearance_math::{MapEach, PreciseVector, Real, Vector, insertion_sort};
use clearance_shapes::{Composite, NodeContent, PartTree, TriangleGroup};
use clearance_tree::{
    Arrival, Child, NearestFirst, Node, lanes, node_and_lane, occupied_lanes, place,
};
use glam::Vec4;

use super::axis::Axis;
use super::counted::SidedBox;
use super::gap::{BoxMaps, FourBoxes, Lane, sorted_lanes};
use super::pieces::{Pieces, gaps_between_centers};

/// Looks at the pairs of parts that a descent arrives at.
pub(crate) trait Visitor {
    /// The greatest gap that is still of interest, rounding included. It never grows, and stays the same until parts are
    /// visited or nodes are opened.
    fn limit(&self) -> Real;

    /// A direction along which parts are probably apart, once one is known.
    fn axis(&self) -> Option<&Axis> {
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
    /// must be looked at one by one. The limit must not depend on what is found.
    #[inline]
    fn visit_at_once(&mut self, _group: &TriangleGroup, _which: u32) -> bool {
        false
    }

    /// Whether triangles are offered with their distances, instead of being visited at once.
    const TAKES_OFFERS: bool = false;

    /// Is offered the triangle in a lane with a lower and an upper bound of its distance, both up to rounding. It
    /// may be looked at later.
    fn offer_lane(&mut self, _group: &TriangleGroup, _lane: usize, _bounds: [Real; 2]) {}

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

/// More than a descent can leave unfinished: it takes at most 32 steps down both trees, each of
/// which leaves up to 15 pairs, and 32 steps down one tree, each of which leaves up to 3.
const MOST_PENDING: usize = 640;

/// Two children whose pairs of parts have not been visited.
#[derive(Clone, Copy, Debug)]
struct Pending {
    gap: Real,
    a: Branch,
    b: Branch,
}

/// A child, and the node and lane that hold it and its box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) child: Child,
    place: u32,
}

impl Branch {
    pub(crate) fn root() -> Self {
        Self {
            child: Child::node(0),
            place: 0,
        }
    }

    pub(crate) fn new(node: &Node, index: usize, lane: usize) -> Self {
        Self {
            child: node.children[lane],
            place: place(index, lane),
        }
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
        let (children, gaps) = match a.content(index as u32) {
            NodeContent::Boxes(node) => (node.children, target.gaps(node)),
            NodeContent::ComputedBoxes(node) => (node.children, target.gaps(&node)),
            NodeContent::Triangles(group) if const { V::DIM == 3 } => {
                let gaps = target.gaps_of_triangles(&group, limit);
                let farther = visit_triangles(&group, gaps, visitor);
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
    let mut skipped = Real::INFINITY;
    let mut limit = visitor.limit();
    let gaps = without_nan(gaps);
    let occupied = group.occupied_lanes();
    let is_near = gaps.cmple(Vec4::splat(limit)).bitmask();
    let near = is_near & occupied;
    if near != 0 && !visitor.visit_at_once(group, near) {
        for Lane { gap, lane } in sorted_lanes(&group.parts, gaps, limit) {
            if gap <= limit {
                visitor.visit_lane(group, lane);
                limit = visitor.limit();
            } else {
                skipped = skipped.min(gap);
            }
        }
    }
    skipped.min(least(gaps, occupied & !is_near))
}

/// The gaps without those that say nothing: sums that overflow give NaN.
#[inline]
fn without_nan(gaps: Vec4) -> Vec4 {
    Vec4::select(gaps.cmpeq(gaps), gaps, Vec4::NEG_INFINITY)
}

/// The least of the gaps in the lanes of a mask; infinite if there are none.
#[inline]
fn least(gaps: Vec4, mask: u32) -> Real {
    lanes(mask).fold(Real::INFINITY, |least, lane| least.min(gaps[lane]))
}

/// Visits the pairs of the parts of two composites.
pub(super) fn tree_with_tree<V: Vector>(
    a: &Composite<V>,
    b: &Composite<V>,
    maps: &BoxMaps,
    visitor: &mut impl Visitor,
) {
    let mut pending = ArrayVec::<Pending, MOST_PENDING>::new();
    let mut next = Some(Pending {
        gap: Real::NEG_INFINITY,
        a: Branch::root(),
        b: Branch::root(),
    });
    while let Some(pair) = next {
        let first = pending.len();
        visitor.open();
        match (pair.a.child.index(), pair.b.child.index()) {
            (Some(at_a), Some(at_b)) => {
                let nodes = [at_a as u32, at_b as u32];
                let of_interest = OfInterest {
                    limit: visitor.limit(),
                    axis: visitor.axis(),
                };
                let skipped = add_pairs_of_nodes([a, b], nodes, maps, of_interest, &mut pending);
                if skipped < Real::INFINITY {
                    visitor.skip(skipped);
                }
            }
            (Some(at), None) | (None, Some(at)) => {
                let is_of_a = pair.a.child.index().is_some();
                let node = if is_of_a { a } else { b }.node(at as u32);
                let boxes = FourBoxes::of_node(&node);
                let gaps = if is_of_a {
                    boxes.gaps::<V>(&maps.b_in_a.map(&box_of(b, pair.b)))
                } else {
                    maps.b_in_a.map(&boxes).gaps::<V>(&box_of(a, pair.a))
                };
                for Lane { gap, lane } in sorted_lanes(&node.children, gaps, visitor.limit()) {
                    let child = Branch::new(&node, at, lane);
                    let pair = if is_of_a {
                        Pending { a: child, ..pair }
                    } else {
                        Pending { b: child, ..pair }
                    };
                    pending.push(Pending { gap, ..pair });
                }
                tell_skipped(&node, gaps, visitor);
            }
            (None, None) => visitor.visit(PartPair {
                a: pair.a.child.known_number(),
                b: pair.b.child.known_number(),
            }),
        }
        sort_nearest_last(&mut pending[first..]);
        next = pop(&mut pending, visitor);
    }
}

/// What a visitor says of the pairs of two nodes' children: see the methods of these names.
struct OfInterest<'a> {
    limit: Real,
    axis: Option<&'a Axis>,
}

/// Adds the pairs of the children of two nodes; returns the least gap of those that were skipped. It is not generic over
/// the visitor, so that it is compiled once.
fn add_pairs_of_nodes<V: Vector>(
    [a, b]: [&Composite<V>; 2],
    [at_a, at_b]: [u32; 2],
    maps: &BoxMaps,
    OfInterest { limit, axis }: OfInterest<'_>,
    pending: &mut ArrayVec<Pending, MOST_PENDING>,
) -> Real {
    let contents = [a.content(at_a), b.content(at_b)];
    let slabs = [a.slabs(at_a), b.slabs(at_b)];
    let pieces = [
        Pieces::new(&contents[0], slabs[0]),
        Pieces::new(&contents[1], slabs[1]),
    ];
    let along_axis = axis.map(|axis| axis.extents::<V>(&pieces));
    let [content_a, content_b] = contents;
    let (node_a, node_b) = (content_a.node(), content_b.node());
    let (boxes_a, boxes_b) = (FourBoxes::of_node(&node_a), FourBoxes::of_node(&node_b));
    let (a_in_b, b_in_a) = (maps.a_in_b.map(&boxes_a), maps.b_in_a.map(&boxes_b));
    let occupied = node_b.occupied_lanes();
    let near = |gaps: Vec4| gaps.cmple(Vec4::splat(limit)).bitmask() & occupied;
    let mut skipped = Real::INFINITY;
    for lane_a in lanes(node_a.occupied_lanes()) {
        let mut gaps = along_axis.as_ref().map_or(Vec4::NEG_INFINITY, |extents| {
            without_nan(extents.gaps(lane_a))
        });
        let box_a = boxes_a.spread(lane_a);
        if near(gaps) != 0 {
            // Turned boxes are loose, each kind in another way: the wider gap counts.
            gaps = wider(gaps, b_in_a.gaps::<V>(&box_a));
            gaps = wider(gaps, boxes_b.gaps::<V>(&a_in_b.spread(lane_a)));
        }
        let [all_a, all_b] = &pieces;
        if near(gaps) != 0
            && let Some(between) =
                gaps_between_centers::<V>([all_a, all_b], lane_a, [&box_a, &b_in_a], maps)
        {
            gaps = wider(gaps, between);
        }
        let near = near(gaps);
        skipped = skipped.min(least(gaps, occupied & !near));
        for lane in lanes(near) {
            pending.push(Pending {
                gap: gaps[lane],
                a: Branch::new(&node_a, at_a as usize, lane_a),
                b: Branch::new(&node_b, at_b as usize, lane),
            });
        }
    }
    skipped
}

/// The wider ones of some gaps and of others, which may be NaN.
#[inline]
fn wider(gaps: Vec4, others: Vec4) -> Vec4 {
    Vec4::select(others.cmpgt(gaps), others, gaps)
}

/// The box of a child, four times; that around the composite for the root.
pub(crate) fn box_of<V: Vector>(composite: &Composite<V>, branch: Branch) -> FourBoxes {
    if branch.child.index() == Some(0) {
        return FourBoxes::of_box(&composite.local_bounds());
    }
    let (index, lane) = node_and_lane(branch.place);
    FourBoxes::of_node(&composite.node(index as u32)).spread(lane)
}

/// Sorts up to sixteen pairs. Equal ones keep their order reversed, so that the first is last.
fn sort_nearest_last(pairs: &mut [Pending]) {
    pairs.reverse();
    insertion_sort(pairs, |one, other| one.gap > other.gap);
}

/// Takes the last pair whose gap is still of interest.
fn pop(
    pending: &mut ArrayVec<Pending, MOST_PENDING>,
    visitor: &mut impl Visitor,
) -> Option<Pending> {
    let limit = visitor.limit();
    while let Some(pair) = pending.pop() {
        if pair.gap <= limit {
            return Some(pair);
        }
        visitor.skip(pair.gap);
    }
    None
}

/// Tells the visitor about lanes whose gap is not of interest.
fn tell_skipped(node: &Node, gaps: Vec4, visitor: &mut impl Visitor) {
    let is_far = gaps.cmpgt(Vec4::splat(visitor.limit())).bitmask();
    let skipped = least(gaps, is_far & node.occupied_lanes());
    if skipped < Real::INFINITY {
        visitor.skip(skipped);
    }
}
