//! The pairs of the parts of two composites in motion that may meet.

use arrayvec::ArrayVec;
use clearance_math::internal::insertion_sort;
use clearance_math::{Real, Vector};
use clearance_shapes::Composite;
use clearance_tree::lanes;

use super::swept_boxes::SweptBoxes;
use crate::parts::{Branch, FourBoxes, PartPair, Visitor, box_of};

/// More than a descent can leave unfinished: of up to 32 levels of two trees, three children each.
const MOST_PENDING: usize = 256;

#[derive(Clone, Copy, Debug)]
struct PendingInMotion {
    time: Real,
    a: Branch,
    b: Branch,
}

/// Visits the pairs of the parts of two composites that may meet.
pub(super) fn tree_with_tree<V: Vector>(
    a: &Composite<V>,
    b: &Composite<V>,
    boxes: &SweptBoxes,
    visitor: &mut impl Visitor,
) {
    let mut pending = ArrayVec::<PendingInMotion, MOST_PENDING>::new();
    pending.push(PendingInMotion {
        time: 0.0,
        a: Branch::root(),
        b: Branch::root(),
    });
    while let Some(next) = pending.pop() {
        if !(next.time <= visitor.limit()) {
            visitor.skip(next.time);
            continue;
        }
        visitor.open();
        let (of_a, of_b) = (next.a, next.b);
        let (box_a, box_b) = (box_of(a, of_a), box_of(b, of_b));
        let is_a_larger = size(&box_a) >= size(&box_b);
        let (index, is_a_divided) = match (of_a.child.index(), of_b.child.index()) {
            (Some(_), Some(of_b)) if !is_a_larger => (of_b, false),
            (Some(of_a), _) => (of_a, true),
            (None, Some(of_b)) => (of_b, false),
            (None, None) => {
                visitor.visit(PartPair {
                    a: of_a.child.known_number(),
                    b: of_b.child.known_number(),
                });
                continue;
            }
        };
        let node = if is_a_divided {
            a.node(index as u32)
        } else {
            b.node(index as u32)
        };
        let four = FourBoxes::of_node(&node);
        let times = if is_a_divided {
            boxes.times::<V>(&boxes.of_a(&four), &boxes.of_b(&box_b))
        } else {
            boxes.times::<V>(&boxes.of_a(&box_a), &boxes.of_b(&four))
        };
        let children = lanes(node.occupied_lanes()).map(|lane| {
            let branch = Branch::new(&node, index, lane);
            let (a, b) = if is_a_divided {
                (branch, of_b)
            } else {
                (of_a, branch)
            };
            let time = times[lane];
            PendingInMotion { time, a, b }
        });
        push(&mut pending, children, visitor);
    }
}

/// Adds the children of a pair that are of interest. The earliest is taken first; of equal ones the first.
fn push(
    pending: &mut ArrayVec<PendingInMotion, MOST_PENDING>,
    children: impl Iterator<Item = PendingInMotion>,
    visitor: &mut impl Visitor,
) {
    let from = pending.len();
    for child in children {
        if child.time <= visitor.limit() {
            pending.push(child);
        } else {
            visitor.skip(child.time);
        }
    }
    pending[from..].reverse();
    insertion_sort(&mut pending[from..], |x, y| {
        x.time.total_cmp(&y.time).is_gt()
    });
}

/// The longest side of a box.
fn size(boxes: &FourBoxes) -> Real {
    (0..3).fold(0.0, |most: Real, k| {
        most.max((boxes.high[k] - boxes.low[k]).x)
    })
}
