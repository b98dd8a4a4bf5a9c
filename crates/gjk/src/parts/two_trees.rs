//! Descending the trees of two composites at once, the nearest pair of boxes first, or the one that may meet first.
//!
//! A pair of nodes is expanded into pairs of their children, as the question says ([`PairOpening`]). For shapes at rest ([`AtRest`])
//! both nodes are opened. Where one side has no more nodes, only the other one is, so that triangles stay in groups until both
//! sides are groups.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::insertion_sort;
use clearance_math::{Real, Vector};
use clearance_shapes::{Composite, NodeContent, PartTree};
use clearance_tree::{Child, LANES, Node, lanes, node_and_lane, place};
use glam::Vec4;

use super::gap::{BoxMaps, FourBoxes};
use super::nearest_first::{PartPair, Visitor, without_nan};
use super::pieces::{PAIRS, Pieces, raise_gaps};

/// More than a descent can leave unfinished: it takes at most 32 steps down both trees, each of
/// which leaves up to 15 pairs, and 32 steps down one tree, each of which leaves up to 3.
const MOST_PENDING: usize = 640;

/// Two children whose pairs of parts have not been visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    /// How far apart they are at least, or when they meet at the earliest.
    pub(crate) gap: Real,
    pub(crate) a: Branch,
    pub(crate) b: Branch,
}

/// All of them.
pub(crate) type PendingPairs = ArrayVec<Pending, MOST_PENDING>;

/// How two branches are opened, at least one of which is no part.
pub(crate) trait PairOpening {
    /// Adds the pairs that are of interest; returns the least gap of the others.
    fn open(&self, pair: [Branch; 2], of_interest: OfInterest, pending: &mut PendingPairs) -> Real;
}

/// A child, and the node and lane that hold it and its box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) child: Child,
    place: u32,
    /// Half the surface of its box, roughly: that of parts of a surface shrinks alike whatever their form.
    surface: Real,
}

impl Branch {
    fn root() -> Self {
        Self {
            child: Child::node(0),
            place: 0,
            surface: Real::INFINITY,
        }
    }

    pub(crate) fn new(node: &Node, index: usize, lane: usize) -> Self {
        let [x, y, z] = [0, 1, 2].map_each(|k: usize| node.high[k][lane] - node.low[k][lane]);
        Self {
            child: node.children[lane],
            place: place(index, lane),
            surface: x * y + y * z + z * x,
        }
    }
}

/// Visits the pairs of the parts of two composites.
pub(crate) fn tree_with_tree(opening: &impl PairOpening, visitor: &mut impl Visitor) {
    let mut pending = PendingPairs::new();
    let mut next = Some(Pending {
        gap: Real::NEG_INFINITY,
        a: Branch::root(),
        b: Branch::root(),
    });
    while let Some(pair) = next {
        let first = pending.len();
        visitor.open();
        if let (Some(a), Some(b)) = (pair.a.child.number(), pair.b.child.number()) {
            visitor.visit(PartPair { a, b });
        } else {
            let of_interest = OfInterest {
                limit: visitor.limit(),
                axis: visitor.axis(),
            };
            let skipped = opening.open([pair.a, pair.b], of_interest, &mut pending);
            if skipped < Real::INFINITY {
                visitor.skip(skipped);
            }
        }
        sort_nearest_last(&mut pending[first..]);
        next = pop(&mut pending, visitor);
    }
}

/// What a visitor says of the pairs of two nodes' children: see the methods of these names.
pub(crate) struct OfInterest {
    pub(crate) limit: Real,
    axis: Option<[Real; 3]>,
}

/// Two composites at rest.
pub(super) struct AtRest<'a, V: Vector> {
    pub(super) sides: [&'a Composite<V>; 2],
    pub(super) maps: BoxMaps,
}

impl<V: Vector> PairOpening for AtRest<'_, V> {
    fn open(&self, pair: [Branch; 2], of_interest: OfInterest, pending: &mut PendingPairs) -> Real {
        self.opened(pair).add_pairs::<V>(of_interest, pending)
    }
}

/// What is in the lanes of one side, in the frames of both.
struct Opened {
    in_a: FourBoxes,
    in_b: FourBoxes,
    /// In the frame of a.
    pieces: Pieces,
    branches: [Branch; LANES],
    occupied: u32,
    /// Whether all lanes are of one branch, which is not opened.
    is_whole: bool,
}

/// Both sides of a pair, at least one of which is opened. The other one may be as it is, in the first lane.
struct BothOpened {
    a: Opened,
    b: Opened,
}

/// By what factor the surface of a side is greater that is opened alone.
const MUCH_LARGER: Real = 4.0;

/// What is done with one side of a pair.
enum Look<'a> {
    /// What it holds is looked at, and becomes pairs of its own.
    Open(NodeContent<'a>),
    /// The triangles that it holds are looked at, and stay together.
    Into(NodeContent<'a>),
    /// Its box is looked at.
    At,
}

impl<V: Vector> AtRest<'_, V> {
    /// Opens the nodes of a pair that hold nodes, or the one that is much larger; if there is none, what holds triangles.
    fn opened(&self, [branch_a, branch_b]: [Branch; 2]) -> BothOpened {
        let [a, b] = self.sides;
        let (content_a, content_b) = (content_of(a, branch_a), content_of(b, branch_b));
        let (inner_a, inner_b) = (is_inner(&content_a), is_inner(&content_b));
        let is_larger = |one: Branch, other: Branch| one.surface > MUCH_LARGER * other.surface;
        let keep_a = inner_b && (!inner_a || is_larger(branch_b, branch_a));
        let keep_b = inner_a && (!inner_b || is_larger(branch_a, branch_b));
        let mut a = lanes_of(a, branch_a, Look::new(content_a, keep_a));
        let mut b = lanes_of(b, branch_b, Look::new(content_b, keep_b));
        a.in_b = self.maps.a_in_b.map(&a.in_a);
        b.in_a = self.maps.b_in_a.map(&b.in_b);
        b.pieces.map(&self.maps.b_in_a);
        BothOpened { a, b }
    }
}

/// What a branch holds, if it is no part.
fn content_of<V: Vector>(composite: &Composite<V>, branch: Branch) -> Option<NodeContent<'_>> {
    let index = branch.child.index()?;
    Some(composite.content(index as u32))
}

/// Whether it is nodes or whole parts.
fn is_inner(content: &Option<NodeContent<'_>>) -> bool {
    matches!(
        content,
        Some(NodeContent::Boxes(_) | NodeContent::ComputedBoxes(_))
    )
}

impl<'a> Look<'a> {
    fn new(content: Option<NodeContent<'a>>, is_kept: bool) -> Self {
        match content {
            Some(content @ NodeContent::Triangles(_)) if is_kept => Self::Into(content),
            Some(content) if !is_kept => Self::Open(content),
            _ => Self::At,
        }
    }
}

/// The lanes of one side, in the frame of its composite.
fn lanes_of<V: Vector>(composite: &Composite<V>, branch: Branch, look: Look<'_>) -> Opened {
    let (is_whole, content) = match look {
        Look::Open(content) => (false, content),
        Look::Into(content) => (true, content),
        Look::At => return box_in_lanes(composite, branch),
    };
    let index = branch.child.index().unwrap_or_default();
    let pieces = Pieces::new::<V>(&content, composite.turned_boxes(index as u32));
    let node = content.node();
    let boxes = FourBoxes::of_node(&node);
    let branches = if is_whole {
        [branch; LANES]
    } else {
        [0, 1, 2, 3].map_each(|lane| Branch::new(&node, index, lane))
    };
    Opened {
        in_a: boxes,
        in_b: boxes,
        pieces,
        branches,
        occupied: node.occupied_lanes(),
        is_whole,
    }
}

/// A branch in the first lane, as the node above knows it.
fn box_in_lanes<V: Vector>(composite: &Composite<V>, branch: Branch) -> Opened {
    let (index, lane) = node_and_lane(branch.place);
    let content = composite.content(index as u32);
    let pieces = Pieces::new::<V>(&content, composite.turned_boxes(index as u32)).spread(lane);
    let boxes = FourBoxes::of_node(&content.node()).spread(lane);
    Opened {
        in_a: boxes,
        in_b: boxes,
        pieces,
        branches: [branch; LANES],
        occupied: 1,
        is_whole: true,
    }
}

impl BothOpened {
    /// Adds the pairs of the lanes that are of interest; returns the least gap of the others. It is not generic over the
    /// visitor, so that it is compiled once.
    fn add_pairs<V: Vector>(
        &self,
        OfInterest { limit, axis }: OfInterest,
        pending: &mut PendingPairs,
    ) -> Real {
        let [a, b] = [&self.a, &self.b];
        let mut gaps = [Real::NAN; PAIRS];
        let (mut occupied, mut near) = (0, 0);
        for lane_a in lanes(a.occupied) {
            let mut of_lane = a.in_a.spread(lane_a).gaps::<V>(&b.in_a);
            // Boxes that are mapped are loose: the wider gap counts.
            of_lane = wider(of_lane, a.in_b.spread(lane_a).gaps::<V>(&b.in_b));
            let first = LANES * lane_a;
            gaps[first..first + LANES].copy_from_slice(&without_nan(of_lane).to_array());
            occupied |= b.occupied << first;
            near |= of_lane.cmple(Vec4::splat(limit)).bitmask() << first;
        }
        near &= occupied;
        if near != 0 {
            raise_gaps([&a.pieces, &b.pieces], axis, &mut gaps, near, limit);
        }
        let mut skipped = Real::INFINITY;
        for pairs in self.alike().map(|pairs| pairs & occupied) {
            let gap = lanes(pairs).fold(Real::INFINITY, |least, pair| least.min(gaps[pair]));
            // An endless limit takes in all pairs that there are.
            if pairs != 0 && gap <= limit {
                let pair = pairs.trailing_zeros() as usize;
                let (a, b) = (a.branches[pair / LANES], b.branches[pair % LANES]);
                pending.push(Pending { gap, a, b });
            } else {
                skipped = skipped.min(gap);
            }
        }
        skipped
    }

    /// The pairs of lanes as bits, in order; together those of one pair of branches.
    fn alike(&self) -> impl Iterator<Item = u32> {
        // The first pair, and how far apart the others are.
        let (of_one, step, count) = match (self.a.is_whole, self.b.is_whole) {
            (true, _) => (0x1111, 1, LANES),
            (_, true) => (0xf, LANES, LANES),
            _ => (1, 1, PAIRS),
        };
        (0..count).map(move |k| of_one << (step * k))
    }
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
fn pop(pending: &mut PendingPairs, visitor: &mut impl Visitor) -> Option<Pending> {
    let limit = visitor.limit();
    while let Some(pair) = pending.pop() {
        if pair.gap <= limit {
            return Some(pair);
        }
        visitor.skip(pair.gap);
    }
    None
}
