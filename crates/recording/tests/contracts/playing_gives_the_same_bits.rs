//! A recording that is played gives the bodies, contacts, events and impacts that were recorded, to the last bit.

use clearance_math::{Vec2, Vec3};
use clearance_recording::{Encoder, EncoderOptions, Player};
use clearance_world::Snapshot;

use crate::game::{Dimension, Game, Rules};

/// A recording, and what the world was at the end of each frame.
pub(crate) struct Recorded<V: Dimension> {
    pub(crate) bytes: Vec<u8>,
    pub(crate) worlds: Vec<Snapshot<V>>,
    pub(crate) hashes: Vec<u64>,
}

pub(crate) fn record<V: Dimension>(seed: u64, frames: usize, rules: Rules) -> Recorded<V> {
    let options = EncoderOptions {
        frames_between_keyframes: 7,
    };
    let mut encoder = Encoder::new(options);
    let mut game = Game::<V>::new(seed, rules);
    let mut recorded = Recorded {
        bytes: Vec::new(),
        worlds: Vec::new(),
        hashes: Vec::new(),
    };
    for _ in 0..frames {
        game.frame();
        encoder.frame(&game.world, &mut recorded.bytes).unwrap();
        recorded.worlds.push(game.world.snapshot());
        recorded.hashes.push(game.world.contacts_hash());
    }
    recorded
}

fn check<V: Dimension>(rules: Rules) {
    for seed in 0..20 {
        let recorded = record::<V>(seed, 40, rules);
        let mut player = Player::<V>::open(recorded.bytes).unwrap();
        assert_eq!((player.first(), player.last()), (0, 40));
        assert_eq!(player.damage(), None);
        for (frame, (world, hash)) in (1..).zip(recorded.worlds.iter().zip(&recorded.hashes)) {
            assert!(player.advance().unwrap());
            assert_eq!(player.frame(), frame);
            let drift = player.drift();
            assert_eq!(drift, None, "seed {seed}, frame {frame}");
            // What happened after the first step, before the recording began, is in no frame. Nor is what swept bodies met
            // in that step, of which the next one does not tell again.
            let untold = usize::from(rules.is_late) + usize::from(rules.one_swept_in > 0);
            if frame > untold as u64 {
                let found = player.world().contacts_hash();
                assert_eq!(found, *hash, "seed {seed}, frame {frame}");
                assert_eq!(player.recorded_hash(), Some(*hash));
                assert_eq!(player.difference(), None);
            }
            // Nor do the events of the first step tell of the world before it.
            if frame > untold as u64 + 1 {
                // Not assert_eq: the texts are long.
                let is_same = player.world().snapshot() == *world;
                assert!(is_same, "seed {seed}, frame {frame}");
            }
        }
        assert!(!player.advance().unwrap());
    }
}

#[test]
fn of_worlds_that_change_before_their_steps() {
    let rules = Rules {
        is_late: false,
        one_swept_in: 0,
    };
    check::<Vec2>(rules);
    check::<Vec3>(rules);
}

#[test]
fn of_worlds_that_change_after_their_steps() {
    let rules = Rules {
        is_late: true,
        one_swept_in: 0,
    };
    check::<Vec2>(rules);
    check::<Vec3>(rules);
}

#[test]
fn of_worlds_with_swept_bodies() {
    for is_late in [false, true] {
        let rules = Rules {
            is_late,
            one_swept_in: 3,
        };
        check::<Vec2>(rules);
        check::<Vec3>(rules);
    }
}

fn check_going_back<V: Dimension>(is_late: bool) {
    for seed in 0..10 {
        let rules = Rules {
            is_late: false,
            one_swept_in: 0,
        };
        let mut game = Game::<V>::new(seed, rules);
        let mut encoder = Encoder::new(EncoderOptions::default());
        let mut bytes = Vec::new();
        let mut expected = Vec::new();
        for _ in 0..30 {
            let goes_back = game.random.once_in(3);
            if goes_back && !is_late {
                game.save_or_restore();
            }
            game.frame();
            if goes_back && is_late {
                game.save_or_restore();
            }
            encoder.frame(&game.world, &mut bytes).unwrap();
            let bodies: Vec<_> = game.world.bodies().map(|b| (b.id(), b.to_body())).collect();
            expected.push((game.world.contacts_hash(), bodies));
        }
        let mut player = Player::<V>::open(bytes).unwrap();
        for (hash, bodies) in expected {
            assert!(player.advance().unwrap());
            let world = player.world();
            let frame = player.frame();
            assert_eq!(world.contacts_hash(), hash, "seed {seed}, frame {frame}");
            assert!(world.bodies().map(|b| (b.id(), b.to_body())).eq(bodies));
        }
    }
}

#[test]
fn of_worlds_that_go_back_to_snapshots() {
    for is_late in [false, true] {
        check_going_back::<Vec2>(is_late);
        check_going_back::<Vec3>(is_late);
    }
}
