//! The lines of `clearance query`.

use clearance_scene::MeshFiles;

use super::*;
use crate::query;

fn answer(line: Line) -> Answered {
    query::answer(line, &MeshFiles::none())
}

struct Output {
    lines: Vec<String>,
    warnings: String,
    verdict: Verdict,
}

fn answers(input: &[u8]) -> Output {
    let (mut output, mut warnings) = (Vec::new(), Vec::new());
    let streams = Streams {
        input,
        output: &mut output,
        warnings: &mut warnings,
        progress: ProgressBar::hidden(),
    };
    let verdict = answer_all(streams, answer).unwrap();
    let text = String::from_utf8(output).unwrap();
    Output {
        lines: text.lines().map(str::to_owned).collect(),
        warnings: String::from_utf8(warnings).unwrap(),
        verdict,
    }
}

#[test]
fn every_line_gets_its_line() {
    let Output { lines, verdict, .. } = answers(b"{\"id\":\"a\"}\r\n\n\xff\n{\"id\":7");
    assert_eq!((verdict, lines.len()), (Verdict::Flawed, 4));
    assert_eq!(lines[0], r#"{"id":"a","error":"dimension: missing"}"#);
    assert_eq!(
        lines[1],
        r#"{"line":2,"error":"empty, must be an object: {...}"}"#
    );
    assert_eq!(lines[2], r#"{"line":3,"error":"the line is not UTF-8"}"#);
    assert!(lines[3].starts_with(r#"{"id":7,"error":"#), "{}", lines[3]);
}

#[test]
fn input_without_lines_is_empty() {
    let streams = Streams {
        input: &b""[..],
        output: Vec::new(),
        warnings: Vec::new(),
        progress: ProgressBar::hidden(),
    };
    let ended = answer_all(streams, answer);
    assert!(matches!(ended, Err(Stopped::Empty)));
}

#[test]
fn each_ignored_field_is_named_once() {
    let line = br#"{"within": 1, "note": 2, "Margin": 3, "mine": 4, "ID": 5}
{"within": 1, "kind": 6}
{"ask": "contacts", "within": 1, "kind": 7}
"#;
    let warnings = answers(line).warnings;
    let names: Vec<&str> = warnings
        .lines()
        .map(|line| line.split('"').nth(1).unwrap())
        .collect();
    assert_eq!(names, ["within", "Margin", "ID", "kind", "kind"]);
    assert!(warnings.lines().last().unwrap().contains("line 3"));
}
