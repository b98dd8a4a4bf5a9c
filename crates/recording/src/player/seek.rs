//! Going to a frame of a whole recording.

use std::sync::Arc;

use clearance_math::{Vector, compile_once};

use super::index::Index;
use super::source::Source;
use super::{Player, PlayerOptions};
use crate::block::block_at;
use crate::bytes::Unreadable;
use crate::error::{Damage, OpenError, SeekError};
use crate::row::Space;
use crate::state::State;

/// So many frames are played before the one that is wanted, at least: its events tell of the frame before it.
const RUN_UP: u64 = 2;

impl<V: Vector> Player<V> {
    /// Opens a whole recording, and goes to its first frame. Damage ends it early: [`Player::damage`].
    ///
    /// # Errors
    /// What is no recording of this version and dimension, or has no whole first frame.
    pub fn open(bytes: impl Into<Arc<[u8]>>) -> Result<Self, OpenError> {
        Self::open_with(bytes, PlayerOptions::default())
    }

    /// As [`Player::open`], with other options.
    ///
    /// # Errors
    /// Those of [`Player::open`]; options that a world refuses.
    pub fn open_with(
        bytes: impl Into<Arc<[u8]>>,
        options: PlayerOptions,
    ) -> Result<Self, OpenError> {
        open(bytes.into(), options)
    }

    /// Goes to a frame, from [`Player::first`] to [`Player::last`].
    ///
    /// Cost: that of playing the frames from the keyframe before it, or from the present frame if that is
    /// nearer. A live recording has the present frame only.
    ///
    /// # Errors
    /// A frame that the recording does not have; damage on the way there that was not seen before, and then the player is at the last frame
    /// that plays.
    pub fn seek(&mut self, frame: u64) -> Result<(), SeekError> {
        seek(self, frame)
    }

    /// Plays to a frame. Each time that this fails the recording becomes shorter.
    fn play_to(&mut self, frame: u64) -> Result<(), Damage> {
        let Source::File { index, .. } = &self.source else {
            return Ok(());
        };
        let keyframe = index.keyframe(frame.saturating_sub(RUN_UP)).frame;
        self.return_to(frame, keyframe);
        if self.state.frame > frame || self.state.frame < keyframe {
            self.start_from(keyframe)?;
        }
        while self.state.frame < frame {
            let next = self.state.frame + 1;
            if let Err(error) = self.try_next_frame(next) {
                // What is half done is of no frame, and is not gone on from.
                self.state.frame = u64::MAX;
                return Err(self.cut(next, error));
            }
        }
        Ok(())
    }

    /// Plays the next frame; `false` at the end of the recording, and for a live one.
    ///
    /// # Errors
    /// Damage that was not seen before: the player stays where it is.
    pub fn advance(&mut self) -> Result<bool, Damage> {
        if self.state.frame >= self.last() {
            return Ok(false);
        }
        let frame = self.state.frame + 1;
        match self.seek(frame) {
            Ok(()) => Ok(true),
            Err(SeekError::Damaged(damage)) => Err(damage),
            Err(SeekError::NoSuchFrame { .. }) => Ok(false),
        }
    }

    /// Goes to the frame that is kept, if it is nearer before `frame` than where the player is, and than the keyframe.
    fn return_to(&mut self, frame: u64, keyframe: u64) {
        let present = self.state.frame;
        let is_nearer = |kept: u64| kept >= keyframe && (present > frame || kept > present);
        let kept = self.moments.before(frame);
        if let Some(moment) = kept.filter(|kept| is_nearer(kept.state.frame)) {
            self.world.restore(&moment.snapshot);
            self.state.clone_from(&moment.state);
        }
    }

    /// Begins at a keyframe.
    fn start_from(&mut self, frame: u64) -> Result<(), Damage> {
        let state = self.read_keyframe(frame);
        let loaded = state.and_then(|state| match state {
            Some(state) => self.load(state),
            None => Err(Unreadable::new("there is no keyframe")),
        });
        loaded.map_err(|error| self.cut(frame, error))
    }

    /// Plays the frame after the present one.
    fn try_next_frame(&mut self, frame: u64) -> Result<(), Unreadable> {
        let before = frame - 1;
        if before != self.first()
            && let Some(keyframe) = self.read_keyframe(before)?
        {
            self.check(keyframe)?;
        }
        let Source::File { bytes, index } = &self.source else {
            return Ok(());
        };
        let (bytes, place) = (Arc::clone(bytes), index.frame(frame));
        let block = place.and_then(|place| block_at(&bytes, place));
        let block = block.ok_or_else(|| Unreadable::new("there is no such frame"))?;
        self.play(block.payload)?;
        self.moments.note(&self.world, &self.state);
        Ok(())
    }

    /// The state that the keyframe of a frame holds, if it has one.
    fn read_keyframe(&self, frame: u64) -> Result<Option<State>, Unreadable> {
        let Source::File { bytes, index } = &self.source else {
            return Ok(None);
        };
        let keyframe = index.keyframe_of(frame);
        let block = keyframe.and_then(|keyframe| block_at(bytes, keyframe.place));
        let state = block.map(|block| State::read_keyframe(block.payload, Space::of::<V>()));
        state.transpose()
    }

    /// The recording ends before this frame, because of what was found there.
    fn cut(&mut self, frame: u64, error: Unreadable) -> Damage {
        match &mut self.source {
            Source::File { index, .. } => index.cut(frame, error.0),
            Source::Stream(_) => Damage {
                byte: 0,
                frame,
                what: error.0,
            },
        }
    }
}

compile_once! {
    fn open<V>(bytes: Arc<[u8]>, options: PlayerOptions) -> Result<Player<V>, OpenError> {
        let index = Index::new(&bytes)?;
        let space = Space::of::<V>();
        if index.header.space != space {
            return Err(OpenError::Dimension {
                found: index.header.space.dimension(),
                expected: space.dimension(),
            });
        }
        let first = index.first;
        let mut player = Player::new(Source::File { bytes, index }, options)?;
        player.start_from(first).map_err(OpenError::NoFrame)?;
        Ok(player)
    }
}

compile_once! {
    fn seek<'a, V>(player: &'a mut Player<V>, frame: u64) -> Result<(), SeekError> {
        let (first, last) = (player.first(), player.last());
        if !(first..=last).contains(&frame) {
            return Err(SeekError::NoSuchFrame { frame, first, last });
        }
        let mut found = None;
        // Damage that nobody has seen yet makes the recording shorter: then the last frame that plays is gone to.
        while player.last() >= first {
            match player.play_to(frame.min(player.last())) {
                Ok(()) => break,
                Err(damage) => found = Some(damage),
            }
        }
        found.map_or(Ok(()), |damage| Err(SeekError::Damaged(damage)))
    }
}
