//! The table of the room "Accuracy" has what `clearance query` answers.

use clearance_scene::answer_line;
use serde_json::{Value, json};

use crate::page::Page;

const LINES: &str = r#"{"id": "near", "dimension": 3, "a": {"shape": {"type": "ball", "radius": 1}}, "b": {"shape": {"type": "cylinder", "half_height": 1, "radius": 1}, "pose": {"translation": [3, 0.5, 0]}}}

{"id": 2, "dimension": 2, "ask": "ray", "origin": [0, 0], "direction": [1, 0], "b": {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [5, 0]}}}
{"id": "bad", "dimension": 2}
not JSON
{"id": "cast", "dimension": 2, "ask": "cast", "a": {"shape": {"type": "ball", "radius": 1}}, "motion_a": {"linear": [9, 0]}, "b": {"shape": {"type": "cuboid", "half_extents": [1, 1]}, "pose": {"translation": [5, 0]}}}
"#;

#[test]
fn rows_are_the_answers_of_the_lines() {
    let answer = Page::new().told(&json!({ "do": "pair.answers", "text": LINES, "first": 11 }));
    let rows = answer["rows"].as_array().unwrap();
    let lines: Vec<&Value> = rows.iter().map(|row| &row["line"]).collect();
    assert_eq!(lines, [11, 13, 14, 15, 16]);
    let kinds: Vec<&Value> = rows.iter().map(|row| &row["kinds"]).collect();
    assert_eq!(
        kinds,
        ["ball, cylinder", "ray, ball", "", "", "ball, cuboid"]
    );
    for row in rows {
        let line = row["line"].as_u64().unwrap() - 11;
        let text = LINES.lines().nth(line as usize).unwrap();
        let expected: Value =
            serde_json::from_str(&answer_line(text.as_bytes()).to_string()).unwrap();
        assert_eq!(row["error"], expected["error"], "{row}");
        let key = if row["ask"] == "cast" {
            "time"
        } else {
            "distance"
        };
        assert_eq!(
            row["distance"],
            *expected.get(key).unwrap_or(&Value::Null),
            "{row}"
        );
        assert!(row["microseconds"].as_f64().unwrap() > 0.0);
    }
    assert!(rows[1]["iterations"].is_null());
    assert!(rows[0]["iterations"].as_u64().unwrap() > 1);
    let width = rows[0]["width"].as_f64().unwrap();
    assert!((0.0..1e-5).contains(&width), "{width}");
    assert_eq!(rows[0]["id"], "near");
}
