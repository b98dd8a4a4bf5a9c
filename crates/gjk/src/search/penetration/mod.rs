//! The penetration depth of overlapping cores: the length of the shortest translation that separates
//! them.
//!
//! Let h(n) be the height of the Minkowski difference a - b along the unit vector n: the scalar product
//! of its support point and n. The difference contains the origin, and the depth is the minimum of h
//! over all n. Each n gives an upper bound of the depth. A polytope inside the difference gives a lower
//! bound: the distance of its face nearest to the origin.

mod compass_search;
mod corner_search;
mod face_planes;
mod mask_tables;
mod plane;
mod polygon;
mod polytope;
mod space;

use clearance_math::{PreciseVector, greater_of, lesser_of, tolerances};

use crate::answer::{ALIKE, Measured, Outcome, Status};
use crate::search::{Expansion, Goal, Minkowski, Overlap, SearchResult, Vertex, search_in};

/// The most iterations in which [`refined`] improves a depth.
const REFINEMENT_LIMIT: usize = 16;

/// Depth, direction and witness points of an overlap, in the frame of a.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth<P> {
    /// The height of the difference along `normal`: an upper bound of the depth.
    pub(crate) height: f64,
    /// A lower bound of the depth.
    pub(crate) lower: f64,
    /// The unit direction in which b has to be moved.
    pub(crate) normal: P,
    /// A point of a and one of b whose difference is `height * normal`, if such points are known.
    pub(crate) witnesses: Option<(P, P)>,
}

/// When the search for a depth may stop.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// How far apart the bounds may be.
    gap: f64,
    /// The rounding error of a support point.
    rounding: f64,
    /// The search ends where the depth is proven to be less than this. It allows for `gap`, by which a
    /// reported depth may exceed the least height that was seen.
    of_interest: f64,
}

impl Limits {
    /// `gap` is how far apart the bounds may be, relative to the size of the difference. Signed distances
    /// of more than `within` are of no interest.
    fn new<P: PreciseVector>(difference: &impl Minkowski<P>, within: f64, gap: f64) -> Self {
        let gap = gap * difference.size() + 2.0 * difference.rounding();
        Self {
            gap,
            rounding: difference.rounding(),
            of_interest: -within - difference.rounding() - gap,
        }
    }
}

impl<P> Depth<P> {
    /// A depth along a direction, without points.
    pub(crate) fn along(normal: P, [lower, height]: [f64; 2]) -> Self {
        Self {
            height,
            lower,
            normal,
            witnesses: None,
        }
    }

    /// The depth with each of its vectors converted.
    pub(crate) fn map<Q>(self, convert: impl Fn(P) -> Q) -> Depth<Q> {
        Depth {
            height: self.height,
            lower: self.lower,
            normal: convert(self.normal),
            witnesses: (self.witnesses).map(|(on_a, on_b)| (convert(on_a), convert(on_b))),
        }
    }

    /// The lower and the upper bound of the depth as a trace shows them: with rounding errors, and not below zero.
    fn bounds(&self, rounding: f64) -> [f64; 2] {
        let upper = (self.height + rounding).max(0.0);
        [(self.lower - rounding).clamp(0.0, upper), upper]
    }
}

/// The signed distance of cores that GJK could not separate.
///
/// `gap` is how far apart the bounds may be, relative to the size of the difference. The search stops
/// when the signed distance is proven to be more than `within`.
pub(crate) fn penetration<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    overlap: &Overlap<P>,
    within: f64,
    gap: f64,
) -> Outcome<P> {
    let limits = Limits::new(difference, within, gap);
    let depth = expand(difference, overlap, limits, &mut None);
    if depth.height < limits.of_interest {
        return Outcome::Farther {
            lower: -depth.height - limits.rounding,
        };
    }
    Outcome::Near(finish(difference, depth, limits.gap, Some(overlap)))
}

/// The steps of the expanding polytope in the search for a depth: see [`penetration`].
pub(crate) fn expansions<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    overlap: &Overlap<P>,
    gap: f64,
) -> Vec<Expansion<P>> {
    let mut steps = Some(Vec::new());
    let limits = Limits::new(difference, f64::INFINITY, gap);
    expand(difference, overlap, limits, &mut steps);
    steps.unwrap_or_default()
}

/// Finds the depth by the expanding polytope algorithm.
fn expand<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    overlap: &Overlap<P>,
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<P> {
    if const { P::DIM == 2 } {
        plane::expand(difference, &overlap.simplex, limits, steps)
    } else {
        space::expand(difference, &overlap.simplex, limits, steps)
    }
}

/// Turns a depth into a signed distance: improves it if the bounds are more than `gap` apart, finds
/// witness points if they are missing, and includes rounding errors in the bounds.
///
/// `overlap` is the result of the GJK search, if there was one. It is needed if the depth is not proven
/// to be greater than zero, so that the shapes may only touch: the distance between its points is an
/// upper bound of the signed distance. If the height is negative, the shapes are slightly apart, and
/// the distance between the witness points is the upper bound.
pub(crate) fn finish<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    depth: Depth<P>,
    gap: f64,
    overlap: Option<&Overlap<P>>,
) -> Measured<P> {
    let is_open = depth.height - depth.lower > gap;
    // If the shapes are not proven to overlap, they may only touch, and an error as large as `gap`
    // is too much for that.
    let is_doubtful =
        !(depth.lower > 0.0) && depth.height > tolerances::CONVERGED_NEAR * difference.size();
    let depth = if is_open {
        refined(difference, compass_search::improved(difference, depth))
    } else if depth.witnesses.is_none() || is_doubtful {
        refined(difference, depth)
    } else {
        depth
    };
    let (on_a, on_b) = witness_points(difference, &depth, overlap);
    let lower = -depth.height - difference.rounding();
    let upper = greater_of(upper_bound(&depth, overlap, difference.rounding()), lower);
    // The shapes are slightly apart after all, so the bounds must be as tight as for separated
    // shapes.
    let gap = if depth.height < 0.0 { 0.0 } else { gap };
    let allowed = gap + tolerances::CONVERGED_NEAR * difference.size();
    Measured {
        // A support mapping that contradicts itself may have the height above the upper bound. Which of two zeros
        // is the lesser depends on the processor; the sum with zero is positive.
        distance: lesser_of(-depth.height, upper) + 0.0,
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
    .with_points_along_normal(difference.extent().sizes)
}

/// The witness points of the depth, or else those of the GJK search, if their difference is the
/// translation that separates the shapes. If neither is, a point of a, or of b if that is much smaller,
/// and that point moved by the translation.
fn witness_points<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    depth: &Depth<P>,
    overlap: Option<&Overlap<P>>,
) -> (P, P) {
    let translation = depth.normal * depth.height;
    let allowed = tolerances::WITNESS_OFFSET * difference.size();
    let is_translation = |&(on_a, on_b): &(P, P)| (on_a - on_b - translation).length() <= allowed;
    let of_search = || overlap.map(|overlap| overlap.simplex.witness_points());
    let of_depth = depth.witnesses.filter(is_translation);
    of_depth
        .or_else(|| of_search().filter(is_translation))
        .unwrap_or_else(|| {
            let known = depth.witnesses.unwrap_or_else(|| {
                let farthest = difference.support(depth.normal);
                (farthest.on_a, farthest.on_b)
            });
            let [size_a, size_b] = difference.extent().sizes;
            if size_a <= ALIKE * size_b {
                (known.0, known.0 - translation)
            } else {
                (known.1 + translation, known.1)
            }
        })
}

/// An upper bound of the signed distance: minus the lower bound of the depth, or, if that is not above
/// zero, the distance between a point of a and a point of b.
fn upper_bound<P: PreciseVector>(
    depth: &Depth<P>,
    overlap: Option<&Overlap<P>>,
    rounding: f64,
) -> f64 {
    if depth.lower > 0.0 {
        return rounding - lesser_of(depth.lower, depth.height);
    }
    let of_overlap = overlap.map_or(rounding, Overlap::upper);
    match depth
        .witnesses
        .map(|(on_a, on_b)| (on_a - on_b).length() + rounding)
    {
        Some(apart) if depth.height < 0.0 => apart,
        Some(apart) => of_overlap.min(apart),
        None => of_overlap,
    }
}

/// The depth of a flat difference, which is zero up to rounding: the lesser of the heights along the
/// normal and its opposite.
fn flat<P: PreciseVector>(support: &dyn Fn(P) -> Vertex<P>, normal: P) -> Depth<P> {
    let height = |n: P| support(n).point.dot(n);
    let (ahead, behind) = (height(normal), height(-normal));
    let (normal, height) = if behind < ahead {
        (-normal, behind)
    } else {
        (normal, ahead)
    };
    Depth::along(normal, [height.min(0.0), height])
}

/// Improves a depth by moving b along the normal until it is separated from a, and measuring the
/// distance there by GJK.
///
/// Let h be the height along n. The point p = (h + d) n lies outside of the difference. Let y be the
/// nearest point of the difference; the normal there is n' = (p - y) / |p - y|, and the height along n'
/// is n' . y. If n is a local minimum of the height, then y = h n and n' = n; otherwise the height along
/// n' is less than h. So each iteration either improves the depth or proves that it is a local minimum,
/// and y is the difference of the witness points.
///
/// If the boundary has the radius of curvature r, each iteration multiplies the angle to the minimum by
/// (h + d) / (r + d). That is why d is small, but far above rounding errors.
fn refined<P: PreciseVector>(difference: &impl Minkowski<P>, mut depth: Depth<P>) -> Depth<P> {
    let clearance =
        tolerances::CLEARANCE_TO_REFINE * difference.size() + 4.0 * difference.rounding();
    let allowed = tolerances::WITNESS_OFFSET * difference.size();
    for _ in 0..REFINEMENT_LIMIT {
        let offset = depth.normal * (depth.height + clearance);
        let moved = difference.with_b_moved(offset);
        let SearchResult::Separated(found) = search_in(&moved, Goal::closest_point()) else {
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
        let witness_error = (on_a - on_b - normal * height).length();
        if witness_error <= allowed || !is_lower {
            return depth;
        }
    }
    depth
}
