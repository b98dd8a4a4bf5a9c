//! Scenes whose contacts are known to the bit, whatever the machine, threads and backend.
//!
//! A change of the engine that changes answers changes the hashes; then look at what else it
//! changes, and write them anew with `UPDATE_GOLDEN=1 cargo test -p clearance-cli --test command golden_hashes`.
//!
//! The file begins with what else it takes to step the scenes, so that it can be compared with engines
//! on other platforms, which this test does not run on: see `.ci/wasm` and `.ci/processors`.

use std::fmt::Write;

use crate::common::{json, run, run_on};

/// A scene of every kind, and how many bodies each has.
const SCENES: [(&str, &str); 15] = [
    ("balls", "200"),
    ("mixed", "200"),
    ("hulls", "60"),
    ("pile", "120"),
    ("sparse", "400"),
    ("sizes", "200"),
    ("city", "400"),
    ("terrain", "200"),
    ("level", "300"),
    ("assembly", "60"),
    ("balls2", "200"),
    ("mixed2", "200"),
    ("pile2", "120"),
    ("voxels", "200"),
    ("tiles2", "200"),
];

const SEED: &str = "11";
const FRAMES: &str = "12";
const DT: &str = "0.02";

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden_hashes.txt");

fn scene(kind: &str, count: &str) -> String {
    let ran = run(&["generate", kind, "--count", count, "--seed", SEED]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{kind}");
    ran.out
}

fn hashes(scene: &str, options: &[&str]) -> String {
    let run = ["run", "-", "--hash", "--frames", FRAMES, "--dt", DT];
    let all = [&run, options].concat();
    let ran = run_on(&all, scene.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.out
}

#[test]
fn contacts_of_scenes_have_the_known_hashes() {
    let mut text = format!("seed {SEED}, frames {FRAMES}, dt {DT}\n\n");
    for (kind, count) in SCENES {
        let lines = hashes(&scene(kind, count), &[]);
        writeln!(text, "{kind} {count}\n{lines}").expect("a text takes any number of lines");
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(FILE, &text).expect("the file can be written");
    }
    let known = std::fs::read_to_string(FILE).expect("the file is there");
    for (found, known) in text.split("\n\n").zip(known.split("\n\n")) {
        assert_eq!(found, known);
    }
    assert_eq!(text, known);
}

#[test]
fn hashes_do_not_depend_on_the_backend() {
    for (kind, count) in SCENES {
        let scene = scene(kind, count);
        let expected = hashes(&scene, &[]);
        for backend in ["rtree", "brute"] {
            let found = hashes(&scene, &["--backend", backend]);
            assert_eq!(found, expected, "{kind} {backend}");
        }
    }
}

/// A number of pairs that is large enough to be shared among threads.
const WORTH_SHARING: u64 = 600;

#[test]
fn hashes_do_not_depend_on_threads() {
    // Enough bodies for many pairs, and in one scene for their motion, to be shared among threads.
    let scenes = [
        ("sizes", "9000"),
        ("mixed", "700"),
        ("pile", "150"),
        ("mixed2", "900"),
        ("terrain", "700"),
    ];
    for (kind, count) in scenes {
        let scene = scene(kind, count);
        let table = run_on(&["run", "-", "--frames", "1", "--json"], scene.as_bytes());
        let pairs = json(&table.out)["pairs"]["median"].as_u64();
        assert!(pairs > Some(WORTH_SHARING), "{kind}: {pairs:?} pairs");
        let expected = hashes(&scene, &[]);
        for threads in ["2", "4"] {
            let found = hashes(&scene, &["--threads", threads]);
            assert_eq!(found, expected, "{kind} {threads}");
        }
    }
}

#[test]
fn a_hash_is_printed_for_each_frame() {
    let scene = scene("balls2", "100");
    let lines = hashes(&scene, &[]);
    let mut seen = Vec::new();
    for (line, frame) in lines.lines().zip(1..) {
        let (number, hash) = line.split_once(' ').expect("two words a line");
        assert_eq!(number, frame.to_string());
        assert!(
            hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(),
            "{line}"
        );
        seen.push(hash.to_owned());
    }
    assert_eq!(seen.len(), 12);
    let as_json = hashes(&scene, &["--json"]);
    let from_json = as_json.lines().map(|line| json(line)["hash"].clone());
    assert!(from_json.eq(seen.iter().map(String::as_str)));
    seen.sort();
    seen.dedup();
    assert_eq!(
        seen.len(),
        12,
        "contacts of moving bodies differ from frame to frame"
    );
}
