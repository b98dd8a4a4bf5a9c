//! The reported points against the definitions of the shapes.

use clearance_gjk::{Separation, Status};
use clearance_math::{PreciseVector, Real};

use super::Case;
use crate::body::Body;
use crate::dimension::Dimension;

/// The accuracy of a point or distance, relative to the size of the shapes: the engine's for the
/// depth of curved shapes, twice.
const ACCURACY: f64 = 2e-4;
/// How far the two points may lie beside the normal, relative to the size of the shapes: the normal
/// of a gap is right to the root of twice the gap between the bounds.
const BESIDE: f64 = 1e-3;
/// How far points can be off by rounding in double precision, relative to all that is added up.
const ROUNDING: f64 = 1e-13;
/// Where coordinates are cut off at the largest number.
const LARGEST: f64 = 1e38;

/// The points lie in their shapes, and the distance apart along the normal.
pub(super) fn check_points<V: Dimension>(case: &Case<V>, answer: &Separation<V>) {
    let Case { a, b, .. } = case;
    let [normal, on_a, on_b] =
        [answer.normal, answer.point_a(), answer.point_b()].map(V::to_precise);
    let far = on_a
        .length()
        .max(on_b.length())
        .max(size_of(a))
        .max(size_of(b));
    if far > LARGEST || answer.status == Status::IterationLimit {
        return;
    }
    let single = 4.0 * f64::from(Real::EPSILON) * on_a.length().max(on_b.length());
    let rounding = single + ROUNDING * far + f64::from(Real::MIN_POSITIVE);
    let size = a.form.bounding_radius().max(b.form.bounding_radius());
    let distance = f64::from(answer.distance);
    // The witness points of a gap lie on the shapes; those of an overlap are as good as the depth.
    let accuracy = if answer.lower > 0.0 { 1e-12 } else { ACCURACY };
    check_inside(a, on_a, accuracy * size + rounding, &(answer, case));
    check_inside(b, on_b, accuracy * size + rounding, &(answer, case));
    let between = on_b - on_a;
    let slack = ACCURACY * size + rounding + 1e-6 * distance.abs();
    let error = (between.dot(normal) - distance).abs();
    assert!(
        error <= slack,
        "{error:e} off along the normal: {answer:?} {case:?}"
    );
    let error = (between.length() - distance.abs()).abs();
    assert!(
        error <= slack + BESIDE * size,
        "{error:e} off between the points: {answer:?} {case:?}"
    );
    let least = between.length() + 2.0 * rounding + 1e-12 * (size + distance.abs());
    assert!(
        f64::from(answer.lower) <= least,
        "points nearer than the lower bound: {answer:?} {case:?}"
    );
}

fn size_of<V: Dimension>(body: &Body<V>) -> f64 {
    body.form.bounding_radius() + body.pose.position().length()
}

/// A point is not outside a body along any of a few directions.
fn check_inside<V: Dimension>(
    body: &Body<V>,
    point: V::Precise,
    slack: f64,
    context: &(&Separation<V>, &Case<V>),
) {
    let (answer, case) = context;
    let local = point - body.pose.position();
    let over = |unit: V::Precise| unit.dot(local - body.support(unit));
    if let Some((normal, offset)) = body.plane() {
        let over = normal.dot(local) - offset;
        assert!(
            over.abs() <= slack,
            "{point:?} is {over:e} off {body:?}: {answer:?} {case:?}"
        );
        return;
    }
    let count = 3_usize.pow(V::DIM as u32);
    let normal = answer.normal.to_precise();
    let all_around = (0..count).map(|index| {
        let sign = |k: u32| (index / 3_usize.pow(k) % 3) as f64 - 1.0;
        V::Precise::from_fn(|k| sign(k as u32))
    });
    for direction in all_around.chain([normal, -normal, local]) {
        let Some(unit) = direction.direction() else {
            continue;
        };
        let over = over(unit);
        assert!(
            over <= slack,
            "{point:?} is {over:e} outside {body:?} along {unit:?}: {answer:?} {case:?}"
        );
    }
}
