//! Four vertices from which the first simplex of a search is made.
//!
//! Each step of a search depends on the one before, so a search becomes shorter if more is known before the
//! first step. Vertices in four directions around that of the center, computed in lanes, save two fifths of
//! the steps of hulls with 8 corners, and half with 32. Three vertices save less; seven save little more and
//! take two rows of lanes.

use clearance_math::PreciseVector;
use clearance_math::lanes::{FourVectors, LANES, Simd, SimdBase};
use clearance_math::tolerances::SEED_SPREAD;

use crate::vertex::Vertex;

/// Four vertices of a difference, in the order of their directions around the middle one.
pub(crate) struct SeedVertices<S: Simd, P> {
    /// Where they were sought, not of unit length.
    pub(crate) directions: FourVectors<S, P>,
    /// Points of a, in a's frame.
    pub(crate) on_a: FourVectors<S, P>,
    /// Points of b, in a's frame.
    pub(crate) on_b: FourVectors<S, P>,
}

impl<S: Simd, P: PreciseVector> SeedVertices<S, P> {
    /// One of the vertices.
    #[inline(always)]
    pub(crate) fn vertex(&self, lane: usize) -> Vertex<P> {
        Vertex::between(self.on_a.lane(lane), self.on_b.lane(lane))
    }

    /// Of the planes across the directions with the whole difference beyond, the distance from the origin
    /// of the farthest, and its direction.
    #[inline(always)]
    pub(crate) fn highest(&self) -> (f64, P) {
        let directions = self.directions;
        let along = directions.dot(self.on_b - self.on_a) / directions.length();
        let heights = along.to_array();
        let mut best = 0;
        for lane in 1..LANES {
            if heights[lane] > heights[best] {
                best = lane;
            }
        }
        (heights[best], directions.lane(best))
    }
}

/// Directions to each side of the one from `center`, in space, towards the origin: leaning as the sides
/// of a difference of that size do where it is seen from the origin, by half a right angle at most.
#[inline(always)]
pub(crate) fn directions_about<S: Simd, P: PreciseVector>(
    simd: S,
    center: P,
    size: f64,
) -> FourVectors<S, P> {
    let length = center.length();
    let lean = (SEED_SPREAD * size).min(length);
    let (x, y) = (center / length).in_space().any_orthonormal_pair();
    let (x, y) = (P::from_space(x * lean), P::from_space(y * lean));
    let sides: [P; LANES] = [x - center, y - center, -x - center, -y - center];
    FourVectors::from_lanes(simd, |lane| sides[lane])
}
