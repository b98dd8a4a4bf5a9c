//! Outside of a rayon pool all work stays on the calling thread. Otherwise rayon would start its
//! global pool; the test looks for that, in a process where nothing else starts it.

#[path = "contracts/common.rs"]
#[allow(dead_code)]
mod common;

use clearance_broadphase::{BroadPhase, Bvh, Key, Mobility};
use clearance_math::Vec2;
use common::{Random, ordinary};

const BOXES: usize = 24_000;

#[test]
fn outside_of_a_pool_it_works_alone() {
    let mut boxes = Bvh::new();
    boxes.set_threads(3);
    let mut random = Random(5);
    for key in 0..BOXES as Key {
        boxes.insert(key, ordinary::<Vec2>(&mut random, 130.0), Mobility::Moving);
    }
    boxes.refresh();
    assert!(boxes.pairs().len() > BOXES / 4);
    let global = rayon::ThreadPoolBuilder::new().num_threads(1);
    assert!(global.build_global().is_ok());
}

#[test]
fn no_thread_is_one() {
    let mut boxes = Bvh::new();
    boxes.set_threads(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    pool.build().expect("threads").install(|| {
        boxes.insert(0, ordinary::<Vec2>(&mut Random(1), 1.0), Mobility::Moving);
        boxes.set_many(&[0, Key::MAX], &[ordinary(&mut Random(2), 1.0); 2]);
        boxes.refresh();
        assert!(boxes.pairs().is_empty());
    });
}
