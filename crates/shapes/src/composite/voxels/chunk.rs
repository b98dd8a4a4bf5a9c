//! The bits of a block of cells.

use clearance_math::Vector;
use clearance_math::internal::MapEach;

/// How many cells a chunk has: 16 along each axis in space, 64 in the plane.
pub(super) const PLACES: u32 = 4096;

/// How many levels of nodes there are over the cells of a chunk.
pub(super) const LEVELS: u32 = 6;

/// How many nodes these are: 1 + 4 + ... + 4^5.
pub(super) const NODES: u32 = ((1 << (2 * LEVELS)) - 1) / 3;

const WORDS: usize = 64;

/// The cells of a chunk, a bit each.
///
/// Cells are in Morton order: the bits of their coordinates within the chunk alternate in the place of their bit, x in the
/// lowest one. So each node of the tree over them is one run of bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunk {
    words: [u64; WORDS],
    /// For each word a bit, whether it has filled cells.
    occupied: u64,
}

/// The filled cells of a chunk lie from `low` to `high`, both included; `low` exceeds `high` if there are none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) low: [u8; 3],
    pub(super) high: [u8; 3],
}

impl Block {
    pub(super) const EMPTY: Self = Self {
        low: [u8::MAX; 3],
        high: [0; 3],
    };

    pub(super) fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }
}

/// How many bits of a coordinate are the place within a chunk.
#[inline]
pub(super) const fn bits<V: Vector>() -> u32 {
    if V::DIM == 3 { 4 } else { 6 }
}

/// How many of them are the place within a word.
#[inline]
pub(super) const fn word_bits<V: Vector>() -> u32 {
    bits::<V>() / 2
}

/// For each axis and coordinate within a word, its bits with that coordinate.
const fn axis_masks(dimension: usize) -> [[u64; 8]; 3] {
    let coordinates = coordinates_in_word(dimension);
    let mut masks = [[0; 8]; 3];
    let mut bit = 0;
    while bit < coordinates.len() {
        let mut axis = 0;
        while axis < dimension {
            masks[axis][coordinates[bit][axis] as usize] |= 1 << bit;
            axis += 1;
        }
        bit += 1;
    }
    masks
}

const PLANE: [[u64; 8]; 3] = axis_masks(2);
const SPACE: [[u64; 8]; 3] = axis_masks(3);

#[inline]
pub(super) const fn masks<V: Vector>() -> &'static [[u64; 8]; 3] {
    if V::DIM == 3 { &SPACE } else { &PLANE }
}

/// The bits of each coordinate within a chunk, with room between them for those of the other axes.
const fn spread(dimension: u32) -> [u16; 64] {
    let mut spread = [0; 64];
    let mut at = 0;
    while at < spread.len() {
        let mut k = 0;
        while k * dimension < LEVELS * 2 {
            spread[at] |= ((at >> k & 1) as u16) << (k * dimension);
            k += 1;
        }
        at += 1;
    }
    spread
}

const SPREAD_IN_PLANE: [u16; 64] = spread(2);
const SPREAD_IN_SPACE: [u16; 64] = spread(3);

/// Lets the bits of coordinates alternate.
#[inline]
pub(super) fn interleaved<V: Vector>(coordinates: [u32; 3]) -> u32 {
    let spread = if V::DIM == 3 {
        &SPREAD_IN_SPACE
    } else {
        &SPREAD_IN_PLANE
    };
    let of_axis = |axis: usize| u32::from(spread[coordinates[axis] as usize % 64]) << axis;
    (0..V::DIM).fold(0, |place, axis| place | of_axis(axis))
}

/// The coordinates of each bit within a word; those of each word among the words are the same.
const fn coordinates_in_word(dimension: usize) -> [[u8; 3]; 64] {
    let mut coordinates = [[0; 3]; 64];
    let mut place = 0;
    while place < coordinates.len() {
        let mut k = 0;
        while k < 6 {
            coordinates[place][k % dimension] |= ((place >> k & 1) << (k / dimension)) as u8;
            k += 1;
        }
        place += 1;
    }
    coordinates
}

const IN_WORD_OF_PLANE: [[u8; 3]; 64] = coordinates_in_word(2);
const IN_WORD_OF_SPACE: [[u8; 3]; 64] = coordinates_in_word(3);

/// The coordinates whose bits alternate in a place.
#[inline]
pub(super) fn coordinates<V: Vector>(place: u32) -> [u32; 3] {
    let table = if V::DIM == 3 {
        &IN_WORD_OF_SPACE
    } else {
        &IN_WORD_OF_PLANE
    };
    let [word, within] = [place / 64 % 64, place % 64].map_each(|at| table[at as usize]);
    [0, 1, 2]
        .map_each(|axis: usize| u32::from(word[axis]) << word_bits::<V>() | u32::from(within[axis]))
}

impl Chunk {
    pub(super) const EMPTY: Self = Self {
        words: [0; WORDS],
        occupied: 0,
    };

    #[inline]
    pub(super) fn contains(&self, place: u32) -> bool {
        self.words[place as usize / 64] >> (place % 64) & 1 == 1
    }

    /// Whether none of `count` cells from a place on is filled; both are of a node.
    #[inline]
    pub(super) fn is_empty(&self, first: u32, count: u32) -> bool {
        let word = first as usize / 64;
        if count >= 64 {
            return self.occupied >> word & (u64::MAX >> (64 - count / 64)) == 0;
        }
        self.words[word] >> (first % 64) & ((1 << count) - 1) == 0
    }

    pub(super) fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// How many cells are filled before a word.
    pub(super) fn before_word(&self, word: usize) -> u32 {
        self.words[..word]
            .iter()
            .map(|word| word.count_ones())
            .sum()
    }

    /// How many cells of the word of a place are filled before it.
    #[inline]
    pub(super) fn before_in_word(&self, place: u32) -> u32 {
        (self.words[place as usize / 64] & ((1 << (place % 64)) - 1)).count_ones()
    }

    /// The places of the filled cells, in order.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        let words = (0..).zip(&self.words);
        words.flat_map(|(number, &word)| ones(word).map(move |bit| 64 * number + bit))
    }

    pub(super) fn words(&self) -> &[u64; WORDS] {
        &self.words
    }

    pub(super) fn from_words(words: [u64; WORDS]) -> Self {
        let bits = (0..).zip(&words);
        let occupied = bits.fold(0, |bits, (k, &word)| bits | u64::from(word != 0) << k);
        Self { words, occupied }
    }

    pub(super) fn fill(&mut self, place: u32) {
        self.words[place as usize / 64] |= 1 << (place % 64);
        self.occupied |= 1 << (place / 64);
    }

    pub(super) fn empty(&mut self, place: u32) {
        let number = place as usize / 64;
        self.words[number] &= !(1 << (place % 64));
        self.occupied &= !(u64::from(self.words[number] == 0) << number);
    }

    /// Fills or empties the cells between two ones of the chunk, both included, and tells how many that changed.
    pub(super) fn set_box<V: Vector>(&mut self, ends: [[u32; 3]; 2], filled: bool) -> usize {
        let mut changed = 0;
        each_word::<V>(ends, |number, own| {
            let word = &mut self.words[number];
            let change = if filled { own & !*word } else { own & *word };
            *word ^= change;
            changed += change.count_ones() as usize;
            self.occupied &= !(1 << number);
            self.occupied |= u64::from(*word != 0) << number;
        });
        changed
    }

    /// Calls `found` with the places of the filled cells between two ones of the chunk, both included.
    #[inline]
    pub(super) fn each_between<V: Vector>(&self, ends: [[u32; 3]; 2], mut found: impl FnMut(u32)) {
        each_word::<V>(ends, |number, own| {
            for bit in ones(self.words[number] & own) {
                found(64 * number as u32 + bit);
            }
        });
    }

    /// Where the filled cells lie.
    pub(super) fn block<V: Vector>(&self) -> Block {
        // For each axis the coordinates that occur, a bit each.
        let mut occurring = [0_u64; 3];
        let shift = word_bits::<V>();
        for (number, &word) in (0..).zip(&self.words).filter(|&(_, &word)| word != 0) {
            let at = coordinates::<V>(number);
            for axis in 0..V::DIM {
                for (k, &mask) in masks::<V>()[axis].iter().enumerate().take(1 << shift) {
                    let is_in = u64::from(word & mask != 0);
                    occurring[axis] |= is_in << ((at[axis] << shift) as usize + k);
                }
            }
        }
        if occurring[0] == 0 {
            return Block::EMPTY;
        }
        let mut block = Block {
            low: [0; 3],
            high: [0; 3],
        };
        for (axis, own) in occurring.iter().enumerate().take(V::DIM) {
            block.low[axis] = own.trailing_zeros() as u8;
            block.high[axis] = (63 - own.leading_zeros()) as u8;
        }
        block
    }

    /// [`Self::block`] after the cells from `low` to `high` have been filled or emptied, of what it was before.
    pub(super) fn block_after<V: Vector>(
        &self,
        before: Block,
        [low, high]: [[u32; 3]; 2],
        filled: bool,
    ) -> Block {
        if !filled {
            let is_at_border = |axis: usize| {
                let [first, last] = [before.low, before.high].map(|end| u32::from(end[axis]));
                low[axis] <= first || high[axis] >= last
            };
            return if (0..V::DIM).any(is_at_border) {
                self.block::<V>()
            } else {
                before
            };
        }
        let mut block = before;
        for axis in 0..3 {
            block.low[axis] = block.low[axis].min(low[axis] as u8);
            block.high[axis] = block.high[axis].max(high[axis] as u8);
        }
        block
    }
}

/// Calls `found` with the numbers of the words that have cells between two ones of the chunk, both included, and their bits.
#[inline]
pub(super) fn each_word<V: Vector>([low, high]: [[u32; 3]; 2], mut found: impl FnMut(usize, u64)) {
    let shift = word_bits::<V>();
    let last = (1 << shift) - 1;
    // The bits of a word at a word coordinate that lie within the limits along one axis.
    let mask = |axis: usize, at: u32| {
        if axis >= V::DIM {
            return u64::MAX;
        }
        let first = low[axis].saturating_sub(at << shift);
        let end = (high[axis] - (at << shift)).min(last);
        (first..=end).fold(0, |mask, k| mask | masks::<V>()[axis][k as usize])
    };
    let [xs, ys, zs] = [0, 1, 2].map(|axis| low[axis] >> shift..=high[axis] >> shift);
    for z in zs {
        let in_z = mask(2, z);
        for y in ys.clone() {
            let in_y = mask(1, y) & in_z;
            for x in xs.clone() {
                found(interleaved::<V>([x, y, z]) as usize, mask(0, x) & in_y);
            }
        }
    }
}

/// The bits that are set in a word, from the lowest on.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}
