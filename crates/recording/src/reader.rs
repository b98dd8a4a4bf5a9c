//! Reading what was recorded of the contacts, without a world.

use crate::block::block_at;
use crate::frame::OpenFrame;
use crate::pairs::Pair;
use crate::player::index::Index;
use crate::state::State;

/// The blocks of a whole recording, and where they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) index: &'a Index,
}

/// Goes through the frames of a recording.
///
/// Poses are not followed: what is written of them depends on steps. Contacts and generations do not.
pub(crate) struct Reader<'a> {
    file: File<'a>,
    state: Option<State>,
    memory: Vec<Pair>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: File<'a>) -> Self {
        let keyframe = file.index.keyframe(file.index.first);
        let block = block_at(file.bytes, keyframe.place);
        let state = block
            .and_then(|block| State::read_keyframe(block.payload, file.index.header.space).ok());
        Self {
            file,
            state,
            memory: Vec::new(),
        }
    }

    /// The present frame; none after the last one that can be read.
    pub(crate) fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Goes to the next frame.
    pub(crate) fn advance(&mut self) {
        if self.try_advance().is_none() {
            self.state = None;
        }
    }

    fn try_advance(&mut self) -> Option<()> {
        let state = self.state.as_mut()?;
        let place = self.file.index.frame(state.frame.checked_add(1)?)?;
        let block = block_at(self.file.bytes, place)?;
        let mut frame = OpenFrame::read(block.payload, state, &mut self.memory).ok()?;
        frame.early(state).ok()?;
        frame.late(state).ok()?;
        Some(())
    }
}
