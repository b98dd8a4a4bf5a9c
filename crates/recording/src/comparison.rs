//! Two recordings compared.

use clearance_world::BodyId;

use crate::any_player::AnyPlayer;
use crate::difference::{self, Difference};
use crate::reader::Reader;
use crate::state::State;

/// The first frame of two whole recordings whose contacts differ, and the pairs that do; none if all frames that both
/// have are alike, up to the damage of either.
///
/// The contacts are those that were recorded: nothing is computed again. Frames of the same number are compared.
///
/// Two recordings that do not have the same dimension, or are live, are not compared: none.
#[must_use]
pub fn first_difference(left: &AnyPlayer, right: &AnyPlayer) -> Option<Difference> {
    if left.dimension() != right.dimension() {
        return None;
    }
    let [left, right] = [left, right].map(AnyPlayer::file);
    let (mut left, mut right) = (Reader::new(left?), Reader::new(right?));
    loop {
        let (one, other) = (left.state()?, right.state()?);
        if one.frame == other.frame
            && let Some(difference) = between(one, other)
        {
            return Some(difference);
        }
        let (is_behind, is_ahead) = (one.frame <= other.frame, one.frame >= other.frame);
        if is_behind {
            left.advance();
        }
        if is_ahead {
            right.advance();
        }
    }
}

fn between(left: &State, right: &State) -> Option<Difference> {
    let hashes = [left.hash?, right.hash?];
    if hashes[0] == hashes[1] {
        return None;
    }
    let id = |slot: u32| {
        let rows = [left, right].map(|side| side.rows.get(slot));
        let mut rows = rows.into_iter().flatten();
        let generation = rows
            .find(|row| row.is_taken)
            .map_or(0, |row| row.generation);
        BodyId::from_parts(slot, generation)
    };
    let pairs = difference::of_pairs(&left.pairs, &right.pairs, id);
    Some(Difference {
        frame: left.frame,
        hashes,
        pairs,
    })
}
