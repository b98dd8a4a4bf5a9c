//! The world that the page shows is the one that the engine steps.

use clearance_scene::{AnyScene, RunOptions, SceneKind, SceneRunner, answer_line, generate};
use serde_json::{Value, json};

use crate::page::{Answer, Page, numbers};

const DT: f32 = 1.0 / 60.0;

fn open(kind: &str, count: usize) -> Page {
    let mut page = Page::new();
    page.ask(&json!({ "do": "world.generate", "kind": kind, "count": count, "seed": 5 }));
    page
}

fn step(page: &mut Page, count: u32) -> Answer {
    page.ask(&json!({ "do": "world.step", "dt": DT, "count": count }))
}

/// The hash after that many frames of the scene, stepped without a playground.
fn hash_of(kind: SceneKind, count: usize, frames: usize) -> String {
    let options = RunOptions::default();
    let hash = match generate(kind, count, 5) {
        AnyScene::Plane(scene) => {
            let mut runner = SceneRunner::new(&scene, options).unwrap();
            (0..frames).for_each(|_| runner.step(DT).unwrap());
            runner.world().contacts_hash()
        }
        AnyScene::Space(scene) => {
            let mut runner = SceneRunner::new(&scene, options).unwrap();
            (0..frames).for_each(|_| runner.step(DT).unwrap());
            runner.world().contacts_hash()
        }
    };
    format!("{hash:016x}")
}

#[test]
fn frames_are_those_of_the_scene() {
    for kind in [SceneKind::Mixed, SceneKind::Mixed2, SceneKind::Terrain] {
        let mut page = open(kind.name(), 60);
        let frame = step(&mut page, 20).json;
        assert_eq!(frame["frame"], 20);
        assert_eq!(frame["hash"], hash_of(kind, 60, 20), "{kind}");
        assert!(frame["milliseconds"].as_f64().unwrap() > 0.0);
        let stages = frame["stages"].as_array().unwrap();
        assert_eq!(stages.len(), 5);
        assert!(
            stages
                .iter()
                .all(|stage| stage["milliseconds"].as_f64().unwrap() >= 1.0)
        );
    }
}

#[test]
fn going_back_and_on_again_gives_the_same_frames() {
    for kind in ["mixed", "pile2"] {
        let mut page = open(kind, 50);
        let hashes: Vec<Value> = (0..45)
            .map(|_| step(&mut page, 1).json["hash"].clone())
            .collect();
        for frame in [44, 1, 8, 17, 45, 23, 30] {
            let sought = page.told(&json!({ "do": "world.seek", "frame": frame }));
            assert_eq!(
                (&sought["frame"], &sought["last"]),
                (&json!(frame), &json!(45))
            );
            assert_eq!(sought["hash"], hashes[frame - 1], "{kind} {frame}");
        }
        for frame in 31..=45 {
            let stepped = step(&mut page, 1).json;
            assert_eq!(stepped["last"], json!(frame));
            assert_eq!(stepped["hash"], hashes[frame - 1], "{kind} {frame}");
        }
    }
}

#[test]
fn a_body_that_is_moved_is_measured_again_and_stays_moved() {
    let mut page = open("mixed", 50);
    step(&mut page, 12);
    let before = page.told(&json!({ "do": "world.body", "index": 7 }));
    let target = page.told(&json!({ "do": "world.body", "index": 30 }));
    let moved = page.ask(&json!({
        "do": "world.move", "index": 7, "translation": target["translation"], "rotation": [0, 0, 0, 1],
    }));
    assert_eq!(moved.json["frame"], 12);
    let after = page.told(&json!({ "do": "world.body", "index": 7 }));
    assert_ne!(before["translation"], after["translation"]);
    assert_eq!(after["translation"], target["translation"]);
    assert_eq!(numbers(&after["rotation"]), [0.0, 0.0, 0.0, 1.0]);
    let touches = |number: &Value| {
        let contact = page.told(&json!({ "do": "world.contact", "number": number }));
        [&contact["a"], &contact["b"]].map(|index| index.as_u64().unwrap()) == [7, 30]
    };
    assert!(after["contacts"].as_array().unwrap().iter().any(touches));

    // What comes after is stepped from there, also after going back.
    let on = step(&mut page, 9).json["hash"].clone();
    page.ask(&json!({ "do": "world.seek", "frame": 12 }));
    assert_eq!(step(&mut page, 9).json["hash"], on);
    let back = page.told(&json!({ "do": "world.seek", "frame": 11 }));
    assert_eq!(back["hash"], hash_of(SceneKind::Mixed, 50, 11));
}

#[test]
fn numbers_of_a_frame_are_those_of_its_bodies_and_contacts() {
    for kind in ["mixed", "mixed2"] {
        let mut page = open(kind, 80);
        let frame = step(&mut page, 10);
        let poses = frame.floats(&frame.json["poses"]);
        assert_eq!(poses.len(), 7 * 80);
        for (index, pose) in poses.chunks_exact(7).enumerate() {
            let body = page.told(&json!({ "do": "world.body", "index": index }));
            let translation = numbers(&body["translation"]);
            assert!((translation.iter().zip(pose)).all(|(a, b)| *a as f32 == *b));
            let length: f32 = pose[3..].iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-5, "{pose:?}");
        }
        let count = frame.json["contact_count"].as_u64().unwrap();
        let (words, values) = {
            let span = &frame.json["contacts"];
            (frame.integers(span), frame.floats(span))
        };
        assert!(count > 20);
        assert_eq!(words.len() as u64, 13 * count);
        for number in 0..count as usize {
            let contact = page.told(&json!({ "do": "world.contact", "number": number }));
            let (word, value) = (&words[13 * number..], &values[13 * number..]);
            assert_eq!(
                [&contact["a"], &contact["b"]],
                [&json!(word[0]), &json!(word[1])]
            );
            assert_eq!(contact["distance"].as_f64().unwrap() as f32, value[3]);
            assert!(
                numbers(&contact["normal"])[..]
                    .iter()
                    .zip(&value[10..])
                    .all(|(a, b)| *a as f32 == *b)
            );
        }
    }
}

#[test]
fn a_contact_is_what_its_line_asks_for() {
    for kind in ["mixed", "mixed2", "hulls", "terrain", "assembly"] {
        let mut page = open(kind, 40);
        let frame = step(&mut page, 3).json;
        let count = frame["contact_count"].as_u64().unwrap().min(30);
        assert!(count > 0, "{kind}");
        for number in 0..count {
            let contact = page.told(&json!({ "do": "world.contact", "number": number }));
            let answer = answer_line(contact["pair"].as_str().unwrap().as_bytes());
            let answer: Value = serde_json::from_str(&answer.to_string()).unwrap();
            let [ours, theirs] = [&contact, &answer].map(|json| json["distance"].as_f64().unwrap());
            // An angle of the plane is rounded in the line.
            let slack = if kind == "mixed2" { 1e-5 } else { 0.0 };
            assert!((ours - theirs).abs() <= slack, "{kind}: {contact} {answer}");
        }
    }
}

#[test]
fn shapes_are_drawn_once_and_bodies_name_them() {
    let mut page = open("mixed", 200);
    let shapes = page.ask(&json!({ "do": "world.shapes" }));
    let list = shapes.json["shapes"].as_array().unwrap();
    let body_shapes = shapes.integers(&shapes.json["body_shapes"]);
    assert_eq!(body_shapes.len(), 200);
    assert!(list.len() < 60, "{} shapes", list.len());
    for shape in list {
        let vertices = shapes.floats(&shape["vertices"]);
        let triangles = shapes.integers(&shape["triangles"]);
        assert!(vertices.iter().all(|coordinate| coordinate.is_finite()));
        assert!(triangles.len() >= 12 && triangles.len().is_multiple_of(3));
        assert!(
            triangles
                .iter()
                .all(|index| (*index as usize) < vertices.len() / 3)
        );
    }
    let kinds = shapes.integers(&shapes.json["body_kinds"]);
    assert!(kinds.iter().all(|kind| *kind == 1));
    for index in [0, 99, 199] {
        let body = page.told(&json!({ "do": "world.body", "index": index }));
        assert_eq!(
            body["shape_kind"],
            list[body_shapes[index] as usize]["kind"]
        );
    }
}

#[test]
fn boxes_of_bodies_and_of_the_tree() {
    let mut page = open("balls", 300);
    step(&mut page, 1);
    let boxes = page.ask(&json!({ "do": "world.boxes", "of": "bodies" }));
    assert_eq!(boxes.floats(&boxes.json["boxes"]).len(), 6 * 300);
    let levels = boxes.json["levels"].as_u64().unwrap();
    assert!(levels >= 4, "{levels}");
    let mut last = 0;
    for level in 0..3 {
        let tree = page.ask(&json!({ "do": "world.boxes", "of": "tree", "level": level }));
        let count = tree.floats(&tree.json["boxes"]).len() / 6;
        assert!(count > last, "{count} boxes of level {level}");
        last = count;
    }
}

#[test]
fn the_surfaces_of_two_bodies_cross_in_closed_curves() {
    // Corner n of a cube from -1 to 1 has the bits of n as its signs, and a corner of one cube is the middle of the other, far from the origin.
    let vertices: Vec<[f32; 3]> = (0..8)
        .map(|corner| [1, 2, 4].map(|bit| if corner & bit == 0 { -1.0 } else { 1.0 }))
        .collect();
    let cube = json!({ "type": "mesh", "vertices": vertices, "triangles": [
        [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
        [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
    ] });
    let at =
        |shape: &Value, x: f32| json!({ "shape": shape, "pose": { "translation": [x, x, x] } });
    let ball = json!({ "type": "ball", "radius": 1.0 });
    let bodies = [at(&cube, 64.0), at(&cube, 65.0), at(&ball, 64.0)];
    let scene = json!({ "dimension": 3, "bodies": bodies }).to_string();
    let mut page = Page::new();
    page.ask(&json!({ "do": "world.load", "scene": scene }));
    let mut crossing = |a, b| {
        let answer = page.ask(&json!({ "do": "world.crossing", "a": a, "b": b }));
        answer.floats(&answer.json["segments"])
    };

    let segments = crossing(0, 1);
    let length = |ends: &[f32]| {
        (0..3)
            .map(|k| (ends[k] - ends[k + 3]).powi(2))
            .sum::<f32>()
            .sqrt()
    };
    // Six edges of the unit cube that both have in common.
    assert_eq!(segments.chunks_exact(6).map(length).sum::<f32>(), 6.0);
    assert!(segments.iter().all(|x| (64.0..=65.0).contains(x)));
    assert!(crossing(0, 2).is_empty(), "no curve of a ball is drawn");
    let beyond = page.error(&json!({ "do": "world.crossing", "a": 0, "b": 3 }));
    assert!(
        beyond.contains("index is 3, must be less than 3"),
        "{beyond}"
    );
}

#[test]
fn the_pointer_finds_the_body_under_it() {
    let mut page = open("mixed2", 60);
    for index in 0..60 {
        let body = page.told(&json!({ "do": "world.body", "index": index }));
        let picked = page.told(&json!({ "do": "world.pick", "point": body["translation"] }));
        let alone = body["contacts"].as_array().unwrap().is_empty();
        if alone && body["shape_kind"] == "ball" {
            assert_eq!(picked["body"], index);
        }
    }
    assert_eq!(
        page.told(&json!({ "do": "world.pick", "point": [1e4, 0, 0] }))["body"],
        Value::Null
    );

    let mut page = open("balls", 60);
    let body = page.told(&json!({ "do": "world.body", "index": 11 }));
    let [x, y, z] = numbers(&body["translation"])[..] else {
        unreachable!()
    };
    let ray = json!({ "do": "world.pick", "origin": [x, y, z], "direction": [0, 0, -1] });
    assert_eq!(page.told(&ray)["distance"], 0.0);
    let away = json!({ "do": "world.pick", "origin": [0, 1e4, 0], "direction": [0, 1, 0] });
    assert_eq!(page.told(&away)["body"], Value::Null);
}

#[test]
fn what_is_saved_is_opened_again_as_it_was() {
    for kind in ["mixed", "balls2", "terrain"] {
        let mut page = open(kind, 60);
        let frame = step(&mut page, 15).json;
        let saved = page.told(&json!({ "do": "world.save" }));
        let opened = page.told(&json!({ "do": "world.load", "scene": saved["scene"] }));
        assert_eq!(
            (&opened["bodies"], &opened["frame"]),
            (&json!(60), &json!(0))
        );
        let again = page.told(&json!({ "do": "world.frame" }));
        assert_eq!(again["hash"], frame["hash"], "{kind}");
    }
}

#[test]
fn bodies_with_equal_shapes_of_their_own_are_drawn_as_one_shape_for_good() {
    let hull = json!({ "type": "hull", "points": [[0, 0], [1, 0], [0.9, 0.8], [0, 1]] });
    let at = |x: f32| json!({ "shape": hull, "pose": { "translation": [x, 0] } });
    let scene = json!({ "dimension": 2, "bodies": [at(0.0), at(3.0)] }).to_string();
    let mut page = Page::new();
    page.ask(&json!({ "do": "world.load", "scene": scene }));
    let before = step(&mut page, 1).json["layout"].clone();
    assert_eq!(step(&mut page, 1).json["layout"], before);
    let drawn = page.told(&json!({ "do": "world.shapes" }));
    assert_eq!(drawn["shapes"].as_array().map(Vec::len), Some(1));
}
