//! The bounds against the definitions of the shapes.

use clearance_gjk::{Separation, Status};
use clearance_math::PreciseVector;

use super::Case;
use super::gap::Gap;
use crate::body::apart;
use crate::dimension::Dimension;

/// How far the height along a direction can be off by rounding, relative to all that is added up.
const ROUNDING: f64 = 4e-14;
/// How far the planes across a normal in single precision may tilt, in radians.
const TILT: f64 = 4e-7;
/// How much worse than the lower bound the plane across the reported normal may be, relative to
/// the size of both shapes: twice the engine's own limit.
const NORMAL_SLACK: f64 = 2e-5;
/// How far the bounds of an answer that is not limited may lie apart, relative to the size.
const CONVERGED: f64 = 2e-6;
/// As above, for the depth of curved shapes.
const SMOOTH_DEPTH: f64 = 1e-4;
/// What is left between bounds by rounding them into single precision, relative to the distance.
const SINGLE: f64 = 4e-7;

/// How far the bounds of a closed form lie apart by rounding, relative to all that is added up.
const EXACT: f64 = 2e-13;
/// Where bounds begin to be infinite.
const LARGEST: f32 = 3.4e38;

pub(super) fn check_bounds<V: Dimension>(case: &Case<V>, answer: &Separation<V>) {
    if case.a.plane().is_some() || case.b.plane().is_some() {
        check_plane(case, answer);
        return;
    }
    let gap = Gap::new(&case.a, &case.b);
    let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
    let Some(normal) = answer.normal.to_precise().direction() else {
        panic!("no normal: {answer:?} {case:?}");
    };
    let slack = ROUNDING * gap.scale;
    let along = gap.along(normal);
    let greatest = gap.greatest(normal);
    assert!(
        upper >= greatest - slack,
        "a gap of {greatest:e} is above the upper bound: {answer:?} {case:?}"
    );
    if lower > 0.0 {
        let distance = gap.distance_of_two_points(normal);
        assert!(
            lower <= distance + slack,
            "points {distance:e} apart are below the lower bound: {answer:?} {case:?}"
        );
    }
    let is_smooth = case.a.form.is_smooth() || case.b.form.is_smooth();
    let off = if is_smooth && lower <= 0.0 {
        SMOOTH_DEPTH
    } else {
        NORMAL_SLACK
    };
    let tilt = TILT * gap.size + slack + SINGLE * lower.abs();
    assert!(
        along >= lower - off * gap.size - tilt,
        "the plane across the normal shows {along:e}: {answer:?} {case:?}"
    );
    check_width(case, answer, &gap);
}

/// The bounds are as near each other as the status says.
fn check_width<V: Dimension>(case: &Case<V>, answer: &Separation<V>, gap: &Gap<V>) {
    let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
    let is_smooth = case.a.form.is_smooth() || case.b.form.is_smooth();
    let relative = match answer.status {
        Status::Exact => 0.0,
        Status::Converged if is_smooth && lower <= 0.0 => SMOOTH_DEPTH,
        Status::Converged => CONVERGED,
        _ => return,
    };
    let least = f64::from(f32::MIN_POSITIVE);
    let distance = lower.abs().max(upper.abs());
    let share = if answer.status == Status::Exact {
        SINGLE
    } else {
        CONVERGED
    };
    let allowed = relative * gap.size + share * distance + EXACT * gap.scale + least;
    let width = width(answer);
    assert!(
        width <= allowed,
        "bounds {width:e} apart, {allowed:e} allowed: {answer:?} {case:?}"
    );
}

/// How far the bounds are apart; nothing where one may be beyond single precision, and infinite.
fn width<V: Dimension>(answer: &Separation<V>) -> f64 {
    if answer.distance.abs() >= LARGEST {
        return 0.0;
    }
    f64::from(answer.upper) - f64::from(answer.lower)
}

/// A half-space is measured along its own normal, exactly.
fn check_plane<V: Dimension>(case: &Case<V>, answer: &Separation<V>) {
    let Case { a, b, .. } = case;
    let (plane, other, sign) = match (a.plane(), b.plane()) {
        (Some(plane), _) => (plane, b, 1.0),
        (None, Some(plane)) => (plane, a, -1.0),
        (None, None) => return,
    };
    let (normal, offset) = plane;
    let from_plane = apart(a, b) * sign;
    let highest = match other.plane() {
        Some((opposite, offset)) => opposite * offset,
        None => other.support(-normal),
    };
    let distance = normal.dot(from_plane) + normal.dot(highest) - offset;
    let radius = other
        .plane()
        .map_or(other.form.bounding_radius(), |(_, offset)| offset);
    let slack = 1e-13 * (from_plane.length() + radius + offset) + f64::from(f32::MIN_POSITIVE);
    let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
    let holds = lower <= distance + slack && distance - slack <= upper;
    assert!(
        holds,
        "{distance:e} is not within the bounds: {answer:?} {case:?}"
    );
    let width = width(answer);
    assert!(
        width <= SINGLE * distance.abs() + slack,
        "bounds {width:e} apart: {answer:?} {case:?}"
    );
    let turned = (answer.normal.to_precise() - normal * sign).length();
    assert!(
        turned <= TILT,
        "not the normal of the half-space: {answer:?} {case:?}"
    );
}
