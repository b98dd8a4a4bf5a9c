//! The two ends of the stretch along which parts of two surfaces face each other, and which of them become points: for one
//! pair, or for a pair in each lane.

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};

use super::place::{INSIDE, order};

/// An end of the stretch, in the frame of a.
#[derive(Clone, Copy)]
pub(super) struct StretchEnd<F: Number, P> {
    /// The point on the surface of a, or on that of b.
    pub(super) at: VectorsInLanes<F, P>,
    pub(super) is_of_b: F::Mask,
    /// How far apart the surfaces are there, along the normal.
    pub(super) distance: F,
    /// What it is on a and on b: the numbers of places.
    pub(super) places: [F; 2],
    /// Whether it becomes a point.
    pub(super) is_kept: F::Mask,
}

/// The closest points of the pair, and how near the ends must be.
#[derive(Clone, Copy)]
pub(crate) struct Closest<F: Number, P> {
    pub(crate) normal: VectorsInLanes<F, P>,
    pub(crate) on_a: VectorsInLanes<F, P>,
    pub(crate) distance: F,
    /// How far apart the surfaces may be where there is to be a point.
    pub(crate) within: F,
    /// Whether there are ends at all.
    pub(crate) has_ends: F::Mask,
}

impl<F: Number, P: PreciseVector> StretchEnd<F, P> {
    /// This end where the condition holds, and another one elsewhere.
    #[inline(always)]
    fn or_where_unset(self, condition: F::Mask, other: Self) -> Self {
        Self {
            at: self.at.or_where_unset(condition, other.at),
            is_of_b: condition & self.is_of_b | !condition & other.is_of_b,
            distance: condition.choose(self.distance, other.distance),
            places: [
                condition.choose(self.places[0], other.places[0]),
                condition.choose(self.places[1], other.places[1]),
            ],
            is_kept: condition & self.is_kept | !condition & other.is_kept,
        }
    }
}

impl<F: Number, P: PreciseVector> Closest<F, P> {
    /// The ends that become points, sorted by what they are on both: of those that there are, those that are not too far
    /// apart, and one of two that count as one, as they do up to `slack`. If none is as near as the closest points of the
    /// pair, these take the place of the nearest one, or of the first where there is none.
    #[inline(always)]
    pub(super) fn ends_that_count(
        &self,
        [start, stop]: [StretchEnd<F, P>; 2],
        slack: F,
    ) -> [StretchEnd<F, P>; 2] {
        let is_sorted = order(start.places).is_at_most(order(stop.places));
        let mut first = start.or_where_unset(is_sorted, stop);
        let mut second = stop.or_where_unset(is_sorted, start);
        let enough = self.distance + slack;
        let most = self.within.greater(enough);
        first.is_kept &= self.has_ends & first.distance.is_at_most(most);
        let squared = self.squared_across(first.at, second.at);
        let is_double = first.is_kept & squared.is_at_most(slack * slack);
        second.is_kept &= self.has_ends & second.distance.is_at_most(most) & !is_double;

        let is_first_near = first.is_kept & first.distance.is_at_most(enough);
        let is_second_near = second.is_kept & second.distance.is_at_most(enough);
        let lacks_near = !(is_first_near | is_second_near);
        if !lacks_near.holds_somewhere() {
            return [first, second];
        }
        let from_first = self.squared_across(self.on_a, first.at);
        let from_second = self.squared_across(self.on_a, second.at);
        let is_second_nearer = from_second.is_below(from_first);
        let of_second = second.is_kept & (!first.is_kept | is_second_nearer);
        second = self
            .as_end(second)
            .or_where_unset(lacks_near & of_second, second);
        let is_alone = lacks_near & !(first.is_kept | second.is_kept);
        let inside = F::splat(self.distance.set(), f64::from(INSIDE));
        let [on_a, on_b] = first.places;
        first.places = [is_alone.choose(inside, on_a), is_alone.choose(inside, on_b)];
        first = self
            .as_end(first)
            .or_where_unset(lacks_near & !of_second, first);
        [first, second]
    }

    /// The closest points, which take the place of an end.
    #[inline(always)]
    fn as_end(&self, end: StretchEnd<F, P>) -> StretchEnd<F, P> {
        let set = self.distance.set();
        StretchEnd {
            at: self.on_a,
            is_of_b: F::Mask::of_all(set, false),
            distance: self.distance,
            is_kept: F::Mask::of_all(set, true),
            ..end
        }
    }

    /// The square of how far apart two points are, seen along the normal.
    #[inline(always)]
    fn squared_across(&self, from: VectorsInLanes<F, P>, to: VectorsInLanes<F, P>) -> F {
        let apart = to - from;
        (apart - self.normal * self.normal.dot(apart)).length_squared()
    }
}
