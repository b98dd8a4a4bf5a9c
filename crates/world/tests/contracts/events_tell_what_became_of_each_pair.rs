//! Events are the difference of the contacts of two steps, and lose nothing.

use std::collections::BTreeMap;

use EventKind::{Began, Ended, Entered, Left, Stayed};
use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{
    Backend, Body, BodyId, Contact, EventKind, Kind, Options, Velocity, World, WorldError,
};

use crate::compare::{event_bits, separation_bits};
use crate::crowd::{Dimension, crowd, edit, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    events_are_the_difference_of_the_contacts_of_two_steps,
    whatever_began_ends_and_whatever_entered_leaves,
    events_do_not_depend_on_backend_or_thread_count,
    a_removal_is_told_by_the_next_step_and_unsays_nothing,
    a_teleport_there_and_back_within_a_step_is_no_event,
    a_body_in_a_reused_slot_is_another_body,
    a_refused_step_leaves_the_events,
);

const COUNT: usize = 150;

type Pairs<V> = BTreeMap<(BodyId, BodyId), Contact<V>>;

fn contacts<V: Dimension>(world: &World<V>) -> Pairs<V> {
    let contacts = world.contacts().iter();
    contacts
        .map(|contact| ((contact.a, contact.b), *contact))
        .collect()
}

/// Edits and steps a crowd, and shows the world after each step.
fn for_each_frame<V: Dimension>(
    (seed, frames): (u64, usize),
    mut show: impl FnMut(&World<V>, usize),
) -> World<V> {
    let mut random = Random::new(seed);
    let (mut world, mut ids) = world_of(Options::default(), crowd::<V>(seed, COUNT));
    for frame in 0..frames {
        for _ in 0..random.below(6) {
            edit(&mut world, &mut ids, (&mut random, COUNT));
        }
        if random.once_in(10) {
            world.set_margin(random.between(0.0, 0.2)).unwrap();
        }
        world.step(1.0 / 30.0).unwrap();
        world.validate().unwrap();
        show(&world, frame);
    }
    world
}

fn expected<V: Dimension>(
    last: &Pairs<V>,
    now: &Pairs<V>,
) -> Vec<(EventKind, BodyId, BodyId, Vec<u32>)> {
    let mut pairs: Vec<_> = last.keys().chain(now.keys()).copied().collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut events = Vec::new();
    for (a, b) in pairs {
        let (before, after) = (last.get(&(a, b)), now.get(&(a, b)));
        let touching = |contact: Option<&Contact<V>>| contact.is_some_and(|c| c.distance() <= 0.0);
        let told = [
            (Entered, before.is_none()),
            (Began, !touching(before) && touching(after)),
            (Stayed, touching(before) && touching(after)),
            (Ended, touching(before) && !touching(after)),
            (Left, after.is_none()),
        ];
        let contact = after.or(before).unwrap();
        for (kind, _) in told.into_iter().filter(|told| told.1) {
            events.push((kind, a, b, separation_bits(&contact.separation)));
        }
    }
    events
}

fn events_are_the_difference_of_the_contacts_of_two_steps<V: Dimension>() {
    let mut last = Pairs::new();
    let mut counts = BTreeMap::new();
    for_each_frame::<V>((20, 200), |world, frame| {
        let now = contacts(world);
        let events = event_bits(world);
        assert!(events == expected(&last, &now), "frame {frame}");
        for event in &events {
            *counts.entry(event.0).or_insert(0) += 1;
        }
        last = now;
    });
    for kind in [Entered, Began, Stayed, Ended, Left] {
        let count = counts.get(&kind).copied().unwrap_or(0);
        assert!(count > 100, "{kind:?} only {count} times");
    }
}

/// What the events so far say of each pair: whether it is in range, whether it touches.
#[derive(Default)]
struct Told(BTreeMap<(BodyId, BodyId), bool>);

impl Told {
    fn hear<V: Dimension>(&mut self, world: &World<V>) {
        for event in world.events() {
            let pair = (event.contact.a, event.contact.b);
            let known = self.0.get(&pair).copied();
            let (expected, next) = match event.kind {
                Entered => (None, Some(false)),
                Began => (Some(false), Some(true)),
                Stayed => (Some(true), Some(true)),
                Ended => (Some(true), Some(false)),
                Left => (Some(false), None),
                kind => panic!("{kind:?} is not known here"),
            };
            assert_eq!(known, expected, "{:?} {pair:?}", event.kind);
            match next {
                Some(touching) => self.0.insert(pair, touching),
                None => self.0.remove(&pair),
            };
        }
        let touching = |c: &Contact<V>| ((c.a, c.b), c.distance() <= 0.0);
        assert!(self.0 == world.contacts().iter().map(touching).collect());
    }
}

fn whatever_began_ends_and_whatever_entered_leaves<V: Dimension>() {
    let mut told = Told::default();
    let mut world = for_each_frame::<V>((21, 200), |world, _| told.hear(world));
    assert!(!told.0.is_empty());
    for id in world.ids().collect::<Vec<_>>() {
        world.remove(id).unwrap();
    }
    world.step(0.0).unwrap();
    told.hear(&world);
    assert!(told.0.is_empty());
    world.step(0.0).unwrap();
    assert_eq!(world.events().count(), 0);
}

fn events_do_not_depend_on_backend_or_thread_count<V: Dimension>() {
    let options = [
        (Backend::BruteForce, 1),
        (Backend::Bvh, 1),
        (Backend::RTree, 1),
        (Backend::Bvh, 2),
        (Backend::Bvh, 4),
    ];
    let mut worlds = options.map(|(backend, threads)| {
        let options = Options {
            backend,
            threads,
            margin: 0.3,
            ..Options::default()
        };
        world_of(options, crowd::<V>(22, 600))
    });
    let mut events = 0;
    for frame in 0..15 {
        let told = worlds.each_mut().map(|(world, ids)| {
            let mut random = Random::new(frame);
            for _ in 0..20 {
                edit(world, ids, (&mut random, 600));
            }
            world.step(1.0 / 20.0).unwrap();
            event_bits(world)
        });
        assert!(told.iter().all(|other| *other == told[0]), "frame {frame}");
        events += told[0].len();
    }
    assert!(events > 2000, "{events} events");
}

/// Two balls in touch, and one in range of the second.
fn row<V: Dimension>() -> (World<V>, Vec<BodyId>) {
    let bodies = [0.0, 0.9, 1.93].map(|at: Real| {
        let pose = Pose::from_translation(V::axis(0) * at);
        Body::moving(Shape::<V>::ball(0.5).unwrap(), pose)
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    (world, ids)
}

fn told<V: Dimension>(world: &World<V>) -> Vec<(EventKind, BodyId, BodyId)> {
    let events = world.events();
    events.map(|e| (e.kind, e.contact.a, e.contact.b)).collect()
}

fn a_removal_is_told_by_the_next_step_and_unsays_nothing<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let [a, b, c] = ids[..] else { unreachable!() };
    let first = [(Entered, a, b), (Began, a, b), (Entered, b, c)];
    assert_eq!(told(&world), first);
    let before = world.contacts().to_vec();
    world.remove(b).unwrap();
    assert_eq!(told(&world), first);
    assert!(world.contacts().is_empty());
    world.remove(c).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Ended, a, b), (Left, a, b), (Left, b, c)]);
    // They carry the last contact.
    assert!(world.events().all(|event| before.contains(event.contact)));
    world.step(0.0).unwrap();
    assert_eq!(told(&world), []);
}

fn a_teleport_there_and_back_within_a_step_is_no_event<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let [a, b, _] = ids[..] else { unreachable!() };
    let pose = *world.get(a).unwrap().pose();
    let far = Pose::from_translation(V::axis(1) * 100.0);
    world.set_pose(a, far).unwrap();
    world.set_pose(a, pose).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Stayed, a, b)]);
    world.set_pose(a, far).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Ended, a, b), (Left, a, b)]);
    world.set_pose(a, pose).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Entered, a, b), (Began, a, b)]);
    // A pair of fixed bodies is none.
    world.set_kind(a, Kind::Fixed).unwrap();
    world.set_kind(b, Kind::Fixed).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Ended, a, b), (Left, a, b)]);
}

fn a_body_in_a_reused_slot_is_another_body<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let [a, b, c] = ids[..] else { unreachable!() };
    let body = world.remove(a).unwrap();
    let again = world.insert(body).unwrap();
    assert_eq!(again.index(), a.index());
    world.step(0.0).unwrap();
    let expected = [
        (Ended, a, b),
        (Left, a, b),
        (Entered, again, b),
        (Began, again, b),
    ];
    assert_eq!(told(&world), expected);
    world.remove(c).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Stayed, again, b), (Left, b, c)]);
}

fn a_refused_step_leaves_the_events<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let before = told(&world);
    let fast = Velocity::from_linear(V::splat(Real::MAX));
    world.set_velocity(ids[0], fast).unwrap();
    let error = world.step(1e3).unwrap_err();
    assert!(matches!(error, WorldError::OutOfRange { .. }));
    assert_eq!(told(&world), before);
}
