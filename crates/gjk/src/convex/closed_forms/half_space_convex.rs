//! Half-space and any convex shape.

use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, HalfSpace, Support};

use crate::answer::Measured;

/// The core's lowest point above the boundary decides: distance = n . lowest - offset - radius.
///
/// Computed in the frame of the half-space a, whose outward normal n is also the normal from a to
/// b.
pub(crate) fn measure<V: Vector>(
    a: &HalfSpace<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Measured<V::Precise> {
    let normal = a.normal();
    let down = b_in_a.inverse_transform_direction(-normal);
    let lowest = b_in_a.transform_point(b.core().support(down));
    let height = normal.dot(lowest) - a.offset();
    let scale = b.core_bounding_radius() + b_in_a.translation.length() + a.offset();
    let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
    let foot = lowest - normal * height;
    Measured::exact(height, normal, (foot, lowest), rounding).with_radii(0.0, b.radius())
}
