//! Sets of cells, in chunks that copies share.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use clearance_math::internal::MapEach;
use clearance_math::{Cell, Vector};

use super::chunk::{Block, Chunk, PLACES, bits, coordinates, each_word, interleaved, ones};
use crate::ShapeError;

/// The most chunks: the numbers of their nodes and cells must have 30 bits.
pub(super) const MOST_CHUNKS: usize = 1 << 18;

/// How many chunks are copied at once as pointers, where copies of a set differ.
const PAGE: usize = 64;

/// A set of cells of a grid, such as the rock of a terrain or the walls of a tile map: a bit a cell where they are dense.
///
/// It consists of chunks of 4,096 cells, 16 by 16 by 16 in space and 64 by 64 in the plane, which are made where the first
/// cell is filled. Copies share them: a change copies one chunk and the pointers to 64 others.
///
/// ```
/// use clearance::dim2::{Cells, IVec2};
///
/// let mut level = Cells::new();
/// level.set_box(IVec2::new(0, 0), IVec2::new(99, 4), true)?;
/// level.set(IVec2::new(50, 4), false)?;
/// assert_eq!(level.len(), 499);
/// assert!(level.contains(IVec2::new(51, 4)) && !level.contains(IVec2::new(50, 4)));
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(Clone)]
pub struct Cells<V: Vector> {
    pages: Vec<Arc<Page>>,
    index: Arc<Index<V>>,
    len: usize,
    /// The slots of chunks that have no cells any more.
    emptied: Arc<BTreeSet<u32>>,
}

/// Some chunks, and where their filled cells lie.
#[derive(Clone, Default, PartialEq, Eq)]
struct Page {
    chunks: Vec<Arc<Chunk>>,
    blocks: Vec<Block>,
    /// What the cells are, for the chunks up to the last one with a tile.
    tiles: Vec<Option<Arc<Entries>>>,
}

/// For each cell of a chunk its entry in a palette; 0 for whole and for empty cells.
type Entries = [u8; PLACES as usize];

impl Page {
    /// Makes the cells between two ones of a chunk whole ones. What then has no tiles is given back.
    fn clear_tiles<V: Vector>(&mut self, chunk: usize, ends: [[u32; 3]; 2]) {
        let Some(Some(entries)) = self.tiles.get_mut(chunk) else {
            return;
        };
        let own = Arc::make_mut(entries);
        each_word::<V>(ends, |number, word| {
            for bit in ones(word) {
                own[64 * number + bit as usize] = 0;
            }
        });
        if own.iter().all(|&entry| entry == 0) {
            self.tiles[chunk] = None;
        }
        while self.tiles.last().is_some_and(Option::is_none) {
            self.tiles.pop();
        }
    }

    fn set_tile(&mut self, chunk: usize, place: u32, entry: u8) {
        if self.tiles.len() <= chunk {
            self.tiles.resize(chunk + 1, None);
        }
        let entries = self.tiles[chunk].get_or_insert_with(|| Arc::new([0; PLACES as usize]));
        Arc::make_mut(entries)[place as usize] = entry;
    }
}

/// Where the chunks are. It changes only where one appears.
#[derive(Clone)]
struct Index<V: Vector> {
    /// The chunks by their numbers, which are called slots: the first cell of each, divided by its side.
    places: Vec<V::Cell>,
    slots: HashMap<V::Cell, u32>,
}

/// Where the chunks of some cells are.
pub(super) struct Chunks<V: Vector>(Arc<Index<V>>);

/// Whether they are where they were.
impl<V: Vector> PartialEq for Chunks<V> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A cell as a number of its chunk and a place within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) slot: u32,
    pub(super) place: u32,
}

impl Spot {
    #[inline]
    pub(super) fn from_number(number: u32) -> Self {
        Self {
            slot: number / PLACES,
            place: number % PLACES,
        }
    }

    #[inline]
    pub(super) fn number(self) -> u32 {
        self.slot * PLACES + self.place
    }
}

/// The chunk that a cell belongs to.
fn chunk_of<V: Vector>(cell: V::Cell) -> V::Cell {
    V::Cell::from_components(cell.components().map_each(|at| at >> bits::<V>()))
}

fn within<V: Vector>(cell: V::Cell) -> [u32; 3] {
    let last = (1 << bits::<V>()) - 1;
    cell.components().map_each(|at| at as u32 & last)
}

/// No cells.
impl<V: Vector> Default for Cells<V> {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            index: Arc::new(Index {
                places: Vec::new(),
                slots: HashMap::new(),
            }),
            len: 0,
            emptied: Arc::default(),
        }
    }
}

/// Whether the cells are the same, in the same chunks by number.
impl<V: Vector> PartialEq for Cells<V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.has_chunks_of(other) && self.pages == other.pages
    }
}

impl<V: Vector> Cells<V> {
    /// No cells.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many cells are filled.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no cell is filled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a cell is filled.
    #[must_use]
    pub fn contains(&self, cell: V::Cell) -> bool {
        let spot = self.spot(cell);
        spot.is_some_and(|spot| self.is_filled(spot))
    }

    /// All filled cells, chunk by chunk.
    pub fn iter(&self) -> impl Iterator<Item = V::Cell> {
        self.spots().map(|spot| self.cell(spot))
    }

    /// All filled cells with their entries in a palette, chunk by chunk.
    pub fn entries(&self) -> impl Iterator<Item = (V::Cell, u8)> {
        self.spots().map(|spot| (self.cell(spot), self.entry(spot)))
    }

    /// Fills or empties a cell, and says whether that changed anything. A tile becomes a whole cell.
    ///
    /// # Errors
    /// Cells that lie in more than 262,144 chunks.
    pub fn set(&mut self, cell: V::Cell, filled: bool) -> Result<bool, ShapeError> {
        self.put(cell, filled.then_some(0))
    }

    /// Fills a cell with an entry of a palette, and says whether that changed anything: 0 is the whole cell, and k the tile
    /// k - 1 of [`Shape::tiles_of`](crate::Shape::tiles_of). A chunk with tiles takes a byte more for each of its cells.
    ///
    /// # Errors
    /// Cells that lie in more than 262,144 chunks.
    pub fn set_tile(&mut self, cell: V::Cell, entry: u8) -> Result<bool, ShapeError> {
        self.put(cell, Some(entry))
    }

    /// The entry of a palette with which a cell is filled, 0 for the whole cell; `None` if the cell is empty.
    #[must_use]
    pub fn tile(&self, cell: V::Cell) -> Option<u8> {
        let spot = self.spot(cell).filter(|&spot| self.is_filled(spot));
        spot.map(|spot| self.entry(spot))
    }

    /// Fills a cell with an entry of a palette, or empties it.
    pub(super) fn put(&mut self, cell: V::Cell, entry: Option<u8>) -> Result<bool, ShapeError> {
        // What stays as it is must not be copied.
        if self.tile(cell) == entry {
            return Ok(false);
        }
        let slot = self.slot_of_chunk(chunk_of::<V>(cell))?;
        let within = within::<V>(cell);
        self.change(slot, [within; 2], entry.is_some());
        if let Some(entry @ 1..) = entry {
            self.set_entry(slot, interleaved::<V>(within), entry);
        }
        Ok(true)
    }

    pub(super) fn set_entry(&mut self, slot: u32, place: u32, entry: u8) {
        let page = Arc::make_mut(&mut self.pages[slot as usize / PAGE]);
        page.set_tile(slot as usize % PAGE, place, entry);
    }

    /// Fills or empties all cells of a box between two opposite corners, both included, in any order. Tiles become whole
    /// cells. Costs O(1) for each chunk and each 64 cells.
    ///
    /// # Errors
    /// Cells that lie in more than 262,144 chunks. Then nothing has changed.
    pub fn set_box(&mut self, a: V::Cell, b: V::Cell, filled: bool) -> Result<(), ShapeError> {
        let [of_a, of_b] = [a.components(), b.components()];
        let low = V::Cell::from_components([0, 1, 2].map_each(|k| of_a[k].min(of_b[k])));
        let high = V::Cell::from_components([0, 1, 2].map_each(|k| of_a[k].max(of_b[k])));
        let [first, last] = [low, high].map_each(|cell| chunk_of::<V>(cell).components());
        if !filled {
            for slot in self.slots_in_box([first, last]) {
                self.set_part_of_box(slot, [low, high], filled);
            }
            return Ok(());
        }
        self.check_box([first, last])?;
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    let chunk = V::Cell::from_components([x, y, z]);
                    let slot = self.slot_of_chunk(chunk)?;
                    self.set_part_of_box(slot, [low, high], filled);
                }
            }
        }
        Ok(())
    }

    /// Checks that all chunks of a box of chunks may have cells.
    fn check_box(&self, [first, last]: [[i32; 3]; 2]) -> Result<(), ShapeError> {
        let side = |k: usize| (i64::from(last[k]) - i64::from(first[k]) + 1) as usize;
        let count = (0..3).fold(1_usize, |count, k| count.saturating_mul(side(k)));
        if count > MOST_CHUNKS {
            return Err(ShapeError::TooManyChunks { most: MOST_CHUNKS });
        }
        let slots = self.slots_in_box([first, last]).into_iter();
        let held = slots.filter(|&slot| !self.block(slot).is_empty()).count();
        self.check_chunks(count - held)
    }

    /// Fills or empties those of the cells from `low` to `high` that lie in a chunk.
    fn set_part_of_box(&mut self, slot: u32, [low, high]: [V::Cell; 2], filled: bool) {
        let chunk = self.index.places[slot as usize];
        let last = (1 << bits::<V>()) - 1;
        let (mut from, mut to) = ([0; 3], [0; 3]);
        for k in 0..V::DIM {
            let start = i64::from(chunk.component(k)) << bits::<V>();
            let inside = |cell: V::Cell| (i64::from(cell.component(k)) - start).clamp(0, last);
            (from[k], to[k]) = (inside(low) as u32, inside(high) as u32);
        }
        self.change(slot, [from, to], filled);
    }

    /// Fills or empties the cells from a place to another one of a chunk.
    fn change(&mut self, slot: u32, ends: [[u32; 3]; 2], filled: bool) {
        let page = Arc::make_mut(&mut self.pages[slot as usize / PAGE]);
        let place = slot as usize % PAGE;
        let before = page.blocks[place];
        let chunk = Arc::make_mut(&mut page.chunks[place]);
        let changed = chunk.set_box::<V>(ends, filled);
        let block = chunk.block_after::<V>(before, ends, filled);
        page.blocks[place] = block;
        page.clear_tiles::<V>(place, ends);
        if filled {
            self.len += changed;
        } else {
            self.len -= changed;
        }
        match [before, block].map_each(|block| block.is_empty()) {
            [false, true] => Arc::make_mut(&mut self.emptied).insert(slot),
            [true, false] => Arc::make_mut(&mut self.emptied).remove(&slot),
            _ => false,
        };
    }

    /// The slot of a chunk, which is made if there is none.
    pub(super) fn slot_of_chunk(&mut self, place: V::Cell) -> Result<u32, ShapeError> {
        if let Some(slot) = self.slot(place) {
            return Ok(slot);
        }
        let emptied = self.emptied.first().map(|&slot| slot as usize);
        let slot = emptied.unwrap_or(self.index.places.len());
        if slot >= MOST_CHUNKS {
            return Err(ShapeError::TooManyChunks { most: MOST_CHUNKS });
        }
        let index = Arc::make_mut(&mut self.index);
        if let Some(before) = index.places.get_mut(slot) {
            index.slots.remove(before);
            *before = place;
            index.slots.insert(place, slot as u32);
        } else {
            self.add_chunk(place, Chunk::EMPTY);
        }
        Ok(slot as u32)
    }

    /// Adds a chunk, unless there is one at its place.
    pub(super) fn add_chunk_if_new(
        &mut self,
        place: V::Cell,
        chunk: Chunk,
    ) -> Result<bool, ShapeError> {
        if self.index.places.len() >= MOST_CHUNKS {
            return Err(ShapeError::TooManyChunks { most: MOST_CHUNKS });
        }
        let is_new = !self.index.slots.contains_key(&place);
        if is_new {
            self.add_chunk(place, chunk);
        }
        Ok(is_new)
    }

    /// Adds a chunk without cells if there is no chunk: the tree over none would have no boxes. The first cell takes its slot.
    pub(super) fn add_first_chunk(&mut self) {
        if self.chunk_count() == 0 {
            self.add_chunk(V::Cell::from_components([0; 3]), Chunk::EMPTY);
        }
    }

    /// Adds a chunk at a place that has none.
    pub(super) fn add_chunk(&mut self, place: V::Cell, chunk: Chunk) {
        let index = Arc::make_mut(&mut self.index);
        index.slots.insert(place, index.places.len() as u32);
        if index.places.len().is_multiple_of(PAGE) {
            self.pages.push(Arc::default());
        }
        index.places.push(place);
        self.len += chunk.len() as usize;
        let block = chunk.block::<V>();
        if block.is_empty() {
            Arc::make_mut(&mut self.emptied).insert(self.index.places.len() as u32 - 1);
        }
        if let Some(page) = self.pages.last_mut() {
            let page = Arc::make_mut(page);
            page.chunks.push(Arc::new(chunk));
            page.blocks.push(block);
        }
    }

    /// The number of the chunk at a place, if there is one.
    pub(super) fn slot(&self, place: V::Cell) -> Option<u32> {
        self.index.slots.get(&place).copied()
    }

    /// The number of chunks, those without cells included.
    pub(super) fn chunk_count(&self) -> u32 {
        self.index.places.len() as u32
    }

    /// Where the chunks are, to see later whether that changed.
    pub(super) fn chunks(&self) -> Chunks<V> {
        Chunks(Arc::clone(&self.index))
    }

    /// Whether the chunks are at the same places by number.
    pub(super) fn has_chunks_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.index, &other.index) || self.index.places == other.index.places
    }

    /// The slots of chunks that are not as those of other cells, whose chunks are where these are. What both share is not looked
    /// at.
    pub(super) fn unlike(&self, other: &Self) -> impl Iterator<Item = u32> {
        let pages = (0..).zip(self.pages.iter().zip(&other.pages));
        let unlike = pages.filter(|(_, (own, other))| !Arc::ptr_eq(own, other));
        unlike.flat_map(|(number, (own, other))| {
            let entries = |page: &Page, place| page.tiles.get(place).cloned().flatten();
            let differs = move |&place: &usize| {
                own.chunks[place] != other.chunks[place]
                    || entries(own, place) != entries(other, place)
            };
            let places = (0..own.chunks.len()).filter(differs);
            places.map(move |place| (number * PAGE + place) as u32)
        })
    }

    /// Checks that all of some cells may be filled.
    pub(super) fn check_room(&self, cells: &[V::Cell]) -> Result<(), ShapeError> {
        // Those that get a first cell: new ones, and empty ones, whose slots are then not free for others.
        let chunks = cells.iter().map(|&cell| chunk_of::<V>(cell));
        let filled: HashSet<_> = chunks
            .filter(|chunk| {
                let slot = self.index.slots.get(chunk);
                slot.is_none_or(|&slot| self.block(slot).is_empty())
            })
            .collect();
        self.check_chunks(filled.len())
    }

    /// Checks that so many chunks may get a first cell.
    fn check_chunks(&self, new: usize) -> Result<(), ShapeError> {
        let held = self.index.places.len() - self.emptied.len();
        if held.saturating_add(new) > MOST_CHUNKS {
            return Err(ShapeError::TooManyChunks { most: MOST_CHUNKS });
        }
        Ok(())
    }

    /// The slots of the chunks of a box of chunks, however large it is.
    fn slots_in_box(&self, [first, last]: [[i32; 3]; 2]) -> Vec<u32> {
        let is_in = |&slot: &u32| {
            let at = self.place(slot);
            (0..V::DIM).all(|k| (first[k]..=last[k]).contains(&at.component(k)))
        };
        (0..self.chunk_count()).filter(is_in).collect()
    }

    #[inline]
    pub(super) fn chunk(&self, slot: u32) -> &Chunk {
        &self.pages[slot as usize / PAGE].chunks[slot as usize % PAGE]
    }

    /// Where the filled cells of a chunk lie within it.
    #[inline]
    pub(super) fn block(&self, slot: u32) -> Block {
        self.pages[slot as usize / PAGE].blocks[slot as usize % PAGE]
    }

    /// The first cell of a chunk, divided by its side.
    #[inline]
    pub(super) fn place(&self, slot: u32) -> V::Cell {
        self.index.places[slot as usize]
    }

    /// The first cell of a chunk.
    #[inline]
    pub(super) fn corner(&self, slot: u32) -> [i32; 3] {
        let place = self.place(slot);
        place.components().map_each(|at| at << bits::<V>())
    }

    /// The cell at a spot, filled or not.
    #[inline]
    pub(super) fn cell(&self, spot: Spot) -> V::Cell {
        let (corner, within) = (self.corner(spot.slot), coordinates::<V>(spot.place));
        V::Cell::from_components([0, 1, 2].map_each(|k| corner[k] + within[k] as i32))
    }

    /// The spot of a cell, if there is a chunk.
    #[inline]
    pub(super) fn spot(&self, cell: V::Cell) -> Option<Spot> {
        let slot = *self.index.slots.get(&chunk_of::<V>(cell))?;
        let place = interleaved::<V>(within::<V>(cell));
        Some(Spot { slot, place })
    }

    #[inline]
    pub(super) fn is_filled(&self, spot: Spot) -> bool {
        self.chunk(spot.slot).contains(spot.place)
    }

    /// The entry of a cell in a palette: 0 for whole and for empty cells.
    #[inline]
    pub(super) fn entry(&self, Spot { slot, place }: Spot) -> u8 {
        let tiles = &self.pages[slot as usize / PAGE].tiles;
        match tiles.get(slot as usize % PAGE) {
            Some(Some(entries)) => entries[place as usize],
            _ => 0,
        }
    }

    /// The places of the cells of a chunk that are not whole.
    pub(super) fn tiles_of_chunk(&self, slot: u32) -> impl Iterator<Item = u32> {
        let tiles = &self.pages[slot as usize / PAGE].tiles;
        let entries = tiles.get(slot as usize % PAGE).and_then(Option::as_deref);
        let places = (0..).zip(entries.into_iter().flatten());
        places.filter_map(|(place, &entry)| (entry != 0).then_some(place))
    }

    /// The entry of all filled cells of a run of places, if it is one and the same tile.
    pub(super) fn only_entry(&self, slot: u32, places: Range<u32>) -> Option<u8> {
        let tiles = &self.pages[slot as usize / PAGE].tiles;
        let entries = tiles.get(slot as usize % PAGE)?.as_ref()?;
        let chunk = self.chunk(slot);
        let filled = places.filter(|&place| chunk.contains(place));
        let mut filled = filled.map(|place| entries[place as usize]);
        let first = filled.next().filter(|&entry| entry != 0)?;
        filled.all(|entry| entry == first).then_some(first)
    }

    /// The greatest entry of a cell in a palette: 0 if all cells are whole.
    pub(super) fn greatest_entry(&self) -> u8 {
        let chunks = self
            .pages
            .iter()
            .flat_map(|page| page.tiles.iter().flatten());
        chunks
            .flat_map(|entries| entries.iter().copied())
            .max()
            .unwrap_or(0)
    }

    /// Whether some cells are not whole.
    pub(super) fn has_tiles(&self) -> bool {
        self.pages.iter().any(|page| !page.tiles.is_empty())
    }

    /// The spots of all filled cells, in order.
    pub(super) fn spots(&self) -> impl Iterator<Item = Spot> {
        (0..self.chunk_count()).flat_map(|slot| self.spots_of_chunk(slot))
    }

    /// The spots of the filled cells of a chunk, in order.
    pub(super) fn spots_of_chunk(&self, slot: u32) -> impl Iterator<Item = Spot> {
        let places = self.chunk(slot).places();
        places.map(move |place| Spot { slot, place })
    }

    /// The cells with the least and with the greatest coordinates that filled cells of a chunk have; `None` if there are none.
    pub(super) fn ends(&self, slot: u32) -> Option<[V::Cell; 2]> {
        let block = self.block(slot);
        if block.is_empty() {
            return None;
        }
        let corner = self.corner(slot);
        let end = |of: [u8; 3]| [0, 1, 2].map_each(|k: usize| corner[k] + i32::from(of[k]));
        Some([block.low, block.high].map_each(|of| V::Cell::from_components(end(of))))
    }

    /// The least and the greatest coordinates of filled cells; `None` if there are none.
    pub(super) fn limits(&self) -> Option<[[i32; 3]; 2]> {
        let ends = (0..self.chunk_count()).filter_map(|slot| self.ends(slot));
        let ends = ends.map(|ends| ends.map_each(Cell::components));
        ends.reduce(|[low, high], ends| {
            [
                [0, 1, 2].map_each(|k| low[k].min(ends[0][k])),
                [0, 1, 2].map_each(|k| high[k].max(ends[1][k])),
            ]
        })
    }

    /// The bytes held, those included that copies share.
    pub(super) fn memory(&self) -> usize {
        let chunk = size_of::<Chunk>() + 2 * size_of::<usize>();
        let entries = size_of::<Entries>() + 2 * size_of::<usize>();
        let pages = self.pages.iter().map(|page| {
            size_of::<Page>()
                + page.chunks.capacity() * size_of::<Arc<Chunk>>()
                + page.blocks.capacity() * size_of::<Block>()
                + page.chunks.len() * chunk
                + page.tiles.capacity() * size_of::<Option<Arc<Entries>>>()
                + page.tiles.iter().flatten().count() * entries
        });
        let entry = size_of::<(V::Cell, u32)>() + 1;
        // A tree of sets of up to eleven numbers, which are half full.
        let emptied = self.emptied.len() * 4 * size_of::<u32>();
        self.pages.capacity() * size_of::<Arc<Page>>()
            + emptied
            + pages.sum::<usize>()
            + self.index.places.capacity() * size_of::<V::Cell>()
            // Hash tables are filled to seven eighths at most.
            + self.index.slots.capacity() * 8 / 7 * entry
    }
}
