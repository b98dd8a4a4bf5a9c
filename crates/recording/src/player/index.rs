//! Where the blocks of a recording are.

use std::collections::BTreeMap;

use crate::block::{Block, BlockKind};
use crate::bytes::{Bytes, Unreadable};
use crate::error::{Damage, OpenError};
use crate::header::Header;
use crate::shapes;

/// The places of the blocks of a whole recording.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) header: Header,
    /// The frame that the first keyframe holds.
    pub(crate) first: u64,
    /// Where the frames after it are.
    frames: Vec<usize>,
    /// The keyframes, in order.
    keyframes: Vec<Keyframe>,
    /// Where the shapes are.
    pub(crate) shapes: BTreeMap<u32, usize>,
    pub(crate) damage: Option<Damage>,
}

/// A keyframe, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Keyframe {
    pub(crate) frame: u64,
    pub(crate) place: usize,
}

impl Index {
    /// Looks at the head and the checksum of each block, up to the first damage.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, OpenError> {
        let (header, rest) = Header::first_of(bytes)?;
        let mut index = Self {
            header,
            first: 0,
            frames: Vec::new(),
            keyframes: Vec::new(),
            shapes: BTreeMap::new(),
            damage: None,
        };
        let mut place = bytes.len() - rest.len();
        while place < bytes.len() {
            match index.add_first_of(&bytes[place..], place) {
                Ok(size) => place += size,
                Err(Unreadable(what)) => {
                    index.note_damage(place, what);
                    break;
                }
            }
        }
        if index.keyframes.is_empty() {
            let cut_off = || Unreadable::new("there is no keyframe").0;
            let damage = index.damage.unwrap_or_else(|| Damage {
                byte: bytes.len() as u64,
                frame: 0,
                what: cut_off(),
            });
            return Err(OpenError::NoFrame(damage));
        }
        Ok(index)
    }

    /// Notes the block at a place. Gives its size.
    fn add_first_of(&mut self, bytes: &[u8], place: usize) -> Result<usize, Unreadable> {
        let block = Block::first_of(bytes)?;
        let Some((block, _)) = block else {
            return Err(Unreadable::new("the last block is cut off"));
        };
        match block.kind {
            BlockKind::Header => {
                return Err(Unreadable::new("another recording begins"));
            }
            BlockKind::Shape => {
                let (number, _) = shapes::read_number(block.payload)?;
                if self.shapes.insert(number, place).is_some() {
                    return Err(Unreadable(format!("shape {number} comes twice")));
                }
            }
            BlockKind::Keyframe => {
                let frame = Bytes::new(block.payload).varint()?;
                if self.keyframes.is_empty() {
                    self.first = frame;
                } else if frame != self.last() {
                    let last = self.last();
                    let reason = format!("a keyframe of frame {frame} comes after frame {last}");
                    return Err(Unreadable(reason));
                }
                self.keyframes.push(Keyframe { frame, place });
            }
            BlockKind::Frame => {
                let frame = Bytes::new(block.payload).varint()?;
                let last = self.last();
                if self.keyframes.is_empty() || Some(frame) != last.checked_add(1) {
                    return Err(Unreadable(format!(
                        "frame {frame} comes after frame {last}"
                    )));
                }
                self.frames.push(place);
            }
        }
        Ok(block.size())
    }

    pub(crate) fn last(&self) -> u64 {
        self.first.saturating_add(self.frames.len() as u64)
    }

    /// Where the block of a frame after the first one is.
    pub(crate) fn frame(&self, frame: u64) -> Option<usize> {
        let number = frame.checked_sub(self.first)?.checked_sub(1)?;
        self.frames.get(usize::try_from(number).ok()?).copied()
    }

    /// The last keyframe that is not after a frame; the first one if all are.
    pub(crate) fn keyframe(&self, frame: u64) -> Keyframe {
        let after = self.keyframes.partition_point(|key| key.frame <= frame);
        self.keyframes[after.saturating_sub(1)]
    }

    /// The keyframe that holds a frame, if there is one.
    pub(crate) fn keyframe_of(&self, frame: u64) -> Option<Keyframe> {
        Some(self.keyframe(frame)).filter(|key| key.frame == frame)
    }

    /// Something of the frame after the last one cannot be read.
    pub(crate) fn note_damage(&mut self, place: usize, what: String) {
        self.damage = Some(Damage {
            byte: place as u64,
            frame: self.last().saturating_add(1),
            what,
        });
    }

    /// Forgets this frame and all after it, because it cannot be played.
    pub(crate) fn cut(&mut self, frame: u64, what: String) -> Damage {
        let place = self.frame(frame).unwrap_or(0);
        let kept = frame.saturating_sub(self.first).saturating_sub(1);
        self.frames.truncate(usize::try_from(kept).unwrap_or(0));
        let last = self.last();
        self.keyframes.retain(|key| key.frame <= last);
        self.note_damage(place, what.clone());
        Damage {
            byte: place as u64,
            frame,
            what,
        }
    }
}
