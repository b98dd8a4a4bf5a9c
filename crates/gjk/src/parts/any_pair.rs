//! Measures any pair: composites by a [reduction](crate::parts) over their parts, all else by the [method](crate::convex::method)
//! for its kinds.

use clearance_math::{Real, Vector, compile_once};
use clearance_shapes::Shape;

use crate::answer::Proximity;
use crate::convex::closed_forms::point_point;
use crate::convex::closed_forms::polytope_polytope::Hint;
use crate::convex::method::measure_in_order;
use crate::pair::{Placed, Question};
use crate::parts;

/// The implementation of [`crate::measure`].
#[inline]
pub(crate) fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    if let Some(found) = point_point::measure(a, b, within) {
        return found.into();
    }
    let mut answer = Proximity::Unbounded;
    measure_others(&Question { a, b, within }, None, &mut answer);
    answer
}

compile_once! {
    /// The implementation of [`measure`](crate::measure) for shapes that are not both balls.
    ///
    /// The answer is written where it stays, as by [`measure_in_order`].
    pub(crate) fn measure_others<'a, V>(
        question: &'a Question<'a, V>,
        hint: Option<Hint<'a>>,
        answer: &'a mut Proximity<V>,
    ) {
        let Question { a, b, within } = question;
        if is_composite(a.shape) || is_composite(b.shape) {
            *answer = parts::measure(*a, *b, *within);
        } else {
            measure_in_order(question, hint, answer);
        }
    }
}

pub(crate) fn is_composite<V: Vector>(shape: &Shape<V>) -> bool {
    matches!(shape, Shape::Composite(_))
}
