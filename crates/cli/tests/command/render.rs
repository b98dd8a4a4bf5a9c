//! Pictures of scenes.

use std::fs;
use std::path::PathBuf;

use crate::common::{run_on, scratch};

const PLANE: &str = r#"{"dimension": 2, "margin": 0.5, "bodies": [
    {"shape": {"type": "half_space", "normal": [0, 1]}, "kind": "fixed"},
    {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [0, 2]},
     "velocity": {"linear": [0, -60]}, "kind": "moving"}]}"#;

const SPACE: &str = r#"{"dimension": 3, "margin": 0.5, "bodies": [
    {"shape": {"type": "cuboid", "half_extents": [1, 1, 1]}, "kind": "fixed"},
    {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [0, 2.25, 0]}, "kind": "moving"}]}"#;

/// Renders to a file of the test's own, and reads it.
fn rendered(name: &str, scene: &str, arguments: &[&str]) -> Vec<u8> {
    let path = scratch(name);
    let path = path.to_str().expect("UTF-8");
    let all = [&["render", "-", "-o", path], arguments].concat();
    let ran = run_on(&all, scene.as_bytes());
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    fs::read(path).expect("written")
}

fn text(name: &str, arguments: &[&str]) -> String {
    String::from_utf8(rendered(name, PLANE, arguments)).expect("UTF-8")
}

#[test]
fn a_plane_scene_becomes_svg() {
    let first = text("plane.svg", &[]);
    assert!(
        first.starts_with("<svg") && first.contains("2 bodies, 0 contacts"),
        "{first}"
    );
    // After a frame the ball touches the ground.
    let second = text("plane_1.svg", &["--frame", "1"]);
    assert!(second.contains("2 bodies, 1 contact<"), "{second}");
    let small = text("plane_small.svg", &["--width", "200", "--height", "100"]);
    assert!(small.contains(r#"viewBox="0 0 200 100""#));
    assert_eq!(text("plane_again.svg", &["--frame", "1"]), second);
}

#[test]
fn a_space_scene_becomes_png() {
    let size = ["--width", "120", "--height", "80"];
    let picture = rendered("space.png", SPACE, &size);
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
    // Width and height in the header.
    assert_eq!(picture[16..24], [0, 0, 0, 120, 0, 0, 0, 80]);
    assert_eq!(rendered("space_again.png", SPACE, &size), picture);
    let bare = rendered("bare.png", SPACE, &[&size[..], &["--no-contacts"]].concat());
    assert_ne!(bare, picture);
    let above = ["--from", "0,9,0", "--towards", "0,-1,0"];
    assert_ne!(
        rendered("above.png", SPACE, &[&size[..], &above].concat()),
        picture
    );
}

#[test]
fn a_picture_of_the_other_dimension_is_refused() {
    for (scene, name, valid) in [(PLANE, "x.png", ".svg"), (SPACE, "x.svg", ".png")] {
        let ran = run_on(&["render", "-", "-o", name], scene.as_bytes());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        let expected = format!("choose a name that ends in {valid}");
        ran.assert_err(&expected);
        ran.assert_err(name);
        assert!(!PathBuf::from(name).exists());
    }
    for name in ["picture", "picture.jpg", "-"] {
        let ran = run_on(&["render", "-", "-o", name], PLANE.as_bytes());
        ran.assert_refused(".svg");
        ran.assert_err(".png");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    let path = scratch("refused.png");
    let path = path.to_str().expect("UTF-8");
    for (line, expected) in [
        ("--width 0", "whole number from 1 to 4096"),
        ("--height 5000", "whole number from 1 to 4096"),
        ("--from 1,2", "three numbers with commas"),
        (
            "--from 1,2,nan --towards 0,0,0",
            "three numbers with commas",
        ),
        ("--from 1,2,3", "--towards"),
        (
            "--from 1,2,3 --towards 1,2,3",
            "camera.towards equals camera.from",
        ),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let all = [&["render", "-", "-o", path], &arguments[..]].concat();
        run_on(&all, SPACE.as_bytes()).assert_refused(expected);
    }
    for (line, expected) in [
        (
            "render - -o x.svg --from 1,2,3 --towards 0,0,0",
            "leave out --from",
        ),
        (
            "render - -o no/such/x.svg",
            "clearance: cannot write no/such",
        ),
        ("render no-such-scene.json -o x.svg", "no-such-scene.json"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        run_on(&arguments, PLANE.as_bytes()).assert_refused(expected);
    }
}
