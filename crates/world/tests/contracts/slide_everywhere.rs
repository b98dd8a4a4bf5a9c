//! A shape slides alike in every direction, at every scale and place, and whatever the numbers are.

use clearance_gjk::Placed;
use clearance_math::{Pose, Quat, Real, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, SlideOptions, Sliding};

use crate::crowd::{Dimension, Sure};
use crate::random::Random;
use crate::slide_levels::{block, fixed, ramp, stairs};
use crate::slide_walk::{FALL, Walker, walkers, world_of};

crate::in_both_dimensions!(hostile_numbers_do_no_harm);

/// A course of stairs and a ramp, seen by somebody whose world is turned and scaled.
fn places_on_course(turn: Quat, scale: Real, shape: &Shape<Vec3>) -> Vec<(Vec3, bool)> {
    let mut bodies = vec![block(Vec3::new(-9.0, -1.0, -9.0), Vec3::new(9.0, 0.0, 9.0))];
    bodies.extend(stairs(Vec3::new(1.0, 0.0, 0.0), 5, 0.2, 0.4));
    bodies.push(ramp(Vec3::new(-1.0, 0.0, 0.0), 2.6, 4.0));
    let bodies = bodies.into_iter().map(|body| {
        let pose = Pose::new(
            turn * body.pose.translation() * scale,
            turn * body.pose.rotation,
        );
        let shape = body.shape.scaled(scale).unwrap();
        Body::fixed(shape, pose)
    });
    let world = world_of(bodies);
    let shape = shape.scaled(scale).unwrap();
    let mut walker = Walker::new(&world, shape, turn * Vec3::new(0.0, 1.0, 0.3) * scale);
    walker.pose.rotation = turn;
    walker.options = SlideOptions {
        up: Some(turn * Vec3::Y),
        step_height: 0.3 * scale,
        snap_distance: 0.3 * scale,
        // The bounding box of a shape that is turned is larger.
        skin: Some(0.008 * scale),
        ..SlideOptions::default()
    };
    let mut places = Vec::new();
    for frame in 0..125 {
        let speed = if frame < 45 { 0.06 } else { -0.08 };
        let motion = Vec3::new(speed, FALL, 0.001) * scale;
        let slide = walker.go(turn * motion);
        let place = turn.inverse() * slide.pose.translation() / scale;
        places.push((place, slide.ground.is_some()));
    }
    places
}

#[test]
fn up_is_where_it_is_said_to_be_and_scale_does_not_matter() {
    for shape in &walkers() {
        let expected = places_on_course(Quat::IDENTITY, 1.0, shape);
        assert!(expected[10..].iter().all(|(_, stands)| *stands));
        let highest = expected
            .iter()
            .fold(0.0, |most: Real, (place, _)| most.max(place.y));
        assert!(highest > 1.85, "{highest}");
        for turn in [
            Quat::from_rotation_x(core::f32::consts::FRAC_PI_2),
            Quat::from_rotation_z(2.5),
            Quat::from_rotation_y(0.3) * Quat::from_rotation_x(-1.0),
        ] {
            for scale in [1.0, 1e-3, 1e4] {
                let found = places_on_course(turn, scale, shape);
                for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let error = (found.0 - expected.0).length();
                    assert!(
                        error < 5e-3 && found.1 == expected.1,
                        "{k}: {found:?} {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_giant_walks_over_everything() {
    let mut bodies = vec![fixed(Shape::half_space(Vec3::Y).unwrap(), Vec3::ZERO)];
    bodies.extend(stairs(Vec3::ZERO, 10, 0.2, 0.3));
    let world = world_of(bodies);
    let giant = Shape::capsule(500.0, 400.0).unwrap();
    let mut walker = Walker::new(&world, giant, Vec3::new(-2000.0, 909.0, 0.0));
    walker.options.step_height = 100.0;
    walker.options.snap_distance = 100.0;
    let mut walker = walker.land();
    for _ in 0..40 {
        walker.walk(Vec3::X * 100.0);
    }
    assert!(
        (walker.pose.translation().x - 2000.0).abs() < 1.0,
        "{}",
        walker.pose
    );
    assert!((walker.height() - 908.0).abs() < 0.1, "{}", walker.pose);
}

/// A number of any magnitude, and sometimes zero.
fn any_number(random: &mut Random, most: Real) -> Real {
    let sign = [1.0, -1.0][random.below(2)];
    match random.below(8) {
        0 => 0.0,
        1 => sign * (10.0 as Real).powf(random.between(-37.0, most)),
        _ => sign * (10.0 as Real).powf(random.between(-3.0, 3.0)),
    }
}

fn any_vector<V: Vector>(random: &mut Random, most: Real) -> V {
    V::from_fn(|_| any_number(random, most))
}

fn hostile_numbers_do_no_harm<V: Dimension>() {
    let mut random = Random::new(55);
    for _ in 0..300 {
        let bodies: Vec<Body<V>> = (0..6)
            .map(|_| {
                let half = any_vector::<V>(&mut random, 30.0);
                let half = half.max(-half).max(V::splat(1e-30));
                let place = any_vector::<V>(&mut random, 30.0);
                fixed(Shape::cuboid(half).unwrap(), place)
            })
            .collect();
        let mut world = world_of(bodies);
        let (mut contacts, mut ground) = (Vec::new(), None);
        for _ in 0..20 {
            let size = any_number(&mut random, 30.0).abs();
            let shape = match random.below(3) {
                0 => Shape::ball(size.max(1e-30)).unwrap(),
                1 => Shape::segment(V::ZERO, V::axis(0) * size).unwrap(),
                _ => Shape::cuboid(V::splat(size.max(1e-30))).unwrap(),
            };
            let pose = Pose::new(any_vector::<V>(&mut random, 37.0), V::rotation(&mut random));
            let [step_height, snap_distance, skin] =
                [(); 3].map(|()| any_number(&mut random, 37.0).abs());
            let options = SlideOptions {
                max_slope: random.between(0.0, core::f32::consts::FRAC_PI_2),
                max_edge_slope: random.between(0.0, core::f32::consts::FRAC_PI_2),
                step_depth: (skin > 0.1).then_some(snap_distance),
                step_height,
                snap_distance,
                skin: (skin > 1.0).then_some(skin),
                ..SlideOptions::default()
            };
            let a = Placed::new(&shape, &pose);
            let sliding = Sliding::new(a, any_vector(&mut random, 38.0)).standing_on(ground);
            let slide = world.query().slide_into(sliding, options, &mut contacts);
            let slide = slide.unwrap();
            assert!(slide.pose.checked().is_ok(), "{slide:?}");
            assert!(slide.motion.is_finite(), "{slide:?}");
            let again = world.query().slide_into(sliding, options, &mut contacts);
            assert_eq!(again, Ok(slide));
            // The ground goes anywhere, or away.
            ground = slide.ground.or(ground);
            if let Some(ground) = ground.filter(|_| skin > 0.1) {
                let anywhere = Pose::from_translation(any_vector::<V>(&mut random, 37.0));
                world.at(ground.body).set_pose(anywhere).unwrap();
            }
        }
    }
}
