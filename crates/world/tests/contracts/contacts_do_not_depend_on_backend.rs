//! All broad phases lead to the same contacts, bit for bit, also across edits.

use clearance_world::{Backend, Options, World};

use crate::compare::bits;
use crate::crowd::{Dimension, any_body, crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(three_backends_agree);

const COUNT: usize = 400;

fn three_backends_agree<V: Dimension>() {
    let mut worlds: Vec<World<V>> = [Backend::Bvh, Backend::RTree, Backend::BruteForce]
        .map(|backend| {
            let options = Options {
                backend,
                ..Options::default()
            };
            let (world, _) = world_of(options, crowd(5, COUNT));
            assert_eq!(world.backend(), backend);
            world
        })
        .into();
    for frame in 0..40 {
        for world in &mut worlds {
            let gone = world.ids().nth(frame * 7).unwrap();
            world.remove(gone).unwrap();
            let mut random = Random::new(frame as u64);
            world.insert(any_body(&mut random, COUNT)).unwrap();
            world.step(1.0 / 60.0).unwrap();
            world.validate().unwrap();
        }
        let expected = bits(&worlds[2]);
        assert!(expected.len() > COUNT / 4, "{} are too few", expected.len());
        assert!(bits(&worlds[0]) == expected, "tree, frame {frame}");
        assert!(bits(&worlds[1]) == expected, "R-tree, frame {frame}");
        let candidates = worlds[2].profile().candidates;
        assert_eq!(worlds[0].profile().candidates, candidates);
        assert_eq!(worlds[1].profile().candidates, candidates);
    }
}
