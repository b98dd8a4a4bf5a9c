//! Point and point: ball and ball.

use clearance_math::PreciseVector;

use super::PointAnswer;

/// The distance along the line through both; where they coincide every direction will do.
pub(crate) fn measure<P: PreciseVector>(point: P, other: P) -> PointAnswer<P> {
    PointAnswer::outside(point, other, 0.0)
        .unwrap_or_else(|| PointAnswer::inside(other, 0.0, P::axis(1)))
}
