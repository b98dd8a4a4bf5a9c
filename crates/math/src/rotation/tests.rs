use glam::{DMat3, DVec3, Quat, Vec3};

use super::*;
use crate::Rotation2;

#[test]
fn matrices_are_rotations_even_when_the_number_is_not_quite_unit() {
    let q = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5004);
    let m = q.matrix();
    let gram = m.transpose() * m;
    assert!((gram - DMat3::IDENTITY).abs_diff_eq(DMat3::ZERO, 1e-14));
    assert!((m.determinant() - 1.0).abs() < 1e-14);
}

#[test]
fn quaternion_matrix_agrees_with_glam() {
    let q = Quat::from_xyzw(0.1, 0.7, -0.3, 0.5).normalize();
    let v = Vec3::new(1.0, -2.0, 3.0);
    assert!(((q * v).as_dvec3() - q.matrix() * v.as_dvec3()).length() < 1e-6);
}

#[test]
fn integration_turns_by_the_angle() {
    let turned = Quat::IDENTITY.integrated(Vec3::new(0.0, 0.0, 2.0), 0.5);
    let image = turned.matrix() * DVec3::X;
    assert!((image - DVec3::new(1f64.cos(), 1f64.sin(), 0.0)).length() < 1e-6);
    let flat = Rotation2::from_angle(0.25).integrated(2.0, 0.5);
    assert!((flat.angle() - 1.25).abs() < 1e-6);
}

#[test]
fn series_agree_with_the_library() {
    for k in 1..2000 {
        let angle = f64::from(k) * 5e-4;
        let (sinc, cos) = sinc_and_cos(angle * angle);
        let (sin, expected) = libm::sincos(angle);
        assert!((sinc - sin / angle).abs() < 4e-16, "{angle}");
        assert!((cos - expected).abs() < 4e-16, "{angle}");
    }
    assert_eq!(sinc_and_cos(0.0), (1.0, 1.0));
}

#[test]
fn bits_bring_back_every_bit() {
    for k in 0..1000 {
        let angle = k as f32 * 0.37 - 150.0;
        let flat = Rotation2::from_angle(angle).integrated(angle, 0.01);
        assert_eq!(Rotation2::from_bits(flat.to_bits()), Ok(flat));
        let turned = Quat::IDENTITY.integrated(Vec3::new(angle, 1.0, -2.0), 0.1);
        assert_eq!(Quat::from_bits(turned.to_bits()), Ok(turned));
    }
    let [a, b, c, d] = Rotation2::from_angle(0.5).to_bits();
    assert!(Rotation2::from_bits([a, b ^ 64, c, d]).is_err());
    assert!(Quat::from_bits([u32::MAX; 4]).is_err());
}

#[test]
fn bad_rotations_are_refused() {
    assert!(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0).checked().is_err());
    assert_eq!(
        Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0).checked(),
        Err(RotationError::NotFinite)
    );
    assert!(Rotation2::from_cos_sin(1.0, 0.1).is_err());
    assert!(Rotation2::from_angle(f32::INFINITY).checked().is_err());
    assert!(Quat::from_xyzw(0.0, 0.0, 0.0, 1.0009).checked().is_ok());
}

/// The rest is just below half a step of an odd number, and would itself round up to that half, which rounds to the
/// even number above.
#[test]
fn what_rounding_takes_off_belongs_to_the_rounded_number() {
    let rounded = Real::next_up(1.0);
    let exact = f64::from(rounded) + (0.5 * f64::from(Real::EPSILON) - f64::EPSILON);
    assert_eq!(exact as Real, rounded);
    let rest = crate::real::left_over(exact, rounded);
    assert!(rest > 0.0);
    assert_eq!((f64::from(rounded) + f64::from(rest)) as Real, rounded);
}
