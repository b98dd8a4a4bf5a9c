//! Questions to a scene: what is found, and what is refused.

use serde_json::Value;

use crate::common::{json, run, run_on, scratch};

/// Answers to lines about a scene of one ball in the plane. Tests run at once, so each names a file of
/// its own.
fn ask_ball(file: &str, lines: &str) -> (i32, Vec<Value>, String) {
    let path = scratch(file);
    let scene = r#"{"dimension": 2, "bodies": [{"shape": {"type": "ball", "radius": 1}}]}"#;
    std::fs::write(&path, scene).unwrap();
    let ran = run_on(&["ask", path.to_str().unwrap()], lines.as_bytes());
    (ran.code, ran.out.lines().map(json).collect(), ran.err)
}

/// The fields of a line, and what the refusal must name.
const QUESTIONS: &str = include_str!("../data/bad_questions.txt");

#[test]
fn bad_questions_are_refused_one_by_one_with_their_field() {
    let cases: Vec<_> = QUESTIONS
        .lines()
        .map(|case| case.split_once(" | ").unwrap())
        .collect();
    let mut lines = String::new();
    for (index, (fields, _)) in cases.iter().enumerate() {
        let comma = if fields.is_empty() { "" } else { ", " };
        lines += &format!("{{\"id\": {index}{comma}{fields}}}\n");
    }
    lines += "{\"ask\": \"point\", \"point\": [3, 0], \"within\": 2}\n{\"ask\"\n";
    let (code, answers, err) = ask_ball("bad-questions.json", &lines);
    assert_eq!(
        (code, err.as_str(), answers.len()),
        (1, "", cases.len() + 2)
    );
    for (index, ((_, named), answer)) in cases.iter().zip(&answers).enumerate() {
        assert_eq!(answer["id"], index);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(named), "{error:?} must name {named:?}");
        assert!(answer.get("hits").is_none());
    }
    // A good line among them, and one without an id.
    assert_eq!(answers[cases.len()]["hits"][0]["distance"], 2.0);
    assert_eq!(answers[cases.len() + 1]["line"], cases.len() + 2);
}

#[test]
fn what_is_found_is_a_list() {
    let lines = r#"{"ask": "ray", "origin": [3, 0], "direction": [1, 0]}
{"ask": "nearest", "point": [3, 0], "count": 0}
{"ask": "nearest", "point": [3, 0], "within": 1}
{"ask": "nearest", "point": [3, 0], "dimension": 2}
{"ask": "overlap", "a": {"shape": {"type": "half_space", "normal": [0, 1]}}, "within": 0}
{"ask": "ray", "origin": [0.5, 0], "direction": [1, 0]}"#;
    let (code, answers, _) = ask_ball("lists.json", lines);
    let counts: Vec<_> = answers
        .iter()
        .map(|answer| answer["hits"].as_array().unwrap().len())
        .collect();
    assert_eq!((code, counts), (0, vec![0, 0, 0, 1, 1, 1]));
    assert_eq!(answers[3]["hits"][0]["point_b"], json("[1.0, 0.0]"));
    assert_eq!(answers[4]["hits"][0]["distance"], -1.0);
    assert_eq!(answers[5]["hits"][0]["normal"], Value::Null);
}

#[test]
fn half_spaces_may_overlap_without_bound() {
    let path = scratch("one-half-space.json");
    let ground = r#"{"type": "half_space", "normal": [0, 1, 0]}"#;
    std::fs::write(
        &path,
        format!(r#"{{"dimension": 3, "bodies": [{{"shape": {ground}}}]}}"#),
    )
    .unwrap();
    let line = format!(r#"{{"ask": "overlap", "a": {{"shape": {ground}}}}}"#);
    let ran = run_on(&["ask", path.to_str().unwrap()], line.as_bytes());
    assert_eq!(
        ran.out,
        "{\"hits\":[{\"body\":0,\"distance\":null,\"unbounded\":true}]}\n"
    );
}

#[test]
fn fields_without_effect_are_named_once() {
    let line = r#"{"ask": "point", "point": [0, 0], "count": 1, "note": 2, "b": 3, "motion_a": 4}"#;
    let (code, _, err) = ask_ball("ignored-fields.json", &format!("{line}\n{line}"));
    let names: Vec<&str> = err
        .lines()
        .map(|line| line.split('"').nth(1).unwrap())
        .collect();
    assert_eq!((code, names), (0, vec!["count", "b", "motion_a"]));
}

#[test]
fn scenes_and_questions_that_cannot_be_read_end_with_2() {
    let path = scratch("no-bodies.json");
    std::fs::write(&path, r#"{"dimension": 2, "bodies": []}"#).unwrap();
    let name = path.to_str().unwrap();
    let cases: [(&[&str], &str); 5] = [
        (
            &["ask", "-"],
            "cannot read both the scene and the questions",
        ),
        (
            &["ask", name],
            "standard input is empty; write one question a line",
        ),
        (
            &["ask", name, "no-such-file.jsonl"],
            "cannot read no-such-file.jsonl",
        ),
        (
            &["ask", "no-such-scene.json"],
            "cannot read no-such-scene.json",
        ),
        (&["ask", name, "--frame", "-1"], "whole number from 0"),
    ];
    for (arguments, named) in cases {
        run(arguments).assert_refused(named);
    }
    let ran = run_on(
        &["ask", name],
        br#"{"ask": "nearest", "point": [0, 0], "exclude": [0]}"#,
    );
    assert_eq!(
        ran.out,
        "{\"line\":1,\"error\":\"exclude[0]: names a body, but the scene has none\"}\n"
    );
}
