//! Outlines of polygons and lines, and the lines through their sides, in SIMD lanes.

use arrayvec::ArrayVec;
use clearance_math::DVec2;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdFloat, f64x4, mask64x4};

use super::facing::MOST_CORNERS;

/// The most blocks of four corners.
const MOST_BLOCKS: usize = MOST_CORNERS.div_ceil(LANES);

/// Four numbers, one for each corner of a block.
pub(super) type Four = [f64; LANES];

/// Points of the plane in lanes, as x and y.
pub(super) type Points<S> = [f64x4<S>; 2];

/// The corners of a polygon or of a line, in order, four to a block. Lanes that are left over hold the first corner
/// again, so that the sides between them have no length.
pub(super) struct Outline {
    blocks: ArrayVec<[Four; 2], MOST_BLOCKS>,
    count: usize,
}

impl Outline {
    /// Nothing yet. It is filled where it stays, since moving all its room takes longer.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            blocks: ArrayVec::new(),
            count: 0,
        }
    }

    /// Appends up to four corners, of which the first `count` are new. Only the last ones may be fewer than four; what
    /// follows them must then be the first corner of all.
    #[inline(always)]
    pub(super) fn push<S: Simd>(&mut self, [x, y]: Points<S>, count: usize) {
        self.count += count;
        self.blocks.push([x.to_array(), y.to_array()]);
    }

    /// How many corners there are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The corner of this number.
    #[inline(always)]
    pub(super) fn at(&self, k: usize) -> DVec2 {
        let [x, y] = &self.blocks[k / LANES];
        DVec2::new(x[k % LANES], y[k % LANES])
    }

    /// The corners, one after the other.
    pub(super) fn corners(&self) -> impl Iterator<Item = DVec2> {
        (0..self.count).map(|k| self.at(k))
    }

    /// How many blocks there are.
    #[inline(always)]
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The lanes of a block that hold corners of their own.
    #[inline(always)]
    pub(super) fn lanes_in_use<S: Simd>(&self, simd: S, block: usize) -> mask64x4<S> {
        lanes_below(simd, self.count - block * LANES)
    }

    /// The lanes of a block that hold sides of their own; a line has one side, its first.
    #[inline(always)]
    pub(super) fn sides_in_use<S: Simd>(&self, simd: S, block: usize) -> mask64x4<S> {
        let sides = if self.count == 2 { 1 } else { self.count };
        lanes_below(simd, sides - block * LANES)
    }

    /// The corners of a block.
    #[inline(always)]
    pub(super) fn here<S: Simd>(&self, simd: S, block: usize) -> Points<S> {
        let [x, y] = &self.blocks[block];
        [
            f64x4::load_array_ref(simd, x),
            f64x4::load_array_ref(simd, y),
        ]
    }

    /// The corners that follow those of a block.
    #[inline(always)]
    pub(super) fn there<S: Simd>(&self, simd: S, block: usize) -> Points<S> {
        let [x, y] = &self.blocks[block];
        let [next_x, next_y] = self.blocks.get(block + 1).unwrap_or(&self.blocks[0]);
        [
            f64x4::load_array(simd, [x[1], x[2], x[3], next_x[0]]),
            f64x4::load_array(simd, [y[1], y[2], y[3], next_y[0]]),
        ]
    }

    /// The square of the greatest distance of a corner from the first one; infinite without corners, as of a half-space.
    #[inline(always)]
    pub(super) fn squared_extent<S: Simd>(&self, simd: S) -> f64 {
        if self.count == 0 {
            return f64::INFINITY;
        }
        let first = self.at(0);
        let mut most = f64x4::splat(simd, 0.0);
        for block in 0..self.blocks() {
            let [x, y] = self.here(simd, block);
            let (x, y) = (x - first.x, y - first.y);
            most = most.max(x * x + y * y);
        }
        simd.reduce_max_f64x4(most)
    }

    /// Positive if the corners are in counter-clockwise order.
    #[inline(always)]
    fn turn<S: Simd>(&self, simd: S) -> f64 {
        let first = self.at(0);
        let mut doubled_area = f64x4::splat(simd, 0.0);
        for block in 0..self.blocks() {
            let ([x, y], [to_x, to_y]) = (self.here(simd, block), self.there(simd, block));
            let (x, y) = (x - first.x, y - first.y);
            let (to_x, to_y) = (to_x - first.x, to_y - first.y);
            doubled_area += x * to_y - y * to_x;
        }
        let [a, b, c, d] = doubled_area.to_array();
        (a + b + (c + d)).signum()
    }
}

#[inline(always)]
fn lanes_below<S: Simd>(simd: S, count: usize) -> mask64x4<S> {
    f64x4::load_array(simd, [0.0, 1.0, 2.0, 3.0]).simd_lt(count as f64)
}

/// The lines through the sides of a polygon.
pub(super) struct Lines(ArrayVec<FourLines, MOST_BLOCKS>);

/// Four lines through sides of a polygon.
#[derive(Clone, Copy)]
pub(super) struct FourLines {
    /// The unit normals that lead inwards; zero for a side without length.
    x: Four,
    y: Four,
    /// Minus infinity for a side without length, so that every point is within.
    offsets: Four,
}

impl FourLines {
    /// How far points lie on the inner side of one of the lines.
    #[inline(always)]
    pub(super) fn height<S: Simd>(&self, lane: usize, [x, y]: Points<S>) -> f64x4<S> {
        x * self.x[lane] + y * self.y[lane] - self.offsets[lane]
    }
}

impl Lines {
    /// None yet. They are filled where they stay.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Adds the lines through the sides of a polygon. There must be none yet.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(&mut self, simd: S, polygon: &Outline) {
        let turn = polygon.turn(simd);
        let zero = f64x4::splat(simd, 0.0);
        for block in 0..polygon.blocks() {
            let ([x, y], [to_x, to_y]) = (polygon.here(simd, block), polygon.there(simd, block));
            let (along_x, along_y) = (to_x - x, to_y - y);
            let length = (along_x * along_x + along_y * along_y).sqrt();
            let is_side = length.simd_gt(zero);
            let scale = f64x4::splat(simd, turn) / length;
            let (in_x, in_y) = (-along_y * scale, along_x * scale);
            let offsets = in_x * x + in_y * y;
            let nowhere = f64x4::splat(simd, f64::NEG_INFINITY);
            self.0.push(FourLines {
                x: is_side.select(in_x, zero).to_array(),
                y: is_side.select(in_y, zero).to_array(),
                offsets: is_side.select(offsets, nowhere).to_array(),
            });
        }
    }

    /// The lines, four by four; those without a side are among them.
    #[inline(always)]
    pub(super) fn fours(&self) -> &[FourLines] {
        &self.0
    }

    /// How far points lie on the inner side of the line that is nearest to that.
    #[inline(always)]
    pub(super) fn lowest<S: Simd>(&self, points: Points<S>) -> f64x4<S> {
        let mut lowest = f64x4::splat(points[0].simd, f64::INFINITY);
        for four in self.fours() {
            for lane in 0..LANES {
                lowest = lowest.min(four.height(lane, points));
            }
        }
        lowest
    }
}
