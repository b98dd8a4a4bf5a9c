//! Queries of a point and a placed shape.

use clearance_math::{Pose, PreciseVector, Real, Vector};
use clearance_shapes::Shape;

use super::proximity::proximity;
use crate::answer::Proximity;
use crate::pair::{Placed, QueryError};

/// Measures the signed distance of a point from a placed shape, the nearest point of its surface, and the
/// normal, if the point is within `within` of the shape.
///
/// The point takes the place of shape a: `position_a` is the point itself, and the normal points from it to the
/// shape. For a point inside, the distance is minus its depth, and `position_b` is the point of the surface
/// through which it leaves the shape on the shortest way. The answer is that of [`proximity`] for a ball of
/// radius zero.
///
/// # Errors
/// [`QueryError`] if a coordinate is not finite or beyond the range of single precision, if the pose is not valid, or if `within` is NaN.
///
/// ```
/// use clearance::dim3::{Placed, Pose, Shape, Vec3, point_proximity};
///
/// let shape = Shape::cuboid(Vec3::new(1.0, 2.0, 3.0))?;
/// let placed = Placed::new(&shape, &Pose::IDENTITY);
/// let inside = point_proximity(Vec3::new(0.75, 0.0, 0.0), placed, f32::INFINITY)?.near().unwrap();
/// assert_eq!(inside.distance, -0.25);
/// assert_eq!(inside.point_b(), Vec3::X);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("project_point", "closest_point", "signed_distance"))]
pub fn point_proximity<V: Vector>(
    point: impl Into<V::Precise>,
    b: Placed<V>,
    within: Real,
) -> Result<Proximity<V>, QueryError> {
    let point = point.into();
    check_point::<V>(point)?;
    let Ok(at_origin) = Shape::segment(V::ZERO, V::ZERO) else {
        unreachable!("zero is finite");
    };
    let pose = Pose::from_translation(point);
    proximity(Placed::new(&at_origin, &pose), b, within)
}

/// Refuses a point with a coordinate that is not finite or beyond the range of single precision.
///
/// # Errors
/// [`QueryError::Point`].
pub fn check_point<V: Vector>(point: V::Precise) -> Result<(), QueryError> {
    for axis in 0..V::DIM {
        let value = point.component(axis);
        if !(value.abs() <= Real::MAX.into()) {
            return Err(QueryError::Point { axis, value });
        }
    }
    Ok(())
}
