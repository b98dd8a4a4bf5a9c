//! The examples of `docs/file-formats.md` are read, and answered as the page says.

use clearance_scene::{
    AnyScene, ContactLine, MeshFiles, RunOptions, SceneLine, SceneRunner, answer_line, read_scene,
    read_scene_with_files,
};
use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/file-formats.md");

/// The examples that the page marks with `kind`, in order.
fn examples(kind: &str) -> Vec<&'static str> {
    let blocks = PAGE.split("```json ").skip(1);
    blocks
        .filter_map(|block| block.split("```").next()?.strip_prefix(kind))
        .map(str::trim)
        .collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn every_example_is_of_a_kind_that_is_tested() {
    let kinds = [
        "shape",
        "mesh file",
        "pose",
        "pair",
        "answer",
        "scene",
        "contacts",
        "question",
        "hits",
        // The tests of the command have this one, and those of clash checks the other.
        "replay",
        "rules",
    ];
    let tested: usize = kinds.iter().map(|kind| examples(kind).len()).sum();
    assert_eq!(tested, PAGE.matches("```json").count());
    assert_eq!(PAGE.matches("```").count(), 2 * tested);
}

#[test]
fn shapes_and_poses_are_read() {
    let ball = r#"{"type": "ball", "radius": 1}"#;
    let shapes = examples("shape").into_iter().map(|shape| (shape, "{}"));
    let poses = examples("pose").into_iter().map(|pose| (ball, pose));
    let all: Vec<_> = shapes.chain(poses).collect();
    assert_eq!(all.len(), 14);
    for (shape, pose) in all {
        let dimension = if shape.contains("polygon") { 2 } else { 3 };
        let scene = format!(
            r#"{{"dimension": {dimension}, "bodies": [{{"shape": {shape}, "pose": {pose}}}]}}"#
        );
        assert!(read_scene(&scene).is_ok(), "{scene}");
    }
}

#[test]
fn a_mesh_file_is_named_relative_to_a_folder() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(folder.join("meshes")).unwrap();
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";
    std::fs::write(folder.join("meshes/level.obj"), mesh).unwrap();
    let shapes = examples("mesh file");
    assert_eq!(shapes.len(), 2);
    for shape in shapes {
        let scene = format!(r#"{{"dimension": 3, "bodies": [{{"shape": {shape}}}]}}"#);
        assert!(read_scene_with_files(&scene, &MeshFiles::in_folder(&folder)).is_ok());
    }
}

#[test]
fn every_type_of_the_table_is_known_and_no_other() {
    let rows = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let types: Vec<&str> = rows
        .filter(|(_, rest)| {
            ["2, 3 |", "2 |", "3 |"]
                .iter()
                .any(|it| rest.starts_with(it))
        })
        .map(|(name, _)| name)
        .collect();
    let scene = r#"{"dimension": 3, "bodies": [{"shape": {"type": "?"}}]}"#;
    let refusal = read_scene(scene).unwrap_err().to_string();
    let known = refusal.split("known are ").nth(1).unwrap();
    assert_eq!(known.split(", ").collect::<Vec<_>>(), types);
}

#[test]
fn pairs_are_answered_as_the_page_says() {
    let answers = examples("answer");
    let pairs = examples("pair");
    assert_eq!((pairs.len(), answers.len()), (6, 9));
    // The answers to the first pair, then three others, then those to the other pairs.
    for (pair, answer) in pairs.iter().zip([0, 4, 5, 6, 7, 8]) {
        let found = answer_line(pair.as_bytes()).to_string();
        assert_eq!(json(&found), json(answers[answer]), "{found}");
    }
    let half_space = r#"{"shape": {"type": "half_space", "normal": [0, 1]}}"#;
    let line = format!(r#"{{"id": 3, "dimension": 2, "a": {half_space}, "b": {half_space}}}"#);
    assert_eq!(answer_line(line.as_bytes()).to_string(), answers[1]);
    let line = br#"{"id": "t1", "dimension": 2, "a": {"shape": {"type": "ball"}}}"#;
    assert_eq!(answer_line(line).to_string(), answers[2]);
    assert_eq!(answer_line(b"\xff").at_line(7).to_string(), answers[3]);
}

#[test]
fn scenes_run_and_their_contacts_look_as_the_page_says() {
    let scenes = examples("scene");
    assert_eq!(scenes.len(), 1);
    let scene = read_scene(scenes[0])
        .map(AnyScene::into_plane)
        .unwrap()
        .unwrap();
    let mut runner = SceneRunner::new(&scene, RunOptions::default()).unwrap();
    while runner.world().contacts().is_empty() {
        runner.step(0.25).unwrap();
    }
    let contacts = runner.world().contacts();
    // The wall and the shot that flies; shots do not meet each other.
    assert_eq!((contacts[0].a.index(), contacts[0].b.index()), (0, 1));
    assert_eq!(contacts.len(), 1);
    let line = ContactLine {
        frame: 1,
        world: runner.world(),
    };
    let (written, shown) = (
        serde_json::to_value(&line).unwrap(),
        json(examples("contacts")[0]),
    );
    let keys = |line: &Value| -> Vec<String> {
        line["contacts"][0]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(keys(&written), keys(&shown));
}

#[test]
fn questions_to_the_scene_are_answered_as_the_page_says() {
    let scene = read_scene(examples("scene")[0]).unwrap();
    let scene = scene.into_plane().unwrap();
    let runner = SceneRunner::new(&scene, RunOptions::default()).unwrap();
    let (questions, hits) = (examples("question"), examples("hits"));
    assert_eq!((questions.len(), hits.len()), (2, 2));
    for (question, expected) in questions.into_iter().zip(hits) {
        let line = SceneLine::read(question.as_bytes(), &MeshFiles::none(), scene.bodies.len());
        let found = line.answer(runner.world()).to_string();
        assert_eq!(found, expected);
    }
}
