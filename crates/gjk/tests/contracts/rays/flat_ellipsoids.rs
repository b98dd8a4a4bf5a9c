//! Ellipsoids that are all but discs: a ray beside the rim does not hit them, and none misses the middle.

use clearance_gjk::{Placed, RayOptions, Status, cast_ray};
use clearance_math::{Pose, Ray, Real, Vec3};
use clearance_shapes::Shape;

use crate::common::{Pcg, turned};

#[test]
fn discs_are_hit_inside_of_their_rims_only() {
    let mut random = Pcg::new(556);
    for turn in 0..400 {
        let thickness = [1e-38, 1e-30, 1e-20, 1e-9, 1e-6][turn % 5] as Real;
        let disc = Shape::ellipsoid(Vec3::new(thickness, 3.75, 5.75)).expect("valid");
        let pose = Pose::new(random.point::<Vec3>(9.0), turned::<Vec3>(&mut random));
        let (angle, share) = (random.between(0.0, 6.3), random.pick(&[0.3, 0.9, 1.1, 1.6]));
        let (sin, cos) = (angle.sin() * share, angle.cos() * share);
        let target = Vec3::new(0.0, 3.75 * cos as Real, 5.75 * sin as Real);
        let away = Vec3::new(1.0, random.between(-0.5, 0.5) as Real, 0.3) * 4.0;
        let [origin, target] = [target + away, target].map(|point| pose.transform_point(point));
        let ray = Ray::new(origin, target - origin).expect("valid");
        let hit = cast_ray(&ray, Placed::new(&disc, &pose), RayOptions::default()).expect("valid");
        assert_eq!(hit.is_some(), share < 1.0, "{thickness} {share}: {hit:?}");
        if let Some(hit) = hit {
            let truth = (target - origin).length();
            assert!((hit.distance - truth).abs() < 1e-4, "{truth} {hit:?}");
            assert!(
                hit.status != Status::Exact || hit.upper - hit.lower < 1e-4,
                "{hit:?}"
            );
        }
    }
}
