//! The two dimensions: the vectors of glam as vectors of the engine.

use glam::{DVec2, DVec3, IVec2, IVec3, Quat, Vec2, Vec3};

use crate::cell::Cell;
use crate::precise::Sealed;
use crate::real::Real;
use crate::rotation_in_plane::Rotation2;
use crate::vector::{CompiledFunction, Vector};

macro_rules! vector {
    ($vector:ident, $precise:ident, $rotation:ident, $angular:ty, $cell:ident, $dim:literal, $compiled:ident) => {
        impl Sealed for $vector {}

        impl Vector for $vector {
            const DIM: usize = $dim;
            const ZERO: Self = $vector::ZERO;
            type Precise = $precise;
            type Rotation = $rotation;
            type Angular = $angular;
            type Cell = $cell;
            type TouchingPoints<T: Copy + Send + Sync + 'static> = [T; 2 * $dim - 2];

            #[inline(always)]
            fn touching_points<T: Copy + Send + Sync + 'static>(
                value: T,
            ) -> Self::TouchingPoints<T> {
                [value; 2 * $dim - 2]
            }
            #[inline]
            fn splat(value: Real) -> Self {
                $vector::splat(value)
            }
            #[inline]
            fn axis(index: usize) -> Self {
                $vector::AXES[index]
            }
            #[inline]
            fn component(self, index: usize) -> Real {
                self[index]
            }
            #[inline]
            fn with_component(mut self, index: usize, value: Real) -> Self {
                self[index] = value;
                self
            }
            #[inline]
            fn min(self, other: Self) -> Self {
                $vector::min(self, other)
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                $vector::max(self, other)
            }
            #[inline]
            fn dot(self, other: Self) -> Real {
                $vector::dot(self, other)
            }
            #[inline]
            fn is_finite(self) -> bool {
                $vector::is_finite(self)
            }
            #[inline]
            fn to_precise(self) -> $precise {
                $precise::from(self)
            }
            #[inline(always)]
            fn dispatch<F: CompiledFunction>(input: F::Input<Self>) -> F::Output<Self> {
                F::$compiled(input)
            }
        }

        impl Sealed for $cell {}

        impl Cell for $cell {
            const DIM: usize = $dim;

            #[inline]
            fn component(self, index: usize) -> i32 {
                self[index]
            }
            #[inline]
            fn from_components(components: [i32; 3]) -> Self {
                let mut cell = $cell::ZERO;
                for k in 0..$dim {
                    cell[k] = components[k];
                }
                cell
            }
        }
    };
}

vector!(Vec2, DVec2, Rotation2, Real, IVec2, 2, in_plane);
vector!(Vec3, DVec3, Quat, Vec3, IVec3, 3, in_space);
