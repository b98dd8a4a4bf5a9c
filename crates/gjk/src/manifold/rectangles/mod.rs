//! Two faces of cuboids that lie on each other.
//!
//! Seen along the normal both are parallelograms, all but rectangles. Each is seen in coordinates in which the other
//! reaches from -1 to 1 on both axes, where cutting takes few operations, and all that is found stays in registers:
//! the corners of a in b, those of b in a, and where the stretch of each side of a that lies in b begins and ends. The
//! points are those that [`clip`](super::clip) and [`reduce`](super::reduce) find, up to rounding. Where anything is
//! so near a side that these would join or leave out points, it is left to them.

#[cfg(test)]
mod tests;

use clearance_math::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4, mask64x4};
use clearance_math::{DVec2, DVec3, PreciseVector, Real, Vector, round_nearest, tolerances};
use clearance_shapes::{Convex, Core, Cuboid, Shape};

use super::facing::{cuboid_edge_number, is_facing};
use super::feature::Feature;
use super::{MOST_POINTS, ManifoldPoint, Points, Sides};
use crate::measured::Measured;

/// The signs of the two half axes at the four corners, in order around the face.
const SIGNS: [[f64; LANES]; 2] = [[1.0, -1.0, -1.0, 1.0], [1.0, 1.0, -1.0, -1.0]];

/// The same at the corner that follows.
const NEXT_SIGNS: [[f64; LANES]; 2] = [[-1.0, -1.0, 1.0, 1.0], [1.0, -1.0, -1.0, 1.0]];

/// The numbers of the corners.
const NUMBERS: [f64; LANES] = [0.0, 1.0, 2.0, 3.0];

/// How much nearer than the slack of a manifold to a side anything may be here.
const CLEAR: f64 = 2.0;

/// The number of places among which candidates are ordered: corners of a and of b in turn, then crossings.
const RANKS: usize = 24;

/// The rank of a candidate by its group, its number in it, and the number of what it is on b. That of a crossing is by
/// the lesser of the numbers of both sides, the greater, and that of a.
const RANK: [[[u8; LANES]; LANES]; GROUPS] = {
    let crossings = [
        [8, 9, 11, 13],
        [10, 15, 16, 18],
        [12, 17, 20, 21],
        [14, 19, 22, 23],
    ];
    let corners_of_a = [[0; LANES], [2; LANES], [4; LANES], [6; LANES]];
    let corners_of_b = [[1; LANES], [3; LANES], [5; LANES], [7; LANES]];
    [corners_of_a, corners_of_b, crossings, crossings]
};

/// The groups of candidates: the corners of a, those of b, and where stretches of sides of a begin and end.
const GROUPS: usize = 4;

/// What a candidate is on a face.
#[derive(Clone, Copy)]
enum Kind {
    Corner,
    Inside,
    Side,
}

/// What the candidates of each group are on a and on b.
const KINDS: [[Kind; 2]; GROUPS] = [
    [Kind::Corner, Kind::Inside],
    [Kind::Inside, Kind::Corner],
    [Kind::Side, Kind::Side],
    [Kind::Side, Kind::Side],
];

/// The features of the faces of a cuboid by their number, by what a point is there, and by the number of that.
const FEATURES: [[[Feature; LANES]; 3]; 6] = [
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

/// A face of a cuboid, in the frame of a.
struct Rectangle {
    middle: DVec3,
    /// From the middle to the middles of the sides 3 and 0.
    half: [DVec3; 2],
    /// The outward unit normal.
    normal: DVec3,
    /// Its number.
    face: usize,
}

impl Rectangle {
    /// The face of a cuboid that faces a direction, in the frame of the cuboid.
    #[inline(always)]
    fn toward<V: Vector>(
        (convex, cuboid): (&Convex<V>, &Cuboid<V>),
        direction: DVec3,
    ) -> Option<Self> {
        let lengths = direction.abs();
        let axis = if lengths.y > lengths.x { 1 } else { 0 };
        let axis = if lengths.z > lengths[axis] { 2 } else { axis };
        if !is_facing(lengths[axis]) {
            return None;
        }
        let half = cuboid.half_extents.to_precise().in_space();
        let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
        let normal = DVec3::AXES[axis] * direction[axis].signum();
        Some(Self {
            middle: normal * (half[axis] + convex.radius()),
            half: [DVec3::AXES[one] * half[one], DVec3::AXES[two] * half[two]],
            normal,
            face: 2 * axis + usize::from(direction[axis] < 0.0),
        })
    }
}

/// A parallelogram in a plane.
#[derive(Clone, Copy)]
struct Flat {
    middle: DVec2,
    half: [DVec2; 2],
}

impl Flat {
    /// The coordinates of the plane in which `other` reaches from -1 to 1.
    #[inline(always)]
    fn seen_from(&self, other: &Self) -> Self {
        let [p, q] = other.half;
        let scale = 1.0 / p.perp_dot(q);
        let seen = |v: DVec2| DVec2::new(v.perp_dot(q) * scale, p.perp_dot(v) * scale);
        Self {
            middle: seen(self.middle - other.middle),
            half: self.half.map(seen),
        }
    }

    /// How far inside of 1 a coordinate must be so that the point is as far inside of the side.
    #[inline(always)]
    fn within(&self, distance: f64) -> DVec2 {
        let [p, q] = self.half;
        DVec2::new(q.length(), p.length()) * (distance / p.perp_dot(q).abs())
    }

    #[inline(always)]
    fn squared_diameter(&self) -> f64 {
        let [p, q] = self.half;
        let longest = p.length_squared().max(q.length_squared());
        4.0 * (p + q).length_squared().max(longest)
    }

    /// The four corners, as x and y, by the signs of the half axes.
    #[inline(always)]
    fn corners<S: Simd>(&self, simd: S, signs: [[f64; LANES]; 2]) -> Lanes<S> {
        let one = f64x4::load_array(simd, signs[0]);
        let two = f64x4::load_array(simd, signs[1]);
        let Self {
            middle,
            half: [p, q],
        } = *self;
        [
            f64x4::splat(simd, middle.x) + one * p.x + two * q.x,
            f64x4::splat(simd, middle.y) + one * p.y + two * q.y,
        ]
    }
}

/// Points of the plane, as x and y.
type Lanes<S> = [f64x4<S>; 2];

/// Whether points are within 1 on both axes; `None` if one of them is nearly on a line through a side.
#[inline(always)]
fn inside<S: Simd>([x, y]: Lanes<S>, clear: DVec2) -> Option<mask64x4<S>> {
    let (x, y) = (x.abs(), y.abs());
    let is_clear = (x - 1.0).abs().simd_gt(clear.x) & (y - 1.0).abs().simd_gt(clear.y);
    let is_inside = x.simd_lt(1.0) & y.simd_lt(1.0);
    (is_clear.to_bitmask() == 0xf).then_some(is_inside)
}

/// Where the stretch of each side that lies within 1 on both axes begins and ends, as a share of the way, and the
/// number of the side that makes it so.
struct Stretch<S: Simd> {
    at: f64x4<S>,
    by: f64x4<S>,
    is_cut: mask64x4<S>,
}

/// The stretch from here to there; begins at 0 where it is not cut. No crossing is where both ends are out on one side.
#[inline(always)]
fn begin<S: Simd>(here: Lanes<S>, there: Lanes<S>) -> Stretch<S> {
    let simd = here[0].simd;
    let splat = |value: f64| f64x4::splat(simd, value);
    let cut = |axis: usize| {
        let (from, to) = (here[axis], there[axis]);
        let is_positive = from.simd_gt(0.0);
        let (from, to) = (from.abs(), is_positive.select(to, -to));
        // Sides 3 and 1 end the first axis, 0 and 2 the second.
        let by = is_positive.select(splat(3.0 - 3.0 * axis as f64), splat(1.0 + axis as f64));
        let is_out = from.simd_gt(1.0);
        let at = (from - 1.0) / (from - to);
        let at = to.simd_gt(1.0).select(splat(f64::INFINITY), at);
        (is_out.select(at, splat(0.0)), by, is_out)
    };
    let ((x, by_x, is_out_x), (y, by_y, is_out_y)) = (cut(0), cut(1));
    let is_x = x.simd_gt(y);
    Stretch {
        at: is_x.select(x, y),
        by: is_x.select(by_x, by_y),
        is_cut: is_out_x | is_out_y,
    }
}

/// Candidates: the corners of a, those of b, and where stretches begin and end.
struct Spots<S: Simd> {
    at: [Lanes<S>; 4],
    distances: [f64x4<S>; 4],
    are_there: [mask64x4<S>; 4],
    /// The numbers of what they are on b; that of a face does not matter.
    on_b: [[f64; LANES]; GROUPS],
}

/// The lanes of four vectors that are set.
#[inline(always)]
fn bits<S: Simd>([a, b, c, d]: [mask64x4<S>; 4]) -> u64 {
    a.to_bitmask() | b.to_bitmask() << 4 | c.to_bitmask() << 8 | d.to_bitmask() << 12
}

impl<S: Simd> Spots<S> {
    /// The number of what a candidate is on b.
    #[inline(always)]
    fn number_on_b(&self, number: usize) -> usize {
        self.on_b[number / LANES][number % LANES] as usize % LANES
    }

    /// The rank of a candidate among all.
    #[inline(always)]
    fn rank(&self, number: usize) -> usize {
        let of_group = &RANK[number / LANES][number % LANES];
        usize::from(of_group[self.number_on_b(number)])
    }

    /// Of some candidates, the first by rank.
    #[inline(always)]
    fn first(&self, mut bits: u64) -> usize {
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
    fn farthest(&self, value: impl Fn(Lanes<S>) -> f64x4<S>) -> usize {
        let simd = self.distances[0].simd;
        let none = f64x4::splat(simd, -1.0);
        let of = |k: usize| self.are_there[k].select(value(self.at[k]), none);
        let (a, b, c, d) = (of(0), of(1), of(2), of(3));
        let most = simd.reduce_max_f64x4(a.max(b).max(c.max(d)));
        let enough = most.max(0.0) * (1.0 - tolerances::MANIFOLD_TIE);
        let is_enough = |values: f64x4<S>| values.simd_ge(enough);
        self.first(bits([
            is_enough(a),
            is_enough(b),
            is_enough(c),
            is_enough(d),
        ]))
    }

    /// The choice that [`super::reduce`] makes, as bits.
    #[inline(always)]
    fn choose(&self, deepest: u64, at: impl Fn(usize) -> DVec2) -> u64 {
        let first = self.first(deepest);
        let start = at(first);
        let second = self.farthest(|[x, y]| {
            let (x, y) = (x - start.x, y - start.y);
            x * x + y * y
        });
        let line = at(second) - start;
        let third = self.farthest(|[x, y]| {
            let (x, y) = (x - start.x, y - start.y);
            (y * line.x - x * line.y).abs()
        });
        let triangle = [start, at(second), at(third)];
        let turn = line.perp_dot(at(third) - start).signum();
        let fourth = self.farthest(|[x, y]| {
            let mut most = f64x4::splat(x.simd, 0.0);
            for k in 0..3 {
                let (start, side) = (triangle[k], (triangle[(k + 1) % 3] - triangle[k]) * turn);
                most = most.max((x - start.x) * side.y - (y - start.y) * side.x);
            }
            most
        });
        1 << first | 1 << second | 1 << third | 1 << fourth
    }
}

/// Two faces of cuboids, seen along the normal of the pair.
pub(super) struct TwoFaces {
    faces: [Rectangle; 2],
    base: DVec3,
    normal: DVec3,
    right: DVec3,
    up: DVec3,
}

/// A plane over the one that is seen: its height at the base, and how it rises.
#[derive(Clone, Copy)]
struct Plane {
    level: f64,
    rise: DVec2,
}

impl Plane {
    #[inline(always)]
    fn height(&self, at: DVec2) -> f64 {
        self.level + self.rise.dot(at)
    }
}

impl TwoFaces {
    /// `None` unless faces of two cuboids in space face each other.
    #[inline(always)]
    pub(super) fn new<V: Vector>(sides: &Sides<V>, pair: &Measured<V::Precise>) -> Option<Self> {
        let [Shape::Convex(a), Shape::Convex(b)] = sides.shapes else {
            return None;
        };
        let (Core::Cuboid(core_a), Core::Cuboid(core_b), 3) = (a.core(), b.core(), V::DIM) else {
            return None;
        };
        let of_a = Rectangle::toward((a, core_a), pair.normal.in_space())?;
        let in_b = sides.b_in_a.inverse_transform_direction(-pair.normal);
        let of_b = Rectangle::toward((b, core_b), in_b.in_space())?;
        let direction = |vector: DVec3| {
            let vector = V::Precise::from_space(vector);
            sides.b_in_a.transform_direction(vector).in_space()
        };
        let of_b = Rectangle {
            middle: direction(of_b.middle) + sides.b_in_a.translation.in_space(),
            half: of_b.half.map(direction),
            normal: direction(of_b.normal),
            ..of_b
        };
        let normal = pair.normal.in_space();
        let (right, up) = normal.any_orthonormal_pair();
        Some(Self {
            faces: [of_a, of_b],
            base: pair.on_a.in_space(),
            normal,
            right,
            up,
        })
    }

    #[inline(always)]
    fn seen(&self, vector: DVec3) -> DVec2 {
        DVec2::new(vector.dot(self.right), vector.dot(self.up))
    }

    #[inline(always)]
    fn flat(&self, side: usize) -> Flat {
        let face = &self.faces[side];
        Flat {
            middle: self.seen(face.middle - self.base),
            half: face.half.map(|half| self.seen(half)),
        }
    }

    #[inline(always)]
    fn plane(&self, side: usize) -> Plane {
        let Rectangle { normal, middle, .. } = self.faces[side];
        let scale = 1.0 / normal.dot(self.normal);
        Plane {
            level: normal.dot(middle - self.base) * scale,
            rise: self.seen(normal) * -scale,
        }
    }

    #[inline(always)]
    fn features<S: Simd>(&self, number: usize, spots: &Spots<S>) -> [Feature; 2] {
        let [on_a, on_b] = KINDS[number / LANES];
        let [a, b] = [self.faces[0].face, self.faces[1].face];
        [
            FEATURES[a][on_a as usize][number % LANES],
            FEATURES[b][on_b as usize][spots.number_on_b(number)],
        ]
    }

    /// Appends the points of the manifold and returns true, or false if it must be found in another way.
    #[inline(always)]
    pub(super) fn fill<S: Simd, V: Vector>(
        &self,
        simd: S,
        sides: &Sides<V>,
        (pair, within): (&Measured<V::Precise>, Real),
        points: &mut Points<V>,
    ) -> bool {
        let [a, b] = [self.flat(0), self.flat(1)];
        let squared = a.squared_diameter().min(b.squared_diameter());
        let slack = tolerances::MANIFOLD_SLACK * squared.sqrt();
        let clear = CLEAR * slack;
        let a_in_b = a.seen_from(&b);
        let (here, there) = (
            a_in_b.corners(simd, SIGNS),
            a_in_b.corners(simd, NEXT_SIGNS),
        );
        let b_in_a = b.seen_from(&a).corners(simd, SIGNS);
        let (Some(of_a), Some(of_b)) = (
            inside(here, b.within(clear)),
            inside(b_in_a, a.within(clear)),
        ) else {
            return false;
        };
        let planes = [self.plane(0), self.plane(1)];
        let gap = Plane {
            level: planes[1].level - planes[0].level,
            rise: planes[1].rise - planes[0].rise,
        };
        let (starts, stops) = (begin(here, there), begin(there, here));
        let is_any = (starts.at + stops.at).simd_lt(1.0);
        let (from, to) = (a.corners(simd, SIGNS), a.corners(simd, NEXT_SIGNS));
        let between = |share: f64x4<S>| {
            let rest = f64x4::splat(simd, 1.0) - share;
            [
                from[0] * rest + to[0] * share,
                from[1] * rest + to[1] * share,
            ]
        };
        let ends = f64x4::splat(simd, 1.0) - stops.at;
        let at = [
            from,
            b.corners(simd, SIGNS),
            between(starts.at),
            between(ends),
        ];
        let distance = |[x, y]: Lanes<S>| x * gap.rise.x + y * gap.rise.y + gap.level;
        let distances = [
            distance(at[0]),
            distance(at[1]),
            distance(at[2]),
            distance(at[3]),
        ];
        let most = f64::from(within).max(pair.distance + slack);
        let is_near = |k: usize| distances[k].simd_le(most);
        let spots = Spots {
            at,
            distances,
            are_there: [
                of_a & is_near(0),
                of_b & is_near(1),
                starts.is_cut & is_any & is_near(2),
                stops.is_cut & is_any & is_near(3),
            ],
            on_b: [NUMBERS, NUMBERS, starts.by.to_array(), stops.by.to_array()],
        };
        self.push(&spots, (sides, pair.distance, slack, planes[0]), points)
    }

    #[inline(always)]
    fn push<S: Simd, V: Vector>(
        &self,
        spots: &Spots<S>,
        (sides, distance, slack, plane): (&Sides<V>, f64, f64, Plane),
        points: &mut Points<V>,
    ) -> bool {
        let simd = spots.distances[0].simd;
        let far = f64x4::splat(simd, f64::INFINITY);
        let of = |k: usize| spots.are_there[k].select(spots.distances[k], far);
        let (p, q, r, s) = (of(0), of(1), of(2), of(3));
        let least = simd.reduce_min_f64x4(p.min(q).min(r.min(s)));
        if !(least <= distance + slack) {
            return false;
        }
        let [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = spots.at;
        let x = [ax.to_array(), bx.to_array(), cx.to_array(), dx.to_array()];
        let y = [ay.to_array(), by.to_array(), cy.to_array(), dy.to_array()];
        let [a, b, c, d] = spots.distances;
        let distances = [a.to_array(), b.to_array(), c.to_array(), d.to_array()];
        let at = |k: usize| DVec2::new(x[k / LANES][k % LANES], y[k / LANES][k % LANES]);
        let mut chosen = bits(spots.are_there);
        if chosen.count_ones() > MOST_POINTS as u32 {
            let is_deepest = |distances: f64x4<S>| distances.simd_le(least + slack);
            let deepest = bits([is_deepest(p), is_deepest(q), is_deepest(r), is_deepest(s)]);
            chosen = spots.choose(deepest, at);
        }
        let (mut order, mut of_rank) = (0_u32, [0_u8; RANKS]);
        while chosen != 0 {
            let number = chosen.trailing_zeros();
            chosen &= chosen - 1;
            let rank = spots.rank(number as usize);
            order |= 1 << rank;
            of_rank[rank] = number as u8;
        }
        let [a, b] = &self.faces;
        let frames = [
            [a.middle, a.half[0], a.half[1]],
            [b.middle, b.half[0], b.half[1]],
            [self.base, self.right, self.up],
        ];
        let [signs, other_signs] = SIGNS;
        let shares = [
            [signs, signs, x[2], x[3]],
            [other_signs, other_signs, y[2], y[3]],
        ];
        let normal = V::Precise::from_space(self.normal);
        let normal = sides.a_in_world.transform_direction(normal);
        while order != 0 {
            let number = usize::from(of_rank[order.trailing_zeros() as usize]);
            order &= order - 1;
            let (group, k) = (number / LANES, number % LANES);
            let [middle, one, two] = frames[group.min(2)];
            let mut point = middle + one * shares[0][group][k] + two * shares[1][group][k];
            if group >= 2 {
                point += self.normal * plane.height(at(number));
            }
            let distance = distances[group][k];
            // A corner is kept as it is, to the last bit: it is a point of the surface that it belongs to.
            let [to_a, to_b] = if group == 1 { [-1.0, 0.0] } else { [0.0, 1.0] };
            let point = sides
                .a_in_world
                .transform_point(V::Precise::from_space(point));
            let on_a = point + normal * (distance * to_a);
            let on_b = point + normal * (distance * to_b);
            let on = [V::from_precise(on_a), V::from_precise(on_b)];
            let on = (on, self.features(number, spots));
            points.push(ManifoldPoint::new(
                round_nearest(distance),
                on,
                sides.is_exchanged,
            ));
        }
        true
    }
}
