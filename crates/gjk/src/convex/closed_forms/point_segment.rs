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
    let nearest = nearest(point, segment);
    let along = segment.b.to_precise() - segment.a.to_precise();
    PointAnswer::outside(point, nearest, rounding)
        .unwrap_or_else(|| PointAnswer::inside(nearest, 0.0, along.perpendicular()))
}

/// The point of the segment that is nearest to a point.
#[inline]
pub(crate) fn nearest<V: Vector>(point: V::Precise, segment: &Segment<V>) -> V::Precise {
    let a = segment.a.to_precise();
    let along = segment.b.to_precise() - a;
    let t = (point - a).dot(along) / along.length_squared();
    a + along * t.clamp(0.0, 1.0)
}
