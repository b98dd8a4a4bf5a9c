//! Questions of every kind about every pair of shapes, whose answers are known to the bit, whatever the machine.
//!
//! A change of the engine that is to change no answer changes no hash. One that does, says why, and writes them anew with
//! `UPDATE_GOLDEN=1 cargo test -p clearance-cli --test command golden_answers`.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Value, json};
use twox_hash::XxHash64;

use crate::common::run_on;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden_answers.txt");

/// The kinds of the plane, then those that only space has.
pub(crate) const KINDS: [&str; 17] = [
    "ball",
    "cuboid",
    "capsule",
    "segment",
    "triangle",
    "hull",
    "tapered_capsule",
    "ellipsoid",
    "half_space",
    "rounded",
    "polyline",
    "compound",
    "cylinder",
    "cone",
    "tapered_cylinder",
    "mesh",
    "height_field",
];
pub(crate) const KINDS_OF_THE_PLANE: usize = 12;
/// Kinds that came later, each with numbers of its own, so that the lines of the others stay.
const LATER_KINDS: [&str; 2] = ["points", "voxels"];

/// How many lines each pair of kinds gets of each question.
const QUESTIONS: [(&str, usize); 5] = [
    ("distance", 4),
    ("contacts", 2),
    ("manifold", 3),
    ("cast straight", 2),
    ("cast turning", 2),
];
/// How many rays and points each kind gets.
const RAYS_AND_POINTS: usize = 12;

/// Numbers that look random, the same on each machine.
pub(crate) struct Numbers {
    pub(crate) dimension: usize,
    pub(crate) drawn: u64,
}

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.drawn += 1;
        XxHash64::oneshot(self.dimension as u64, &self.drawn.to_le_bytes())
    }

    /// A multiple of a thousandth from `low` to `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = self.bits() as f64 / u64::MAX as f64;
        ((low + (high - low) * share) * 1000.0).round() / 1000.0
    }

    fn size(&mut self) -> f64 {
        self.between(0.2, 1.2)
    }

    pub(crate) fn vector(&mut self, reach: f64) -> Vec<f64> {
        (0..self.dimension)
            .map(|_| self.between(-reach, reach))
            .collect()
    }

    fn vectors(&mut self, count: usize) -> Vec<Vec<f64>> {
        (0..count).map(|_| self.vector(1.2)).collect()
    }

    fn sizes(&mut self) -> Vec<f64> {
        (0..self.dimension).map(|_| self.size()).collect()
    }

    /// A turn about one of the axes or about none, or any turn.
    fn rotation(&mut self) -> Value {
        let angle = self.between(-3.0, 3.0);
        if self.dimension == 2 {
            return json!(angle);
        }
        let [x, y, z] = match self.bits() % 4 {
            0 => [0.0; 3],
            1 => [0.6, 0.0, 0.0],
            2 => [0.0, 0.6, 0.0],
            _ => [0.36, -0.48, 0.0],
        };
        let square: f64 = x * x + y * y + z * z;
        json!([x, y, z, (1.0 - square).sqrt()])
    }

    pub(crate) fn pose(&mut self, reach: f64) -> Value {
        json!({"translation": self.vector(reach), "rotation": self.rotation()})
    }

    fn normal(&mut self) -> Value {
        match self.dimension {
            2 => json!([0.6, 0.8]),
            _ => json!([0.48, 0.6, 0.64]),
        }
    }

    pub(crate) fn shape(&mut self, kind: &str) -> Value {
        match kind {
            "ball" => json!({"type": kind, "radius": self.size()}),
            "cuboid" => json!({"type": kind, "half_extents": self.sizes()}),
            "capsule" => json!({"type": kind, "half_length": self.size(), "radius": self.size()}),
            "segment" => json!({"type": kind, "a": self.vector(1.0), "b": self.vector(1.0)}),
            "triangle" => {
                let [a, b, c] = [(); 3].map(|()| self.vector(1.0));
                json!({"type": kind, "a": a, "b": b, "c": c})
            }
            "hull" => {
                let count = 4 + (self.bits() % 12) as usize;
                json!({"type": kind, "points": self.vectors(count)})
            }
            "tapered_capsule" => json!({"type": kind, "half_length": self.size(),
                "radius_top": self.size(), "radius_bottom": self.size()}),
            "ellipsoid" => json!({"type": kind, "radii": self.sizes()}),
            "half_space" => json!({"type": kind, "normal": self.normal()}),
            "rounded" => json!({"type": kind, "radius": 0.25,
                "shape": {"type": "cuboid", "half_extents": self.sizes()}}),
            "polyline" => json!({"type": kind, "vertices": self.vectors(6),
                "segments": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]}),
            "compound" => {
                let parts = ["ball", "cuboid", "hull"]
                    .map(|kind| json!({"shape": self.shape(kind), "pose": self.pose(1.0)}));
                json!({"type": kind, "parts": parts})
            }
            "cylinder" | "cone" => {
                json!({"type": kind, "half_height": self.size(), "radius": self.size()})
            }
            "tapered_cylinder" => json!({"type": kind, "half_height": self.size(),
                "radius_top": self.size(), "radius_bottom": self.size()}),
            "solid" => self.solid(),
            "polygon" => self.polygon(),
            "points" => json!({"type": kind, "points": self.vectors(12), "radius": 0.125}),
            "voxels" => {
                let cells = (0..8).map(|place| {
                    let bit = move |axis: usize| (place >> axis & 1) - i32::from(place % 3 == 0);
                    (0..self.dimension)
                        .map(move |axis| 2 * (place / 4) * i32::from(axis == 0) + bit(axis))
                });
                let mut cells: Vec<Vec<i32>> = cells.map(Iterator::collect).collect();
                cells.sort_unstable();
                cells.dedup();
                json!({"type": kind, "size": self.sizes(), "cells": cells})
            }
            "mesh" => json!({"type": kind, "vertices": self.vectors(6),
                "triangles": [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5], [0, 2, 4]]}),
            _ => {
                let mut row = || (0..4).map(|_| self.between(-0.4, 0.4)).collect::<Vec<_>>();
                json!({"type": kind, "heights": [row(), row(), row()], "scale": [0.8, 1.0, 0.9]})
            }
        }
    }

    fn solid(&mut self) -> Value {
        // An octahedron with a dent in a face.
        let reaches: [f64; 6] = [(); 6].map(|()| self.size());
        let mut corners: Vec<Vec<f64>> = (0..6)
            .map(|k| {
                let mut corner = vec![0.0; 3];
                corner[k / 2] = if k % 2 == 0 { reaches[k] } else { -reaches[k] };
                corner
            })
            .collect();
        corners.push(vec![self.between(0.02, 0.06); 3]);
        json!({"type": "mesh", "solid": true, "vertices": corners, "triangles": [
            [0, 2, 6], [2, 4, 6], [4, 0, 6], [2, 1, 4], [1, 3, 4], [3, 0, 4],
            [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]})
    }

    fn polygon(&mut self) -> Value {
        let star = |size: f64, k: u32| {
            let (along, across) = [
                (1.0, 0.0),
                (0.7, 0.7),
                (0.0, 1.0),
                (-0.7, 0.7),
                (-1.0, 0.0),
                (-0.7, -0.7),
                (0.0, -1.0),
                (0.7, -0.7),
            ][k as usize];
            vec![along * size, across * size]
        };
        let outline: Vec<_> = (0..8).map(|k| star(self.size(), k)).collect();
        let hole: Vec<_> = [6, 3, 0].map(|k| star(0.05, k)).to_vec();
        json!({"type": "polygon", "vertices": outline, "holes": [hole]})
    }

    /// A question about two shapes, of which about half overlap.
    fn question(&mut self, question: &str, [a, b]: [&str; 2]) -> Value {
        let ask = question.split(' ').next().unwrap_or(question);
        let mut line = json!({
            "dimension": self.dimension,
            "ask": ask,
            "a": {"shape": self.shape(a), "pose": self.pose(0.3)},
            "b": {"shape": self.shape(b), "pose": self.pose(1.6)},
        });
        if ask == "cast" {
            line["b"]["pose"]["translation"][0] = json!(4.5);
            line["motion_b"] = json!({"linear": self.vector(1.5)});
            line["motion_b"]["linear"][0] = json!(-6.5);
            line["within"] = json!(0.125);
            if question.ends_with("turning") {
                line["motion_a"] = json!({"angular": match self.dimension {
                    2 => json!(1.5),
                    _ => json!([0.5, 1.0, -0.75]),
                }});
            }
        } else if ask != "distance" {
            line["within"] = json!(0.25);
        }
        line
    }

    /// A ray that is aimed near a point of the shape's middle, or of a corner of it.
    fn ray(&mut self, kind: &str) -> Value {
        let (shape, pose) = (self.shape(kind), self.pose(0.5));
        let corner = match kind {
            "segment" | "triangle" => &shape["a"],
            "polyline" | "mesh" => &shape["vertices"][2],
            _ => &Value::Null,
        };
        let from = self.vector(2.5);
        let toward: Vec<f64> = (0..self.dimension)
            .map(|axis| {
                let middle = pose["translation"][axis].as_f64().expect("a number");
                middle + corner[axis].as_f64().unwrap_or(0.0) - from[axis]
            })
            .collect();
        let pose = if corner.is_null() {
            pose
        } else {
            json!({"translation": pose["translation"]})
        };
        json!({"dimension": self.dimension, "ask": "ray", "origin": from, "direction": toward,
            "b": {"shape": shape, "pose": pose}})
    }

    /// The questions about a kind and each of the others.
    fn questions(&mut self, a: &str, others: &[&str]) -> Vec<(String, Value)> {
        let mut lines = Vec::new();
        for (question, count) in QUESTIONS {
            for b in others {
                for _ in 0..count {
                    let title = format!("{}D {question} {a}", self.dimension);
                    lines.push((title, self.question(question, [a, b])));
                }
            }
        }
        for _ in 0..RAYS_AND_POINTS {
            lines.push((format!("{}D ray {a}", self.dimension), self.ray(a)));
        }
        for _ in 0..RAYS_AND_POINTS {
            lines.push((format!("{}D point {a}", self.dimension), self.point(a)));
        }
        lines
    }

    fn point(&mut self, kind: &str) -> Value {
        json!({"dimension": self.dimension, "ask": "point", "point": self.vector(1.5),
            "b": {"shape": self.shape(kind), "pose": self.pose(0.5)}})
    }
}

/// The questions, each with the title of the hash to which its answer belongs.
fn questions() -> Vec<(String, Value)> {
    let mut lines = Vec::new();
    let mut add = |dimension, drawn: u64, a: &str, others: &[&str]| {
        let mut numbers = Numbers { dimension, drawn };
        lines.extend(numbers.questions(a, others));
        numbers.drawn
    };
    let dimensions = [(2, &KINDS[..KINDS_OF_THE_PLANE]), (3, &KINDS[..])];
    for (dimension, kinds) in dimensions {
        kinds
            .iter()
            .fold(0, |drawn, a| add(dimension, drawn, a, kinds));
    }
    // At the end, since refusals name the line.
    for (later, start) in LATER_KINDS.iter().zip(1..) {
        for (dimension, kinds) in dimensions {
            add(dimension, start << 32, later, &[kinds, &[later]].concat());
        }
    }
    questions_about_solids(&mut lines);
    lines
}

/// Those about composites with an inside, with numbers of their own.
fn questions_about_solids(lines: &mut Vec<(String, Value)>) {
    for (dimension, solid, kinds) in [
        (2, "polygon", &KINDS[..KINDS_OF_THE_PLANE]),
        (3, "solid", &KINDS[..]),
    ] {
        let mut numbers = Numbers {
            dimension,
            drawn: 1 << 32,
        };
        for (question, count) in QUESTIONS
            .into_iter()
            .filter(|(name, _)| *name != "manifold")
        {
            for b in kinds.iter().copied().chain([solid]) {
                for _ in 0..count {
                    let title = format!("{dimension}D {question} {solid}");
                    lines.push((title, numbers.question(question, [solid, b])));
                }
            }
        }
        for _ in 0..RAYS_AND_POINTS {
            lines.push((format!("{dimension}D ray {solid}"), numbers.ray(solid)));
        }
        for _ in 0..RAYS_AND_POINTS {
            lines.push((format!("{dimension}D point {solid}"), numbers.point(solid)));
        }
    }
}

/// What the command answers, a line each.
fn answered(questions: &[(String, Value)]) -> String {
    let mut asked = String::new();
    for (_, line) in questions {
        writeln!(asked, "{line}").expect("a text takes any number of lines");
    }
    let ran = run_on(&["query", "-"], asked.as_bytes());
    assert_eq!(ran.out.lines().count(), questions.len(), "{}", ran.err);
    ran.out
}

#[test]
fn answers_of_every_kind_have_the_known_hashes() {
    let questions = questions();
    let answered = answered(&questions);
    let mut text = String::new();
    let mut answers = answered.lines();
    for same in questions.chunk_by(|(one, _), (other, _)| one == other) {
        let mut of_title = String::new();
        for answer in answers.by_ref().take(same.len()) {
            writeln!(of_title, "{answer}").expect("a text takes any number of lines");
        }
        let hash = XxHash64::oneshot(0, of_title.as_bytes());
        writeln!(text, "{hash:016x} {}", same[0].0).expect("a text takes any number of lines");
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(FILE, &text).expect("the file can be written");
    }
    let known = std::fs::read_to_string(FILE).expect("the file is there");
    let differing: Vec<_> = (text.lines().zip(known.lines()))
        .filter(|(found, known)| found != known)
        .collect();
    assert!(differing.is_empty(), "found, known: {differing:#?}");
    assert_eq!(text.lines().count(), known.lines().count());
}

/// Questions that are refused or that all miss would show nothing.
#[test]
fn the_questions_are_answered() {
    let questions = questions();
    let answered = answered(&questions);
    let (mut hits, mut misses, mut overlaps, mut apart) = (0, 0, 0, 0);
    let mut hit_by_rays = BTreeSet::new();
    for ((title, line), answer) in questions.iter().zip(answered.lines()) {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        let is_composite = |side: &str| {
            let kind = line[side]["shape"]["type"].as_str();
            matches!(
                kind,
                Some("mesh" | "polyline" | "compound" | "height_field" | "points" | "voxels")
            )
        };
        let is_refused = title.contains("manifold") && (is_composite("a") || is_composite("b"));
        assert_eq!(
            answer.get("error").is_some(),
            is_refused,
            "{line}: {answer}"
        );
        match answer["hit"].as_bool() {
            Some(true) if title.contains("ray") => _ = hit_by_rays.insert(title),
            Some(true) => hits += 1,
            Some(false) => misses += 1,
            None => {}
        }
        if title.contains("distance") {
            match answer["distance"].as_f64() {
                Some(distance) if distance < 0.0 => overlaps += 1,
                _ => apart += 1,
            }
        }
    }
    // In space, rays that pass a line hit it by chance only.
    let kinds = KINDS_OF_THE_PLANE + KINDS.len() - 2;
    assert!(hit_by_rays.len() >= kinds, "{hit_by_rays:?}");
    assert!(hits > 800 && misses > 300, "{hits} hits, {misses} misses");
    assert!(
        overlaps > 400 && apart > 400,
        "{overlaps} overlaps, {apart} apart"
    );
}
