//! The bodies in a box are those whose boxes meet it, also after edits without a step.

use clearance_math::{Aabb, Pose, Real};
use clearance_world::{Backend, Options, World};

use crate::crowd::{Dimension, any_body, crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(found_as_by_looking_at_all, boxes_of_nothing_find_nothing);

fn found_as_by_looking_at_all<V: Dimension>() {
    for backend in [Backend::Bvh, Backend::RTree, Backend::BruteForce] {
        let options = Options {
            backend,
            ..Options::default()
        };
        let (mut world, ids) = world_of(options, crowd::<V>(16, 200));
        let mut random = Random::new(16);
        // Before the first step, after it, and after edits that no step has seen.
        let mut hits = check_boxes(&world, &mut random);
        world.step(0.1).unwrap();
        hits += check_boxes(&world, &mut random);
        for id in &ids[50..90] {
            world.remove(*id).unwrap();
        }
        for id in &ids[100..120] {
            let pose = Pose::from_translation(random.vector(0.0, 10.0));
            world.set_pose(*id, pose).unwrap();
        }
        for _ in 0..20 {
            world.insert(any_body(&mut random, 200)).unwrap();
        }
        hits += check_boxes(&world, &mut random);
        assert!((600..9000).contains(&hits), "{hits} hits");
    }
}

fn check_boxes<V: Dimension>(world: &World<V>, random: &mut Random) -> usize {
    let (mut found, mut hits) = (Vec::new(), 0);
    for _ in 0..50 {
        let low = random.vector::<V>(-1.0, 5.0);
        let bounds = Aabb::new(low, low + random.vector(0.5, 4.0));
        world.bodies_in_box(&bounds, &mut found);
        let inside = world.bodies().filter(|b| b.bounds().overlaps(&bounds));
        assert!(inside.map(|body| body.id()).eq(found.iter().copied()));
        hits += found.len();
    }
    hits
}

fn boxes_of_nothing_find_nothing<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(17, 20));
    world.step(0.0).unwrap();
    let mut found = vec![ids[0]];
    let nan = Aabb::new(V::splat(Real::NAN), V::splat(1.0));
    world.bodies_in_box(&nan, &mut found);
    assert!(found.is_empty());
    world.bodies_in_box(&Aabb::empty(), &mut found);
    assert!(found.is_empty());
    world.bodies_in_box(&Aabb::everything(), &mut found);
    assert_eq!(found, ids);
}
