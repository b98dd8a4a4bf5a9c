//! A broad phase with threads of its own does not start the global pool of rayon, which belongs to the game. The test looks
//! for that in a process where nothing else starts it.

#[path = "contracts/common.rs"]
#[allow(dead_code)]
mod common;

use clearance_broadphase::{BodyKind, BroadPhase, Bvh, Key, Workers};
use clearance_math::Vec2;
use common::{Random, ordinary};

const BOXES: usize = 24_000;

#[test]
fn the_global_pool_is_not_started() {
    for workers in [Workers::alone(), Workers::new(3).expect("threads")] {
        let mut boxes = Bvh::new();
        boxes.set_workers(workers);
        let mut random = Random(5);
        for key in 0..BOXES as Key {
            boxes.insert(key, ordinary::<Vec2>(&mut random, 130.0), BodyKind::Moving);
        }
        boxes.refresh();
        assert!(boxes.pairs().len() > BOXES / 4);
    }
    let global = rayon::ThreadPoolBuilder::new().num_threads(1);
    assert!(global.build_global().is_ok());
}
