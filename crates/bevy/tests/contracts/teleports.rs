//! Whoever writes a transform, at whatever time in a frame, puts the entity there: also one that slides.

use bevy_app::{
    App, First, FixedFirst, FixedLast, FixedPostUpdate, FixedPreUpdate, FixedUpdate, Last,
    PostUpdate, PreUpdate, Update,
};
use bevy_clearance::dim2::{
    BodyKind, Collider, CollisionSystems, CompoundBody, MoveAndSlide, SpatialFilter, SpatialQuery,
    Velocity, WorldOrigin,
};
use bevy_clearance::{MoveError, PlacementError};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use clearance::dim2::{DVec2, SlideOptions};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::{app2, asked, at, ball, spawn, transform_of};

const STEP: Vec2 = Vec2::new(0.0625, 0.125);

#[derive(Component)]
struct Hero;

/// Where the hero is to be put next.
#[derive(Resource, Default)]
struct Portal(Option<Vec3>);

fn walk(hero: Single<(Entity, &mut Transform), With<Hero>>, space: SpatialQuery) -> Result {
    let (entity, mut transform) = hero.into_inner();
    let options = SlideOptions {
        up: None,
        ..SlideOptions::default()
    };
    let step = MoveAndSlide::new(entity, &transform, STEP).with_options(options);
    if let Some(slide) = space.move_and_slide(&step, &SpatialFilter::new())? {
        slide.apply_to(&mut transform);
    }
    Ok(())
}

fn leap(mut hero: Single<&mut Transform, With<Hero>>, mut portal: ResMut<Portal>) {
    if let Some(place) = portal.0.take() {
        hero.translation = place;
    }
}

/// A game in which the hero walks in `FixedUpdate`, and is put elsewhere by a system that `add` adds.
fn game(hero: impl Bundle, add: &dyn Fn(&mut App)) -> (App, Entity) {
    let mut app = app2();
    app.init_resource::<Portal>();
    app.add_systems(FixedUpdate, walk);
    add(&mut app);
    let hero = spawn(&mut app, (Hero, ball(0.25), at(0.0, 0.0), hero));
    app.update();
    (app, hero)
}

/// The hero goes on from random places: by one step more in each frame, whenever it was put there.
fn goes_on_from_anywhere(hero: impl Bundle, walks_first: bool, add: &dyn Fn(&mut App)) {
    let mut random = Pcg64::seed_from_u64(15);
    let (mut app, hero) = game(hero, add);
    let mut place = transform_of(&mut app, hero).translation;
    for frame in 0..30 {
        if frame % 3 == 1 {
            // Numbers of few bits, which no sum rounds.
            let mut number = || random.random_range(-999..999) as f32 / 16.0;
            place = Vec3::new(number(), number(), 7.0);
            app.world_mut().resource_mut::<Portal>().0 = Some(place);
            place -= STEP.extend(0.0) * f32::from(u8::from(walks_first));
        }
        app.update();
        place += STEP.extend(0.0);
        assert_eq!(transform_of(&mut app, hero).translation, place, "{frame}");
    }
}

fn goes_on_from_a_place_written_in(schedule: impl ScheduleLabel + Clone, walks_first: bool) {
    let add = |app: &mut App| _ = app.add_systems(schedule.clone(), leap);
    goes_on_from_anywhere((), walks_first, &add);
    // The step writes transforms of those with a velocity, too.
    goes_on_from_anywhere(Velocity::default(), walks_first, &add);
    goes_on_from_anywhere(CompoundBody, walks_first, &add);
}

#[test]
fn a_place_written_in_any_schedule_counts() {
    goes_on_from_a_place_written_in(First, false);
    goes_on_from_a_place_written_in(PreUpdate, false);
    goes_on_from_a_place_written_in(FixedFirst, false);
    goes_on_from_a_place_written_in(FixedPreUpdate, false);
    goes_on_from_a_place_written_in(FixedPostUpdate, true);
    goes_on_from_a_place_written_in(FixedLast, true);
    goes_on_from_a_place_written_in(Update, true);
    goes_on_from_a_place_written_in(PostUpdate, true);
    goes_on_from_a_place_written_in(Last, true);
}

#[test]
fn a_place_written_between_systems_counts() {
    let before = |app: &mut App| _ = app.add_systems(FixedUpdate, leap.before(walk));
    goes_on_from_anywhere((), false, &before);
    let after = |app: &mut App| _ = app.add_systems(FixedUpdate, leap.after(walk));
    goes_on_from_anywhere((), true, &after);
    use CollisionSystems::{Collect, Propagate, Report, Step};
    for set in [Propagate, Collect, Step, Report] {
        goes_on_from_anywhere((), true, &|app| {
            app.add_systems(FixedPostUpdate, leap.before(set));
        });
        goes_on_from_anywhere((), true, &|app| {
            app.add_systems(FixedPostUpdate, leap.after(set));
        });
    }
}

#[test]
fn what_is_written_after_the_question_is_kept() {
    let (mut app, hero) = game((), &|_| {});
    let mut transform = at(3.0, -2.0);
    let step = MoveAndSlide::new(hero, &transform, STEP);
    let slide = asked(&mut app, |space| {
        space.move_and_slide(&step, &SpatialFilter::new())
    });
    let slide = slide.expect("it is valid").expect("it has a body");
    transform.translation += Vec3::new(40.0, 8.0, 1.0);
    transform.rotation = Quat::from_rotation_z(1.0);
    let written = transform;
    slide.apply_to(&mut transform);
    let expected = written.translation + slide.slide.motion.extend(0.0);
    assert!((transform.translation - expected).length() < 1e-5);
    assert_eq!(transform.rotation, written.rotation);
}

#[test]
fn who_is_put_behind_a_wall_is_stopped_by_what_is_there() {
    let (mut app, hero) = game((), &|_| {});
    let wall = Collider::cuboid(Vec2::new(0.5, 9.0)).expect("it has a size");
    spawn(&mut app, (wall, BodyKind::Fixed, at(10.0, 0.0)));
    app.update();
    // From the other side of the wall, and turned.
    let start = at(11.0, 0.0).with_rotation(Quat::from_rotation_z(0.5));
    let step = MoveAndSlide::new(hero, &start, Vec2::X * -5.0);
    let slide = asked(&mut app, |space| {
        space.move_and_slide(&step, &SpatialFilter::new())
    });
    let slide = slide.expect("it is valid").expect("it has a body");
    assert!((slide.translation.x - 10.755).abs() < 1e-3, "{slide:?}");
    assert!((slide.slide.pose.rotation.angle() - 0.5).abs() < 1e-6);
    let nowhere = MoveAndSlide::new(hero, &at(f32::NAN, 0.0), Vec2::X);
    let refused = asked(&mut app, |space| {
        space.move_and_slide(&nowhere, &SpatialFilter::new())
    });
    assert_eq!(
        refused,
        Err(MoveError::Placement(PlacementError::NotFinite))
    );
}

#[test]
fn an_origin_that_moves_moves_nobody() {
    let (mut app, hero) = game((), &|_| {});
    let mut place = transform_of(&mut app, hero).translation;
    for frame in 0..9 {
        // All is moved back by what the origin moves on.
        let shift = Vec2::new(64.0 * frame as f32, -16.0);
        let mut origin = app.world_mut().resource_mut::<WorldOrigin>();
        origin.position += DVec2::from(shift);
        transform_of(&mut app, hero).translation -= shift.extend(0.0);
        place -= shift.extend(0.0);
        app.update();
        place += STEP.extend(0.0);
        assert_eq!(transform_of(&mut app, hero).translation, place, "{frame}");
    }
}

#[test]
fn a_child_sets_out_from_its_global_transform() {
    let mut app = app2();
    let parent = spawn(&mut app, at(5.0, 1.0));
    let child = spawn(&mut app, (ball(0.25), at(1.0, 0.0), ChildOf(parent)));
    app.update();
    let global = app.world().get::<GlobalTransform>(child);
    let place = global.expect("it has one").compute_transform();
    let step = MoveAndSlide::new(child, &place, Vec2::Y);
    let slide = asked(&mut app, |space| {
        space.move_and_slide(&step, &SpatialFilter::new())
    });
    let slide = slide.expect("it is valid").expect("it has a body");
    assert!((slide.translation - Vec2::new(6.0, 2.0)).length() < 1e-6);
}
