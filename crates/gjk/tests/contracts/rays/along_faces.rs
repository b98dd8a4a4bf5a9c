//! Rays from far away that come down on a face so slowly that double precision cannot tell where they cross its
//! plane: their bounds must hold nevertheless.

use clearance_gjk::{Placed, RayOptions, Status, cast_ray};
use clearance_math::{Pose, Ray, Real, Vec3};
use clearance_shapes::Shape;

use crate::common::Pcg;

/// Shapes with a face in the plane y = 1, which reaches from -0.9 to 0.9 at least.
fn shapes() -> [Shape<Vec3>; 3] {
    let corners: Vec<Vec3> = (0..8)
        .map(|k| Vec3::from_array([1, 2, 4].map(|bit| if k & bit == 0 { -1.0 } else { 1.0 })))
        .collect();
    [
        Shape::cuboid(Vec3::ONE).expect("valid"),
        Shape::cylinder(1.0, 1.0).expect("valid"),
        Shape::hull(&corners).expect("valid"),
    ]
}

#[test]
fn rays_that_cross_a_face_slowly_have_bounds_that_hold() {
    let mut random = Pcg::new(331);
    let (mut open, mut decided) = (0, 0);
    for shape in shapes() {
        for turn in 0..2_000 {
            let away = (10.0 as Real).powf(random.between(1.0, 5.5) as Real);
            // Both are numbers of single precision, and so is 1 + height.
            let height = (1 + turn % 16) as Real * Real::EPSILON;
            let slope = height / (away + random.between(-0.9, 0.9) as Real);
            let origin = Vec3::new(random.between(-0.3, 0.3) as Real, 1.0 + height, -away);
            let ray = Ray::new(origin, Vec3::new(0.0, -slope, 1.0)).expect("a direction");
            // Where the ray crosses the plane, in units of its direction, which is as long as one.
            let crossing = f64::from(height) / f64::from(slope);
            let ahead = crossing - f64::from(away);
            if ahead.abs() > 0.9 {
                continue;
            }
            let true_distance = crossing * f64::from(slope).hypot(1.0);
            let placed = Placed::new(&shape, &Pose::IDENTITY);
            let hit = cast_ray(&ray, placed, RayOptions::default())
                .expect("valid")
                .expect("the ray hits");
            assert!(
                f64::from(hit.lower) <= true_distance && true_distance <= f64::from(hit.upper),
                "{true_distance}: {hit:?} of {ray:?}"
            );
            open += u32::from(hit.status == Status::IterationLimit);
            decided += u32::from(hit.status == Status::Exact);
        }
    }
    assert!(open > 2_000 && decided > 500, "{open} {decided}");
}

/// A ray that is exactly parallel to a face crosses its plane nowhere: nothing is left open.
#[test]
fn rays_in_the_plane_of_a_face_are_exact() {
    for shape in shapes() {
        let ray = Ray::new(Vec3::new(0.25, 1.0, -100.0), Vec3::Z).expect("a direction");
        let placed = Placed::new(&shape, &Pose::IDENTITY);
        let hit = cast_ray(&ray, placed, RayOptions::default()).expect("valid");
        let hit = hit.expect("the ray touches the face");
        assert_eq!(hit.status, Status::Exact, "{shape:?}");
        assert!(hit.upper - hit.lower < 1e-3 && (hit.distance - 99.0).abs() < 0.1);
    }
}
