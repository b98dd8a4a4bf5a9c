//! Frames that a player keeps in memory, to come back to.

use std::collections::BTreeMap;

use clearance_math::Vector;
use clearance_world::{Snapshot, World};

use crate::state::State;

/// A frame is kept of so many that are played.
const INTERVAL: u64 = 8;

/// The frames that are kept.
#[derive(Debug)]
pub(super) struct Moments<V: Vector> {
    kept: BTreeMap<u64, Moment<V>>,
    bytes: usize,
    most_bytes: usize,
}

/// All that a player needs to go on from a frame.
#[derive(Debug)]
pub(super) struct Moment<V: Vector> {
    pub(super) snapshot: Snapshot<V>,
    pub(super) state: State,
}

impl<V: Vector> Moment<V> {
    fn memory(&self) -> usize {
        self.snapshot.memory() + self.state.memory()
    }
}

impl<V: Vector> Moments<V> {
    pub(super) fn new(most_bytes: usize) -> Self {
        Self {
            kept: BTreeMap::new(),
            bytes: 0,
            most_bytes,
        }
    }

    /// Keeps a frame that was played, if it is the turn of one.
    pub(super) fn note(&mut self, world: &World<V>, state: &State) {
        let frame = state.frame;
        if self.most_bytes == 0 || !frame.is_multiple_of(INTERVAL) || self.kept.contains_key(&frame)
        {
            return;
        }
        let moment = Moment {
            snapshot: world.snapshot(),
            state: state.clone(),
        };
        self.bytes += moment.memory();
        self.kept.insert(frame, moment);
        while self.bytes > self.most_bytes {
            self.forget_farthest_from(frame);
        }
    }

    fn forget_farthest_from(&mut self, frame: u64) {
        let first = self.kept.keys().next().copied();
        let last = self.kept.keys().next_back().copied();
        let ends = [first, last].into_iter().flatten();
        let Some(farthest) = ends.max_by_key(|&end| frame.abs_diff(end)) else {
            self.bytes = 0;
            return;
        };
        if let Some(moment) = self.kept.remove(&farthest) {
            self.bytes -= moment.memory();
        }
    }

    /// The last one that is kept and not after a frame.
    pub(super) fn before(&self, frame: u64) -> Option<&Moment<V>> {
        self.kept
            .range(..=frame)
            .next_back()
            .map(|(_, moment)| moment)
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.bytes
    }
}
