//! The pairs of the parts of two composites in motion that may meet.

use clearance_math::{Real, Vector};
use clearance_shapes::Composite;
use clearance_tree::lanes;

use super::swept_boxes::SweptBoxes;
use crate::parts::{Branch, FourBoxes, OfInterest, PairOpening, Pending, PendingPairs, box_of};

/// Two composites in motion. Of two nodes the larger one is opened.
pub(super) struct InMotion<'a, V: Vector> {
    pub(super) sides: [&'a Composite<V>; 2],
    pub(super) boxes: &'a SweptBoxes,
}

impl<V: Vector> PairOpening for InMotion<'_, V> {
    fn open(
        &self,
        [of_a, of_b]: [Branch; 2],
        OfInterest { limit, .. }: OfInterest,
        pending: &mut PendingPairs,
    ) -> Real {
        let [a, b] = self.sides;
        let (box_a, box_b) = (box_of(a, of_a), box_of(b, of_b));
        let is_a_divided = match (of_a.child.index(), of_b.child.index()) {
            (Some(_), Some(_)) => size(&box_a) >= size(&box_b),
            (of_a, _) => of_a.is_some(),
        };
        let (composite, divided) = if is_a_divided { (a, of_a) } else { (b, of_b) };
        let index = divided.child.known_index();
        let node = composite.node(index);
        let four = FourBoxes::of_node(&node);
        let (four_a, four_b) = if is_a_divided {
            (four, box_b)
        } else {
            (box_a, four)
        };
        let boxes = self.boxes;
        let times = boxes.times::<V>(&boxes.of_a(&four_a), &boxes.of_b(&four_b));
        let mut skipped = Real::INFINITY;
        for lane in lanes(node.occupied_lanes()) {
            let time = times[lane];
            if !(time <= limit) {
                skipped = skipped.min(time);
                continue;
            }
            let branch = Branch::new(&node, index as usize, lane);
            pending.push(if is_a_divided {
                Pending {
                    gap: time,
                    a: branch,
                    b: of_b,
                }
            } else {
                Pending {
                    gap: time,
                    a: of_a,
                    b: branch,
                }
            });
        }
        skipped
    }
}

/// The longest side of a box.
fn size(boxes: &FourBoxes) -> Real {
    (0..3).fold(0.0, |most: Real, k| {
        most.max((boxes.high[k] - boxes.low[k]).x)
    })
}
