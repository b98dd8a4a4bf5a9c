//! Arguments, help and exit codes.

use crate::common::{json, run, run_on};

#[test]
fn arguments_that_cannot_be_used_end_with_2() {
    let cases: [&[&str]; 15] = [
        &[],
        &["fly"],
        &["query", "a", "b"],
        &["query", "--fast"],
        &["ask"],
        &["ask", "a", "b", "c"],
        &["generate"],
        &["generate", "cats"],
        &["generate", "balls", "--seed", "x"],
        &["check"],
        &["run"],
        &["run", "-", "--dt", "nan"],
        &["run", "-", "--backend", "octree"],
        &["render", "-"],
        &["render", "-o", "x.svg"],
    ];
    for arguments in cases {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let digits = "whole number from 0 to 100000000, in digits: 10000";
    let cases = [
        ("run - --dt -1", "number of seconds, zero or more"),
        ("run - --dt -0.5e-3", "number of seconds, zero or more"),
        ("run - --dt inf", "number of seconds, zero or more"),
        ("run - --frames -7", "whole number from 0 to 1844"),
        ("run - --threads -2", "whole number from 1 to 1024"),
        ("run - --threads 0", "whole number from 1 to 1024"),
        (
            "generate balls --count -1",
            "whole number from 0 to 100000000",
        ),
        ("generate balls --count 1e4", digits),
        ("generate balls --count 10_000", digits),
        ("generate balls --seed -1", "whole number from 0 to 1844"),
    ];
    for (line, wording) in cases {
        let arguments: Vec<&str> = line.split(' ').collect();
        let ran = run(&arguments);
        ran.assert_refused(wording);
        ran.assert_err(&format!("invalid value '{}'", arguments[3]));
    }
}

#[test]
fn help_names_the_page_of_the_file_formats() {
    const PAGE: &str = "docs/file-formats.md";
    for arguments in [
        &["--help"][..],
        &["query", "--help"],
        &["ask", "--help"],
        &["run", "--help"],
        &["render", "--help"],
        &["check", "--help"],
        &["clash", "--help"],
        &["view", "--help"],
    ] {
        assert!(run(arguments).out.contains(PAGE), "{arguments:?}");
    }
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    assert!(std::path::Path::new(root).join(PAGE).is_file());
}

#[test]
fn files_that_cannot_be_used_end_with_2_and_one_sentence() {
    let cases: [&[&str]; 3] = [
        &["run", "no-such-scene.json"],
        &["check", "no-such-scene.json"],
        &[
            "run",
            "-",
            "--frames",
            "1",
            "--contacts",
            "no/such/folder/c.jsonl",
        ],
    ];
    let scene = br#"{"dimension": 2, "bodies": []}"#;
    for arguments in cases {
        let ran = run_on(arguments, scene);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with("clearance: cannot "), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1);
    }
}

#[test]
fn help_shows_examples() {
    for command in [
        "query", "ask", "run", "render", "generate", "check", "clash", "view",
    ] {
        let ran = run(&[command, "--help"]);
        assert_eq!(ran.code, 0);
        ran.assert_out(&format!("clearance {command} "));
        ran.assert_out("Example");
    }
    assert!(run(&["--help"]).out.contains("clearance generate mixed"));
}

/// Recordings, pairs and the world of a game are not stepped by the command.
#[test]
fn help_of_view_says_which_options_are_those_of_a_scene() {
    let help = run(&["view", "--help"]).out;
    let (others, of_scene) = help.split_once("Options of a scene:").unwrap();
    for option in ["--backend", "--threads"] {
        let is_there = |text: &str| text.contains(&format!("      {option} <"));
        assert!(is_there(of_scene) && !is_there(others), "{help}");
    }
}

#[test]
fn the_example_of_the_help_works() {
    let help = run(&["--help"]).out;
    let start = help.find("'{").expect("an example in quotes") + 1;
    let end = help[start..].find("}' |").expect("its end") + start + 1;
    let line = help[start..end].replace('\n', "");
    let ran = run_on(&["query"], line.as_bytes());
    assert_eq!((ran.code, &json(&ran.out)["distance"]), (0, &json("1.5")));
}

/// Every query of the help is one line, and its answer is the one that the help shows.
#[test]
fn the_sample_of_query_help_is_usable_as_typed() {
    let help = run(&["query", "--help"]).out;
    let lines = help.lines().map(str::trim_start);
    let samples: Vec<&str> = lines.filter(|line| line.starts_with('{')).collect();
    assert_eq!(samples.len(), 4, "{help}");
    for sample in &samples {
        assert!(json(sample).is_object(), "{sample}");
    }
    let ran = run_on(&["query"], samples[0].as_bytes());
    assert_eq!((ran.code, ran.out.trim_end()), (0, samples[1]));
}

#[test]
fn a_scene_without_bodies_or_frames_runs() {
    let scene = br#"{"dimension": 3, "bodies": []}"#;
    for frames in ["0", "3"] {
        let ran = run_on(&["run", "-", "--frames", frames, "--json"], scene);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert_eq!(json(&ran.out)["frames"].to_string(), frames);
    }
}
