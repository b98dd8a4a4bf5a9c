//! The vector that is the type parameter of everything.

use core::fmt::{Debug, Display};
use core::ops::{Add, Div, Mul, Neg, Sub};

use glam::{DVec2, DVec3, Quat, Vec2, Vec3};

use crate::real::{Real, round_nearest};
use crate::{CompiledFunction, PreciseVector, Rotation, Rotation2};

/// Keeps the traits of this crate to the types that it lists.
pub trait Sealed {}

/// A vector of the public interface: glam's `Vec2` or `Vec3`, in the caller's unit; sealed.
pub trait Vector:
    Sealed
    + Copy
    + Debug
    + Display
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Real, Output = Self>
    + Div<Real, Output = Self>
{
    /// The number of dimensions, 2 or 3.
    const DIM: usize;
    /// The origin.
    const ZERO: Self;
    /// The double precision vector of the same dimension.
    type Precise: PreciseVector;
    /// The rotation of the same dimension.
    type Rotation: Rotation<Self>;
    /// Angular velocity in radians a second: a number (counter-clockwise) in 2D, a vector in 3D.
    type Angular: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// The vector with every component `value`.
    fn splat(value: Real) -> Self;
    /// The unit vector along axis `index`, counted from 0.
    fn axis(index: usize) -> Self;
    /// The component along axis `index`, counted from 0.
    fn component(self, index: usize) -> Real;
    /// This vector with one component replaced.
    #[must_use]
    fn with_component(self, index: usize, value: Real) -> Self;
    /// The lesser of the two in each component.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// The greater of the two in each component.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The scalar product.
    fn dot(self, other: Self) -> Real;
    /// Whether no component is NaN or infinite.
    fn is_finite(self) -> bool;
    /// This vector in double precision; exact.
    fn to_precise(self) -> Self::Precise;

    /// Calls the version of `F` that was compiled for this dimension: see [`compile_once!`](crate::compile_once).
    fn dispatch<F: CompiledFunction>(input: F::Input<Self>) -> F::Output<Self>;

    /// The nearest single precision vector; components beyond the range become the largest finite.
    #[must_use]
    fn from_precise(vector: Self::Precise) -> Self {
        let mut rounded = Self::ZERO;
        for k in 0..Self::DIM {
            rounded = rounded.with_component(k, round_nearest(vector.component(k)));
        }
        rounded
    }
}

macro_rules! vector {
    ($vector:ident, $precise:ident, $rotation:ident, $angular:ty, $dim:literal, $compiled:ident) => {
        impl Sealed for $vector {}

        impl Vector for $vector {
            const DIM: usize = $dim;
            const ZERO: Self = $vector::ZERO;
            type Precise = $precise;
            type Rotation = $rotation;
            type Angular = $angular;

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
    };
}

vector!(Vec2, DVec2, Rotation2, Real, 2, in_plane);
vector!(Vec3, DVec3, Quat, Vec3, 3, in_space);
