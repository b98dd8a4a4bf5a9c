//! The sides of convex polygons, in groups of four for SIMD.

use clearance_math::DVec2;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{FourVectors, LANES, Simd, SimdBase, dispatch};

/// Hulls of more vertices do not store their sides, because examining all of them takes longer than
/// a search.
pub const MOST_SIDES: usize = 32;

/// Four sides of a convex polygon in the plane, in counter-clockwise order: the start of each and
/// its outward unit normal.
///
/// A polygon with `n` sides has `n / 4` such groups, rounded up. Unused lanes of the last group
/// repeat the last side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourSides {
    /// The start of each side.
    pub corner: [[f64; LANES]; 2],
    /// The outward unit normal of each side.
    pub normal: [[f64; LANES]; 2],
}

impl FourSides {
    /// The sides from `starts` to `ends`. The normal of a side of length zero is NaN.
    #[inline(always)]
    #[must_use]
    pub fn new<S: Simd>(simd: S, starts: [DVec2; LANES], ends: [DVec2; LANES]) -> Self {
        let start = FourVectors::<S, DVec2>::from_lanes(simd, |lane| starts[lane]);
        let end = FourVectors::from_lanes(simd, |lane| ends[lane]);
        let along = end - start;
        let length = along.length();
        Self {
            corner: [start.x.to_array(), start.y.to_array()],
            normal: [
                (along.y / length).to_array(),
                (-along.x / length).to_array(),
            ],
        }
    }

    /// All sides of the polygon with the given corners, of which there must be at least two.
    pub(crate) fn all(corners: &[DVec2]) -> Vec<Self> {
        let last = corners.len() - 1;
        let blocks = (0..corners.len()).step_by(LANES);
        let sides = blocks.map(|from| {
            let lanes: [usize; LANES] = core::array::from_fn(|lane| last.min(from + lane));
            let after = |index| if index == last { 0 } else { index + 1 };
            let starts = lanes.map_each(|index| corners[index]);
            let ends = lanes.map_each(|index| corners[after(index)]);
            dispatch!(simd => Self::new(simd, starts, ends))
        });
        sides.collect()
    }
}
