//! Contacts of parts: those of asking each pair alone, for every pair that wants them, whatever the
//! threads, the broad phase and the history.

use clearance_gjk::{Placed, Separation, contacts};
use clearance_math::Real;
use clearance_shapes::Shape;
use clearance_world::{Backend, BodyId, BodyRef, Contact, Options, Velocity, World};

use crate::compare::{bits, part_bits, separation_bits};
use crate::crowd::{Dimension, composite_crowd, edit, rebuilt, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    part_contacts_equal_asking_the_pair_alone,
    part_contacts_do_not_depend_on_thread_count,
    part_contacts_do_not_depend_on_backend,
    part_contacts_do_not_depend_on_history,
    part_contacts_survive_restore,
);

const COUNT: usize = 160;

fn wanting(part_contacts: bool) -> Options {
    Options {
        part_contacts,
        ..Options::default()
    }
}

/// What the world must list, by asking each pair of bodies that makes a contact.
pub(crate) fn expected<V: Dimension>(world: &World<V>) -> Vec<(BodyId, BodyId, Vec<u32>)> {
    let mut expected = Vec::new();
    let mut found = Vec::<Separation<V>>::new();
    for contact in world.contacts() {
        let [a, b] = [contact.a, contact.b].map(|id| world.get(id).unwrap());
        let is_wanted = |body: BodyRef<'_, V>| body.wants_part_contacts();
        if !world.wants_part_contacts() && !is_wanted(a) && !is_wanted(b) {
            continue;
        }
        let extra = f64::from(a.extra_margin()) + f64::from(b.extra_margin());
        let within = (f64::from(world.margin()) + extra) as Real;
        let [placed_a, placed_b] = [a, b].map(|body| Placed::new(body.shape(), body.pose()));
        contacts(placed_a, placed_b, within, &mut found).unwrap();
        if found.is_empty() {
            // One body is wholly inside of the other.
            found.push(contact.separation);
        }
        let texts = found.iter().map(separation_bits);
        expected.extend(texts.map(|bits| (contact.a, contact.b, bits)));
    }
    expected
}

pub(crate) fn listed<V: Dimension>(world: &World<V>) -> Vec<(BodyId, BodyId, Vec<u32>)> {
    let bits = |contact: &Contact<V>| (contact.a, contact.b, separation_bits(&contact.separation));
    world.part_contacts().iter().map(bits).collect()
}

/// Of how many pairs of bodies with several part contacts the first, the second or both are composites;
/// and how many pairs have no composite.
fn kinds<V: Dimension>(world: &World<V>) -> [usize; 4] {
    let mut kinds = [0; 4];
    let is_composite = |id| matches!(world.get(id).unwrap().shape(), Shape::Composite(_));
    for contact in world.contacts() {
        let parts = world.part_contacts_between(contact.b, contact.a);
        assert_eq!(parts, world.part_contacts_between(contact.a, contact.b));
        let kind = match [contact.a, contact.b].map(is_composite) {
            [true, false] => 0,
            [false, true] => 1,
            [true, true] => 2,
            [false, false] => 3,
        };
        let several = if kind == 3 { 1 } else { 2 };
        kinds[kind] += usize::from(parts.len() >= several);
    }
    kinds
}

fn part_contacts_equal_asking_the_pair_alone<V: Dimension>() {
    let mut seen = [0; 4];
    for part_contacts in [false, true] {
        let (mut world, _) = world_of(wanting(part_contacts), composite_crowd::<V>(50, COUNT));
        for (frame, margin) in [0.05, 0.05, 0.4, 0.0].into_iter().enumerate() {
            world.set_margin(margin).unwrap();
            world.step(0.05).unwrap();
            world.validate().unwrap();
            assert!(listed(&world) == expected(&world), "frame {frame}");
            assert_eq!(world.profile().part_contacts, world.part_contacts().len());
            for (seen, kind) in seen.iter_mut().zip(kinds(&world)) {
                *seen += kind;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

fn part_contacts_do_not_depend_on_thread_count<V: Dimension>() {
    for part_contacts in [false, true] {
        let mut worlds = [1, 2, 4].map(|threads| {
            let is_parallel = cfg!(feature = "parallel");
            let options = Options {
                threads: if is_parallel { threads } else { 1 },
                ..wanting(part_contacts)
            };
            world_of(options, composite_crowd::<V>(51, 2500)).0
        });
        for frame in 0..4 {
            for world in &mut worlds {
                world.step(1.0 / 60.0).unwrap();
            }
            let [one, others @ ..] = &worlds;
            // Enough that they are shared, and in several chunks.
            assert!(one.part_contacts().len() > 500);
            for other in others {
                assert!(part_bits(one) == part_bits(other), "frame {frame}");
                assert_eq!(one.contacts_hash(), other.contacts_hash());
            }
        }
    }
}

fn part_contacts_do_not_depend_on_backend<V: Dimension>() {
    let mut worlds = [Backend::Bvh, Backend::RTree, Backend::BruteForce].map(|backend| {
        let options = Options {
            backend,
            ..Options::default()
        };
        world_of(options, composite_crowd::<V>(52, COUNT))
    });
    for frame in 0..20 {
        for (world, ids) in &mut worlds {
            let mut random = Random::new(frame);
            for _ in 0..4 {
                edit_or_ask(world, ids, &mut random);
            }
            world.step(1.0 / 60.0).unwrap();
        }
        let [one, others @ ..] = &worlds;
        assert!(one.0.part_contacts().len() > COUNT / 8);
        for other in others {
            assert!(part_bits(&one.0) == part_bits(&other.0), "frame {frame}");
        }
    }
}

/// One random edit, often of what is wanted.
fn edit_or_ask<V: Dimension>(world: &mut World<V>, ids: &mut Vec<BodyId>, random: &mut Random) {
    if random.once_in(3) {
        let id = ids[random.below(ids.len())];
        world.set_part_contacts(id, random.once_in(2)).unwrap();
    } else if random.once_in(30) {
        world.set_all_part_contacts(random.once_in(2));
    } else {
        edit(world, ids, (random, COUNT));
    }
}

/// Worlds in which few bodies move, half of them, or all, with edits, margins, clones and restores.
fn part_contacts_do_not_depend_on_history<V: Dimension>() {
    let mut some_measured = 0;
    for (seed, share) in [(53, 0), (54, 12), (55, 2), (56, 1)] {
        let mut random = Random::new(seed);
        let bodies = composite_crowd::<V>(seed, COUNT).into_iter().map(|body| {
            let moves = share > 0 && random.once_in(share);
            let rest = Velocity::default();
            if moves {
                body
            } else {
                body.with_velocity(rest)
            }
        });
        let (mut world, mut ids) = world_of(Options::default(), bodies);
        let mut saved = (world.snapshot(), ids.clone());
        for frame in 0..24 {
            for _ in 0..[0, 1, 3][random.below(3)] {
                edit_or_ask(&mut world, &mut ids, &mut random);
            }
            match random.below(12) {
                0 => world.set_margin(random.between(0.0, 0.2)).unwrap(),
                1 => saved = (world.snapshot(), ids.clone()),
                2 => {
                    world.restore(&saved.0);
                    ids.clone_from(&saved.1);
                }
                3 => world = world.clone(),
                _ => {}
            }
            world.step([0.0, 1.0 / 60.0][random.below(2)]).unwrap();
            world.validate().unwrap();
            let profile = world.profile();
            let is_partly = profile.selected > 0 && profile.selected < profile.candidates;
            some_measured += usize::from(is_partly && profile.part_contacts > 0);
            let options = Options {
                margin: world.margin(),
                ..wanting(world.wants_part_contacts())
            };
            let fresh = rebuilt(&world, options);
            assert!(part_bits(&world) == part_bits(&fresh), "{seed} {frame}");
            assert!(bits(&world) == bits(&fresh), "{seed} {frame}");
        }
        assert!(world.part_contacts().len() > COUNT / 8);
    }
    assert!(some_measured > 20, "{some_measured}");
}

fn part_contacts_survive_restore<V: Dimension>() {
    let (mut world, ids) = world_of(wanting(true), composite_crowd::<V>(57, COUNT));
    world.step(1.0 / 60.0).unwrap();
    let (snapshot, then) = (world.snapshot(), part_bits(&world));
    let bytes = postcard::to_allocvec(&snapshot).unwrap();
    let text = serde_json::to_string(&snapshot).unwrap();
    let follow = |world: &mut World<V>| -> Vec<_> {
        let first = world.ids().nth(7).unwrap();
        world.set_velocity(first, Velocity::default()).unwrap();
        let frames = (0..6).map(|_| {
            world.step(1.0 / 60.0).unwrap();
            (part_bits(world), world.contacts_hash())
        });
        frames.collect()
    };
    let future = follow(&mut world);
    world.set_all_part_contacts(false);
    world.remove_many(&ids[20..40]).unwrap();
    world.step(0.0).unwrap();
    assert!(part_bits(&world).len() < then.len());

    let read = [
        snapshot.clone(),
        postcard::from_bytes(&bytes).unwrap(),
        serde_json::from_str(&text).unwrap(),
    ];
    for snapshot in read {
        let other = World::new(Options::default()).unwrap();
        for mut world in [world.clone(), other] {
            world.restore(&snapshot);
            assert!(world.wants_part_contacts());
            assert!(part_bits(&world) == then);
            assert!(world.snapshot() == snapshot);
            world.step(0.0).unwrap();
            assert!(part_bits(&world) == then, "at rest");
            world.restore(&snapshot);
            assert!(follow(&mut world) == future);
        }
    }
}
