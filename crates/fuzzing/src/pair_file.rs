//! Lines of pair files.

use clearance_math::{Pose, PreciseVector, Real, Vector};
use clearance_scene::{
    Answer, AnyQuestion, FileVector, MeshFiles, PairLine, PairOutcome, Question, Side, answer_line,
};

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
    let read = PairLine::read(line, &MeshFiles::none());
    match &read.question {
        Ok(AnyQuestion::Plane(question)) => check_question(question, &shown),
        Ok(AnyQuestion::Space(question)) => check_question(question, &shown),
        Err(problems) => {
            let list = problems.list();
            let said = !list.is_empty() && list.iter().all(|problem| !problem.text.is_empty());
            assert!(said, "refused without a reason: {shown}");
        }
    }
    let (id, refused) = (
        read.id.as_ref().map(|id| id.get().to_owned()),
        read.question.is_err(),
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
fn check_question<V: FileVector>(question: &Question<V>, shown: &str) {
    match question {
        Question::Distance(pair) => [&pair.a, &pair.b].map(|side| check_side(side, shown)),
        Question::Contacts { pair, within } | Question::Manifold { pair, within } => {
            assert!(*within >= 0.0 && within.is_finite(), "{within}: {shown}");
            [&pair.a, &pair.b].map(|side| check_side(side, shown))
        }
        Question::Ray { ray, b } => {
            assert!(ray.options.max_distance >= 0.0, "{ray:?}: {shown}");
            [b, b].map(|side| check_side(side, shown))
        }
        Question::Point { point, b } => {
            assert!(
                (0..V::DIM).all(|k| point.component(k).is_finite()),
                "{point:?}: {shown}"
            );
            [b, b].map(|side| check_side(side, shown))
        }
        Question::Cast { pair, options, .. } => {
            assert!(options.within >= 0.0, "{options:?}: {shown}");
            [&pair.a, &pair.b].map(|side| check_side(side, shown))
        }
    };
}

fn check_side<V: FileVector>(side: &Side<V>, shown: &str) {
    let valid: Option<Pose<V>> = side.pose.checked().ok();
    assert!(valid.is_some(), "{side:?}: {shown}");
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
        PairOutcome::Plane(answer) => check_answer(&json, answer, shown),
        PairOutcome::Space(answer) => check_answer(&json, answer, shown),
    }
}

fn check_answer<V: Vector>(json: &serde_json::Value, answer: &Answer<V>, shown: &str) {
    match answer {
        Answer::Unbounded => assert!(json["unbounded"] == true, "{json}: {shown}"),
        Answer::Uncounted { .. } => assert!(json["distance"].is_null(), "{json}: {shown}"),
        Answer::Distance { separation, .. } | Answer::Point(separation) => {
            check_number(json, separation.distance, separation.normal, shown);
        }
        Answer::Contacts(found) => {
            let written = json["contacts"].as_array().map_or(&[][..], Vec::as_slice);
            assert_eq!(written.len(), found.len(), "{json}: {shown}");
            for (json, separation) in written.iter().zip(found) {
                check_number(json, separation.distance, separation.normal, shown);
            }
        }
        Answer::Manifold(found) => {
            let written = json["points"].as_array().map_or(0, Vec::len);
            let points = found.as_ref().map_or(0, |found| found.points().len());
            assert_eq!(written, points, "{json}: {shown}");
        }
        Answer::Cast(None) => assert!(json["hit"] == false, "{json}: {shown}"),
        Answer::Cast(Some(hit)) => {
            let is_in_order = hit.time_lower <= hit.time && hit.time <= hit.time_upper;
            assert!(is_in_order, "{hit:?}: {shown}");
            check_number(json, hit.separation.distance, hit.separation.normal, shown);
        }
        Answer::Ray(None) => assert!(json["hit"] == false, "{json}: {shown}"),
        Answer::Ray(Some(hit)) => match hit.normal {
            Some(normal) => check_number(json, hit.distance, normal, shown),
            None => assert!(json["normal"].is_null(), "{json}: {shown}"),
        },
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
