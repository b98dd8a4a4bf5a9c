//! The choice of the few points of a manifold among all candidates.

use arrayvec::ArrayVec;
use clearance_math::{DVec2, tolerances};

use super::MOST_POINTS;
use super::candidates::{Candidate, Candidates};
use super::clip::MOST_COMMON;

/// The places of the chosen candidates in their list, in ascending order.
pub(super) type Chosen = ArrayVec<usize, MOST_POINTS>;

/// Chooses at most `most` candidates: the deepest, the one farthest from it, the one farthest from the line between
/// them, and the one that adds the most area. If there are no more than that, all are kept.
///
/// The candidates come sorted by their features, and one that is ahead by rounding only is not preferred to an earlier
/// one.
pub(super) fn choose(candidates: &Candidates, most: usize, slack: f64) -> Chosen {
    if candidates.len() <= most {
        let mut all = Chosen::new();
        for k in 0..candidates.len() {
            all.push(k);
        }
        return all;
    }
    let first = deepest(candidates, slack);
    let start = candidates[first].at;
    let second = greatest(candidates, |point| (point - start).length_squared());
    let mut chosen = Chosen::new();
    chosen.push(first);
    chosen.push(second);
    if most > 2 {
        let line = candidates[second].at - start;
        let third = greatest(candidates, |point| line.perp_dot(point - start).abs());
        let triangle = [first, second, third].map(|k| candidates[k].at);
        let fourth = greatest(candidates, |point| added_area(triangle, point));
        chosen.push(third);
        chosen.push(fourth);
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

/// The first candidate for whose place a value is the greatest, or less by rounding.
fn greatest(candidates: &[Candidate], value: impl Fn(DVec2) -> f64) -> usize {
    let mut values: ArrayVec<f64, MOST_COMMON> = ArrayVec::new();
    let mut most: f64 = 0.0;
    for candidate in candidates {
        let of_this = value(candidate.at);
        most = most.max(of_this);
        values.push(of_this);
    }
    let enough = most * (1.0 - tolerances::MANIFOLD_TIE);
    let is_enough = |&of_this: &f64| of_this >= enough;
    values.iter().position(is_enough).unwrap_or(0)
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
