//! Points and triangles of space in SIMD lanes: four triangles beside one ball.
//!
//! The operations are those of [`super::point_triangle`] and of the solver that it calls, in their order, with all
//! cases computed and one selected. So the bits are those of one triangle alone.

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};
use clearance_math::tolerances::THIN_TRIANGLE;

use super::corners_in_lanes::{Corners, heights};

/// The points of four triangles that are nearest to the origin, and the lanes in which they are known: those of
/// triangles that are not thin. The corners are relative to the point that is the origin here.
#[inline(always)]
pub(crate) fn nearest_of_corners<F: Number, P: PreciseVector>(
    set: F::Set,
    corners: Corners<F, P>,
) -> (VectorsInLanes<F, P>, F::Mask) {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let [d1, d3, d5] = negated(heights(corners, ab));
    let [d2, d4, d6] = negated(heights(corners, ac));
    let zero = F::splat(set, 0.0);
    let one = F::splat(set, 1.0);

    let areas = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
    let sum = areas[0] + areas[1] + areas[2];
    let is_inside = areas[0].is_above(0.0) & areas[1].is_above(0.0) & areas[2].is_above(0.0);
    let mut weights = of_edges(set, corners);
    let shares = [areas[0] / sum, areas[1] / sum, areas[2] / sum];
    weights = chosen(is_inside, shares, weights);
    // The first corner that holds counts, so it is chosen last.
    let is_c = d6.is_at_least(0.0) & d5.is_at_most(d6);
    let is_b = d3.is_at_least(0.0) & d4.is_at_most(d3);
    let is_a = d1.is_at_most(0.0) & d2.is_at_most(0.0);
    weights = chosen(is_c, [zero, zero, one], weights);
    weights = chosen(is_b, [zero, one, zero], weights);
    weights = chosen(is_a, [one, zero, zero], weights);

    let whole = ab.cross(ac).length_squared();
    let spread = ab.length_squared() * ac.length_squared();
    let is_thick = whole.is_above(spread * THIN_TRIANGLE);
    (a * weights[0] + b * weights[1] + c * weights[2], is_thick)
}

/// The weights of one triple where they are chosen, and of the other elsewhere.
#[inline(always)]
fn chosen<F: Number>(is_chosen: F::Mask, [a, b, c]: [F; 3], [d, e, f]: [F; 3]) -> [F; 3] {
    [
        is_chosen.choose(a, d),
        is_chosen.choose(b, e),
        is_chosen.choose(c, f),
    ]
}

#[inline(always)]
fn negated<F: Number>([a, b, c]: [F; 3]) -> [F; 3] {
    [-a, -b, -c]
}

/// The weights of the corners in the points of the edges that are nearest to the origin.
#[inline(always)]
fn of_edges<F: Number, P: PreciseVector>(set: F::Set, [a, b, c]: Corners<F, P>) -> [F; 3] {
    let zero = F::splat(set, 0.0);
    let ab = OfEdge::new(set, [a, b]);
    let ac = OfEdge::new(set, [a, c]);
    let bc = OfEdge::new(set, [b, c]);
    let is_ac = ac.squared.is_below(ab.squared);
    let squared = is_ac.choose(ac.squared, ab.squared);
    let is_bc = bc.squared.is_below(squared);
    let [first, second] = ab.weights;
    [
        is_bc.choose(zero, is_ac.choose(ac.weights[0], first)),
        is_bc.choose(bc.weights[0], is_ac.choose(zero, second)),
        is_bc.choose(bc.weights[1], is_ac.choose(ac.weights[1], zero)),
    ]
}

/// The points of four edges that are nearest to the origin.
#[derive(Clone, Copy)]
struct OfEdge<F: Number> {
    weights: [F; 2],
    /// The squared distances of the points from the origin.
    squared: F,
}

impl<F: Number> OfEdge<F> {
    #[inline(always)]
    fn new<P: PreciseVector>(set: F::Set, [a, b]: [VectorsInLanes<F, P>; 2]) -> Self {
        let (zero, one) = (F::splat(set, 0.0), F::splat(set, 1.0));
        let edge = b - a;
        let length_squared = edge.length_squared();
        let t = -a.dot(edge) / length_squared;
        // Selected instead of the lesser and the greater, which may differ in the sign of zero.
        let t = t.is_below(0.0).choose(zero, t);
        let t = t.is_above(1.0).choose(one, t);
        let t = length_squared.is_above(0.0).choose(t, zero);
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
    use clearance_math::internal::lanes::{FourVectors, LANES, dispatch};

    use super::*;
    use crate::search::simplex;

    /// The points in four lanes, as bits; `None` where they are not known.
    fn in_lanes(triangles: [[DVec3; 3]; LANES]) -> [Option<[u64; 3]>; LANES] {
        dispatch!(simd => {
            let corner = |k: usize| FourVectors::from_lanes(simd, |lane| triangles[lane][k]);
            let (nearest, is_known) = nearest_of_corners(simd, [corner(0), corner(1), corner(2)]);
            let known = is_known.bits();
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
