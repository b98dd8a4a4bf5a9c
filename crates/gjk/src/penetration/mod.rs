//! The depth of overlapping cores: the least translation that separates them.
//!
//! With h(n) the support function of the difference a - b, which holds the origin, the depth is
//! the minimum of h over unit vectors n. Every n gives an upper bound by one evaluation; a polytope
//! inside the difference gives the lower bound: its face nearest the origin.

mod plane;
mod polygon;
mod polytope;
mod space;
mod sweep;

use clearance_math::{PreciseVector, tolerances};
use clearance_shapes::Support;

use crate::answer::Status;
use crate::difference::{Difference, Vertex};
use crate::distance::{Goal, Overlap, Search, search};
use crate::measured::Measured;

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
pub(crate) fn penetration<P, A, B>(
    difference: &Difference<'_, P, A, B>,
    overlap: &Overlap<P>,
    gap: f64,
) -> Measured<P>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    let gap = gap * difference.size() + 2.0 * difference.rounding();
    let depth = if P::DIM == 2 {
        plane::expand(difference, &overlap.simplex, gap)
    } else {
        space::expand(difference, &overlap.simplex, gap)
    };
    finish(difference, depth, (gap, || overlap.upper()))
}

/// Completes a depth: improves it where the bounds are still apart, finds witness points where
/// they are missing, and accounts for rounding.
///
/// `upper` bounds the signed distance where the depth has no lower bound above zero: then the
/// shapes but touch. A negative height shows that they are apart by a hair: then the witness
/// points bound it.
pub(crate) fn finish<P, A, B>(
    difference: &Difference<'_, P, A, B>,
    depth: Depth<P>,
    (gap, upper): (f64, impl FnOnce() -> f64),
) -> Measured<P>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
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
    let rounding = difference.rounding();
    let leave = depth.normal * depth.height;
    let (on_a, mut on_b) = depth.witnesses.unwrap_or_else(|| {
        let on_a = difference.support(depth.normal).on_a;
        (on_a, on_a - leave)
    });
    let lower = -depth.height - rounding;
    let upper = if depth.lower > 0.0 {
        rounding - depth.lower.min(depth.height)
    } else {
        let apart = (on_a - on_b).length() + rounding;
        let known = match depth.witnesses {
            Some(_) if depth.height < 0.0 => apart,
            Some(_) => upper().min(apart),
            None => upper(),
        };
        known.max(lower)
    };
    let beside = tolerances::WITNESS_OFFSET * difference.size();
    if (on_a - on_b - leave).length() > beside {
        on_b = on_a - leave;
    }
    Measured {
        distance: -depth.height,
        lower,
        upper,
        normal: depth.normal,
        on_a,
        on_b,
        status: if upper - lower <= gap + tolerances::CONVERGED_NEAR * difference.size() {
            Status::Converged
        } else {
            Status::Limited
        },
    }
}

/// The depth across a flat difference: the lower of its two heights, nought up to rounding.
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
fn refined<P, A, B>(difference: &Difference<'_, P, A, B>, mut depth: Depth<P>) -> Depth<P>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    let clear = tolerances::CLEARANCE_TO_REFINE * difference.size() + 4.0 * difference.rounding();
    let beside = tolerances::WITNESS_OFFSET * difference.size();
    for _ in 0..REFINEMENT_LIMIT {
        let offset = depth.normal * (depth.height + clear);
        let moved = difference.with_b_moved(offset);
        let Search::Separated(found) = search(&moved, Goal::closest_point(), &mut ()) else {
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
