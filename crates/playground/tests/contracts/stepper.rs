//! The stepper shows the steps that the engine takes, in the axes of the world.

use clearance_gjk::{Placed, trace};
use clearance_math::{Pose, Quat, Vec3};
use clearance_scene::answer_line;
use clearance_shapes::Shape;
use serde_json::{Value, json};

use crate::page::{Answer, Page, numbers};

fn line(x: f32) -> String {
    json!({
        "id": "pair", "dimension": 3,
        "a": {"shape": {"type": "hull", "points": [[1, 0, 0], [-1, 0, 0], [0, 2, 0], [0, 0, 1.5], [0.5, -1, -1]]},
              "pose": {"translation": [0.5, 0, 0], "rotation": [0, 0.6, 0, 0.8]}},
        "b": {"shape": {"type": "cylinder", "half_height": 1, "radius": 0.5},
              "pose": {"translation": [x, 0.25, 0.5], "rotation": [0.6, 0, 0, 0.8]}},
    })
    .to_string()
}

fn steps_of(line: &str) -> Answer {
    Page::new().ask(&json!({ "do": "pair.trace", "line": line }))
}

#[test]
fn the_answer_is_that_of_the_query() {
    for x in [0.75, 4.0] {
        let shown = steps_of(&line(x)).json;
        let answer = answer_line(line(x).as_bytes()).to_string();
        assert_eq!(
            shown["answer"],
            serde_json::from_str::<Value>(&answer).unwrap()
        );
        assert_eq!(
            (&shown["dimension"], &shown["ask"]),
            (&json!(3), &json!("distance"))
        );
    }
}

#[test]
fn simplices_are_those_of_the_trace() {
    let shown = steps_of(&line(4.0)).json;
    let points = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.0, 0.0, 1.5],
        [0.5, -1.0, -1.0],
    ];
    let hull = Shape::hull(points.map(Vec3::from)).unwrap();
    let cylinder = Shape::cylinder(1.0, 0.5).unwrap();
    let pose_a = Pose::new(Vec3::X * 0.5, Quat::from_xyzw(0.0, 0.6, 0.0, 0.8));
    let pose_b = Pose::new(
        Vec3::new(4.0, 0.25, 0.5),
        Quat::from_xyzw(0.6, 0.0, 0.0, 0.8),
    );
    let steps = trace(Placed::new(&hull, &pose_a), Placed::new(&cylinder, &pose_b)).unwrap();

    let search = shown["search"].as_array().unwrap();
    assert_eq!(search.len(), steps.len());
    for (shown, step) in search.iter().zip(&steps) {
        let vertices = shown["vertices"].as_array().unwrap();
        assert_eq!(vertices.len(), step.simplex.vertices().len());
        assert_eq!(numbers(&shown["weights"]), step.simplex.weights());
        assert_eq!(shown["upper"].as_f64().unwrap(), step.upper);
        for (shown, vertex) in vertices.iter().zip(step.simplex.vertices()) {
            let turned = pose_a.rotation.as_dquat().normalize() * vertex.point;
            let point = numbers(&shown["point"]);
            assert!(turned.distance(glam::DVec3::from_slice(&point)) < 1e-6);
            let on_a = glam::DVec3::from_slice(&numbers(&shown["on_a"]));
            let on_b = glam::DVec3::from_slice(&numbers(&shown["on_b"]));
            assert!((on_a - on_b).distance(turned) < 1e-6);
        }
        let names = ["vertex", "edge", "face", "interior"];
        assert!(names.contains(&shown["region"].as_str().unwrap()));
    }
    assert!(shown["expansion"].as_array().unwrap().is_empty());
    assert!(shown["cast"].is_null());
}

#[test]
fn an_overlap_is_expanded_to_its_depth() {
    let shown = steps_of(&line(0.75)).json;
    let expansion = shown["expansion"].as_array().unwrap();
    assert!(expansion.len() > 2);
    let last = expansion.last().unwrap();
    let depth = -shown["answer"]["distance"].as_f64().unwrap();
    assert!(depth > 0.1);
    let [lower, upper] = ["lower", "upper"].map(|key| last[key].as_f64().unwrap());
    assert!(
        lower <= depth + 1e-6 && depth <= upper + 1e-6,
        "{lower} {depth} {upper}"
    );
    // The normal of the last face is that of the answer.
    let [normal, answer] = [&last["normal"], &shown["answer"]["normal"]].map(numbers);
    let cosine: f64 = normal.iter().zip(&answer).map(|(a, b)| a * b).sum();
    assert!(cosine.abs() > 0.999, "{normal:?} {answer:?}");
    let vertices = last["vertices"].as_array().unwrap().len();
    for face in last["faces"].as_array().unwrap() {
        assert_eq!(numbers(face).len(), 3);
        assert!(
            numbers(face)
                .iter()
                .all(|index| (*index as usize) < vertices)
        );
    }
}

/// The greatest coordinate along each axis.
fn farthest(answer: &Answer, drawn: &Value) -> [f32; 3] {
    let vertices = answer.floats(&drawn["vertices"]);
    [0, 1, 2].map(|axis| {
        let along = vertices.chunks_exact(3).map(|vertex| vertex[axis]);
        along.fold(f32::NEG_INFINITY, f32::max)
    })
}

#[test]
fn shapes_and_difference_lie_in_the_axes_of_the_world() {
    let turned = json!({
        "dimension": 2,
        "a": {"shape": {"type": "cuboid", "half_extents": [3, 1]}, "pose": {"rotation": 1.570_796_4}},
        "b": {"shape": {"type": "rounded", "shape": {"type": "cuboid", "half_extents": [0.5, 0.25]}, "radius": 0.125},
              "pose": {"translation": [10, 0]}},
    });
    let shown = steps_of(&turned.to_string());
    let near = |point: [f32; 3], expected: [f32; 3]| {
        assert!(
            (0..3).all(|k| (point[k] - expected[k]).abs() < 1e-4),
            "{point:?}, not {expected:?}"
        );
    };
    near(farthest(&shown, &shown.json["a"]), [1.0, 3.0, 0.0]);
    near(farthest(&shown, &shown.json["b"]), [10.625, 0.375, 0.0]);
    near(
        farthest(&shown, &shown.json["difference"]),
        [-8.5, 3.25, 0.0],
    );
    assert_eq!(shown.json["radius"], 0.125);
    assert_eq!(shown.json["a"]["points"].as_array().unwrap().len(), 4);
    assert_eq!(shown.json["a"]["core"], "polytope");
}

#[test]
fn a_difference_with_a_curved_shape_is_drawn_too() {
    let shown = steps_of(&line(4.0));
    let difference = &shown.json["difference"];
    let far = farthest(&shown, difference);
    // The cylinder is turned about x, so that along x the support of both is known.
    let on_a = farthest(&shown, &shown.json["a"]);
    assert!((far[0] - (on_a[0] - 3.5)).abs() < 0.02, "{far:?} {on_a:?}");
}

#[test]
fn every_question_of_a_pair_file_is_shown() {
    let ball = r#"{"shape": {"type": "ball", "radius": 1}}"#;
    let cube = r#"{"shape": {"type": "cuboid", "half_extents": [1, 1, 1]}, "pose": {"translation": [5, 0, 0]}}"#;
    let mesh = r#"{"shape": {"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,1,2],[1,2,3]]}}"#;
    let ground = r#"{"shape": {"type": "half_space", "normal": [0, 1, 0]}}"#;
    let compound = r#"{"shape": {"type": "compound", "parts": [{"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [0, 3, 0], "rotation": [0, 0.6, 0, 0.8]}}]}}"#;
    for (question, searched, cast) in [
        (format!(r#""a": {ball}, "b": {cube}"#), true, false),
        (
            format!(r#""ask": "contacts", "within": 9, "a": {mesh}, "b": {cube}"#),
            true,
            false,
        ),
        (
            format!(r#""ask": "manifold", "within": 9, "a": {cube}, "b": {ball}"#),
            true,
            false,
        ),
        (format!(r#""a": {compound}, "b": {cube}"#), true, false),
        (format!(r#""a": {cube}, "b": {ground}"#), false, false),
        (
            format!(r#""ask": "point", "point": [1, 2, 3], "b": {cube}"#),
            true,
            false,
        ),
        (
            format!(r#""ask": "ray", "origin": [0, 0.5, 0], "direction": [9, 0, 0], "b": {cube}"#),
            true,
            true,
        ),
        (
            format!(
                r#""ask": "cast", "motion_a": {{"linear": [9, 0, 0], "angular": [0, 0, 3]}}, "a": {cube}, "b": {ball}"#
            ),
            true,
            true,
        ),
        (
            format!(
                r#""ask": "cast", "motion_a": {{"linear": [9, 0, 0]}}, "a": {ball}, "b": {cube}"#
            ),
            true,
            true,
        ),
    ] {
        let shown = steps_of(&format!(r#"{{"dimension": 3, {question}}}"#)).json;
        assert_eq!(
            !shown["search"].as_array().unwrap().is_empty(),
            searched,
            "{question}"
        );
        assert_eq!(shown["cast"].is_array(), cast, "{question}");
        assert!(shown["answer"].get("error").is_none(), "{question}");
    }
}

#[test]
fn a_cast_advances_to_its_hit() {
    let text = json!({
        "dimension": 3, "ask": "cast",
        "a": {"shape": {"type": "cuboid", "half_extents": [1, 0.25, 0.25]}, "pose": {"translation": [-5, 0, 0]}},
        "b": {"shape": {"type": "cuboid", "half_extents": [0.5, 2, 2]}},
        "motion_a": {"linear": [8, 0, 0], "angular": [0, 3, 1]},
    });
    let shown = steps_of(&text.to_string()).json;
    let cast = shown["cast"].as_array().unwrap();
    assert!(cast.len() > 2);
    let times: Vec<f64> = cast
        .iter()
        .map(|advance| advance["time"].as_f64().unwrap())
        .collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    let hit = shown["answer"]["time"].as_f64().unwrap();
    assert!(
        (times.last().unwrap() - hit).abs() < 1e-4,
        "{times:?} {hit}"
    );
    // The shapes are drawn where they begin, not where the first advance led.
    assert_eq!(
        numbers(&shown["a"]["pose"]["translation"]),
        [-5.0, 0.0, 0.0]
    );
    for advance in cast {
        let x = numbers(&advance["pose_a"]["translation"])[0];
        assert!((x - (8.0 * advance["time"].as_f64().unwrap() - 5.0)).abs() < 1e-4);
    }
}
