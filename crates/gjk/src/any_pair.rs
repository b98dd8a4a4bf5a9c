//! Measures any pair: composites by a [reduction](crate::composite) over their parts, all else by the [method](crate::pair)
//! for its kinds.

use clearance_math::{Real, Vector, compile_once};
use clearance_shapes::Shape;

use crate::answer::Proximity;
use crate::composite;
use crate::pair::measure_in_order;
use crate::pairs::point_point::{self, OutOfRange};
use crate::placed::Placed;

/// The implementation of [`crate::measure`].
#[inline]
pub(crate) fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    match point_point::measure(a, b, within) {
        Some(Ok(near)) => Proximity::Near(near),
        Some(Err(OutOfRange { lower })) => Proximity::Farther { lower },
        None => {
            let mut answer = Proximity::Unbounded;
            measure_others([&a, &b], within, &mut answer);
            answer
        }
    }
}

compile_once! {
    /// The implementation of [`measure`](crate::measure) for shapes that are not both balls.
    ///
    /// The answer is written where it stays, as by [`measure_in_order`].
    pub(crate) fn measure_others<'a, 'b, V>(
        sides: [&'a Placed<'a, V>; 2],
        within: Real,
        answer: &'b mut Proximity<V>,
    ) {
        if sides.iter().any(|side| is_composite(side.shape)) {
            let [&a, &b] = sides;
            *answer = composite::measure(a, b, within);
        } else {
            measure_in_order(sides, within, answer);
        }
    }
}

pub(crate) fn is_composite<V: Vector>(shape: &Shape<V>) -> bool {
    matches!(shape, Shape::Composite(_))
}
