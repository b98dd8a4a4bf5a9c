//! Whether shapes are the same, seen without looking at all of a large one.

use std::sync::Arc;

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector};

use crate::{Core, Shape};

/// Whether two shapes are the same to the last bit, as far as can be seen at once: two hulls or two composites are
/// if they are shared. Takes the same short time for all shapes, and allocates nothing.
#[must_use]
pub fn are_plainly_same<V: Vector>(one: &Shape<V>, other: &Shape<V>) -> bool {
    match (one, other) {
        (Shape::Composite(one), Shape::Composite(other)) => Arc::ptr_eq(one, other),
        (Shape::HalfSpace(one), Shape::HalfSpace(other)) => {
            one.offset().to_bits() == other.offset().to_bits()
                && are_same_directions(one.normal(), other.normal())
        }
        (Shape::Convex(one), Shape::Convex(other)) => {
            one.radius().to_bits() == other.radius().to_bits()
                && are_same_cores(one.core(), other.core())
        }
        _ => false,
    }
}

/// Where a composite is kept: shapes of one address share it. `None` for other shapes, which share nothing or are small.
#[must_use]
pub fn address_of<V: Vector>(shape: &Shape<V>) -> Option<usize> {
    match shape {
        Shape::Composite(composite) => Some(Arc::as_ptr(composite).addr()),
        Shape::Convex(_) | Shape::HalfSpace(_) => None,
    }
}

fn are_same_directions<P: PreciseVector>(one: P, other: P) -> bool {
    let [one, other] =
        [one, other].map_each(|normal| normal.in_space().to_array().map_each(f64::to_bits));
    one == other
}

fn are_same_cores<V: Vector>(one: &Core<V>, other: &Core<V>) -> bool {
    match (one, other) {
        (Core::Hull(one), Core::Hull(other)) => Arc::ptr_eq(one, other),
        _ => one.kind() == other.kind() && one.numbers().eq(other.numbers()),
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::Vec2;

    use super::are_plainly_same;
    use crate::Shape;

    #[test]
    fn shapes_are_plainly_the_same_by_their_bits_or_because_they_are_shared() {
        let corners = [Vec2::ZERO, Vec2::X, Vec2::new(0.9, 0.8), Vec2::Y];
        let hull = Shape::hull(corners).unwrap();
        let line = Shape::polyline(corners).unwrap();
        let point = |x: f32| Shape::segment(Vec2::new(x, 0.0), Vec2::X).unwrap();
        assert!(are_plainly_same(&hull, &hull.clone()) && are_plainly_same(&line, &line.clone()));
        assert!(!are_plainly_same(&hull, &Shape::hull(corners).unwrap()));
        assert!(!are_plainly_same(&line, &Shape::polyline(corners).unwrap()));
        assert!(are_plainly_same(&point(0.5), &point(0.5)));
        assert!(!are_plainly_same(&point(0.0), &point(-0.0)));
        let floor = |x: f32| Shape::half_space(Vec2::new(x, 1.0)).unwrap();
        assert!(are_plainly_same(&floor(0.0), &floor(0.0)));
        assert!(!are_plainly_same(&floor(0.0), &floor(-0.0)));
        assert!(!are_plainly_same(&hull, &line) && !are_plainly_same(&point(0.5), &hull));
    }
}
