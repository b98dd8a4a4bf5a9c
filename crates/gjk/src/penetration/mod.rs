//! The depth of overlapping cores: the least translation that separates them.
//!
//! With h(n) the support function of the difference a - b, which holds the origin, the depth is
//! the minimum of h over unit vectors n. Every n gives an upper bound by one evaluation; a polytope
//! inside the difference gives the lower bound: its face nearest the origin.

mod masks;
mod plane;
mod polygon;
mod polytope;
mod space;
mod sweep;
mod triangle;

use clearance_math::{PreciseVector, tolerances};

use crate::answer::Status;
use crate::difference::Minkowski;
use crate::distance::{Goal, Overlap, Search, search_in};
use crate::measured::Measured;
use crate::vertex::Vertex;

/// The most times that a depth is improved by a search from outside.
const REFINEMENT_LIMIT: usize = 16;

/// Depth, direction and witness points of an overlap, in a's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth<P> {
    /// h(normal): the depth is not above this.
    pub(crate) height: f64,
    /// The depth is not below this.
    pub(crate) lower: f64,
    /// The unit direction in which b leaves a.
    pub(crate) normal: P,
    /// The points of a and b whose difference is `height * normal`, where they are known.
    pub(crate) witnesses: Option<(P, P)>,
}

/// The signed distance of cores that GJK could not separate.
///
/// `gap` is how far the bounds may stay apart, relative to the size of the difference.
pub(crate) fn penetration<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    overlap: &Overlap<P>,
    gap: f64,
) -> Measured<P> {
    let gap = gap * difference.size() + 2.0 * difference.rounding();
    let depth = if P::DIM == 2 {
        plane::expand(difference, &overlap.simplex, gap)
    } else {
        space::expand(difference, &overlap.simplex, gap)
    };
    finish(difference, depth, (gap, Some(overlap)))
}

/// Completes a depth: improves it where the bounds are still apart, finds witness points where
/// they are missing, and accounts for rounding.
///
/// `overlap` is what the search ended with, if there was one. Where the depth has no lower bound above
/// zero, the shapes but touch, and its points bound the signed distance. A negative height shows
/// that they are apart by a hair: then the witness points do.
pub(crate) fn finish<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    depth: Depth<P>,
    (gap, overlap): (f64, Option<&Overlap<P>>),
) -> Measured<P> {
    let is_open = depth.height - depth.lower > gap;
    // Not proven to overlap at all: what the gap allows a depth is too much for a touch.
    let is_doubtful =
        !(depth.lower > 0.0) && depth.height > tolerances::CONVERGED_NEAR * difference.size();
    let depth = if is_open {
        refined(difference, sweep::lowered(difference, depth))
    } else if depth.witnesses.is_none() || is_doubtful {
        refined(difference, depth)
    } else {
        depth
    };
    let (on_a, on_b) = witness_points(difference, &depth, overlap);
    let lower = -depth.height - difference.rounding();
    let upper = upper_bound(&depth, overlap, difference.rounding()).max(lower);
    // Apart by a hair after all: then the bounds must be as near as those of shapes apart.
    let gap = if depth.height < 0.0 { 0.0 } else { gap };
    let allowed = gap + tolerances::CONVERGED_NEAR * difference.size();
    Measured {
        distance: -depth.height,
        lower,
        upper,
        normal: depth.normal,
        on_a,
        on_b,
        status: if upper - lower <= allowed {
            Status::Converged
        } else {
            Status::IterationLimit
        },
    }
    .with_points_along_normal(difference.size())
}

/// The witness points of the depth, or those that the search ended with, if their difference is the
/// way out; else a point of a and where it comes from.
fn witness_points<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    depth: &Depth<P>,
    overlap: Option<&Overlap<P>>,
) -> (P, P) {
    let leave = depth.normal * depth.height;
    let beside = tolerances::WITNESS_OFFSET * difference.size();
    let is_way_out = |&(on_a, on_b): &(P, P)| (on_a - on_b - leave).length() <= beside;
    let of_search = || overlap.map(|overlap| overlap.simplex.witness_points());
    let of_depth = depth.witnesses.filter(is_way_out);
    of_depth
        .or_else(|| of_search().filter(is_way_out))
        .unwrap_or_else(|| {
            let on_a = depth
                .witnesses
                .map_or_else(|| difference.support(depth.normal).on_a, |(on_a, _)| on_a);
            (on_a, on_a - leave)
        })
}

/// The signed distance is not above this: minus the proven depth, or the length between two points of
/// the shapes where there is none.
fn upper_bound<P: PreciseVector>(
    depth: &Depth<P>,
    overlap: Option<&Overlap<P>>,
    rounding: f64,
) -> f64 {
    if depth.lower > 0.0 {
        return rounding - depth.lower.min(depth.height);
    }
    let of_overlap = overlap.map_or(0.0, Overlap::upper);
    match depth
        .witnesses
        .map(|(on_a, on_b)| (on_a - on_b).length() + rounding)
    {
        Some(apart) if depth.height < 0.0 => apart,
        Some(apart) => of_overlap.min(apart),
        None => of_overlap,
    }
}

/// The depth across a flat difference: the lower of its two heights, zero up to rounding.
fn flat<P: PreciseVector>(support: &impl Fn(P) -> Vertex<P>, normal: P) -> Depth<P> {
    let height = |n: P| support(n).point.dot(n);
    let (ahead, behind) = (height(normal), height(-normal));
    let (normal, height) = if behind < ahead {
        (-normal, behind)
    } else {
        (normal, ahead)
    };
    Depth {
        height,
        lower: height.min(0.0),
        normal,
        witnesses: None,
    }
}

/// Moves b out along the normal until it is clear of a, and looks back at the nearest point.
///
/// For n with height h, the point p = (h + d) n lies outside the difference, and the nearest point
/// y of the difference has the outward normal n' = (p - y) / |p - y| with h(n') = n' . y. If n is
/// a local minimum of h then y = h n and n' = n; otherwise h(n') < h(n). So each round improves
/// the depth or proves that it is locally least, and y is the difference of the witness points.
/// Where the boundary has the radius of curvature r, the angle to the minimum shrinks by the factor
/// (h + d) / (r + d): d is small, but far above rounding.
fn refined<P: PreciseVector>(difference: &impl Minkowski<P>, mut depth: Depth<P>) -> Depth<P> {
    let clear = tolerances::CLEARANCE_TO_REFINE * difference.size() + 4.0 * difference.rounding();
    let beside = tolerances::WITNESS_OFFSET * difference.size();
    for _ in 0..REFINEMENT_LIMIT {
        let offset = depth.normal * (depth.height + clear);
        let moved = difference.with_b_moved(offset);
        let Search::Separated(found) = search_in(&moved, Goal::closest_point(), &mut ()) else {
            return depth;
        };
        let (on_a, on_b_moved) = found.witness_points;
        let on_b = on_b_moved - offset;
        let normal = found.normal;
        let height = normal.dot(difference.support(normal).point);
        let is_lower = height < depth.height;
        if is_lower {
            depth.height = height;
            depth.normal = normal;
        }
        if is_lower || depth.witnesses.is_none() {
            depth.witnesses = Some((on_a, on_b));
        }
        let astray = (on_a - on_b - normal * height).length();
        if astray <= beside || !is_lower {
            return depth;
        }
    }
    depth
}
