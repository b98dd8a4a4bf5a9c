//! Messages and entity events of what begins and ends.

use crate::common::{app2, at, ball, insert, spawn};
use bevy_app::App;
use bevy_clearance::dim2::{
    BodyKind, Collider, CollisionEnded, CollisionEvents, CollisionStarted, CompoundBody, InWorld,
    RangeEntered, RangeLeft,
};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::components::Transform;

/// What was sent, in order: the name of the event, the entity that looks, and the other.
#[derive(Resource, Default)]
struct Sent {
    messages: Vec<(&'static str, Entity, Entity)>,
    observed: Vec<(&'static str, Entity, Entity)>,
}

fn listening() -> App {
    let mut app = app2();
    app.init_resource::<Sent>();
    macro_rules! observe {
        ($($name:literal: $kind:ty),*) => {
            $(app.add_observer(|event: On<$kind>, mut sent: ResMut<Sent>| {
                sent.observed.push(($name, event.entity, event.contact.other));
            });)*
        };
    }
    observe!("started": CollisionStarted, "ended": CollisionEnded, "entered": RangeEntered, "left": RangeLeft);
    app
}

/// Runs a step, and returns its messages and what was observed.
fn step(app: &mut App) -> Sent {
    app.update();
    let mut sent = core::mem::take(&mut *app.world_mut().resource_mut::<Sent>());
    macro_rules! drain {
        ($($name:literal: $kind:ty),*) => {
            $(
                let mut messages = app.world_mut().resource_mut::<Messages<$kind>>();
                sent.messages.extend(messages.drain().map(|message| ($name, message.entity, message.contact.other)));
            )*
        };
    }
    drain!("entered": RangeEntered, "started": CollisionStarted, "ended": CollisionEnded, "left": RangeLeft);
    sent
}

#[test]
fn events_are_opt_in_and_complete() {
    let mut app = listening();
    let a = spawn(&mut app, (ball(0.5), CollisionEvents));
    let b = spawn(&mut app, (ball(0.5), at(1.02, 0.0)));
    let c = spawn(&mut app, (ball(0.5), at(1.5, 0.0)));
    let sent = step(&mut app);
    assert_eq!(sent.messages, [("entered", a, b)]);
    assert_eq!(sent.observed, [("entered", a, b)]);
    insert(&mut app, b, at(0.9, 0.0));
    assert_eq!(step(&mut app).observed, [("started", a, b)]);
    assert!(step(&mut app).observed.is_empty(), "what stays is no event");
    // Both want them: one message, and an event for each.
    insert(&mut app, b, CollisionEvents);
    step(&mut app);
    insert(&mut app, b, at(7.0, 0.0));
    insert(&mut app, a, at(0.1, 0.0));
    let sent = step(&mut app);
    assert_eq!(
        sent.messages,
        [
            ("ended", a, b),
            ("ended", b, c),
            ("left", a, b),
            ("left", b, c)
        ]
    );
    let pairs = [
        ("ended", a, b),
        ("ended", b, a),
        ("left", a, b),
        ("left", b, a),
    ];
    assert_eq!(
        sent.observed,
        [&pairs[..], &[("ended", b, c), ("left", b, c)]].concat()
    );
}

#[test]
fn observers_of_an_entity_hear_of_it_alone() {
    let mut app = listening();
    let a = spawn(&mut app, (ball(0.5), CollisionEvents));
    app.world_mut()
        .entity_mut(a)
        .observe(|event: On<CollisionStarted>, mut sent: ResMut<Sent>| {
            sent.observed
                .push(("own", event.event_target(), event.contact.other));
        });
    let b = spawn(&mut app, (ball(0.5), CollisionEvents));
    let own: Vec<_> = step(&mut app)
        .observed
        .into_iter()
        .filter(|event| event.0 == "own")
        .collect();
    assert_eq!(own, [("own", a, b)]);
}

#[test]
fn who_despawns_ends_its_contacts() {
    for (despawns_first, despawns_second) in [(true, false), (false, true), (true, true)] {
        let mut app = listening();
        let a = spawn(&mut app, (ball(0.5), CollisionEvents));
        let b = spawn(&mut app, ball(0.5));
        step(&mut app);
        for entity in [(despawns_first, a), (despawns_second, b)]
            .into_iter()
            .filter(|pair| pair.0)
            .map(|pair| pair.1)
        {
            app.world_mut().despawn(entity);
        }
        // In their places, in the same frame, others that touch as well.
        let c = spawn(&mut app, (ball(0.5), CollisionEvents, at(0.0, 50.0)));
        let sent = step(&mut app);
        assert_eq!(sent.messages, [("ended", a, b), ("left", a, b)]);
        assert_eq!(sent.observed, [("ended", a, b), ("left", a, b)]);
        assert!(step(&mut app).messages.is_empty());
        assert!(app.world().entities().contains(c));
    }
}

#[test]
fn other_reasons_end_contacts_too() {
    let reasons: [fn(&mut EntityWorldMut<'_>); 5] = [
        |entity| _ = entity.remove::<Collider>(),
        |entity| _ = entity.insert(InWorld(1)),
        |entity| _ = entity.insert(bevy_clearance::Layers::member_of(0)),
        |entity| _ = entity.insert(ball(0.01)).insert(at(0.0, 40.0)),
        |entity| _ = entity.insert(at(f32::NAN, 0.0)),
    ];
    for reason in reasons {
        let mut app = listening();
        let a = spawn(&mut app, (ball(0.5), CollisionEvents));
        let b = spawn(&mut app, (ball(0.5), at(0.25, 0.0)));
        assert_eq!(
            step(&mut app).messages,
            [("entered", a, b), ("started", a, b)]
        );
        reason(&mut app.world_mut().entity_mut(a));
        assert_eq!(step(&mut app).messages, [("ended", a, b), ("left", a, b)]);
    }
}

#[test]
fn a_collider_replaced_within_a_frame_has_no_events() {
    let mut app = listening();
    let a = spawn(&mut app, (ball(0.5), CollisionEvents));
    spawn(&mut app, ball(0.5));
    step(&mut app);
    app.world_mut().entity_mut(a).remove::<Collider>();
    insert(&mut app, a, ball(0.4));
    assert!(step(&mut app).messages.is_empty());
}

#[test]
fn contacts_of_compounds_name_the_child_also_when_it_is_gone() {
    #[derive(Resource, Default)]
    struct Colliders(Vec<Entity>);
    let mut app = listening();
    app.init_resource::<Colliders>();
    app.add_observer(
        |event: On<CollisionEnded>, mut colliders: ResMut<Colliders>| {
            colliders.0.push(event.contact.collider);
        },
    );
    let body = spawn(&mut app, (CompoundBody, CollisionEvents));
    spawn(&mut app, (ball(0.5), at(-3.0, 0.0), ChildOf(body)));
    let hand = spawn(&mut app, (ball(0.5), at(3.0, 0.0), ChildOf(body)));
    spawn(&mut app, (ball(0.5), at(3.5, 0.0), BodyKind::Fixed));
    step(&mut app);
    app.world_mut().despawn(body);
    step(&mut app);
    assert_eq!(app.world().resource::<Colliders>().0, [hand]);
}

#[test]
fn the_end_of_a_contact_names_the_child_that_is_gone() {
    let mut app = app2();
    let body = spawn(&mut app, (CompoundBody, CollisionEvents));
    let first = spawn(&mut app, (ball(0.5), at(-3.0, 0.0), ChildOf(body)));
    spawn(&mut app, (ball(0.5), at(3.0, 0.0), ChildOf(body)));
    spawn(&mut app, (ball(0.5), at(-3.5, 0.0), BodyKind::Fixed));
    app.update();
    app.world_mut().despawn(first);
    app.update();
    let mut ended = app.world_mut().resource_mut::<Messages<CollisionEnded>>();
    let ended: Vec<_> = ended.drain().map(|ended| ended.contact.collider).collect();
    assert_eq!(ended, [first]);
}

#[test]
fn nothing_is_told_twice() {
    let mut app = listening();
    spawn(&mut app, (ball(0.5), CollisionEvents));
    let other = spawn(&mut app, ball(0.5));
    assert_eq!(step(&mut app).messages.len(), 2, "entered and started");
    for _ in 0..4 {
        assert!(step(&mut app).messages.is_empty());
    }
    // Two steps in one frame.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(2));
    app.world_mut().despawn(other);
    assert_eq!(step(&mut app).messages.len(), 2, "ended and left");
}

#[test]
fn who_listens_anew_hears_of_what_is_there() {
    let mut app = listening();
    let a = spawn(&mut app, (ball(0.5), CollisionEvents));
    let b = spawn(&mut app, (ball(0.5), at(0.5, 0.0)));
    let near = spawn(&mut app, (ball(0.5), at(0.5, 1.02)));
    assert_eq!(
        step(&mut app).messages,
        [("entered", a, b), ("started", a, b)]
    );
    step(&mut app);
    insert(&mut app, b, CollisionEvents);
    let sent = step(&mut app);
    // The pair of a and b was told of by a message when a heard of it.
    assert_eq!(sent.messages, [("entered", b, near)]);
    let expected = [("entered", b, a), ("started", b, a), ("entered", b, near)];
    assert_eq!(sent.observed, expected);
    assert!(step(&mut app).observed.is_empty());
    app.world_mut().despawn(b);
    let ended = [
        ("ended", a, b),
        ("ended", b, a),
        ("left", a, b),
        ("left", b, a),
        ("left", b, near),
    ];
    assert_eq!(step(&mut app).observed, ended);
}

/// Bodies move, and begin and cease to listen at random: what ends has started, and nothing starts twice.
#[test]
fn nothing_ends_that_did_not_start() {
    use rand::{RngExt, SeedableRng};
    let mut app = listening();
    let mut random = rand_pcg::Pcg64::seed_from_u64(18);
    let bodies = [(); 12].map(|()| spawn(&mut app, ball(0.5)));
    let mut open = std::collections::BTreeSet::new();
    let mut count = 0;
    for frame in 0..600 {
        for body in bodies {
            let mut number = || random.random_range(-2.0_f32..2.0);
            let place = at(number(), number());
            let mut body = app.world_mut().entity_mut(body);
            if random.random_bool(0.3) {
                body.insert(place);
            }
            if random.random_bool(0.1) {
                match body.contains::<CollisionEvents>() {
                    true => body.remove::<CollisionEvents>(),
                    false => body.insert(CollisionEvents),
                };
            }
        }
        for (name, a, b) in step(&mut app).observed {
            let is_right = match name {
                "started" => open.insert(("touch", a, b)),
                "entered" => open.insert(("range", a, b)),
                "ended" => open.remove(&("touch", a, b)),
                _ => open.remove(&("range", a, b)),
            };
            assert!(is_right, "frame {frame}: {name} {a} {b}");
            count += 1;
        }
        let world = app.world();
        let listens = |entity: Entity| world.entity(entity).contains::<CollisionEvents>();
        open.retain(|(_, a, _)| listens(*a));
        // Whoever listens knows of all that touch it.
        let touching = crate::common::ask(&mut app, |contacts: bevy_clearance::dim2::Contacts| {
            let all: Vec<_> = contacts
                .all()
                .filter(|contact| contact.is_touching())
                .collect();
            all
        });
        let pairs = touching
            .iter()
            .flat_map(|seen| [(seen.entity, seen.other), (seen.other, seen.entity)]);
        let world = app.world();
        let listens = |entity: Entity| world.entity(entity).contains::<CollisionEvents>();
        let known = pairs.filter(|pair| listens(pair.0));
        let mut expected: Vec<_> = known.map(|(a, b)| ("touch", a, b)).collect();
        expected.sort_unstable();
        let found = open.iter().copied().filter(|open| open.0 == "touch");
        assert!(found.eq(expected), "frame {frame}");
    }
    assert!(count > 5000, "{count}");
}

/// The messages of a crowd in which bodies move, come and go, with a number of threads.
fn crowd(threads: usize) -> Vec<(&'static str, Entity, Entity)> {
    use rand::{RngExt, SeedableRng};
    let mut app = crate::common::app_with::<Vec2>(clearance::Options {
        threads,
        ..clearance::Options::default()
    });
    app.init_resource::<Sent>();
    let mut random = rand_pcg::Pcg64::seed_from_u64(7);
    let mut alive = Vec::new();
    let mut all = Vec::new();
    for _ in 0..60 {
        for _ in 0..8 {
            let place = at(
                random.random_range(-8.0..8.0),
                random.random_range(-8.0..8.0),
            );
            alive.push(spawn(
                &mut app,
                (ball(random.random_range(0.2..0.8)), place, CollisionEvents),
            ));
        }
        for _ in 0..6 {
            let entity = alive.swap_remove(random.random_range(0..alive.len()));
            app.world_mut().despawn(entity);
        }
        for &entity in &alive {
            let mut entity = app.world_mut().entity_mut(entity);
            entity
                .get_mut::<Transform>()
                .expect("it has one")
                .translation
                .x += random.random_range(-0.2..0.2);
        }
        all.extend(step(&mut app).messages);
    }
    all
}

#[test]
fn events_are_equal_in_every_run_and_with_any_number_of_threads() {
    let one = crowd(1);
    assert!(one.len() > 1000, "{}", one.len());
    assert_eq!(one, crowd(1));
    assert_eq!(one, crowd(4));
    let count = |name| one.iter().filter(|event| event.0 == name).count();
    assert!(count("started") >= count("ended") && count("ended") > 100);
}
