//! Lines of pair files.

use clearance_math::{Pose, Real, Vector};
use clearance_scene::{AnyPair, FileVector, Pair, PairLine, PairOutcome, answer_line};

/// Lines, taken as those of a pair file.
///
/// Every line is answered by one line of JSON, which names an error if and only if the line was
/// refused; what is accepted is valid and can be measured.
///
/// # Panics
/// If the engine breaks one of these promises, with the line.
pub fn pair_file(data: &[u8]) {
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        check(line);
    }
}

fn check(line: &[u8]) {
    let shown = String::from_utf8_lossy(line);
    let read = PairLine::read(line);
    match &read.pair {
        Ok(AnyPair::Plane(pair)) => check_pair(pair, &shown),
        Ok(AnyPair::Space(pair)) => check_pair(pair, &shown),
        Err(problems) => {
            let list = problems.list();
            let said = !list.is_empty() && list.iter().all(|problem| !problem.text.is_empty());
            assert!(said, "refused without a reason: {shown}");
        }
    }
    let (id, refused) = (
        read.id.as_ref().map(|id| id.get().to_owned()),
        read.pair.is_err(),
    );
    let answer = answer_line(line);
    assert_eq!(
        answer.id.as_ref().map(|id| id.get().to_owned()),
        id,
        "{shown}"
    );
    assert!(answer.is_refused() == refused, "{answer:?}: {shown}");
    check_text(&answer.to_string(), &answer.outcome, &shown);
}

/// What was read is what the constructors would have made.
fn check_pair<V: FileVector>(pair: &Pair<V>, shown: &str) {
    for pose in [pair.pose_a, pair.pose_b] {
        let valid: Option<Pose<V>> = pose.checked().ok();
        assert!(valid.is_some(), "{pose:?}: {shown}");
    }
}

fn check_text(text: &str, outcome: &PairOutcome, shown: &str) {
    assert!(!text.contains('\n'), "two lines for one: {text}: {shown}");
    let Ok(json) = serde_json::from_str::<serde_json::Value>(text) else {
        panic!("no JSON: {text}: {shown}");
    };
    let error = json["error"].as_str();
    match outcome {
        PairOutcome::Refused(_) => assert!(
            error.is_some_and(|error| !error.is_empty()),
            "{text}: {shown}"
        ),
        PairOutcome::Unbounded => assert!(json["unbounded"] == true, "{text}: {shown}"),
        PairOutcome::Plane(separation) => {
            check_number(&json, separation.distance, separation.normal, shown)
        }
        PairOutcome::Space(separation) => {
            check_number(&json, separation.distance, separation.normal, shown)
        }
    }
}

/// The numbers come back as they were written.
fn check_number<V: Vector>(json: &serde_json::Value, distance: Real, normal: V, shown: &str) {
    let is = |value: &serde_json::Value, number: Real| {
        value.as_f64().is_some_and(|read| read as Real == number)
    };
    let same = (0..V::DIM).all(|k| is(&json["normal"][k], normal.component(k)));
    assert!(
        is(&json["distance"], distance) && same,
        "{json} for {distance} {normal:?}: {shown}"
    );
}
