//! GJK, followed by the expanding polytope algorithm where the sets overlap. Together they measure
//! any pair of convex sets.

use clearance_math::{PreciseVector, tolerances};
use clearance_shapes::Support;

use super::difference::{Difference, Minkowski};
use super::distance::{Goal, SearchResult, SeparatedCores, search_in};
use super::penetration::penetration;
use crate::answer::{Measured, Outcome, Status};

/// Measures the signed distance and the witness points of any two convex sets with a support
/// mapping, in a's frame. Use it for convex shapes of your own.
///
/// The search stops when the sets are proven to be farther apart than `within`. For overlapping
/// sets it stops when the gap between the bounds of the depth is at most `depth_gap`, relative to
/// the size of the Minkowski difference: see [`clearance_math::tolerances::POLYTOPE_DEPTH_GAP`] and
/// [`clearance_math::tolerances::SMOOTH_DEPTH_GAP`].
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

/// Implements [`measure_difference`] for any Minkowski difference with a support mapping.
pub(crate) fn measure_in<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    within: f64,
    depth_gap: f64,
) -> Outcome<P> {
    // By reference, because an overlap has 42 numbers to copy.
    match &search_in(difference, Goal::distance_within(within)) {
        SearchResult::Farther { lower } => Outcome::Farther { lower: *lower },
        SearchResult::Separated(found) => Outcome::Near(separated(difference, found)),
        SearchResult::Overlapping(overlap) => penetration(difference, overlap, within, depth_gap),
    }
}

/// The result for two separated cores.
///
/// The reported normal is that of the plane that proves the greatest lower bound, unless it differs
/// from the direction between the witness points by more than an answer may. In that case it is
/// that direction, because the points must stay on the shapes.
fn separated<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    found: &SeparatedCores<P>,
) -> Measured<P> {
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
