//! The few vertices that can be the farthest, found in single precision.

use clearance_math::{PreciseVector, Vector, tolerances};
use glam::Vec4;
use wide::f32x8;

/// The most vertices: as many as there are bits in the mask of those that are left.
pub(super) const MOST_VERTICES: usize = 64;

/// How many vertices are looked at together.
pub(super) const LANES: usize = 8;

/// The least and the greatest coordinate, of vertices and of directions, with which products in
/// single precision neither overflow nor lose digits that count.
pub(super) const RANGE: core::ops::Range<f64> = 1e-12..1e12;

/// The vertices in single precision, in blocks of [`LANES`]: first all x, then all y, then all z,
/// which are nought in the plane.
///
/// They are stored in it exactly; only products and sums round. One vertex stays in nearly every
/// direction, and double precision has nothing left to decide.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sieve {
    blocks: Vec<[f32x8; 3]>,
    /// A bit for each vertex.
    all: u64,
    /// How far apart two products can be and change places by rounding, for a direction whose
    /// greatest component is one.
    blur: f64,
}

impl Sieve {
    /// Prepares up to [`MOST_VERTICES`] vertices of ordinary size; `None` for others.
    pub(super) fn new<V: Vector>(vertices: &[V]) -> Option<Self> {
        let reach = reach(vertices);
        if vertices.len() > MOST_VERTICES || !RANGE.contains(&reach) {
            return None;
        }
        let precise = |vertex: V| vertex.to_precise().in_space();
        let row = |block: &[V], axis: usize| {
            let lane = |lane: usize| precise(block[lane.min(block.len() - 1)])[axis] as f32;
            f32x8::new(core::array::from_fn(lane))
        };
        let block = |block: &[V]| core::array::from_fn(|axis| row(block, axis));
        Some(Self {
            blocks: vertices.chunks(LANES).map(block).collect(),
            all: u64::MAX >> (MOST_VERTICES - vertices.len()),
            blur: tolerances::SIEVE_BLUR * reach,
        })
    }

    /// A bit for each vertex that can be the farthest along `direction`, at least one; `None` for
    /// directions out of range.
    #[inline]
    pub(super) fn candidates<P: PreciseVector>(&self, direction: P) -> Option<u64> {
        let largest = largest(direction);
        if !RANGE.contains(&largest) {
            return None;
        }
        let [x, y, z] = direction.in_space().as_vec3().to_array().map(f32x8::splat);
        let mut products = [f32x8::ZERO; MOST_VERTICES / LANES];
        let mut greatest = f32x8::splat(f32::NEG_INFINITY);
        for (block, product) in self.blocks.iter().zip(&mut products) {
            *product = block[0] * x + block[1] * y + block[2] * z;
            greatest = greatest.fast_max(*product);
        }
        let greatest = self::greatest(greatest);
        let blur = (self.blur * largest) as f32;
        let least = f32x8::splat(greatest - blur);
        let mut found = 0;
        for product in products[..self.blocks.len().min(products.len())]
            .iter()
            .rev()
        {
            found = found << LANES | u64::from(product.simd_ge(least).to_bitmask());
        }
        Some(found & self.all)
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        self.blocks.capacity() * size_of::<[f32x8; 3]>()
    }
}

/// The greatest sum of the coordinates of a vertex, without their signs.
pub(super) fn reach<V: Vector>(vertices: &[V]) -> f64 {
    vertices.iter().fold(0.0, |reach: f64, vertex| {
        let sum = (0..V::DIM).fold(0.0, |sum, k| sum + f64::from(vertex.component(k).abs()));
        reach.max(sum)
    })
}

/// The greatest component of a direction, without its sign.
#[inline]
pub(super) fn largest<P: PreciseVector>(direction: P) -> f64 {
    (1..P::DIM).fold(direction.component(0).abs(), |largest, k| {
        let other = direction.component(k).abs();
        if other > largest { other } else { largest }
    })
}

/// The greatest of the numbers.
#[inline]
pub(super) fn greatest(numbers: f32x8) -> f32 {
    let (low, high) = numbers.as_array().split_at(LANES / 2);
    Vec4::from_slice(low)
        .max(Vec4::from_slice(high))
        .max_element()
}
