//! GJK, and the expanding polytope where it finds an overlap: answers every pair of convex sets.

use clearance_math::{PreciseVector, tolerances};
use clearance_shapes::Support;

use crate::answer::Status;
use crate::difference::{Difference, Minkowski};
use crate::distance::{Found, Goal, Search, search_in};
use crate::measured::{Measured, Outcome};
use crate::penetration::penetration;

/// Signed distance and witness points of any two sets with a support mapping, in a's frame.
///
/// The search stops where they are proven to be farther apart than `within`. For overlapping sets
/// `depth_gap` says how near the bounds of the depth must come, relative to the size of the
/// difference: see [`clearance_math::tolerances::POLYTOPE_DEPTH_GAP`] and
/// [`clearance_math::tolerances::SMOOTH_DEPTH_GAP`]. The way to measure shapes of your own.
pub fn measure_difference<P, A, B>(
    difference: &Difference<'_, P, A, B>,
    within: f64,
    depth_gap: f64,
) -> Outcome<P>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    measure_in(difference, within, depth_gap)
}

/// [`measure_difference`] of whatever knows its farthest vertices.
pub(crate) fn measure_in<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    within: f64,
    depth_gap: f64,
) -> Outcome<P> {
    match search_in(difference, Goal::distance_within(within), &mut ()) {
        Search::Farther { lower } => Outcome::Farther { lower },
        Search::Separated(found) => Outcome::Near(separated(difference, &found)),
        Search::Overlapping(overlap) => Outcome::Near(penetration(difference, &overlap, depth_gap)),
    }
}

/// The distance of cores that are apart.
///
/// The normal is that of the plane that proves most, unless the line between the points leans from it by more
/// than an answer may: then it is the line, for the points are on the shapes and have to stay there.
fn separated<P: PreciseVector>(difference: &impl Minkowski<P>, found: &Found<P>) -> Measured<P> {
    let (on_a, on_b) = found.witness_points;
    let line = on_b - on_a;
    let length = line.length();
    let beside = (line - found.normal * length).length();
    let is_along = beside <= tolerances::POINTS_BESIDE_NORMAL * difference.size();
    Measured {
        distance: length.clamp(found.lower, found.upper),
        lower: found.lower,
        upper: found.upper,
        normal: if is_along {
            found.normal
        } else {
            line / length
        },
        on_a,
        on_b,
        status: if found.converged {
            Status::Converged
        } else {
            Status::IterationLimit
        },
    }
}
