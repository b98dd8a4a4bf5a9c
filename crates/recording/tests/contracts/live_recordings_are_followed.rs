//! Blocks of a live recording are played as they come; readers may join at any frame, and again after a gap.

use clearance_math::{Vec2, Vec3};
use clearance_recording::{AnyPlayer, Encoder, EncoderOptions, OpenError, Player, PlayerOptions};

use crate::game::{Dimension, Game, Rules};
use crate::random::Random;

const RULES: Rules = Rules {
    is_late: true,
    one_swept_in: 0,
};

const FREQUENT: EncoderOptions = EncoderOptions {
    frames_between_keyframes: 5,
};

fn check_readers<V: Dimension>() {
    let mut random = Random::new(3);
    let mut game = Game::<V>::new(5, RULES);
    let mut encoder = Encoder::new(FREQUENT);
    let mut readers: Vec<Player<V>> = Vec::new();
    for frame in 1..60 {
        game.frame();
        let mut blocks = Vec::new();
        encoder.frame(&game.world, &mut blocks).unwrap();
        let hash = game.world.contacts_hash();
        for player in &mut readers {
            // It comes in pieces.
            let place = random.below(blocks.len());
            let first = player.push(&blocks[..place]).unwrap();
            let second = player.push(&blocks[place..]).unwrap();
            assert_eq!(first + second, 1);
            assert_eq!((player.frame(), player.damage()), (frame, None));
            assert_eq!(player.world().contacts_hash(), hash, "frame {frame}");
            assert!(player.world().bodies().eq_poses(&game));
        }
        if frame % 4 == 0 {
            let mut join = Vec::new();
            encoder.join(&mut join).unwrap();
            let mut player = Player::live(PlayerOptions::default()).unwrap();
            assert_eq!(player.push(&join), Ok(0));
            assert_eq!(
                (player.frame(), player.first(), player.last()),
                (frame, frame, frame)
            );
            readers.push(player);
        }
    }
}

/// Compares where bodies are.
trait EqPoses<V: Dimension> {
    fn eq_poses(self, game: &Game<V>) -> bool;
}

impl<'w, V: Dimension, I: Iterator<Item = clearance_world::BodyRef<'w, V>>> EqPoses<V> for I {
    fn eq_poses(self, game: &Game<V>) -> bool {
        let of = |body: clearance_world::BodyRef<'_, V>| (body.id(), body.to_body());
        self.map(of).eq(game.world.bodies().map(of))
    }
}

#[test]
fn by_readers_that_join_at_any_frame() {
    check_readers::<Vec2>();
    check_readers::<Vec3>();
}

#[test]
fn after_a_gap_from_where_the_reader_joins_again() {
    let mut game = Game::<Vec3>::new(9, RULES);
    let mut encoder = Encoder::new(FREQUENT);
    let mut frames = Vec::new();
    let mut joins = Vec::new();
    for _ in 0..12 {
        game.frame();
        let [mut frame, mut join] = [Vec::new(), Vec::new()];
        encoder.frame(&game.world, &mut frame).unwrap();
        encoder.join(&mut join).unwrap();
        frames.push(frame);
        joins.push(join);
    }
    let mut player = AnyPlayer::live(&frames[0], PlayerOptions::default()).unwrap();
    assert_eq!((player.frame(), player.dimension()), (1, 3));
    let damage = player.push(&frames[3]).unwrap_err();
    assert_eq!(damage.byte, frames[0].len() as u64);
    assert_eq!(damage.frame, 2);
    assert!(
        damage.what.contains("frame 4 comes after frame 1"),
        "{damage}"
    );
    assert_eq!(player.push(&frames[4]), Ok(0));
    assert_eq!(player.push(&joins[6]), Ok(0));
    assert_eq!(player.frame(), 7);
    for frame in &frames[7..] {
        assert_eq!(player.push(frame), Ok(1));
    }
    assert_eq!(player.frame(), 12);
    assert_eq!(player.recorded_hash(), Some(game.world.contacts_hash()));
    assert_eq!(player.difference(), None);
}

#[test]
fn only_if_they_begin_as_recordings_do() {
    let options = PlayerOptions::default();
    for bytes in [&b""[..], b"{\"dimension\": 3}", b"H"] {
        let refused = AnyPlayer::live(bytes, options);
        assert!(matches!(refused, Err(OpenError::NotARecording { .. })));
    }
    let mut encoder = Encoder::<Vec2>::new(EncoderOptions::default());
    let mut nothing = Vec::new();
    encoder.join(&mut nothing).unwrap();
    assert!(nothing.is_empty());
}
