//! Where a run writes its contacts.

use std::fs::{self, File};
use std::path::PathBuf;

use crate::common::{Ran, command, json, run, run_on, scratch, spawn};

const SCENE: &str = r#"{"dimension": 2, "bodies": [
    {"shape": {"type": "ball", "radius": 1}}, {"shape": {"type": "ball", "radius": 2}}]}"#;

/// A folder of its own for the test `name`, with a scene in it.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("inner")).unwrap();
    fs::write(folder.join("scene.json"), SCENE).unwrap();
    folder
}

fn assert_refused(ran: &Ran, folder: &std::path::Path) {
    ran.assert_refused("it is the scene itself");
    assert_eq!(
        fs::read_to_string(folder.join("scene.json")).unwrap(),
        SCENE
    );
}

#[test]
fn a_run_does_not_overwrite_its_scene() {
    let folder = folder("overwrite");
    let scene = folder.join("scene.json");
    let scene = scene.to_str().unwrap();
    let other_names = [
        scene.to_owned(),
        format!("{}/inner/../scene.json", folder.display()),
    ];
    for name in &other_names {
        assert_refused(&run(&["run", scene, "--contacts", name]), &folder);
        assert_refused(&run(&["run", name, "--contacts", scene]), &folder);
    }
    let from_within = command(&["run", "scene.json", "--contacts", "./scene.json"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_refused(&from_within.into(), &folder);
}

#[cfg(unix)]
#[test]
fn a_run_does_not_overwrite_its_scene_through_links() {
    let folder = folder("links");
    let [scene, soft, hard] =
        ["scene.json", "soft.json", "hard.json"].map(|name| folder.join(name));
    std::os::unix::fs::symlink(&scene, &soft).unwrap();
    fs::hard_link(&scene, &hard).unwrap();
    for link in [&soft, &hard] {
        let [scene, link] = [&scene, link].map(|path| path.to_str().unwrap());
        assert_refused(&run(&["run", scene, "--contacts", link]), &folder);
        assert_refused(&run(&["run", link, "--contacts", scene]), &folder);
    }
}

#[test]
fn a_run_does_not_overwrite_the_file_that_is_its_standard_input() {
    let folder = folder("redirected");
    let scene = folder.join("scene.json");
    let output = command(&["run", "-", "--contacts", scene.to_str().unwrap()])
        .stdin(File::open(&scene).unwrap())
        .output()
        .unwrap();
    assert_refused(&output.into(), &folder);
}

#[test]
fn a_minus_sends_contacts_to_standard_output_and_the_table_to_standard_error() {
    let folder = folder("minus");
    let output = command(&[
        "run",
        "scene.json",
        "--frames",
        "3",
        "--contacts",
        "-",
        "--json",
    ])
    .current_dir(&folder)
    .output()
    .unwrap();
    let ran = Ran::from(output);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 3));
    for (line, frame) in ran.out.lines().zip(1..) {
        assert_eq!(json(line)["frame"], frame);
        assert_eq!(json(line)["contacts"].as_array().map(Vec::len), Some(1));
    }
    assert_eq!(json(&ran.err)["frames"], 3);
    assert!(!folder.join("-").exists());
}

#[test]
fn hashes_and_contacts_do_not_share_standard_output() {
    let ran = run_on(&["run", "-", "--contacts", "-", "--hash"], SCENE.as_bytes());
    ran.assert_refused("clearance: cannot write both");
}

#[test]
fn a_reader_of_contacts_that_has_seen_enough_is_no_failure() {
    let mut child = spawn(&["run", "-", "--frames", "1000000000", "--contacts", "-"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, SCENE.as_bytes()).unwrap();
    drop(input);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}
