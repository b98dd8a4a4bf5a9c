//! Following a live recording.

use clearance_math::{Vector, compile_once};

use super::source::{Phase, Source, Stream};
use super::{Player, PlayerOptions};
use crate::block::{Block, BlockKind};
use crate::bytes::Unreadable;
use crate::error::{Damage, OpenError};
use crate::header::Header;
use crate::row::Space;
use crate::shapes;
use crate::state::State;

impl<V: Vector> Player<V> {
    /// One that waits for the blocks of a live recording: see [`Player::push`].
    ///
    /// # Errors
    /// Options that a world refuses.
    pub fn live(mut options: PlayerOptions) -> Result<Self, OpenError> {
        options.kept_bytes = 0;
        Self::new(Source::Stream(Stream::default()), options)
    }

    /// Plays the blocks that came, which may end within a block, and goes to the last frame of them. Gives how many frames
    /// were played.
    ///
    /// Blocks are passed over until a header comes: what [`Encoder::join`](crate::Encoder::join) wrote begins with
    /// one. It may come again at any time, and then the recording begins anew: so a sender that has to leave out frames can
    /// join its reader again. A whole recording takes no blocks: nothing is played.
    ///
    /// # Errors
    /// Damage: the blocks after it are passed over until a header comes. The world stays as it was after the last frame that
    /// played, or is the one of a step that was not finished.
    pub fn push(&mut self, bytes: &[u8]) -> Result<u64, Damage> {
        push(self, bytes)
    }

    fn advance_position(&mut self, size: u64) {
        if let Source::Stream(stream) = &mut self.source {
            stream.position += size;
        }
    }

    fn note_damage(&mut self, error: Unreadable) -> Damage {
        let frame = self.state.frame;
        let mut damage = Damage {
            byte: 0,
            frame: frame.saturating_add(1),
            what: error.0,
        };
        if let Source::Stream(stream) = &mut self.source {
            damage.byte = stream.position;
            stream.phase = Phase::Waiting;
            stream.damage = Some(damage.clone());
        }
        damage
    }

    fn phase(&self) -> Phase {
        match &self.source {
            Source::Stream(stream) => stream.phase,
            Source::File { .. } => Phase::Waiting,
        }
    }

    fn set_phase(&mut self, phase: Phase) {
        if let Source::Stream(stream) = &mut self.source {
            stream.phase = phase;
        }
    }

    /// Takes a block. Gives how many frames it played.
    fn take(&mut self, block: Block<'_>) -> Result<u64, Unreadable> {
        let space = Space::of::<V>();
        let payload = block.payload;
        let phase = self.phase();
        match (block.kind, phase) {
            (BlockKind::Header, _) => {
                let header = Header::read(payload);
                let header = header.map_err(|error| Unreadable(error.to_string()))?;
                if header.space != space {
                    return Err(Unreadable::new("the recording is of the other dimension"));
                }
                self.shapes.clear();
                self.drift = None;
                self.set_phase(Phase::Begun);
            }
            (_, Phase::Waiting) => {}
            (BlockKind::Shape, _) => {
                let (number, shape) = shapes::read(payload)?;
                self.shapes.insert(number, shape);
            }
            (BlockKind::Keyframe, Phase::Begun) => {
                let keyframe = State::read_keyframe(payload, space)?;
                self.load(keyframe)?;
                self.set_phase(Phase::Playing);
            }
            (BlockKind::Keyframe, Phase::Playing) => {
                let keyframe = State::read_keyframe(payload, space)?;
                if keyframe.frame != self.state.frame {
                    let (found, expected) = (keyframe.frame, self.state.frame);
                    let reason =
                        format!("a keyframe of frame {found} comes after frame {expected}");
                    return Err(Unreadable(reason));
                }
                self.check(keyframe)?;
                self.forget_shapes();
            }
            (BlockKind::Frame, Phase::Begun) => {
                return Err(Unreadable::new("a frame comes before the first keyframe"));
            }
            (BlockKind::Frame, Phase::Playing) => {
                self.play(payload)?;
                return Ok(1);
            }
        }
        Ok(0)
    }

    /// Forgets the shapes that no body has, as the writer does at keyframes.
    fn forget_shapes(&mut self) {
        let mut used = Vec::new();
        self.state.rows.list_shapes(&mut used);
        self.shapes
            .retain(|number, _| used.binary_search(number).is_ok());
    }
}

compile_once! {
    fn push<'a, V>(player: &'a mut Player<V>, bytes: &'a [u8]) -> Result<u64, Damage> {
        let Source::Stream(stream) = &mut player.source else {
            return Ok(0);
        };
        let mut pending = core::mem::take(&mut stream.pending);
        pending.extend_from_slice(bytes);
        let mut rest = pending.as_slice();
        let mut frames = 0;
        let mut outcome = Ok(());
        while outcome.is_ok() {
            let block = match Block::first_of(rest) {
                Ok(None) => break,
                Ok(Some((block, after))) => {
                    rest = after;
                    Ok(block)
                }
                Err(error) => {
                    // Where the next block begins is not known.
                    rest = &[];
                    Err(error)
                }
            };
            let taken = block.and_then(|block| Ok((player.take(block)?, block.size() as u64)));
            outcome = match taken {
                Ok((played, size)) => {
                    frames += played;
                    player.advance_position(size);
                    Ok(())
                }
                Err(error) => Err(player.note_damage(error)),
            };
        }
        let left = rest.len();
        pending.drain(..pending.len() - left);
        if let Source::Stream(stream) = &mut player.source {
            stream.pending = pending;
        }
        outcome.map(|()| frames)
    }
}
