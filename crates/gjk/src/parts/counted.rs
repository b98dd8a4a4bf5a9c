//! Parts that count from one side only.

use clearance_math::{DVec3, PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::{OuterSide, Shape};

use super::nearest_first::PartPair;
use super::surface_part::SurfacePart;
use crate::answer::Separation;
use crate::pair::Placed;

/// Whether the parts that a separation of `a` and `b` names count: none is left out, and each is on the outer side of the
/// other.
pub(crate) fn are_counted<V: Vector>([a, b]: [&Placed<V>; 2], near: &Separation<V>) -> bool {
    let parts = PartPair {
        a: near.part_a,
        b: near.part_b,
    };
    may_count([a, b], parts) && count_as_measured([a, b], near)
}

/// Whether two parts may count, by what is known before they are measured: neither is left out, and each may be on the
/// outer side of the other.
pub(crate) fn may_count<V: Vector>([a, b]: [&Placed<V>; 2], parts: PartPair) -> bool {
    let own = |placed, number| NumberedPart { placed, number };
    let (of_a, of_b) = (own(a, parts.a), own(b, parts.b));
    of_a.is_asked_about()
        && of_b.is_asked_about()
        && of_a.may_count_for(&of_b)
        && of_b.may_count_for(&of_a)
}

/// Whether the first of two parts does not count for the second one, and the second for the first, wherever that is seen
/// from extents along the normal of the outer side. Where it holds at two places of bodies that do not turn, it holds on the
/// straight way between them.
pub(crate) fn are_passed<V: Vector>([a, b]: [&Placed<V>; 2], parts: PartPair) -> [bool; 2] {
    let own = |placed, number| NumberedPart { placed, number };
    let (of_a, of_b) = (own(a, parts.a), own(b, parts.b));
    [(&of_a, &of_b), (&of_b, &of_a)].map(|(own, other)| {
        let beside = own.beside(other);
        beside.is_some_and(|beside| beside.is_passed())
    })
}

/// Parts in a box of a tree that all count on one side.
pub(crate) struct SidedBox {
    pub(crate) outer: OuterSide<DVec3>,
    pub(crate) low: [Real; 3],
    pub(crate) high: [Real; 3],
}

impl SidedBox {
    /// Whether none of the one-way tiles of `a` that the box holds counts for `b`, which is no composite: it is not beyond
    /// the lower end of the box.
    pub(crate) fn is_passed<V: Vector>(&self, [a, b]: [&Placed<V>; 2]) -> bool {
        let Some(other) = SurfacePart::beside(*b, 0, a.pose.position()) else {
            return false;
        };
        let [low, high] = [self.low, self.high].map(|end| DVec3::from_array(end.map(f64::from)));
        let along = self.outer.normal;
        let lowest = (along * low).min(along * high).element_sum();
        let normal = V::Precise::from_space(along);
        let normal = RelativePose::from_pose(a.pose).transform_direction(normal);
        let size = (high - low).length() + other.size();
        let rounding = tolerances::ONE_WAY_ROUNDING * size;
        -other.reach(-normal) - lowest < -f64::from(self.outer.depth) - rounding
    }
}

/// Whether two parts count that may, by what was measured.
pub(crate) fn count_as_measured<V: Vector>([a, b]: [&Placed<V>; 2], near: &Separation<V>) -> bool {
    let counts = |placed: &Placed<V>, number: u32, normal: V| {
        let outer = NumberedPart { placed, number }.outer_side();
        outer.is_none_or(|outer| {
            let is_there = outer.is_of_tile || near.distance >= -outer.depth;
            is_there && outer.normal.dot(normal.to_precise()) > tolerances::OUTER_SIDE_COSINE
        })
    };
    counts(a, near.part_a, near.normal) && counts(b, near.part_b, -near.normal)
}

/// A part of a placed shape by its number.
struct NumberedPart<'a, 'p, V: Vector> {
    placed: &'p Placed<'a, V>,
    number: u32,
}

impl<V: Vector> NumberedPart<'_, '_, V> {
    fn is_asked_about(&self) -> bool {
        self.placed.has_part(self.number)
    }

    /// The side on which the part counts, in the frame of the world; `None` if it counts from all sides.
    fn outer_side(&self) -> Option<OuterSide<V::Precise>> {
        let Shape::Composite(composite) = self.placed.shape else {
            return None;
        };
        let outer = composite.outer_side(self.number)?;
        let normal = RelativePose::from_pose(self.placed.pose).transform_direction(outer.normal);
        Some(OuterSide { normal, ..outer })
    }

    /// Whether the part may count for another one.
    fn may_count_for(&self, other: &Self) -> bool {
        let beside = self.beside(other);
        !beside.is_some_and(|beside| beside.is_passed() || beside.is_too_deep())
    }

    /// The part with its outer side and another one; `None` if it counts from all sides.
    fn beside(&self, other: &Self) -> Option<OneSidedPair<V>> {
        let outer = self.outer_side()?;
        let origin = self.placed.pose.position();
        let part = |part: &Self| SurfacePart::beside(*part.placed, part.number, origin);
        let (own, other) = (part(self)?, part(other)?);
        let sizes = [&own, &other].map(SurfacePart::size);
        Some(OneSidedPair {
            size: sizes.into_iter().filter(|size| size.is_finite()).sum(),
            outer,
            own,
            other,
        })
    }
}

/// A part that counts on one side, and another one.
struct OneSidedPair<V: Vector> {
    outer: OuterSide<V::Precise>,
    own: SurfacePart<V>,
    other: SurfacePart<V>,
    /// The sum of their sizes.
    size: f64,
}

impl<V: Vector> OneSidedPair<V> {
    /// Whether the other one is not beyond a one-way tile as a whole, but for the depth, or is behind a face.
    fn is_passed(&self) -> bool {
        let rounding = tolerances::ONE_WAY_ROUNDING * self.size;
        let along = |direction| self.own.distance_along(&self.other, direction);
        if self.outer.is_of_tile {
            !(along(self.outer.normal) >= -f64::from(self.outer.depth) - rounding)
        } else {
            along(-self.outer.normal) > rounding
        }
    }

    /// Whether a face is deeper in the other one than it may be for sure: all of it is as deep as any of its points.
    fn is_too_deep(&self) -> bool {
        let height = || self.other.height_of(self.own.middle()?);
        let slack = tolerances::SMOOTH_DEPTH_GAP_OF_SMALLER * self.size;
        let most = -f64::from(self.outer.depth) - slack;
        !self.outer.is_of_tile && height().is_some_and(|height| height < most)
    }
}
