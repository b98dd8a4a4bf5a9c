//! The questions that users ask of two placed shapes.

use clearance_math::{Real, RelativePose, Vector, compile_once};
use clearance_shapes::Shape;

use crate::answer::Proximity;
use crate::distance::Goal;
use crate::pair;
use crate::placed::{Placed, QueryError, check};
use crate::trace::Iteration;

/// Signed distance, closest points and normal of two placed shapes, if nearer than `within`.
///
/// Pass infinity to have the distance however far it is; a smaller range lets the search stop as
/// soon as the shapes are proven to be farther apart. The true distance lies within the bounds of
/// the answer. Exchanging a and b mirrors the answer to the last bit (for the same shape at the
/// same pose nothing distinguishes the sides, and the answer is the same).
///
/// # Errors
/// [`QueryError`] for a pose that is not finite or whose rotation is not of unit length, and for a
/// range that is NaN.
///
/// ```
/// use clearance::dim2::{Placed, Pose, Shape, Vec2, proximity};
///
/// let (ball, wall) = (Shape::ball(1.0)?, Shape::cuboid(Vec2::new(0.5, 2.0))?);
/// let (left, right) = (Pose::IDENTITY, Pose::from_translation(Vec2::new(4.0, 0.0)));
/// let answer = proximity(Placed::new(&ball, &left), Placed::new(&wall, &right), f32::INFINITY)?;
/// let near = answer.near().unwrap();
/// assert_eq!(near.distance, 2.5);
/// assert_eq!(near.point_b, Vec2::new(3.5, 0.0));
/// assert!(near.lower <= 2.5 && 2.5 <= near.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn proximity<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Result<Proximity<V>, QueryError> {
    check(&a, &b, within)?;
    Ok(measure(a, b, within))
}

/// [`proximity`] for poses that are known to be valid, as a world's are.
///
/// With others the answer means nothing, though there is no panic and the search ends.
#[inline]
#[must_use]
pub fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    pair::measure(a, b, within)
}

/// Whether two placed shapes share a point; touching counts.
///
/// Agrees with the sign of [`proximity`] wherever the bounds decide it, and is faster: it stops at
/// the first plane between the shapes.
///
/// # Errors
/// As [`proximity`].
pub fn intersects<V: Vector>(a: Placed<V>, b: Placed<V>) -> Result<bool, QueryError> {
    check(&a, &b, 0.0)?;
    Ok(overlap(a, b))
}

compile_once! {
    /// [`intersects`] for poses that are known to be valid.
    fn overlap<'a, V>(a: Placed<'a, V>, b: Placed<'a, V>) -> bool {
        pair::overlap(a, b)
    }
}

/// Every iteration of the search for the distance of two cores, in the frame of `a`.
///
/// Shows what GJK does before radii, closed forms and penetration come in, to a finer gap than
/// [`proximity`], which also chooses which side is a. In space the search begins with up to three vertices
/// where both are hulls or have at most eight corners. For teaching and debugging; empty if a half-space
/// takes part, which needs no search.
///
/// # Errors
/// As [`proximity`].
pub fn trace<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
) -> Result<Vec<Iteration<V::Precise>>, QueryError> {
    check(&a, &b, 0.0)?;
    Ok(iterations(a, b))
}

compile_once! {
    /// [`trace`] for poses that are known to be valid.
    fn iterations<'a, V>(a: Placed<'a, V>, b: Placed<'a, V>) -> Vec<Iteration<V::Precise>> {
        iterations_generic(a, b)
    }
}

fn iterations_generic<V: Vector>(a: Placed<V>, b: Placed<V>) -> Vec<Iteration<V::Precise>> {
    let mut iterations = Vec::new();
    if let (Shape::Convex(convex_a), Shape::Convex(convex_b)) = (a.shape, b.shape) {
        let b_in_a = RelativePose::between(a.pose, b.pose);
        let goal = Goal::closest_point();
        pair::search_cores(convex_a, convex_b, &b_in_a, goal, &mut iterations);
    }
    iterations
}
