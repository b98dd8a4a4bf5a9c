//! The questions that users ask of two placed shapes.

use core::cmp::Ordering;
use core::hint::select_unpredictable;

use clearance_math::{Pose, Real, RelativePose, Vector, compile_once, round_down};
use clearance_shapes::{Convex, Core, Shape};

use crate::answer::{Proximity, Separation};
use crate::canonical;
use crate::distance::Goal;
use crate::measured::{Measured, Outcome};
use crate::pair;
use crate::pairs::point_point::{self, OutOfRange, turned};
use crate::placed::{Placed, QueryError, check};
use crate::trace::Iteration;

/// Signed distance, closest points and normal of two placed shapes, if nearer than `within`.
///
/// Pass infinity to have the distance however far it is; a smaller range lets the search stop as
/// soon as the shapes are proven to be farther apart. The true distance lies within the bounds of
/// the answer. Exchanging a and b mirrors the answer to the last bit (for the same shape at the
/// same pose there is nothing to tell the sides apart, and the answer is the same).
///
/// # Errors
/// [`QueryError`] for a pose that is not finite or whose rotation is not of unit length, and for a
/// range that is NaN.
///
/// ```
/// use clearance_gjk::{Placed, proximity};
/// use clearance_math::{Pose, Vec2};
/// use clearance_shapes::Shape;
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
    match point_point::measure(a, b, within) {
        Some(Ok(near)) => Proximity::Near(near),
        Some(Err(OutOfRange { lower })) => Proximity::Farther { lower },
        None => measure_others(a, b, within),
    }
}

compile_once! {
    /// [`measure`] for shapes that are not both balls.
    pub(crate) fn measure_others<'a, V>(
        a: Placed<'a, V>,
        b: Placed<'a, V>,
        within: Real,
    ) -> Proximity<V> {
        measure_in_order(a, b, within)
    }
}

/// Puts the sides into their canonical order, and turns the answer back.
fn measure_in_order<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    let (a, b, is_exchanged) = ordered(a, b);
    let answer = measure_ordered(a, b, within);
    if is_exchanged {
        answer.flipped()
    } else {
        answer
    }
}

/// The two sides in their canonical order, and whether they were exchanged for that.
#[inline]
fn ordered<'a, V: Vector>(
    a: Placed<'a, V>,
    b: Placed<'a, V>,
) -> (Placed<'a, V>, Placed<'a, V>, bool) {
    // Which comes first cannot be predicted.
    let is_exchanged = canonical::compare(&a, &b) == Ordering::Greater;
    let first = select_unpredictable(is_exchanged, b, a);
    let second = select_unpredictable(is_exchanged, a, b);
    (first, second, is_exchanged)
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
        overlap_generic(a, b)
    }
}

fn overlap_generic<V: Vector>(a: Placed<V>, b: Placed<V>) -> bool {
    if let Some(answer) = point_point::measure(a, b, 0.0) {
        return answer.is_ok_and(|near| near.distance <= 0.0);
    }
    let (a, b, _) = ordered(a, b);
    if let (Shape::Convex(convex_a), Shape::Convex(convex_b)) = (a.shape, b.shape)
        && !matches!(convex_a.core(), Core::Point(_))
    {
        let b_in_a = RelativePose::between(a.pose, b.pose);
        return pair::overlap(convex_a, convex_b, &b_in_a);
    }
    match measure_ordered(a, b, 0.0) {
        Proximity::Near(separation) => separation.distance <= 0.0,
        Proximity::Farther { .. } => false,
        Proximity::Unbounded => true,
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

fn measure_ordered<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    if let (Shape::Convex(point), Shape::Convex(other)) = (a.shape, b.shape)
        && let Core::Point(center) = point.core()
        && let Some(answer) = measure_point((point, a.pose), *center, (other, b.pose), within)
    {
        return answer;
    }
    let a_in_world = RelativePose::from_pose(a.pose);
    let b_in_a = a_in_world.of(b.pose);
    let beyond = just_beyond(within);
    let outcome = pair::measure_shapes(a.shape, b.shape, &b_in_a, beyond);
    match outcome {
        Outcome::Near(measured) => {
            near_within(&measured, within, |measured| measured.in_world(&a_in_world))
        }
        Outcome::Farther { lower } => Proximity::Farther {
            lower: round_down(lower),
        },
        Outcome::Unbounded => Proximity::Unbounded,
    }
}

/// A distance from which on a bound still exceeds the range after it was rounded down.
#[inline]
pub(crate) fn just_beyond(within: Real) -> f64 {
    f64::from(within.next_up())
}

/// The answer in the world, unless it is beyond the range: then it is not worth its witness points.
#[inline]
fn near_within<V: Vector>(
    measured: &Measured<V::Precise>,
    within: Real,
    in_world: impl Fn(&Measured<V::Precise>) -> Separation<V>,
) -> Proximity<V> {
    let lower = round_down(measured.lower);
    if lower > within {
        Proximity::Farther { lower }
    } else {
        Proximity::Near(in_world(measured))
    }
}

/// A ball against anything convex, in the other's frame: the ball's own rotation does not matter.
fn measure_point<V: Vector>(
    (point, pose): (&Convex<V>, &Pose<V>),
    center: V,
    (other, other_pose): (&Convex<V>, &Pose<V>),
    within: Real,
) -> Option<Proximity<V>> {
    let other_in_world = RelativePose::from_pose(other_pose);
    let apart = pose.translation.to_precise() - other_pose.translation.to_precise();
    let center = apart + turned(center, pose);
    let in_other = other_in_world.inverse_transform_direction(center);
    let measured = pair::measure_point(other, in_other, point.radius())?;
    Some(near_within(&measured, within, |measured| {
        measured.in_world(&other_in_world).flipped()
    }))
}
