//! The choice of the few points of a manifold among all candidates.

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4};
use clearance_math::{DVec2, tolerances};

use super::answer::MOST_POINTS;
use super::candidates::{Candidates, MOST_BLOCKS, NOWHERE, Reach};
use super::outline::Points;
use super::place::Places;

/// The numbers of the chosen points.
pub(super) type Chosen = ArrayVec<usize, MOST_POINTS>;

/// Chooses at most `most` points: the deepest, the one farthest from it, the one farthest from the line between them, and
/// the one that adds the most area. If there are no more than that, all are. Where no candidate is as near as the closest
/// points of the pair, these take the place of one.
///
/// The chosen come sorted by their features, and one that is ahead by rounding only is not preferred to an earlier one. Of
/// those that count as one point only the first is left, so that there may be fewer.
#[inline(always)]
pub(super) fn choose<S: Simd>(simd: S, candidates: &mut Candidates, most: usize) -> Chosen {
    let Reach {
        distance, slack, ..
    } = candidates.reach;
    let mut least = least(simd, candidates);
    let has_near = least < NOWHERE && least <= distance + slack;
    if !has_near {
        candidates.put_closest();
        least = distance;
    }
    let mut choice = Choice {
        simd,
        candidates,
        all: 0,
    };
    choice.all = choice.nearer_than(NOWHERE.next_down());
    let chosen = if choice.all.count_ones() as usize <= most {
        choice.all
    } else {
        choice.farthest_of(choice.first(choice.nearer_than(least + slack)), most)
    };
    choice.sorted(chosen, slack)
}

/// The least distance of all points.
#[inline(always)]
fn least<S: Simd>(simd: S, candidates: &Candidates) -> f64 {
    let mut least = f64x4::splat(simd, NOWHERE);
    for block in &candidates.blocks {
        least = least.min(block.distances(simd));
    }
    simd.reduce_min_f64x4(least)
}

/// Some candidates, as bits by their numbers.
type Bits = u64;

const _: () = assert!(
    LANES * MOST_BLOCKS <= Bits::BITS as usize,
    "each point has a bit"
);

struct Choice<'a, S: Simd> {
    simd: S,
    candidates: &'a Candidates,
    all: Bits,
}

impl<S: Simd> Choice<'_, S> {
    /// The points that are no farther apart.
    #[inline(always)]
    fn nearer_than(&self, distance: f64) -> Bits {
        let mut bits = 0;
        for (block, k) in self.candidates.blocks.iter().zip(0..) {
            let are_near = block.distances(self.simd).simd_le(distance);
            bits |= are_near.to_bitmask() << (LANES * k);
        }
        bits
    }

    /// Of some points, the first by rank.
    #[inline(always)]
    fn first(&self, some: Bits) -> usize {
        // None is the greatest where a value is NaN.
        let mut bits = if some == 0 { self.all } else { some };
        let mut best = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        while bits != 0 {
            let other = bits.trailing_zeros() as usize;
            if self.candidates.places(other) < self.candidates.places(best) {
                best = other;
            }
            bits &= bits - 1;
        }
        best
    }

    /// The points that are farthest from one, from the line between both, and beside their triangle, as bits.
    #[inline(always)]
    fn farthest_of(&self, first: usize, most: usize) -> Bits {
        let start = self.candidates.at(first);
        let second = self.farthest_from(start);
        let chosen = 1 << first | 1 << second;
        if most <= 2 {
            return chosen;
        }
        let end = self.candidates.at(second);
        let third = self.farthest_beside(start, end - start);
        let fourth = self.adding_most([start, end, self.candidates.at(third)]);
        chosen | 1 << third | 1 << fourth
    }

    /// The point farthest from a place.
    #[inline(always)]
    fn farthest_from(&self, start: DVec2) -> usize {
        let mut values = Values::new(self.simd);
        for block in &self.candidates.blocks {
            let [x, y] = from(block.at(self.simd), start);
            values.push(x * x + y * y, block.distances(self.simd));
        }
        self.first(values.greatest())
    }

    /// The point farthest from the line through a place.
    #[inline(always)]
    fn farthest_beside(&self, start: DVec2, line: DVec2) -> usize {
        let mut values = Values::new(self.simd);
        for block in &self.candidates.blocks {
            let [x, y] = from(block.at(self.simd), start);
            let beside = (y * line.x - x * line.y).abs();
            values.push(beside, block.distances(self.simd));
        }
        self.first(values.greatest())
    }

    /// The point by which a triangle is enlarged most.
    #[inline(always)]
    fn adding_most(&self, [a, b, c]: [DVec2; 3]) -> usize {
        let turn = (b - a).perp_dot(c - a).signum();
        let sides = [
            (a, (b - a) * turn),
            (b, (c - b) * turn),
            (c, (a - c) * turn),
        ];
        let mut values = Values::new(self.simd);
        for block in &self.candidates.blocks {
            let mut most = f64x4::splat(self.simd, 0.0);
            for (start, side) in sides {
                let [x, y] = from(block.at(self.simd), start);
                most = most.max(x * side.y - y * side.x);
            }
            values.push(most, block.distances(self.simd));
        }
        self.first(values.greatest())
    }

    /// Points by rank, without those that are at most `slack` from an earlier one.
    #[inline(always)]
    fn sorted(&self, mut bits: Bits, slack: f64) -> Chosen {
        let mut sorted = ArrayVec::<(Places, usize), MOST_POINTS>::new();
        while bits != 0 {
            let point = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            sorted.push((self.candidates.places(point), point));
        }
        sorted.sort_unstable();
        let mut chosen = Chosen::new();
        for (_, point) in sorted {
            let at = self.candidates.at(point);
            let is_new =
                |&other: &usize| (self.candidates.at(other) - at).length_squared() > slack * slack;
            if chosen.iter().all(is_new) {
                chosen.push(point);
            }
        }
        chosen
    }
}

/// A value for each point, not negative, and the greatest of them.
struct Values<S: Simd> {
    fours: ArrayVec<f64x4<S>, MOST_BLOCKS>,
    most: f64x4<S>,
}

impl<S: Simd> Values<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self {
            fours: ArrayVec::new(),
            most: f64x4::splat(simd, 0.0),
        }
    }

    /// Adds those of a block. Points that are nowhere have none.
    #[inline(always)]
    fn push(&mut self, values: f64x4<S>, distances: f64x4<S>) {
        let none = f64x4::splat(values.simd, -1.0);
        let values = distances.simd_lt(NOWHERE).select(values, none);
        self.most = self.most.max(values);
        self.fours.push(values);
    }

    /// The points whose value is the greatest, or less by rounding.
    #[inline(always)]
    fn greatest(&self) -> Bits {
        let most = self.most.simd.reduce_max_f64x4(self.most);
        let enough = most * (1.0 - tolerances::MANIFOLD_TIE);
        let mut bits = 0;
        for (values, k) in self.fours.iter().zip(0..) {
            let are_enough = values.simd_ge(enough).to_bitmask();
            bits |= are_enough << (LANES * k);
        }
        bits
    }
}

/// Places seen from a point.
#[inline(always)]
fn from<S: Simd>([x, y]: Points<S>, start: DVec2) -> Points<S> {
    [x - start.x, y - start.y]
}
