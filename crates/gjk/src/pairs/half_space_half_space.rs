//! Two half-spaces.

use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::HalfSpace;

use crate::measured::{Measured, Outcome};

/// The gap along the normals if they are exactly opposite; otherwise the overlap has no bound.
pub(crate) fn measure<V: Vector>(
    a: &HalfSpace<V>,
    b: &HalfSpace<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Outcome<V::Precise> {
    let normal = a.normal();
    let facing = b_in_a.transform_direction(b.normal());
    if (normal + facing).length() > tolerances::OPPOSITE_NORMALS {
        return Outcome::Unbounded;
    }
    let across = normal.dot(b_in_a.translation);
    let distance = across - a.offset() - b.offset();
    let scale = b_in_a.translation.length() + a.offset() + b.offset();
    let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
    // The points over the middle between the two origins.
    let beside = (b_in_a.translation - normal * across) * 0.5;
    let on_a = beside + normal * a.offset();
    let on_b = beside + normal * (across - b.offset());
    Outcome::Near(Measured::exact(distance, normal, (on_a, on_b), rounding))
}
