//! One thread, two or four: the same contacts, bit for bit.

use clearance_world::{MAX_THREADS, Options, WorldError};

#[cfg(feature = "parallel")]
use crate::crowd::Dimension;

#[cfg(feature = "parallel")]
crate::in_both_dimensions!(one_two_and_four_threads_agree);

#[cfg(feature = "parallel")]
fn one_two_and_four_threads_agree<V: Dimension>() {
    use crate::compare::{bits, poses};
    use crate::crowd::{crowd, world_of};

    let mut worlds = [1, 2, 4].map(|threads| {
        let options = Options {
            threads,
            ..Options::default()
        };
        let (world, _) = world_of(options, crowd::<V>(6, 6000));
        assert_eq!(world.threads(), threads);
        world
    });
    for frame in 0..10 {
        for world in &mut worlds {
            world.step(1.0 / 60.0).unwrap();
        }
        let [one, two, four] = &worlds;
        // Enough work that it is shared, and in several chunks.
        assert!(one.profile().candidates > 2000 && one.profile().boxes_updated > 4096);
        assert_eq!(poses(one), poses(two));
        assert_eq!(poses(one), poses(four));
        assert!(bits(one) == bits(two), "two threads, frame {frame}");
        assert!(bits(one) == bits(four), "four threads, frame {frame}");
    }
}

#[cfg(not(feature = "parallel"))]
#[test]
fn more_threads_than_the_build_has_are_refused() {
    let options = Options {
        threads: 2,
        ..Options::default()
    };
    let error = clearance_world::World::<clearance_math::Vec2>::new(options).unwrap_err();
    assert_eq!(error, WorldError::NotParallel { threads: 2 });
    assert!(error.to_string().contains("feature `parallel`"), "{error}");
}

#[test]
fn no_thread_is_refused() {
    let options = Options {
        threads: 0,
        ..Options::default()
    };
    let error = clearance_world::World::<clearance_math::Vec2>::new(options).unwrap_err();
    assert_eq!(error, WorldError::NoThreads);
}

#[test]
fn too_many_threads_are_refused_before_any_is_started() {
    for threads in [MAX_THREADS + 1, 1_000_000, usize::MAX] {
        let options = Options {
            threads,
            ..Options::default()
        };
        let error = clearance_world::World::<clearance_math::Vec2>::new(options).unwrap_err();
        assert_eq!(error, WorldError::TooManyThreads { threads });
        let text = format!("threads is {threads}, must be from 1 to 1024");
        assert_eq!(error.to_string(), text);
    }
}
