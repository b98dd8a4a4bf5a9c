//! An axis for each lane.

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{Condition, MatricesInLanes, Number, VectorsInLanes};

/// The axis of each lane: x, if it is neither y nor z.
#[derive(Clone, Copy)]
pub(crate) struct AxesInLanes<F: Number> {
    pub(crate) is_y: F::Mask,
    pub(crate) is_z: F::Mask,
}

impl<F: Number> AxesInLanes<F> {
    /// Axis `number` in all lanes.
    #[inline(always)]
    pub(crate) fn splat(set: F::Set, number: usize) -> Self {
        Self {
            is_y: F::Mask::of_all(set, number == 1),
            is_z: F::Mask::of_all(set, number == 2),
        }
    }

    /// The axes of the greatest component of each vector, the first of equal ones, and those
    /// components.
    #[inline(always)]
    pub(crate) fn of_greatest<P: PreciseVector>(vectors: VectorsInLanes<F, P>) -> (Self, F) {
        let [x, y, z] = vectors.components();
        let is_y = y.is_above(x);
        let most = is_y.choose(y, x);
        if const { P::DIM == 2 } {
            let is_z = F::Mask::of_all(x.set(), false);
            return (Self { is_y, is_z }, most);
        }
        let is_z = z.is_above(most);
        (Self { is_y, is_z }, is_z.choose(z, most))
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
        matrices: &MatricesInLanes<F, P>,
    ) -> VectorsInLanes<F, P> {
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
    pub(crate) fn unit<P: PreciseVector>(&self, set: F::Set) -> VectorsInLanes<F, P> {
        let one = F::splat(set, 1.0);
        self.with_component(VectorsInLanes::zero(set), one)
    }

    /// The component of each vector along its axis.
    #[inline(always)]
    pub(crate) fn component<P: PreciseVector>(&self, vectors: VectorsInLanes<F, P>) -> F {
        let of_first = self.is_y.choose(vectors.y, vectors.x);
        if const { P::DIM == 2 } {
            of_first
        } else {
            self.is_z.choose(vectors.z, of_first)
        }
    }

    /// These vectors with that component replaced.
    #[inline(always)]
    pub(crate) fn with_component<P: PreciseVector>(
        &self,
        vectors: VectorsInLanes<F, P>,
        number: F,
    ) -> VectorsInLanes<F, P> {
        let x = self.is_y.choose(vectors.x, number);
        let y = self.is_y.choose(number, vectors.y);
        if const { P::DIM == 2 } {
            return VectorsInLanes::new([x, y, vectors.z]);
        }
        VectorsInLanes::new([
            self.is_z.choose(vectors.x, x),
            self.is_z.choose(vectors.y, y),
            self.is_z.choose(number, vectors.z),
        ])
    }
}
