//! The sides of polygons, four at a time: placed, and searched for the widest gap.

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4};
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
    let u = splat(simd, in_plane(pose.rotation.column(0)));
    let v = splat(simd, in_plane(pose.rotation.column(1)));
    let origin = splat(simd, in_plane(pose.translation));
    for four in sides {
        let corner = turned([u, v], load(simd, &four.corner));
        let normal = turned([u, v], load(simd, &four.normal));
        placed.push(FourSides {
            corner: [
                (corner[0] + origin[0]).to_array(),
                (corner[1] + origin[1]).to_array(),
            ],
            normal: [normal[0].to_array(), normal[1].to_array()],
        });
    }
}

/// Vectors given by their components along the columns of a matrix.
#[inline(always)]
pub(super) fn turned<S: Simd>([u, v]: [[f64x4<S>; 2]; 2], [x, y]: [f64x4<S>; 2]) -> [f64x4<S>; 2] {
    [x * u[0] + y * v[0], x * u[1] + y * v[1]]
}

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, [x, y]: &[[f64; LANES]; 2]) -> [f64x4<S>; 2] {
    [
        f64x4::load_array_ref(simd, x),
        f64x4::load_array_ref(simd, y),
    ]
}

#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, vector: DVec2) -> [f64x4<S>; 2] {
    [f64x4::splat(simd, vector.x), f64x4::splat(simd, vector.y)]
}

#[inline(always)]
pub(super) fn dot<S: Simd>(u: [f64x4<S>; 2], v: [f64x4<S>; 2]) -> f64x4<S> {
    u[0] * v[0] + u[1] * v[1]
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
            let height = |lane: usize| dot(splat(simd, DVec2::new(x[lane], y[lane])), normal);
            // In pairs, so that fewer have to wait for another.
            nearest = nearest.min(height(0).min(height(1)).min(height(2).min(height(3))));
        }
        let gap = nearest - dot(load(simd, &four.corner), normal);
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
