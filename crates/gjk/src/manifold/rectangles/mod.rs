//! Two faces of cuboids that lie on each other.
//!
//! Seen along the normal both are parallelograms, all but rectangles. Each is seen in coordinates in which the other
//! reaches from -1 to 1 on both axes, where cutting takes few operations, and all that is found stays in registers:
//! the corners of a in b, those of b in a, and where the stretch of each side of a that lies in b begins and ends. The
//! points are those that [`clip`](super::clip) and [`reduce`](super::reduce) find, up to rounding. Where anything is
//! so near a side that these would join or leave out points, it is left to them.

mod chosen;
mod flat;
mod spots;
#[cfg(test)]
mod tests;
mod view;

use clearance_math::internal::lanes::{LANES, Simd, SimdBase, f64x4};
use clearance_math::{DVec2, DVec3, PreciseVector, Real, Vector};
use clearance_shapes::{Core, Shape};

use self::flat::{Flat, Lanes, NEXT_SIGNS, SIGNS, begin, inside};
use self::spots::{FEATURES, KINDS, Numbers, NumbersOnB, Spots};
use self::view::{FlatFace, RectangleView};
use super::answer::Manifold;
use super::feature::Feature;
use super::sides::OrderedShapes;
use crate::answer::Measured;

/// How many times the slack of a manifold everything must stay away from a side: what is nearer is left to clipping.
const CLEAR: f64 = 2.0;

/// A parallelogram in space, or a plane: its middle and two vectors along it.
type Frame = [DVec3; 3];

/// The frames in which points are given, in the frame of a: that of the face of a, with the vectors from its middle to
/// those of the sides 3 and 0, that of b, and that of the plane that is seen.
type Frames = [Frame; 3];

/// Two faces of cuboids, seen along the normal of the pair.
pub(crate) struct TwoFaces {
    frames: Frames,
    /// The numbers of both faces.
    numbers: [usize; 2],
    normal: DVec3,
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
    /// `None` unless faces of two cuboids face each other; in space.
    #[inline(always)]
    pub(super) fn new<V: Vector>(
        sides: &OrderedShapes<V>,
        pair: &Measured<V::Precise>,
    ) -> Option<Self> {
        let [Shape::Convex(a), Shape::Convex(b)] = sides.shapes else {
            return None;
        };
        let (Core::Cuboid(core_a), Core::Cuboid(core_b)) = (a.core(), b.core()) else {
            return None;
        };
        let of_a = FlatFace::toward((a, core_a), pair.normal.in_space())?;
        let in_b = sides.b_in_a.inverse_transform_direction(-pair.normal);
        let of_b = FlatFace::toward((b, core_b), in_b.in_space())?;
        Some(
            RectangleView::along(pair.normal.in_space(), pair.on_a.in_space())
                .of([of_a, of_b.moved_by::<V>(sides.b_in_a)]),
        )
    }
}

impl TwoFaces {
    #[inline(always)]
    fn features<S: Simd>(&self, number: usize, spots: &Spots<S>) -> [Feature; 2] {
        let [on_a, on_b] = KINDS[number / LANES];
        let [a, b] = self.numbers;
        [
            FEATURES[a][on_a as usize][number % LANES],
            FEATURES[b][on_b as usize][spots.on_b.of(number)],
        ]
    }

    /// Appends the points of the manifold and returns true, or false if it must be found in another way.
    #[inline(always)]
    pub(crate) fn fill<S: Simd, V: Vector>(
        &self,
        simd: S,
        sides: &OrderedShapes<V>,
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
            on_b: NumbersOnB::of_crossings(&starts.by, &stops.by),
        };
        let mut numbers = Numbers::new();
        spots.write(&mut numbers);
        let Some(chosen) = spots.chosen(&numbers, reach.distance, self.slack) else {
            return false;
        };
        self.push((&spots, &numbers), (chosen, sides), manifold);
        true
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
