//! The choice of the few points of a manifold among all candidates.

use arrayvec::ArrayVec;
use clearance_math::{DVec2, tolerances};

use super::MOST_POINTS;
use super::candidates::{Candidate, Candidates};

/// The places of the chosen candidates in their list, in ascending order.
pub(super) type Chosen = ArrayVec<usize, MOST_POINTS>;

/// Chooses at most `most` candidates: the deepest, the one farthest from it, the one farthest from the line between
/// them, and the one that adds the most area. If there are no more than that, all are kept.
///
/// The candidates come sorted by their features, and one that is ahead by rounding only is not preferred to an earlier
/// one.
pub(super) fn choose(candidates: &Candidates, most: usize, slack: f64) -> Chosen {
    if candidates.len() <= most {
        return (0..candidates.len()).collect();
    }
    let points: ArrayVec<DVec2, { super::clip::MOST_COMMON }> =
        candidates.iter().map(|candidate| candidate.at).collect();
    let first = deepest(candidates, slack);
    let from_first = |k: usize| (points[k] - points[first]).length_squared();
    let second = greatest(points.len(), from_first);
    let mut chosen: Chosen = [first, second].into_iter().collect();
    if most > 2 {
        let line = points[second] - points[first];
        let third = greatest(points.len(), |k| {
            line.perp_dot(points[k] - points[first]).abs()
        });
        let triangle = [first, second, third].map(|k| points[k]);
        let fourth = greatest(points.len(), |k| added_area(triangle, points[k]));
        chosen.extend([third, fourth]);
    }
    chosen.sort_unstable();
    let mut last = None;
    chosen.retain(|k| last.replace(*k) != Some(*k));
    chosen
}

/// The first of the candidates that are deepest.
fn deepest(candidates: &[Candidate], slack: f64) -> usize {
    let distances = candidates.iter().map(|candidate| candidate.distance);
    let least = distances.fold(f64::INFINITY, f64::min);
    let is_deepest = |candidate: &Candidate| candidate.distance <= least + slack;
    candidates.iter().position(is_deepest).unwrap_or(0)
}

/// The first place at which a value is the greatest, or less by rounding.
fn greatest(count: usize, value: impl Fn(usize) -> f64) -> usize {
    let most = (0..count).map(&value).fold(0.0, f64::max);
    let enough = most * (1.0 - tolerances::MANIFOLD_TIE);
    (0..count).find(|&k| value(k) >= enough).unwrap_or(0)
}

/// Twice the area by which a point enlarges a triangle.
fn added_area(triangle: [DVec2; 3], point: DVec2) -> f64 {
    let [a, b, c] = triangle;
    let turn = (b - a).perp_dot(c - a).signum();
    let beyond = |from: DVec2, to: DVec2| turn * (point - from).perp_dot(to - from);
    [beyond(a, b), beyond(b, c), beyond(c, a)]
        .into_iter()
        .fold(0.0, f64::max)
}
