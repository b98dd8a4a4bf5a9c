//! Clash checks of files.

mod going_on;
mod issues;
mod refused;
mod scenes;
mod shards;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Ran, json, run, scratch};

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let path = scratch(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("created");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// An OBJ text with boxes, each named and from its least to its greatest corner.
fn boxes(parts: &[(String, [f64; 3], [f64; 3])]) -> String {
    let mut text = String::new();
    for (number, (name, low, high)) in parts.iter().enumerate() {
        text += &format!("o {name}\n");
        for k in 0..8 {
            let side = |axis: usize| {
                if k >> axis & 1 == 0 {
                    low[axis]
                } else {
                    high[axis]
                }
            };
            text += &format!("v {} {} {}\n", side(0), side(1), side(2));
        }
        for quad in [
            "1 5 7 3", "2 4 8 6", "1 2 6 5", "3 7 8 4", "1 3 4 2", "5 6 8 7",
        ] {
            let corners = quad
                .split(' ')
                .map(|word| word.parse::<usize>().expect("a number"));
            let corners: Vec<String> = corners
                .map(|corner| (corner + 8 * number).to_string())
                .collect();
            text += &format!("f {}\n", corners.join(" "));
        }
    }
    text
}

/// A wall on a slab, a pipe through the wall, and one beside it.
fn room(root: &Path) -> PathBuf {
    let part = |name: &str, low, high| (name.to_owned(), low, high);
    let parts = [
        part("slab", [0.0, -0.25, 0.0], [6.0, 0.0, 6.0]),
        part("wall", [0.0, 0.0, 2.0], [6.0, 2.75, 2.25]),
        part("pipe 1", [1.0, 1.0, 1.0], [1.125, 1.125, 4.0]),
        part("pipe 2", [1.25, 1.0, 2.375], [1.375, 1.125, 4.0]),
    ];
    let path = root.join("room.obj");
    fs::write(&path, boxes(&parts)).expect("written");
    path
}

/// A wall of bricks that overlap, so many that a check of them takes several blocks.
fn bricks(root: &Path) -> PathBuf {
    let mut parts = Vec::new();
    for row in 0..40 {
        for column in 0..40 {
            let [x, y] = [column, row].map(f64::from);
            parts.push((
                format!("brick {row} {column}"),
                [x, y, 0.0],
                [x + 1.01, y + 1.01, 1.0],
            ));
        }
    }
    let path = root.join("bricks.obj");
    fs::write(&path, boxes(&parts)).expect("written");
    path
}

fn checked(input: &Path, output: &Path, arguments: &[&str]) -> Ran {
    let all = [&["clash", text(input), "-o", text(output)], arguments].concat();
    run(&all)
}

/// The clashes of a report.
fn clashes_of(report: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(report).expect("written");
    let clashes = lines.lines().map(json);
    clashes.filter(|line| line["type"] == "clash").collect()
}

#[test]
fn a_room_is_checked_by_rules() {
    let root = folder("clash_room");
    let (room, report, rules) = (
        room(&root),
        root.join("report.jsonl"),
        root.join("rules.json"),
    );
    let all = checked(&room, &report, &[]);
    assert_eq!((all.code, all.err.as_str()), (1, ""), "{}", all.out);
    let lines = fs::read_to_string(&report).expect("written");
    let clashes: Vec<_> = lines
        .lines()
        .map(json)
        .filter(|line| line["type"] == "clash")
        .collect();
    let words = ["a", "b", "kind", "distance"];
    let found: Vec<String> = clashes
        .iter()
        .map(|clash| words.map(|word| clash[word].to_string()).join(" "))
        .collect();
    let expected = [
        r#""pipe 1" "wall" "overlap" -1.125"#,
        r#""slab" "wall" "touch" 0.0"#,
    ];
    // The shortest way out of the wall is up: 2.75 - 1, or sideways: 1.125 - 0, or along the pipe: 2.25 - 1.
    assert_eq!(found, expected);
    fs::write(&rules, r#"{"rules": [
        {"between": ["pipe*", "wall"], "clearance": 0.25, "tolerance": 0.001, "name": "pipes keep off walls"},
        {"between": ["pump", "*"]}]}"#).expect("written");
    let refused = checked(&room, &report, &["--rules", text(&rules)]);
    refused
        .assert_refused(r#"rule "pump, *" matches no pair of parts, and no part matches pump; "#);
    let optional = fs::read_to_string(&rules)
        .expect("written")
        .replace(r#"["pump", "*"]"#, r#"["pump", "*"], "optional": true"#);
    fs::write(&rules, optional).expect("written");
    let by_rules = checked(&room, &report, &["--rules", text(&rules), "--json"]);
    let summary = json(&by_rules.out);
    assert_eq!(by_rules.code, 1);
    assert_eq!(
        (&summary["clashes"], &summary["faults"]),
        (&2.into(), &2.into())
    );
    assert_eq!(summary["rules"][0]["rule"], "pipes keep off walls");
    assert_eq!(summary["unmatched_patterns"], json(r#"["pump"]"#));
    let clean = checked(&room, &report, &["--tolerance", "2"]);
    assert_eq!(clean.code, 0, "{}", clean.out);
    clean.assert_out("touch");
    clean.assert_out("not proven");
}

#[test]
fn two_assemblies_and_a_table() {
    let root = folder("clash_two");
    let (room, report) = (room(&root), root.join("report.csv"));
    let ran = run(&["clash", text(&room), text(&room), "-o", text(&report)]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let table = fs::read_to_string(&report).expect("written");
    // Each part is there twice; those that touch or overlap do both ways.
    assert_eq!(table.matches(",duplicate,").count(), 4, "{table}");
    assert_eq!(table.lines().count(), 1 + 4 + 2 * 2, "{table}");
}
