//! Texts that went wrong somewhere: they are refused or answered, and nothing else happens.

use clearance_scene::{AnyScene, SceneKind, answer_line, generate, read_scene};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// What a mutation may put in.
const SCRAPS: [&str; 22] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u12",
    "null",
    "true",
    "NaN",
    "-Infinity",
    "0",
    "-1",
    "1e400",
    "1e38",
    "-3.4e38",
    "1e-45",
    "3",
    "é",
    "[[[[[[[[",
];

const LINES: [&str; 8] = [
    r#"{"id": "x", "dimension": 3, "a": {"shape": {"type": "rounded", "shape": {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]}, "radius": 0.5}}, "b": {"shape": {"type": "cone", "half_height": 1, "radius": 0.5}, "pose": {"translation": [1, 2, 3], "rotation": [0, 0, 0, 1]}}}"#,
    r#"{"id": 7, "dimension": 2, "a": {"shape": {"type": "triangle", "a": [0, 0], "b": [1, 0], "c": [0, 1]}}, "b": {"shape": {"type": "capsule", "half_length": 1, "radius": 0.5}, "pose": {"translation": [1, 2], "rotation": 0.5}}}"#,
    r#"{"id": "h", "dimension": 3, "a": {"shape": {"type": "half_space", "normal": [0, 1, 0]}}, "b": {"shape": {"type": "ellipsoid", "radii": [1, 2, 3]}, "pose": {"translation": [5, 6, 7]}}}"#,
    r#"{"id": "m", "dimension": 3, "ask": "contacts", "within": 2, "a": {"shape": {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]], "triangles": [[0, 1, 2], [1, 3, 2]]}}, "b": {"shape": {"type": "height_field", "heights": [[0, 1, null], [2, 3, 4]], "scale": [1, 2, 3]}}}"#,
    r#"{"id": "c", "dimension": 2, "a": {"shape": {"type": "polyline", "vertices": [[0, 0], [1, 0], [0, 1]], "segments": [[0, 1], [1, 2]]}}, "b": {"shape": {"type": "compound", "parts": [{"shape": {"type": "ball", "radius": 1}}, {"pose": {"rotation": 1}, "shape": {"type": "compound", "parts": [{"shape": {"type": "cuboid", "half_extents": [1, 2]}}]}}]}}}"#,
    r#"{"id": "r", "dimension": 3, "ask": "ray", "origin": [0, 5, 0], "direction": [0, -1, 0.5], "max_distance": 9, "solid": false, "b": {"shape": {"type": "height_field", "heights": [[0, 1, null], [2, 3, 4]], "scale": [1, 2, 3]}}}"#,
    r#"{"id": "r", "dimension": 2, "ask": "ray", "origin": [0, 0], "direction": [1, 0], "solid": true, "b": {"shape": {"type": "polyline", "vertices": [[1, -1], [1, 1], [2, 2]]}}}"#,
    r#"{"id": "p", "dimension": 3, "ask": "point", "point": [1, 2, 3], "b": {"shape": {"type": "mesh", "path": "a.obj"}}}"#,
];

struct Mutator(Pcg64);

impl Mutator {
    fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count as u64) as usize
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The text with a few pieces cut, put in or replaced.
    fn mutate(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..1 + self.below(3) {
            let (from, to) = (self.place(&text), self.place(&text));
            match self.below(5) {
                0 => text.truncate(from),
                1 => text.replace_range(from.min(to)..from.max(to), ""),
                2 => text.insert_str(from, SCRAPS[self.below(SCRAPS.len())]),
                _ => self.replace_number(&mut text, from),
            }
        }
        text
    }

    /// Replaces the number behind `from`, which leaves the text well-formed more often than not.
    fn replace_number(&mut self, text: &mut String, from: usize) {
        let is_digit = |c: char| c.is_ascii_digit();
        if let Some(start) = text[from..].find(is_digit).map(|offset| from + offset) {
            let length = text[start..].find(|c| !is_digit(c));
            let end = length.map_or(text.len(), |length| start + length);
            text.replace_range(start..end, SCRAPS[self.below(SCRAPS.len())]);
        }
    }
}

#[test]
fn every_line_gets_one_line_of_json() {
    let mut mutator = Mutator(Pcg64::seed_from_u64(1));
    let mut answered = 0;
    let count = 30_000;
    for round in 0..count {
        let line = mutator.mutate(LINES[round % LINES.len()]);
        let answer = answer_line(line.as_bytes());
        answered += usize::from(!answer.is_refused());
        let text = answer.to_string();
        assert!(!text.contains('\n'), "{line}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let has_error = json["error"]
            .as_str()
            .is_some_and(|error| !error.is_empty());
        assert_eq!(has_error, answer.is_refused(), "{line}\n{text}");
    }
    assert!((count / 50..count).contains(&answered), "{answered}");
}

#[test]
fn scenes_are_read_or_refused_with_a_line_of_the_file() {
    let mut mutator = Mutator(Pcg64::seed_from_u64(2));
    let mut accepted = 0;
    for round in 0..3_000 {
        let mut bytes = Vec::new();
        let kind = SceneKind::ALL[round % SceneKind::ALL.len()];
        // One mesh is as good as five.
        let count = if kind == SceneKind::Assembly { 1 } else { 5 };
        generate(kind, count, round as u64)
            .write(&mut bytes)
            .unwrap();
        let text = mutator.mutate(&String::from_utf8(bytes).unwrap());
        match read_scene(&text) {
            Ok(AnyScene::Plane(_) | AnyScene::Space(_)) => accepted += 1,
            Err(problems) => {
                let lines = text.lines().count().max(1) as u32;
                assert!(!problems.list().is_empty());
                for problem in problems.list() {
                    assert!((1..=lines).contains(&problem.line), "{problem}\n{text}");
                    assert!(!problem.text.is_empty());
                }
            }
        }
    }
    assert!(accepted > 50, "{accepted}");
}

/// It took hours: parts that leave each other so far away and turn so fast that a step proves next to nothing.
const ENDLESS_CAST: &str = r#"{"id": "x", "dimension": 3, "ask": "cast", "a": {"shape": {"type": "ellipsoid", "radii": [0.5, 4e-21, 2]}}, "within": 3.5, "motion_a": {"linear": [0, 0.5, 0], "angular": [-5.5e28, 0.3, -6]}, "b": {"shape": {"type": "half_space", "normal": [-0.4025191, 0.46876207, 0.7862827]}, "pose": {"translation": [-5.4541466e35, 559154.4, -304.9], "rotation": [0.5, 0.5, 0.5, 0.5]}}, "motion_b": {"linear": [4, -2, -3.5], "angular": [1.5, 6, 0]}}"#;

#[test]
fn a_cast_that_turns_beyond_measure_ends() {
    let answer = answer_line(ENDLESS_CAST.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&answer.to_string()).unwrap();
    assert_eq!(json["hit"], true, "{answer}");
    assert_eq!(json["time_status"], "iteration_limit", "{answer}");
}
