//! Lines that must be refused one by one, each with its id and the path of its mistake.

use crate::common::{json, run_on};

/// A dimension, a part of side `a` or `b` (`@` is a ball), and what the refusal must name.
const PARTS: &str = include_str!("../data/bad_parts.txt");

const BALL: &str = r#"{"type": "ball", "radius": 0.5}"#;

/// The line with the part on side `side`, a ball on the other.
fn line(id: &str, dimension: &str, part: &str, side: &str) -> String {
    let other = if side == "a" { "b" } else { "a" };
    let part = part.replace('@', BALL);
    format!(
        r#"{{"id": "{id}", "dimension": {dimension}, "{side}": {{{part}}}, "{other}": {{"shape": {BALL}}}}}"#
    )
}

#[test]
fn bad_parts_are_refused_on_either_side_with_their_path() {
    let mut input = String::new();
    let mut expected = Vec::new();
    for (index, case) in PARTS.lines().enumerate() {
        let columns: Vec<&str> = case.split(" | ").collect();
        let [dimension, part, named] = columns[..] else {
            panic!("{case}");
        };
        for side in ["a", "b"] {
            let id = format!("{index}{side}");
            input += &line(&id, dimension, part, side);
            input.push('\n');
            let named = match named.strip_prefix("a.") {
                Some(rest) => format!("{side}.{rest}"),
                None => named.to_owned(),
            };
            expected.push((id, named));
        }
    }
    let ran = run_on(&["query"], input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(ran.out.lines().count(), expected.len());
    for (answer, (id, named)) in ran.out.lines().zip(expected) {
        let answer = json(answer);
        assert_eq!(answer["id"], id.as_str());
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(
            error.contains(&named),
            "{id}: {error:?} must name {named:?}"
        );
        assert!(answer.get("distance").is_none());
    }
}

/// Whole lines, and the answers' ids as JSON.
const LINES: &[(&str, &str)] = &[
    (r#"{"id": "x", "dimension": 4, "a": 1, "b": 2}"#, r#""x""#),
    (r#"{"id": "x", "dimension": 0}"#, r#""x""#),
    (r#"{"id": "x", "dimension": "3"}"#, r#""x""#),
    (r#"{"id": "x", "dimension": null}"#, r#""x""#),
    (r#"{"id": "x", "dimension": 2.5}"#, r#""x""#),
    (r#"{"id": "x"}"#, r#""x""#),
    (
        r#"{"id": "x", "dimension": 3, "a": {"shape": {"type": "ball", "radius": 1}}}"#,
        r#""x""#,
    ),
    (
        r#"{"id": "x", "dimension": 3, "a": {"shape": {"type": "ba"#,
        r#""x""#,
    ),
    (r#"{"id": "x", "dimension": 3, "a""#, r#""x""#),
    (
        r#"{"id": "a \"quoted\" \u00e9", "dimension": 3}"#,
        r#""a \"quoted\" \u00e9""#,
    ),
    (r#"{"id": 12, "dimension": 3}"#, "12"),
    (r#"{"dimension": 3, "id": [1]}"#, "null"),
    (r#"{"dimension": 3}"#, "null"),
    ("{\"id\": \"cut", "null"),
    ("[]", "null"),
    ("42", "null"),
    ("null", "null"),
    ("{", "null"),
    ("", "null"),
    ("not json at all", "null"),
    ("{\"id\": \"x\"} {}", "\"x\""),
];

#[test]
fn bad_lines_are_refused_with_the_id_that_can_be_found() {
    for (line, id) in LINES {
        let ran = run_on(&["query"], format!("{line}\n").as_bytes());
        assert_eq!(ran.code, 1, "{line}");
        assert_eq!(ran.out.lines().count(), 1, "{line}");
        let answer = json(&ran.out);
        assert_eq!(answer["id"], json(id), "{line}");
        assert!(!answer["error"].as_str().unwrap_or_default().is_empty());
    }
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let ran = run_on(&["query", "-"], b"\xff\xfe\n\x00\n");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out.lines().count(), 2);
}

#[test]
fn other_fields_of_a_line_are_ignored() {
    let sides = format!(r#""a": {{"shape": {BALL}}}, "b": {{"shape": {BALL}}}"#);
    let input = format!(
        r#"{{"id": "x", "category": 1, "expect": {{"a": [null]}}, "mine": "", "dimension": 3, {sides}}}"#
    );
    let ran = run_on(&["query"], input.as_bytes());
    assert_eq!((ran.code, json(&ran.out)["error"].as_str()), (0, None));
}

#[test]
fn one_bad_line_is_a_flaw_wherever_it_is() {
    let good = line("good", "3", r#""shape": @"#, "a");
    for lines in [["{", &good], [&good, "{"]] {
        let ran = run_on(&["query"], lines.join("\n").as_bytes());
        assert_eq!((ran.code, ran.out.lines().count()), (1, 2), "{lines:?}");
    }
}
