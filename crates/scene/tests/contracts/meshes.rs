//! Meshes that shapes name by their paths.

use std::fs::{self, File};
use std::path::PathBuf;

use clearance_math::{Pose, Vec3};
use clearance_scene::{
    AnyScene, MOST_MESH_BYTES, MeshFiles, PairLine, Scene, read_scene_with_files,
};

const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 2\nf 2 3 4\n";

/// A folder of its own for the test `name`, with a mesh in it.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("inner.obj")).unwrap();
    fs::write(folder.join("floor.obj"), OBJ).unwrap();
    folder
}

fn scene_of(paths: &[&str]) -> String {
    let bodies: Vec<String> = paths
        .iter()
        .map(|path| format!(r#"{{"shape": {{"type": "mesh", "path": "{path}"}}}}"#))
        .collect();
    format!(r#"{{"dimension": 3, "bodies": [{}]}}"#, bodies.join(", "))
}

fn read(text: &str, files: &MeshFiles) -> Scene<Vec3> {
    let scene = read_scene_with_files(text, files).unwrap();
    scene.into_space().unwrap()
}

#[test]
fn a_file_is_read_once_and_its_mesh_is_shared() {
    let folder = folder("once");
    let files = MeshFiles::in_folder(&folder);
    let scene = read(&scene_of(&["floor.obj", "floor.obj"]), &files);
    fs::remove_file(folder.join("floor.obj")).unwrap();
    let later = read(&scene_of(&["floor.obj"]), &files);
    let shape = |scene: &Scene<Vec3>, body: usize| {
        let shape = scene.shape_of(&scene.bodies[body]).unwrap();
        shape.clone()
    };
    assert_eq!(shape(&scene, 0), shape(&later, 0));
    let bounds = shape(&scene, 1).bounds(&Pose::IDENTITY);
    assert!((bounds.max - Vec3::new(1.0, 0.0, 1.0)).length() < 1e-6);
}

#[test]
fn a_scene_with_a_mesh_file_is_written_with_its_path() {
    let folder = folder("written");
    let files = MeshFiles::in_folder(&folder);
    let scene = read(&scene_of(&["floor.obj"]), &files);
    let mut text = Vec::new();
    AnyScene::Space(scene.clone()).write(&mut text).unwrap();
    assert_eq!(read(str::from_utf8(&text).unwrap(), &files), scene);
}

#[test]
fn every_file_that_cannot_be_read_is_named_with_its_field() {
    let folder = folder("named");
    fs::write(folder.join("floor.off"), OBJ).unwrap();
    let names = ["no.obj", "floor.off", "inner.obj", "floor.obj", "no.stl"];
    let read = read_scene_with_files(&scene_of(&names), &MeshFiles::in_folder(&folder));
    let problems = read.unwrap_err();
    let found: Vec<_> = problems
        .list()
        .iter()
        .map(|problem| (problem.path.as_str(), problem.text.as_str()))
        .collect();
    let expected = [
        ("bodies[0].shape.path", "no.obj: cannot be read: "),
        (
            "bodies[1].shape.path",
            "floor.off: must end in .obj or .stl",
        ),
        ("bodies[2].shape.path", "inner.obj: is not a file"),
        ("bodies[4].shape.path", "no.stl: cannot be read: "),
    ];
    assert_eq!(found.len(), expected.len(), "{problems}");
    for ((path, text), (expected_path, expected_text)) in found.into_iter().zip(expected) {
        assert_eq!(path, expected_path);
        assert!(text.contains(expected_text), "{text}");
    }
}

#[test]
fn a_file_that_is_too_long_is_refused_before_it_is_read() {
    let folder = folder("long");
    // A file with a hole takes no room on the disk.
    let file = File::create(folder.join("long.stl")).unwrap();
    file.set_len(MOST_MESH_BYTES + 1).unwrap();
    let line = r#"{"id": 1, "dimension": 3, "a": {"shape": {"type": "mesh", "path": "long.stl"}},
        "b": {"shape": {"type": "ball", "radius": 1}}}"#;
    let answer = PairLine::read(line.as_bytes(), &MeshFiles::in_folder(&folder)).answer();
    let text = answer.to_string();
    let most = format!(
        "has {} bytes, must have at most {MOST_MESH_BYTES}",
        MOST_MESH_BYTES + 1
    );
    assert!(
        text.contains("a.shape.path: ") && text.contains(&most),
        "{text}"
    );
}
