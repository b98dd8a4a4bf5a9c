//! A filter in single precision: finds the few vertices of a hull that can be the farthest one.

use clearance_math::internal::lanes::{Simd, SimdBase, SimdMask, f32x8, greater_in_lanes};
use clearance_math::{DVec3, PreciseVector, Vector, tolerances};

use crate::eight_corners::MAX_POINTS;

/// The most vertices: the number of bits in the mask of candidates.
pub(super) const MAX_VERTICES: usize = 64;

/// The number of vertices in a block, which are examined together.
pub(super) const LANES: usize = 8;

/// The range for the greatest coordinate of the vertices, and of a direction, in which products in
/// single precision neither overflow nor lose significant digits by underflow.
pub(super) const RANGE: core::ops::Range<f64> = 1e-12..1e12;

/// Eight numbers in a row, aligned so that one instruction can load them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct F32Row(pub(super) [f32; LANES]);

impl F32Row {
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::load_array_ref(simd, &self.0)
    }
}

/// The components of a direction in single precision, each copied to all lanes.
#[inline(always)]
pub(super) fn splat<S: Simd, P: PreciseVector>(simd: S, direction: P) -> [f32x8<S>; 3] {
    let DVec3 { x, y, z } = direction.in_space();
    [
        f32x8::splat(simd, x as f32),
        f32x8::splat(simd, y as f32),
        f32x8::splat(simd, z as f32),
    ]
}

/// The scalar products of eight vectors with a direction made by [`splat`].
#[inline(always)]
pub(super) fn products<S: Simd>(vectors: &[F32Row; 3], [x, y, z]: [f32x8<S>; 3]) -> f32x8<S> {
    let simd = x.simd;
    vectors[0].load(simd) * x + vectors[1].load(simd) * y + vectors[2].load(simd) * z
}

/// The vertices of a hull in single precision, in two, four or eight blocks of [`LANES`]. Unused places
/// are filled with copies of the last vertex.
///
/// Coordinates are stored exactly, so only products and sums have rounding errors. For nearly every
/// direction only one vertex remains, and nothing has to be compared in double precision.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct F32Filter {
    blocks: Blocks,
    /// The mask with one bit set for each vertex.
    all: u64,
    /// How far apart two products can be and yet be in the wrong order because of rounding errors, for a
    /// direction whose greatest component is one.
    rounding: f64,
}

/// The blocks, in one of three numbers that are known at compile time, so that loops over them are
/// unrolled.
#[derive(Clone, Debug, PartialEq)]
enum Blocks {
    Two(Box<[Block; 2]>),
    Four(Box<[Block; 4]>),
    Eight(Box<[Block; 8]>),
}

/// The coordinates of eight vertices: first all x, then all y, then all z, which are zero in 2D.
type Block = [F32Row; 3];

impl F32Filter {
    /// The filter for a hull; `None` if it has at most eight or more than [`MAX_VERTICES`] vertices, or if
    /// its size is out of [`RANGE`].
    pub(super) fn new<V: Vector>(vertices: &[V]) -> Option<Self> {
        let size = l1_size(vertices);
        if !(MAX_POINTS + 1..=MAX_VERTICES).contains(&vertices.len()) || !RANGE.contains(&size) {
            return None;
        }
        Some(Self {
            blocks: match vertices.len() {
                ..=16 => Blocks::Two(blocks(vertices)),
                17..=32 => Blocks::Four(blocks(vertices)),
                _ => Blocks::Eight(blocks(vertices)),
            },
            all: u64::MAX >> (MAX_VERTICES - vertices.len()),
            rounding: tolerances::F32_PRODUCT_ROUNDING * size,
        })
    }

    /// The mask of the vertices that can be the farthest along `direction`. At least one bit is set.
    /// `None` if the direction is out of [`RANGE`].
    #[inline(always)]
    pub(super) fn candidates<S: Simd, P: PreciseVector>(
        &self,
        simd: S,
        direction: P,
    ) -> Option<u64> {
        let largest = largest_component(direction);
        if !RANGE.contains(&largest) {
            return None;
        }
        let direction = splat(simd, direction);
        let rounding = (self.rounding * largest) as f32;
        let found = match &self.blocks {
            Blocks::Two(blocks) => near_greatest(blocks, direction, rounding),
            Blocks::Four(blocks) => near_greatest(blocks, direction, rounding),
            Blocks::Eight(blocks) => near_greatest(blocks, direction, rounding),
        };
        Some(found & self.all)
    }

    /// The allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        match &self.blocks {
            Blocks::Two(blocks) => size_of_val(&**blocks),
            Blocks::Four(blocks) => size_of_val(&**blocks),
            Blocks::Eight(blocks) => size_of_val(&**blocks),
        }
    }
}

/// Arranges the vertices in `N` blocks.
fn blocks<V: Vector, const N: usize>(vertices: &[V]) -> Box<[Block; N]> {
    let mut blocks = Box::new([[F32Row([0.0; LANES]); 3]; N]);
    for place in 0..N * LANES {
        let vertex = vertices[place.min(vertices.len() - 1)];
        let vertex = vertex.to_precise().in_space().as_vec3();
        for axis in 0..3 {
            blocks[place / LANES][axis].0[place % LANES] = vertex[axis];
        }
    }
    blocks
}

/// The mask of the vertices whose products with the direction are at most `rounding` less than the
/// greatest product.
#[inline(always)]
fn near_greatest<S: Simd, const N: usize>(
    blocks: &[Block; N],
    direction: [f32x8<S>; 3],
    rounding: f32,
) -> u64 {
    let simd = direction[0].simd;
    let mut found = [f32x8::splat(simd, 0.0); N];
    let mut greatest = f32x8::splat(simd, f32::NEG_INFINITY);
    for (found, block) in found.iter_mut().zip(blocks) {
        *found = products(block, direction);
        greatest = greater_in_lanes(greatest, *found);
    }
    let least = f32x8::splat(simd, self::greatest(greatest) - rounding);
    // A loop, not `fold`: its closure would be compiled for the oldest instruction set.
    let mut near = 0;
    for (block, found) in found.iter().enumerate() {
        near |= found.simd_ge(least).to_bitmask() << (block * LANES);
    }
    near
}

/// The greatest sum of the absolute coordinates of a vertex (its l1 norm).
pub(super) fn l1_size<V: Vector>(vertices: &[V]) -> f64 {
    vertices.iter().fold(0.0, |size: f64, vertex| {
        let sum = (0..V::DIM).fold(0.0, |sum, k| sum + f64::from(vertex.component(k).abs()));
        size.max(sum)
    })
}

/// The greatest absolute component of a direction.
#[inline(always)]
pub(super) fn largest_component<P: PreciseVector>(direction: P) -> f64 {
    (1..P::DIM).fold(direction.component(0).abs(), |largest, k| {
        let other = direction.component(k).abs();
        if other > largest { other } else { largest }
    })
}

/// The greatest of the numbers.
#[inline(always)]
pub(super) fn greatest<S: Simd>(numbers: f32x8<S>) -> f32 {
    numbers.simd.reduce_max_f32x8(numbers)
}
