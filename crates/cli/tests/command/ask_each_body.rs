//! Questions to a scene: answers are those of `query` for each body alone.

use clearance_scene::Hits;
use serde_json::{Map, Value};

use crate::common::{json, run, run_on, scratch};

/// Every composite, a half-space, moving bodies and groups.
const COMPOSITES: &str = r#"{"dimension": 3, "margin": 0.1, "shapes": {
  "roof": {"type": "mesh", "vertices": [[-2, 0, -2], [2, 0, -2], [0, 1.5, 0], [2, 0, 2], [-2, 0, 2]],
    "triangles": [[0, 2, 1], [1, 2, 3], [3, 2, 4], [4, 2, 0]]},
  "table": {"type": "compound", "parts": [
    {"shape": {"type": "cuboid", "half_extents": [1, 0.1, 1]}, "pose": {"translation": [0, 1, 0]}},
    {"shape": {"type": "cylinder", "half_height": 0.5, "radius": 0.1}, "pose": {"translation": [0, 0.5, 0]}}]}},
 "bodies": [
  {"shape": {"type": "height_field", "heights": [[0, 0.5, 0], [null, 1, 0.25], [0, 0, 0.5]], "scale": [8, 1, 8]}, "kind": "fixed",
   "pose": {"translation": [0, -1, 0]}},
  {"shape": "roof", "pose": {"translation": [1, 0.5, -1], "rotation": [0.6, 0, 0, 0.8]}, "velocity": {"linear": [0.5, 0, 0]}},
  {"shape": "roof", "pose": {"translation": [-2, 0.25, 1]}, "groups": {"memberships": 4}},
  {"shape": "table", "pose": {"translation": [0, 0, 2], "rotation": [0, 0.6, 0, 0.8]}},
  {"shape": "table", "pose": {"translation": [2, 1, 2]}, "groups": {"memberships": 2, "filter": 1}},
  {"shape": {"type": "polyline", "vertices": [[0, 0, 0], [1, 2, 0], [3, 1, 1]]}},
  {"shape": {"type": "half_space", "normal": [0, 1, 0]}, "kind": "fixed", "pose": {"translation": [0, -1.25, 0]}},
  {"shape": {"type": "ball", "radius": 0.5}, "pose": {"translation": [0.5, 0.5, 0.5]}},
  {"shape": {"type": "ball", "radius": 0.5}, "pose": {"translation": [0.5, 0.5, 0.5]}}]}"#;

/// Numbers that look random, from -1 to 1: nearly all are between those of single precision.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
    }

    fn vector(&mut self, dimension: usize, size: f64) -> String {
        let numbers: Vec<String> = (0..dimension)
            .map(|_| (self.next() * size).to_string())
            .collect();
        format!("[{}]", numbers.join(","))
    }
}

/// A question, and what it asks of each body alone.
struct Asked {
    line: String,
    /// The line of `query` without side b.
    alone: String,
    within: f64,
    count: usize,
    order: Order,
    /// Groups of the question, or the bodies that are passed over.
    bodies: &'static str,
}

#[derive(PartialEq)]
enum Order {
    Distance,
    Body,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            line: String::new(),
            alone: String::new(),
            within: f64::MAX,
            count: usize::MAX,
            order: Order::Distance,
            bodies: "",
        }
    }
}

fn shape(k: usize, dimension: usize) -> &'static str {
    match (k % 3, dimension) {
        (0, _) => r#"{"type": "ball", "radius": 0.75}"#,
        (1, 2) => r#"{"type": "polyline", "vertices": [[0, 0], [1, 0.5], [1, 2]]}"#,
        (1, _) => {
            r#"{"type": "mesh", "vertices": [[0, 0, 0], [1, 0.5, 0], [1, 2, 0.5], [0, 1, 2]], "triangles": [[0, 1, 2], [2, 1, 3]]}"#
        }
        _ => r#"{"type": "capsule", "half_length": 0.5, "radius": 0.25}"#,
    }
}

/// Questions of all kinds, about places up to `size` from the origin along each axis.
fn questions(dimension: usize, size: f64, count: usize) -> Vec<Asked> {
    let mut random = Numbers(dimension as u64);
    let mut question = |k: usize| {
        let place = random.vector(dimension, size);
        let ray = format!(
            r#""ask": "ray", "origin": {place}, "direction": {}, "solid": {}, "max_distance": {size}"#,
            random.vector(dimension, 1.0),
            k.is_multiple_of(4)
        );
        let mut asked = match k % 7 {
            0 | 1 => of_ray(
                &ray,
                if k.is_multiple_of(7) {
                    Hits::First
                } else {
                    Hits::All
                },
            ),
            2 | 3 => within(k, dimension, &place),
            4 | 5 => nearest(k, dimension, &place),
            _ => {
                let motion = random.vector(dimension, 2.0 * size);
                of_cast(k, dimension, &place, &motion)
            }
        };
        let bodies = [
            "",
            r#", "exclude": [3, 1]"#,
            r#", "groups": {"memberships": 2, "filter": 5}"#,
        ];
        asked.bodies = bodies[k / 3 % 3];
        asked.line = format!(r#"{{"id": {k}, {}{}}}"#, asked.line, asked.bodies);
        asked.alone = format!(r#""dimension": {dimension}, {}"#, asked.alone);
        asked
    };
    (0..count).map(&mut question).collect()
}

fn of_ray(ray: &str, wanted: Hits) -> Asked {
    let (all, count) = match wanted {
        Hits::First => ("", 1),
        Hits::All => (r#", "all": true"#, usize::MAX),
    };
    Asked {
        line: format!("{ray}{all}"),
        alone: ray.to_owned(),
        count,
        ..Asked::default()
    }
}

/// What a shape in motion meets, sorted by time.
fn of_cast(k: usize, dimension: usize, place: &str, motion: &str) -> Asked {
    let angular = if dimension == 2 {
        "1.5"
    } else {
        "[0, 1.5, -1]"
    };
    let angular = if k.is_multiple_of(2) {
        format!(r#", "angular": {angular}"#)
    } else {
        String::new()
    };
    let alone = format!(
        r#""ask": "cast", {}, "motion_a": {{"linear": {motion}{angular}}}, "within": 0.125"#,
        side_a(shape(k, dimension), place)
    );
    let is_all = k.is_multiple_of(3);
    Asked {
        line: format!(r#"{alone}, "all": {is_all}"#),
        alone,
        count: if is_all { usize::MAX } else { 1 },
        ..Asked::default()
    }
}

/// The bodies within a distance of a point or a shape, sorted by body.
fn within(k: usize, dimension: usize, place: &str) -> Asked {
    let (alone, ask) = if k % 7 == 2 {
        (format!(r#""ask": "point", "point": {place}"#), "")
    } else {
        (side_a(shape(k, dimension), place), r#""ask": "overlap", "#)
    };
    let within = [0.0, 0.25, 1.5][k / 6 % 3];
    Asked {
        line: format!(r#"{ask}{alone}, "within": {within}"#),
        alone,
        within,
        order: Order::Body,
        ..Asked::default()
    }
}

fn nearest(k: usize, dimension: usize, place: &str) -> Asked {
    if k % 7 == 4 {
        let alone = side_a(shape(k, dimension), place);
        return Asked {
            line: format!(r#""ask": "nearest", {alone}, "count": 4"#),
            alone,
            count: 4,
            ..Asked::default()
        };
    }
    let zero = if dimension == 2 {
        "[0, 0]"
    } else {
        "[0, 0, 0]"
    };
    let point = r#"{"type": "segment", "a": @, "b": @}"#.replace('@', zero);
    Asked {
        line: format!(r#""ask": "nearest", "point": {place}, "count": 3, "within": 1.25"#),
        alone: side_a(&point, place),
        within: 1.25,
        count: 3,
        ..Asked::default()
    }
}

fn side_a(shape: &str, place: &str) -> String {
    format!(r#""a": {{"shape": {shape}, "pose": {{"translation": {place}}}}}"#)
}

/// Whether the question is about a body of the scene.
fn is_asked(asked: &Asked, body: &Value, number: usize) -> bool {
    let fields = json(&format!(r#"{{"x": 0{}}}"#, asked.bodies));
    if let Some(exclude) = fields["exclude"].as_array() {
        return !exclude.contains(&number.into());
    }
    let bits = |of: &Value, key: &str| of["groups"][key].as_u64().unwrap_or(u64::from(u32::MAX));
    bits(&fields, "memberships") & bits(body, "filter") != 0
        && bits(body, "memberships") & bits(&fields, "filter") != 0
}

/// The bodies of a scene as sides of pair lines.
fn sides(scene: &Value) -> Vec<String> {
    let bodies = scene["bodies"].as_array().unwrap();
    let side = |body: &Value| {
        let shape = match &body["shape"] {
            Value::String(name) => &scene["shapes"][name],
            own => own,
        };
        let pose = body.get("pose").map_or("{}".to_owned(), Value::to_string);
        format!(r#""b": {{"shape": {shape}, "pose": {pose}}}"#)
    };
    bodies.iter().map(side).collect()
}

/// What `query` answers about each body alone, filtered, sorted and cut as the question wants it.
fn brute_force(asked: &Asked, scene: &Value, answers: &[&str]) -> Vec<Value> {
    let bodies = scene["bodies"].as_array().unwrap();
    let mut hits: Vec<(f64, usize, Value)> = Vec::new();
    for (number, answer) in answers.iter().enumerate() {
        let mut hit: Map<String, Value> = json(answer).as_object().unwrap().clone();
        assert!(!hit.contains_key("error"), "{answer}");
        let is_hit = hit.remove("hit").is_none_or(|hit| hit == true);
        if !is_hit || !is_asked(asked, &bodies[number], number) {
            continue;
        }
        // Casts are sorted by time. Two half-spaces can overlap without a distance.
        let measure = hit.get("time").unwrap_or(&hit["distance"]);
        let distance = measure.as_f64().unwrap();
        if distance > asked.within {
            continue;
        }
        hit.insert("body".to_owned(), number.into());
        if hit.contains_key("point_a") {
            for part in ["part_a", "part_b"] {
                hit.entry(part).or_insert(0.into());
            }
        }
        hits.push((distance, number, hit.into()));
    }
    if asked.order == Order::Distance {
        hits.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }
    hits.truncate(asked.count);
    hits.into_iter().map(|(_, _, hit)| hit).collect()
}

/// Compares all answers, and returns how many bodies they found.
fn assert_as_alone(scene_text: &str, size: f64, count: usize) -> usize {
    let scene = json(scene_text);
    let dimension = scene["dimension"].as_u64().unwrap() as usize;
    let (asked, sides) = (questions(dimension, size, count), sides(&scene));
    let path = scratch(&format!("asked{}{dimension}.json", sides.len()));
    std::fs::write(&path, scene_text).unwrap();
    let lines: Vec<&str> = asked.iter().map(|asked| &*asked.line).collect();
    let ran = run_on(
        &["ask", path.to_str().unwrap()],
        lines.join("\n").as_bytes(),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let alone: Vec<String> = asked
        .iter()
        .flat_map(|asked| {
            sides
                .iter()
                .map(|side| format!("{{{}, {side}}}", asked.alone))
        })
        .collect();
    let alone = run_on(&["query"], alone.join("\n").as_bytes());
    assert_eq!(alone.err, "");
    let alone: Vec<&str> = alone.out.lines().collect();
    let mut found = 0;
    for ((asked, answer), alone) in asked
        .iter()
        .zip(ran.out.lines())
        .zip(alone.chunks(sides.len()))
    {
        let answer = json(answer);
        let hits = answer["hits"]
            .as_array()
            .unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(hits, &brute_force(asked, &scene, alone), "{}", asked.line);
        found += hits.len();
    }
    assert_eq!(ran.out.lines().count(), asked.len());
    found
}

#[test]
fn answers_are_those_of_each_body_alone() {
    for (kind, size) in [("mixed", 3.0), ("mixed2", 5.0), ("sizes", 10.0)] {
        let scene = run(&["generate", kind, "--count", "80", "--seed", "5"]).out;
        let found = assert_as_alone(&scene, size, 180);
        assert!(found > 180, "{kind}: {found}");
    }
    let found = assert_as_alone(COMPOSITES, 2.5, 360);
    assert!(found > 500, "{found}");
}

#[test]
fn a_frame_is_the_scene_after_so_many_steps() {
    let scene = run(&["generate", "balls", "--count", "60", "--seed", "2"]).out;
    let path = scratch("frame.json");
    std::fs::write(&path, &scene).unwrap();
    let name = path.to_str().unwrap();
    let mut lines = String::new();
    for asked in questions(3, 3.0, 60) {
        lines += &asked.line;
        lines.push('\n');
    }
    let ask = |arguments: &[&str]| {
        let ran = run_on(&[&["ask", name, "-"], arguments].concat(), lines.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    let frames = ask(&["--frame", "9", "--dt", "0.125"]);
    assert_ne!(frames, ask(&[]));
    assert_eq!(ask(&["--frame", "0"]), ask(&[]));
    // Balls do not turn: where they are after nine frames is a scene of its own.
    let scene = clearance_scene::read_scene(&scene)
        .unwrap()
        .into_space()
        .unwrap();
    let mut runner = clearance_scene::SceneRunner::new(&scene, Default::default()).unwrap();
    for _ in 0..9 {
        runner.step(0.125).unwrap();
    }
    let mut moved = scene;
    for (body, stepped) in moved.bodies.iter_mut().zip(runner.world().bodies()) {
        body.pose = *stepped.pose();
    }
    let mut bytes = Vec::new();
    moved.write(&mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(frames, ask(&[]));
}
