//! Point and segment: ball and capsule.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Segment;

use super::PointAnswer;

/// Minimises |a + t (b - a) - p|: t = (p - a) . (b - a) / |b - a|^2, clamped to [0, 1].
///
/// A point on the segment itself has depth zero and leaves the segment sideways.
pub(crate) fn measure<V: Vector>(
    point: V::Precise,
    segment: &Segment<V>,
    rounding: f64,
) -> PointAnswer<V::Precise> {
    let a = segment.a.to_precise();
    let along = segment.b.to_precise() - a;
    let t = (point - a).dot(along) / along.length_squared();
    let nearest = a + along * t.clamp(0.0, 1.0);
    PointAnswer::outside(point, nearest, rounding)
        .unwrap_or_else(|| PointAnswer::inside(nearest, 0.0, along.perpendicular()))
}
