//! The frames to which one can go back.

use std::collections::VecDeque;

use clearance_math::Vector;
use clearance_world::{Snapshot, World};

/// A snapshot is taken every so many frames; those between are stepped again, with the same bits.
const INTERVAL: u64 = 8;

/// How many bytes of snapshots are kept, at most; the oldest go first.
const MOST_BYTES: usize = 128 << 20;

/// How many frames can be gone back at most, however small the world is.
const MOST_FRAMES: u64 = 3_600;

/// Snapshots of the last frames.
pub(crate) struct History<V: Vector> {
    kept: VecDeque<Moment<V>>,
    bytes: usize,
}

impl<V: Vector> Default for History<V> {
    fn default() -> Self {
        Self {
            kept: VecDeque::new(),
            bytes: 0,
        }
    }
}

/// A frame that can be returned to.
pub(crate) struct Moment<V: Vector> {
    pub(crate) frame: u64,
    pub(crate) snapshot: Snapshot<V>,
    /// The lengths of the steps since then, in seconds.
    pub(crate) steps: Vec<f32>,
}

impl<V: Vector> History<V> {
    /// A history that begins with `world` in frame 0.
    pub(crate) fn new(world: &World<V>) -> Self {
        Self::of_frames_from(0, world)
    }

    /// A history that begins with `world` in some frame.
    pub(crate) fn of_frames_from(frame: u64, world: &World<V>) -> Self {
        let mut history = Self::default();
        history.keep(frame, world);
        history
    }

    /// Notes a frame of a world that ran elsewhere, and keeps it now and then.
    pub(crate) fn note_frame(&mut self, frame: u64, world: &World<V>) {
        match self.kept.back() {
            Some(last) if last.frame <= frame && frame < last.frame.saturating_add(INTERVAL) => {}
            Some(last) if last.frame > frame => *self = Self::of_frames_from(frame, world),
            _ => self.keep(frame, world),
        }
    }

    /// The first frame that can be returned to.
    pub(crate) fn first(&self) -> u64 {
        self.kept.front().map_or(0, |moment| moment.frame)
    }

    /// The last frame that can be returned to.
    pub(crate) fn last(&self) -> u64 {
        self.kept
            .back()
            .map_or(0, |moment| moment.frame + moment.steps.len() as u64)
    }

    /// Notes that the world was stepped by `dt` to `frame`.
    pub(crate) fn note_step(&mut self, frame: u64, dt: f32, world: &World<V>) {
        if let Some(moment) = self.kept.back_mut() {
            moment.steps.push(dt);
        }
        let since = self.kept.back().map_or(0, |moment| moment.frame);
        if frame >= since.saturating_add(INTERVAL) {
            self.keep(frame, world);
        }
    }

    /// Notes that the world was changed in `frame`: what led to its state cannot be stepped again.
    pub(crate) fn note_change(&mut self, frame: u64, world: &World<V>) {
        self.forget_after(frame);
        if self.kept.back().is_some_and(|moment| moment.frame == frame) {
            self.kept.pop_back();
        }
        self.keep(frame, world);
    }

    /// Forgets the frames after `frame`, since the world goes on from there in another way.
    pub(crate) fn forget_after(&mut self, frame: u64) {
        while self.kept.len() > 1 && self.kept.back().is_some_and(|last| last.frame > frame) {
            self.kept.pop_back();
        }
        if let Some(moment) = self.kept.back_mut() {
            moment
                .steps
                .truncate(frame.saturating_sub(moment.frame) as usize);
        }
        self.count_bytes();
    }

    /// The last snapshot of `frame` or a frame before it.
    pub(crate) fn before(&self, frame: u64) -> Option<&Moment<V>> {
        let behind = self.kept.partition_point(|moment| moment.frame <= frame);
        self.kept.get(behind.checked_sub(1)?)
    }

    fn keep(&mut self, frame: u64, world: &World<V>) {
        self.kept.push_back(Moment {
            frame,
            snapshot: world.snapshot(),
            steps: Vec::new(),
        });
        self.count_bytes();
        let is_old = |moment: &Moment<V>| moment.frame.saturating_add(MOST_FRAMES) < frame;
        while self.kept.len() > 1
            && (self.bytes > MOST_BYTES || self.kept.front().is_some_and(is_old))
        {
            self.kept.pop_front();
            self.count_bytes();
        }
    }

    fn count_bytes(&mut self) {
        let bytes = self.kept.iter().map(|moment| moment.snapshot.memory());
        self.bytes = bytes.sum();
    }
}
