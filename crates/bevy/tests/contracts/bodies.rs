//! Entities become bodies, and go on being what their components say.

use crate::common::{
    app2, app3, ask, at, ball, between, between3, insert, spawn, transform_of, world2, world3,
};
use bevy_app::{
    App, FixedFirst, FixedLast, FixedPreUpdate, FixedUpdate, Last, PostUpdate, PreUpdate, Update,
};
use bevy_clearance::dim2::{
    BodyKind, Collider, CollisionWorld, InWorld, Layers, Margin, PartContacts, Swept, Velocity,
    WorldOrigin,
};
use bevy_clearance::{CollisionSystems, dim3};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use clearance::Options;
use clearance::dim2::DVec2;

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
    insert(&mut app, a, ball(1.0));
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
            BodyKind::Fixed,
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
        (clearance::BodyKind::Fixed, 2, 0.25)
    );
    assert!(first.swept && first.part_contacts);
    app.world_mut()
        .entity_mut(entity)
        .remove::<(Swept, PartContacts, Margin)>()
        .insert(Layers::member_of(4))
        .insert(ball(2.0));
    *app.world_mut()
        .entity_mut(entity)
        .get_mut::<BodyKind>()
        .expect("it has one") = BodyKind::Moving;
    app.update();
    let then = body(&app);
    assert_eq!(
        (then.kind, then.groups.memberships, then.extra_margin),
        (clearance::BodyKind::Moving, 4, 0.0)
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
    insert(&mut app, b, at(9.0, 0.0));
    app.update();
    assert!(between(&mut app, a, b).is_none());
    insert(&mut app, b, at(0.5, 0.0));
    assert_eq!([0; 4].map(|_| began(&mut app)), [1, 0, 0, 0]);
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    let options = Options {
        margin: 3.0,
        ..world.world().options()
    };
    world.world_mut().set_options(options).expect("it is valid");
    insert(&mut app, b, at(3.5, 0.0));
    app.update();
    assert_eq!(distance(&mut app, a, b), Some(2.5));
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
fn an_ignored_pair_is_remembered() {
    let mut app = app2();
    let [a, b] = [(); 2].map(|()| app.world_mut().spawn_empty().id());
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    assert!(world.ignore_pair(b, a) && !world.ignore_pair(a, a));
    let parent = spawn(&mut app, bevy_clearance::CompoundBody);
    insert(&mut app, a, (ball(0.5), ChildOf(parent)));
    insert(&mut app, b, ball(0.5));
    // What takes a body out of its world, and what brings it back.
    let changes: [fn(&mut EntityWorldMut<'_>); 8] = [
        |_| {},
        |body| _ = body.remove::<Collider>(),
        |body| _ = body.insert(ball(0.75)),
        |body| _ = body.insert(Disabled),
        |body| _ = body.remove::<Disabled>(),
        |body| _ = body.insert(InWorld(1)),
        |body| _ = body.insert((InWorld(0), at(f32::NAN, 0.0))),
        |body| _ = body.insert(at(0.0, 0.25)),
    ];
    for change in changes {
        change(&mut app.world_mut().entity_mut(b));
        app.update();
        assert!(between(&mut app, a, b).is_none());
    }
    let snapshot = world2(&app).snapshot();
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    world.unignore_pair(a, b);
    app.update();
    assert!(between(&mut app, a, b).is_some());
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    world.restore(&snapshot);
    app.update();
    assert!(between(&mut app, a, b).is_none());
    let stranger = spawn(&mut app, ball(0.5));
    app.update();
    assert!(between(&mut app, a, stranger).is_some() && between(&mut app, stranger, b).is_some());
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
    insert(&mut app, b, InWorld(0));
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
    spawn(&mut app, ball(0.5));
    spawn(&mut app, ball(0.5));
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [(2, 0), (2, 1)]);
}

#[test]
fn what_is_disabled_collides_with_nobody() {
    let mut app = app2();
    let parent = spawn(&mut app, at(0.0, 0.0));
    let a = spawn(&mut app, (ball(0.5), ChildOf(parent)));
    let b = spawn(&mut app, (ball(0.5), at(0.5, 0.0)));
    app.update();
    assert!(between(&mut app, a, b).is_some());
    insert(&mut app, a, Disabled);
    app.update();
    assert_eq!(world2(&app).world().len(), 1);
    insert(&mut app, a, at(0.25, 0.0));
    app.update();
    app.world_mut().entity_mut(a).remove::<Disabled>();
    app.update();
    assert_eq!(distance(&mut app, a, b), Some(-0.75));
}

#[test]
fn a_body_that_the_game_removes_comes_back_with_the_next_change() {
    let mut app = app2();
    let a = spawn(&mut app, ball(0.5));
    app.update();
    let remove = |app: &mut App| {
        let mut world = app.world_mut().resource_mut::<CollisionWorld>();
        let (_, body) = world.body(a).expect("it is there");
        world.world_mut().remove(body).expect("it is there");
    };
    remove(&mut app);
    insert(&mut app, a, ball(0.75));
    app.update();
    assert_eq!(world2(&app).world().len(), 1);
    assert_eq!(world2(&app).problems().count(), 0);
    remove(&mut app);
    app.world_mut().despawn(a);
    app.update();
    assert!(world2(&app).world().is_empty());
}

#[test]
fn what_a_step_of_each_frame_moves_is_drawn_where_it_is() {
    let mut app = App::new();
    let plugin = bevy_clearance::dim2::CollisionPlugin::default().in_schedule(PostUpdate);
    app.add_plugins((
        bevy_time::TimePlugin,
        bevy_transform::TransformPlugin,
        plugin,
    ));
    let frame = core::time::Duration::from_millis(125);
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(frame));
    let moving = Velocity::linear(Vec2::X * 8.0);
    let a = spawn(&mut app, (ball(0.5), moving));
    for _ in 0..5 {
        app.update();
        let (transform, global) = (
            *transform_of(&mut app, a),
            app.world().get::<GlobalTransform>(a).copied(),
        );
        assert_eq!(global, Some(transform.into()));
    }
    assert!(transform_of(&mut app, a).translation.x > 2.0);
}
