//! Rotation matrices in SIMD lanes.

use super::numbers::Number;
use super::registers::f64x4;
use super::vectors::VectorsInLanes;
use crate::{Matrix, PreciseVector};

/// Four rotation matrices.
pub type FourMatrices<S, P> = MatricesInLanes<f64x4<S>, P>;

/// A rotation matrix in each lane, stored column by column.
#[derive(Clone, Copy, Debug)]
pub struct MatricesInLanes<F, P> {
    /// The images of the x, y and z axes; the last is unused in 2D.
    pub columns: [VectorsInLanes<F, P>; 3],
}

impl<F: Number, P: PreciseVector> MatricesInLanes<F, P> {
    /// Copies one matrix into all lanes.
    #[inline(always)]
    #[must_use]
    pub fn splat(set: F::Set, matrix: &P::Matrix) -> Self {
        let column = |index| VectorsInLanes::splat(set, matrix.column(index));
        Self {
            columns: [
                column(0),
                column(1),
                if const { P::DIM == 2 } {
                    VectorsInLanes::zero(set)
                } else {
                    column(2)
                },
            ],
        }
    }

    /// Multiplies each matrix with the vector in its lane.
    #[inline(always)]
    #[must_use]
    pub fn apply(&self, vectors: VectorsInLanes<F, P>) -> VectorsInLanes<F, P> {
        let [a, b, c] = self.columns;
        let in_plane = a * vectors.x + b * vectors.y;
        if const { P::DIM == 2 } {
            in_plane
        } else {
            in_plane + c * vectors.z
        }
    }

    /// The matrix in lane `lane`, counted from 0.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self, lane: usize) -> P::Matrix {
        let [a, b, c] = self.columns;
        P::Matrix::from_columns([a.lane(lane), b.lane(lane), c.lane(lane)])
    }

    /// Multiplies each transposed matrix with the vector in its lane: the inverse rotation.
    #[inline(always)]
    #[must_use]
    pub fn apply_transposed(&self, vectors: VectorsInLanes<F, P>) -> VectorsInLanes<F, P> {
        let [a, b, c] = self.columns;
        VectorsInLanes::new([a.dot(vectors), b.dot(vectors), c.dot(vectors)])
    }

    /// The transposed matrices: the inverse rotations.
    #[inline(always)]
    #[must_use]
    pub fn transposed(&self) -> Self {
        let [a, b, c] = self.columns;
        Self {
            columns: [
                VectorsInLanes::new([a.x, b.x, c.x]),
                VectorsInLanes::new([a.y, b.y, c.y]),
                VectorsInLanes::new([a.z, b.z, c.z]),
            ],
        }
    }

    /// These matrices in the lanes that `mask` selects, and those of `otherwise` in the others.
    #[inline(always)]
    #[must_use]
    pub fn or_where_unset(&self, mask: F::Mask, otherwise: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.columns, otherwise.columns);
        Self {
            columns: [
                a.or_where_unset(mask, d),
                b.or_where_unset(mask, e),
                c.or_where_unset(mask, f),
            ],
        }
    }

    /// The products of the transposed matrices with `others`: the rotations `others`, expressed in
    /// the frames that these matrices rotate.
    #[inline(always)]
    #[must_use]
    pub fn transposed_times(&self, others: &Self) -> Self {
        let [a, b, c] = others.columns;
        Self {
            columns: [
                self.apply_transposed(a),
                self.apply_transposed(b),
                self.apply_transposed(c),
            ],
        }
    }
}
