//! Queries of two placed shapes.

use clearance_math::{Real, RelativePose, Vector, compile_once};
use clearance_shapes::Shape;

use crate::answer::Proximity;
use crate::pair::{Placed, QueryError, check};
use crate::parts::{any_pair, intersection};
use crate::search::{Cores, CornerStorage, Goal, Iteration, search_from};

/// Measures the signed distance, the closest points and the normal of two placed shapes that are
/// within `within` of each other.
///
/// `within` is a distance in units of length. With infinity the distance is always measured; with a
/// smaller range the search stops as soon as the shapes are proven to be farther apart, and the
/// answer is [`Proximity::Farther`]. The true distance lies between the bounds of the answer.
///
/// Exchanging `a` and `b` gives the mirrored answer, bit for bit (see [`Proximity::flipped`]).
/// Only for equal shapes at the same pose, where nothing distinguishes the two sides, are both
/// answers equal instead.
///
/// The cost is constant for pairs with a closed form. Otherwise it is that of a few GJK iterations,
/// each of which takes one support query of each shape. Of composites it grows with the logarithm of their parts, unless
/// many of these are nearly as close as the closest ones; then the search ends at the effort of the question
/// ([`Placed::with_effort`]).
///
/// # Errors
/// [`QueryError`] if a pose is not finite, if a rotation is not of unit length, or if `within` is
/// NaN. [`measure`] is the same without these checks.
///
/// ```
/// use clearance::dim2::{Placed, Pose, Shape, Vec2, proximity};
///
/// let (ball, wall) = (Shape::ball(1.0)?, Shape::cuboid(Vec2::new(0.5, 2.0))?);
/// let (left, right) = (Pose::IDENTITY, Pose::from_translation(Vec2::new(4.0, 0.0)));
/// let answer = proximity(Placed::new(&ball, &left), Placed::new(&wall, &right), f32::INFINITY)?;
/// let near = answer.near().unwrap();
/// assert_eq!(near.distance, 2.5);
/// assert_eq!(near.point_b(), Vec2::new(3.5, 0.0));
/// assert!(near.lower <= 2.5 && 2.5 <= near.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("distance", "closest_points", "epa"))]
pub fn proximity<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Result<Proximity<V>, QueryError> {
    check(&a, &b, within)?;
    Ok(measure(a, b, within))
}

/// Measures the signed distance, the closest points and the normal of two placed shapes.
///
/// Like [`proximity`], but without checking the input: the poses must be finite with rotations of
/// unit length, and `within` must not be NaN. It is for callers that have checked them, as a world
/// has. Otherwise the answer is meaningless, though the call neither panics nor runs forever.
#[inline]
#[must_use]
pub fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    any_pair::measure(a, b, within)
}

/// Whether two placed shapes have a point in common. Shapes that only touch intersect.
///
/// The result agrees with the sign of the distance from [`proximity`] wherever the bounds decide
/// that sign. It is faster, since it stops at the first plane that separates the shapes. Composites that are not told apart
/// with the effort of the question ([`Placed::with_effort`]) intersect.
///
/// # Errors
/// [`QueryError`] if a pose is not finite or if a rotation is not of unit length.
#[doc(alias("overlap", "intersection_test"))]
pub fn intersects<V: Vector>(a: Placed<V>, b: Placed<V>) -> Result<bool, QueryError> {
    check(&a, &b, 0.0)?;
    Ok(intersection::intersect(a, b))
}

/// Returns every iteration of the search for the distance of two cores (shapes without their
/// rounding radius), in the frame of `a`. It is meant for teaching and debugging.
///
/// It shows GJK alone, without rounding radii, closed forms or penetration depth. The search goes
/// on to a smaller gap than in [`proximity`], and `a` and `b` are not exchanged. It starts from one
/// support point. The result is empty if a half-space takes part, which needs no search, or a
/// composite: trace the [parts](clearance_shapes::Composite::part) of a composite instead.
///
/// # Errors
/// [`QueryError`] if a pose is not finite or if a rotation is not of unit length.
pub fn trace<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
) -> Result<Vec<Iteration<V::Precise>>, QueryError> {
    check(&a, &b, 0.0)?;
    Ok(iterations(a, b))
}

compile_once! {
    /// Answers as [`trace`] does, but does not check the poses.
    fn iterations<'a, V>(a: Placed<'a, V>, b: Placed<'a, V>) -> Vec<Iteration<V::Precise>> {
        let mut iterations = Some(Vec::new());
        if let (Shape::Convex(convex_a), Shape::Convex(convex_b)) = (a.shape, b.shape) {
            let b_in_a = RelativePose::between(a.pose, b.pose);
            let goal = Goal::closest_point();
            let mut storage = CornerStorage::default();
            let cores = Cores::with_few_corners(convex_a, convex_b, &b_in_a, &mut storage);
            search_from(&cores, goal, None, &mut iterations);
        }
        iterations.unwrap_or_default()
    }
}
