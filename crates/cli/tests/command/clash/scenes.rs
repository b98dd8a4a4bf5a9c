//! Pictures of clashes, and scenes of the parts that clash.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{boxes, checked, clashes_of, folder, room, text};
use crate::common::{json, run, run_on};

#[test]
fn a_clash_is_drawn_in_space_and_cut_through() {
    let root = folder("clash_drawn");
    let (room, report) = (room(&root), root.join("report.jsonl"));
    let drawn = |number: &[&str]| {
        let (png, svg) = (root.join("clash.png"), root.join("clash.svg"));
        let both = ["--png", text(&png), "--svg", text(&svg)];
        let ran = checked(&room, &report, &[&both[..], number].concat());
        assert_eq!((ran.code, ran.err.as_str()), (1, ""));
        (
            fs::read(png).expect("written"),
            fs::read_to_string(svg).expect("written"),
        )
    };
    let (png, svg) = drawn(&[]);
    assert!(png.starts_with(b"\x89PNG"));
    // The outlines of both parts, the curves in which they cross, and a dot at each point.
    assert_eq!(svg.matches("<path fill=\"none\" d=").count(), 3, "{svg}");
    assert_eq!(svg.matches("<circle").count(), 2, "{svg}");
    // The pipe through the wall is the first clash, and the deepest.
    assert_eq!(drawn(&["--clash", "1"]), (png.clone(), svg.clone()));
    assert_ne!(drawn(&["--clash", "2"]), (png, svg));
    let none = checked(&room, &report, &["--clash", "3", "--png", "x.png"]);
    assert_eq!(none.code, 2);
    none.assert_err("no clash 3 to draw");
}

/// A side of a pair line: the body of a scene whose shape has a name.
fn side(scene: &Value, name: &str) -> Value {
    let mut bodies = scene["bodies"].as_array().expect("a list").iter();
    let body = bodies.find(|body| body["shape"] == name).expect(name);
    json!({"shape": scene["shapes"][name], "pose": body["pose"]})
}

/// What the scene answers for each clash is between the bounds of the report. Names of parts have a prefix in the scene.
fn assert_same_distances(report: &Path, scene: &Path, prefixes: [&str; 2]) {
    let scene = json(&fs::read_to_string(scene).expect("written"));
    let clashes = clashes_of(report);
    let mut lines = String::new();
    for clash in &clashes {
        let [a, b] = [("a", prefixes[0]), ("b", prefixes[1])].map(|(key, prefix)| {
            let name = clash[key].as_str().expect("a name");
            side(&scene, &format!("{prefix}{name}"))
        });
        lines += &format!("{}\n", json!({"dimension": 3, "a": a, "b": b}));
    }
    let answers = run_on(&["query"], lines.as_bytes());
    assert_eq!((answers.code, answers.err.as_str()), (0, ""));
    for (clash, answer) in clashes.iter().zip(answers.out.lines()) {
        let [distance, lower, upper] =
            [&json(answer)["distance"], &clash["lower"], &clash["upper"]]
                .map(|number| number.as_f64().expect("a number"));
        assert!((lower..=upper).contains(&distance), "{clash}: {answer}");
    }
}

#[test]
fn the_scene_has_the_parts_that_clash_where_they_are() {
    let root = folder("clash_scene");
    let far = |x: f64| {
        let at = 1e6 + x;
        ([at, 0.0, 0.0], [at + 1.0, 1.0, 1.0])
    };
    let parts: Vec<_> = [
        ("far 1", 0.0),
        ("far 2", 0.75),
        ("far 3", 1.8125),
        ("lone", 9.0),
    ]
    .map(|(name, x)| (name.to_owned(), far(x).0, far(x).1))
    .into();
    let input = root.join("far.obj");
    fs::write(&input, boxes(&parts)).expect("written");
    let (report, scene) = (root.join("report.jsonl"), root.join("scene.json"));
    let arguments = ["--clearance", "0.125", "--scene", text(&scene)];
    let ran = checked(&input, &report, &arguments);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(clashes_of(&report).len(), 2);
    assert_same_distances(&report, &scene, ["", ""]);
    let written = json(&fs::read_to_string(&scene).expect("written"));
    assert_eq!(written["bodies"].as_array().map(Vec::len), Some(3));
    for (name, low, high) in &parts[..3] {
        let side = side(&written, name);
        let numbers = |value: &Value| value.as_array().expect("a list").clone();
        let corners = numbers(&side["shape"]["vertices"]);
        for axis in 0..3 {
            let start = side["pose"]["translation"][axis]
                .as_f64()
                .expect("a number");
            let places: Vec<f64> = corners
                .iter()
                .map(|corner| start + corner[axis].as_f64().expect("a number"))
                .collect();
            assert_eq!(
                places.iter().copied().fold(f64::INFINITY, f64::min),
                low[axis]
            );
            assert_eq!(
                places.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                high[axis]
            );
        }
    }
    // All of the clashes are contacts of the scene, that of a gap as well.
    let contacts = run(&["run", text(&scene), "--frames", "1", "--contacts", "-"]);
    let contacts = &json(&contacts.out)["contacts"];
    assert_eq!(contacts.as_array().map(Vec::len), Some(2));
}

#[test]
fn the_scene_of_two_assemblies_says_which_one_a_part_is_of() {
    let root = folder("clash_scene_two");
    let room = room(&root);
    let (report, scene) = (root.join("report.jsonl"), root.join("scene.json"));
    let arguments = [text(&room), "--scene", text(&scene)];
    assert_eq!(checked(&room, &report, &arguments).code, 1);
    assert_eq!(clashes_of(&report).len(), 8);
    assert_same_distances(&report, &scene, ["a/", "b/"]);
    // A table has the same scene, and so has what clashes with nothing.
    let (table, other) = (root.join("report.csv"), root.join("other.json"));
    assert_eq!(
        checked(&room, &table, &[text(&room), "--scene", text(&other)]).code,
        1
    );
    assert_eq!(
        fs::read(&other).expect("written"),
        fs::read(&scene).expect("written")
    );
    let lone = root.join("lone.obj");
    fs::write(&lone, boxes(&[("lone".to_owned(), [0.0; 3], [1.0; 3])])).expect("written");
    assert_eq!(checked(&lone, &report, &["--scene", text(&scene)]).code, 0);
    assert_eq!(run(&["check", text(&scene)]).code, 0);
}

#[test]
fn a_scene_that_cannot_have_all_parts_says_so() {
    let root = folder("clash_scene_large");
    // Pairs of cubes that overlap, the deepest last.
    let parts: Vec<_> = (0..5_010)
        .flat_map(|pair| {
            let (x, depth) = (4.0 * f64::from(pair), 0.1 + 1e-5 * f64::from(pair));
            [("left", x), ("right", x + 1.0 - depth)]
                .map(|(name, x)| (format!("{name} {pair}"), [x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]))
        })
        .collect();
    let input = root.join("pairs.obj");
    fs::write(&input, boxes(&parts)).expect("written");
    let (report, scene) = (root.join("report.jsonl"), root.join("scene.json"));
    let ran = checked(&input, &report, &["--scene", text(&scene)]);
    assert!(
        ran.code == 1 && ran.err.contains("has the parts of 5000 of 5010 clashes"),
        "{}",
        ran.err
    );
    let written = json(&fs::read_to_string(&scene).expect("written"));
    let shapes = written["shapes"].as_object().expect("an object");
    assert_eq!(shapes.len(), 10_000);
    assert!(shapes.contains_key("left 5009") && !shapes.contains_key("left 9"));
}
