//! Ray and ellipsoid.

use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::Ellipsoid;

use super::ball::Round;
use super::chord::{Chord, ChordCrossing};
use super::in_frame::RayInFrame;

/// Whether rounding leaves open where a ray meets an ellipsoid that is divided by its half axes.
pub(super) fn is_too_flat<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    ellipsoid: &Ellipsoid<V>,
) -> bool {
    let radii = ellipsoid.radii().to_precise();
    let least = (0..V::DIM).fold(f64::INFINITY, |least, k| least.min(radii.component(k)));
    ray.rounding > tolerances::RAY_ELLIPSOID_ROUNDING * least
}

/// Divided by the half axes, the ellipsoid becomes a ball of radius 1.
///
/// The rounding error of the line grows at most by the inverse of the least half axis. A normal of the ball
/// becomes a normal of the ellipsoid by one more division.
pub(super) fn chord<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    ellipsoid: &Ellipsoid<V>,
) -> Option<Chord<V::Precise>> {
    let radii = ellipsoid.radii().to_precise();
    let mut inverse = V::Precise::ZERO;
    let mut greatest = 0.0_f64;
    for k in 0..V::DIM {
        let share = 1.0 / radii.component(k);
        inverse = inverse.with_component(k, share);
        greatest = greatest.max(share);
    }
    let direction = ray.direction.scaled_by(inverse);
    let speed = direction.length();
    let round = Round {
        from_center: ray.base.scaled_by(inverse),
        direction: direction / speed,
        radius: 1.0,
        rounding: ray.rounding * greatest,
    };
    let chord = round.chord(speed)?;
    let scaled_back = |crossing: ChordCrossing<V::Precise>| ChordCrossing {
        normal: crossing.normal.scaled_by(inverse),
        ..crossing
    };
    Some(Chord::new(
        scaled_back(chord.enter),
        scaled_back(chord.leave),
    ))
}
