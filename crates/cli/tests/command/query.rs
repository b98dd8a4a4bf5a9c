//! Pair lines and their answers. What answers say is in the tests of the scene crate.

use std::io::{BufRead, BufReader, Read, Write};

use crate::common::{Ran, command, json, run, run_on, scratch, spawn};

fn balls(id: usize, distance: f32) -> String {
    let ball = r#"{"type": "ball", "radius": 1}"#;
    format!(
        r#"{{"id": {id}, "dimension": 3, "a": {{"shape": {ball}}}, "b": {{"shape": {ball}, "pose": {{"translation": [0, {distance}, 0]}}}}}}"#
    )
}

#[test]
fn numbers_are_read_to_the_nearest_and_written_to_read_back() {
    // Halfway between two singles but for the last digit: rounding by way of f64 would go wrong.
    let text = "7.000000238418579101563";
    let point = |line: &str| -> f64 {
        let ran = run_on(&["query"], line.as_bytes());
        json(&ran.out)["point_b"][1].to_string().parse().unwrap()
    };
    // Shapes are in single precision, places in double.
    let segment = format!(r#"{{"type": "segment", "a": [0, {text}, 0], "b": [0, 9, 0]}}"#);
    let ball = r#"{"type": "ball", "radius": 1}"#;
    let line = balls(0, 0.0);
    let start = line.rfind(ball).unwrap();
    let with_segment = format!("{}{segment}{}", &line[..start], &line[start + ball.len()..]);
    let single: f32 = text.parse().unwrap();
    assert_eq!(point(&with_segment), f64::from(single));
    let moved = line.replace("0, 0, 0]", &format!("0, {text}, 0]"));
    let double: f64 = text.parse().unwrap();
    assert_eq!(point(&moved), double - 1.0);
    assert_ne!(f64::from(single), double);
}

#[test]
fn a_long_stream_is_answered_in_order() {
    let count = 200_000;
    let input: String = (0..count)
        .map(|id| balls(id, id as f32) + if id % 2 == 0 { "\n" } else { "\r\n" })
        .collect();
    let ran = run_on(&["query", "-"], input.as_bytes());
    assert_eq!(ran.code, 0);
    let mut answered = 0;
    for (id, line) in ran.out.lines().enumerate() {
        assert!(
            line.starts_with(&format!("{{\"id\":{id},\"distance\":")),
            "{line}"
        );
        answered += 1;
    }
    assert_eq!(answered, count);
}

#[test]
fn an_answer_comes_before_the_next_line_is_written() {
    let mut child = spawn(&["query"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(input, "{}", balls(id, 3.0)).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(json(&answer)["id"], id);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = spawn(&["query"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let line = balls(0, 3.0) + "\n";
    while input.write_all(line.as_bytes()).is_ok() {}
    let mut complaint = String::new();
    let mut errors = child.stderr.take().unwrap();
    errors.read_to_string(&mut complaint).unwrap();
    assert_eq!(complaint, "");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn files_are_read_and_missing_ones_named() {
    let path = scratch("pairs.jsonl");
    std::fs::write(&path, balls(5, 3.0) + "\n").unwrap();
    assert_eq!(run(&["query", path.to_str().unwrap()]).code, 0);
    let ran = run(&["query", "no-such-file.jsonl"]);
    ran.assert_refused("clearance: cannot read no-such-file.jsonl");
    assert_eq!(ran.err.lines().count(), 1);
    let folder = run(&["query", env!("CARGO_TARGET_TMPDIR")]);
    assert_eq!(folder.code, 2, "{}", folder.err);
}

#[test]
fn empty_input_ends_with_2_as_the_help_says() {
    run_on(&["query"], b"").assert_refused("clearance: standard input is empty");
    let path = scratch("empty.jsonl");
    std::fs::write(&path, "").unwrap();
    assert_eq!(run(&["query", path.to_str().unwrap()]).code, 2);
    run(&["query", "--help"]).assert_out("2 if the input is empty");
}

#[test]
fn a_refused_line_is_named_by_its_id_or_else_by_its_number() {
    let input = format!("{}\n{{\n{{\"id\": 5}}\n", balls(1, 3.0));
    let ran = run_on(&["query"], input.as_bytes());
    let answers: Vec<_> = ran.out.lines().map(json).collect();
    let lines: Vec<_> = answers
        .iter()
        .map(|answer| answer["line"].as_u64())
        .collect();
    assert_eq!((ran.code, lines), (1, vec![None, Some(2), None]));
}

#[test]
fn fields_that_look_like_ours_are_warned_about_once() {
    let line = balls(1, 3.0).replace("{\"id\"", "{\"within\": 1, \"note\": 2, \"id\"");
    let ran = run_on(&["query"], format!("{line}\n{line}\n").as_bytes());
    assert_eq!((ran.code, ran.out.lines().count()), (0, 2));
    assert_eq!(ran.err.lines().count(), 1);
    ran.assert_err("clearance: warning: line 1: the field \"within\" ");
}

/// A folder of its own for the test `name`, with a mesh in a folder inside.
fn folder_with_mesh(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    std::fs::create_dir_all(folder.join("meshes")).unwrap();
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 4 2\n";
    std::fs::write(folder.join("meshes/floor.obj"), mesh).unwrap();
    folder
}

const FLOOR: &str = r#"{"type": "mesh", "path": "meshes/floor.obj"}"#;

#[test]
fn meshes_are_found_beside_the_file_or_in_the_current_folder() {
    let folder = folder_with_mesh("beside");
    let line = format!(
        r#"{{"dimension": 3, "ask": "point", "point": [0.75, 2, 0.25], "b": {{"shape": {FLOOR}}}}}"#
    );
    std::fs::write(folder.join("pairs.jsonl"), line).unwrap();
    let path = folder.join("pairs.jsonl");
    let beside = run(&["query", path.to_str().unwrap()]);
    let within = |arguments: &[&str]| -> Ran {
        let mut command = command(arguments);
        let input = std::fs::File::open(&path).unwrap();
        command
            .current_dir(&folder)
            .stdin(input)
            .output()
            .unwrap()
            .into()
    };
    for ran in [
        beside,
        within(&["query", "pairs.jsonl"]),
        within(&["query"]),
    ] {
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let answer = json(&ran.out);
        assert_eq!(
            (&answer["distance"], &answer["part_b"]),
            (&json("2.0"), &json("1"))
        );
    }
}

#[test]
fn scenes_with_mesh_files_are_checked_and_run() {
    let folder = folder_with_mesh("level");
    let scene = format!(
        r#"{{"dimension": 3, "margin": 0.1, "bodies": [{{"shape": {FLOOR}, "kind": "fixed"}},
            {{"shape": {{"type": "ball", "radius": 0.5}}, "pose": {{"translation": [0.75, 0.5, 0.25]}}}}]}}"#
    );
    let path = folder.join("scene.json");
    let path = path.to_str().unwrap();
    std::fs::write(path, &scene).unwrap();
    assert_eq!(run(&["check", path]).code, 0);
    let ran = run(&["run", path, "--frames", "1", "--contacts", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let contact = &json(&ran.out)["contacts"][0];
    assert_eq!(
        (&contact["part_a"], &contact["part_b"]),
        (&json("1"), &json("0"))
    );
    std::fs::write(path, scene.replace("floor", "none")).unwrap();
    let ran = run(&["check", path]);
    assert_eq!(ran.code, 1);
    ran.assert_out("scene.json:1: bodies[0].shape.path: ");
}

#[test]
fn a_scene_that_is_given_as_pairs_is_recognized() {
    let scene = run(&["generate", "balls", "--count", "3"]).out;
    for text in [scene.clone(), scene.replace('\n', " ")] {
        let ran = run_on(&["query"], text.as_bytes());
        assert_eq!(ran.code, 1);
        assert_eq!(
            ran.err.matches("`bodies` is a field of scenes").count(),
            1,
            "{}",
            ran.err
        );
        let last = ran.err.lines().last();
        assert!(
            last.is_some_and(|last| last.contains("`bodies`")),
            "{}",
            ran.err
        );
    }
}
