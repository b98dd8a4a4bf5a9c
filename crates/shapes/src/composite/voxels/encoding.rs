//! Voxels as plain numbers, from which they can be restored with the numbers of their parts.

use clearance_math::{Cell, Vector};

use super::Voxels;
use super::cells::Cells;
use super::chunk::{Chunk, bits};
use crate::ShapeError;
use crate::encoding::{refused, vector, vector_bits};

/// In front of cells with the numbers of a list.
const LISTED: u32 = 0;
/// In front of chunks.
const CHUNKS: u32 = 1;

/// How many numbers of 32 bits the bits of a chunk are.
const HALF_WORDS: usize = 128;

impl<V: Vector> Voxels<V> {
    /// The numbers of [`Shape::bits`](crate::Shape::bits).
    pub(in crate::composite) fn numbers(&self) -> Vec<u32> {
        let own = |cell: V::Cell| (0..V::DIM).map(move |k| cell.component(k) as u32);
        let form = if self.is_listed() { LISTED } else { CHUNKS };
        let mut numbers = vec![form];
        numbers.extend(vector_bits([self.size]));
        if !self.is_listed() {
            for slot in 0..self.cells.chunk_count() {
                numbers.extend(own(self.cells.place(slot)));
                let words = self.cells.chunk(slot).words().iter();
                numbers.extend(words.flat_map(|&word| [word as u32, (word >> 32) as u32]));
            }
            return numbers;
        }
        let all = 0..self.part_count();
        let holes: Vec<u32> = all.filter(|&number| self.spot(number).is_none()).collect();
        numbers.push(holes.len() as u32);
        numbers.extend(holes);
        numbers.extend(self.listed().flat_map(own));
        numbers
    }

    pub(in crate::composite) fn from_numbers(numbers: &[u32]) -> Result<Self, ShapeError> {
        let too_few = || refused("voxels end too early");
        let (&form, numbers) = numbers.split_first().ok_or_else(too_few)?;
        let (size, numbers) = numbers.split_at_checked(V::DIM).ok_or_else(too_few)?;
        let size = vector(size);
        match form {
            LISTED => {
                let (&count, numbers) = numbers.split_first().ok_or_else(too_few)?;
                let (holes, cells) = numbers
                    .split_at_checked(count as usize)
                    .filter(|(_, cells)| cells.len().is_multiple_of(V::DIM))
                    .ok_or_else(too_few)?;
                Self::of_list(size, &with_holes::<V>(holes, cells)?)
            }
            CHUNKS => Self::of_cells(size, from_chunks(numbers)?),
            _ => Err(refused("voxels are of a list or of chunks")),
        }
    }
}

fn cell<C: Cell>(numbers: &[u32]) -> C {
    let mut components = [0; 3];
    for (component, &number) in components.iter_mut().zip(numbers) {
        *component = number as i32;
    }
    C::from_components(components)
}

/// The list of cells with nothing at the numbers of the holes.
fn with_holes<V: Vector>(holes: &[u32], cells: &[u32]) -> Result<Vec<Option<V::Cell>>, ShapeError> {
    let mut list = Vec::with_capacity(holes.len() + cells.len() / V::DIM);
    let mut cells = cells.chunks_exact(V::DIM).map(cell);
    for &hole in holes {
        while list.len() < hole as usize {
            let next = cells.next();
            list.push(Some(
                next.ok_or_else(|| refused("voxels have too many holes"))?,
            ));
        }
        if list.len() > hole as usize {
            return Err(refused("the holes of voxels are not in order"));
        }
        list.push(None);
    }
    list.extend(cells.map(Some));
    Ok(list)
}

fn from_chunks<V: Vector>(numbers: &[u32]) -> Result<Cells<V>, ShapeError> {
    let chunks = numbers.chunks_exact(V::DIM + HALF_WORDS);
    if !chunks.remainder().is_empty() {
        return Err(refused("a chunk of voxels ends too early"));
    }
    let mut cells = Cells::new();
    for chunk in chunks {
        let (place, words) = chunk.split_at(V::DIM);
        let place: V::Cell = cell(place);
        let most = i32::MAX >> bits::<V>();
        if (0..V::DIM).any(|k| !(-most - 1..=most).contains(&place.component(k))) {
            return Err(refused(
                "a chunk of voxels lies beyond the numbers of cells",
            ));
        }
        let mut own = [0; HALF_WORDS / 2];
        for (word, halves) in own.iter_mut().zip(words.chunks_exact(2)) {
            *word = u64::from(halves[1]) << 32 | u64::from(halves[0]);
        }
        if !cells.add_chunk_if_new(place, Chunk::from_words(own))? {
            return Err(refused("a chunk of voxels is there twice"));
        }
    }
    Ok(cells)
}
