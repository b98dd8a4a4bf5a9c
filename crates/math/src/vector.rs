//! The vector type, which decides whether the engine works in 2D or in 3D.

use core::fmt::{Debug, Display};
use core::ops::{Add, Div, Mul, Neg, Sub};

use glam::{Vec2, Vec3};

use crate::cell::Cell;
use crate::precise::{PreciseVector, Sealed};
use crate::real::{Real, round_nearest};
use crate::rotation::Rotation;

/// A vector of the public interface: glam's `Vec2` or `Vec3`. The trait is sealed.
///
/// It is the type parameter of everything in the engine: `Shape<Vec2>` is a shape in the plane,
/// `Shape<Vec3>` a shape in space. Lengths are in your unit of length.
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
    /// The zero vector.
    const ZERO: Self;
    /// The vector of the same dimension in double precision.
    type Precise: PreciseVector + From<Self> + Display;
    /// The rotation of the same dimension.
    type Rotation: Rotation<Self>;
    /// Angular velocity in radians a second: a number in 2D (counter-clockwise positive), a vector
    /// in 3D (along the axis, by the right-hand rule).
    type Angular: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
    /// A cell of a grid by its whole numbers: glam's `IVec2` or `IVec3`.
    type Cell: Cell;
    /// Room for the points in which two shapes touch: two in 2D, four in 3D.
    type TouchingPoints<T: Copy + Send + Sync + 'static>: AsRef<[T]>
        + AsMut<[T]>
        + Copy
        + Send
        + Sync
        + 'static;

    /// Room that is filled with `value`.
    fn touching_points<T: Copy + Send + Sync + 'static>(value: T) -> Self::TouchingPoints<T>;
    /// The vector whose components are all `value`.
    fn splat(value: Real) -> Self;
    /// The unit vector along an axis: 0 is x, 1 is y, 2 is z.
    fn axis(index: usize) -> Self;
    /// The vector with the component that a function gives for each axis: 0 is x, 1 is y, 2 is z.
    #[inline]
    fn from_fn(mut component: impl FnMut(usize) -> Real) -> Self {
        (0..Self::DIM).fold(Self::ZERO, |vector, axis| {
            vector.with_component(axis, component(axis))
        })
    }

    /// The component along an axis: 0 is x, 1 is y, 2 is z.
    fn component(self, index: usize) -> Real;
    /// This vector with one component replaced.
    #[must_use]
    fn with_component(self, index: usize, value: Real) -> Self;
    /// The smaller of the two in each component.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// The greater of the two in each component.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The scalar product.
    fn dot(self, other: Self) -> Real;
    /// Whether no component is NaN or infinite.
    fn is_finite(self) -> bool;
    /// This vector in double precision, without rounding error.
    fn to_precise(self) -> Self::Precise;

    /// Calls the version of the function `F` that was compiled for this dimension: see
    /// [`compile_once!`](crate::compile_once).
    fn dispatch<F: CompiledFunction>(input: F::Input<Self>) -> F::Output<Self>;

    /// The vector rounded to single precision. Components beyond the range become the greatest or
    /// least finite number.
    #[must_use]
    fn from_precise(vector: Self::Precise) -> Self {
        let mut rounded = Self::ZERO;
        for k in 0..Self::DIM {
            rounded = rounded.with_component(k, round_nearest(vector.component(k)));
        }
        rounded
    }
}

/// A generic function as two: one for 2D and one for 3D. The features `dim2` and `dim3` say which are compiled once.
///
/// [`compile_once!`](crate::compile_once) implements it, and [`Vector::dispatch`] calls it.
pub trait CompiledFunction {
    /// The arguments.
    type Input<V: Vector>;
    /// The return value.
    type Output<V: Vector>;

    /// The function for 2D.
    fn in_plane(input: Self::Input<Vec2>) -> Self::Output<Vec2>;
    /// The function for 3D.
    fn in_space(input: Self::Input<Vec3>) -> Self::Output<Vec3>;
}
