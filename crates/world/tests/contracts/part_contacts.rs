//! Contacts of parts: those of asking each pair alone, for every pair that wants them, whatever the
//! threads, the broad phase and the history.

use clearance_gjk::{Placed, Separation, contacts};
use clearance_math::{Pose, Real};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Backend, Body, BodyId, BodyRef, Contact, Options, Velocity, World};

use crate::compare::{bits, part_bits, separation_bits};
use crate::crowd::{Dimension, composite_crowd, edit, rebuilt, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    part_contacts_equal_asking_the_pair_alone,
    part_contacts_do_not_depend_on_thread_count,
    part_contacts_do_not_depend_on_backend,
    part_contacts_do_not_depend_on_history,
    part_contacts_survive_restore,
    either_body_or_the_world_asks_for_part_contacts,
    part_contacts_of_removed_bodies_are_gone_at_once,
    part_contacts_are_of_pairs_that_are_allowed,
    unbounded_overlaps_are_part_contacts,
    the_hash_covers_part_contacts,
);

const COUNT: usize = 160;

fn wanting(part_contacts: bool) -> Options {
    Options {
        part_contacts,
        ..Options::default()
    }
}

/// What the world must list, by asking each pair of bodies that makes a contact.
fn expected<V: Dimension>(world: &World<V>) -> Vec<(BodyId, BodyId, Vec<u32>)> {
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
        let texts = found.iter().map(separation_bits);
        expected.extend(texts.map(|bits| (contact.a, contact.b, bits)));
    }
    expected
}

fn listed<V: Dimension>(world: &World<V>) -> Vec<(BodyId, BodyId, Vec<u32>)> {
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
            let is_partly = profile.measured > 0 && profile.measured < profile.candidates;
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

/// A terrain, a bar above it that is near several parts, and a ball.
fn bar_on_terrain<V: Dimension>() -> (World<V>, [BodyId; 3]) {
    let above = |height: Real| Pose::from_translation(V::axis(1) * height);
    let bodies = [
        Body::fixed(V::terrain(8.0), above(-2.0)),
        Body::moving(Shape::cuboid(V::splat(1.5)).unwrap(), above(0.5)),
        Body::moving(Shape::ball(0.5).unwrap(), above(2.5)),
    ];
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    (world, ids.try_into().unwrap())
}

fn either_body_or_the_world_asks_for_part_contacts<V: Dimension>() {
    let (mut world, [terrain, bar, ball]) = bar_on_terrain::<V>();
    let counts = |world: &World<V>| {
        [(bar, terrain), (ball, bar)].map(|(a, b)| world.part_contacts_between(a, b).len())
    };
    assert_eq!(world.contacts().len(), 2);
    assert!(world.part_contacts().is_empty());
    let least = bits(&world);
    let mut several = 0;
    let mut ask = |world: &mut World<V>, asking: &[BodyId]| {
        for id in [terrain, bar, ball] {
            world.set_part_contacts(id, asking.contains(&id)).unwrap();
            let body = world.get(id).unwrap();
            assert_eq!(body.wants_part_contacts(), asking.contains(&id));
        }
        // The change shows after the next step, and contacts stay as they are.
        let before = part_bits(world);
        assert!(part_bits(world) == before);
        world.step(0.0).unwrap();
        assert!(bits(world) == least);
        several = several.max(counts(world)[0]);
        counts(world).map(|count| count.min(2))
    };
    assert_eq!(ask(&mut world, &[terrain]), [2, 0]);
    assert_eq!(ask(&mut world, &[bar]), [2, 1]);
    assert_eq!(ask(&mut world, &[ball]), [0, 1]);
    assert_eq!(ask(&mut world, &[terrain, ball]), [2, 1]);
    assert_eq!(ask(&mut world, &[]), [0, 0]);
    world.set_all_part_contacts(true);
    assert_eq!(ask(&mut world, &[]), [2, 1]);
    world.set_all_part_contacts(false);
    assert_eq!(ask(&mut world, &[ball]), [0, 1]);
    assert!(several > 8, "{several}");
    // What is as it was costs nothing.
    world.set_part_contacts(ball, true).unwrap();
    world.set_all_part_contacts(false);
    world.step(0.0).unwrap();
    assert_eq!(world.profile().rebounded, 0);
}

fn part_contacts_of_removed_bodies_are_gone_at_once<V: Dimension>() {
    let (mut world, [terrain, bar, ball]) = bar_on_terrain::<V>();
    world.set_all_part_contacts(true);
    world.step(0.0).unwrap();
    let all = world.part_contacts().len();
    assert_eq!(world.part_contacts_between(bar, ball).len(), 1);
    let body = world.remove(ball).unwrap();
    assert_eq!(world.part_contacts().len(), all - 1);
    assert!(world.part_contacts_between(bar, ball).is_empty());
    // Its successor in the slot has none before the next step.
    let next = world.insert(body).unwrap();
    assert_eq!(next.index(), ball.index());
    assert!(world.part_contacts_between(bar, next).is_empty());
    assert_eq!(world.part_contacts().len(), all - 1);
    world.validate().unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.part_contacts_between(bar, next).len(), 1);
    assert!(world.part_contacts_between(bar, bar).is_empty());
    world.set_shape(terrain, Shape::ball(0.1).unwrap()).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.part_contacts().len(), 1);
    world.clear();
    assert!(world.part_contacts().is_empty());
    world.step(0.0).unwrap();
    world.validate().unwrap();
    assert!(world.part_contacts().is_empty());
}

fn part_contacts_are_of_pairs_that_are_allowed<V: Dimension>() {
    let (mut world, [terrain, bar, ball]) = bar_on_terrain::<V>();
    world.set_all_part_contacts(true);
    world.step(0.0).unwrap();
    let all = part_bits(&world);
    world.ignore_pair(bar, terrain).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.part_contacts().len(), 1);
    world.unignore_pair(bar, terrain).unwrap();
    world.step(0.0).unwrap();
    assert!(part_bits(&world) == all);
    world.set_pair_filter(move |a, b| a.id() != ball && b.id() != ball);
    world.step(0.0).unwrap();
    assert_eq!(world.part_contacts().len(), all.len() - 1);
    world.clear_pair_filter();
    world.step(0.0).unwrap();
    assert!(part_bits(&world) == all);
    // Farther parts come within range with a larger margin of the world or of a body.
    world.set_margin(0.3).unwrap();
    world.step(0.0).unwrap();
    let more = world.part_contacts().len();
    assert!(more > all.len());
    world.set_extra_margin(bar, 2.0).unwrap();
    world.step(0.0).unwrap();
    assert!(world.part_contacts().len() > more);
    assert!(listed(&world) == expected(&world));
}

/// Two half-spaces are no composites, so their contact is all there is.
fn unbounded_overlaps_are_part_contacts<V: Dimension>() {
    let plane = Shape::<V>::half_space(V::axis(1)).unwrap();
    let bodies = [
        Body::fixed(plane.clone(), Pose::IDENTITY),
        Body::moving(plane, Pose::IDENTITY).with_part_contacts(),
    ];
    let (mut world, _) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    assert!(world.contacts()[0].is_unbounded());
    assert_eq!(world.part_contacts(), world.contacts());
    world.validate().unwrap();
}

fn the_hash_covers_part_contacts<V: Dimension>() {
    // Two balls beside a third one; where the farther one is shows in the part contacts alone.
    let hashes = |height: Real| {
        let ball = Shape::<V>::ball(0.5).unwrap();
        let part = |pose| CompoundPart {
            shape: ball.clone(),
            pose,
        };
        let at = |x: Real, y: Real| Pose::from_translation(V::axis(0) * x + V::axis(1) * y);
        let two = Shape::compound(vec![part(at(1.0, 0.0)), part(at(0.3, height))]).unwrap();
        let bodies = [
            Body::fixed(two, Pose::IDENTITY),
            Body::moving(ball.clone(), Pose::IDENTITY),
        ];
        let (mut world, _) = world_of(Options::default(), bodies);
        [false, true].map(|are_wanted| {
            world.set_all_part_contacts(are_wanted);
            world.step(0.0).unwrap();
            assert_eq!(world.part_contacts().len(), 2 * usize::from(are_wanted));
            world.contacts_hash()
        })
    };
    let (one, other) = (hashes(0.98), hashes(0.99));
    assert_eq!(one[0], other[0]);
    assert_ne!(one[1], other[1]);

    let (mut world, [_, bar, ball]) = bar_on_terrain::<V>();
    let without = world.contacts_hash();
    world.set_part_contacts(ball, true).unwrap();
    world.step(0.0).unwrap();
    let with = world.contacts_hash();
    assert_ne!(with, without);
    world.set_part_contacts(bar, true).unwrap();
    world.step(0.0).unwrap();
    assert!(![with, without].contains(&world.contacts_hash()));
    for id in [bar, ball] {
        world.set_part_contacts(id, false).unwrap();
    }
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), without);
}
