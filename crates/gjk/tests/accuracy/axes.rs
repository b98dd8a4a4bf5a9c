//! The signed distance of two polytopes along every axis that can matter.
//!
//! A face of the Minkowski difference of two polytopes is parallel to a face of one of them or to an
//! edge of each, so the greatest separation over all such normals is minus the depth of an overlap,
//! and every one of them is a lower bound of the signed distance in any case.

use clearance_math::DVec3;

use super::pair::Pair;
use super::solid::Polytope;

/// The rounding of a cross product of edges, relative to their lengths: that of turning them, and its own.
const PRODUCT_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The greatest separation along the normals of faces and of pairs of edges: as computed, and not less
/// than along the exact normals.
pub(crate) fn greatest_separation(pair: &Pair) -> (f64, f64) {
    let (Some(a), Some(b)) = (pair.a.polytope(), pair.b.polytope()) else {
        panic!("polytopes only");
    };
    let separation = |normal: DVec3| -pair.sample(normal).height;
    let of_b = b.normals.iter().map(|normal| -*normal);
    let faces = a.normals.iter().copied().chain(of_b).map(separation);
    // Points have no face: any direction will do.
    let any = separation(DVec3::X).max(separation(-DVec3::X));
    let mut best = faces.fold(any, f64::max);
    let mut doubts = Vec::new();
    if pair.dimension == 3 {
        let slack = 1e-9 * pair.size();
        for &edge_a in &a.edges {
            let along_a = a.edge(edge_a);
            for &edge_b in &b.edges {
                let along_b = b.edge(edge_b);
                let cross = along_a.cross(along_b);
                let Some(normal) = cross.try_normalize() else {
                    continue;
                };
                let of_a = ends(a, edge_a[0], normal, slack);
                let of_b = ends(b, edge_b[0], normal, slack);
                // The exact normal is tilted by no more, about points no farther off than the size. The
                // foot of an overlap on so thin a face is within its width of a neighbour's plane.
                let (length_a, length_b) = (along_a.length(), along_b.length());
                let blur = PRODUCT_ROUNDING * length_a * length_b / cross.length() * pair.size();
                let width = cross.length() / length_a.max(length_b);
                for (is_axis, normal) in [
                    (of_a.is_highest && of_b.is_lowest, normal),
                    (of_a.is_lowest && of_b.is_highest, -normal),
                ] {
                    if is_axis {
                        let found = separation(normal);
                        best = best.max(found);
                        doubts.push((found + blur, width));
                    }
                }
            }
        }
    }
    let high = doubts
        .into_iter()
        .map(|(tilted, width)| tilted.min(best + width));
    (best, high.fold(best, f64::max))
}

/// Whether a polytope ends at a corner along a normal and against it.
struct Ends {
    is_highest: bool,
    is_lowest: bool,
}

fn ends(polytope: &Polytope, corner: usize, normal: DVec3, slack: f64) -> Ends {
    let height = polytope.corners[corner].dot(normal);
    let mut ends = Ends {
        is_highest: true,
        is_lowest: true,
    };
    for other in &polytope.corners {
        let over = other.dot(normal) - height;
        ends.is_highest &= over <= slack;
        ends.is_lowest &= over >= -slack;
        if !ends.is_highest && !ends.is_lowest {
            break;
        }
    }
    ends
}
