//! An axis for each of four lanes.

use clearance_math::PreciseVector;
use clearance_math::lanes::{
    FourMatrices, FourVectors, Select, Simd, SimdBase, SimdMask, f64x4, mask64x4,
};

/// The axis of each lane: x, if it is neither y nor z.
#[derive(Clone, Copy)]
pub(crate) struct FourAxes<S: Simd> {
    pub(crate) is_y: mask64x4<S>,
    pub(crate) is_z: mask64x4<S>,
}

impl<S: Simd> FourAxes<S> {
    /// Axis `number` in all lanes.
    #[inline(always)]
    pub(crate) fn splat(simd: S, number: usize) -> Self {
        Self {
            is_y: mask64x4::splat(simd, number == 1),
            is_z: mask64x4::splat(simd, number == 2),
        }
    }

    /// The axes of the greatest component of each vector, the first of equal ones, and those
    /// components.
    #[inline(always)]
    pub(crate) fn of_greatest<P: PreciseVector>(vectors: FourVectors<S, P>) -> (Self, f64x4<S>) {
        let [x, y, z] = vectors.components();
        let is_y = y.simd_gt(x);
        let most = is_y.select(y, x);
        if P::DIM == 2 {
            let is_z = mask64x4::splat(x.simd, false);
            return (Self { is_y, is_z }, most);
        }
        let is_z = z.simd_gt(most);
        (Self { is_y, is_z }, is_z.select(z, most))
    }

    /// These axes in the lanes that `mask` selects, and those of `otherwise` in the others.
    #[inline(always)]
    pub(crate) fn or_where_unset(self, mask: mask64x4<S>, otherwise: Self) -> Self {
        Self {
            is_y: (self.is_y & mask) | (otherwise.is_y & !mask),
            is_z: (self.is_z & mask) | (otherwise.is_z & !mask),
        }
    }

    /// The images of the axes.
    #[inline(always)]
    pub(crate) fn column<P: PreciseVector>(
        &self,
        matrices: &FourMatrices<S, P>,
    ) -> FourVectors<S, P> {
        let [x, y, z] = matrices.columns;
        let of_first = y.or_where_unset(self.is_y, x);
        if P::DIM == 2 {
            of_first
        } else {
            z.or_where_unset(self.is_z, of_first)
        }
    }

    /// The unit vectors along the axes.
    #[inline(always)]
    pub(crate) fn unit<P: PreciseVector>(&self, simd: S) -> FourVectors<S, P> {
        let one = f64x4::splat(simd, 1.0);
        self.with_component(FourVectors::zero(simd), one)
    }

    /// The component of each vector along its axis.
    #[inline(always)]
    pub(crate) fn component<P: PreciseVector>(&self, vectors: FourVectors<S, P>) -> f64x4<S> {
        let of_first = self.is_y.select(vectors.y, vectors.x);
        if P::DIM == 2 {
            of_first
        } else {
            self.is_z.select(vectors.z, of_first)
        }
    }

    /// These vectors with that component replaced.
    #[inline(always)]
    pub(crate) fn with_component<P: PreciseVector>(
        &self,
        vectors: FourVectors<S, P>,
        number: f64x4<S>,
    ) -> FourVectors<S, P> {
        let x = self.is_y.select(vectors.x, number);
        let y = self.is_y.select(number, vectors.y);
        if P::DIM == 2 {
            return FourVectors::new([x, y, vectors.z]);
        }
        FourVectors::new([
            self.is_z.select(vectors.x, x),
            self.is_z.select(vectors.y, y),
            self.is_z.select(number, vectors.z),
        ])
    }
}
