//! The numbers of cells that were given in a list.

use clearance_math::Vector;
use clearance_tree::MAX_LEAVES;

use super::cells::{Cells, Spot};
use super::chunk::Chunk;
use crate::ShapeError;

/// The place of a number whose cell was emptied.
const HOLE: u32 = u32::MAX;

/// The numbers of cells in the order of a list, 8 bytes a cell.
#[derive(Clone)]
pub(super) struct Numbers {
    /// By slot.
    chunks: Vec<OfChunk>,
    /// For each number the spot of its cell as a number, or [`HOLE`].
    spots: Vec<u32>,
}

/// The numbers of the filled cells of a chunk, in the order of their places.
#[derive(Clone)]
struct OfChunk {
    /// How many cells are filled before each word of the chunk.
    before: [u16; 64],
    numbers: Vec<u32>,
}

impl OfChunk {
    fn new(chunk: &Chunk) -> Self {
        Self {
            before: counts_before(chunk),
            numbers: vec![HOLE; chunk.len() as usize],
        }
    }

    #[inline]
    fn rank(&self, chunk: &Chunk, place: u32) -> usize {
        usize::from(self.before[place as usize / 64]) + chunk.before_in_word(place) as usize
    }
}

fn counts_before(chunk: &Chunk) -> [u16; 64] {
    core::array::from_fn(|word| chunk.before_word(word) as u16)
}

impl Numbers {
    /// The numbers of all filled cells; `spots` has those of the list in its order, and `None` for holes.
    pub(super) fn new<V: Vector>(cells: &Cells<V>, spots: &[Option<Spot>]) -> Self {
        let slots = 0..cells.chunk_count();
        let mut chunks: Vec<_> = slots.map(|slot| OfChunk::new(cells.chunk(slot))).collect();
        for (number, spot) in (0..).zip(spots) {
            if let Some(Spot { slot, place }) = *spot {
                let own = &mut chunks[slot as usize];
                let rank = own.rank(cells.chunk(slot), place);
                own.numbers[rank] = number;
            }
        }
        let spots = spots.iter().map(|spot| spot.map_or(HOLE, Spot::number));
        Self {
            chunks,
            spots: spots.collect(),
        }
    }

    /// How many numbers there are, those of holes included.
    pub(super) fn count(&self) -> u32 {
        self.spots.len() as u32
    }

    /// The numbers of filled cells, from the least on.
    pub(super) fn filled(&self) -> impl Iterator<Item = u32> {
        let numbered = (0..).zip(&self.spots);
        numbered.filter_map(|(number, &spot)| (spot != HOLE).then_some(number))
    }

    #[inline]
    pub(super) fn spot(&self, number: u32) -> Option<Spot> {
        let spot = *self.spots.get(number as usize)?;
        (spot != HOLE).then(|| Spot::from_number(spot))
    }

    /// The number of a filled cell.
    #[inline]
    pub(super) fn number<V: Vector>(&self, cells: &Cells<V>, spot: Spot) -> u32 {
        let own = &self.chunks[spot.slot as usize];
        own.numbers[own.rank(cells.chunk(spot.slot), spot.place)]
    }

    /// Follows a change of a cell, which is made already. A cell that was filled gets the next number.
    pub(super) fn change<V: Vector>(
        &mut self,
        cells: &Cells<V>,
        spot: Spot,
        filled: bool,
    ) -> Result<(), ShapeError> {
        let chunk = cells.chunk(spot.slot);
        while self.chunks.len() <= spot.slot as usize {
            self.chunks.push(OfChunk::new(&Chunk::EMPTY));
        }
        let own = &mut self.chunks[spot.slot as usize];
        let rank = own.rank(chunk, spot.place);
        if filled {
            if self.spots.len() >= MAX_LEAVES {
                return Err(ShapeError::PartCount {
                    shape: "voxels",
                    field: "cells",
                    count: self.spots.len(),
                    most: MAX_LEAVES as u32,
                });
            }
            own.numbers.insert(rank, self.spots.len() as u32);
            self.spots.push(spot.number());
        } else {
            let number = own.numbers.remove(rank);
            self.spots[number as usize] = HOLE;
        }
        own.before = counts_before(chunk);
        Ok(())
    }

    /// Whether the cells of all chunks have the same numbers, but for those of some slots, which are sorted.
    pub(super) fn are_same_but_in(&self, other: &Self, slots: &[u32]) -> bool {
        let pairs = (0..).zip(self.chunks.iter().zip(&other.chunks));
        let mut others = pairs.filter(|(slot, _)| slots.binary_search(slot).is_err());
        others.all(|(_, (own, other))| own.numbers == other.numbers)
    }

    pub(super) fn memory(&self) -> usize {
        let chunks = self.chunks.iter();
        let numbers = chunks.map(|own| own.numbers.capacity() * size_of::<u32>());
        self.chunks.capacity() * size_of::<OfChunk>()
            + numbers.sum::<usize>()
            + self.spots.capacity() * size_of::<u32>()
    }
}
