//! In what two frames differ.

use clearance_world::BodyId;

use crate::pairs::Pair;

/// In what the contacts of a frame differ between a recording and a world, or between two recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The frame.
    pub frame: u64,
    /// The two hashes of all contacts.
    pub hashes: [u64; 2],
    /// The pairs whose contacts differ, sorted. They are told by 16 bits each, so one pair in 65,536 is not.
    pub pairs: Vec<PairDifference>,
}

/// Two bodies whose contact is not the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairDifference {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The body with the larger id.
    pub b: BodyId,
    /// Whether one, the other or both have a contact of the pair.
    pub found_in: FoundIn,
}

/// Which of two lists of contacts names a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundIn {
    /// The first one: the recording, or the left one of two.
    Left,
    /// The second one: the world that plays, or the right one of two recordings.
    Right,
    /// Both, with different contacts.
    Both,
}

/// The pairs that only one of two lists has, or both with different hashes. `id` names the body of a slot.
pub(crate) fn of_pairs(
    left: &[Pair],
    right: &[Pair],
    id: impl Fn(u32) -> BodyId,
) -> Vec<PairDifference> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut differences = Vec::new();
    loop {
        let (pair, found_in) = match (left.peek(), right.peek()) {
            (None, None) => return differences,
            (Some(l), Some(r)) if l.slots == r.slots => {
                let (l, r) = (*l, *r);
                left.next();
                right.next();
                if l.hash == r.hash {
                    continue;
                }
                (l, FoundIn::Both)
            }
            (Some(l), r) if r.is_none_or(|r| l.slots < r.slots) => {
                let l = *l;
                left.next();
                (l, FoundIn::Left)
            }
            (_, Some(r)) => {
                let r = *r;
                right.next();
                (r, FoundIn::Right)
            }
            (Some(_), None) => return differences,
        };
        let [a, b] = pair.slots.map(&id);
        differences.push(PairDifference { a, b, found_in });
    }
}
