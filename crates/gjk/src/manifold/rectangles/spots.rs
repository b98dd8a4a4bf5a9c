//! What can become a point of the manifold, and the choice among it.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4, mask64x4};
use clearance_math::{DVec2, tolerances};

use super::flat::{CutBy, Lanes, SIGNS};
use crate::manifold::answer::MOST_POINTS;
use crate::manifold::facing::cuboid_edge_number;
use crate::manifold::feature::Feature;

/// The rank of a crossing among candidates, by the number of the side of a, and that of the side of b. It is higher than
/// those of all corners, which follow each other by number, that of a before that of b. Crossings follow each other by
/// the lesser of both numbers, the greater, and that of a.
const CROSSING_RANK: [[u8; LANES]; LANES] = [
    [8, 9, 11, 13],
    [10, 15, 16, 18],
    [12, 17, 20, 21],
    [14, 19, 22, 23],
];

/// The groups of candidates: the corners of a, those of b, and where stretches of sides of a begin and end.
pub(super) const GROUPS: usize = 4;

/// What a candidate is on a face.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Corner,
    Inside,
    Side,
}

/// What the candidates of each group are on a and on b.
pub(super) const KINDS: [[Kind; 2]; GROUPS] = [
    [Kind::Corner, Kind::Inside],
    [Kind::Inside, Kind::Corner],
    [Kind::Side, Kind::Side],
    [Kind::Side, Kind::Side],
];

/// The features of the faces of a cuboid by their number, by what a point is there, and by the number of that.
pub(super) const FEATURES: [[[Feature; LANES]; 3]; 6] = [
    features_of(0),
    features_of(1),
    features_of(2),
    features_of(3),
    features_of(4),
    features_of(5),
];

const fn features_of(face: u32) -> [[Feature; LANES]; 3] {
    let (axis, base) = (face / 2, (face % 2) << (face / 2));
    let (one, two) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let corners = [base, base | one, base | one | two, base | two];
    let mut features = [[Feature::Face(face); LANES]; 3];
    let mut k = 0;
    while k < LANES {
        let ends = [corners[k], corners[(k + 1) % LANES]];
        features[Kind::Corner as usize][k] = Feature::Corner(corners[k]);
        features[Kind::Side as usize][k] = Feature::Edge(cuboid_edge_number(ends));
        k += 1;
    }
    features
}

/// Candidates: the corners of a, those of b, and where stretches begin and end.
pub(super) struct Spots<S: Simd> {
    pub(super) at: [Lanes<S>; 4],
    pub(super) distances: [f64x4<S>; 4],
    pub(super) are_there: [mask64x4<S>; 4],
    pub(super) on_b: NumbersOnB,
}

/// The numbers of what candidates are on b: for each candidate the lower bit, and the higher one. Those of corners of a
/// do not matter.
pub(super) struct NumbersOnB([u64; 2]);

impl NumbersOnB {
    #[inline(always)]
    pub(super) fn of_crossings<S: Simd>(starts: &CutBy<S>, stops: &CutBy<S>) -> Self {
        let ([low, high], [low_of_stops, high_of_stops]) = (starts.bits(), stops.bits());
        // Those of corners of b are 0, 1, 2 and 3.
        Self([
            0b1010 << 4 | low << 8 | low_of_stops << 12,
            0b1100 << 4 | high << 8 | high_of_stops << 12,
        ])
    }

    #[inline(always)]
    pub(super) fn of(&self, number: usize) -> usize {
        let [low, high] = self.0;
        (low >> number & 1 | (high >> number & 1) << 1) as usize
    }
}

/// The numbers of candidates, by group.
pub(super) struct Numbers {
    pub(super) x: [[f64; LANES]; GROUPS],
    pub(super) y: [[f64; LANES]; GROUPS],
    pub(super) distances: [[f64; LANES]; GROUPS],
    /// How far along both vectors of its frame a candidate is: that of its face, or of the plane that is seen.
    pub(super) shares: [[[f64; LANES]; GROUPS]; 2],
}

impl Numbers {
    /// None yet, except for those that are the same for all faces.
    #[inline(always)]
    pub(super) fn new() -> Self {
        let none = [[0.0; LANES]; GROUPS];
        let [one, two] = SIGNS;
        Self {
            x: none,
            y: none,
            distances: none,
            shares: [[one, one, one, one], [two, two, two, two]],
        }
    }

    #[inline(always)]
    fn at(&self, number: usize) -> DVec2 {
        let (group, k) = (number / LANES % GROUPS, number % LANES);
        DVec2::new(self.x[group][k], self.y[group][k])
    }
}

/// The lanes of four vectors that are set.
#[inline(always)]
fn bits<S: Simd>([a, b, c, d]: [mask64x4<S>; 4]) -> u64 {
    a.to_bitmask() | b.to_bitmask() << 4 | c.to_bitmask() << 8 | d.to_bitmask() << 12
}

impl<S: Simd> Spots<S> {
    /// The rank of a candidate among all.
    #[inline(always)]
    fn rank(&self, number: usize) -> u32 {
        let k = number % LANES;
        match number / LANES {
            0 => 2 * k as u32,
            1 => 2 * k as u32 + 1,
            _ => u32::from(CROSSING_RANK[k][self.on_b.of(number)]),
        }
    }

    /// Of some candidates, the first by rank.
    #[inline(always)]
    fn first(&self, bits: u64) -> usize {
        if bits & 0xff == 0 {
            return self.first_crossing(bits);
        }
        let corner = |bits: u64| (bits & 0xf | 0x10).trailing_zeros() as usize;
        let (of_a, of_b) = (corner(bits), corner(bits >> LANES));
        if of_a <= of_b { of_a } else { LANES + of_b }
    }

    #[inline(always)]
    fn first_crossing(&self, mut bits: u64) -> usize {
        let mut best = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        while bits != 0 {
            let other = bits.trailing_zeros() as usize;
            if self.rank(other) < self.rank(best) {
                best = other;
            }
            bits &= bits - 1;
        }
        best
    }

    /// The candidate whose value is the greatest, or less by rounding; values are not negative.
    #[inline(always)]
    fn greatest(&self, values: [f64x4<S>; GROUPS]) -> usize {
        let simd = self.distances[0].simd;
        let none = f64x4::splat(simd, -1.0);
        let [a, b, c, d] = [
            self.are_there[0].select(values[0], none),
            self.are_there[1].select(values[1], none),
            self.are_there[2].select(values[2], none),
            self.are_there[3].select(values[3], none),
        ];
        let most = simd.reduce_max_f64x4(a.max(b).max(c.max(d)));
        let enough = most.max(0.0) * (1.0 - tolerances::MANIFOLD_TIE);
        self.first(bits([
            a.simd_ge(enough),
            b.simd_ge(enough),
            c.simd_ge(enough),
            d.simd_ge(enough),
        ]))
    }

    /// The candidate farthest from a point.
    #[inline(always)]
    fn farthest_from(&self, start: DVec2) -> usize {
        let [a, b, c, d] = self.at;
        self.greatest([
            squared_distances(a, start),
            squared_distances(b, start),
            squared_distances(c, start),
            squared_distances(d, start),
        ])
    }

    /// The candidate farthest from the line through a point.
    #[inline(always)]
    fn farthest_beside(&self, line: SpotLine) -> usize {
        let [a, b, c, d] = self.at;
        self.greatest([
            line.heights(a).abs(),
            line.heights(b).abs(),
            line.heights(c).abs(),
            line.heights(d).abs(),
        ])
    }

    /// The candidate farthest outside of a triangle, seen from its nearest side.
    #[inline(always)]
    fn farthest_outside(&self, sides: &[SpotLine; 3]) -> usize {
        let [a, b, c, d] = self.at;
        self.greatest([
            outside(sides, a),
            outside(sides, b),
            outside(sides, c),
            outside(sides, d),
        ])
    }

    /// Writes the numbers of all candidates, one by one: a processor would have to wait for what it has just written, if
    /// it were moved.
    #[inline(always)]
    pub(super) fn write(&self, numbers: &mut Numbers) {
        for group in 0..GROUPS {
            let [x, y] = self.at[group];
            numbers.x[group] = x.to_array();
            numbers.y[group] = y.to_array();
            numbers.distances[group] = self.distances[group].to_array();
        }
        for group in 2..GROUPS {
            let [x, y] = self.at[group];
            numbers.shares[0][group] = x.to_array();
            numbers.shares[1][group] = y.to_array();
        }
    }

    /// The candidates that become points, as bits. `None` if none of them is as near as `distance`, or farther by less
    /// than `slack`.
    #[inline(always)]
    pub(super) fn chosen(&self, numbers: &Numbers, distance: f64, slack: f64) -> Option<u64> {
        let simd = self.distances[0].simd;
        let far = f64x4::splat(simd, f64::INFINITY);
        let of = |k: usize| self.are_there[k].select(self.distances[k], far);
        let (p, q, r, s) = (of(0), of(1), of(2), of(3));
        let least = simd.reduce_min_f64x4(p.min(q).min(r.min(s)));
        if !(least <= distance + slack) {
            return None;
        }
        let all = bits(self.are_there);
        if all.count_ones() <= MOST_POINTS as u32 {
            return Some(all);
        }
        let is_deepest = |distances: f64x4<S>| distances.simd_le(least + slack);
        let deepest = bits([is_deepest(p), is_deepest(q), is_deepest(r), is_deepest(s)]);
        Some(self.choose(deepest, numbers))
    }

    /// Of at most four candidates, the numbers by rank. Others follow.
    #[inline(always)]
    pub(super) fn by_rank(&self, mut some: u64) -> [usize; MOST_POINTS] {
        let mut next = || {
            let number = (some | 1 << 63).trailing_zeros();
            some &= some.wrapping_sub(1);
            // What does not exist comes last.
            if number == 63 {
                return u32::MAX;
            }
            self.rank(number as usize) << 4 | number
        };
        let [a, b, c, d] = [next(), next(), next(), next()];
        let ([a, b], [c, d]) = (sorted(a, b), sorted(c, d));
        let ([a, c], [b, d]) = (sorted(a, c), sorted(b, d));
        let [b, c] = sorted(b, c);
        [a, b, c, d].map_each(|key| key as usize % (LANES * GROUPS))
    }

    /// The choice that [`reduce`](crate::manifold::reduce) makes, as bits.
    #[inline(always)]
    fn choose(&self, deepest: u64, numbers: &Numbers) -> u64 {
        let first = self.first(deepest);
        let start = numbers.at(first);
        let second = self.farthest_from(start);
        let line = SpotLine::between([start, numbers.at(second)], 1.0);
        let third = self.farthest_beside(line);
        let [a, b, c] = [start, numbers.at(second), numbers.at(third)];
        let turn = -(b - a).perp_dot(c - a).signum();
        let sides = [[a, b], [b, c], [c, a]].map_each(|ends| SpotLine::between(ends, turn));
        let fourth = self.farthest_outside(&sides);
        1 << first | 1 << second | 1 << third | 1 << fourth
    }
}

#[inline(always)]
fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// A line with a direction.
#[derive(Clone, Copy)]
struct SpotLine {
    start: DVec2,
    along: DVec2,
}

impl SpotLine {
    /// The line through two points, the other way round where `turn` is -1.
    #[inline(always)]
    fn between([start, end]: [DVec2; 2], turn: f64) -> Self {
        Self {
            start,
            along: (end - start) * turn,
        }
    }

    /// How far points lie to the left of the line, times its length.
    #[inline(always)]
    fn heights<S: Simd>(self, [x, y]: Lanes<S>) -> f64x4<S> {
        let (x, y) = (x - self.start.x, y - self.start.y);
        y * self.along.x - x * self.along.y
    }
}

#[inline(always)]
fn squared_distances<S: Simd>([x, y]: Lanes<S>, start: DVec2) -> f64x4<S> {
    let (x, y) = (x - start.x, y - start.y);
    x * x + y * y
}

/// How far points lie outside of the nearest side of a triangle, times its length; 0 within. The sides have the triangle
/// on their right.
#[inline(always)]
fn outside<S: Simd>(sides: &[SpotLine; 3], at: Lanes<S>) -> f64x4<S> {
    let none = f64x4::splat(at[0].simd, 0.0);
    none.max(sides[0].heights(at))
        .max(sides[1].heights(at))
        .max(sides[2].heights(at))
}
