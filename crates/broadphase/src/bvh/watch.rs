//! The pairs of boxes among the candidates, kept from frame to frame.
//!
//! While no candidate comes or goes, only open ones can begin or cease to overlap: these are
//! watched, if they are not most of all, and what changes is put into the list of last time or taken
//! out of it.

use clearance_math::Vector;

use super::Bvh;
use super::kept::{Kept, MET, OPEN};
use super::sort::{merge, take_out};
use crate::Key;

/// So many candidates are tested before those that overlap are copied.
const BLOCK: usize = 256;

/// If not more than one candidate in this many has to be tested, looking which is worth a branch.
const FEW_OPEN: usize = 8;

/// If more than one candidate in this many is open, nothing is watched: boxes move so far that the
/// candidates seldom stay the same, and the list is made anew in each frame.
const WATCH_SHARE: usize = 2;

/// If more than one pair in this many begins or ceases to overlap, a new list is cheaper.
const CHANGE_SHARE: usize = 32;

impl<V: Vector> Bvh<V> {
    /// Looks which of the watched pairs began or ceased to overlap, and brings the list up to date;
    /// false if these are so many that it has to be made anew.
    #[inline(never)]
    pub(super) fn look_again(&self, kept: &mut Kept) -> bool {
        kept.begun.clear();
        kept.ended.clear();
        for (a, marked) in &mut kept.watched {
            let pair = (*a, *marked >> 1);
            let overlap = self.overlap(pair.0, pair.1);
            if overlap != (*marked & MET != 0) {
                *marked ^= MET;
                let changes = match overlap {
                    true => &mut kept.begun,
                    false => &mut kept.ended,
                };
                changes.push(pair);
            }
        }
        let changes = kept.begun.len() + kept.ended.len();
        if changes > kept.pairs.len() / CHANGE_SHARE {
            return false;
        }
        take_out(&mut kept.pairs, &kept.ended, 0);
        merge(&mut kept.pairs, &kept.begun);
        true
    }

    /// Makes the list of pairs anew, and that of what is watched.
    pub(super) fn list_anew(&self, kept: &mut Kept) {
        kept.pairs.clear();
        kept.watched.clear();
        let (candidates, open) = (kept.candidates.len(), kept.open);
        kept.is_watched = open <= candidates / WATCH_SHARE;
        if open <= candidates / FEW_OPEN {
            self.list_few_open(kept);
        } else if kept.is_watched {
            self.list::<true>(kept);
        } else {
            self.list::<false>(kept);
        }
    }

    /// Without a branch, which could not be predicted.
    #[inline(never)]
    fn list<const WATCH: bool>(&self, kept: &mut Kept) {
        let (mut pairs, mut watched) = ([(0, 0); BLOCK], [(0, 0); BLOCK]);
        let mut overlaps = [false; BLOCK];
        for candidates in kept.candidates.chunks(BLOCK) {
            // In a loop of its own: a place to write to that depends on a test holds up the next.
            for (overlap, &(a, marked)) in overlaps.iter_mut().zip(candidates) {
                *overlap = self.overlap(a, marked >> 1);
            }
            let (mut met, mut open) = (0, 0);
            for (&overlap, &(a, marked)) in overlaps.iter().zip(candidates) {
                pairs[met] = (a, marked >> 1);
                if WATCH {
                    watched[open] = (a, marked & !OPEN | u32::from(overlap));
                    open += (marked & OPEN) as usize;
                }
                met += usize::from(overlap);
            }
            kept.pairs.extend_from_slice(&pairs[..met]);
            kept.watched.extend_from_slice(&watched[..open]);
        }
    }

    /// The same where few need a test: looking which is worth a branch.
    #[inline(never)]
    fn list_few_open(&self, kept: &mut Kept) {
        let mut pairs = [(0, 0); BLOCK];
        for candidates in kept.candidates.chunks(BLOCK) {
            let mut met = 0;
            for &(a, marked) in candidates {
                pairs[met] = (a, marked >> 1);
                let mut overlap = true;
                if marked & OPEN != 0 {
                    overlap = self.overlap(a, marked >> 1);
                    kept.watched.push((a, marked & !OPEN | u32::from(overlap)));
                }
                met += usize::from(overlap);
            }
            kept.pairs.extend_from_slice(&pairs[..met]);
        }
    }

    #[inline]
    fn overlap(&self, a: Key, b: Key) -> bool {
        let entries = &self.table.entries;
        let [a, b] = [a, b].map(|key| &entries[key as usize].bounds);
        a.overlaps(b)
    }
}
