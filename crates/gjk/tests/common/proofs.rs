//! What an answer promises, checked without the engine: one function for each contract.

use clearance_gjk::Separation;
use clearance_math::{PreciseVector, Real, Vector, tolerances};

use super::kind::Space;
use super::solid::{Pair, Solid};
use super::truth::{ROUNDING, Truth, distance_to};

/// Which promise was broken, and how.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) String);

/// Fails with what was seen unless the promise was kept.
pub(crate) fn ensure(kept: bool, seen: impl FnOnce() -> String) -> Result<(), Fault> {
    if kept { Ok(()) } else { Err(Fault(seen())) }
}

/// Panics unless the promise was kept.
pub(crate) fn kept(outcome: Result<(), Fault>, context: impl FnOnce() -> String) {
    if let Err(fault) = outcome {
        panic!("{} of {}", fault.0, context());
    }
}

/// How far a unit vector in single precision may be from the one that was rounded: half a last
/// place of one in each component, and as much again when its length is made one.
const TILT: f64 = 1.1e-7;

/// How far rounding moves a component of a point, relative to the point.
const POINT_ROUNDING: f64 = 0.5 * Real::EPSILON as f64;

/// Finite numbers, bounds in order, and a normal of unit length.
pub(crate) fn soundness<V: Vector>(answer: &Separation<V>) -> Result<(), Fault> {
    let numbers = [answer.lower, answer.distance, answer.upper];
    ensure(numbers.iter().all(|number| number.is_finite()), || {
        format!("not finite: {answer:?}")
    })?;
    let points = [answer.point_a(), answer.point_b(), answer.normal];
    ensure(points.iter().all(|point| point.is_finite()), || {
        format!("not finite: {answer:?}")
    })?;
    ensure(numbers.is_sorted(), || {
        format!("bounds not in order: {answer:?}")
    })?;
    let length = answer.normal.to_precise().length();
    ensure((length - 1.0).abs() <= TILT, || {
        format!("a normal of length {length}: {answer:?}")
    })
}

/// `intersects` says what the bounds decide.
pub(crate) fn agreement<V: Vector>(answer: &Separation<V>, touch: bool) -> Result<(), Fault> {
    ensure(answer.lower <= 0.0 || !touch, || {
        format!("intersects, but are apart: {answer:?}")
    })?;
    ensure(answer.upper > 0.0 || touch, || {
        format!("does not intersect, but overlap: {answer:?}")
    })
}

/// The lower bound is not above and the upper bound not below the signed distance; of an overlap,
/// not below any gap along `count` directions and around the best of them.
pub(crate) fn bounds<V: Space>(
    pair: &Pair<V>,
    answer: &Separation<V>,
    count: usize,
) -> Result<(), Fault> {
    let search = (count, f64::from(answer.lower));
    let truth = Truth::of(pair, search, &[normal(answer)]);
    let rounding = ROUNDING * pair.scale();
    ensure(f64::from(answer.lower) <= truth.at_most + rounding, || {
        format!("lower bound above the truth: {truth:?} {answer:?}")
    })?;
    ensure(f64::from(answer.upper) >= truth.at_least - rounding, || {
        format!("upper bound below the truth: {truth:?} {answer:?}")
    })
}

/// Apart: both points lie on their shapes, and the length between them keeps the bounds.
pub(crate) fn upper_by_points<V: Space>(
    pair: &Pair<V>,
    answer: &Separation<V>,
) -> Result<(), Fault> {
    let normal = normal(answer);
    let (on_a, on_b) = (answer.position_a, answer.position_b);
    let rounding = |point: V::Precise| {
        POINT_ROUNDING * point.length() + 4.0 * ROUNDING * (pair.scale() + point.length())
    };
    for (solid, point, outward) in [(&pair.a, on_a, normal), (&pair.b, on_b, -normal)] {
        let off = off_the_shape(solid, point);
        ensure(off <= rounding(point), || {
            format!("{point:?} is {off:e} off its shape: {answer:?}")
        })?;
        let farthest = solid.translation() - point + solid.turned_support(outward);
        let below = outward.dot(farthest);
        ensure(below <= rounding(point) + slack(pair), || {
            format!("{point:?} is {below:e} below the surface: {answer:?}")
        })?;
    }
    let rounding = rounding(on_a) + rounding(on_b);
    let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
    let apart = (on_b - on_a).length();
    ensure(apart >= lower - rounding, || {
        format!("only {apart:e} between the points: {answer:?}")
    })?;
    ensure(apart <= upper + rounding, || {
        format!("{apart:e} between the points: {answer:?}")
    })
}

/// How far a point is from a shape, whose own boundary counts for a half-space.
fn off_the_shape<V: Space>(solid: &Solid<V>, point: V::Precise) -> f64 {
    match solid.plane_normal() {
        Some(normal) => {
            let foot = solid.translation() + solid.turned_support(normal);
            normal.dot(point - foot).abs()
        }
        None => distance_to(solid, point),
    }
}

/// How far from `distance * normal` the way between the witness points may be, relative to the size of
/// the pair.
const BESIDE_THE_NORMAL: f64 = 1e-6;

/// How far off their shapes, or below their surfaces, the witness points of an overlap may be, relative to
/// the size of the pair.
const OFF_THE_SHAPE: f64 = 1e-4;

/// The witness points are apart by the distance along the normal, up to rounding and little more.
pub(crate) fn points_along_the_normal<V: Space>(
    pair: &Pair<V>,
    answer: &Separation<V>,
) -> Result<(), Fault> {
    let (on_a, on_b) = (answer.position_a, answer.position_b);
    let distance = f64::from(answer.distance);
    let beside = (on_b - on_a - answer.normal.to_precise() * distance).length();
    let size = pair.scale() + distance.abs();
    let of_points = on_a.length() + on_b.length() + 2.0 * f64::from(Real::MIN_POSITIVE);
    let rounding = 2.0 * POINT_ROUNDING * of_points + 2.0 * TILT * distance.abs();
    ensure(beside <= BESIDE_THE_NORMAL * size + rounding, || {
        format!("{beside:e} beside the normal, at a size of {size:e}: {answer:?}")
    })
}

/// The witness points lie on their shapes, and where their surfaces face along the normal.
pub(crate) fn points_on_the_shapes<V: Space>(
    pair: &Pair<V>,
    answer: &Separation<V>,
) -> Result<(), Fault> {
    let allowed = OFF_THE_SHAPE * pair.scale();
    let normal = normal(answer);
    let sides = [
        (&pair.a, answer.position_a, normal),
        (&pair.b, answer.position_b, -normal),
    ];
    for (solid, point, outward) in sides {
        let rounding = 2.0 * POINT_ROUNDING * point.length();
        let off = off_the_shape(solid, point);
        ensure(off <= allowed + rounding, || {
            format!("{point:?} is {off:e} off its shape: {answer:?}")
        })?;
        let farthest = solid.translation() - point + solid.turned_support(outward);
        let below = outward.dot(farthest);
        ensure(below <= allowed + rounding, || {
            format!("{point:?} is {below:e} below the surface: {answer:?}")
        })?;
    }
    Ok(())
}

/// Apart: the plane across the normal proves the lower bound.
pub(crate) fn lower_by_plane<V: Space>(
    pair: &Pair<V>,
    answer: &Separation<V>,
) -> Result<(), Fault> {
    let gap = gap_along(pair, normal(answer));
    ensure(gap >= f64::from(answer.lower) - slack(pair), || {
        format!("{gap:e} along the normal: {answer:?}")
    })
}

/// Overlapping: moving b along the normal by the depth leaves no overlap but what the bounds leave
/// open, and what rounding tilts the normal by.
pub(crate) fn translation<V: Space>(pair: &Pair<V>, answer: &Separation<V>) -> Result<(), Fault> {
    let normal = normal(answer);
    let left = gap_along(pair, normal) - f64::from(answer.distance);
    let open = f64::from(answer.upper) - f64::from(answer.lower);
    ensure(left >= -TILT * pair.scale() - open, || {
        format!("{left:e} left after the translation: {answer:?}")
    })
}

fn normal<V: Vector>(answer: &Separation<V>) -> V::Precise {
    let normal = answer.normal.to_precise();
    normal / normal.length()
}

/// What the reported normal may lose: what the engine allows it, and its rounding, which tilts the
/// planes about points as far off as the scale.
fn slack<V: Space>(pair: &Pair<V>) -> f64 {
    let reaches = pair.a.recipe.reach() + pair.b.recipe.reach();
    tolerances::NORMAL_SLACK * reaches + TILT * pair.scale()
}

/// The gap along the reported normal; for a half-space along its own, which the reported one is up
/// to rounding.
fn gap_along<V: Space>(pair: &Pair<V>, normal: V::Precise) -> f64 {
    match pair.plane_normal() {
        Some(plane) if (plane - normal).length() <= 2.0 * TILT => pair.gap(plane),
        Some(_) => f64::NEG_INFINITY,
        None => pair.gap(normal),
    }
}
