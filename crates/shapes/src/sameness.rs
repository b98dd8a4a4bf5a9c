//! Whether shapes are the same, seen without looking at all of a large one.

use std::sync::Arc;

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector};

use crate::{Core, Shape};

impl<V: Vector> Shape<V> {
    /// Whether two shapes are the same to the last bit, as far as can be seen at once: two hulls or two composites are
    /// if they are shared. Takes the same short time for all shapes, and allocates nothing.
    #[doc(hidden)] // for the crates of this workspace
    #[must_use]
    pub fn is_plainly_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Composite(one), Self::Composite(other)) => Arc::ptr_eq(one, other),
            (Self::HalfSpace(one), Self::HalfSpace(other)) => {
                one.offset().to_bits() == other.offset().to_bits()
                    && are_same_directions(one.normal(), other.normal())
            }
            (Self::Convex(one), Self::Convex(other)) => {
                one.radius().to_bits() == other.radius().to_bits()
                    && are_same_cores(one.core(), other.core())
            }
            _ => false,
        }
    }

    /// Where a composite is kept: shapes of one address share it. `None` for other shapes, which share nothing or are small.
    #[doc(hidden)] // for the crates of this workspace
    #[must_use]
    pub fn address(&self) -> Option<usize> {
        match self {
            Self::Composite(composite) => Some(Arc::as_ptr(composite).addr()),
            Self::Convex(_) | Self::HalfSpace(_) => None,
        }
    }
}

fn are_same_directions<P: PreciseVector>(one: P, other: P) -> bool {
    let [one, other] =
        [one, other].map_each(|normal| normal.in_space().to_array().map_each(f64::to_bits));
    one == other
}

fn are_same_cores<V: Vector>(one: &Core<V>, other: &Core<V>) -> bool {
    let same = |a: V, b: V| {
        (0..V::DIM).all(|axis| a.component(axis).to_bits() == b.component(axis).to_bits())
    };
    match (one, other) {
        (Core::Hull(one), Core::Hull(other)) => Arc::ptr_eq(one, other),
        (Core::Point(one), Core::Point(other)) => same(*one, *other),
        (Core::Segment(one), Core::Segment(other)) => same(one.a, other.a) && same(one.b, other.b),
        (Core::Triangle(one), Core::Triangle(other)) => {
            same(one.a, other.a) && same(one.b, other.b) && same(one.c, other.c)
        }
        // The numbers of the others are positive: what is equal has equal bits.
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::Vec2;

    use crate::Shape;

    #[test]
    fn shapes_are_plainly_the_same_by_their_bits_or_because_they_are_shared() {
        let corners = [Vec2::ZERO, Vec2::X, Vec2::new(0.9, 0.8), Vec2::Y];
        let hull = Shape::hull(corners).unwrap();
        let line = Shape::polyline(corners).unwrap();
        let point = |x: f32| Shape::segment(Vec2::new(x, 0.0), Vec2::X).unwrap();
        assert!(hull.is_plainly_same(&hull.clone()) && line.is_plainly_same(&line.clone()));
        assert!(!hull.is_plainly_same(&Shape::hull(corners).unwrap()));
        assert!(!line.is_plainly_same(&Shape::polyline(corners).unwrap()));
        assert!(point(0.5).is_plainly_same(&point(0.5)));
        assert!(!point(0.0).is_plainly_same(&point(-0.0)));
        let floor = |x: f32| Shape::half_space(Vec2::new(x, 1.0)).unwrap();
        assert!(floor(0.0).is_plainly_same(&floor(0.0)));
        assert!(!floor(0.0).is_plainly_same(&floor(-0.0)));
        assert!(!hull.is_plainly_same(&line) && !point(0.5).is_plainly_same(&hull));
    }
}
