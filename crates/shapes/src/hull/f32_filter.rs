//! The few vertices that can be the farthest, found in single precision.

use clearance_math::lanes::{Simd, SimdBase, SimdMask, f32x8};
use clearance_math::{DVec3, PreciseVector, Vector, tolerances};

use crate::eight_corners::MOST;

/// The most vertices: as many as there are bits in the mask of those that are left.
pub(super) const MOST_VERTICES: usize = 64;

/// How many vertices are looked at together.
pub(super) const LANES: usize = 8;

/// The least and the greatest coordinate, of vertices and of directions, with which products in
/// single precision neither overflow nor lose digits that count.
pub(super) const RANGE: core::ops::Range<f64> = 1e-12..1e12;

/// Numbers beside each other that are read at once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct Eight(pub(super) [f32; LANES]);

impl Eight {
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::load_array_ref(simd, &self.0)
    }
}

/// A direction in single precision.
#[inline(always)]
pub(super) fn in_lanes<S: Simd, P: PreciseVector>(simd: S, direction: P) -> [f32x8<S>; 3] {
    let DVec3 { x, y, z } = direction.in_space();
    [
        f32x8::splat(simd, x as f32),
        f32x8::splat(simd, y as f32),
        f32x8::splat(simd, z as f32),
    ]
}

/// The scalar products of eight vectors with a direction.
#[inline(always)]
pub(super) fn products<S: Simd>(vectors: &[Eight; 3], [x, y, z]: [f32x8<S>; 3]) -> f32x8<S> {
    let simd = x.simd;
    vectors[0].load(simd) * x + vectors[1].load(simd) * y + vectors[2].load(simd) * z
}

/// The vertices in single precision, in two, four or eight blocks of [`LANES`]: first all x, then all
/// y, then all z, which are zero in the plane. The last vertex fills up the last blocks.
///
/// They are stored in it exactly; only products and sums round. One vertex stays in nearly every
/// direction, and double precision has nothing left to decide.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sieve {
    blocks: Blocks,
    /// A bit for each vertex.
    all: u64,
    /// How far apart two products can be and still be in the wrong order by rounding, for a direction
    /// whose greatest component is one.
    blur: f64,
}

/// As many blocks as there are, so that what goes through them is a row of instructions.
#[derive(Clone, Debug, PartialEq)]
enum Blocks {
    Two(Box<[Block; 2]>),
    Four(Box<[Block; 4]>),
    Eight(Box<[Block; 8]>),
}

type Block = [Eight; 3];

impl Sieve {
    /// Prepares more than eight and up to [`MOST_VERTICES`] vertices of ordinary size; `None` for others.
    pub(super) fn new<V: Vector>(vertices: &[V]) -> Option<Self> {
        let size = l1_size(vertices);
        if !(MOST + 1..=MOST_VERTICES).contains(&vertices.len()) || !RANGE.contains(&size) {
            return None;
        }
        Some(Self {
            blocks: match vertices.len() {
                ..=16 => Blocks::Two(blocks(vertices)),
                17..=32 => Blocks::Four(blocks(vertices)),
                _ => Blocks::Eight(blocks(vertices)),
            },
            all: u64::MAX >> (MOST_VERTICES - vertices.len()),
            blur: tolerances::SIEVE_BLUR * size,
        })
    }

    /// A bit for each vertex that can be the farthest along `direction`, at least one; `None` for
    /// directions out of range.
    #[inline(always)]
    pub(super) fn candidates<S: Simd, P: PreciseVector>(
        &self,
        simd: S,
        direction: P,
    ) -> Option<u64> {
        let largest = largest(direction);
        if !RANGE.contains(&largest) {
            return None;
        }
        let direction = in_lanes(simd, direction);
        let blur = (self.blur * largest) as f32;
        let found = match &self.blocks {
            Blocks::Two(blocks) => near_greatest(blocks, direction, blur),
            Blocks::Four(blocks) => near_greatest(blocks, direction, blur),
            Blocks::Eight(blocks) => near_greatest(blocks, direction, blur),
        };
        Some(found & self.all)
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        match &self.blocks {
            Blocks::Two(blocks) => size_of_val(&**blocks),
            Blocks::Four(blocks) => size_of_val(&**blocks),
            Blocks::Eight(blocks) => size_of_val(&**blocks),
        }
    }
}

fn blocks<V: Vector, const N: usize>(vertices: &[V]) -> Box<[Block; N]> {
    let vertex = |index: usize| {
        let vertex = vertices[index.min(vertices.len() - 1)];
        vertex.to_precise().in_space()
    };
    let row = |block: usize, axis: usize| {
        let lane = |lane: usize| vertex(block * LANES + lane)[axis] as f32;
        Eight(core::array::from_fn(lane))
    };
    let block = |block: usize| core::array::from_fn(|axis| row(block, axis));
    Box::new(core::array::from_fn(block))
}

/// A bit for each vertex whose product with the direction is less than `blur` below the greatest.
#[inline(always)]
fn near_greatest<S: Simd, const N: usize>(
    blocks: &[Block; N],
    direction: [f32x8<S>; 3],
    blur: f32,
) -> u64 {
    let simd = direction[0].simd;
    let mut found = [f32x8::splat(simd, 0.0); N];
    let mut greatest = f32x8::splat(simd, f32::NEG_INFINITY);
    for (found, block) in found.iter_mut().zip(blocks) {
        *found = products(block, direction);
        greatest = greatest.max(*found);
    }
    let least = f32x8::splat(simd, self::greatest(greatest) - blur);
    // A loop, not `fold`: that would be compiled for the least instructions.
    let mut near = 0;
    for (block, found) in found.iter().enumerate() {
        near |= found.simd_ge(least).to_bitmask() << (block * LANES);
    }
    near
}

/// The greatest sum of the coordinates of a vertex, without their signs.
pub(super) fn l1_size<V: Vector>(vertices: &[V]) -> f64 {
    vertices.iter().fold(0.0, |size: f64, vertex| {
        let sum = (0..V::DIM).fold(0.0, |sum, k| sum + f64::from(vertex.component(k).abs()));
        size.max(sum)
    })
}

/// The greatest component of a direction, without its sign.
#[inline(always)]
pub(super) fn largest<P: PreciseVector>(direction: P) -> f64 {
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
