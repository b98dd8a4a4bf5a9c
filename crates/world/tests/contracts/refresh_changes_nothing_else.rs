//! `World::refresh` brings what questions search up to date: nothing else shows of it, in this step or the next.

use clearance_math::Pose;
use clearance_world::{Backend, BodyId, Event, Kind, Options, Velocity, World};

use crate::crowd::{Dimension, any_body, composite_crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(as_without_it_whatever_is_edited_around_it);

fn as_without_it_whatever_is_edited_around_it<V: Dimension>() {
    for backend in [Backend::Bvh, Backend::RTree, Backend::BruteForce] {
        let options = Options {
            backend,
            part_contacts: true,
            ..Options::default()
        };
        let crowd = composite_crowd::<V>(5, 60);
        let (mut world, mut ids) = world_of(options, crowd.clone());
        let (mut twin, mut ids_of_twin) = world_of(options, crowd);
        let (snapshot, snapshot_of_twin) = (world.snapshot(), twin.snapshot());
        for round in 0..40 {
            let mut random = Random::new(round);
            let before = seen(&world);
            world.refresh();
            assert_eq!(seen(&world), before);
            world.validate().unwrap();
            for _ in 0..random.below(3) {
                let seed = 40 * round + random.below(40) as u64;
                ids.extend(edit(&mut world, &ids, seed));
                ids_of_twin.extend(edit(&mut twin, &ids_of_twin, seed));
                world.refresh();
                world.validate().unwrap();
            }
            if round == 20 {
                world.restore(&snapshot);
                twin.restore(&snapshot_of_twin);
            }
            let dt = if random.once_in(3) { 0.0 } else { 0.05 };
            world.step(dt).unwrap();
            twin.step(dt).unwrap();
            assert_eq!(seen(&world), seen(&twin), "round {round}");
            assert_eq!(world.profile().boxes_updated, twin.profile().boxes_updated);
        }
    }
}

/// What a step leaves.
fn seen<V: Dimension>(world: &World<V>) -> String {
    let events: Vec<Event<'_, V>> = world.events().collect();
    let ids: Vec<String> = world.ids().map(|id| id.to_string()).collect();
    let parts = world.part_contacts();
    format!("{:?} {events:?} {parts:?} {ids:?}", world.contacts())
}

/// Changes some bodies in any way; returns the one that came.
fn edit<V: Dimension>(world: &mut World<V>, ids: &[BodyId], seed: u64) -> Option<BodyId> {
    let mut random = Random::new(seed);
    for _ in 0..4 {
        let id = ids[random.below(ids.len())];
        let Some(body) = world.get(id).map(|body| body.to_body()) else {
            continue;
        };
        match random.below(6) {
            0 => {
                world.remove(id).unwrap();
            }
            1 => {
                let kinds = [Kind::Fixed, Kind::Moving];
                world.set_kind(id, kinds[random.below(2)]).unwrap();
            }
            2 => {
                let shape = any_body(&mut random, 60).shape;
                world.set_shape(id, shape).unwrap();
            }
            3 => {
                let velocity = Velocity::from_linear(random.vector(-4.0, 4.0));
                world.set_velocity(id, velocity).unwrap();
                world.set_swept(id, random.once_in(2)).unwrap();
            }
            _ => {
                let pose = Pose::new(random.vector(0.0, 6.0), body.pose.rotation);
                world.set_pose(id, pose).unwrap();
            }
        }
    }
    (random.once_in(2)).then(|| world.insert(any_body(&mut random, 60)).unwrap())
}
