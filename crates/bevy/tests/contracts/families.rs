//! What hangs on a body moves along with it, and never meets it.

use bevy_app::App;
use bevy_clearance::dim2::{
    BodyKind, Collider, CollisionEnded, CollisionEvents, CollisionStarted, CollisionWorld,
    CompoundBody, Contacts, InWorld, Layers, MoveAndSlide, Sensor, SpatialFilter, Velocity,
};
use bevy_clearance::{Cause, dim3};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::Transform;
use clearance::dim2::SlideOptions;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::{
    app2, app3, ask, asked, at, ball, between, insert, spawn, transform_of, world2, world3,
};

fn contacts_of(app: &mut App, entity: Entity) -> Vec<Entity> {
    ask(app, move |contacts: Contacts| {
        let others: Vec<_> = contacts.of(entity).map(|seen| seen.other).collect();
        others
    })
}

fn slide(app: &mut App, entity: Entity, motion: Vec2) -> Vec2 {
    let place = *transform_of(app, entity);
    let step = MoveAndSlide::new(entity, &place, motion);
    let slide = asked(app, |space| {
        space.move_and_slide(&step, &SpatialFilter::new())
    });
    let slide = slide.expect("it is valid").expect("it has a body");
    slide.apply_to(&mut transform_of(app, entity));
    slide.translation
}

/// A hero on a floor, with feet that it would climb if it met them.
fn walks_to_four(hero: impl Bundle, foot: impl Bundle) {
    let mut app = app2();
    let floor = Collider::half_space(Vec2::Y).expect("it is a unit");
    let floor = spawn(&mut app, (floor, BodyKind::Fixed));
    let capsule = Collider::capsule(0.5, 0.4).expect("it has a size");
    let hero = spawn(&mut app, (capsule, at(0.0, 0.91), hero));
    let leg = spawn(&mut app, (at(0.0, -0.5), ChildOf(hero)));
    let foot = spawn(&mut app, (ball(0.3), at(0.2, -0.2), ChildOf(leg), foot));
    app.update();
    for _ in 0..64 {
        slide(&mut app, hero, Vec2::new(0.0625, -0.05));
        app.update();
    }
    let place = transform_of(&mut app, hero).translation;
    assert!(
        (place.truncate() - Vec2::new(4.0, 0.908)).length() < 0.01,
        "{place}"
    );
    let others = contacts_of(&mut app, hero);
    let is_own_body = app.world().entity(foot).contains::<CompoundBody>();
    assert!(others.iter().all(|&other| other == floor || is_own_body));
}

#[test]
fn a_hero_does_not_climb_on_what_hangs_on_it() {
    walks_to_four((), ());
    walks_to_four((), Sensor);
    walks_to_four((), BodyKind::Fixed);
    walks_to_four(BodyKind::Fixed, BodyKind::Fixed);
    walks_to_four(CompoundBody, Sensor);
    // A compound of its own meets whom it hangs on, as rigid bodies below others do elsewhere; who slides passes by it.
    let layers = Layers::member_of(2).meeting(2);
    walks_to_four((), (CompoundBody, layers));
}

#[test]
fn parent_and_child_do_not_collide_as_long_as_they_are() {
    let mut app = app2();
    let parent = spawn(&mut app, ball(0.5));
    let [one, other] =
        [0.1, 0.2].map(|x| spawn(&mut app, (ball(0.5), at(x, 0.0), ChildOf(parent))));
    let middle = spawn(&mut app, (at(0.0, 0.1), ChildOf(one)));
    let grandchild = spawn(&mut app, (ball(0.5), ChildOf(middle)));
    app.update();
    assert!(world2(&app).world().contacts().is_empty());
    let stranger = spawn(&mut app, ball(0.5));
    app.update();
    assert_eq!(
        contacts_of(&mut app, stranger),
        [parent, one, other, grandchild]
    );
    // Without a collider above, each is for itself, but for what hangs on it.
    app.world_mut().entity_mut(parent).remove::<Collider>();
    app.world_mut().despawn(stranger);
    app.update();
    assert_eq!(contacts_of(&mut app, other), [one, grandchild]);
    assert_eq!(contacts_of(&mut app, grandchild), [other]);
    insert(&mut app, parent, ball(0.25));
    app.update();
    assert!(world2(&app).world().contacts().is_empty());
    app.world_mut().entity_mut(other).remove::<ChildOf>();
    app.update();
    assert_eq!(contacts_of(&mut app, other).len(), 3);
    // A pair that the game ignores stays ignored when the family breaks.
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    assert!(world.ignore_pair(one, parent));
    app.world_mut().entity_mut(one).remove::<ChildOf>();
    app.update();
    assert!(between(&mut app, one, parent).is_none());
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    world.unignore_pair(one, parent);
    world.unignore_pair(one, grandchild);
    app.update();
    assert!(between(&mut app, one, parent).is_some());
    assert!(
        between(&mut app, one, grandchild).is_none(),
        "it hangs on it"
    );
}

#[test]
fn children_are_in_the_world_of_what_they_hang_on() {
    let mut app = app2();
    let parent = spawn(&mut app, (CompoundBody, ball(0.5), InWorld(2)));
    let area = spawn(&mut app, (ball(0.5), Sensor, ChildOf(parent)));
    let other = spawn(&mut app, (ball(0.5), InWorld(2)));
    app.update();
    assert!(between(&mut app, area, other).is_some());
    assert!(between(&mut app, area, parent).is_none());
    insert(&mut app, parent, InWorld(0));
    app.update();
    assert!(between(&mut app, area, other).is_none());
    assert_eq!(world2(&app).world().len(), 2);
}

#[derive(Resource, Default)]
struct Heard(Vec<(&'static str, Entity, Entity)>);

#[test]
fn a_sensor_of_a_compound_is_an_area_with_settings_of_its_own() {
    const COIN: u32 = 2;
    let mut app = app2();
    app.init_resource::<Heard>();
    app.add_observer(|event: On<CollisionStarted>, mut heard: ResMut<Heard>| {
        heard.0.push(("started", event.entity, event.contact.other));
    });
    app.add_observer(|event: On<CollisionEnded>, mut heard: ResMut<Heard>| {
        heard.0.push(("ended", event.entity, event.contact.other));
    });
    let hero = spawn(&mut app, (CompoundBody, ball(0.5)));
    let hand = spawn(&mut app, (ball(0.25), at(0.5, 0.0), ChildOf(hero)));
    let reach = (Sensor, CollisionEvents, Layers::member_of(1).meeting(COIN));
    let reach = spawn(&mut app, (ball(2.0), reach, ChildOf(hero)));
    let coin = (ball(0.1), Layers::member_of(COIN).meeting(1), at(9.0, 0.0));
    let coin = spawn(&mut app, coin);
    let wall = Collider::cuboid(Vec2::new(0.5, 9.0)).expect("it has a size");
    let wall = (wall, Layers::member_of(1), BodyKind::Fixed, at(20.0, 0.0));
    let wall = spawn(&mut app, wall);
    app.update();
    assert_eq!(world2(&app).problems().count(), 0);
    let mut seen = Vec::new();
    for x in 1..=24 {
        transform_of(&mut app, hero).translation.x = x as f32;
        app.update();
        let heard = core::mem::take(&mut app.world_mut().resource_mut::<Heard>().0);
        seen.extend(heard.into_iter().map(|heard| (x, heard)));
    }
    // Within 2.1 of the coin: from 7 to 11. The wall is of no layer that the area meets.
    let expected = [(7, ("started", reach, coin)), (12, ("ended", reach, coin))];
    assert_eq!(seen, expected);
    transform_of(&mut app, hero).translation.x = 19.0;
    app.update();
    let contact = between(&mut app, hero, wall).expect("it is inside");
    assert_eq!(contact.collider, hand);
    assert!(between(&mut app, reach, wall).is_none());
    // It stops nobody, and a body that slides is not stopped by its own.
    let walker = spawn(&mut app, (ball(0.25), at(19.0, 5.0)));
    app.world_mut().despawn(wall);
    app.update();
    assert!((slide(&mut app, walker, Vec2::NEG_Y * 4.0) - Vec2::new(19.0, 1.0)).length() < 1e-4);
}

#[test]
fn what_a_part_of_a_compound_sets_in_vain_is_told() {
    let mut app = app2();
    let hero = spawn(&mut app, (CompoundBody, ball(0.5)));
    let settings = (CollisionEvents, Layers::member_of(1), Sensor);
    let reach = spawn(&mut app, (ball(2.0), settings, ChildOf(hero)));
    app.update();
    assert_eq!(world2(&app).problems().count(), 0, "an area has its own");
    app.world_mut().entity_mut(reach).remove::<Sensor>();
    app.update();
    assert_eq!(world2(&app).body(reach), world2(&app).body(hero));
    let problems: Vec<_> = world2(&app).problems().cloned().collect();
    let told = problems.iter().map(|problem| match problem.cause {
        Cause::OfCompound { setting, body } => (problem.entity, setting, body),
        _ => panic!("{problem}"),
    });
    let told: Vec<_> = told.collect();
    assert_eq!(
        told,
        [(reach, "Layers", hero), (reach, "CollisionEvents", hero)]
    );
    assert!(
        problems[0]
            .to_string()
            .contains("is not as its components say: Layers does not count")
    );
    app.world_mut()
        .entity_mut(reach)
        .remove::<CollisionEvents>()
        .insert(Layers::ALL);
    app.update();
    assert_eq!(world2(&app).problems().count(), 0);
    assert!(world2(&app).body(reach).is_some());
}

#[test]
fn an_area_is_where_its_parent_is_after_each_step() {
    let mut random = Pcg64::seed_from_u64(17);
    for is_compound in [false, true] {
        let mut app = app3();
        let collider = |radius| dim3::Collider::ball(radius).expect("it has a size");
        let mut number = |size: f32| random.random_range(-size..size);
        let mut vector = |size: f32| Vec3::new(number(size), number(size), number(size));
        let mut pairs = Vec::new();
        for _ in 0..20 {
            let place = Transform::from_translation(vector(50.0));
            let turned = place.with_rotation(Quat::from_scaled_axis(vector(2.0)));
            let (linear, angular) = (vector(30.0), vector(3.0));
            let velocity = dim3::Velocity { linear, angular };
            let parent = spawn(&mut app, (collider(0.5), turned, velocity));
            if is_compound {
                insert(&mut app, parent, CompoundBody);
            }
            let axle = spawn(
                &mut app,
                (Transform::from_translation(vector(2.0)), ChildOf(parent)),
            );
            let offset = Transform::from_translation(vector(2.0));
            let area = (collider(0.3), Sensor, offset, ChildOf(axle));
            pairs.push((parent, spawn(&mut app, area), offset, axle));
        }
        for frame in 0..60 {
            app.update();
            for &(parent, area, offset, axle) in &pairs {
                let [parent, axle] = [parent, axle]
                    .map(|entity| *app.world().get::<Transform>(entity).expect("it has one"));
                let expected = (parent * axle * offset).translation;
                let (_, body) = world3(&app).body(area).expect("it is a body");
                let found = world3(&app).world().body(body).expect("it lives");
                let found = found.pose().translation();
                assert!(
                    (found - expected).length() < 1e-4,
                    "{frame}: {found} {expected}"
                );
            }
        }
        // They rest together.
        for &(parent, ..) in &pairs {
            let mut velocity = app.world_mut().get_mut::<dim3::Velocity>(parent);
            *velocity.as_mut().expect("it has one").as_mut() = dim3::Velocity::default();
        }
        (0..3).for_each(|_| app.update());
        assert_eq!(world3(&app).world().profile().boxes_updated, 0);
    }
}

#[test]
fn who_stands_on_what_hangs_on_a_body_is_carried() {
    let mut app = app2();
    let lift = (ball(0.25), Velocity::linear(Vec2::new(6.4, 3.2)));
    let lift = spawn(&mut app, lift);
    let plate = Collider::cuboid(Vec2::new(2.0, 0.25)).expect("it has a size");
    let plate = spawn(&mut app, (plate, at(0.0, 1.0), ChildOf(lift)));
    let hero = spawn(&mut app, (ball(0.5), at(0.0, 1.8)));
    app.update();
    let mut ground = None;
    for frame in 0..30 {
        let place = *transform_of(&mut app, hero);
        let step = MoveAndSlide::new(hero, &place, Vec2::Y * -0.01);
        let step = step
            .standing_on(ground)
            .with_options(SlideOptions::default());
        let slide = asked(&mut app, |space| {
            space.move_and_slide(&step, &SpatialFilter::new())
        });
        let slide = slide.expect("it is valid").expect("it has a body");
        slide.apply_to(&mut transform_of(&mut app, hero));
        ground = slide.slide.ground;
        if frame > 2 {
            assert_eq!(slide.ground, Some(plate));
            let velocity = ground.expect("it stands").velocity;
            assert!(
                (velocity - Vec2::new(6.4, 3.2)).length() < 1e-3,
                "{velocity}"
            );
        }
        app.update();
    }
}
