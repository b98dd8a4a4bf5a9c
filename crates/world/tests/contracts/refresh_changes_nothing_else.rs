//! `World::refresh` brings what questions search up to date: nothing else shows of it, in this step or the next.

use clearance_world::{Event, Options, World};

use crate::crowd::{BACKENDS, Dimension, composite_crowd, edit_or_ask, with_swept, world_of};
use crate::random::Random;

crate::in_both_dimensions!(as_without_it_whatever_is_edited_around_it);

const COUNT: usize = 60;

fn as_without_it_whatever_is_edited_around_it<V: Dimension>() {
    for backend in BACKENDS {
        let options = Options {
            backend,
            part_contacts: true,
            ..Options::default()
        };
        let crowd = with_swept(composite_crowd::<V>(5, COUNT), 5);
        let (mut world, mut ids) = world_of(options, crowd.clone());
        let (mut twin, mut ids_of_twin) = world_of(options, crowd);
        let saved = (world.snapshot(), ids.clone());
        let saved_of_twin = (twin.snapshot(), ids_of_twin.clone());
        for round in 0..24 {
            let mut random = Random::new(round);
            let before = seen(&world);
            world.refresh();
            assert_eq!(seen(&world), before);
            world.validate().unwrap();
            for _ in 0..random.below(3) {
                let seed = 40 * round + random.below(40) as u64;
                for (world, ids) in [(&mut world, &mut ids), (&mut twin, &mut ids_of_twin)] {
                    let mut random = Random::new(seed);
                    for _ in 0..4 {
                        edit_or_ask(world, ids, (&mut random, COUNT));
                    }
                }
                world.refresh();
                world.validate().unwrap();
            }
            if round == 12 {
                world.restore(&saved.0);
                twin.restore(&saved_of_twin.0);
                (ids, ids_of_twin) = (saved.1.clone(), saved_of_twin.1.clone());
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
    let ids: Vec<String> = world.bodies().ids().map(|id| id.to_string()).collect();
    let parts = world.part_contacts();
    format!("{:?} {events:?} {parts:?} {ids:?}", world.contacts())
}
