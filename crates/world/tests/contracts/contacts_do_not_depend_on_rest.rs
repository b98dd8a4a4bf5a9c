//! Pairs of bodies that did not change keep their contacts: the bits are those of measuring them.

use clearance_math::Vector;
use clearance_world::{BodyId, BodyPair, Event, EventKind, Options, Snapshot, Velocity, World};

use crate::compare::{Bits, bits, separation_bits};
use crate::crowd::{Dimension, crowd, edit, rebuilt, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    any_history_with_resting_bodies,
    edits_that_wait_for_a_step_when_a_snapshot_is_taken,
    slots_that_change_hands,
);

const COUNT: usize = 200;

/// A crowd of which about one body in `share` moves; none for a share of 0.
fn resting_crowd<V: Dimension>(seed: u64, share: usize) -> (World<V>, Vec<BodyId>) {
    let mut random = Random::new(seed);
    let bodies = crowd::<V>(seed, COUNT).into_iter().map(|body| {
        if share > 0 && random.once_in(share) {
            body
        } else {
            body.with_velocity(Velocity::default())
        }
    });
    world_of(Options::default(), bodies)
}

fn check<V: Dimension>(world: &World<V>, what: &str) {
    world.validate().unwrap();
    let options = Options {
        margin: world.margin(),
        ..Options::default()
    };
    assert!(bits(world) == bits(&rebuilt(world, options)), "{what}");
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
    for (seed, share) in [(1, 0), (2, 40), (3, 10), (4, 2)] {
        let mut random = Random::new(seed);
        let (mut world, mut ids) = resting_crowd::<V>(seed, share);
        let mut saved: Option<(Snapshot<V>, Vec<BodyId>)> = None;
        for frame in 0..60 {
            let before = shown(&world);
            for _ in 0..[0, 0, 1, 5][random.below(4)] {
                edit(&mut world, &mut ids, (&mut random, COUNT));
            }
            if random.once_in(10) {
                world.set_margin(random.between(0.0, 0.2)).unwrap();
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
                assert_eq!(events(&world), expected(&before, &shown(&world)), "{frame}");
            }
        }
        assert!(world.contacts().len() > COUNT / 8);
    }
    let Frames {
        resting,
        partly,
        wholly,
    } = frames;
    assert!(resting > 10 && partly > 50 && wholly > 20, "{frames:?}");
}

/// Ids and bits of all contacts, those of removed bodies excepted.
fn shown<V: Vector>(world: &World<V>) -> Vec<(BodyId, BodyId, bool)> {
    let contacts = world.contacts().iter();
    contacts.map(|c| (c.a, c.b, c.distance() <= 0.0)).collect()
}

fn events<V: Vector>(world: &World<V>) -> Vec<(BodyId, BodyId, EventKind)> {
    let event = |event: Event<'_, V>| (event.contact.a, event.contact.b, event.kind);
    world.events().map(event).collect()
}

/// The events that lead from one list of contacts to another, in order, found the slow way.
fn expected(
    before: &[(BodyId, BodyId, bool)],
    now: &[(BodyId, BodyId, bool)],
) -> Vec<(BodyId, BodyId, EventKind)> {
    use EventKind::{Began, Ended, Entered, Left, Stayed};
    let mut events = Vec::new();
    for &(a, b, touches) in now {
        let last = before.iter().find(|last| (last.0, last.1) == (a, b));
        let kinds: &[EventKind] = match (last.map(|last| last.2), touches) {
            (None, true) => &[Entered, Began],
            (None, false) => &[Entered],
            (Some(false), true) => &[Began],
            (Some(true), true) => &[Stayed],
            (Some(true), false) => &[Ended],
            (Some(false), false) => &[],
        };
        events.extend(kinds.iter().map(|&kind| (a, b, kind)));
    }
    for &(a, b, touched) in before {
        if !now.iter().any(|next| (next.0, next.1) == (a, b)) {
            let kinds: &[EventKind] = if touched { &[Ended, Left] } else { &[Left] };
            events.extend(kinds.iter().map(|&kind| (a, b, kind)));
        }
    }
    events.sort();
    events
}

/// The contacts of such a snapshot are out of date for the bodies that were edited.
fn edits_that_wait_for_a_step_when_a_snapshot_is_taken<V: Dimension>() {
    let (mut world, ids) = resting_crowd::<V>(5, 0);
    world.step(0.0).unwrap();
    let mut pose = *world.get(ids[7]).unwrap().pose();
    pose.translation = pose.translation + V::axis(0) * 0.25;
    world.set_pose(ids[7], pose).unwrap();
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
            let events = events(&world).into_iter();
            let of_pair = events.filter(move |event| (event.0, event.1) == (pair.a, pair.b));
            of_pair.map(|event| event.2).collect::<Vec<_>>()
        };
        assert_eq!(kinds(contact.pair()).last(), Some(&EventKind::Left));
        assert_eq!(kinds(pair).first(), Some(&EventKind::Entered));
        ids.retain(|&id| id != contact.b);
        world.remove_many(&ids).unwrap();
        assert_eq!((world.len(), world.contacts().len()), (1, 0));
    }
}
