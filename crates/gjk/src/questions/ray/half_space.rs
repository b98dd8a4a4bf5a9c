//! Ray and half-space.

use clearance_math::{PreciseVector, Real, Vector, tolerances};
use clearance_shapes::HalfSpace;

use super::chord::{Chord, ChordCrossing, ChordSide};
use super::in_frame::RayInFrame;

/// The height of the start above the boundary, divided by the speed at which the ray falls.
///
/// Unlike with other shapes the boundary may be met at any distance, so the bounds allow for the error of
/// the speed, too. A ray that runs along the boundary up to that error is parallel to it.
pub(super) fn chord<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    half_space: &HalfSpace<V>,
) -> Option<Chord<V::Precise>> {
    let normal = half_space.normal();
    let height = normal.dot(ray.origin) - half_space.offset();
    let rate = normal.dot(ray.direction);
    let mut chord = Chord::line();
    let error = tolerances::RAY_ROUNDING;
    if rate.abs() <= error {
        let side = ChordSide {
            normal,
            room: -height,
            rate,
        };
        if height.abs() <= ray.rounding && !side.is_along(ray) {
            // Rounding leaves open whether it starts above the boundary, and where it would meet it.
            // Farther away are no numbers of single precision.
            let farthest = f64::from(Real::MAX);
            chord.enter.upper = farthest;
            chord.leave.lower = -farthest;
        }
        return (height <= ray.rounding).then_some(chord);
    }
    let speed = rate.abs();
    // The height that the ray loses on its way to the boundary, negative if the boundary is behind.
    let way = -height * rate.signum();
    let (near, far) = (way - ray.rounding, way + ray.rounding);
    let near_speed = if near > 0.0 {
        speed + error
    } else {
        speed - error
    };
    let far_speed = if far > 0.0 {
        speed - error
    } else {
        speed + error
    };
    let place = |distance: f64| distance - ray.middle;
    let bounds = [place(near / near_speed), place(far / far_speed)];
    let crossing = ChordCrossing::between(place(way / speed), bounds, normal);
    if rate < 0.0 {
        chord.enter = crossing;
    } else {
        chord.leave = crossing;
    }
    Some(chord)
}
