//! Questions of pair files, and what their answers say.

use clearance_scene::{
    AnyScene, ContactLine, MeshFiles, PairLine, RunOptions, SceneRunner, answer_line, read_scene,
};
use serde_json::Value;

const CORNER: &str = r#"{"type": "polyline", "vertices": [[0, 4], [0, 0], [4, 0]]}"#;
const FLOOR: &str = r#"{"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]],
    "triangles": [[0, 2, 1], [1, 2, 3]]}"#;
const BALL: &str = r#"{"type": "ball", "radius": 1}"#;

/// The answer to a line with these fields.
fn answer(dimension: u32, fields: &str) -> Value {
    let line = format!(r#"{{"dimension": {dimension}, {fields}}}"#);
    let text = answer_line(line.as_bytes()).to_string();
    serde_json::from_str(&text).unwrap()
}

fn side(shape: &str, translation: &str) -> String {
    format!(r#"{{"shape": {shape}, "pose": {{"translation": {translation}}}}}"#)
}

fn keys(answer: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = answer
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

#[test]
fn distances_name_parts_if_a_composite_takes_part() {
    let (corner, ball) = (side(CORNER, "[0, 0]"), side(BALL, "[3, 1.5]"));
    let found = answer(2, &format!(r#""a": {corner}, "b": {ball}"#));
    assert_eq!((&found["part_a"], &found["part_b"]), (&1.into(), &0.into()));
    assert_eq!(found["distance"], 0.5);
    let found = answer(2, &format!(r#""a": {ball}, "b": {corner}"#));
    assert_eq!((&found["part_a"], &found["part_b"]), (&0.into(), &1.into()));
    let found = answer(2, &format!(r#""a": {ball}, "b": {ball}"#));
    assert_eq!((found.get("part_a"), found.get("part_b")), (None, None));
}

#[test]
fn shapes_that_do_not_count_for_each_other_have_no_distance() {
    let floor = FLOOR.replace("}", r#", "one_sided": 0.1}"#);
    let apart = |height: f32| {
        let sides = [
            side(&floor, "[0, 0, 0]"),
            side(BALL, &format!("[0.2, {height}, 0.2]")),
        ];
        answer(3, &format!(r#""a": {}, "b": {}"#, sides[0], sides[1]))
    };
    assert_eq!(apart(3.0)["distance"], 2.0);
    let below = serde_json::json!({"distance": null, "counts": false});
    assert_eq!(apart(-3.0), below);
    let point = format!(
        r#""ask": "point", "point": [0.2, -3, 0.2], "b": {}"#,
        side(&floor, "[0, 0, 0]")
    );
    assert_eq!(answer(3, &point), below);
}

#[test]
fn contacts_are_all_pairs_of_parts_within_a_distance() {
    let sides = format!(
        r#""ask": "contacts", "a": {}, "b": {}"#,
        side(CORNER, "[0, 0]"),
        side(BALL, "[1.5, 1.75]")
    );
    let parts = |within: &str| {
        let found = answer(2, &format!("{sides}{within}"));
        assert_eq!(keys(&found), ["contacts"]);
        let contacts = found["contacts"].as_array().unwrap().clone();
        contacts
            .iter()
            .map(|contact| {
                (
                    contact["part_a"].as_u64().unwrap(),
                    contact["distance"].as_f64().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(parts(""), []);
    assert_eq!(parts(r#", "within": 0.25"#), []);
    assert_eq!(parts(r#", "within": 0.5"#), [(0, 0.5)]);
    assert_eq!(parts(r#", "within": 0.75"#), [(0, 0.5), (1, 0.75)]);
    let ball = side(BALL, "[0, 0]");
    let found = answer(
        2,
        &format!(r#""ask": "contacts", "a": {ball}, "b": {ball}"#),
    );
    let expected = [
        "distance", "lower", "normal", "part_a", "part_b", "point_a", "point_b", "status", "upper",
    ];
    assert_eq!(keys(&found["contacts"][0]), expected);
}

#[test]
fn rays_hit_or_miss() {
    let down = |more: &str| {
        let floor = side(FLOOR, "[0, 1, 0]");
        let ray = r#""ask": "ray", "origin": [0.75, 4, 0.75], "direction": [0, -1e-30, 0]"#;
        answer(3, &format!(r#"{ray}, "b": {floor}{more}"#))
    };
    let hit = down("");
    let expected = [
        "distance", "hit", "lower", "normal", "part_b", "point", "status", "upper",
    ];
    assert_eq!(keys(&hit), expected);
    assert_eq!((&hit["hit"], &hit["distance"]), (&true.into(), &3.0.into()));
    assert_eq!(hit["point"], serde_json::json!([0.75, 1.0, 0.75]));
    assert_eq!(hit["part_b"], 1);
    assert_eq!(hit["normal"][1], 1.0);
    assert_eq!(down(r#", "max_distance": 3"#), hit);
    let miss = down(r#", "max_distance": 2.5"#);
    assert_eq!(miss, serde_json::json!({"hit": false}));
}

#[test]
fn rays_from_inside_see_solid_or_hollow_shapes() {
    let from_inside = |solid: &str| {
        let ball = side(BALL, "[0, 0]");
        let ray = r#""ask": "ray", "origin": [0.5, 0], "direction": [2, 0]"#;
        answer(2, &format!(r#"{ray}, "b": {ball}{solid}"#))
    };
    for solid in ["", r#", "solid": true"#] {
        let hit = from_inside(solid);
        assert_eq!(
            (&hit["distance"], &hit["normal"]),
            (&0.0.into(), &Value::Null)
        );
    }
    let hit = from_inside(r#", "solid": false"#);
    assert_eq!(hit["distance"], 0.5);
    assert_eq!(hit["normal"][0], -1.0);
}

#[test]
fn points_have_signed_distances() {
    let at = |point: &str| {
        let floor = side(FLOOR, "[0, 0, 0]");
        answer(
            3,
            &format!(r#""ask": "point", "point": {point}, "b": {floor}"#),
        )
    };
    let found = at("[0.75, 2, 0.75]");
    let expected = [
        "distance", "lower", "normal", "part_b", "point_b", "status", "upper",
    ];
    assert_eq!(keys(&found), expected);
    assert_eq!(
        (&found["distance"], &found["part_b"]),
        (&2.0.into(), &1.into())
    );
    assert_eq!(found["point_b"], serde_json::json!([0.75, 0.0, 0.75]));
    assert_eq!(found["normal"][1], -1.0);
    let ball = side(BALL, "[0, 0]");
    let inside = answer(
        2,
        &format!(r#""ask": "point", "point": [0.25, 0], "b": {ball}"#),
    );
    assert_eq!(inside["distance"], -0.75);
    let below = r#"{"shape": {"type": "half_space", "normal": [0, 1]}}"#;
    let below = answer(
        2,
        &format!(r#""ask": "point", "point": [7, -2], "b": {below}"#),
    );
    assert_eq!(below["distance"], -2.0);
}

/// A question, one field of it, what it is replaced by, and what the refusal must say.
const BAD_FIELDS: &[(&str, &str, &str, &str)] = &[
    ("ray", "origin", "", "origin: missing"),
    ("ray", "origin", "[0, NaN]", "origin[1]: is NaN"),
    ("ray", "origin", "[0, 0, 0]", "origin: has 3 numbers"),
    ("ray", "direction", "", "direction: missing"),
    ("ray", "direction", "[0, -0.0]", "direction: is zero"),
    ("ray", "direction", "[1e-60, 0]", "direction: is zero"),
    ("ray", "direction", "[1e400, 0]", "direction[0]: is 1e400"),
    ("ray", "direction", "null", "direction: is null"),
    ("ray", "max_distance", "-1", "max_distance: is -1"),
    ("ray", "max_distance", "NaN", "max_distance: is NaN"),
    ("ray", "max_distance", "\"1\"", "max_distance: is \"1\""),
    ("ray", "max_distance", "null", "max_distance: is null"),
    ("ray", "solid", "1", "solid: is 1, must be true or false"),
    ("ray", "solid", "\"yes\"", "solid: is \"yes\""),
    ("ray", "b", "", "b: missing"),
    ("point", "point", "", "point: missing"),
    ("point", "point", "[0]", "point: has 1 numbers"),
    ("point", "point", "[0, null]", "point[1]: is null"),
    ("point", "b", "7", "b: is 7"),
    ("contacts", "a", "", "a: missing"),
    ("contacts", "within", "-1", "within: is -1"),
    ("contacts", "within", "NaN", "within: is NaN"),
    ("contacts", "within", "null", "within: is null"),
    (
        "ray",
        "ask",
        "\"Ray\"",
        "ask: unknown question \"Ray\", known are distance, contacts, manifold, ray",
    ),
    ("ray", "ask", "\"\"", "ask: unknown question \"\""),
    ("ray", "ask", "7", "ask: is 7, must be a string"),
    ("ray", "dimension", "4", "dimension: is 4"),
];

#[test]
fn fields_of_questions_are_refused_by_name() {
    let ball = side(BALL, "[3, 0]");
    for (ask, field, value, named) in BAD_FIELDS {
        let mut fields = vec![("ask", format!("{ask:?}")), ("dimension", "2".to_owned())];
        fields.extend(match *ask {
            "ray" => vec![("origin", "[0, 0]".into()), ("direction", "[1, 0]".into())],
            "point" => vec![("point", "[0, 0]".into())],
            _ => vec![("a", ball.clone())],
        });
        fields.push(("b", ball.clone()));
        fields.retain(|(name, _)| name != field);
        if !value.is_empty() {
            fields.push((field, (*value).to_owned()));
        }
        let fields: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{name:?}: {value}"))
            .collect();
        let line = format!("{{{}}}", fields.join(", "));
        let answer = answer_line(line.as_bytes());
        let text = answer.to_string().replace("\\\"", "\"");
        assert!(
            answer.is_refused() && text.contains(named),
            "{line}: {text}"
        );
    }
}

#[test]
fn the_first_problem_of_a_line_is_named_by_its_whole_path() {
    // Each mistake, and what it is mended to, in the order in which the line is read.
    let mistakes = [
        (r#""origin": [0, 0]"#, r#""origin": [0, 0, 0]"#, "origin"),
        ("[0, -0.0, 0]", "[0, -1, 0]", "direction"),
        (
            "[[0, 0, null]]",
            "[[0, 0, 0]]",
            "b.shape.parts[0].shape.vertices[0][2]",
        ),
        (
            "[0, 0, 1]",
            "[0, 0, 0]",
            "b.shape.parts[0].shape.triangles[0][2]",
        ),
        (r#""pose": 5"#, r#""pose": {}"#, "b.shape.parts[1].pose"),
        (r#""a.obj""#, "7", "b.shape.parts[1].shape.path"),
        (
            r#""path": 7"#,
            r#""vertices": [[0, 0, 0]], "triangles": [[0, 0, 0]]"#,
            "b.shape.parts[1].shape.path",
        ),
        (
            r#"{"type": "ball"}"#,
            BALL,
            "b.shape.parts[2].shape.parts[0].shape.radius",
        ),
        (r#"{"position": 1}"#, "{}", "b.pose.position"),
    ];
    let mut line =
        r#"{"dimension": 3, "ask": "ray", "origin": [0, 0], "direction": [0, -0.0, 0], "b": {
        "pose": {"position": 1}, "shape": {"type": "compound", "parts": [
            {"shape": {"type": "mesh", "vertices": [[0, 0, null]], "triangles": [[0, 0, 1]]}},
            {"shape": {"type": "mesh", "path": "a.obj"}, "pose": 5},
            {"shape": {"type": "compound", "parts": [{"shape": {"type": "ball"}}]}}]}}}"#
            .to_owned();
    for (wrong, right, path) in mistakes {
        let read = PairLine::read(line.as_bytes(), &MeshFiles::none());
        let problems = read.question.unwrap_err();
        assert_eq!(problems.list().len(), 1, "{problems}");
        assert_eq!(problems.list()[0].path, path, "{problems}");
        assert!(line.contains(wrong), "{line}");
        line = line.replace(wrong, right);
    }
    let read = PairLine::read(line.as_bytes(), &MeshFiles::none());
    assert!(read.question.is_ok(), "{line}");
}

#[test]
fn fields_of_other_questions_are_told() {
    let ignored = |ask: &str| {
        let line = format!(
            r#"{{"ask": "{ask}", "a": 1, "within": 1, "solid": 1, "point": 1, "Origin": 1, "mine": 1}}"#
        );
        PairLine::read(line.as_bytes(), &MeshFiles::none()).ignored_fields
    };
    assert_eq!(ignored("distance"), ["within", "solid", "point", "Origin"]);
    assert_eq!(ignored("contacts"), ["solid", "point", "Origin"]);
    assert_eq!(ignored("ray"), ["a", "within", "point", "Origin"]);
    assert_eq!(ignored("point"), ["a", "within", "solid", "Origin"]);
    assert_eq!(ignored("cast"), ["solid", "point", "Origin"]);
    assert_eq!(ignored("manifold"), ["solid", "point", "Origin"]);
}

#[test]
fn compounds_are_nested_sixteen_deep_and_no_deeper() {
    let nested = |depth: usize| {
        let shape = (0..depth).fold(BALL.to_owned(), |shape, _| {
            format!(r#"{{"type": "compound", "parts": [{{"shape": {shape}}}]}}"#)
        });
        answer(
            2,
            &format!(r#""ask": "point", "point": [3, 0], "b": {{"shape": {shape}}}"#),
        )
    };
    assert_eq!(nested(16)["distance"], 2.0);
    for depth in [17, 40] {
        let outside = ".parts[0].shape".repeat(depth - 17);
        let expected = format!("b.shape{outside}.parts[0]: compounds are nested more than 16 deep");
        assert_eq!(nested(depth)["error"], expected);
    }
    assert!(nested(5_000)["error"].is_string());
}

const COMPOSITES: &str = r#"{"dimension": 3, "margin": 1,
    "shapes": {
        "terrain": {"type": "height_field", "scale": [8, 1, 8], "heights": [[0, 0.5, 0], [0, 1, null], [0, 0, 0]]},
        "rope": {"type": "polyline", "vertices": [[0, 0, 0], [1, 0, 0], [1, 0, 1]], "segments": [[0, 1], [1, 2]]},
        "fence": {"type": "polyline", "vertices": [[0, 0, 0], [1, 0, 0], [1, 0, 1]]},
        "floor": {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]], "triangles": [[0, 2, 1], [1, 2, 3]]}},
    "bodies": [
        {"shape": "terrain", "kind": "fixed"},
        {"shape": {"type": "compound", "parts": [
            {"shape": {"type": "ball", "radius": 0.5}, "pose": {"translation": [0, 9, 0]}},
            {"shape": {"type": "ball", "radius": 0.5}, "pose": {"rotation": [0, 0, 0.6, 0.8]}}]},
            "pose": {"translation": [0, 2, 0]}},
        {"shape": "rope", "pose": {"translation": [50, 0, 0]}},
        {"shape": "fence", "pose": {"translation": [90, 0, 0]}},
        {"shape": "floor", "pose": {"translation": [50, 0.5, 0]}},
        {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [200, 0, 0]}},
        {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [202, 0, 0]}},
        {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [300, 0, 0]}},
        {"shape": "floor", "pose": {"translation": [299.25, 1.5, -0.75]}}]}"#;

#[test]
fn scenes_with_composites_are_written_as_they_were_read_and_run() {
    let scene = read_scene(COMPOSITES).unwrap();
    let mut text = Vec::new();
    scene.write(&mut text).unwrap();
    let again = read_scene(str::from_utf8(&text).unwrap()).unwrap();
    assert_eq!(again, scene);
    let AnyScene::Space(scene) = scene else {
        panic!("3D");
    };
    let mut runner = SceneRunner::new(&scene, RunOptions::default()).unwrap();
    runner.step(0.01).unwrap();
    let world = runner.world();
    let line = serde_json::to_value(ContactLine { frame: 1, world }).unwrap();
    let contacts = line["contacts"].as_array().unwrap();
    let found: Vec<_> = contacts
        .iter()
        .map(|contact| {
            let named = ["a", "b", "part_a", "part_b"].map(|key| contact.get(key).cloned());
            named.map(|number| number.and_then(|number| number.as_u64()))
        })
        .collect();
    let expected = [
        // The peak of the terrain belongs to several triangles, of which the first is named.
        [Some(0), Some(1), Some(0), Some(1)],
        [Some(2), Some(4), Some(0), Some(0)],
        [Some(5), Some(6), None, None],
        [Some(7), Some(8), Some(0), Some(1)],
    ];
    assert_eq!(found, expected);
}
