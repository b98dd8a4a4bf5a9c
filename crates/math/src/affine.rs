//! Conversions between poses and the matrices of glam.

use glam::{
    Affine2, Affine3A, DAffine2, DAffine3, DMat2, DMat3, DQuat, DVec2, DVec3, Mat3, Mat4, Quat,
    Vec2, Vec3,
};

use crate::pose::{MatrixError, Pose, PoseError};
use crate::tolerances::UNIT_LENGTH_SLACK;
use crate::{PreciseVector, Rotation, Rotation2};

/// Checks that the columns have unit length and are at right angles, each within 1e-3.
fn check_columns<P: PreciseVector>(columns: &[P]) -> Result<(), MatrixError> {
    for (column, vector) in columns.iter().enumerate() {
        let length = vector.length();
        if !((length - 1.0).abs() <= UNIT_LENGTH_SLACK) {
            return Err(MatrixError::Scale { column, length });
        }
    }
    for second in 1..columns.len() {
        for first in 0..second {
            let cosine = columns[first].dot(columns[second]);
            if cosine.abs() > UNIT_LENGTH_SLACK {
                let columns = [first, second];
                return Err(MatrixError::Shear { columns, cosine });
            }
        }
    }
    Ok(())
}

/// The matrix of the pose. Each number is rounded to single precision once.
///
/// ```
/// use clearance::dim2::{Pose, Rotation, Vec2};
/// use clearance::math::glam::Affine2;
///
/// let pose = Pose::new(Vec2::new(1.0, 2.0), Rotation::from_angle(0.5));
/// let affine = Affine2::from(pose);
/// assert!((affine.transform_point2(Vec2::X) - pose.transform_point(Vec2::X)).length() < 1e-6);
/// ```
impl From<Pose<Vec2>> for Affine2 {
    fn from(pose: Pose<Vec2>) -> Self {
        Self::from_mat2_translation(pose.rotation.matrix().as_mat2(), pose.translation())
    }
}

/// The matrix of the pose for homogeneous points (x, y, 1).
impl From<Pose<Vec2>> for Mat3 {
    fn from(pose: Pose<Vec2>) -> Self {
        Affine2::from(pose).into()
    }
}

/// The matrix of the pose. Each number is rounded to single precision once.
///
/// ```
/// use clearance::dim3::{Pose, Quat, Vec3};
/// use clearance::math::glam::Affine3A;
///
/// let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_x(0.5));
/// let affine = Affine3A::from(pose);
/// let back = Pose::try_from(affine)?;
/// assert!((back.transform_point(Vec3::ONE) - pose.transform_point(Vec3::ONE)).length() < 1e-6);
/// let doubled = Affine3A::from_scale(Vec3::new(1.0, 2.0, 1.0));
/// let refused = Pose::try_from(doubled).unwrap_err().to_string();
/// assert!(refused.contains("column 1 has length 2"), "{refused}");
/// # Ok::<(), clearance::PoseError>(())
/// ```
impl From<Pose<Vec3>> for Affine3A {
    fn from(pose: Pose<Vec3>) -> Self {
        Self::from_mat3_translation(pose.rotation.matrix().as_mat3(), pose.translation())
    }
}

/// The matrix of the pose for homogeneous points (x, y, z, 1).
impl From<Pose<Vec3>> for Mat4 {
    fn from(pose: Pose<Vec3>) -> Self {
        Affine3A::from(pose).into()
    }
}

/// The pose of a matrix that rotates and translates. Scale, shear and mirroring are errors.
///
/// A matrix within 1e-3 of a rotation is replaced by that rotation.
impl TryFrom<Affine2> for Pose<Vec2> {
    type Error = PoseError;

    fn try_from(affine: Affine2) -> Result<Self, PoseError> {
        Self::try_from(affine.as_daffine2())
    }
}

/// The pose of a matrix in double precision, as from [`Affine2`].
impl TryFrom<DAffine2> for Pose<Vec2> {
    type Error = PoseError;

    fn try_from(affine: DAffine2) -> Result<Self, PoseError> {
        let DMat2 { x_axis, y_axis } = affine.matrix2;
        check_columns(&[x_axis, y_axis])?;
        if x_axis.perp_dot(y_axis) < 0.0 {
            return Err(MatrixError::Mirror.into());
        }
        // The mean of the first column and of the second column rotated back by a quarter turn.
        let DVec2 { x: cos, y: sin } = (x_axis - y_axis.perp()).normalize();
        Self::new(affine.translation, Rotation2::from_cos_sin(cos, sin)?).checked()
    }
}

/// The pose of a matrix for homogeneous points (x, y, 1), as from [`Affine2`].
impl TryFrom<Mat3> for Pose<Vec2> {
    type Error = PoseError;

    fn try_from(matrix: Mat3) -> Result<Self, PoseError> {
        if matrix.row(2) != Vec3::Z {
            return Err(MatrixError::LastRow.into());
        }
        Self::try_from(Affine2::from_mat3(matrix))
    }
}

/// The pose of a matrix that rotates and translates. Scale, shear and mirroring are errors.
///
/// A matrix within 1e-3 of a rotation is replaced by a rotation near it.
impl TryFrom<Affine3A> for Pose<Vec3> {
    type Error = PoseError;

    fn try_from(affine: Affine3A) -> Result<Self, PoseError> {
        Self::try_from(affine.as_daffine3())
    }
}

/// The pose of a matrix in double precision, as from [`Affine3A`]. The rotation is rounded to single precision, the
/// translation is not.
///
/// ```
/// use clearance::dim3::{DVec3, Pose};
/// use clearance::math::glam::DAffine3;
///
/// let far = DVec3::new(1e10 + 0.25, 0.0, 0.0);
/// assert_eq!(Pose::try_from(DAffine3::from_translation(far))?.position(), far);
/// # Ok::<(), clearance::PoseError>(())
/// ```
impl TryFrom<DAffine3> for Pose<Vec3> {
    type Error = PoseError;

    fn try_from(affine: DAffine3) -> Result<Self, PoseError> {
        let DMat3 {
            x_axis: x,
            y_axis: y,
            z_axis: z,
        } = affine.matrix3;
        check_columns(&[x, y, z])?;
        if x.cross(y).dot(z) < 0.0 {
            return Err(MatrixError::Mirror.into());
        }
        Self::new(affine.translation, quaternion(x, y)).checked()
    }
}

/// The quaternion of the frame whose x axis is `x` and whose xy plane holds `y`.
fn quaternion(x: DVec3, y: DVec3) -> Quat {
    let x = x.normalize();
    let y = (y - x * x.dot(y)).normalize();
    let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)));
    rotation.normalize().as_quat()
}

/// The pose of a map on points (x, y, z, 1), as from [`Affine3A`].
impl TryFrom<Mat4> for Pose<Vec3> {
    type Error = PoseError;

    fn try_from(matrix: Mat4) -> Result<Self, PoseError> {
        if matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
            return Err(MatrixError::LastRow.into());
        }
        Self::try_from(Affine3A::from_mat4(matrix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_come_back_from_matrices() {
        for k in 0..2000_u16 {
            let t = f32::from(k) * 0.37;
            let angles = [t, 0.7 * t + 1.0, 1.3 * t - 2.0];
            let turn = Quat::from_euler(glam::EulerRot::XYZ, angles[0], angles[1], angles[2]);
            let pose = Pose::new(Vec3::new(t, -t, 1.0), turn);
            for back in [
                Pose::try_from(Affine3A::from(pose)).unwrap(),
                Pose::try_from(Mat4::from(pose)).unwrap(),
            ] {
                assert_eq!(back.position(), pose.position());
                let error = back.rotation.matrix() - pose.rotation.matrix();
                assert!(error.abs_diff_eq(DMat3::ZERO, 5e-7), "{pose:?}");
            }
            let flat = Pose::new(Vec2::new(t, -t), Rotation2::from_angle(t));
            for back in [
                Pose::try_from(Affine2::from(flat)).unwrap(),
                Pose::try_from(Mat3::from(flat)).unwrap(),
            ] {
                assert_eq!(back.position(), flat.position());
                let error = back.rotation.matrix() - flat.rotation.matrix();
                assert!(error.abs_diff_eq(DMat2::ZERO, 2e-7), "{flat:?}");
            }
        }
    }

    #[test]
    fn matrices_that_are_no_poses_are_refused() {
        let refused = |matrix: Mat4| match Pose::try_from(matrix) {
            Err(PoseError::Matrix(error)) => error,
            other => panic!("{other:?}"),
        };
        let scaled = Mat4::from_scale(Vec3::new(1.0, 1.0, 0.5));
        let expected = MatrixError::Scale {
            column: 2,
            length: 0.5,
        };
        assert_eq!(refused(scaled), expected);
        assert_eq!(
            refused(Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0))),
            MatrixError::Mirror
        );
        let mut sheared = Mat4::IDENTITY;
        sheared.y_axis = glam::Vec4::new(0.6, 0.8, 0.0, 0.0);
        assert!(matches!(
            refused(sheared),
            MatrixError::Shear {
                columns: [0, 1],
                ..
            }
        ));
        let mut projective = Mat4::IDENTITY;
        projective.x_axis.w = 0.1;
        assert_eq!(refused(projective), MatrixError::LastRow);
        assert!(matches!(
            refused(Mat4::from_cols_array(&{
                let mut numbers = Mat4::IDENTITY.to_cols_array();
                numbers[0] = f32::NAN;
                numbers
            })),
            MatrixError::Scale { column: 0, .. }
        ));
        let far = Mat4::from_translation(Vec3::new(0.0, f32::INFINITY, 0.0));
        let error = Pose::try_from(far).unwrap_err();
        assert!(
            matches!(error, PoseError::Translation { axis: 1, .. }),
            "{error}"
        );
        let mirrored = Affine2::from_scale(Vec2::new(1.0, -1.0));
        assert_eq!(Pose::try_from(mirrored), Err(MatrixError::Mirror.into()));
        let mut flat = Mat3::IDENTITY;
        flat.y_axis.z = 1.0;
        assert_eq!(
            Pose::<Vec2>::try_from(flat),
            Err(MatrixError::LastRow.into())
        );
    }
}
