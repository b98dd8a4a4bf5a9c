//! A frame has the same bits, however the player came to it.

use clearance_math::{Vec2, Vec3};
use clearance_recording::{Player, PlayerOptions, SeekError};

use crate::game::{Dimension, Rules};
use crate::playing_gives_the_same_bits::record;
use crate::random::Random;

fn check<V: Dimension>(is_late: bool, kept_bytes: usize) {
    let mut random = Random::new(7);
    for seed in 0..4 {
        let rules = Rules {
            is_late,
            one_swept_in: 4,
        };
        let recorded = record::<V>(seed, 60, rules);
        let options = PlayerOptions {
            kept_bytes,
            ..PlayerOptions::default()
        };
        let mut player = Player::<V>::open_with(recorded.bytes, options).unwrap();
        for _ in 0..30 {
            let frame = 1 + random.below(60);
            player.seek(frame as u64).unwrap();
            assert_eq!(player.frame(), frame as u64);
            if frame > 2 {
                // Not assert_eq: the texts are long.
                let is_same = player.world().snapshot() == recorded.worlds[frame - 1];
                assert!(is_same, "seed {seed}, frame {frame}");
                assert_eq!(player.difference(), None);
            }
        }
        // The world, the state, and less than twice what may be kept.
        assert!(
            player.memory() < 2_000_000 + kept_bytes,
            "{}",
            player.memory()
        );
        player.seek(0).unwrap();
        assert_eq!((player.frame(), player.recorded_hash()), (0, None));
        let beyond = SeekError::NoSuchFrame {
            frame: 61,
            first: 0,
            last: 60,
        };
        assert_eq!(player.seek(61), Err(beyond));
        assert_eq!(player.frame(), 0);
    }
}

#[test]
fn whichever_way_the_frame_was_reached() {
    for is_late in [false, true] {
        // None, a few, all.
        for kept_bytes in [0, 100_000, 1 << 30] {
            check::<Vec2>(is_late, kept_bytes);
            check::<Vec3>(is_late, kept_bytes);
        }
    }
}
