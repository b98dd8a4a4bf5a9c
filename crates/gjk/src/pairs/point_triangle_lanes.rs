//! Points and triangles of space in SIMD lanes: four triangles beside one ball.
//!
//! The operations are those of [`super::point_triangle`] and of the solver that it calls, in their order, with all
//! cases computed and one selected. So the bits are those of one triangle alone.

use clearance_math::PreciseVector;
use clearance_math::lanes::{FourVectors, Select, Simd, SimdBase, f64x4, mask64x4};
use clearance_math::tolerances::THIN_TRIANGLE;

use super::corners_in_lanes::heights;

/// The points of four triangles that are nearest to the origin, and the lanes in which they are known: those of
/// triangles that are not thin. The corners are relative to the point that is the origin here.
#[inline(always)]
pub(crate) fn nearest_of_corners<S: Simd, P: PreciseVector>(
    simd: S,
    corners: [FourVectors<S, P>; 3],
) -> (FourVectors<S, P>, mask64x4<S>) {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let [d1, d3, d5] = negated(heights(corners, ab));
    let [d2, d4, d6] = negated(heights(corners, ac));
    let zero = f64x4::splat(simd, 0.0);
    let one = f64x4::splat(simd, 1.0);

    let areas = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
    let sum = areas[0] + areas[1] + areas[2];
    let is_inside = areas[0].simd_gt(0.0) & areas[1].simd_gt(0.0) & areas[2].simd_gt(0.0);
    let mut weights = of_edges(simd, corners);
    let shares = [areas[0] / sum, areas[1] / sum, areas[2] / sum];
    weights = chosen(is_inside, shares, weights);
    // The first corner that holds counts, so it is chosen last.
    let is_c = d6.simd_ge(0.0) & d5.simd_le(d6);
    let is_b = d3.simd_ge(0.0) & d4.simd_le(d3);
    let is_a = d1.simd_le(0.0) & d2.simd_le(0.0);
    weights = chosen(is_c, [zero, zero, one], weights);
    weights = chosen(is_b, [zero, one, zero], weights);
    weights = chosen(is_a, [one, zero, zero], weights);

    let whole = ab.cross(ac).length_squared();
    let spread = ab.length_squared() * ac.length_squared();
    let is_thick = whole.simd_gt(THIN_TRIANGLE * spread);
    (a * weights[0] + b * weights[1] + c * weights[2], is_thick)
}

/// The weights of one triple where they are chosen, and of the other elsewhere.
#[inline(always)]
fn chosen<S: Simd>(
    is_chosen: mask64x4<S>,
    [a, b, c]: [f64x4<S>; 3],
    [d, e, f]: [f64x4<S>; 3],
) -> [f64x4<S>; 3] {
    [
        is_chosen.select(a, d),
        is_chosen.select(b, e),
        is_chosen.select(c, f),
    ]
}

#[inline(always)]
fn negated<S: Simd>([a, b, c]: [f64x4<S>; 3]) -> [f64x4<S>; 3] {
    [-a, -b, -c]
}

/// The weights of the corners in the points of the edges that are nearest to the origin.
#[inline(always)]
fn of_edges<S: Simd, P: PreciseVector>(
    simd: S,
    [a, b, c]: [FourVectors<S, P>; 3],
) -> [f64x4<S>; 3] {
    let zero = f64x4::splat(simd, 0.0);
    let ab = OfEdge::new(simd, [a, b]);
    let ac = OfEdge::new(simd, [a, c]);
    let bc = OfEdge::new(simd, [b, c]);
    let is_ac = ac.squared.simd_lt(ab.squared);
    let squared = is_ac.select(ac.squared, ab.squared);
    let is_bc = bc.squared.simd_lt(squared);
    let [first, second] = ab.weights;
    [
        is_bc.select(zero, is_ac.select(ac.weights[0], first)),
        is_bc.select(bc.weights[0], is_ac.select(zero, second)),
        is_bc.select(bc.weights[1], is_ac.select(ac.weights[1], zero)),
    ]
}

/// The points of four edges that are nearest to the origin.
#[derive(Clone, Copy)]
struct OfEdge<S: Simd> {
    weights: [f64x4<S>; 2],
    /// The squared distances of the points from the origin.
    squared: f64x4<S>,
}

impl<S: Simd> OfEdge<S> {
    #[inline(always)]
    fn new<P: PreciseVector>(simd: S, [a, b]: [FourVectors<S, P>; 2]) -> Self {
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let edge = b - a;
        let length_squared = edge.length_squared();
        let t = -a.dot(edge) / length_squared;
        // Selected instead of the lesser and the greater, which may differ in the sign of zero.
        let t = t.simd_lt(0.0).select(zero, t);
        let t = t.simd_gt(1.0).select(one, t);
        let t = length_squared.simd_gt(0.0).select(t, zero);
        let weights = [one - t, t];
        Self {
            weights,
            squared: (a * weights[0] + b * weights[1]).length_squared(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::DVec3;
    use clearance_math::lanes::{LANES, SimdMask, dispatch};

    use super::*;
    use crate::simplex;

    /// The points in four lanes, as bits; `None` where they are not known.
    fn in_lanes(triangles: [[DVec3; 3]; LANES]) -> [Option<[u64; 3]>; LANES] {
        dispatch!(simd => {
            let corner = |k: usize| FourVectors::from_lanes(simd, |lane| triangles[lane][k]);
            let (nearest, is_known) = nearest_of_corners(simd, [corner(0), corner(1), corner(2)]);
            let known = is_known.to_bitmask();
            let bits = |lane| nearest.lane(lane).to_array().map(f64::to_bits);
            [0, 1, 2, 3].map(|lane: usize| (known >> lane & 1 == 1).then(|| bits(lane)))
        })
    }

    #[test]
    fn four_triangles_have_the_bits_of_each_alone() {
        let (mut known, mut round) = (0, 0_u64);
        let mut number = |is_on_lattice: bool| {
            // Multiples of an irrational number cover their range evenly.
            round += 1;
            let number = (round as f64 * 0.618_033_988_749_894_9).fract() * 4.0 - 2.0;
            if is_on_lattice {
                number.round()
            } else {
                number
            }
        };
        for k in 0..5000 {
            let mut corner = || DVec3::from_array([0; 3].map(|_| number(k % 2 == 0)));
            let triangles = [0; LANES].map(|_| [corner(), corner(), corner()]);
            for (lane, bits) in in_lanes(triangles).into_iter().enumerate() {
                let alone = simplex::nearest_of_corners(triangles[lane]);
                if let Some(bits) = bits {
                    known += 1;
                    assert_eq!(
                        bits,
                        alone.to_array().map(f64::to_bits),
                        "{:?}",
                        triangles[lane]
                    );
                }
            }
        }
        // Some on the lattice have no area.
        assert!(known > 17_000, "{known} of 20000");
    }
}
