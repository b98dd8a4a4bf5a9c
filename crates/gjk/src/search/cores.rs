//! The Minkowski difference of two shapes without their rounding radii.

use clearance_math::Vector;
use clearance_math::internal::lanes::{Simd, dispatch};
use clearance_math::{PreciseVector, RelativePose};
use clearance_shapes::{Convex, Support};

use super::corners::{CornerStorage, FewCorners};
use super::difference::{Extent, Minkowski, SupportMapping};
use super::vertex::Vertex;

/// The cores of two shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cores<'a, V: Vector> {
    a: &'a Convex<V>,
    b: &'a Convex<V>,
    extent: Extent<V::Precise>,
    /// The vertices of both, if they are few.
    few: Option<FewCorners<'a>>,
}

impl<'a, V: Vector> Cores<'a, V> {
    #[inline]
    pub(crate) fn new(
        a: &'a Convex<V>,
        b: &'a Convex<V>,
        b_in_a: &RelativePose<V::Precise>,
    ) -> Self {
        let sizes = [a.core_size(), b.core_size()];
        let bounding_radius = a.core_bounding_radius() + b.core_bounding_radius();
        Self {
            a,
            b,
            extent: Extent::new(*b_in_a, sizes, bounding_radius),
            few: None,
        }
    }

    /// The same for searches of many support queries, which hulls of few vertices answer faster.
    #[inline]
    pub(crate) fn with_few_corners(
        a: &'a Convex<V>,
        b: &'a Convex<V>,
        b_in_a: &RelativePose<V::Precise>,
        storage: &'a mut CornerStorage,
    ) -> Self {
        let few = FewCorners::new(a, b, b_in_a, storage);
        Self {
            few,
            ..Self::new(a, b, b_in_a)
        }
    }
}

impl<P: PreciseVector, V: Vector<Precise = P>> SupportMapping<P> for Cores<'_, V> {
    #[inline(always)]
    fn support(&self, direction: P) -> Vertex<P> {
        if let Some(few) = &self.few {
            let translation = self.extent.b_in_a.translation;
            return dispatch!(simd => few.support(simd, direction, translation));
        }
        let b_in_a = &self.extent.b_in_a;
        let on_a = self.a.core().support(direction);
        let in_b = b_in_a.inverse_transform_direction(-direction);
        Vertex::between(on_a, b_in_a.transform_point(self.b.core().support(in_b)))
    }

    #[inline(always)]
    fn support_in_lanes<S: Simd>(&self, simd: S, direction: P) -> Vertex<P> {
        if let Some(few) = &self.few {
            return few.support(simd, direction, self.extent.b_in_a.translation);
        }
        let b_in_a = &self.extent.b_in_a;
        let on_a = self.a.core().support_in_lanes(simd, direction);
        let in_b = b_in_a.inverse_transform_direction(-direction);
        let in_b = self.b.core().support_in_lanes(simd, in_b);
        Vertex::between(on_a, b_in_a.transform_point(in_b))
    }
}

impl<P: PreciseVector, V: Vector<Precise = P>> Minkowski<P> for Cores<'_, V> {
    #[inline]
    fn center(&self) -> P {
        let center_of_b = self.extent.b_in_a.transform_point(self.b.core_center());
        self.a.core_center() - center_of_b
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
