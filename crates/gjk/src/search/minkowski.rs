//! The Minkowski difference as a polygon or polyhedron.

use clearance_math::{RelativePose, Vector};
use clearance_shapes::internal::core_corners;
use clearance_shapes::{Convex, Hull};

/// The Minkowski difference of two cores, in a's frame, as a convex hull. The shapes without their
/// rounding radii overlap if it contains the origin. `None` if a core is curved.
///
/// It is meant for small input, tests and viewers: it is the hull of all differences of vertices
/// and costs O(n m log(n m)). The differences are computed in double precision and rounded to
/// single precision once. Each vertex, and with it the distance of the origin, is therefore off by
/// at most sqrt(DIM) 2^-24 times the largest coordinate, and a face that should be flat may be
/// split into several faces.
///
/// ```
/// use clearance::dim2::{Shape, Vec2};
/// use clearance::gjk::minkowski_difference;
/// use clearance::math::{DVec2, Matrix, RelativePose};
///
/// let (Shape::Convex(a), Shape::Convex(b)) = (
///     Shape::cuboid(Vec2::new(2.0, 1.0))?,
///     Shape::segment(Vec2::new(0.0, -1.0), Vec2::new(0.0, 1.0))?,
/// ) else { unreachable!() };
/// let b_in_a = RelativePose { rotation: Matrix::IDENTITY, translation: DVec2::new(3.0, 0.0) };
/// let difference = minkowski_difference(&a, &b, &b_in_a).unwrap();
/// assert_eq!(difference.vertices().len(), 4);
/// assert!(difference.vertices().contains(&Vec2::new(-1.0, 2.0)));
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[must_use]
pub fn minkowski_difference<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Hull<V>> {
    let of_a = core_corners(a.core())?;
    let of_b: Vec<V::Precise> = core_corners(b.core())?
        .into_iter()
        .map(|corner| b_in_a.transform_point(corner.to_precise()))
        .collect();
    let differences: Vec<V> = of_a
        .iter()
        .flat_map(|on_a| {
            of_b.iter()
                .map(|on_b| V::from_precise(on_a.to_precise() - *on_b))
        })
        .collect();
    // Rounding keeps finite numbers finite, and every core has at least one vertex.
    Hull::from_points(&differences).ok()
}
