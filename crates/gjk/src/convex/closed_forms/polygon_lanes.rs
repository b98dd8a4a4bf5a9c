//! The sides of polygons, four at a time: placed, and searched for the widest gap.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{
    FourMatrices, FourVectors, LANES, Select, Simd, SimdBase, SimdMask, f64x4,
};
use clearance_math::{DVec2, Matrix, PreciseVector, RelativePose};
use clearance_shapes::internal::{FourSides, MOST_SIDES};

/// The sides of a polygon that were placed.
///
/// There is space for one block more than a polygon has. Of a loop that is known to end after eight rounds the compiler
/// makes eight copies and reads the corners of all of them first, though few polygons have more than three blocks.
pub(super) type PlacedSides = ArrayVec<FourSides, { MOST_SIDES / LANES + 1 }>;

pub(super) fn in_plane<P: PreciseVector>(vector: P) -> DVec2 {
    vector.in_space().truncate()
}

pub(super) fn from_plane<P: PreciseVector>(vector: DVec2) -> P {
    P::from_space(vector.extend(0.0))
}

/// The greatest number, and the first lane with it, which is the first of all if there are no numbers but NaN.
#[inline(always)]
pub(super) fn greatest_lane<S: Simd>(numbers: f64x4<S>) -> (f64, usize) {
    let greatest = numbers.simd.reduce_max_f64x4(numbers);
    let lane = numbers.simd_eq(greatest).to_bitmask().trailing_zeros() as usize % LANES;
    (greatest, lane)
}

/// The number of a block in all lanes: the bits of an integer, which are selected but never computed with.
#[inline(always)]
pub(super) fn block_in_lanes<S: Simd>(simd: S, block: usize) -> f64x4<S> {
    f64x4::splat(simd, f64::from_bits(block as u64))
}

/// The number of a side or corner in a lane, of which `blocks` has the number of the block.
#[inline(always)]
pub(super) fn index_in_lane<S: Simd>(blocks: f64x4<S>, lane: usize) -> usize {
    blocks.to_array()[lane].to_bits() as usize * LANES + lane
}

/// Maps sides from the frame of their body to the frame in which the body has the pose `pose`.
#[inline(always)]
pub(super) fn place<S: Simd, P: PreciseVector>(
    simd: S,
    sides: &[FourSides],
    pose: &RelativePose<P>,
    placed: &mut PlacedSides,
) {
    let of_all = |vector: P| FourVectors::splat(simd, in_plane(vector));
    let rotation = FourMatrices {
        columns: [0, 1, 1].map_each(|k: usize| of_all(pose.rotation.column(k))),
    };
    let origin = of_all(pose.translation);
    for four in sides {
        let corner = rotation.apply(load(simd, &four.corner)) + origin;
        let normal = rotation.apply(load(simd, &four.normal));
        placed.push(FourSides {
            corner: [corner.x.to_array(), corner.y.to_array()],
            normal: [normal.x.to_array(), normal.y.to_array()],
        });
    }
}

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, [x, y]: &[[f64; LANES]; 2]) -> FourVectors<S, DVec2> {
    let [x, y] = [x, y].map_each(|row| f64x4::load_array_ref(simd, row));
    FourVectors::new([x, y, x])
}

/// The side of a polygon with the widest gap to another polygon along its normal.
#[derive(Clone, Copy)]
pub(super) struct Widest {
    pub(super) gap: f64,
    /// The corner where the side starts.
    pub(super) index: usize,
}

/// Examines four sides of `polygon` at a time. A point has no sides, and its gap is minus infinity.
#[inline(always)]
pub(super) fn widest<S: Simd>(simd: S, polygon: &[FourSides], other: &[FourSides]) -> Widest {
    let mut greatest = f64x4::splat(simd, f64::NEG_INFINITY);
    let mut block = block_in_lanes(simd, 0);
    for (index, four) in polygon.iter().enumerate() {
        let normal = load(simd, &four.normal);
        let mut nearest = f64x4::splat(simd, f64::INFINITY);
        for four in other {
            let [x, y] = &four.corner;
            let corner = |lane: usize| FourVectors::splat(simd, DVec2::new(x[lane], y[lane]));
            let height = |lane: usize| corner(lane).dot(normal);
            // In pairs, so that fewer have to wait for another.
            nearest = nearest.min(height(0).min(height(1)).min(height(2).min(height(3))));
        }
        let gap = nearest - load(simd, &four.corner).dot(normal);
        let is_greater = gap.simd_gt(greatest);
        greatest = is_greater.select(gap, greatest);
        block = is_greater.select(block_in_lanes(simd, index), block);
    }
    let (gap, lane) = greatest_lane(greatest);
    Widest {
        gap,
        index: index_in_lane(block, lane),
    }
}
