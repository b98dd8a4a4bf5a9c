//! Point and triangle: ball and triangle.

use clearance_math::Vector;
use clearance_math::internal::MapEach;
use clearance_shapes::Triangle;

use super::PointAnswer;
use crate::search::nearest_of_corners;

/// The nearest point of the triangle, for a point outside. A point inside the triangle is left to
/// iteration, which finds its depth in a triangle in 2D.
pub(crate) fn measure<V: Vector>(
    point: V::Precise,
    triangle: &Triangle<V>,
    rounding: f64,
) -> Option<PointAnswer<V::Precise>> {
    PointAnswer::outside(point, nearest(point, triangle), rounding)
}

/// The point of the triangle that is nearest to a point.
#[inline]
pub(crate) fn nearest<V: Vector>(point: V::Precise, triangle: &Triangle<V>) -> V::Precise {
    point + nearest_of_corners(triangle.corners().map_each(|corner| corner - point))
}
