//! The step moves bodies by their velocities, and writes their transforms.

use bevy_clearance::dim2::{BodyKind, Collider, Velocity};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::Transform;

use crate::common::{app2, at, ball, insert, restore, spawn, transform_of, world2};

#[test]
fn velocities_move_transforms_also_of_children() {
    let mut app = app2();
    let quarter = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    let parent = Transform::from_xyz(5.0, 0.0, 1.0).with_rotation(quarter);
    let parent = spawn(&mut app, parent.with_scale(Vec3::splat(2.0)));
    let mut velocity = Velocity::linear(Vec2::new(64.0, 0.0));
    velocity.angular = 6.4;
    let moving = |place: Vec3| (ball(0.5), velocity, Transform::from_translation(place));
    let free = spawn(&mut app, moving(Vec3::new(0.0, 9.0, 7.0)));
    let child = (moving(Vec3::new(0.0, 0.0, 3.0)), ChildOf(parent));
    let child = spawn(&mut app, child);
    let wall = (moving(Vec3::new(0.0, -9.0, 0.0)), BodyKind::Fixed);
    let wall = spawn(&mut app, wall);
    for _ in 0..10 {
        app.update();
    }
    // 64 steps a second, one unit and a tenth of a radian each; the parent is turned and twice as large.
    let turn = Quat::from_rotation_z(1.0);
    let expected = [(free, [10.0, 9.0, 7.0]), (child, [0.0, -5.0, 3.0])];
    for (entity, place) in expected {
        let found = *transform_of(&mut app, entity);
        let away = found.translation - Vec3::from(place);
        assert!(away.length() < 1e-4, "{found:?}");
        assert!(found.rotation.angle_between(turn) < 1e-3, "{found:?}");
    }
    assert_eq!(*transform_of(&mut app, wall), at(0.0, -9.0));
    // The game may put it elsewhere, and it goes on from there; or give it another velocity.
    insert(&mut app, free, at(-3.0, 0.0));
    app.update();
    assert_eq!(transform_of(&mut app, free).translation.x, -2.0);
    let mut free_velocity = app.world_mut().get_mut::<Velocity>(free);
    free_velocity.as_mut().expect("it has one").linear.x = 128.0;
    app.update();
    assert_eq!(transform_of(&mut app, free).translation.x, 0.0);
}

#[test]
fn children_and_parents_may_both_have_velocities() {
    let mut app = app2();
    let turning = Velocity {
        linear: Vec2::X * 64.0,
        angular: 32.0,
    };
    let parent = spawn(&mut app, (ball(0.25), turning));
    let child = (ball(0.25), at(0.0, 3.0), ChildOf(parent));
    let child = spawn(&mut app, (child, Velocity::linear(Vec2::Y * 64.0)));
    app.update();
    for steps in 1..=5 {
        let pose = |entity| {
            let body = world2(&app).body(entity).expect("it is there").1;
            *world2(&app).world().body(body).expect("it is there").pose()
        };
        let (steps, of_parent, of_child) = (steps as f32, pose(parent), pose(child));
        assert!((of_parent.translation() - Vec2::new(steps, 0.0)).length() < 1e-4);
        // Along the axes of the world, and not turned with the parent.
        assert!((of_child.translation() - Vec2::new(0.0, 3.0 + steps)).length() < 1e-4);
        assert!(of_child.rotation.angle().abs() < 1e-4);
        app.update();
    }
}

#[test]
fn a_child_of_a_mirrored_parent_turns_as_its_velocity_says() {
    let mut app = app2();
    let mirrored = at(0.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0));
    let parent = spawn(&mut app, mirrored.with_rotation(Quat::from_rotation_z(0.5)));
    let wheel = Collider::cuboid(Vec2::new(1.0, 0.5)).expect("it has a size");
    let turning = Velocity {
        linear: Vec2::ZERO,
        angular: 6.4,
    };
    let wheel = spawn(&mut app, (wheel, turning, ChildOf(parent)));
    app.update();
    let angle = |app: &bevy_app::App| {
        let (world, body) = world2(app).body(wheel).expect("it is there");
        let world = world2(app).get(world).expect("it is there");
        let pose = *world.body(body).expect("it is there").pose();
        pose.rotation.angle()
    };
    let before = angle(&app);
    (0..5).for_each(|_| app.update());
    let turned = angle(&app) - before;
    assert!((turned - 0.5).abs() < 1e-3, "{turned}");
}

#[test]
fn a_flat_parent_makes_no_transform_that_is_none() {
    let mut app = app2();
    let flat = spawn(&mut app, at(1.0, 0.0).with_scale(Vec2::ONE.extend(0.0)));
    let moving = Velocity::linear(Vec2::X);
    let child = spawn(&mut app, (ball(0.5), moving, ChildOf(flat)));
    app.update();
    app.update();
    assert!(transform_of(&mut app, child).is_finite());
}

/// Lifts that the game moves by their transforms have a velocity for who stands on them, as those with a `Velocity`; also after a
/// restore.
#[test]
fn lifts_moved_by_transforms_have_velocities() {
    use crate::common::asked;
    use bevy_clearance::dim2::{MoveAndSlide, SpatialFilter};
    use rand::{RngExt, SeedableRng};
    let mut random = rand_pcg::Pcg64::seed_from_u64(19);
    for _ in 0..8 {
        let mut app = app2();
        let plate = Collider::cuboid(Vec2::new(3.0, 0.25)).expect("it has a size");
        let lift = spawn(&mut app, (plate, at(0.0, 0.0)));
        let hero = spawn(&mut app, (ball(0.5), at(0.0, 0.8)));
        app.update();
        let mut number = || random.random_range(-4.0_f32..4.0);
        let velocity = Vec2::new(number(), number());
        let (mut ground, mut told, mut saved) = (None, Vec::new(), None);
        for frame in 0..20 {
            if frame == 10 && saved.is_none() {
                let places = [lift, hero].map(|entity| *transform_of(&mut app, entity));
                saved = Some((world2(&app).snapshot(), places, ground));
            }
            transform_of(&mut app, lift).translation += (velocity / 64.0).extend(0.0);
            let place = *transform_of(&mut app, hero);
            let step = MoveAndSlide::new(hero, &place, Vec2::Y * -0.07).standing_on(ground);
            let slide = asked(&mut app, |space| {
                space.move_and_slide(&step, &SpatialFilter::new())
            });
            let slide = slide.expect("it is valid").expect("it has a body");
            slide.apply_to(&mut transform_of(&mut app, hero));
            ground = slide.slide.ground;
            told.push(ground);
            app.update();
            if frame > 2 {
                let found = ground.expect("it stands").velocity;
                assert!((found - velocity).length() < 1e-3, "{found} {velocity}");
            }
        }
        let (snapshot, places, before) = saved.expect("it was saved");
        insert(&mut app, lift, places[0]);
        insert(&mut app, hero, places[1]);
        restore(&mut app, &snapshot);
        let step = MoveAndSlide::new(hero, &places[1], Vec2::Y * -0.07).standing_on(before);
        let slide = asked(&mut app, |space| {
            space.move_and_slide(&step, &SpatialFilter::new())
        });
        let slide = slide.expect("it is valid").expect("it has a body");
        assert_eq!(slide.slide.ground, told[10]);
    }
}
