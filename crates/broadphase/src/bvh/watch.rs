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

/// So many candidates are worth a thread.
const MANY_CANDIDATES: usize = 8192;

/// What came of listing some candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    /// The pairs of boxes that overlap.
    pairs: Vec<(Key, Key)>,
    /// The open candidates, if these are watched.
    watched: Vec<(Key, u32)>,
}

impl Listed {
    fn clear(&mut self) {
        self.pairs.clear();
        self.watched.clear();
    }

    pub(super) fn capacity(&self) -> usize {
        self.pairs.capacity().max(self.watched.capacity())
    }

    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.clear();
        self.pairs.shrink_to(capacity);
        self.watched.shrink_to(capacity);
    }

    pub(super) fn memory(&self) -> usize {
        (self.pairs.capacity() + self.watched.capacity()) * size_of::<(Key, Key)>()
    }
}

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
        let (candidates, open) = (&kept.candidates, kept.open);
        let is_watched = open <= candidates.len() / WATCH_SHARE;
        let list = |candidates: &[(Key, u32)], listed: &mut Listed| {
            if open <= kept.candidates.len() / FEW_OPEN {
                self.list_few_open(candidates, listed);
            } else if is_watched {
                self.list::<true>(candidates, listed);
            } else {
                self.list::<false>(candidates, listed);
            }
        };
        // What is listed first is not copied.
        let mut first = Listed {
            pairs: core::mem::take(&mut kept.pairs),
            watched: core::mem::take(&mut kept.watched),
        };
        let mut others = core::mem::take(&mut kept.listed);
        let pieces = self.workers.pieces(candidates.len(), MANY_CANDIDATES);
        let length = candidates.len().div_ceil(pieces).max(1);
        others.resize_with(pieces - 1, Listed::default);
        first.clear();
        others.iter_mut().for_each(Listed::clear);
        let places = core::iter::once(&mut first).chain(&mut others);
        let work = candidates.chunks(length).zip(places);
        self.workers
            .for_each(work, |(candidates, listed)| list(candidates, listed));
        for listed in &others {
            first.pairs.extend_from_slice(&listed.pairs);
            first.watched.extend_from_slice(&listed.watched);
        }
        kept.is_watched = is_watched;
        kept.pairs = first.pairs;
        kept.watched = first.watched;
        kept.listed = others;
    }

    /// Without a branch, which could not be predicted.
    #[inline(never)]
    fn list<const WATCH: bool>(&self, candidates: &[(Key, u32)], listed: &mut Listed) {
        let (mut pairs, mut watched) = ([(0, 0); BLOCK], [(0, 0); BLOCK]);
        let mut overlaps = [false; BLOCK];
        for candidates in candidates.chunks(BLOCK) {
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
            listed.pairs.extend_from_slice(&pairs[..met]);
            listed.watched.extend_from_slice(&watched[..open]);
        }
    }

    /// The same where few need a test: looking which is worth a branch.
    #[inline(never)]
    fn list_few_open(&self, candidates: &[(Key, u32)], listed: &mut Listed) {
        let mut pairs = [(0, 0); BLOCK];
        for candidates in candidates.chunks(BLOCK) {
            let mut met = 0;
            for &(a, marked) in candidates {
                pairs[met] = (a, marked >> 1);
                let mut overlap = true;
                if marked & OPEN != 0 {
                    overlap = self.overlap(a, marked >> 1);
                    let watched = (a, marked & !OPEN | u32::from(overlap));
                    listed.watched.push(watched);
                }
                met += usize::from(overlap);
            }
            listed.pairs.extend_from_slice(&pairs[..met]);
        }
    }

    #[inline]
    fn overlap(&self, a: Key, b: Key) -> bool {
        let entries = &self.table.entries;
        let [a, b] = [a, b].map(|key| &entries[key as usize].bounds);
        a.overlaps(b)
    }
}
