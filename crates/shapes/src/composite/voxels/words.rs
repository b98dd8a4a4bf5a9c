//! All cells of a chunk at once, word by word: sums, mirror images, and where rows of cells begin.

use std::collections::BTreeMap;

use clearance_math::internal::MapEach;
use clearance_math::{Cell, Vector};

use super::cells::{Cells, Spot};
use super::chunk::{Chunk, coordinates, interleaved, masks, word_bits};

/// Sums over some cells of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// How many they are.
    pub(crate) count: u32,
    /// The sums of their coordinates within the chunk.
    pub(crate) first: [u32; 3],
    /// The sums of the products of two of these.
    pub(crate) second: [[u32; 3]; 3],
}

impl Sums {
    /// Adds those of other cells, which lie so much farther along each axis than their sums say.
    fn add(&mut self, other: &Self, at: [u32; 3]) {
        self.count += other.count;
        for k in 0..3 {
            self.first[k] += other.first[k] + at[k] * other.count;
            for j in 0..3 {
                let mixed = at[k] * other.first[j] + at[j] * other.first[k];
                self.second[k][j] += other.second[k][j] + mixed + at[k] * at[j] * other.count;
            }
        }
    }
}

/// For each bit of the number of a word, or of a place in it, the numbers that have it.
const WITH_BIT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

impl Chunk {
    /// The chunk whose cell at a place is that of this one at the place with some bits flipped.
    fn mirrored(&self, flip: u32) -> Self {
        let swapped = |word: u64, bit: usize| {
            let (with, shift) = (WITH_BIT[bit], 1 << bit);
            (word & with) >> shift | (word & !with) << shift
        };
        let bits = (0..6).filter(|bit| flip >> bit & 1 == 1);
        Self::from_words(core::array::from_fn(|number| {
            let word = self.words()[number ^ (flip / 64) as usize];
            bits.clone().fold(word, swapped)
        }))
    }

    /// The filled cells but those of `whole` that have one of it below them along x, if need be in the chunk before.
    fn first_along_x<V: Vector>(&self, whole: &Self, before: Option<&Self>) -> Self {
        let last = (1 << word_bits::<V>()) - 1;
        let along = |x: u32| interleaved::<V>([x, 0, 0]);
        let masks = masks::<V>()[0];
        Self::from_words(core::array::from_fn(|number| {
            let x = coordinates::<V>(64 * number as u32)[0] >> word_bits::<V>();
            let row = number as u32 - along(x);
            let previous = match x {
                0 => before.map_or(0, |before| before.words()[(row + along(last)) as usize]),
                _ => whole.words()[(row + along(x - 1)) as usize],
            };
            let own = whole.words()[number];
            let mut above = (previous & masks[last as usize]) >> along(last);
            for k in 1..=last {
                above |= (own & masks[k as usize - 1]) << (along(k) - along(k - 1));
            }
            self.words()[number] & !(own & above)
        }))
    }

    /// Sums over the filled cells. A coordinate is a sum of bits of the place, so a sum of products counts the cells that
    /// have two of these bits.
    fn sums<V: Vector>(&self) -> Sums {
        let mut sums = Sums::default();
        for (number, &word) in self
            .words()
            .iter()
            .enumerate()
            .filter(|(_, word)| **word != 0)
        {
            let at = coordinates::<V>(64 * number as u32);
            let count = word.count_ones();
            let mut within = Sums {
                count,
                ..Sums::default()
            };
            for (bit, with) in WITH_BIT.into_iter().enumerate() {
                let (axis, worth) = (bit % V::DIM, 1 << (bit / V::DIM));
                within.first[axis] += worth * (word & with).count_ones();
                for (other, both) in WITH_BIT.into_iter().enumerate() {
                    let count = (word & with & both).count_ones();
                    within.second[axis][other % V::DIM] += (worth << (other / V::DIM)) * count;
                }
            }
            sums.add(&within, at);
        }
        sums
    }
}

impl<V: Vector> Cells<V> {
    /// The cells mirrored along some axes: cell i becomes -1 - i. Chunks without cells are left out.
    pub(super) fn mirrored(&self, is_mirrored: impl Fn(usize) -> bool) -> Self {
        let image = |axis: usize, at: i32| if is_mirrored(axis) { !at } else { at };
        let flip = interleaved::<V>([0, 1, 2].map_each(|axis| image(axis, 0) as u32));
        let mut mirrored = Self::new();
        for slot in 0..self.chunk_count() {
            if self.block(slot).is_empty() {
                continue;
            }
            let at = self.place(slot).components();
            let place = V::Cell::from_components([0, 1, 2].map_each(|k| image(k, at[k])));
            mirrored.add_chunk(place, self.chunk(slot).mirrored(flip));
            for place in self.tiles_of_chunk(slot) {
                let entry = self.entry(Spot { slot, place });
                mirrored.set_entry(mirrored.chunk_count() - 1, place ^ flip, entry);
            }
        }
        mirrored
    }

    /// The cells of a chunk without its tiles.
    fn whole_cells(&self, slot: u32) -> Chunk {
        let mut whole = *self.chunk(slot);
        self.tiles_of_chunk(slot)
            .for_each(|place| whole.empty(place));
        whole
    }

    /// The spots of cells that have no whole cell below them along x, and of all tiles, in order.
    pub(super) fn first_along_x(&self) -> impl Iterator<Item = Spot> {
        (0..self.chunk_count()).flat_map(|slot| {
            let [x, y, z] = self.place(slot).components();
            let before = self.slot(V::Cell::from_components([x - 1, y, z]));
            let before = before.map(|before| self.whole_cells(before));
            let first =
                (self.chunk(slot)).first_along_x::<V>(&self.whole_cells(slot), before.as_ref());
            let places: Vec<u32> = first.places().collect();
            places.into_iter().map(move |place| Spot { slot, place })
        })
    }

    /// Calls `found` for each chunk with its first cell, an entry, and sums over its cells with that entry.
    pub(crate) fn each_sum(&self, mut found: impl FnMut([i32; 3], u8, &Sums)) {
        // Most chunks are as the one before, with all of their cells.
        let mut known = (Chunk::EMPTY, Sums::default());
        for slot in 0..self.chunk_count() {
            let whole = self.whole_cells(slot);
            let mut tiles: BTreeMap<u8, Chunk> = BTreeMap::new();
            for place in self.tiles_of_chunk(slot) {
                let own = tiles.entry(self.entry(Spot { slot, place }));
                own.or_insert(Chunk::EMPTY).fill(place);
            }
            for (entry, own) in [(0, whole)].into_iter().chain(tiles) {
                if own != known.0 {
                    known = (own, own.sums::<V>());
                }
                if known.1.count > 0 {
                    found(self.corner(slot), entry, &known.1);
                }
            }
        }
    }
}
