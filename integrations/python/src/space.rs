//! What differs between the plane and space for arrays.

use clearance::math::glam::{DAffine2, DAffine3, DMat2, DMat3, DVec2, DVec3, Vec2, Vec3};
use clearance::math::{Pose, PoseError};
use clearance_scene::FileVector;

/// A dimension, as arrays have it.
pub(crate) trait Space: FileVector {
    /// How many numbers a homogeneous matrix has.
    const MATRIX_NUMBERS: usize = (Self::DIM + 1) * (Self::DIM + 1);

    /// The pose of a matrix, which is given row by row.
    fn pose_of_matrix(rows: &[f64]) -> Result<Pose<Self>, PoseError>;
}

impl Space for Vec2 {
    fn pose_of_matrix(rows: &[f64]) -> Result<Pose<Self>, PoseError> {
        let column = |k: usize| DVec2::new(rows[k], rows[k + 3]);
        Pose::try_from(DAffine2::from_mat2_translation(
            DMat2::from_cols(column(0), column(1)),
            column(2),
        ))
    }
}

impl Space for Vec3 {
    fn pose_of_matrix(rows: &[f64]) -> Result<Pose<Self>, PoseError> {
        let column = |k: usize| DVec3::new(rows[k], rows[k + 4], rows[k + 8]);
        Pose::try_from(DAffine3::from_mat3_translation(
            DMat3::from_cols(column(0), column(1), column(2)),
            column(3),
        ))
    }
}
