//! An axis for each lane.

use clearance_math::PreciseVector;
use clearance_math::lanes::{Lanes, MatricesInLanes, Select, Simd, SimdMask, VectorsInLanes};

/// The axis of each lane: x, if it is neither y nor z.
#[derive(Clone, Copy)]
pub(crate) struct AxesInLanes<S: Simd, F: Lanes<S>> {
    pub(crate) is_y: F::Mask,
    pub(crate) is_z: F::Mask,
}

impl<S: Simd, F: Lanes<S>> AxesInLanes<S, F> {
    /// Axis `number` in all lanes.
    #[inline(always)]
    pub(crate) fn splat(simd: S, number: usize) -> Self {
        Self {
            is_y: F::Mask::splat(simd, number == 1),
            is_z: F::Mask::splat(simd, number == 2),
        }
    }

    /// The axes of the greatest component of each vector, the first of equal ones, and those
    /// components.
    #[inline(always)]
    pub(crate) fn of_greatest<P: PreciseVector>(vectors: VectorsInLanes<S, F, P>) -> (Self, F) {
        let [x, y, z] = vectors.components();
        let is_y = y.simd_gt(x);
        let most = is_y.select(y, x);
        if const { P::DIM == 2 } {
            let is_z = F::Mask::splat(x.token(), false);
            return (Self { is_y, is_z }, most);
        }
        let is_z = z.simd_gt(most);
        (Self { is_y, is_z }, is_z.select(z, most))
    }

    /// These axes in the lanes that `mask` selects, and those of `otherwise` in the others.
    #[inline(always)]
    pub(crate) fn or_where_unset(self, mask: F::Mask, otherwise: Self) -> Self {
        Self {
            is_y: (self.is_y & mask) | (otherwise.is_y & !mask),
            is_z: (self.is_z & mask) | (otherwise.is_z & !mask),
        }
    }

    /// The images of the axes.
    #[inline(always)]
    pub(crate) fn column<P: PreciseVector>(
        &self,
        matrices: &MatricesInLanes<S, F, P>,
    ) -> VectorsInLanes<S, F, P> {
        let [x, y, z] = matrices.columns;
        let of_first = y.or_where_unset(self.is_y, x);
        if const { P::DIM == 2 } {
            of_first
        } else {
            z.or_where_unset(self.is_z, of_first)
        }
    }

    /// The unit vectors along the axes.
    #[inline(always)]
    pub(crate) fn unit<P: PreciseVector>(&self, simd: S) -> VectorsInLanes<S, F, P> {
        let one = F::splat(simd, 1.0);
        self.with_component(VectorsInLanes::zero(simd), one)
    }

    /// The component of each vector along its axis.
    #[inline(always)]
    pub(crate) fn component<P: PreciseVector>(&self, vectors: VectorsInLanes<S, F, P>) -> F {
        let of_first = self.is_y.select(vectors.y, vectors.x);
        if const { P::DIM == 2 } {
            of_first
        } else {
            self.is_z.select(vectors.z, of_first)
        }
    }

    /// These vectors with that component replaced.
    #[inline(always)]
    pub(crate) fn with_component<P: PreciseVector>(
        &self,
        vectors: VectorsInLanes<S, F, P>,
        number: F,
    ) -> VectorsInLanes<S, F, P> {
        let x = self.is_y.select(vectors.x, number);
        let y = self.is_y.select(number, vectors.y);
        if const { P::DIM == 2 } {
            return VectorsInLanes::new([x, y, vectors.z]);
        }
        VectorsInLanes::new([
            self.is_z.select(vectors.x, x),
            self.is_z.select(vectors.y, y),
            self.is_z.select(number, vectors.z),
        ])
    }
}
