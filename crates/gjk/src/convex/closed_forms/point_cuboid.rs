//! Point and cuboid: ball and box.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Cuboid;

use super::PointAnswer;
use super::axes::greatest;

/// For a point outside, the point clamped to the box is nearest. For a point inside, the nearest
/// face is the way out.
pub(crate) fn measure<V: Vector>(point: V::Precise, cuboid: &Cuboid<V>) -> PointAnswer<V::Precise> {
    let half = cuboid.half_extents.to_precise();
    let held = nearest(point, cuboid);
    if held != point
        && let Some(answer) = PointAnswer::outside(point, held, 0.0)
    {
        return answer;
    }
    let inset = half - point.abs();
    let (least, _) = greatest(-inset);
    let sign = if point.component(least) < 0.0 {
        -1.0
    } else {
        1.0
    };
    let outward = V::Precise::axis(least) * sign;
    PointAnswer::inside(point, inset.component(least), outward)
}

/// The point of the cuboid that is nearest to a point.
#[inline]
pub(crate) fn nearest<V: Vector>(point: V::Precise, cuboid: &Cuboid<V>) -> V::Precise {
    let half = cuboid.half_extents.to_precise();
    point.max(-half).min(half)
}
