//! The sides of polygons, four beside each other.

use clearance_math::DVec2;
use clearance_math::lanes::{FourVectors, LANES, Simd, SimdBase, dispatch, level};

/// Hulls of more corners keep no sides: to look at all of them takes longer than a search.
pub const MOST_SIDES: usize = 32;

/// Four sides of a convex polygon of the plane, counter-clockwise: where each begins, and its unit
/// normal, which points outwards.
///
/// Each number by lanes. A polygon of `n` sides takes `n / 4` of these, rounded up; the lanes left
/// repeat the last side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourSides {
    /// The first corner of each side.
    pub corner: [[f64; LANES]; 2],
    /// The normal of each side.
    pub normal: [[f64; LANES]; 2],
}

impl FourSides {
    /// The sides from each of `starts` to that of `ends`; one without length has NaN for a normal.
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

    /// The sides of the polygon with these corners, at least two.
    pub(crate) fn all(corners: &[DVec2]) -> Vec<Self> {
        let last = corners.len() - 1;
        let blocks = (0..corners.len()).step_by(LANES);
        let sides = blocks.map(|from| {
            let lanes: [usize; LANES] = core::array::from_fn(|lane| last.min(from + lane));
            let after = |index| if index == last { 0 } else { index + 1 };
            let starts = lanes.map(|index| corners[index]);
            let ends = lanes.map(|index| corners[after(index)]);
            dispatch!(level(), simd => Self::new(simd, starts, ends))
        });
        sides.collect()
    }
}
