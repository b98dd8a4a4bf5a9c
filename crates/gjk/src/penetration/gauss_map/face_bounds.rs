//! Lower bounds of the heights along the normals of all faces of one side, in single precision.

use clearance_math::PreciseVector;
use clearance_math::lanes::{Select, Simd, SimdBase, SimdMask, f32x16, greater_in_lanes};
use clearance_shapes::hull::{SIXTEEN, SixteenDirections, SixteenNumbers};

use super::FIRST_POINTS;
use super::side::Faces;

/// The most blocks of sixteen faces: a polyhedron of 64 vertices has at most 124 faces.
const MOST_BLOCKS: usize = 8;

const LANE_NUMBERS: [f32; SIXTEEN] = [
    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0,
];

/// The least of the bounds, and the place of its face.
#[derive(Clone, Copy)]
pub(super) struct LeastBound {
    pub(super) bound: f32,
    pub(super) place: usize,
}

/// The bounds of the faces of one side. They are infinite for faces that were looked at, and for places that stand for
/// no face.
pub(super) struct FaceBounds {
    blocks: [SixteenNumbers; MOST_BLOCKS],
    /// The numbers of the blocks of which some bound does not exceed the least height.
    open: [u8; MOST_BLOCKS],
    open_count: usize,
}

impl Default for FaceBounds {
    #[inline(always)]
    fn default() -> Self {
        Self {
            blocks: [SixteenNumbers([f32::INFINITY; SIXTEEN]); MOST_BLOCKS],
            open: [0; MOST_BLOCKS],
            open_count: 0,
        }
    }
}

/// A point in single precision, each component in all lanes.
#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, point: impl PreciseVector) -> [f32x16<S>; 3] {
    let point = point.in_space();
    [
        f32x16::splat(simd, point.x as f32),
        f32x16::splat(simd, point.y as f32),
        f32x16::splat(simd, point.z as f32),
    ]
}

/// The components of a point along sixteen directions.
#[inline(always)]
pub(super) fn along<S: Simd>(directions: &SixteenDirections, point: &[f32x16<S>; 3]) -> f32x16<S> {
    let simd = point[0].simd;
    f32x16::load_array_ref(simd, &directions[0].0) * point[0]
        + f32x16::load_array_ref(simd, &directions[1].0) * point[1]
        + f32x16::load_array_ref(simd, &directions[2].0) * point[2]
}

/// The least number seen so far in each lane, and the number of its block.
struct Least<S: Simd> {
    numbers: f32x16<S>,
    blocks: f32x16<S>,
}

impl<S: Simd> Least<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self {
            numbers: f32x16::splat(simd, f32::INFINITY),
            blocks: f32x16::splat(simd, 0.0),
        }
    }

    #[inline(always)]
    fn or(&mut self, numbers: f32x16<S>, block: f32) {
        let is_less = numbers.simd_lt(self.numbers);
        self.numbers = is_less.select(numbers, self.numbers);
        self.blocks = is_less.select(f32x16::splat(numbers.simd, block), self.blocks);
    }

    /// The least of all lanes; of equal ones that of the first lane.
    #[inline(always)]
    fn of_all(&self) -> LeastBound {
        let simd = self.numbers.simd;
        let bound = simd.reduce_min_f32x16(self.numbers);
        let is_least = (self.numbers).simd_le(f32x16::splat(simd, bound));
        let lane = is_least.to_bitmask().trailing_zeros() as usize % SIXTEEN;
        LeastBound {
            bound,
            place: self.blocks[lane] as usize * SIXTEEN + lane,
        }
    }
}

impl FaceBounds {
    /// The bounds that the first points prove. Blocks of which all bounds are at least `limit` are closed.
    #[inline(always)]
    pub(super) fn start<S: Simd, P: PreciseVector>(
        &mut self,
        simd: S,
        faces: Faces,
        points: &[P; FIRST_POINTS],
        limit: f32,
    ) -> LeastBound {
        let [middle, a, b, c, d] = points;
        let middle = splat(simd, *middle);
        let (a, b) = (splat(simd, *a), splat(simd, *b));
        let (c, d) = (splat(simd, *c), splat(simd, *d));
        let lanes = f32x16::load_array_ref(simd, &LANE_NUMBERS);
        let mut least = Least::new(simd);
        let mut left = faces.numbers.len() as f32;
        for (number, normals) in faces.normals.iter().enumerate().take(MOST_BLOCKS) {
            let ab = greater_in_lanes(along(normals, &a), along(normals, &b));
            let cd = greater_in_lanes(along(normals, &c), along(normals, &d));
            let known = greater_in_lanes(greater_in_lanes(ab, cd), along(normals, &middle));
            let is_face = lanes.simd_lt(f32x16::splat(simd, left));
            let none = f32x16::splat(simd, f32::INFINITY);
            let bounds = is_face.select(known, none);
            self.set(number, bounds, limit);
            least.or(bounds, number as f32);
            left -= SIXTEEN as f32;
        }
        least.of_all()
    }

    /// The bounds after two more points are known.
    #[inline(always)]
    pub(super) fn raise<S: Simd, P: PreciseVector>(
        &mut self,
        simd: S,
        faces: Faces,
        [one, other]: &[P; 2],
        limit: f32,
    ) -> LeastBound {
        let (one, other) = (splat(simd, *one), splat(simd, *other));
        let mut least = Least::new(simd);
        let count = core::mem::take(&mut self.open_count);
        for k in 0..count {
            let number = usize::from(self.open[k % MOST_BLOCKS]) % MOST_BLOCKS;
            let normals = &faces.normals[number];
            let more = greater_in_lanes(along(normals, &one), along(normals, &other));
            let bounds = greater_in_lanes(self.blocks[number].load(simd), more);
            self.set(number, bounds, limit);
            least.or(bounds, number as f32);
        }
        least.of_all()
    }

    /// Stores the bounds of a block, and notes it as open if it is.
    #[inline(always)]
    fn set<S: Simd>(&mut self, number: usize, bounds: f32x16<S>, limit: f32) {
        bounds.store_array(&mut self.blocks[number].0);
        let is_open = bounds.simd_lt(f32x16::splat(bounds.simd, limit)).any_true();
        self.open[self.open_count % MOST_BLOCKS] = number as u8;
        self.open_count += usize::from(is_open);
    }

    /// Notes that a face was looked at.
    #[inline(always)]
    pub(super) fn close<S: Simd>(&mut self, simd: S, place: usize) {
        // The whole row is written, because the next load of it would wait for a single number.
        let block = &mut self.blocks[place / SIXTEEN % MOST_BLOCKS].0;
        let lanes = f32x16::load_array_ref(simd, &LANE_NUMBERS);
        let is_face = lanes.simd_eq(f32x16::splat(simd, (place % SIXTEEN) as f32));
        let closed = is_face.select(
            f32x16::splat(simd, f32::INFINITY),
            f32x16::load_array_ref(simd, block),
        );
        closed.store_array(block);
    }
}
