//! The choice of the few points of a manifold among all candidates.

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{LANES, Simd, SimdBase, SimdMask, f64x4};
use clearance_math::{DVec2, tolerances};

use super::answer::MOST_POINTS;
use super::candidates::Candidates;
use super::clip::MOST_COMMON;
use super::outline::Points;

/// The places of some candidates in the list of all.
pub(super) type Kept = ArrayVec<u8, MOST_COMMON>;

/// The places of the chosen candidates in the list of all.
pub(super) type Chosen = ArrayVec<u8, MOST_POINTS>;

/// Chooses at most `most` candidates: the deepest, the one farthest from it, the one farthest from the line between
/// them, and the one that adds the most area. If there are no more than that, all are kept.
///
/// The candidates come sorted by their features, and one that is ahead by rounding only is not preferred to an earlier
/// one.
#[inline(always)]
pub(super) fn choose<S: Simd>(
    simd: S,
    (all, kept): (&Candidates, &Kept),
    most: usize,
    slack: f64,
) -> Chosen {
    let mut chosen = Chosen::new();
    if kept.len() <= most {
        for &k in kept {
            chosen.push(k);
        }
        return chosen;
    }
    let at = |place: usize| all[usize::from(kept[place])].at;
    let mut four = InFours(ArrayVec::new());
    four.fill(simd, all, kept);
    let first = four.deepest(simd, slack);
    let start = at(first);
    let second = four.farthest_from(simd, start);
    let mut places = [first, second, second, second];
    if most > 2 {
        let third = four.farthest_beside(simd, start, at(second) - start);
        let triangle = [start, at(second), at(third)];
        places = [first, second, third, four.adding_most(simd, triangle)];
    }
    places.sort_unstable();
    let mut last = None;
    for place in places {
        if last.replace(place) != Some(place) {
            chosen.push(kept[place]);
        }
    }
    chosen
}

/// The most blocks of four candidates.
const MOST_BLOCKS: usize = MOST_COMMON.div_ceil(LANES);

/// Candidates four to a block, as x, y and distance. Lanes that are left over hold the first candidate again, which
/// then comes before itself.
struct InFours<S: Simd>(ArrayVec<[f64x4<S>; 3], MOST_BLOCKS>);

/// A value for each candidate, and the greatest of them.
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

    #[inline(always)]
    fn push(&mut self, values: f64x4<S>) {
        self.most = self.most.max(values);
        self.fours.push(values);
    }

    /// The first candidate whose value is the greatest, or less by rounding.
    #[inline(always)]
    fn first(&self) -> usize {
        let most = self.most.simd.reduce_max_f64x4(self.most);
        let enough = most * (1.0 - tolerances::MANIFOLD_TIE);
        for (block, values) in self.fours.iter().enumerate() {
            let is_enough = values.simd_ge(enough).to_bitmask();
            if is_enough != 0 {
                return LANES * block + is_enough.trailing_zeros() as usize;
            }
        }
        0
    }
}

impl<S: Simd> InFours<S> {
    #[inline(always)]
    fn fill(&mut self, simd: S, all: &Candidates, kept: &Kept) {
        for first in (0..kept.len()).step_by(LANES) {
            let place = |lane: usize| usize::from(*kept.get(first + lane).unwrap_or(&kept[0]));
            let [a, b, c, d] = [
                &all[place(0)],
                &all[place(1)],
                &all[place(2)],
                &all[place(3)],
            ];
            self.0.push([
                f64x4::load_array(simd, [a.at.x, b.at.x, c.at.x, d.at.x]),
                f64x4::load_array(simd, [a.at.y, b.at.y, c.at.y, d.at.y]),
                f64x4::load_array(simd, [a.distance, b.distance, c.distance, d.distance]),
            ]);
        }
    }

    /// The first of the candidates that are deepest.
    #[inline(always)]
    fn deepest(&self, simd: S, slack: f64) -> usize {
        let mut least = f64x4::splat(simd, f64::INFINITY);
        for [_, _, distances] in &self.0 {
            least = least.min(*distances);
        }
        let enough = simd.reduce_min_f64x4(least) + slack;
        for (block, [_, _, distances]) in self.0.iter().enumerate() {
            let is_deepest = distances.simd_le(enough).to_bitmask();
            if is_deepest != 0 {
                return LANES * block + is_deepest.trailing_zeros() as usize;
            }
        }
        0
    }

    /// The candidate farthest from a point.
    #[inline(always)]
    fn farthest_from(&self, simd: S, start: DVec2) -> usize {
        let mut values = Values::new(simd);
        for block in &self.0 {
            let [x, y] = from(block, start);
            values.push(x * x + y * y);
        }
        values.first()
    }

    /// The candidate farthest from the line through a point.
    #[inline(always)]
    fn farthest_beside(&self, simd: S, start: DVec2, line: DVec2) -> usize {
        let mut values = Values::new(simd);
        for block in &self.0 {
            let [x, y] = from(block, start);
            values.push((y * line.x - x * line.y).abs());
        }
        values.first()
    }

    /// The candidate by which a triangle is enlarged most.
    #[inline(always)]
    fn adding_most(&self, simd: S, [a, b, c]: [DVec2; 3]) -> usize {
        let turn = (b - a).perp_dot(c - a).signum();
        let mut values = Values::new(simd);
        for block in &self.0 {
            let mut most = f64x4::splat(simd, 0.0);
            for (start, end) in [(a, b), (b, c), (c, a)] {
                let ([x, y], side) = (from(block, start), end - start);
                most = most.max((x * side.y - y * side.x) * turn);
            }
            values.push(most);
        }
        values.first()
    }
}

/// The places of four candidates, seen from a point.
#[inline(always)]
fn from<S: Simd>([x, y, _]: &[f64x4<S>; 3], start: DVec2) -> Points<S> {
    [*x - start.x, *y - start.y]
}
