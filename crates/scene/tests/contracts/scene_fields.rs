//! Swept bodies and ignored pairs of scene files.

use clearance_scene::{AnyScene, RunOptions, SceneRunner, read_scene};

/// A fast bullet in front of a thin wall, and three balls at one place.
const SCENE: &str = r#"{"dimension": 2,
    "shapes": {"ball": {"type": "ball", "radius": 0.1}},
    "ignored_pairs": [[4, 3], [2, 3], [3, 4]],
    "bodies": [
        {"shape": {"type": "cuboid", "half_extents": [0.01, 5]}, "kind": "fixed"},
        {"shape": "ball", "pose": {"translation": [-5, 0]}, "velocity": {"linear": [600, 0]}, "swept": true},
        {"shape": "ball", "pose": {"translation": [0, 50]}},
        {"shape": "ball", "pose": {"translation": [0, 50]}},
        {"shape": "ball", "pose": {"translation": [0, 50]}}
    ]}"#;

#[test]
fn swept_bodies_and_ignored_pairs_are_read_and_written_and_run() {
    let scene = read_scene(SCENE).unwrap();
    let mut text = Vec::new();
    scene.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(read_scene(&text).unwrap(), scene, "{text}");
    let AnyScene::Plane(scene) = scene else {
        unreachable!("{text}");
    };
    assert_eq!(scene.ignored_pairs, [[2, 3], [3, 4]]);

    let mut runner = SceneRunner::new(&scene, RunOptions::default()).unwrap();
    runner.step(1.0 / 60.0).unwrap();
    let contacts = runner.world().contacts();
    let pairs: Vec<_> = contacts
        .iter()
        .map(|contact| (contact.a.index(), contact.b.index()))
        .collect();
    // That with the wall lies behind the bullet: it is there because the bullet is swept.
    assert_eq!(pairs, [(0, 1), (2, 4)]);
    let impacts = runner.world().impacts();
    let pairs: Vec<_> = impacts
        .map(|impact| (impact.a.index(), impact.b.index()))
        .collect();
    assert_eq!(pairs, [(0, 1)]);
}

#[test]
fn pairs_of_bodies_that_do_not_exist_are_refused() {
    for (pairs, expected) in [
        (
            "[[0, 5]]",
            "ignored_pairs[0][1]: is 5, must be a whole number from 0 to 4",
        ),
        ("[[0, 1], [2, 2]]", "ignored_pairs[1]: names body 2 twice"),
        (
            "[[0, 1, 2]]",
            "ignored_pairs[0]: has 3 indices, must have 2",
        ),
        ("[[0, -1]]", "ignored_pairs[0][1]: is -1"),
        ("7", "ignored_pairs: is 7, must be a list"),
    ] {
        let text = SCENE.replace("[[4, 3], [2, 3], [3, 4]]", pairs);
        let problems = read_scene(&text).unwrap_err().to_string();
        assert!(problems.starts_with(expected), "{problems}");
    }
}

#[test]
fn margins_of_bodies_are_written_however_small() {
    let text = SCENE.replace("\"swept\": true", "\"extra_margin\": 1e-30");
    let scene = read_scene(&text).unwrap();
    let mut written = Vec::new();
    scene.write(&mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert!(written.contains("extra_margin"), "{written}");
    assert_eq!(read_scene(&written).unwrap(), scene);
}
