//! Questions to a scene: answers are those of `query` for each body alone.

use serde_json::{Map, Value, json};

use crate::common::{json, run_on, scratch};
use crate::golden_answers::{KINDS, KINDS_OF_THE_PLANE, Numbers};

/// Bodies of every kind, two of them at one place, and some of other groups.
fn scene(numbers: &mut Numbers) -> Value {
    let kinds = match numbers.dimension {
        2 => &KINDS[..KINDS_OF_THE_PLANE],
        _ => &KINDS,
    };
    let groups = [
        json!({}),
        json!({"memberships": 4}),
        json!({"memberships": 2, "filter": 1}),
    ];
    let mut bodies: Vec<Value> = (0..2 * kinds.len())
        .map(|k| {
            let (shape, pose) = (numbers.shape(kinds[k / 2]), numbers.pose(3.0));
            json!({"shape": shape, "pose": pose, "groups": groups[k % 3]})
        })
        .collect();
    bodies.extend([bodies[3].clone(), bodies[0].clone()]);
    json!({"dimension": numbers.dimension, "margin": 0.1, "bodies": bodies})
}

/// A question of any kind.
fn question(numbers: &mut Numbers, k: usize) -> Value {
    let kind = ["ball", "capsule", "polyline"][k % 3];
    let a = json!({"shape": numbers.shape(kind), "pose": {"translation": numbers.vector(4.0)}});
    let within = [0.0, 0.25, 1.5][k / 7 % 3];
    let mut question = match k % 7 {
        0 | 1 => {
            let (from, toward) = (numbers.vector(4.0), numbers.vector(1.0));
            json!({"ask": "ray", "origin": from, "direction": toward, "solid": k.is_multiple_of(4),
                "max_distance": 4, "all": k % 7 == 1})
        }
        2 => json!({"ask": "point", "point": numbers.vector(4.0), "within": within}),
        3 => json!({"ask": "overlap", "a": a, "within": within}),
        4 => json!({"ask": "nearest", "a": a, "count": 4}),
        5 => json!({"ask": "nearest", "point": numbers.vector(4.0), "count": 3, "within": 1.25}),
        _ => {
            let turn = if numbers.dimension == 2 {
                json!(1.5)
            } else {
                json!([0, 1.5, -1])
            };
            let mut motion = json!({"linear": numbers.vector(8.0)});
            if k.is_multiple_of(2) {
                motion["angular"] = turn;
            }
            json!({"ask": "cast", "a": a, "motion_a": motion, "within": 0.125, "all": k.is_multiple_of(3)})
        }
    };
    question["id"] = json!(k);
    match k / 3 % 3 {
        0 => {}
        1 => question["exclude"] = json!([3, 1]),
        _ => question["groups"] = json!({"memberships": 2, "filter": 5}),
    }
    question
}

/// What `query` is asked about a body alone, which ignores the other fields of the line.
fn about_body(question: &Value, body: &Value, dimension: usize) -> Value {
    let mut line = question.clone();
    line["dimension"] = json!(dimension);
    line["b"] = json!({"shape": body["shape"], "pose": body["pose"]});
    if question["ask"] == "nearest" && question.get("point").is_some() {
        let zero = vec![0; dimension];
        line["a"] = json!({"shape": {"type": "segment", "a": zero, "b": zero},
            "pose": {"translation": question["point"]}});
    }
    if question["ask"] == "nearest" || question["ask"] == "overlap" {
        line["ask"] = json!("distance");
    }
    line
}

/// Whether the question is about a body of the scene.
fn is_asked(question: &Value, body: &Value, number: usize) -> bool {
    if let Some(exclude) = question["exclude"].as_array() {
        return !exclude.contains(&number.into());
    }
    let bits = |of: &Value, key: &str| of["groups"][key].as_u64().unwrap_or(u64::from(u32::MAX));
    bits(question, "memberships") & bits(body, "filter") != 0
        && bits(body, "memberships") & bits(question, "filter") != 0
}

/// What `query` answers about each body alone, filtered, sorted and cut as the question wants it.
fn brute_force(question: &Value, bodies: &[Value], answers: &[&str]) -> Vec<Value> {
    let mut hits: Vec<(f64, Value)> = Vec::new();
    let ask = question["ask"].as_str().expect("a word");
    for (number, answer) in answers.iter().enumerate() {
        let mut hit: Map<String, Value> = json(answer).as_object().expect("an object").clone();
        assert!(!hit.contains_key("error"), "{answer}");
        hit.remove("id");
        let is_hit = hit.remove("hit").is_none_or(|hit| hit == true);
        if !is_hit || !is_asked(question, &bodies[number], number) {
            continue;
        }
        // Casts are sorted by time.
        let measure = hit.get("time").unwrap_or(&hit["distance"]);
        let measure = measure.as_f64().expect("a number");
        let within = question["within"].as_f64().unwrap_or(f64::MAX);
        if ask != "cast" && measure > within {
            continue;
        }
        hit.insert("body".to_owned(), number.into());
        if hit.contains_key("point_a") {
            for part in ["part_a", "part_b"] {
                hit.entry(part).or_insert(0.into());
            }
        }
        hits.push((measure, hit.into()));
    }
    // Those within a distance come in the order of bodies.
    if ask != "point" && ask != "overlap" {
        hits.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let most = question["count"]
        .as_u64()
        .map_or(usize::MAX, |count| count as usize);
    let most = if question["all"] == false { 1 } else { most };
    hits.into_iter().take(most).map(|(_, hit)| hit).collect()
}

fn lines(of: impl IntoIterator<Item = Value>) -> String {
    of.into_iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn answers_are_those_of_each_body_alone() {
    for dimension in [2, 3] {
        let mut numbers = Numbers {
            dimension,
            drawn: 1 << 40,
        };
        let scene = scene(&mut numbers);
        let bodies = scene["bodies"].as_array().expect("a list");
        let path = scratch(&format!("asked{dimension}.json"));
        std::fs::write(&path, scene.to_string()).expect("written");
        let questions: Vec<_> = (0..360).map(|k| question(&mut numbers, k)).collect();
        let asked = lines(questions.iter().cloned());
        let ran = run_on(&["ask", path.to_str().expect("UTF-8")], asked.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let each = |question| {
            bodies
                .iter()
                .map(move |body| about_body(question, body, dimension))
        };
        let alone = run_on(
            &["query"],
            lines(questions.iter().flat_map(each)).as_bytes(),
        );
        let alone: Vec<&str> = alone.out.lines().collect();
        let mut found = 0;
        assert_eq!(ran.out.lines().count(), questions.len());
        let answers = questions.iter().zip(alone.chunks(bodies.len()));
        for ((question, alone), answer) in answers.zip(ran.out.lines()) {
            let expected = brute_force(question, bodies, alone);
            assert_eq!(json(answer)["hits"], json!(expected), "{question}");
            found += expected.len();
        }
        assert!(found > 500, "{dimension}: {found}");
    }
}

#[test]
fn a_frame_is_the_scene_after_so_many_steps() {
    let scene = clearance_scene::generate(clearance_scene::SceneKind::Balls, 60, 2);
    let mut scene = scene.into_space().expect("balls in space");
    let path = scratch("frame.json");
    let name = path.to_str().expect("UTF-8");
    let write = |scene: &clearance_scene::Scene<_>| {
        let mut bytes = Vec::new();
        scene.write(&mut bytes).expect("it has a file");
        std::fs::write(&path, bytes).expect("written");
    };
    write(&scene);
    let mut numbers = Numbers {
        dimension: 3,
        drawn: 1 << 41,
    };
    let lines = lines((0..60).map(|k| question(&mut numbers, k)));
    let ask = |arguments: &[&str]| {
        let ran = run_on(&[&["ask", name, "-"], arguments].concat(), lines.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    let frames = ask(&["--frame", "9", "--dt", "0.125"]);
    assert_ne!(frames, ask(&[]));
    assert_eq!(ask(&["--frame", "0"]), ask(&[]));
    // Balls do not turn: where they are after nine frames is a scene of its own.
    let runner = clearance_scene::SceneRunner::new(&scene, Default::default());
    let mut runner = runner.expect("it has its shapes");
    for _ in 0..9 {
        runner.step(0.125).expect("stepped");
    }
    for (body, stepped) in scene.bodies.iter_mut().zip(runner.world().bodies()) {
        body.pose = *stepped.pose();
    }
    write(&scene);
    assert_eq!(frames, ask(&[]));
}
