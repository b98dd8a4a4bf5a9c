//! How far pieces of surfaces reach along directions.

use clearance_math::{MapEach, Vector};
use clearance_shapes::{NodeContent, Slabs, TriangleGroup};
use glam::Vec4;

use super::gap::{BoxMaps, FourBoxes};

/// What is known of the parts below the lanes of a node.
pub(super) enum Pieces {
    Boxes(FourBoxes),
    Slabs(FourBoxes, Slabs),
    Triangles(TriangleGroup),
}

impl Pieces {
    #[inline]
    pub(super) fn new(content: &NodeContent<'_>, slabs: Option<&Slabs>) -> Self {
        match (content, slabs) {
            (NodeContent::Triangles(group), _) => Self::Triangles(*group),
            (NodeContent::Boxes(node), Some(slabs)) => {
                Self::Slabs(FourBoxes::of_node(node), *slabs)
            }
            (NodeContent::Boxes(node), None) => Self::Boxes(FourBoxes::of_node(node)),
            (NodeContent::ComputedBoxes(node), _) => Self::Boxes(FourBoxes::of_node(node)),
        }
    }

    /// One of the lanes, four times.
    #[inline]
    fn spread(&self, lane: usize) -> Self {
        match self {
            Self::Boxes(boxes) => Self::Boxes(boxes.spread(lane)),
            Self::Slabs(boxes, slabs) => Self::Slabs(boxes.spread(lane), slabs.spread(lane)),
            Self::Triangles(group) => Self::Triangles(group.spread(lane)),
        }
    }

    /// Upper bounds of how far the lanes reach along unit directions, up to rounding. Means nothing for empty lanes.
    #[inline]
    pub(super) fn reach<V: Vector>(&self, directions: [Vec4; 3]) -> Vec4 {
        match self {
            Self::Boxes(boxes) => boxes.reach::<V>(directions),
            Self::Slabs(boxes, slabs) => {
                let of_boxes = boxes.reach::<V>(directions);
                let of_both = slabs.reach([&boxes.low, &boxes.high], directions);
                // Sums that overflow may be no numbers.
                Vec4::select(of_both.cmplt(of_boxes), of_both, of_boxes)
            }
            Self::Triangles(group) => group.reach(directions),
        }
    }
}

/// Lower bounds of the signed distances between lane `lane_a` of a and the lanes of b, up to rounding, or NaN: how far they
/// are apart along the directions between the centers of their boxes. These are given in the frame of a.
///
/// For large boxes these directions are those in which they are apart, roughly, and for small ones nearly. `None` if
/// nothing but boxes is known.
#[inline]
pub(super) fn gaps_between_centers<V: Vector>(
    [a, b]: [&Pieces; 2],
    lane_a: usize,
    [box_a, boxes_b]: [&FourBoxes; 2],
    maps: &BoxMaps,
) -> Option<Vec4> {
    if const { V::DIM != 3 } || matches!((a, b), (Pieces::Boxes(_), Pieces::Boxes(_))) {
        return None;
    }
    let directions = box_a.directions(boxes_b);
    let back = maps
        .a_in_b
        .turn(directions.map_each(|component| -component));
    let least_of_b = maps.b_in_a.origin_along(directions) - b.reach::<V>(back);
    Some(least_of_b - a.spread(lane_a).reach::<V>(directions))
}
