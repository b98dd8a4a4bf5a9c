//! Recordings.

use clearance_math::Vector;
use clearance_recording::{AnyPlayer, Player, PlayerOptions};

/// The most frames that are played of a recording.
const MOST_FRAMES: usize = 40;

/// Bytes, taken as a recording: as they are, and with checksums that fit.
///
/// It opens or is refused with a reason; what opens plays to its end or to damage that is told, and any frame that was
/// played can be gone back to. The same bytes are taken as a live stream, too.
///
/// # Panics
/// If the engine breaks one of these promises, with the bytes.
pub fn recording(data: &[u8]) {
    check(data);
    let sealed = sealed(data);
    if sealed != data {
        check(&sealed);
    }
}

fn check(bytes: &[u8]) {
    match AnyPlayer::open(bytes, PlayerOptions::default()) {
        Ok(AnyPlayer::Plane(player)) => check_player(player, bytes),
        Ok(AnyPlayer::Space(player)) => check_player(player, bytes),
        Err(error) => assert!(!error.to_string().is_empty(), "no reason: {bytes:?}"),
    }
    match AnyPlayer::live(bytes, PlayerOptions::default()) {
        Ok(AnyPlayer::Plane(player)) => check_live(player, bytes),
        Ok(AnyPlayer::Space(player)) => check_live(player, bytes),
        Err(error) => assert!(!error.to_string().is_empty(), "no reason: {bytes:?}"),
    }
}

fn check_player<V: Vector>(mut player: Player<V>, bytes: &[u8]) {
    assert!(player.first() <= player.last(), "no frames: {bytes:?}");
    let mut played = vec![player.frame()];
    while played.len() < MOST_FRAMES {
        match player.advance() {
            Ok(true) => played.push(player.frame()),
            Ok(false) => break,
            Err(damage) => {
                assert_eq!(player.damage(), Some(&damage), "{bytes:?}");
                break;
            }
        }
        check_world(&player, bytes);
    }
    for frame in played {
        if (player.first()..=player.last()).contains(&frame) && player.seek(frame).is_ok() {
            assert_eq!(player.frame(), frame, "{bytes:?}");
            check_world(&player, bytes);
        }
    }
}

/// Whatever came so far, more may come: here the same once more, in two pieces.
fn check_live<V: Vector>(mut player: Player<V>, bytes: &[u8]) {
    check_world(&player, bytes);
    let (first, second) = bytes.split_at(bytes.len() / 2);
    for piece in [first, second] {
        if let Err(damage) = player.push(piece) {
            assert!(!damage.to_string().is_empty(), "no reason: {bytes:?}");
        }
        check_world(&player, bytes);
    }
}

fn check_world<V: Vector>(player: &Player<V>, bytes: &[u8]) {
    if let Err(complaint) = player.world().validate() {
        panic!("{complaint}: {bytes:?}");
    }
}

/// The bytes with checksums that fit, as far as they are blocks: a byte for the kind, four for the length, the
/// payload and the lower half of XXH64.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    let mut start = 0;
    while let Some(&[_, a, b, c, d]) = bytes.get(start..).and_then(<[u8]>::first_chunk) {
        let end = start + 5 + u32::from_le_bytes([a, b, c, d]) as usize;
        if bytes.len() < end + 4 {
            break;
        }
        let checksum = twox_hash::XxHash64::oneshot(0, &bytes[start..end]) as u32;
        bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
        start = end + 4;
    }
    bytes
}
