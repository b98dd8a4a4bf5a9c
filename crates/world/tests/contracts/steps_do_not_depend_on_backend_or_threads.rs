//! Whatever the broad phase and however many the threads, a step tells the same, bit for bit, also across edits.

use clearance_math::Real;
use clearance_world::{Backend, BodyPair, Options, World};

use crate::compare::{poses, told};
use crate::crowd::{Dimension, edit_or_ask, heap, with_swept, with_threads, world_of};
use crate::random::Random;
use crate::shapes_of_your_own_are_bodies::crowd_with_eggs;

crate::in_both_dimensions!(all_ways_of_working_agree, much_work_is_shared_alike);

const COUNT: usize = 200;

/// The world of the last is set up anew in each frame, as one of the others is.
const WAYS: [(Backend, usize); 6] = [
    (Backend::BruteForce, 1),
    (Backend::Bvh, 1),
    (Backend::RTree, 1),
    (Backend::Bvh, 2),
    (Backend::Bvh, 4),
    (Backend::Bvh, 1),
];

fn assert_alike<V: Dimension>(one: &World<V>, other: &World<V>, frame: u64) {
    let Options {
        backend, threads, ..
    } = other.options();
    let about = format!("{backend:?}, {threads} threads, frame {frame}");
    assert!(told(one) == told(other), "{about}");
    assert_eq!(poses(one), poses(other), "{about}");
    assert_eq!(one.contacts_hash(), other.contacts_hash(), "{about}");
    assert_eq!(
        one.profile().candidates,
        other.profile().candidates,
        "{about}"
    );
}

fn all_ways_of_working_agree<V: Dimension>() {
    for surface_contacts in [false, true] {
        let mut worlds = WAYS.map(|(backend, threads)| {
            let options = Options {
                backend,
                surface_contacts,
                margin: 0.1,
                ..with_threads(threads)
            };
            let (mut world, ids) = world_of(options, with_swept(heap::<V>(5, COUNT), 5));
            if surface_contacts {
                world.set_pair_filter(|a, b| (a.id().index() ^ b.id().index()) % 7 != 0);
            }
            (world, ids)
        });
        let mut counts = [0; 5];
        for frame in 0..12 {
            for (place, (world, ids)) in worlds.iter_mut().enumerate() {
                if place == WAYS.len() - 1 {
                    let (backend, threads) = WAYS[frame as usize % place];
                    let options = world.options();
                    (world.set_options(Options {
                        backend,
                        threads: with_threads(threads).threads,
                        ..options
                    }))
                    .unwrap();
                    world.validate().unwrap();
                }
                let mut random = Random::new(frame);
                for _ in 0..6 {
                    edit_or_ask(world, ids, (&mut random, COUNT));
                }
                let near = world.contacts().first().map(|contact| contact.pair());
                if let Some(BodyPair { a, b }) = near {
                    world.ignore_pair(a, b).unwrap();
                }
                world.step(1.0 / 30.0).unwrap();
                world.validate().unwrap();
            }
            let [(one, _), others @ ..] = &worlds;
            for (other, _) in others {
                assert_alike(one, other, frame);
            }
            for (count, lines) in counts.iter_mut().zip(told(one)) {
                *count += lines.len();
            }
        }
        let [contacts, parts, surfaces, impacts, events] = counts;
        let are_many = contacts > 1000 && parts > 500 && impacts > 20 && events > 1000;
        let has_surfaces = if surface_contacts {
            surfaces > 500
        } else {
            surfaces == 0
        };
        assert!(are_many && has_surfaces, "{counts:?}");
    }
}

fn much_work_is_shared_alike<V: Dimension>() {
    let bodies = crowd_with_eggs::<V>(6, 6000);
    let mut worlds = [1, 2, 4].map(|threads| {
        let options = Options {
            part_contacts: true,
            manifolds: true,
            ..with_threads(threads)
        };
        let swept = bodies.iter().enumerate().map(|(place, body)| {
            let mut body = body.clone();
            body.swept = place % 16 == 1;
            body.velocity.linear = body.velocity.linear * if body.swept { 60.0 } else { 1.0 };
            body
        });
        world_of(options, swept).0
    });
    for frame in 0..3 {
        for world in &mut worlds {
            world.step(1.0 / 60.0 as Real).unwrap();
        }
        let [one, others @ ..] = &worlds;
        // Enough work that it is shared, and in several chunks.
        let profile = one.profile();
        assert!(profile.candidates > 2000 && profile.boxes_updated > 4096);
        assert!(profile.part_contacts > 500 && profile.swept > 100);
        assert!(profile.manifolds > 500);
        for other in others {
            assert_alike(one, other, frame);
            assert!(other.manifolds().eq(one.manifolds()), "{frame}");
        }
    }
}
