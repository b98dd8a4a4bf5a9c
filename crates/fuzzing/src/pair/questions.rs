//! The questions, and how their answers must agree with each other.

use clearance_gjk::{
    Proximity, QueryError, Question, Separation, Side, contact_manifold, intersects, manifold_each,
    measure, measure_each, proximity, trace,
};
use clearance_math::{PreciseVector, Real, Rotation};

use super::Case;
use super::bounds::check_bounds;
use super::points::check_points;
use crate::body::Body;
use crate::dimension::Dimension;

/// The length of a vector of unit length in single precision is one up to this.
const UNIT_ROUNDING: f64 = 4e-7;

pub(super) fn check<V: Dimension>(case: &Case<V>) {
    let Case { a, b, within } = case;
    let answer = proximity(a.placed(), b.placed(), *within);
    let touch = intersects(a.placed(), b.placed());
    assert_eq!(
        text(&touch.err()),
        text(&refusal(a, b, 0.0)),
        "intersects: {case:?}"
    );
    if let Some(expected) = refusal(a, b, *within) {
        assert_eq!(text(&answer.err()), text(&Some(expected)), "{case:?}");
        // Means nothing, but comes back.
        let _ = measure(a.placed(), b.placed(), *within);
        return;
    }
    let (Ok(answer), Ok(touch)) = (answer, touch) else {
        panic!("refused without reason: {answer:?} {touch:?} {case:?}");
    };
    assert!(
        trace(a.placed(), b.placed()).is_ok(),
        "trace refused: {case:?}"
    );
    let whole = measure(a.placed(), b.placed(), Real::INFINITY);
    let asked = [
        (*within, answer),
        (0.0, measure(a.placed(), b.placed(), 0.0)),
        (Real::INFINITY, whole),
    ];
    for (within, answer) in asked {
        check_agreement(case, within, (&answer, &whole));
        check_mirror(case, within, &answer);
        check_together(case, within, &answer);
        check_manifold(case, within, &answer);
    }
    match whole {
        Proximity::Near(separation) => check_separation(case, &separation, touch),
        Proximity::Farther { .. } | Proximity::Undecided { .. } => {
            panic!("not near infinity: {whole:?} {case:?}")
        }
        Proximity::Unbounded => {
            let planes = a.plane().is_some() && b.plane().is_some();
            assert!(planes && touch, "unbounded: {touch} {case:?}");
        }
    }
    check_boxes(case);
}

/// Why the question must be refused.
fn refusal<V: Dimension>(a: &Body<V>, b: &Body<V>, within: Real) -> Option<QueryError> {
    if within.is_nan() {
        return Some(QueryError::Range);
    }
    let of_side = |side, body: &Body<V>| {
        let error = body.pose.checked().err()?;
        Some(QueryError::Pose { side, error })
    };
    of_side(Side::A, a).or_else(|| of_side(Side::B, b))
}

/// Errors by what they say: NaN is not equal to itself.
fn text(error: &Option<QueryError>) -> String {
    error.map_or_else(String::new, |error| error.to_string())
}

/// A range changes nothing but when the search stops.
fn check_agreement<V: Dimension>(
    case: &Case<V>,
    within: Real,
    (answer, whole): (&Proximity<V>, &Proximity<V>),
) {
    if let (Proximity::Farther { lower }, Proximity::Near(near)) = (answer, whole) {
        assert!(
            *lower >= within,
            "not farther than {within}: {answer:?} {case:?}"
        );
        assert!(
            *lower <= near.upper,
            "within {within}: {answer:?}, {whole:?} {case:?}"
        );
    } else {
        assert!(
            answer == whole,
            "within {within}: {answer:?}, without {whole:?} {case:?}"
        );
    }
}

/// Exchanging a and b mirrors the answer, and whether they touch, to the last bit.
fn check_mirror<V: Dimension>(case: &Case<V>, within: Real, there: &Proximity<V>) {
    let Case { a, b, .. } = case;
    let back = measure(b.placed(), a.placed(), within);
    let mirrored = back == there.flipped() || (is_same(a, b) && back == *there);
    assert!(
        mirrored,
        "within {within}: {there:?} there, {back:?} back, {case:?}"
    );
    let touch = [(a, b), (b, a)].map(|(a, b)| intersects(a.placed(), b.placed()));
    assert_eq!(
        touch[0], touch[1],
        "intersects depends on the order: {case:?}"
    );
}

/// A manifold is there where the pair is in range, belongs to it, and is mirrored with it.
fn check_manifold<V: Dimension>(case: &Case<V>, within: Real, answer: &Proximity<V>) {
    let Case { a, b, .. } = case;
    let ask = |a: &Body<V>, b: &Body<V>| {
        contact_manifold(a.placed(), b.placed(), within).expect("the poses are valid")
    };
    let found = ask(a, b);
    let near = answer.near().filter(|near| near.distance <= within);
    let separation = found.as_ref().map(|manifold| manifold.separation);
    assert!(separation == near, "{found:?} of {answer:?} {case:?}");
    let Some(manifold) = found else {
        return;
    };
    let count = manifold.points().len();
    assert!(
        (1..=2 * V::DIM - 2).contains(&count),
        "{manifold:?} {case:?}"
    );
    for point in manifold.points() {
        let is_finite = point.point_a().is_finite() && point.point_b().is_finite();
        assert!(
            is_finite && point.distance.is_finite(),
            "{manifold:?} {case:?}"
        );
    }
    let back = ask(b, a);
    let mirrored = back == Some(manifold.clone().flipped())
        || is_same(a, b) && back.as_ref() == Some(&manifold);
    assert!(mirrored, "{manifold:?} there, {back:?} back, {case:?}");
}

/// Measured together with others a pair has the same answer and the same manifold.
fn check_together<V: Dimension>(case: &Case<V>, within: Real, alone: &Proximity<V>) {
    let asked = [(case, within); 3];
    let mut answers = 0;
    measure_each(&asked, question, |_, _, answer| {
        assert_eq!(answer, alone, "together within {within}: {case:?}");
        answers += 1;
    });
    assert_eq!(answers, asked.len());
    let manifold = contact_manifold(case.a.placed(), case.b.placed(), within);
    let manifold = manifold.expect("the poses are valid");
    manifold_each(&asked, question, |_, _, found| {
        assert!(
            found == manifold.as_ref(),
            "together within {within}: {case:?}"
        );
    });
}

fn question<'a, V: Dimension>((case, within): &'a (&'a Case<V>, Real)) -> Option<Question<'a, V>> {
    let (a, b) = (case.a.placed(), case.b.placed());
    let within = *within;
    Some(Question { a, b, within })
}

/// Whether nothing tells the sides apart. A quaternion and its negative are one rotation.
fn is_same<V: Dimension>(a: &Body<V>, b: &Body<V>) -> bool {
    let turned = a.pose.rotation.matrix() == b.pose.rotation.matrix();
    a.shape == b.shape && turned && a.pose.translation() == b.pose.translation()
}

fn check_separation<V: Dimension>(case: &Case<V>, answer: &Separation<V>, touch: bool) {
    let Separation {
        distance,
        lower,
        upper,
        ..
    } = *answer;
    assert!(
        lower <= distance && distance <= upper,
        "bounds: {answer:?} {case:?}"
    );
    assert!(distance.is_finite(), "distance: {answer:?} {case:?}");
    let finite =
        answer.normal.is_finite() && answer.point_a().is_finite() && answer.point_b().is_finite();
    assert!(finite, "not finite: {answer:?} {case:?}");
    let length = answer.normal.to_precise().length();
    assert!(
        (length - 1.0).abs() <= UNIT_ROUNDING,
        "normal of length {length}: {answer:?} {case:?}"
    );

    assert!(
        lower <= 0.0 || !touch,
        "touch although apart: {answer:?} {case:?}"
    );
    assert!(
        upper > 0.0 || touch,
        "do not touch although overlapping: {answer:?} {case:?}"
    );
    check_bounds(case, answer);
    check_points(case, answer);
}

/// The bounding boxes hold the shapes.
fn check_boxes<V: Dimension>(case: &Case<V>) {
    for body in [&case.a, &case.b] {
        let bounds = body.shape.bounds(&body.pose);
        if body.plane().is_some() {
            continue;
        }
        for k in 0..V::DIM {
            let at = body.pose.position().component(k);
            let high = at + body.support(V::Precise::axis(k)).component(k);
            let low = at + body.support(-V::Precise::axis(k)).component(k);
            let slack = 1e-14 * (at.abs() + body.form.bounding_radius());
            let inside = f64::from(bounds.min.component(k)) <= low + slack
                && f64::from(bounds.max.component(k)) >= high - slack;
            assert!(
                inside,
                "axis {k}: {bounds:?} does not hold {low:e} to {high:e} of {body:?}"
            );
        }
    }
}
