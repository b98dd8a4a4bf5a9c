//! Voxels as plain numbers, from which they can be restored with the numbers of their parts.

use clearance_math::{Cell, Real, Vector};

use super::Voxels;
use super::cells::Cells;
use super::chunk::{Chunk, bits};
use super::tiles::Tile;
use crate::encoding::{FIRST_COMPOSITE, bits_of, refused, vector, vector_bits};
use crate::{OneWay, Shape, ShapeEncoding, ShapeError};

/// In front of cells with the numbers of a list.
const LISTED: u32 = 0;
/// In front of chunks.
const CHUNKS: u32 = 1;
/// In front of cells with the numbers of a list whose edits left other chunks than the list itself makes, or the same in
/// another order. The places of all chunks come before the holes then: the tree follows from them.
const EDITED: u32 = 4;

/// What is added to these if there is a palette, which comes before all that the form has without one.
const TILES: u32 = 2;

/// What is added to the kind of a tile that does not count from all sides, which is then followed by its normal and its depth.
const ONE_WAY: u32 = 1 << 8;

/// How many numbers of 32 bits the bits of a chunk are.
const HALF_WORDS: usize = 128;

impl<V: Vector> Voxels<V> {
    /// The numbers of [`bits_of`].
    pub(in crate::composite) fn numbers(&self) -> Vec<u32> {
        let mut numbers = self.numbers_of_cells();
        if !self.palette().is_empty() {
            let own = self.numbers_of_tiles();
            numbers[0] += TILES;
            numbers.splice(1..1, own);
        }
        numbers
    }

    /// The number of tiles, and these.
    pub(super) fn numbers_of_palette(&self) -> Vec<u32> {
        let mut numbers = vec![self.palette().len() as u32];
        let halves = |number: u64| [number as u32, (number >> 32) as u32];
        for tile in self.palette() {
            let Tile {
                shape,
                user,
                one_way,
            } = tile;
            let ShapeEncoding {
                kind,
                numbers: own,
                radius,
            } = bits_of(shape);
            numbers.extend(halves(*user));
            numbers.extend(halves(radius));
            let flag = if one_way.is_some() { ONE_WAY } else { 0 };
            numbers.extend([u32::from(kind) + flag, own.len() as u32]);
            numbers.extend(own);
            if let Some(OneWay { normal, depth }) = *one_way {
                numbers.extend(vector_bits([normal]));
                numbers.push(depth.to_bits());
            }
        }
        numbers
    }

    /// The palette, and the entries of all cells in order, if some are tiles.
    fn numbers_of_tiles(&self) -> Vec<u32> {
        let mut numbers = self.numbers_of_palette();
        let cells = if self.cells.has_tiles() {
            self.cells_in_order()
        } else {
            Vec::new()
        };
        let entries = cells.into_iter().filter_map(|cell| self.cells.tile(cell));
        let entries: Vec<u8> = entries.collect();
        numbers.push(entries.len() as u32);
        numbers.extend(entries.chunks(4).map(|own| {
            let mut bytes = [0; 4];
            bytes[..own.len()].copy_from_slice(own);
            u32::from_le_bytes(bytes)
        }));
        numbers
    }

    /// The filled cells by their numbers as parts.
    fn cells_in_order(&self) -> Vec<V::Cell> {
        if self.is_listed() {
            self.listed().collect()
        } else {
            self.cells.iter().collect()
        }
    }

    fn numbers_of_cells(&self) -> Vec<u32> {
        let own = |cell: V::Cell| (0..V::DIM).map(move |k| cell.component(k) as u32);
        let slots = 0..self.cells.chunk_count();
        let form = match self.is_listed() {
            true if self.has_chunks_of_list() => LISTED,
            true => EDITED,
            false => CHUNKS,
        };
        let mut numbers = vec![form];
        numbers.extend(vector_bits([self.size]));
        if form == CHUNKS {
            for slot in slots {
                numbers.extend(own(self.cells.place(slot)));
                let words = self.cells.chunk(slot).words().iter();
                numbers.extend(words.flat_map(|&word| [word as u32, (word >> 32) as u32]));
            }
            return numbers;
        }
        if form == EDITED {
            numbers.push(slots.end);
            numbers.extend(slots.flat_map(|slot| own(self.cells.place(slot))));
        }
        let all = 0..self.part_count();
        let holes: Vec<u32> = all.filter(|&number| self.spot(number).is_none()).collect();
        numbers.push(holes.len() as u32);
        numbers.extend(holes);
        numbers.extend(self.listed().flat_map(own));
        numbers
    }

    /// Whether the chunks are those that the list makes, in its order.
    fn has_chunks_of_list(&self) -> bool {
        let mut met = 0;
        for spot in (0..self.part_count()).filter_map(|number| self.spot(number)) {
            if spot.slot > met {
                return false;
            }
            met += u32::from(spot.slot == met);
        }
        let is_first_chunk = || self.cells.corner(0) == [0; 3];
        self.cells.chunk_count() == met.max(1) && (met > 0 || is_first_chunk())
    }

    pub(in crate::composite) fn from_numbers(numbers: &[u32]) -> Result<Self, ShapeError> {
        let too_few = || refused("voxels end too early");
        let (&form, mut numbers) = numbers.split_first().ok_or_else(too_few)?;
        let (mut palette, mut entries) = (Vec::new(), Vec::new());
        if form & TILES != 0 {
            palette = tiles(&mut numbers)?;
            entries = entries_of_cells(&mut numbers)?;
        }
        let size = vector(take(&mut numbers, V::DIM)?);
        let mut voxels = match form & !TILES {
            LISTED | EDITED => {
                let mut chunks = Cells::new();
                if form & EDITED != 0 {
                    let count = take(&mut numbers, 1)?[0] as usize;
                    let places = take(&mut numbers, count.saturating_mul(V::DIM))?;
                    for place in places.chunks_exact(V::DIM) {
                        add_chunk(&mut chunks, place, Chunk::EMPTY)?;
                    }
                }
                let (&count, numbers) = numbers.split_first().ok_or_else(too_few)?;
                let (holes, cells) = numbers
                    .split_at_checked(count as usize)
                    .filter(|(_, cells)| cells.len().is_multiple_of(V::DIM))
                    .ok_or_else(too_few)?;
                let list = with_holes::<V>(holes, cells)?;
                Self::of_list_in(chunks, size, &list, palette)
            }
            CHUNKS => Self::of_cells(size, from_chunks(numbers)?, palette),
            _ => Err(refused("voxels are of a list or of chunks")),
        }?;
        if entries.is_empty() {
            return Ok(voxels);
        }
        let cells = voxels.cells_in_order();
        if cells.len() != entries.len() {
            return Err(refused("not every cell of voxels has an entry"));
        }
        for (cell, entry) in cells.into_iter().zip(entries) {
            voxels.check_entry(entry)?;
            voxels.cells.put(cell, Some(entry))?;
        }
        Ok(voxels)
    }
}

/// Takes so many numbers off the front.
fn take<'a>(numbers: &mut &'a [u32], count: usize) -> Result<&'a [u32], ShapeError> {
    let parts = numbers.split_at_checked(count);
    let (taken, rest) = parts.ok_or_else(|| refused("voxels end too early"))?;
    *numbers = rest;
    Ok(taken)
}

fn tiles<V: Vector>(numbers: &mut &[u32]) -> Result<Vec<Tile<V>>, ShapeError> {
    let count = take(numbers, 1)?[0];
    if count == 0 {
        return Err(refused("a palette has no tiles"));
    }
    let whole = |halves: &[u32]| u64::from(halves[1]) << 32 | u64::from(halves[0]);
    let tile = |_| {
        let header = take(numbers, 6)?;
        // Composites in composites would be read to any depth.
        let kind = u8::try_from(header[4] & !ONE_WAY).ok();
        let kind = kind.filter(|&kind| kind < FIRST_COMPOSITE);
        let encoding = ShapeEncoding {
            kind: kind.ok_or_else(|| refused("a tile is not convex"))?,
            numbers: take(numbers, header[5] as usize)?.to_vec(),
            radius: whole(&header[2..]),
        };
        let one_way = if header[4] & ONE_WAY == 0 {
            None
        } else {
            Some(OneWay {
                normal: vector(take(numbers, V::DIM)?),
                depth: Real::from_bits(take(numbers, 1)?[0]),
            })
        };
        Ok(Tile {
            shape: Shape::from_encoding(&encoding)?,
            user: whole(header),
            one_way,
        })
    };
    (0..count).map(tile).collect()
}

fn entries_of_cells(numbers: &mut &[u32]) -> Result<Vec<u8>, ShapeError> {
    let count = take(numbers, 1)?[0] as usize;
    let words = take(numbers, count.div_ceil(4))?;
    let mut entries: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    if entries.split_off(count).iter().any(|&spare| spare != 0) {
        return Err(refused("voxels have entries without cells"));
    }
    Ok(entries)
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
        let mut own = [0; HALF_WORDS / 2];
        for (word, halves) in own.iter_mut().zip(words.chunks_exact(2)) {
            *word = u64::from(halves[1]) << 32 | u64::from(halves[0]);
        }
        add_chunk(&mut cells, place, Chunk::from_words(own))?;
    }
    Ok(cells)
}

fn add_chunk<V: Vector>(
    cells: &mut Cells<V>,
    place: &[u32],
    chunk: Chunk,
) -> Result<(), ShapeError> {
    let place: V::Cell = cell(place);
    let most = i32::MAX >> bits::<V>();
    if (0..V::DIM).any(|k| !(-most - 1..=most).contains(&place.component(k))) {
        return Err(refused(
            "a chunk of voxels lies beyond the numbers of cells",
        ));
    }
    if !cells.add_chunk_if_new(place, chunk)? {
        return Err(refused("a chunk of voxels is there twice"));
    }
    Ok(())
}
