//! Rays against one shape: an independent answer by bisection, iteration, motion, hostile input.

mod aim;
mod along_surfaces;
pub(crate) mod back_faces;
mod bisection;
mod flat_ellipsoids;
mod signed_zeros;
mod tiny_shapes;

use clearance_gjk::{
    Interior, Placed, Proximity, RayOptions, cast_ray, point_proximity, proximity,
};
use clearance_math::{Pose, Ray, Real};
use clearance_shapes::Shape;

use crate::common::{
    Body, Kind, Pcg, Recipe, Solid, Space, in_both_dimensions, iterations, turned,
};
use aim::{AIMS, Aim, ray_at, solid_of};
use bisection::{Line, check_form, check_hit};

in_both_dimensions!(
    hits_are_where_bisection_finds_them,
    a_ray_is_cut_at_its_greatest_distance,
    rays_that_are_not_valid_are_refused_by_name,
    the_ends_of_the_range_of_numbers_are_no_trouble,
    a_point_is_a_ball_without_radius,
);

fn hits_are_where_bisection_finds_them<V: Space>() {
    let mut random = Pcg::new(301);
    let (mut rays, mut hits) = (0, 0);
    for kind in Kind::bounded::<V>() {
        for aim in AIMS {
            for _ in 0..iterations(12) {
                let solid = solid_of::<V>(kind, &mut random);
                let ray = ray_at(&mut random, &solid.body(), aim);
                for interior in [Interior::Solid, Interior::Hollow] {
                    rays += 1;
                    hits += usize::from(check_hit(&solid, &ray, interior));
                }
            }
        }
    }
    assert!(3 * hits > rays, "{hits} of {rays} hit");
}

fn a_ray_is_cut_at_its_greatest_distance<V: Space>() {
    let mut random = Pcg::new(304);
    for kind in Kind::bounded::<V>() {
        for _ in 0..iterations(100) {
            let solid = solid_of::<V>(kind, &mut random);
            let body = solid.body();
            let ray = ray_at(&mut random, &body, Aim::Anywhere);
            let cast = |max_distance: Real| {
                let options = RayOptions {
                    max_distance,
                    ..RayOptions::default()
                };
                cast_ray(&ray, body.placed(), options).expect("valid")
            };
            let Some(hit) = cast(Real::INFINITY) else {
                continue;
            };
            let context = || format!("{hit:?} {ray:?} {body:?}");
            let cut = cast(hit.upper);
            assert_eq!(
                cut.map(|cut| cut.normal.is_some()),
                Some(hit.normal.is_some()),
                "{}",
                context()
            );
            assert!(cast(hit.upper * 2.0).is_some(), "{}", context());
            if hit.lower > 0.0 {
                assert_eq!(cast(hit.lower.next_down()), None, "{}", context());
                assert_eq!(cast(0.0), None, "{}", context());
            }
        }
    }
}

fn rays_that_are_not_valid_are_refused_by_name<V: Space>() {
    let shape = Shape::<V>::ball(1.0).expect("valid");
    let ray = Ray::new(V::ZERO, V::axis(0)).expect("valid");
    let refused = |max_distance: Real| {
        let options = RayOptions {
            max_distance,
            ..RayOptions::default()
        };
        cast_ray(&ray, Placed::new(&shape, &Pose::IDENTITY), options)
            .map_err(|error| error.to_string())
    };
    assert_eq!(
        refused(-1.0),
        Err("max_distance is -1, must be >= 0".into())
    );
    assert_eq!(
        refused(Real::NAN),
        Err("max_distance is NaN, must be >= 0".into())
    );
    assert!(refused(0.0).is_ok() && refused(-0.0).is_ok());
    let pose = Pose::from_translation(V::splat(Real::NAN));
    let placed = Placed::new(&shape, &pose);
    let error = cast_ray(&ray, placed, RayOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("b.pose.translation[0] is NaN"), "{error}");
    let point = V::ZERO.with_component(1, Real::INFINITY);
    let error = point_proximity(point, Placed::new(&shape, &Pose::IDENTITY), 1.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "point[1] is inf, must be finite and at most 3.4028235e38 in size"
    );
}

fn the_ends_of_the_range_of_numbers_are_no_trouble<V: Space>() {
    let mut random = Pcg::new(305);
    let sizes = [1e-44, 1e-38, 1e-20, 1.0, 1e20, 1e38];
    for kind in Kind::bounded::<V>() {
        for _ in 0..iterations(200) {
            let size = random.pick(&sizes);
            let place = random.pick(&sizes);
            let pose = Pose::new(random.point::<V>(place), turned::<V>(&mut random));
            let solid = Solid::new(Recipe::<V>::random(kind, &mut random, size), pose);
            let body = solid.body();
            let far = random.pick(&sizes);
            let direction = random.direction::<V::Precise>() * random.pick(&[1e-44, 1.0, 3e38]);
            let Ok(ray) = Ray::new(random.point::<V>(far), V::from_precise(direction)) else {
                continue;
            };
            for interior in [Interior::Solid, Interior::Hollow] {
                let options = RayOptions {
                    interior,
                    ..RayOptions::default()
                };
                let answer = cast_ray(&ray, body.placed(), options).expect("valid");
                if let Some(hit) = answer {
                    check_form(&ray, &hit, &|| format!("{hit:?} {ray:?} {body:?}"));
                }
            }
        }
    }
}

fn a_point_is_a_ball_without_radius<V: Space>() {
    let mut random = Pcg::new(306);
    for kind in Kind::all::<V>() {
        for _ in 0..iterations(100) {
            let body = Body::new(
                V::shape(kind, &mut random, 1.0),
                Pose::new(random.point::<V>(2.0), turned::<V>(&mut random)),
            );
            let point = random.point::<V>(3.0);
            let radius = 1e-3;
            let ball = Shape::<V>::ball(radius).expect("valid");
            let pose = Pose::from_translation(point);
            let of_ball = proximity(Placed::new(&ball, &pose), body.placed(), Real::INFINITY);
            let of_point = point_proximity(point, body.placed(), Real::INFINITY);
            let (Ok(Proximity::Near(of_ball)), Ok(Proximity::Near(of_point))) = (of_ball, of_point)
            else {
                panic!("{of_ball:?} {of_point:?}")
            };
            let apart = (of_point.distance - of_ball.distance - radius).abs();
            assert!(apart <= 1e-4, "{of_point:?} {of_ball:?} {body:?}");
            assert_eq!(of_point.point_a(), point);
            assert!(of_point.lower <= of_point.distance && of_point.distance <= of_point.upper);
        }
    }
}

/// A ray that starts above a half-space falls for its height over the sine of the angle.
#[test]
fn half_spaces_are_hit_at_their_plane() {
    let mut random = Pcg::new(307);
    for _ in 0..iterations(2000) {
        let normal = random.direction::<clearance_math::DVec3>();
        let shape = Shape::half_space(normal.as_vec3()).expect("of unit length");
        let pose = Pose::new(
            random.point::<clearance_math::Vec3>(10.0),
            turned::<clearance_math::Vec3>(&mut random),
        );
        let body = Body::new(shape, pose);
        let up = body.plane_normal().expect("a plane");
        let ray = Ray::<clearance_math::Vec3>::new(
            random.point::<clearance_math::Vec3>(20.0),
            random.point(1.0),
        )
        .expect("not zero");
        let line = Line::of(&ray);
        let height = up.dot(line.origin - pose.position());
        let rate = up.dot(line.direction);
        let hit = cast_ray(&ray, body.placed(), RayOptions::default()).expect("valid");
        let context = || format!("{hit:?} {ray:?} {body:?}");
        if height <= 0.0 {
            let hit = hit.expect("inside");
            assert_eq!((hit.distance, hit.normal), (0.0, None), "{}", context());
        } else if rate < 0.0 {
            let expected = height / -rate;
            let hit = hit.unwrap_or_else(|| panic!("{}", context()));
            let slack = 1e-13 * (1.0 + expected) / -rate;
            assert!(f64::from(hit.lower) <= expected + slack, "{}", context());
            assert!(f64::from(hit.upper) >= expected - slack, "{}", context());
            assert!(
                hit.normal
                    .is_some_and(|n| (n.as_dvec3() - up).length() < 1e-6)
            );
        } else {
            assert!(hit.is_none(), "{}", context());
        }
    }
}

/// Both ends of the line are inside of the endless cone of the flank, and it crosses the plane of the base far
/// away: an early version took that for a hit.
#[test]
fn a_line_below_a_cone_misses_it() {
    let shape = Shape::<clearance_math::Vec3>::cone(0.3, 1.2).expect("valid");
    let body = Body::new(shape, Pose::IDENTITY);
    let from = clearance_math::Vec3::new(0.0, -1.0, 0.0);
    for direction in [
        [-0.93, 0.17, 0.32],
        [0.93, 0.17, 0.32],
        [1.0, 0.0, 0.0],
        [0.9, -0.1, 0.1],
    ] {
        let ray = Ray::new(from, direction.into()).expect("valid");
        let hit = cast_ray(&ray, body.placed(), RayOptions::default()).expect("valid");
        assert_eq!(hit, None, "{ray:?}");
    }
}
