//! What cannot be a body says so, once, and keeps nobody else from colliding.

use std::sync::Mutex;
use std::thread::{ThreadId, current};

use bevy_clearance::{Cause, PlacementError, dim3};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::Transform;

use crate::common::{app2, app3, at, ball, insert, spawn, transform_of, world2, world3};
use bevy_clearance::dim2::Collider;

#[test]
fn a_shear_is_a_problem_of_its_entity_until_it_ends() {
    let mut app = app2();
    let wide = spawn(&mut app, at(0.0, 0.0).with_scale(Vec3::new(3.0, 1.0, 1.0)));
    let turned = at(0.0, 0.0).with_rotation(Quat::from_rotation_z(0.5));
    let tile = Collider::cuboid(Vec2::ONE).expect("it has a size");
    let child = spawn(&mut app, (tile, turned, ChildOf(wide)));
    app.update();
    let problems: Vec<_> = world2(&app).problems().cloned().collect();
    let [problem] = &problems[..] else {
        panic!("{problems:?}")
    };
    assert_eq!(problem.entity, child);
    assert!(
        matches!(
            problem.cause,
            Cause::Placement(PlacementError::Sheared {
                first: 0,
                second: 1,
                ..
            })
        ),
        "{problem}"
    );
    assert!(world2(&app).world().is_empty());
    insert(&mut app, wide, at(0.0, 0.0).with_scale(Vec3::splat(3.0)));
    app.update();
    assert_eq!(
        (world2(&app).problems().count(), world2(&app).world().len()),
        (0, 1)
    );
}

#[test]
fn what_is_no_place_or_scale_is_a_problem() {
    let mut app = app2();
    let nan = spawn(&mut app, (ball(0.5), at(f32::NAN, 0.0)));
    let flat = spawn(
        &mut app,
        (ball(0.5), at(0.0, 0.0).with_scale(Vec3::new(1.0, 0.0, 1.0))),
    );
    let tilted = at(0.0, 0.0).with_rotation(Quat::from_rotation_x(0.5));
    let tilted = spawn(&mut app, (ball(0.5), tilted));
    let fine = spawn(&mut app, ball(0.5));
    app.update();
    let mut entities = vec![nan, flat, tilted];
    entities.sort();
    assert!(
        world2(&app)
            .problems()
            .map(|problem| problem.entity)
            .eq(entities)
    );
    assert!(world2(&app).body(fine).is_some() && world2(&app).world().len() == 1);
    // What was a body goes when it becomes impossible, and comes back.
    insert(&mut app, fine, at(f32::INFINITY, 0.0));
    app.update();
    assert!(world2(&app).body(fine).is_none());
    insert(&mut app, fine, at(1.0, 0.0));
    app.update();
    assert!(world2(&app).body(fine).is_some());
}

/// Keeps what is logged, and by which thread: other tests log at the same time.
struct Log(Mutex<Vec<(ThreadId, String)>>);

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let mut lines = self.0.lock().expect("no test panicked in it");
        lines.push((current().id(), record.args().to_string()));
    }

    fn flush(&self) {}
}

static LOG: Log = Log(Mutex::new(Vec::new()));

#[test]
fn a_problem_is_logged_once() {
    log::set_logger(&LOG).expect("no other logger is set");
    log::set_max_level(log::LevelFilter::Error);
    let logged = || {
        let lines = LOG.0.lock().expect("no test panicked in it");
        lines.iter().filter(|line| line.0 == current().id()).count()
    };
    let mut app = app2();
    let flat = at(0.0, 0.0).with_scale(Vec3::ZERO);
    let entity = spawn(&mut app, (ball(0.5), flat));
    for x in 0..5 {
        transform_of(&mut app, entity).translation.y = x as f32;
        app.update();
    }
    assert_eq!(logged(), 1);
    insert(&mut app, entity, at(0.0, 0.0));
    app.update();
    insert(&mut app, entity, flat);
    app.update();
    assert_eq!(logged(), 2);
}

#[test]
fn a_body_that_leaves_the_range_of_numbers_is_a_problem_and_the_others_go_on() {
    let mut app = app3();
    let lost = dim3::Velocity::linear(Vec3::splat(3e38));
    let collider = || dim3::Collider::ball(0.5).expect("it has a size");
    let lost = spawn(
        &mut app,
        (collider(), lost, Transform::from_xyz(3.4e38, 0.0, 0.0)),
    );
    let other = spawn(
        &mut app,
        (collider(), dim3::Velocity::linear(Vec3::X * 64.0)),
    );
    app.update();
    app.update();
    assert!(
        world3(&app)
            .problems()
            .map(|problem| problem.entity)
            .eq([lost])
    );
    assert_eq!(
        app.world()
            .entity(other)
            .get::<Transform>()
            .map(|transform| transform.translation.x),
        Some(2.0)
    );
}
