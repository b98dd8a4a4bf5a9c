//! A damaged recording plays up to the damage, and says where it is. That reading ends without a panic whatever the bytes is
//! seen by the fuzz target `recording`.

use clearance_math::{Vec2, Vec3};
use clearance_recording::{AnyPlayer, OpenError, Player, PlayerOptions};

use crate::game::{Dimension, Rules};
use crate::playing_gives_the_same_bits::{Recorded, record};
use crate::random::Random;

const RULES: Rules = Rules {
    is_late: false,
    one_swept_in: 0,
};

/// Plays all frames, and checks those that play against what was recorded.
fn play<V: Dimension>(bytes: &[u8], recorded: &Recorded<V>) -> Result<u64, OpenError> {
    let mut player = Player::<V>::open(bytes)?;
    loop {
        match player.advance() {
            Ok(true) => {
                let hash = recorded.hashes[player.frame() as usize - 1];
                assert_eq!(player.world().contacts_hash(), hash);
            }
            Ok(false) => break,
            Err(damage) => {
                assert_eq!(player.damage(), Some(&damage));
                assert_eq!(player.frame() + 1, damage.frame);
            }
        }
    }
    if let Some(damage) = player.damage() {
        assert_eq!(damage.frame, player.last() + 1);
    }
    Ok(player.last())
}

fn check_truncated<V: Dimension>() {
    let recorded = record::<V>(1, 12, RULES);
    let whole = recorded.bytes.len();
    let mut frames = Vec::new();
    for length in (0..whole).step_by(3) {
        match Player::<V>::open(&recorded.bytes[..length]) {
            Ok(player) => frames.push(player.last()),
            Err(error) => assert!(frames.is_empty(), "{error}"),
        }
    }
    assert!(frames.is_sorted() && frames.contains(&0) && frames.contains(&11));
    assert_eq!(play(&recorded.bytes, &recorded), Ok(12));
    let cut = &recorded.bytes[..whole - 1];
    assert_eq!(play(cut, &recorded), Ok(11));
    let damage = Player::<V>::open(cut).unwrap().damage().cloned().unwrap();
    assert_eq!(damage.frame, 12);
    assert!(damage.what.contains("cut off"), "{damage}");
    // The block that is cut off is the last one.
    let last = &recorded.bytes[damage.byte as usize..];
    assert!(last[0] == b'F' && last.len() < 1000);
}

#[test]
fn of_recordings_that_end_early() {
    check_truncated::<Vec2>();
    check_truncated::<Vec3>();
}

/// Changes a few bytes.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let place = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[place] = 0xff,
            1 => bytes[place] = random.below(256) as u8,
            2 => bytes[place] ^= 1 << random.below(8),
            3 => drop(bytes.drain(place..(place + 9).min(bytes.len()))),
            _ => bytes[place] = bytes[place].wrapping_add(1),
        }
    }
    bytes
}

/// Makes all checksums fit.
fn seal(bytes: &mut [u8]) {
    let mut start = 0;
    while let Some(head) = bytes.get(start + 1..start + 5) {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(end) = start
            .checked_add(5 + length)
            .filter(|end| end + 4 <= bytes.len())
        else {
            return;
        };
        let checksum = twox_hash::XxHash64::oneshot(0, &bytes[start..end]) as u32;
        bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
        start = end + 4;
    }
}

#[test]
fn of_recordings_with_changed_bytes() {
    let recorded = record::<Vec2>(2, 10, RULES);
    let mut random = Random::new(11);
    for _ in 0..300 {
        let damaged = mutated(&recorded.bytes, &mut random);
        if damaged == recorded.bytes {
            continue;
        }
        // What plays is what was recorded: no damage is mistaken for something else.
        let played = play(&damaged, &recorded);
        assert!(!matches!(played, Ok(10)) || damaged.len() < recorded.bytes.len());
    }
}

#[test]
fn of_other_files() {
    let refused = |bytes: &[u8]| AnyPlayer::open(bytes, PlayerOptions::default()).unwrap_err();
    for bytes in [&b""[..], b"{}", b"HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH"] {
        let error = refused(bytes);
        assert!(matches!(error, OpenError::NotARecording { .. }), "{error}");
    }
    let recorded = record::<Vec2>(3, 2, RULES);
    let error = Player::<Vec3>::open(recorded.bytes.as_slice()).unwrap_err();
    let expected = OpenError::Dimension {
        found: 2,
        expected: 3,
    };
    assert_eq!(error, expected);
    let mut other_version = recorded.bytes.clone();
    other_version[5 + 19] += 1;
    seal(&mut other_version);
    let error = refused(&other_version);
    assert!(
        matches!(error, OpenError::Version { found: 3, .. }),
        "{error}"
    );
    // The header alone.
    let header = 5 + usize::from(recorded.bytes[1]) + 4;
    let error = refused(&recorded.bytes[..header]);
    assert!(matches!(error, OpenError::NoFrame(_)), "{error}");
}

#[test]
fn of_lengths_that_lie_without_making_room_for_them() {
    let recorded = record::<Vec3>(4, 3, RULES);
    let mut lying = recorded.bytes.clone();
    lying[1..5].copy_from_slice(&0x3fff_ffff_u32.to_le_bytes());
    let counted = allocation_counter::measure(|| {
        assert!(AnyPlayer::open(lying.as_slice(), PlayerOptions::default()).is_err());
    });
    assert!(
        counted.bytes_max < 2 * lying.len() as u64 + 10_000,
        "{counted:?}"
    );
}
