//! The Minkowski difference of two cores, known by its support mapping.

use clearance_math::{PreciseVector, RelativePose, tolerances};
use clearance_shapes::Support;

/// A point of the difference a - b, with the points that it is the difference of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex<P> {
    /// `on_a - on_b`.
    pub point: P,
    /// The point of a, in a's frame.
    pub on_a: P,
    /// The point of b, in a's frame.
    pub on_b: P,
}

/// The set of all differences of a point of a and a point of b, in a's frame.
///
/// The shapes overlap where it holds the origin, and its point nearest the origin gives their
/// distance (Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between
/// complex objects in three-dimensional space", 1988).
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a, P: PreciseVector, A: ?Sized, B: ?Sized> {
    a: &'a A,
    b: &'a B,
    b_in_a: RelativePose<P>,
    size: f64,
    rounding: f64,
}

impl<'a, P, A, B> Difference<'a, P, A, B>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    /// The difference of `a` and of `b` placed at `b_in_a`.
    #[must_use]
    pub fn new(a: &'a A, b: &'a B, b_in_a: RelativePose<P>) -> Self {
        let size = a.reach() + b.reach();
        Self {
            a,
            b,
            b_in_a,
            size,
            rounding: tolerances::DIFFERENCE_ROUNDING * (size + b_in_a.translation.length()),
        }
    }

    /// The vertex of the difference farthest along `direction`, which has any length.
    ///
    /// Always inlined: a vertex is nine numbers, which are waited for where they go through memory.
    #[inline(always)]
    #[must_use]
    pub fn support(&self, direction: P) -> Vertex<P> {
        let on_a = self.a.support(direction);
        let in_b = self.b_in_a.inverse_transform_direction(-direction);
        let on_b = self.b_in_a.transform_point(self.b.support(in_b));
        Vertex {
            point: on_a - on_b,
            on_a,
            on_b,
        }
    }

    /// The difference after b was moved by `offset`, given in a's frame.
    #[must_use]
    pub fn with_b_moved(&self, offset: P) -> Self {
        let mut b_in_a = self.b_in_a;
        b_in_a.translation += offset;
        Self::new(self.a, self.b, b_in_a)
    }

    /// The axes of a and of b, in a's frame: `index` from 0 to twice the dimension.
    #[must_use]
    pub(crate) fn axis(&self, index: usize) -> P {
        if index < P::DIM {
            P::axis(index)
        } else {
            self.b_in_a.transform_direction(P::axis(index - P::DIM))
        }
    }

    /// A point of the difference somewhere near its middle.
    #[must_use]
    pub fn center(&self) -> P {
        self.a.center() - self.b_in_a.transform_point(self.b.center())
    }

    /// The sum of the reaches of the two shapes: the size of the difference set about its middle.
    #[inline]
    #[must_use]
    pub fn size(&self) -> f64 {
        self.size
    }

    /// How far rounding can have moved a vertex: it grows with all that is added up in one.
    #[inline]
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.rounding
    }
}
