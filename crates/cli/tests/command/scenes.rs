//! Scenes made, checked and run.

use crate::common::{Ran, json, run, run_on, scratch};

const KINDS: [&str; 15] = [
    "balls", "mixed", "hulls", "pile", "sparse", "sizes", "city", "terrain", "level", "assembly",
    "voxels", "balls2", "mixed2", "pile2", "tiles2",
];

fn generate(kind: &str, count: &str) -> String {
    let ran = run(&["generate", kind, "--count", count, "--seed", "3"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{kind}");
    ran.out
}

#[test]
fn made_scenes_are_valid_json_and_valid_scenes() {
    for kind in KINDS {
        let scene = generate(kind, "50");
        assert_eq!(json(&scene)["bodies"].as_array().map(Vec::len), Some(50));
        assert_eq!(generate(kind, "50"), scene);
        let ran = run_on(&["check", "-"], scene.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{kind}: {}", ran.out);
        let is_valid = ran.out.starts_with("standard input: valid, ");
        assert!(is_valid, "{}", ran.out);
    }
}

/// The contacts file of a run.
fn contacts(kind: &str, scene: &str, arguments: &[&str]) -> String {
    let path = scratch(&format!("{kind}{}.jsonl", arguments.concat()));
    let name = path.to_str().unwrap();
    let all = [&["run", "-", "--contacts", name], arguments].concat();
    let ran = run_on(&all, scene.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{kind}");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_table_says_what_a_run_cost() {
    let scene = generate("city", "100");
    let ran = run_on(&["run", "-", "--frames", "5"], scene.as_bytes());
    assert_eq!(ran.err, "");
    for word in [
        "bodies",
        "10 moving",
        "pairs",
        "contacts",
        "measure",
        "frames a second",
        "bytes",
    ] {
        ran.assert_out(word);
    }
    let ran = run_on(&["run", "-", "--frames", "5", "--json"], scene.as_bytes());
    let table = json(&ran.out);
    assert_eq!(
        (&table["bodies"], &table["frames"]),
        (&100.into(), &5.into())
    );
    let median = table["frame_milliseconds"]["median"].as_f64().unwrap();
    let rate = table["frames_per_second"].as_f64().unwrap();
    assert!((rate * median - 1e3).abs() < 1e-6, "{table}");
    assert!(table["frame_milliseconds"]["p95"].as_f64() >= Some(median));
    assert!(table["stage_milliseconds"]["measure"]["median"].is_number());
    assert!(table["bytes_per_body"].as_u64() > Some(0));
}

#[test]
fn bodies_stay_within_the_bounds() {
    let scene = r#"{"dimension": 2, "margin": 0.5, "bounds": {"min": [-1, -1], "max": [1, 1]},
        "shapes": {"dot": {"type": "ball", "radius": 0.1}},
        "bodies": [
          {"shape": "dot", "velocity": {"linear": [7, -3]}},
          {"shape": {"type": "cuboid", "half_extents": [2, 2]}, "kind": "fixed"}]}"#;
    let text = contacts("bounded", scene, &["--frames", "500"]);
    for line in text.lines() {
        // A body that had left the bounds would be too far from the fixed box for a contact.
        let contact = &json(line)["contacts"][0];
        assert_eq!((&contact["a"], &contact["b"]), (&0.into(), &1.into()));
        assert!(contact["distance"].as_f64() < Some(-1.0));
    }
    assert_eq!(text.lines().count(), 500);
}

/// The contacts of the first frame of four balls at one place, as pairs of their numbers.
fn pairs_of(bodies: &[&str]) -> Vec<(u64, u64)> {
    let ball = r#""shape": {"type": "ball", "radius": 1}"#;
    let bodies: Vec<String> = bodies
        .iter()
        .map(|fields| format!("{{{ball}{fields}}}"))
        .collect();
    let scene = format!(r#"{{"dimension": 3, "bodies": [{}]}}"#, bodies.join(", "));
    let ran = run_on(
        &["run", "-", "--frames", "1", "--contacts", "-"],
        scene.as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = json(&ran.out);
    let contacts = line["contacts"].as_array().unwrap();
    let number = |contact: &serde_json::Value, side: &str| contact[side].as_u64().unwrap();
    contacts
        .iter()
        .map(|contact| (number(contact, "a"), number(contact, "b")))
        .collect()
}

#[test]
fn groups_of_a_scene_decide_which_pairs_exist() {
    let player = r#", "groups": {"memberships": 1, "filter": 4294967294}"#;
    let wall = r#", "groups": {"memberships": 2}"#;
    assert_eq!(pairs_of(&[player, player, wall]), [(0, 2), (1, 2)]);
    assert_eq!(pairs_of(&["", r#", "groups": {}"#]), [(0, 1)]);
    assert_eq!(pairs_of(&["", r#", "groups": {"filter": 0}"#]), []);
}

#[test]
fn fixed_bodies_may_be_called_static() {
    let [fixed, also_fixed] = ["fixed", "static"].map(|kind| format!(r#", "kind": "{kind}""#));
    assert_eq!(pairs_of(&[&fixed, &also_fixed, ""]), [(0, 2), (1, 2)]);
    assert!(generate("city", "20").contains(r#""kind":"fixed""#));
}

#[test]
fn the_extra_margin_of_a_body_counts() {
    let far = r#", "pose": {"translation": [2.5, 0, 0]}"#;
    assert_eq!(pairs_of(&["", far]), []);
    assert_eq!(pairs_of(&[r#", "extra_margin": 0.75"#, far]), [(0, 1)]);
}

fn check(scene: &str) -> Ran {
    run_on(&["check", "-"], scene.as_bytes())
}

#[test]
fn check_lists_the_first_mistakes_with_line_and_path() {
    let ran = check(
        r#"{"dimension": 3, "margin": -1, "gravity": 9.8,
        "bounds": {"min": [1, 0, 0], "max": [0, 0, 0]},
        "shapes": {"box": {"type": "cuboid", "half_extents": [0, 1, -1]},
            "box": {"type": "ball", "radius": 1}},
        "bodies": [
          {"shape": "box", "pose": {"translation": [1e400, 0, 0]}},
          {"shape": "bix", "kind": "fast", "groups": {"filter": -1, "memberships": 1.5}},
          {"shape": {"type": "ball", "radius": 0},
           "velocity": {"linear": [1, 2], "angular": 3, "spin": 1}},
          7]}"#,
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let expected = [
        "1: gravity: unknown field",
        "1: margin: is -1",
        "2: bounds: min exceeds max",
        "3: shapes.box.half_extents[0]: is 0",
        "4: shapes.box: given twice",
        "6: bodies[0].pose.translation[0]: is 1e400",
        "7: bodies[1].shape: no shape is named \"bix\"",
        "7: bodies[1].kind: is \"fast\", must be \"moving\" or \"fixed\"",
        "7: bodies[1].groups.memberships: is 1.5, must be a whole number",
        "8: bodies[2].shape.radius: is 0",
        "9: bodies[2].velocity.linear: has 2 numbers",
        "10: bodies[3]: is 7",
    ];
    for line in expected {
        let full = format!("standard input:{line}");
        ran.assert_out(&full);
    }
    assert!(ran.out.lines().count() >= expected.len());
}

#[test]
fn pairs_that_are_given_as_a_scene_are_recognized() {
    let pair = "{\"id\": 1, \"dimension\": 3, \"a\": {}, \"b\": {}}\n";
    for pairs in [pair.to_owned(), pair.repeat(3)] {
        let ran = check(&pairs);
        let expected = "standard input:1: has the fields of a pair: `clearance query` answers questions about pairs\n";
        assert_eq!((ran.code, ran.out.as_str()), (1, expected));
    }
}

#[test]
fn what_is_not_a_scene_is_refused() {
    let cases = [
        ("", "empty, must be an object"),
        ("[]", "must be an object"),
        ("{\"dimension\": 3}", "bodies: missing"),
        ("{\"bodies\": []}", "dimension: missing"),
        (
            "{\"dimension\": 3, \"bodies\": {}}",
            "bodies: is an object, must be a list",
        ),
        (
            "{\"dimension\": 3,\n \"bodies\": [{}, {\"shape\": }]}",
            ":2: bodies[1].shape: expected",
        ),
        (
            "{\"dimension\": 3, \"bodies\": [{}",
            "bodies: the text ends before the end of a list",
        ),
        (
            "{\"dimension\": 3,\n \"bodies\": [{\"pose\": {\"translation\": [0, NaN, 0]}}]}",
            ":2: bodies[0].pose.translation[1]: is NaN, must be a finite number",
        ),
    ];
    for (scene, named) in cases {
        let ran = check(scene);
        assert_eq!(ran.code, 1, "{scene}");
        ran.assert_out(named);
        let ran = run_on(&["run", "-"], scene.as_bytes());
        ran.assert_refused("is not a valid scene");
        let is_all = !ran.err.contains("clearance check");
        assert!(is_all && ran.err.lines().count() == 1, "{}", ran.err);
    }
    let ran = run_on(&["run", "-"], br#"{"dimension": 3, "bodies": [{}, 5]}"#);
    let words = "; `clearance check` lists all 2 problems\n";
    ran.assert_refused(words);
    assert!(ran.err.ends_with(words), "{}", ran.err);
    run_on(&["check", "-"], b"{\"dimension\": \xff}").assert_refused("not UTF-8");
}

#[test]
fn what_may_be_left_out_is_left_out() {
    let scene = r#"{"dimension": 2, "bodies": [{"shape": {"type": "ball", "radius": 1}}]}"#;
    assert_eq!(check(scene).code, 0);
    let ran = run_on(&["run", "-", "--frames", "1", "--json"], scene.as_bytes());
    assert_eq!(json(&ran.out)["moving"], 1);
}

/// Presses Ctrl-C during a run that would not end by itself.
#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_the_table_so_far_and_ends_with_130() {
    use crate::common::{interrupt, spawn};

    let path = scratch("interrupted.json");
    std::fs::write(&path, generate("balls2", "500")).unwrap();
    let name = path.to_str().unwrap();
    let child = spawn(&["run", name, "--frames", "1000000000", "--json"]);
    // Long enough for the command to start; if it is not, the signal ends it and the test fails.
    std::thread::sleep(std::time::Duration::from_secs(2));
    interrupt(&child);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (130, ""));
    assert!(json(&ran.out)["frames"].as_u64() > Some(0));
}
