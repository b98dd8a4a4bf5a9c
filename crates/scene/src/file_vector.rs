//! The differences between files in 2D and in 3D.

use clearance_math::{
    PreciseVector, Quat, Real, Rotation, Rotation2, RotationError, Vec2, Vec3, Vector,
};
use clearance_shapes::{Shape, ShapeError};
use serde::{Serialize, Serializer};

/// A vector type of scenes: `Vec2` or `Vec3`.
pub trait FileVector: Vector {
    /// How many numbers a rotation is written as; one is written without brackets.
    const ROTATION_NUMBERS: usize;
    /// How many numbers an angular velocity is written as; one is written without brackets.
    const ANGULAR_NUMBERS: usize;

    /// The rotation that [`ROTATION_NUMBERS`](Self::ROTATION_NUMBERS) numbers stand for.
    ///
    /// # Errors
    /// A quaternion that is not of unit length.
    fn rotation_from_numbers(numbers: &[Real]) -> Result<Self::Rotation, RotationError>;
    /// What the file says for a rotation: an angle in 2D, a quaternion (x, y, z, w) in 3D.
    fn rotation_numbers(rotation: Self::Rotation) -> Numbers;

    /// The angular velocity that [`ANGULAR_NUMBERS`](Self::ANGULAR_NUMBERS) numbers stand for.
    fn angular_from_numbers(numbers: &[Real]) -> Self::Angular;
    /// What the file says for an angular velocity.
    fn angular_numbers(angular: Self::Angular) -> Numbers;

    /// The mesh of triangles; `None` where there is none.
    fn mesh(vertices: &[Self], triangles: &[[u32; 3]]) -> Option<Result<Shape<Self>, ShapeError>>;
    /// The area within an outline but not in holes; `None` where there is none.
    fn polygon(outline: &[Self], holes: &[Vec<Self>]) -> Option<Result<Shape<Self>, ShapeError>>;
    /// The terrain over the xz plane; NaN is a missing height. `None` where there is none.
    fn height_field(
        heights: Vec<Real>,
        columns: usize,
        scale: Self,
    ) -> Option<Result<Shape<Self>, ShapeError>>;
    /// A shape that exists in 3D only; `None` in other dimensions.
    fn shape_of_space(shape: Shape<Vec3>) -> Option<Shape<Self>>;
}

impl FileVector for Vec2 {
    const ROTATION_NUMBERS: usize = 1;
    const ANGULAR_NUMBERS: usize = 1;

    fn rotation_from_numbers(numbers: &[Real]) -> Result<Rotation2, RotationError> {
        Rotation2::from_angle(numbers[0]).checked()
    }
    fn rotation_numbers(rotation: Rotation2) -> Numbers {
        Numbers::new(&[rotation.angle()])
    }
    fn angular_from_numbers(numbers: &[Real]) -> Real {
        numbers[0]
    }
    fn angular_numbers(angular: Real) -> Numbers {
        Numbers::new(&[angular])
    }
    fn mesh(_: &[Self], _: &[[u32; 3]]) -> Option<Result<Shape<Self>, ShapeError>> {
        None
    }
    fn polygon(outline: &[Self], holes: &[Vec<Self>]) -> Option<Result<Shape<Self>, ShapeError>> {
        Some(Shape::polygon(outline, holes))
    }
    fn height_field(_: Vec<Real>, _: usize, _: Self) -> Option<Result<Shape<Self>, ShapeError>> {
        None
    }
    fn shape_of_space(_: Shape<Vec3>) -> Option<Shape<Self>> {
        None
    }
}

impl FileVector for Vec3 {
    const ROTATION_NUMBERS: usize = 4;
    const ANGULAR_NUMBERS: usize = 3;

    fn rotation_from_numbers(numbers: &[Real]) -> Result<Quat, RotationError> {
        Quat::from_xyzw(numbers[0], numbers[1], numbers[2], numbers[3]).checked()
    }
    fn rotation_numbers(rotation: Quat) -> Numbers {
        Numbers::new(&rotation.to_array())
    }
    fn angular_from_numbers(numbers: &[Real]) -> Vec3 {
        Vec3::new(numbers[0], numbers[1], numbers[2])
    }
    fn angular_numbers(angular: Vec3) -> Numbers {
        Numbers::new(&angular.to_array())
    }
    fn mesh(vertices: &[Self], triangles: &[[u32; 3]]) -> Option<Result<Shape<Self>, ShapeError>> {
        Some(Shape::mesh(vertices, triangles))
    }
    fn polygon(_: &[Self], _: &[Vec<Self>]) -> Option<Result<Shape<Self>, ShapeError>> {
        None
    }
    fn height_field(
        heights: Vec<Real>,
        columns: usize,
        scale: Self,
    ) -> Option<Result<Shape<Self>, ShapeError>> {
        Some(Shape::height_field(heights, columns, scale))
    }
    fn shape_of_space(shape: Shape<Vec3>) -> Option<Shape<Self>> {
        Some(shape)
    }
}

/// One to four numbers as a file holds them: a bare number, or a list of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers<T = Real> {
    values: [T; MOST_NUMBERS],
    count: usize,
}

/// How many numbers there are at most.
pub(crate) const MOST_NUMBERS: usize = 4;

impl<T: Copy + Default> Numbers<T> {
    pub(crate) fn new(numbers: &[T]) -> Self {
        let mut values = [T::default(); MOST_NUMBERS];
        values[..numbers.len()].copy_from_slice(numbers);
        Self {
            values,
            count: numbers.len(),
        }
    }

    /// The numbers in order.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.count]
    }
}

impl Numbers {
    /// The components of a vector.
    pub(crate) fn of_vector<V: Vector>(vector: V) -> Self {
        let components = [0, 1, 2].map(|k| if k < V::DIM { vector.component(k) } else { 0.0 });
        Self::new(&components[..V::DIM])
    }
}

impl Numbers<f64> {
    /// The components of a position.
    pub(crate) fn of_position<P: PreciseVector>(position: P) -> Self {
        let components = [0, 1, 2].map(|k| {
            if k < P::DIM {
                position.component(k)
            } else {
                0.0
            }
        });
        Self::new(&components[..P::DIM])
    }
}

impl<T: Serialize + Copy + Default> Serialize for Numbers<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_slice() {
            [number] => number.serialize(serializer),
            numbers => numbers.serialize(serializer),
        }
    }
}
