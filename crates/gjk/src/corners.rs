//! The difference of two polytopes of at most eight corners each.

use std::borrow::Cow;

use clearance_math::lanes::{Simd, dispatch, level};
use clearance_math::{PreciseVector, RelativePose, Vector};
use clearance_shapes::{Convex, EightCorners};

use crate::difference::{Extent, Minkowski, Vertex};

/// The corners of a, and those of b in the axes of a: turned once, not with every direction.
#[derive(Clone, Debug)]
pub(crate) struct Corners<'a, P: PreciseVector> {
    of_a: Cow<'a, EightCorners>,
    of_b: EightCorners,
    center: P,
    extent: Extent<P>,
}

impl<'a, P: PreciseVector> Corners<'a, P> {
    /// The difference of two cores; `None` where one is curved or has more corners.
    #[inline]
    pub(crate) fn new<V: Vector<Precise = P>>(
        a: &'a Convex<V>,
        b: &Convex<V>,
        b_in_a: &RelativePose<P>,
    ) -> Option<Self> {
        let (of_a, of_b) = (a.core().eight_corners()?, b.core().eight_corners()?);
        let rotation = &b_in_a.rotation;
        Some(Self {
            of_a,
            of_b: dispatch!(level(), simd => of_b.turned::<_, P>(simd, rotation)),
            center: a.core_center() - b_in_a.transform_point(b.core_center()),
            extent: Extent::new(*b_in_a, a.core_reach() + b.core_reach()),
        })
    }
}

impl<P: PreciseVector> Minkowski<P> for Corners<'_, P> {
    fn support(&self, direction: P) -> Vertex<P> {
        dispatch!(level(), simd => self.support_in_lanes(simd, direction))
    }

    #[inline(always)]
    fn support_in_lanes<S: Simd>(&self, simd: S, direction: P) -> Vertex<P> {
        let on_a = self.of_a.corner(self.of_a.farthest(simd, direction));
        let turned: P = self.of_b.corner(self.of_b.farthest(simd, -direction));
        Vertex::between(on_a, turned + self.extent.b_in_a.translation)
    }

    #[inline]
    fn center(&self) -> P {
        self.center
    }

    #[inline]
    fn extent(&self) -> &Extent<P> {
        &self.extent
    }

    fn with_b_moved(&self, offset: P) -> Self {
        Self {
            center: self.center - offset,
            extent: self.extent.moved(offset),
            ..self.clone()
        }
    }
}
