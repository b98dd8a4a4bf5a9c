//! What is known of a signed distance without the engine, in double precision.

use clearance_math::{Matrix, PreciseVector, Rotation, Vector};

use super::kind::Space;
use super::sampling::directions;
use super::solid::{Pair, Solid};
use super::wolfe::{self, Nearest};

/// What double precision may leave of a vertex, relative to the scale of the pair.
pub(crate) const ROUNDING: f64 = 1e-14;

/// What the search for the direction of least overlap may leave, relative to the scale: a direction
/// to a nearest point is off by rounding over the distance, and that times the scale.
const OVERLAP_ROUNDING: f64 = 1e-12;

/// The most times that a direction of least overlap is improved.
const IMPROVEMENT_LIMIT: usize = 32;

/// How many directions of least overlap are improved, none like another.
const VALLEYS: usize = 6;

/// A signed distance from both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    /// A gap along some direction: the signed distance is not below it.
    pub(crate) at_least: f64,
    /// The length between two points of the shapes: the signed distance is not above it. Of an
    /// overlap, the least that was found, which is no proof.
    pub(crate) at_most: f64,
}

impl Truth {
    /// Looks along `count` directions, and along and around the hints, for the least overlap; once
    /// more and harder where it was not found to be as little as `expected`.
    pub(crate) fn of<V: Space>(
        pair: &Pair<V>,
        (count, expected): (usize, f64),
        hints: &[V::Precise],
    ) -> Self {
        if let Some(normal) = pair.plane_normal() {
            let gap = pair.gap(normal);
            return Self {
                at_least: gap,
                at_most: gap,
            };
        }
        let rounding = ROUNDING * pair.scale();
        let cores = nearest::<V::Precise>(|unit| pair.core_vertex(unit), pair.apart(), rounding);
        let hinted = hints.iter().map(|hint| pair.gap(*hint));
        let at_least = hinted.fold(cores.low - pair.radii(), f64::max);
        if at_least > 0.0 {
            return Self {
                at_least,
                at_most: cores.high - pair.radii(),
            };
        }
        let rounding = OVERLAP_ROUNDING * pair.scale();
        let mut at_least = at_least.max(least_overlap(pair, (count, improved), hints));
        if at_least + rounding < expected {
            let harder = least_overlap(pair, (4 * count, improved_by_leaps), hints);
            at_least = at_least.max(harder);
        }
        Self {
            at_least,
            at_most: at_least + rounding,
        }
    }
}

/// How far a point of the world is from a bounded solid: not above this, and zero up to rounding
/// where the solid holds it.
pub(crate) fn distance_to<V: Space>(solid: &Solid<V>, point: V::Precise) -> f64 {
    let from = solid.translation() - point;
    let scale = solid.recipe.reach() + from.length();
    let vertex = |unit: V::Precise| from + solid.turned_core_support(-unit);
    let to_core = nearest::<V::Precise>(vertex, from, ROUNDING * scale).high;
    let turn = solid.pose.rotation.matrix();
    let to_core = to_core.min(solid.recipe.off_core(turn.apply_transposed(-from)));
    (to_core - solid.recipe.radius()).max(0.0)
}

/// A way to go from a direction to one near it with a greater gap, which it returns.
type Improve<V> = fn(&Pair<V>, <V as Vector>::Precise) -> f64;

/// The greatest gap found along directions all around, those given, and those near the best of them.
fn least_overlap<V: Space>(
    pair: &Pair<V>,
    (count, improved): (usize, Improve<V>),
    hints: &[V::Precise],
) -> f64 {
    let everywhere = directions(count).chain(pair.axes());
    let mut found: Vec<(f64, V::Precise)> = everywhere
        .chain(hints.iter().copied())
        .map(|unit| (pair.gap(unit), unit))
        .collect();
    found.sort_by(|(x, _), (y, _)| y.total_cmp(x));
    let mut starts = hints.to_vec();
    for (_, unit) in &found {
        if starts.len() < VALLEYS && starts.iter().all(|start| start.dot(*unit) < 0.99) {
            starts.push(*unit);
        }
    }
    let improved = starts.into_iter().map(|start| improved(pair, start));
    improved.fold(found[0].0, f64::max)
}

/// Moves b out along the direction and looks back: the direction to the nearest point has a gap that
/// is no less, and the same gap only where it is locally the greatest.
fn look_back<V: Space>(pair: &Pair<V>, unit: V::Precise) -> (f64, V::Precise) {
    let reaches = pair.a.recipe.reach() + pair.b.recipe.reach();
    let out = unit * (0.01 * reaches - pair.gap(unit));
    let moved = |unit: V::Precise| pair.vertex(unit) + out;
    let found = nearest(moved, unit, ROUNDING * (pair.scale() + out.length()));
    let normal = V::Precise::from_space(found.normal);
    (pair.gap(normal), normal)
}

/// Looks back until nothing is gained.
fn improved<V: Space>(pair: &Pair<V>, unit: V::Precise) -> f64 {
    let mut best = (pair.gap(unit), unit);
    for _ in 0..IMPROVEMENT_LIMIT {
        let next = look_back(pair, best.1);
        if !(next.0 > best.0) {
            break;
        }
        best = next;
    }
    best.0
}

/// [`improved`] with leaps: in the valleys of round shapes looking back turns the direction by ever so
/// little, and so it is turned by powers of two of that as well.
fn improved_by_leaps<V: Space>(pair: &Pair<V>, unit: V::Precise) -> f64 {
    let mut best = (pair.gap(unit), unit);
    for _ in 0..IMPROVEMENT_LIMIT {
        let from = best;
        let next = look_back(pair, from.1);
        let turn = next.1 - from.1;
        let leaps = (1..16).filter_map(|k| (from.1 + turn * f64::from(1 << k)).direction());
        let leaps = leaps.map(|leap| look_back(pair, leap));
        for candidate in core::iter::once(next).chain(leaps) {
            if candidate.0 > best.0 {
                best = candidate;
            }
        }
        if !(best.0 > from.0) {
            break;
        }
    }
    best.0
}

/// The point nearest the origin of a set that is known by its lowest vertex along each unit vector.
fn nearest<P: PreciseVector>(vertex: impl Fn(P) -> P, start: P, rounding: f64) -> Nearest {
    let lowest = |unit| vertex(P::from_space(unit)).in_space();
    wolfe::nearest(lowest, start.in_space(), [rounding; 2])
}
