//! What two sides of the plane have in common: the ends of the stretch along which they face each other, for one pair or for
//! a pair in each lane.
//!
//! Seen along the normal of the pair each side is an interval, and that of a half-space has no end.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Condition, Lanes, MatricesInLanes, Number, VectorsInLanes};
use clearance_math::{PreciseVector, Real, Vector, round_nearest, tolerances};

use super::answer::{Manifold, ManifoldPoint, Touch};
use super::ends::{Closest, StretchEnd};
use super::feature::Feature;
use super::place::INSIDE;
use crate::answer::{PreciseVectors, in_single_precision, precise, precise_vector};
use crate::pair::Exchange;

/// What the two ends of a side are, and what is between them.
#[derive(Clone, Copy)]
pub(crate) struct SideFeatures {
    pub(super) corners: [u32; 2],
    pub(super) face: Feature,
}

impl SideFeatures {
    /// What a place on the side is, by its number.
    #[inline(always)]
    fn at(&self, place: f64) -> Feature {
        match self.corners.get(place as usize) {
            Some(&corner) => Feature::Corner(corner),
            None => self.face,
        }
    }
}

/// What two sides that face each other are, in canonical order, and the way to the order of the question.
#[derive(Clone, Copy)]
pub(crate) struct Touching {
    pub(crate) sides: [SideFeatures; 2],
    pub(crate) exchange: Exchange,
}

/// A side in each lane, in the frame of a.
#[derive(Clone, Copy)]
pub(crate) struct SidesInLanes<F: Number, P> {
    pub(crate) ends: [VectorsInLanes<F, P>; 2],
    pub(crate) normal: VectorsInLanes<F, P>,
    pub(crate) is_endless: F::Mask,
}

/// A pose in each lane.
pub(crate) struct PosesInLanes<F, P> {
    pub(crate) rotation: MatricesInLanes<F, P>,
    pub(crate) origin: VectorsInLanes<F, P>,
}

/// A side, seen along the normal.
struct SeenSide<F, P> {
    /// The lower end and the higher one: where they are across the normal, the points, and the numbers of their places.
    at: [F; 2],
    ends: [VectorsInLanes<F, P>; 2],
    places: [F; 2],
    /// How high the surface is over the closest point of a, and how much it falls, both times its cosine with the normal.
    level: F,
    fall: F,
    cosine: F,
}

impl<F: Number, P: PreciseVector> SeenSide<F, P> {
    #[inline(always)]
    fn new(pair: &Closest<F, P>, right: VectorsInLanes<F, P>, side: &SidesInLanes<F, P>) -> Self {
        let [first, last] = side.ends;
        let (from_first, from_last) = (first - pair.on_a, last - pair.on_a);
        let (at_first, at_last) = (right.dot(from_first), right.dot(from_last));
        let is_turned = at_first.is_above(at_last);
        let low = is_turned.choose(at_last, at_first);
        let high = is_turned.choose(at_first, at_last);
        let set = at_first.set();
        let (zero, one) = (F::splat(set, 0.0), F::splat(set, 1.0));
        let infinite = F::splat(set, f64::INFINITY);
        Self {
            at: [
                side.is_endless.choose(-infinite, low),
                side.is_endless.choose(infinite, high),
            ],
            ends: [
                last.or_where_unset(is_turned, first),
                first.or_where_unset(is_turned, last),
            ],
            places: [is_turned.choose(one, zero), is_turned.choose(zero, one)],
            level: side.normal.dot(from_first),
            fall: side.normal.dot(right),
            cosine: side.normal.dot(pair.normal),
        }
    }
}

/// What pairs of sides have in common: the points of a manifold in each lane.
pub(crate) struct CutSides<const N: usize>([CutEnd<N>; 2]);

/// An end of what they have in common, in the frame of the world.
#[derive(Clone, Copy)]
struct CutEnd<const N: usize> {
    /// A bit for each lane in which it becomes a point.
    is_kept: u32,
    distance: [Real; N],
    /// The point on a and that on b.
    points: [PreciseVectors<N>; 2],
    places: [[f64; N]; 2],
}

impl<const N: usize> CutEnd<N> {
    /// An end in the frame of a; the normal is in that of the world.
    #[inline(always)]
    fn new<F: Lanes<N>, P: PreciseVector>(
        end: StretchEnd<F, P>,
        a_in_world: &PosesInLanes<F, P>,
        normal: VectorsInLanes<F, P>,
    ) -> Self {
        let at = a_in_world.rotation.apply(end.at) + a_in_world.origin;
        let apart = normal * end.distance;
        let on_a = (at - apart).or_where_unset(end.is_of_b, at);
        let on_b = at.or_where_unset(end.is_of_b, at + apart);
        Self {
            is_kept: end.is_kept.bits(),
            distance: in_single_precision(end.distance, round_nearest),
            points: [precise(on_a), precise(on_b)],
            places: [end.places[0].lanes(), end.places[1].lanes()],
        }
    }
}

impl<const N: usize> CutSides<N> {
    /// What sides have in common where they face each other, and the closest points elsewhere.
    #[inline(always)]
    pub(crate) fn new<F: Lanes<N>, P: PreciseVector>(
        pair: &Closest<F, P>,
        [a, b]: &[SidesInLanes<F, P>; 2],
        a_in_world: &PosesInLanes<F, P>,
    ) -> Self {
        let right = VectorsInLanes::new([-pair.normal.y, pair.normal.x, pair.normal.z]);
        let a = SeenSide::new(pair, right, a);
        let b = SeenSide::new(pair, right, b);
        let [extent_a, extent_b] = [a.at[1] - a.at[0], b.at[1] - b.at[0]];
        let slack = extent_a.lesser(extent_b) * tolerances::MANIFOLD_SLACK;
        let ends = SeenSides { pair, a, b, slack }.common();
        let [first, second] = pair.ends_that_count(ends, slack);
        let normal = a_in_world.rotation.apply(pair.normal);
        Self([
            CutEnd::new(first, a_in_world, normal),
            CutEnd::new(second, a_in_world, normal),
        ])
    }

    /// Fills the manifold of the pair in a lane.
    #[inline(always)]
    pub(crate) fn fill<V: Vector>(&self, lane: usize, pair: Touching, manifold: &mut Manifold<V>) {
        for end in &self.0 {
            if end.is_kept >> lane & 1 == 0 {
                continue;
            }
            let touch = Touch {
                on: [0, 1].map_each(|side| precise_vector(&end.points[side], lane)),
                features: [0, 1].map_each(|side| pair.sides[side].at(end.places[side][lane])),
            };
            let point = ManifoldPoint::new(end.distance[lane], touch, pair.exchange);
            manifold.points.push(point);
        }
    }
}

/// The corner that bounds what two intervals have in common on one side: the one farther inwards.
#[derive(Clone, Copy)]
struct Bound<F: Number> {
    is_of_a: F::Mask,
    is_of_b: F::Mask,
    at: F,
}

/// Two sides that face each other.
struct SeenSides<'a, F: Number, P> {
    pair: &'a Closest<F, P>,
    a: SeenSide<F, P>,
    b: SeenSide<F, P>,
    /// How far apart two points are, at most, that count as one.
    slack: F,
}

impl<F: Number, P: PreciseVector> SeenSides<'_, F, P> {
    /// The lower and the higher end of what they have in common.
    #[inline(always)]
    fn common(&self) -> [StretchEnd<F, P>; 2] {
        let (low, high) = (self.bound(0, -1.0), self.bound(1, 1.0));
        let is_stretch = low.at.is_at_most(high.at);
        [self.end(0, low, is_stretch), self.end(1, high, is_stretch)]
    }

    #[inline(always)]
    fn bound(&self, k: usize, outwards: f64) -> Bound<F> {
        let (a, b) = (self.a.at[k], self.b.at[k]);
        let beyond = (b - a) * outwards;
        let is_both = beyond.abs().is_at_most(self.slack);
        let is_of_a = is_both | beyond.is_above(0.0);
        Bound {
            is_of_a,
            is_of_b: is_both | !is_of_a,
            at: is_of_a.choose(a, b),
        }
    }

    #[inline(always)]
    fn end(&self, k: usize, bound: Bound<F>, is_kept: F::Mask) -> StretchEnd<F, P> {
        let Self { pair, a, b, .. } = self;
        let Bound {
            is_of_a,
            is_of_b,
            at,
        } = bound;
        let point = a.ends[k].or_where_unset(is_of_a, b.ends[k]);
        // How high the other surface is there, over the closest point of a.
        let level = is_of_a.choose(b.level, a.level) - is_of_a.choose(b.fall, a.fall) * at;
        let level = level / is_of_a.choose(b.cosine, a.cosine);
        let height = pair.normal.dot(point - pair.on_a);
        let inside = F::splat(at.set(), f64::from(INSIDE));
        StretchEnd {
            at: point,
            is_of_b: !is_of_a,
            distance: is_of_a.choose(level - height, height - level),
            places: [
                is_of_a.choose(a.places[k], inside),
                is_of_b.choose(b.places[k], inside),
            ],
            is_kept,
        }
    }
}
