//! Where the blocks of a recording come from.

use std::sync::Arc;

use clearance_math::Vector;

use super::index::Index;
use crate::apply::Shapes;
use crate::block::block_at;
use crate::bytes::Unreadable;
use crate::error::Damage;
use crate::rows::Rows;
use crate::shapes;

/// Where the blocks come from.
#[derive(Debug)]
pub(super) enum Source {
    File { bytes: Arc<[u8]>, index: Index },
    Stream(Stream),
}

impl Source {
    /// Reads the shapes that slots have and that are not known yet. A live reader knows all that came.
    pub(super) fn read_shapes<V: Vector>(
        &self,
        slots: impl Iterator<Item = u32>,
        rows: &Rows,
        shapes: &mut Shapes<V>,
    ) -> Result<(), Unreadable> {
        let Self::File { bytes, index } = self else {
            return Ok(());
        };
        let taken = slots.filter_map(|slot| rows.get(slot).filter(|row| row.is_taken));
        for number in taken.map(|row| row.properties.shape) {
            let place = index.shapes.get(&number);
            let place = place.filter(|_| !shapes.contains_key(&number));
            let Some(block) = place.and_then(|&place| block_at(bytes, place)) else {
                continue;
            };
            let (_, shape) = shapes::read(block.payload)?;
            shapes.insert(number, shape);
        }
        Ok(())
    }
}

/// What came of a live recording.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The beginning of a block of which the rest has not come.
    pub(super) pending: Vec<u8>,
    /// How many bytes came before.
    pub(super) position: u64,
    pub(super) phase: Phase,
    pub(super) damage: Option<Damage>,
}

/// How far a reader of a live recording is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// It passes over blocks until a header comes.
    #[default]
    Waiting,
    /// The header came, but no keyframe.
    Begun,
    /// It follows.
    Playing,
}
