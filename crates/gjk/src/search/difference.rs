//! The Minkowski difference of two convex sets, described by its support mapping.

use clearance_math::internal::lanes::Number;
use clearance_math::internal::lanes::Simd;
use clearance_math::{Matrix, PreciseVector, RelativePose, lesser_of, tolerances};
use clearance_shapes::Support;

use super::vertex::Vertex;

/// The farthest points of a Minkowski difference.
pub(crate) trait SupportMapping<P: PreciseVector> {
    /// The support vertex: the vertex of the difference that is farthest along `direction`, which
    /// need not have unit length.
    fn support(&self, direction: P) -> Vertex<P>;

    /// [`Self::support`] compiled for the instruction set `simd`. It finds the same vertex.
    fn support_in_lanes<S: Simd>(&self, simd: S, direction: P) -> Vertex<P>;

    /// [`Self::support_in_lanes`] as a function that is called, for those who ask at many places: copied to each it
    /// would be most of what is compiled for them.
    #[inline(always)]
    fn support_by_call<S: Simd>(&self, simd: S, direction: P) -> Vertex<P> {
        simd.vectorize(
            #[inline(always)]
            || self.support_in_lanes(simd, direction),
        )
    }
}

/// What the searches need to know about a Minkowski difference.
pub(crate) trait Minkowski<P: PreciseVector>: SupportMapping<P> {
    /// A point of the difference near its middle.
    fn center(&self) -> P;

    /// The pose of b and the size of the difference.
    fn extent(&self) -> &Extent<P>;

    /// The difference after b was translated by `offset`, given in a's frame.
    fn with_b_moved(&self, offset: P) -> Self;

    /// The sum of the sizes of the two shapes. It bounds the distance of the difference's points from
    /// its middle.
    #[inline]
    fn size(&self) -> f64 {
        self.extent().size()
    }

    /// The size of the smaller of the two shapes.
    #[inline]
    fn smaller(&self) -> f64 {
        let [a, b] = self.extent().sizes;
        lesser_of(a, b)
    }

    /// The greatest rounding error of a vertex, in units of length.
    #[inline]
    fn rounding(&self) -> f64 {
        self.extent().rounding
    }

    /// Where a search starts: at the centre of the difference. If that is the origin, the start lies beside
    /// it at a distance proportional to the size, so that searches behave alike at every scale.
    #[inline(always)]
    fn start(&self) -> P {
        let center = self.center();
        if center != P::ZERO {
            center
        } else if self.size() > 0.0 {
            P::axis(0) * self.size()
        } else {
            P::axis(0)
        }
    }

    /// The axes of a, then those of b, in a's frame: `index` runs from 0 to twice the dimension.
    fn axis(&self, index: usize) -> P {
        if index < P::DIM {
            P::axis(index)
        } else {
            self.extent().b_in_a.rotation.column(index - P::DIM)
        }
    }
}

/// How far a witness point of a closed form may be off its shape, or the way between two of them beside the normal, for
/// shapes of which the smaller has this size.
#[inline(always)]
pub(crate) fn witness_slack<F: Number>(smaller: F, rounding: F) -> F {
    smaller * tolerances::POINTS_BESIDE_NORMAL + rounding * 4.0
}

/// The pose of b in the frame of a, and the size of the two shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent<P: PreciseVector> {
    pub(crate) b_in_a: RelativePose<P>,
    /// The sizes of a and b.
    pub(crate) sizes: [f64; 2],
    /// The sum of the bounding radii.
    bounding_radius: f64,
    pub(crate) rounding: f64,
}

impl<P: PreciseVector> Extent<P> {
    /// The extent of two sets. Their sizes bound the distances of their points from their middles, and decide about
    /// tolerances; the sum of their bounding radii bounds coordinates, which decide about rounding errors: it is greater
    /// where a core lies far from the origin of its body.
    #[inline]
    pub(crate) fn new(b_in_a: RelativePose<P>, sizes: [f64; 2], bounding_radius: f64) -> Self {
        let numbers = bounding_radius + b_in_a.translation.length();
        Self {
            b_in_a,
            sizes,
            bounding_radius,
            rounding: tolerances::DIFFERENCE_ROUNDING * numbers,
        }
    }

    #[inline]
    pub(crate) fn size(&self) -> f64 {
        self.sizes[0] + self.sizes[1]
    }

    pub(crate) fn moved(&self, offset: P) -> Self {
        let mut b_in_a = self.b_in_a;
        b_in_a.translation += offset;
        Self::new(b_in_a, self.sizes, self.bounding_radius)
    }
}

/// The Minkowski difference of two convex sets: all differences of a point of a and a point of b,
/// in a's frame.
///
/// The sets overlap if it contains the origin. Otherwise the distance between the sets is that of
/// the difference from the origin. Source: Gilbert, Johnson and Keerthi, "A fast procedure for
/// computing the distance between complex objects in three-dimensional space", 1988.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a, P: PreciseVector, A: ?Sized, B: ?Sized> {
    a: &'a A,
    b: &'a B,
    extent: Extent<P>,
}

impl<'a, P, A, B> Difference<'a, P, A, B>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    /// The difference of `a` and of `b`, where `b_in_a` is the pose of b in the frame of a.
    #[must_use]
    pub fn new(a: &'a A, b: &'a B, b_in_a: RelativePose<P>) -> Self {
        let radii = [a.bounding_radius(), b.bounding_radius()];
        let extent = Extent::new(b_in_a, radii, radii[0] + radii[1]);
        Self { a, b, extent }
    }

    /// The support vertex: the vertex of the difference that is farthest along `direction`, in a's
    /// frame. The direction need not have unit length.
    ///
    /// It is always inlined, because a vertex consists of nine numbers, and passing them through
    /// memory would stall the search.
    #[inline(always)]
    #[must_use]
    pub fn support(&self, direction: P) -> Vertex<P> {
        let b_in_a = &self.extent.b_in_a;
        let on_a = self.a.support(direction);
        let in_b = b_in_a.inverse_transform_direction(-direction);
        Vertex::between(on_a, b_in_a.transform_point(self.b.support(in_b)))
    }

    /// A point of the difference near its middle.
    #[must_use]
    pub fn center(&self) -> P {
        self.a.center() - self.extent.b_in_a.transform_point(self.b.center())
    }

    /// The size of the difference in units of length: the sum of the bounding radii of the two
    /// sets, which bounds the distance of its points from the place of its middle.
    #[inline]
    #[must_use]
    pub fn size(&self) -> f64 {
        self.extent.size()
    }

    /// The greatest rounding error of a vertex, in units of length. It grows with the numbers that
    /// are added to form a vertex.
    #[inline]
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.extent.rounding
    }
}

impl<P, A, B> SupportMapping<P> for Difference<'_, P, A, B>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    #[inline(always)]
    fn support(&self, direction: P) -> Vertex<P> {
        self.support(direction)
    }

    #[inline(always)]
    fn support_in_lanes<S: Simd>(&self, _simd: S, direction: P) -> Vertex<P> {
        self.support(direction)
    }
}

impl<P, A, B> Minkowski<P> for Difference<'_, P, A, B>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    fn center(&self) -> P {
        self.center()
    }

    #[inline]
    fn extent(&self) -> &Extent<P> {
        &self.extent
    }

    fn with_b_moved(&self, offset: P) -> Self {
        Self {
            extent: self.extent.moved(offset),
            ..*self
        }
    }
}
