//! Two faces of cuboids that lie on each other.
//!
//! Seen along the normal both are parallelograms, all but rectangles. Each is seen in coordinates in which the other
//! reaches from -1 to 1 on both axes, where cutting takes few operations, and all that is found stays in registers:
//! the corners of a in b, those of b in a, and where the stretch of each side of a that lies in b begins and ends. The
//! points are those that [`clip`](super::clip) and [`reduce`](super::reduce) find, up to rounding. Where anything is
//! so near a side that these would join or leave out points, it is left to them.

mod flat;
mod four;
mod spots;
#[cfg(test)]
mod tests;
mod view;

use clearance_math::lanes::{LANES, Simd, SimdBase, f64x4};
use clearance_math::{DVec2, DVec3, PreciseVector, Real, Vector, round_nearest};
use clearance_shapes::{Core, Shape};

use self::flat::{Flat, Lanes, NEXT_SIGNS, SIGNS, begin, inside};
pub(crate) use self::four::{FourCuboids, FourFaces};
use self::spots::{FEATURES, KINDS, Spots};
use self::view::{Face, View};
use super::feature::Feature;
use super::{Manifold, ManifoldPoint, Sides, Touch};
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
    /// Its number.
    face: usize,
}

/// Two faces of cuboids, seen along the normal of the pair.
pub(crate) struct TwoFaces {
    faces: [Rectangle; 2],
    base: DVec3,
    normal: DVec3,
    right: DVec3,
    up: DVec3,
    flats: [Flat; 2],
    /// Each face in coordinates in which the other one reaches from -1 to 1.
    seen_from_other: [Flat; 2],
    /// How near each other things are joined, and how far inside of 1 they must be in the coordinates of each face to
    /// be clear of that.
    slack: f64,
    clear: [DVec2; 2],
    /// The face of a, and how much higher that of b is.
    plane: Plane,
    gap: Plane,
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

    #[inline(always)]
    fn heights<S: Simd>(&self, [x, y]: Lanes<S>) -> f64x4<S> {
        x * self.rise.x + y * self.rise.y + self.level
    }
}

/// What is asked of two faces.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The distance of the pair.
    pub(crate) distance: f64,
    /// How far apart points may be.
    pub(crate) within: Real,
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
        let of_a = Face::toward((a, core_a), pair.normal.in_space())?;
        let in_b = sides.b_in_a.inverse_transform_direction(-pair.normal);
        let of_b = Face::toward((b, core_b), in_b.in_space())?;
        Some(
            View::along(pair.normal.in_space(), pair.on_a.in_space())
                .of([of_a, of_b.moved_by::<V>(sides.b_in_a)]),
        )
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
    pub(crate) fn fill<S: Simd, V: Vector>(
        &self,
        simd: S,
        sides: &Sides<V>,
        reach: Reach,
        manifold: &mut Manifold<V>,
    ) -> bool {
        let ([a, b], gap) = (&self.flats, &self.gap);
        let [a_in_b, b_in_a] = &self.seen_from_other;
        let (here, there) = (
            a_in_b.corners(simd, SIGNS),
            a_in_b.corners(simd, NEXT_SIGNS),
        );
        let b_in_a = b_in_a.corners(simd, SIGNS);
        let (Some(of_a), Some(of_b)) = (inside(here, self.clear[1]), inside(b_in_a, self.clear[0]))
        else {
            return false;
        };
        let (starts, stops) = (begin(here, there), begin(there, here));
        let is_any = (starts.at + stops.at).simd_lt(1.0);
        let (from, to) = (a.corners(simd, SIGNS), a.corners(simd, NEXT_SIGNS));
        let ends = f64x4::splat(simd, 1.0) - stops.at;
        let at = [
            from,
            b.corners(simd, SIGNS),
            between(from, to, starts.at),
            between(from, to, ends),
        ];
        let distances = [
            gap.heights(at[0]),
            gap.heights(at[1]),
            gap.heights(at[2]),
            gap.heights(at[3]),
        ];
        let most = f64::from(reach.within).max(reach.distance + self.slack);
        let spots = Spots {
            at,
            distances,
            are_there: [
                of_a & distances[0].simd_le(most),
                of_b & distances[1].simd_le(most),
                starts.is_cut & is_any & distances[2].simd_le(most),
                stops.is_cut & is_any & distances[3].simd_le(most),
            ],
            on_b: [NUMBERS, NUMBERS, starts.by.to_array(), stops.by.to_array()],
        };
        let Some(chosen) = spots.chosen(&spots.numbers(), reach.distance, self.slack) else {
            return false;
        };
        self.push(&spots, (chosen, sides), manifold);
        true
    }

    #[inline(always)]
    fn push<S: Simd, V: Vector>(
        &self,
        spots: &Spots<S>,
        (chosen, sides): (u64, &Sides<V>),
        manifold: &mut Manifold<V>,
    ) {
        let numbers = spots.numbers();
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
                point += self.normal * self.plane.height(numbers.at(number));
            }
            let distance = numbers.distances[group][k];
            // A corner is kept as it is, to the last bit: it is a point of the surface that it belongs to.
            let [to_a, to_b] = if group == 1 { [-1.0, 0.0] } else { [0.0, 1.0] };
            let point = sides
                .a_in_world
                .transform_point(V::Precise::from_space(point));
            let on_a = point + normal * (distance * to_a);
            let on_b = point + normal * (distance * to_b);
            let touch = Touch {
                on: [V::from_precise(on_a), V::from_precise(on_b)],
                features: self.features(number, spots),
            };
            let point = ManifoldPoint::new(round_nearest(distance), touch, sides.is_exchanged);
            manifold.points.push(point);
        }
    }
}

/// The points at these shares of the ways.
#[inline(always)]
fn between<S: Simd>(from: Lanes<S>, to: Lanes<S>, share: f64x4<S>) -> Lanes<S> {
    let rest = f64x4::splat(share.simd, 1.0) - share;
    [
        from[0] * rest + to[0] * share,
        from[1] * rest + to[1] * share,
    ]
}
