//! Ray and cuboid.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Cuboid;

use super::chord::{Chord, ChordSide};
use super::in_frame::RayInFrame;

/// Clips the line by the two planes across each axis.
///
/// Source: Kay and Kajiya, "Ray Tracing Complex Scenes", 1986.
#[inline]
pub(super) fn chord<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    cuboid: &Cuboid<V>,
) -> Option<Chord<V::Precise>> {
    let half = cuboid.half_extents.to_precise();
    let mut chord = Chord::line();
    for k in 0..V::DIM {
        let (at, rate) = (ray.base.component(k), ray.direction.component(k));
        for sign in [1.0, -1.0] {
            let side = ChordSide {
                normal: V::Precise::axis(k) * sign,
                room: half.component(k) - sign * at,
                rate: sign * rate,
            };
            if !chord.clip(ray, side) {
                return None;
            }
        }
    }
    chord.if_any()
}
