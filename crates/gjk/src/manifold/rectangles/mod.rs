//! Two faces of cuboids that lie on each other.
//!
//! Seen along the normal both are parallelograms, all but rectangles. Each is seen in coordinates in which the other
//! reaches from -1 to 1 on both axes, where cutting takes few operations, and all that is found stays in registers:
//! the corners of a in b, those of b in a, and where the stretch of each side of a that lies in b begins and ends. The
//! points are those that [`clip`](super::clip) and [`reduce`](super::reduce) find, up to rounding. Where anything is
//! so near a side that these would join or leave out points, it is left to them.

mod flat;
mod spots;
#[cfg(test)]
mod tests;

use clearance_math::lanes::{LANES, Simd, SimdBase, f64x4};
use clearance_math::{DVec2, DVec3, PreciseVector, Real, Vector, round_nearest, tolerances};
use clearance_shapes::{Convex, Core, Cuboid, Shape};

use self::flat::{Flat, Lanes, NEXT_SIGNS, SIGNS, begin, inside};
use self::spots::{FEATURES, KINDS, Spots};
use super::facing::is_facing;
use super::feature::Feature;
use super::{ManifoldPoint, Points, Sides};
use crate::measured::Measured;

/// The numbers of the corners.
const NUMBERS: [f64; LANES] = [0.0, 1.0, 2.0, 3.0];

/// How many times the slack of a manifold everything must stay away from a side: what is nearer is left to clipping.
const CLEAR: f64 = 2.0;

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
        let numbers = spots.numbers();
        let Some(chosen) = spots.chosen(&numbers, distance, slack) else {
            return false;
        };
        let (of_rank, mut order) = spots.by_rank(chosen);
        let [a, b] = &self.faces;
        let frames = [
            [a.middle, a.half[0], a.half[1]],
            [b.middle, b.half[0], b.half[1]],
            [self.base, self.right, self.up],
        ];
        let [signs, other_signs] = SIGNS;
        let shares = [
            [signs, signs, numbers.x[2], numbers.x[3]],
            [other_signs, other_signs, numbers.y[2], numbers.y[3]],
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
                point += self.normal * plane.height(numbers.at(number));
            }
            let distance = numbers.distances[group][k];
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
