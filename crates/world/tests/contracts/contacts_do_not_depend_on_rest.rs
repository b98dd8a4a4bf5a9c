//! A world that was stepped, edited, copied and restored tells what one made from its poses tells, also where bodies rest
//! and their pairs keep their contacts without being measured.

use std::collections::BTreeMap;

use EventKind::{Began, Ended, Entered, Left, Stayed};
use clearance_math::{Pose, Vector};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, BodyPair, Contact, EventKind, Options, Snapshot, Velocity, World,
};

use crate::compare::{Bits, bits, event_bits, part_bits, separation_bits, surface_bits};
use crate::crowd::{Dimension, Sure, edit_or_ask, heap, rebuilt, with, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    any_history_with_resting_bodies,
    edits_that_wait_for_a_step_when_a_snapshot_is_taken,
    slots_that_change_hands,
    one_that_comes_near_is_seen_by_all,
);

const COUNT: usize = 120;

/// A crowd of which about one body in `share` moves; none for a share of 0.
fn resting_crowd<V: Dimension>(seed: u64, share: usize) -> (World<V>, Vec<BodyId>) {
    let mut random = Random::new(seed);
    let bodies = heap::<V>(seed, COUNT).into_iter().map(|body| {
        if share > 0 && random.once_in(share) {
            body
        } else {
            body.with_velocity(Velocity::default())
        }
    });
    let options = with(|options| options.surface_contacts = true);
    world_of(options, bodies)
}

fn check<V: Dimension>(world: &World<V>, what: &str) {
    world.validate().unwrap();
    let options = Options {
        margin: world.options().margin,
        part_contacts: world.options().part_contacts,
        surface_contacts: true,
        ..Options::default()
    };
    let fresh = rebuilt(world, options);
    assert!(bits(world) == bits(&fresh), "{what}");
    assert!(part_bits(world) == part_bits(&fresh), "{what}, parts");
    assert!(
        surface_bits(world) == surface_bits(&fresh),
        "{what}, surfaces"
    );
}

/// How the frames of a history were measured.
#[derive(Debug, Default)]
struct Frames {
    resting: usize,
    partly: usize,
    wholly: usize,
}

impl Frames {
    fn count<V: Vector>(&mut self, world: &World<V>) {
        let profile = world.profile();
        if profile.selected == 0 {
            self.resting += 1;
        } else if profile.selected < profile.candidates {
            self.partly += 1;
        } else {
            self.wholly += 1;
        }
    }
}

fn any_history_with_resting_bodies<V: Dimension>() {
    let mut frames = Frames::default();
    for (seed, share) in [(1, 0), (2, 40), (3, 10), (4, 2), (5, 1)] {
        let mut random = Random::new(seed);
        let (mut world, mut ids) = resting_crowd::<V>(seed, share);
        let mut saved: Option<(Snapshot<V>, Vec<BodyId>)> = None;
        for frame in 0..40 {
            let before = contacts(&world);
            for _ in 0..[0, 0, 1, 5][random.below(4)] {
                edit_or_ask(&mut world, &mut ids, (&mut random, COUNT));
            }
            if random.once_in(10) {
                world.change(|options| options.margin = random.between(0.0, 0.2));
            }
            let mut is_restored = false;
            if random.once_in(6) {
                saved = Some((world.snapshot(), ids.clone()));
            } else if random.once_in(8)
                && let Some((snapshot, then)) = &saved
            {
                world.restore(snapshot);
                ids.clone_from(then);
                is_restored = true;
            }
            if random.once_in(12) {
                world = world.clone();
            }
            world.step([0.0, 1.0 / 60.0][random.below(2)]).unwrap();
            frames.count(&world);
            check(&world, &format!("seed {seed}, frame {frame}"));
            if !is_restored {
                let events = event_bits(&world);
                assert!(events == expected(&before, &contacts(&world)), "{frame}");
            }
        }
        assert!(world.contacts().len() > COUNT / 8 && world.part_contacts().len() > COUNT / 8);
    }
    let Frames {
        resting,
        partly,
        wholly,
    } = frames;
    assert!(resting > 10 && partly > 50 && wholly > 20, "{frames:?}");
}

type Pairs<V> = BTreeMap<(BodyId, BodyId), Contact<V>>;

fn contacts<V: Dimension>(world: &World<V>) -> Pairs<V> {
    let contacts = world.contacts().iter();
    contacts
        .map(|contact| ((contact.a, contact.b), *contact))
        .collect()
}

/// The events that lead from one list of contacts to another.
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

/// The contacts of such a snapshot are out of date for the bodies that were edited.
fn edits_that_wait_for_a_step_when_a_snapshot_is_taken<V: Dimension>() {
    let (mut world, ids) = resting_crowd::<V>(5, 0);
    world.step(0.0).unwrap();
    let pose = *world.body(ids[7]).unwrap().pose();
    let pose = pose.moved_by(V::axis(0) * 0.25);
    world.at(ids[7]).set_pose(pose).unwrap();
    let snapshot = world.snapshot();
    world.step(0.0).unwrap();
    let moved: Vec<Bits> = bits(&world);
    world.restore(&snapshot);
    world.step(0.0).unwrap();
    assert!(bits(&world) == moved);
    let mut other = World::new(Options::default()).unwrap();
    other.restore(&snapshot);
    other.step(0.0).unwrap();
    assert!(bits(&other) == moved);
    check(&world, "restored");
}

/// A body that takes the place and the slot of another has contacts of its own.
fn slots_that_change_hands<V: Dimension>() {
    for share in [0, 1] {
        let (mut world, mut ids) = resting_crowd::<V>(6, share);
        world.step(0.0).unwrap();
        let contact = world.contacts()[world.contacts().len() / 2];
        let pairs = world.contacts().len();
        let body = world.remove(contact.b).unwrap();
        assert!(
            world
                .contacts()
                .iter()
                .all(|c| c.other(contact.b).is_none())
        );
        assert!(world.contacts().len() < pairs);
        let next = world.insert(body).unwrap();
        assert_eq!(next.index(), contact.b.index());
        world.step(0.0).unwrap();
        check(&world, "slot changed hands");
        let pair = BodyPair {
            a: contact.a,
            b: next,
        };
        let successor = world.contacts().iter().find(|c| c.pair() == pair).unwrap();
        let separation = separation_bits(&contact.separation);
        assert!(separation_bits(&successor.separation) == separation);
        let kinds = |pair: BodyPair| {
            let of_pair = world
                .events()
                .filter(move |event| event.contact.pair() == pair);
            of_pair.map(|event| event.kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds(contact.pair()).last(), Some(&Left));
        assert_eq!(kinds(pair).first(), Some(&Entered));
        ids.retain(|&id| id != contact.b);
        world.remove_many(&ids).unwrap();
        assert_eq!((world.len(), world.contacts().len()), (1, 0));
    }
}

/// Which bodies changed is kept in words of bits: each of many bodies at rest in turn is come near to by the last one.
fn one_that_comes_near_is_seen_by_all<V: Dimension>() {
    let at = |k: usize| Pose::from_translation(V::axis(0) * (10 * k) as f32);
    let ball = Shape::<V>::ball(0.5).unwrap();
    let bodies = (0..300).map(|k| Body::moving(ball.clone(), at(k)));
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    for k in 0..299 {
        world.at(ids[299]).set_pose(at(k)).unwrap();
        world.step(0.0).unwrap();
        let pairs: Vec<_> = world.contacts().iter().map(Contact::pair).collect();
        let (a, b) = (ids[k], ids[299]);
        assert_eq!(pairs, [BodyPair { a, b }]);
    }
}
