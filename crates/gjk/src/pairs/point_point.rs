//! Point and point: ball and ball.

use clearance_math::{PreciseVector, tolerances};

use crate::measured::Measured;

/// The distance along the line through both centres, given with their radii; where they coincide
/// every direction will do.
#[inline]
pub(crate) fn measure<P: PreciseVector>(
    (center_a, radius_a): (P, f64),
    (center_b, radius_b): (P, f64),
) -> Measured<P> {
    let apart = center_b - center_a;
    let distance = apart.length();
    let normal = if distance > 0.0 {
        apart / distance
    } else {
        P::axis(1)
    };
    let scale = center_a.length() + center_b.length();
    let rounding = 4.0 * tolerances::DIFFERENCE_ROUNDING * scale;
    Measured::exact(distance, normal, (center_a, center_b), rounding).with_radii(radius_a, radius_b)
}
