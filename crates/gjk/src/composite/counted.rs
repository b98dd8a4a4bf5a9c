//! Parts that count from one side only.

use clearance_math::{PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::{OuterSide, Shape};

use crate::answer::Separation;
use crate::placed::Placed;
use crate::surface_part::SurfacePart;

/// Whether the parts that a separation of `a` and `b` names count: none is left out, and each is on the outer side of the
/// other.
pub(crate) fn are_counted<V: Vector>([a, b]: [&Placed<V>; 2], near: &Separation<V>) -> bool {
    let own = |placed, number| NumberedPart { placed, number };
    let (of_a, of_b) = (own(a, near.part_a), own(b, near.part_b));
    of_a.counts_for(&of_b, (near.distance, near.normal))
        && of_b.counts_for(&of_a, (near.distance, -near.normal))
}

/// A part of a placed shape by its number.
struct NumberedPart<'a, 'p, V: Vector> {
    placed: &'p Placed<'a, V>,
    number: u32,
}

impl<V: Vector> NumberedPart<'_, '_, V> {
    /// Whether the part counts where it is `distance` away from another one, along a normal from it to that.
    fn counts_for(&self, other: &Self, (distance, normal): (Real, V)) -> bool {
        let Shape::Composite(composite) = self.placed.shape else {
            return true;
        };
        self.placed.has_part(self.number)
            && composite.outer_side(self.number).is_none_or(|outer| {
                let pose = RelativePose::from_pose(self.placed.pose);
                let outward = pose.transform_direction(outer.normal);
                let cosine = outward.dot(normal.to_precise());
                let is_there = if outer.is_of_tile {
                    self.has_beyond(other, &outer, outward)
                } else {
                    distance >= -outer.depth
                };
                is_there && cosine > tolerances::OUTER_SIDE_COSINE
            })
    }

    /// Whether another part lies beyond this one as a whole, but for the depth.
    fn has_beyond(&self, other: &Self, outer: &OuterSide<V::Precise>, outward: V::Precise) -> bool {
        let origin = self.placed.pose.position();
        let part = |part: &Self| SurfacePart::beside(*part.placed, part.number, origin);
        let (Some(tile), Some(other)) = (part(self), part(other)) else {
            return false;
        };
        let sizes = [&tile, &other].map(SurfacePart::size);
        let size: f64 = sizes.into_iter().filter(|size| size.is_finite()).sum();
        let rounding = tolerances::ONE_WAY_ROUNDING * size;
        tile.distance_along(&other, outward) >= -f64::from(outer.depth) - rounding
    }
}
