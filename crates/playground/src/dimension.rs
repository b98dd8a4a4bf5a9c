//! The plane and space in the same numbers: three coordinates, and quaternions.

use clearance_math::{
    Pose, PreciseVector, Quat, Real, Rotation2, RotationError, Vec2, Vec3, Vector,
};
use clearance_scene::FileVector;
use glam::{DMat2, DMat3, DQuat};

/// A dimension that the page shows.
pub(crate) trait Dimension: FileVector {
    /// The rotation as a quaternion (x, y, z, w), about z in the plane.
    fn quaternion(rotation: Self::Rotation) -> [Real; 4];

    /// The rotation of a quaternion; in the plane the part of it that is about z.
    ///
    /// # Errors
    /// A quaternion that is not of unit length.
    fn rotation_of(quaternion: [Real; 4]) -> Result<Self::Rotation, RotationError>;

    /// The rotation of a matrix that does nothing but rotate; `None` if it does more.
    fn rotation_of_matrix(
        matrix: &<Self::Precise as PreciseVector>::Matrix,
    ) -> Option<Self::Rotation>;
}

impl Dimension for Vec2 {
    fn quaternion(rotation: Rotation2) -> [Real; 4] {
        let half = 0.5 * f64::from(rotation.angle());
        [0.0, 0.0, half.sin() as Real, half.cos() as Real]
    }

    fn rotation_of([_, _, z, w]: [Real; 4]) -> Result<Rotation2, RotationError> {
        let (z, w) = (f64::from(z), f64::from(w));
        Rotation2::from_cos_sin(w * w - z * z, 2.0 * z * w)
    }

    fn rotation_of_matrix(matrix: &DMat2) -> Option<Rotation2> {
        Rotation2::from_cos_sin(matrix.x_axis.x, matrix.x_axis.y).ok()
    }
}

impl Dimension for Vec3 {
    fn quaternion(rotation: Quat) -> [Real; 4] {
        rotation.to_array()
    }

    fn rotation_of(quaternion: [Real; 4]) -> Result<Quat, RotationError> {
        Self::rotation_from_numbers(&quaternion)
    }

    fn rotation_of_matrix(matrix: &DMat3) -> Option<Quat> {
        let quaternion = DQuat::from_mat3(matrix).as_quat();
        Self::rotation_from_numbers(&quaternion.to_array()).ok()
    }
}

/// Three coordinates; z is 0 in the plane.
pub(crate) fn three<V: Vector>(vector: V) -> [Real; 3] {
    let mut coordinates = [0.0; 3];
    for (axis, coordinate) in coordinates.iter_mut().enumerate().take(V::DIM) {
        *coordinate = vector.component(axis);
    }
    coordinates
}

/// Three coordinates; z is 0 in the plane.
pub(crate) fn three_precise<P: PreciseVector>(vector: P) -> [f64; 3] {
    vector.in_space().to_array()
}

/// The vector of the first coordinates.
pub(crate) fn vector<V: Vector>(coordinates: [Real; 3]) -> V {
    V::from_fn(|axis| coordinates[axis])
}

/// Seven numbers: the translation and the quaternion.
pub(crate) fn seven<V: Dimension>(pose: &Pose<V>) -> [Real; 7] {
    let [x, y, z] = three(pose.translation());
    let [i, j, k, w] = V::quaternion(pose.rotation);
    [x, y, z, i, j, k, w]
}
