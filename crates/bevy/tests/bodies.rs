//! Entities become bodies, and go on being what their components say.

mod common;

use bevy_app::{
    App, FixedFirst, FixedLast, FixedPreUpdate, FixedUpdate, Last, PostUpdate, PreUpdate, Update,
};
use bevy_clearance::dim2::{
    Collider, CollisionWorld, CompoundBody, InWorld, Layers, Margin, Mobility, PartContacts, Swept,
    Velocity, WorldOrigin,
};
use bevy_clearance::{Cause, CollisionSystems, PlacementError, dim3};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::Transform;
use clearance::dim2::DVec2;
use common::{app2, app3, ask, between, between3, spawn, transform_of, world2, world3};

fn ball(radius: f32) -> Collider {
    Collider::ball(radius).expect("the radius is positive")
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

fn distance(app: &mut App, a: Entity, b: Entity) -> Option<f32> {
    between(app, a, b).map(|contact| contact.distance)
}

#[test]
fn one_line_makes_an_entity_collide() {
    let mut app = app2();
    let a = spawn(&mut app, ball(0.5));
    let b = spawn(&mut app, (ball(0.5), at(0.75, 0.0)));
    app.update();
    let contact = between(&mut app, b, a).expect("they overlap");
    assert_eq!(
        (
            contact.entity,
            contact.other,
            contact.distance,
            contact.normal
        ),
        (b, a, -0.25, -Vec2::X)
    );
    assert_eq!(
        (contact.point(), contact.other_point()),
        (Vec2::new(0.25, 0.0), Vec2::new(0.5, 0.0))
    );
    assert_eq!(
        contact.flipped(),
        between(&mut app, a, b).expect("they overlap")
    );
}

#[test]
fn parents_move_turn_and_scale_their_children() {
    let mut app = app3();
    let parent = Transform::from_xyz(10.0, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_z(core::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    let parent = spawn(&mut app, parent);
    let cuboid = dim3::Collider::cuboid(Vec3::new(1.0, 0.25, 0.25)).expect("it has a size");
    let child = (
        cuboid,
        Transform::from_xyz(3.0, 0.0, 0.0).with_scale(Vec3::new(2.0, 1.0, 1.0)),
        ChildOf(parent),
    );
    let child = spawn(&mut app, child);
    // The child is at (10, 6, 0), a box of half extents (0.5, 4, 0.5).
    let probe = (
        dim3::Collider::ball(1.0).expect("it has a size"),
        Transform::from_xyz(10.0, 11.02, 0.0),
    );
    let probe = spawn(&mut app, probe);
    app.update();
    let contact = between3(&mut app, child, probe).expect("they are near");
    assert!(
        (contact.distance - 0.02).abs() < 1e-5 && (contact.normal - Vec3::Y).length() < 1e-5,
        "{contact:?}"
    );
    // Moved with its parent, the shape is the one that was scaled before.
    transform_of(&mut app, parent).translation.y += 0.5;
    app.update();
    let contact = between3(&mut app, child, probe).expect("they overlap");
    assert!((contact.distance + 0.48).abs() < 1e-5, "{contact:?}");
}

#[test]
fn a_flip_of_a_sprite_mirrors_its_shape() {
    let mut app = app2();
    let wedge = Collider::triangle(Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(0.0, 1.0))
        .expect("it is finite");
    let turned = at(0.0, 0.0).with_rotation(Quat::from_rotation_y(core::f32::consts::PI));
    let flips = [at(0.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0)), turned];
    for flip in flips {
        let wedge = spawn(&mut app, (wedge.clone(), flip));
        let tip = spawn(&mut app, (ball(0.5), at(-2.25, 0.0)));
        app.update();
        let distance = distance(&mut app, wedge, tip).expect("the tip is at the left");
        assert!((distance + 0.25).abs() < 1e-3, "{distance}");
        app.world_mut().despawn(wedge);
        app.world_mut().despawn(tip);
    }
}

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
    app.world_mut()
        .entity_mut(wide)
        .insert(at(0.0, 0.0).with_scale(Vec3::splat(3.0)));
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
    app.world_mut()
        .entity_mut(fine)
        .insert(at(f32::INFINITY, 0.0));
    app.update();
    assert!(world2(&app).body(fine).is_none());
    app.world_mut().entity_mut(fine).insert(at(1.0, 0.0));
    app.update();
    assert!(world2(&app).body(fine).is_some());
}

/// Counts the errors that are logged.
struct Counter(std::sync::Mutex<Vec<String>>);

impl log::Log for Counter {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        self.0
            .lock()
            .expect("no test panicked in it")
            .push(record.args().to_string());
    }

    fn flush(&self) {}
}

static LOG: Counter = Counter(std::sync::Mutex::new(Vec::new()));

#[test]
fn a_problem_is_logged_once() {
    log::set_logger(&LOG).expect("no other logger is set");
    log::set_max_level(log::LevelFilter::Error);
    let mut app = app2();
    let entity = spawn(&mut app, (ball(0.5), at(0.0, 0.0).with_scale(Vec3::ZERO)));
    let name = entity.to_string();
    let logged = || {
        LOG.0
            .lock()
            .expect("it is whole")
            .iter()
            .filter(|line| line.contains(&name))
            .count()
    };
    for x in 0..5 {
        transform_of(&mut app, entity).translation.y = x as f32;
        app.update();
    }
    // Other tests may log about an entity of the same name in worlds of their own, but not of a scale along x alone.
    let once = LOG
        .0
        .lock()
        .expect("it is whole")
        .iter()
        .filter(|line| line.contains("scale[0] is 0"))
        .count();
    assert_eq!(once, 1, "{}", logged());
    app.world_mut().entity_mut(entity).insert(at(0.0, 0.0));
    app.update();
    app.world_mut()
        .entity_mut(entity)
        .insert(at(0.0, 0.0).with_scale(Vec3::ZERO));
    app.update();
    let again = LOG
        .0
        .lock()
        .expect("it is whole")
        .iter()
        .filter(|line| line.contains("scale[0] is 0"))
        .count();
    assert_eq!(again, 2);
}

fn despawns_in(schedule: impl ScheduleLabel + Clone) {
    let mut app = app2();
    let a = spawn(&mut app, ball(0.5));
    let b = spawn(&mut app, (ball(0.5), at(0.5, 0.0)));
    app.update();
    assert!(between(&mut app, a, b).is_some());
    app.add_systems(
        schedule,
        move |mut commands: Commands, mut done: Local<bool>| {
            if !core::mem::replace(&mut *done, true) {
                commands.entity(a).despawn();
                // One that lives for less than a step, and one that takes its place.
                let short = commands.spawn(ball(3.0)).id();
                commands.entity(short).despawn();
                commands.spawn(ball(0.25));
            }
        },
    );
    for _ in 0..3 {
        app.update();
    }
    assert!(between(&mut app, a, b).is_none());
    assert_eq!(world2(&app).world().len(), 2);
    assert_eq!(world2(&app).world().contacts().len(), 1);
    assert_eq!(
        ask(&mut app, |contacts: bevy_clearance::dim2::Contacts| {
            contacts.of(Entity::PLACEHOLDER).count()
        }),
        0
    );
    assert_eq!(
        ask(&mut app, move |contacts: bevy_clearance::dim2::Contacts| {
            contacts.of(b).count()
        }),
        1
    );
}

#[test]
fn bodies_may_despawn_in_every_schedule() {
    despawns_in(PreUpdate);
    despawns_in(FixedFirst);
    despawns_in(FixedPreUpdate);
    despawns_in(FixedUpdate);
    despawns_in(FixedLast);
    despawns_in(Update);
    despawns_in(PostUpdate);
    despawns_in(Last);
}

#[test]
fn removed_in_a_frame_without_a_step_is_removed() {
    let mut app = app2();
    let a = spawn(&mut app, ball(0.5));
    app.update();
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(
        core::time::Duration::ZERO,
    ));
    app.world_mut().entity_mut(a).remove::<Collider>();
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(world2(&app).world().len(), 1, "no step yet");
    app.insert_resource(bevy_time::TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    assert!(world2(&app).world().is_empty());
    app.world_mut().entity_mut(a).insert(ball(1.0));
    app.update();
    assert_eq!(world2(&app).world().len(), 1);
}

#[test]
fn components_are_followed_when_they_come_change_and_go() {
    let mut app = app2();
    let entity = spawn(
        &mut app,
        (
            ball(0.5),
            Mobility::Fixed,
            Layers::member_of(2),
            Margin(0.25),
            Swept,
            PartContacts,
        ),
    );
    app.update();
    let body = |app: &App| {
        world2(app)
            .world()
            .bodies()
            .next()
            .expect("one body")
            .to_body()
    };
    let first = body(&app);
    assert_eq!(
        (first.kind, first.groups.memberships, first.extra_margin),
        (clearance::Kind::Fixed, 2, 0.25)
    );
    assert!(first.swept && first.part_contacts);
    app.world_mut()
        .entity_mut(entity)
        .remove::<(Swept, PartContacts, Margin)>()
        .insert(Layers::member_of(4))
        .insert(ball(2.0));
    *app.world_mut()
        .entity_mut(entity)
        .get_mut::<Mobility>()
        .expect("it has one") = Mobility::Moving;
    app.update();
    let then = body(&app);
    assert_eq!(
        (then.kind, then.groups.memberships, then.extra_margin),
        (clearance::Kind::Moving, 4, 0.0)
    );
    assert!(!then.swept && !then.part_contacts);
    assert_eq!(then.shape, *ball(2.0).shape());
}

#[test]
fn nothing_is_sent_at_rest() {
    let mut app = app2();
    let parent = spawn(
        &mut app,
        at(1.0, 1.0)
            .with_rotation(Quat::from_rotation_z(0.3))
            .with_scale(Vec3::splat(1.7)),
    );
    let mut last = parent;
    for x in 0..50 {
        last = spawn(
            &mut app,
            (
                ball(0.5),
                at(x as f32, 0.0).with_scale(Vec3::splat(0.9)),
                ChildOf(parent),
            ),
        );
    }
    app.update();
    assert_eq!(world2(&app).world().profile().boxes_updated, 50);
    for _ in 0..3 {
        app.update();
        assert_eq!(world2(&app).world().profile().boxes_updated, 0);
    }
    // What is set to what it was is not sent on either.
    transform_of(&mut app, last).set_changed();
    *app.world_mut()
        .entity_mut(last)
        .get_mut::<Layers>()
        .expect("it has some") = Layers::ALL;
    app.update();
    assert_eq!(world2(&app).world().profile().boxes_updated, 0);
    transform_of(&mut app, last).translation.x += 1.0;
    app.update();
    assert_eq!(world2(&app).world().profile().boxes_updated, 1);
}

#[test]
fn what_rests_is_not_stepped_and_wakes_up() {
    let mut app = app2();
    let a = spawn(&mut app, ball(0.5));
    let b = spawn(&mut app, (ball(0.5), at(0.25, 0.0)));
    let began = |app: &mut App| {
        app.update();
        let began = |event: &clearance::dim2::Event| event.kind == clearance::EventKind::Began;
        world2(app).world().events().filter(began).count()
    };
    assert_eq!([0; 4].map(|_| began(&mut app)), [1, 0, 0, 0]);
    app.world_mut().entity_mut(b).insert(at(9.0, 0.0));
    app.update();
    assert!(between(&mut app, a, b).is_none());
    app.world_mut().entity_mut(b).insert(at(0.5, 0.0));
    assert_eq!([0; 4].map(|_| began(&mut app)), [1, 0, 0, 0]);
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    world.world_mut().set_margin(3.0).expect("it is valid");
    app.world_mut().entity_mut(b).insert(at(3.5, 0.0));
    app.update();
    assert_eq!(distance(&mut app, a, b), Some(2.5));
}

#[test]
fn children_make_one_body_of_a_compound() {
    let mut app = app2();
    let car = spawn(&mut app, (CompoundBody, at(10.0, 0.0)));
    let tile = Collider::cuboid(Vec2::new(1.0, 0.25)).expect("it has a size");
    let hull = spawn(&mut app, (tile, ChildOf(car)));
    let axle = spawn(&mut app, (at(1.0, -0.5), ChildOf(car)));
    let wheel = spawn(&mut app, (ball(0.25), ChildOf(axle)));
    let ground = spawn(
        &mut app,
        (
            Collider::half_space(Vec2::Y).expect("it is a unit"),
            at(0.0, -0.76),
            Mobility::Fixed,
        ),
    );
    app.update();
    assert_eq!(world2(&app).world().len(), 2);
    let contact = between(&mut app, car, ground).expect("the wheel is near");
    assert_eq!(
        (contact.entity, contact.collider, contact.other_collider),
        (car, wheel, ground)
    );
    assert!((contact.distance - 0.01).abs() < 1e-6, "{contact:?}");
    assert_eq!(
        ask(&mut app, move |contacts: bevy_clearance::dim2::Contacts| {
            contacts.of(hull).count()
        }),
        0
    );
    assert_eq!(
        ask(&mut app, move |contacts: bevy_clearance::dim2::Contacts| {
            contacts.of(wheel).count()
        }),
        1
    );
    // Drives on: one new pose. The axle goes up: another shape.
    transform_of(&mut app, car).translation.x += 1.0;
    app.update();
    assert!(between(&mut app, car, ground).is_some());
    transform_of(&mut app, axle).translation.y += 0.02;
    app.update();
    let contact = between(&mut app, car, ground).expect("the wheel is near");
    assert!((contact.distance - 0.03).abs() < 1e-6, "{contact:?}");
    // On its own, the wheel is a body.
    app.world_mut().entity_mut(wheel).remove::<ChildOf>();
    app.update();
    assert_eq!(world2(&app).world().len(), 3);
    app.world_mut().entity_mut(wheel).insert(ChildOf(axle));
    app.update();
    assert_eq!(world2(&app).world().len(), 2);
    // Without the mark, each is a body.
    app.world_mut().entity_mut(car).remove::<CompoundBody>();
    app.update();
    assert_eq!(world2(&app).world().len(), 3);
    app.world_mut().entity_mut(car).insert(CompoundBody);
    app.world_mut().despawn(axle);
    app.update();
    assert_eq!(world2(&app).world().len(), 2);
    assert!(between(&mut app, car, ground).is_none());
    assert!(world2(&app).body(wheel).is_none());
}

#[test]
fn layers_decide_who_meets_whom() {
    let mut app = app2();
    let [wall, ghost] = [1, 2].map(|bit| Layers::member_of(bit).meeting(bit));
    let a = spawn(&mut app, (ball(0.5), wall));
    let b = spawn(&mut app, (ball(0.5), ghost));
    app.update();
    assert!(between(&mut app, a, b).is_none());
    *app.world_mut()
        .entity_mut(b)
        .get_mut::<Layers>()
        .expect("it has some") = wall;
    app.update();
    assert!(between(&mut app, a, b).is_some());
    let ignored = app
        .world_mut()
        .resource_mut::<CollisionWorld>()
        .ignore_pair(a, b);
    app.update();
    assert!(ignored && between(&mut app, a, b).is_none());
}

#[test]
fn worlds_know_nothing_of_each_other() {
    let mut app = app2();
    let a = spawn(&mut app, ball(0.5));
    let b = spawn(&mut app, (ball(0.5), InWorld(3)));
    app.update();
    assert!(between(&mut app, a, b).is_none());
    assert_eq!(
        world2(&app).get(InWorld(3)).map(|world| world.len()),
        Some(1)
    );
    app.world_mut().entity_mut(b).insert(InWorld(0));
    app.update();
    assert!(between(&mut app, a, b).is_some());
    assert_eq!(
        world2(&app).get(InWorld(3)).map(|world| world.len()),
        Some(0)
    );
}

#[test]
fn an_origin_keeps_places_exact_far_away() {
    let mut app = app2();
    let far = DVec2::new(3e9, -5e9);
    app.insert_resource(WorldOrigin { position: far });
    let a = spawn(&mut app, ball(0.5));
    let b = spawn(&mut app, (ball(0.5), at(1.03125, 0.0)));
    app.update();
    assert_eq!(distance(&mut app, a, b), Some(0.03125));
    let contact = between(&mut app, a, b).expect("they are near");
    assert_eq!(
        (contact.position, world2(&app).local(contact.position)),
        (far + DVec2::new(0.5, 0.0), Vec2::new(0.5, 0.0))
    );
    // The origin moves on, and the entities back.
    app.insert_resource(WorldOrigin {
        position: far + DVec2::new(64.0, 0.0),
    });
    for entity in [a, b] {
        transform_of(&mut app, entity).translation.x -= 64.0;
    }
    app.update();
    assert_eq!(between(&mut app, a, b), Some(contact));
    assert_eq!(world2(&app).world().profile().boxes_updated, 0);
}

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
    let wall = (moving(Vec3::new(0.0, -9.0, 0.0)), Mobility::Fixed);
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
    app.world_mut().entity_mut(free).insert(at(-3.0, 0.0));
    app.update();
    assert_eq!(transform_of(&mut app, free).translation.x, -2.0);
    let mut free_velocity = app.world_mut().get_mut::<Velocity>(free);
    free_velocity.as_mut().expect("it has one").linear.x = 128.0;
    app.update();
    assert_eq!(transform_of(&mut app, free).translation.x, 0.0);
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

#[test]
fn both_dimensions_live_in_one_app() {
    let mut app = app2();
    app.add_plugins(dim3::CollisionPlugin::default());
    let parent = spawn(&mut app, at(5.0, 0.0));
    let flat = spawn(&mut app, (ball(0.5), ChildOf(parent)));
    let solid = dim3::Collider::ball(1.0).expect("it has a size");
    let solid = spawn(&mut app, (solid, ChildOf(parent)));
    let other = spawn(&mut app, (ball(0.5), at(5.0, 0.5)));
    app.update();
    let bodies = (world2(&app).world().len(), world3(&app).world().len());
    assert_eq!(bodies, (2, 1));
    assert_eq!(distance(&mut app, flat, other), Some(-0.5));
    transform_of(&mut app, parent).translation.x += 0.25;
    app.world_mut().despawn(solid);
    app.update();
    assert!(distance(&mut app, flat, other).is_some_and(|distance| distance > -0.5));
    assert!(world3(&app).world().is_empty());
}

#[test]
fn systems_may_be_ordered_by_the_sets() {
    #[derive(Resource, Default)]
    struct Seen(Vec<(usize, usize)>);
    let mut app = app2();
    app.init_resource::<Seen>();
    let look = |world: Res<CollisionWorld>, mut seen: ResMut<Seen>| {
        seen.0
            .push((world.world().len(), world.world().contacts().len()));
    };
    app.add_systems(
        bevy_app::FixedPostUpdate,
        look.after(CollisionSystems::Collect)
            .before(CollisionSystems::Step),
    );
    app.add_systems(
        bevy_app::FixedPostUpdate,
        look.after(CollisionSystems::Report),
    );
    app.world_mut().spawn(ball(0.5));
    app.world_mut().spawn(ball(0.5));
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [(2, 0), (2, 1)]);
}
