//! Pairs with exact answers, made by an independent oracle in double precision and, where needed,
//! in rational numbers.
//!
//! `data/pairs.jsonl` holds a pair a line with the expected signed distance, the tolerance of the
//! oracle and the size of the pair (the larger half diagonal of the two bounding boxes).

use clearance_gjk::{Proximity, Separation, intersects, proximity};
use clearance_math::{Pose, PreciseVector, Quat, Real, Rotation, Rotation2, Vec2, Vec3, Vector};
use serde_json::Value;

use crate::common::{
    Body, Fault, Pair, Recipe, Solid, Space, agreement, bounds, height, lower_by_plane, soundness,
    translation, upper_by_points,
};

/// The error that is allowed, relative to the size of the pair.
const TOLERANCE: f64 = 1e-5;
/// What is allowed where a curved core penetrates.
const SMOOTH_DEPTH_TOLERANCE: f64 = 1e-4;
/// What the oracle itself may be off by rounding, relative to the size.
const ORACLE_ROUNDING: f64 = 1e-12;

/// Directions of each pair that the depth is bounded by.
const DIRECTIONS: usize = 500;

/// Reads what the dimensions write differently.
pub(super) trait Readable: Space {
    fn rotation(value: &Value) -> Self::Rotation;
}

impl Readable for Vec2 {
    fn rotation(value: &Value) -> Rotation2 {
        Rotation2::from_angle(number(value))
    }
}

impl Readable for Vec3 {
    fn rotation(value: &Value) -> Quat {
        Quat::from_array(core::array::from_fn(|k| number(&value[k])))
    }
}

fn number(value: &Value) -> Real {
    value.as_f64().expect("a number") as Real
}

pub(super) fn vector<V: Vector>(value: &Value) -> V {
    (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, number(&value[k])))
}

fn recipe<V: Readable>(value: &Value) -> Recipe<V> {
    let length = |field: &str| number(&value[field]);
    let point = |field: &str| vector::<V>(&value[field]);
    match value["type"].as_str().expect("a type") {
        "ball" => Recipe::Ball(length("radius")),
        "cuboid" => Recipe::Cuboid(point("half_extents")),
        "capsule" => Recipe::Capsule {
            half: length("half_length"),
            radius: length("radius"),
        },
        "segment" => Recipe::Segment(["a", "b"].map(point)),
        "triangle" => Recipe::Triangle(["a", "b", "c"].map(point)),
        "ellipsoid" => Recipe::Ellipsoid(point("radii")),
        "half_space" => Recipe::HalfSpace(point("normal")),
        "rounded" => Recipe::Rounded(Box::new(recipe(&value["shape"])), length("radius")),
        "hull" => {
            let points = value["points"].as_array().expect("points");
            Recipe::Hull(points.iter().map(vector).collect())
        }
        "cylinder" => Recipe::Cylinder {
            half: length("half_height"),
            radius: length("radius"),
        },
        "cone" => Recipe::Cone {
            half: length("half_height"),
            radius: length("radius"),
        },
        "tapered_capsule" => Recipe::TaperedCapsule {
            half: length("half_length"),
            radii: ["radius_top", "radius_bottom"].map(length),
        },
        "tapered_cylinder" => Recipe::TaperedCylinder {
            half: length("half_height"),
            radii: ["radius_top", "radius_bottom"].map(length),
        },
        kind => panic!("no shape is a {kind}"),
    }
}

pub(super) fn solid<V: Readable>(value: &Value) -> Solid<V> {
    let pose = &value["pose"];
    let translation = match &pose["translation"] {
        Value::Null => V::ZERO,
        translation => vector(translation),
    };
    let rotation = match &pose["rotation"] {
        Value::Null => V::Rotation::IDENTITY,
        rotation => V::rotation(rotation),
    };
    Solid::new(recipe(&value["shape"]), Pose::new(translation, rotation))
}

struct Expected {
    distance: f64,
    /// The bracket of the oracle.
    tolerance: f64,
    size: f64,
    allowed: f64,
}

fn expected(line: &Value) -> Expected {
    let expect = &line["expect"];
    let of = |field: &str| expect[field].as_f64().expect("a number");
    let (distance, tolerance, size) = (of("distance"), of("tolerance"), of("size"));
    let smooth_depth = expect["smooth"] == true && distance <= 0.0;
    let relative = if smooth_depth {
        SMOOTH_DEPTH_TOLERANCE
    } else {
        TOLERANCE
    };
    Expected {
        distance,
        tolerance,
        size,
        allowed: relative * size + tolerance,
    }
}

/// What is wrong with the answer to a line; nothing if it is right.
fn faults<V: Readable>(line: &Value) -> Vec<String> {
    let pair = Pair {
        a: solid::<V>(&line["a"]),
        b: solid::<V>(&line["b"]),
    };
    let (a, b) = pair.bodies();
    let expected = expected(line);
    let answer = match proximity(a.placed(), b.placed(), Real::INFINITY) {
        Ok(Proximity::Near(answer)) => answer,
        other => return vec![format!("answered {other:?}")],
    };
    let mut faults = Vec::new();
    let mut check = |holds: bool, what: &str| {
        if !holds {
            faults.push(format!(
                "{what}, expected {}: {answer:?}",
                expected.distance
            ));
        }
    };
    let error = (f64::from(answer.distance) - expected.distance).abs();
    check(error <= expected.allowed, "distance");
    let slack = expected.tolerance + ORACLE_ROUNDING * expected.size;
    check(
        f64::from(answer.lower) - slack <= expected.distance,
        "lower bound",
    );
    check(
        f64::from(answer.upper) + slack >= expected.distance,
        "upper bound",
    );
    check_witnesses(&a, &b, &answer, expected.allowed, &mut check);
    let touch = intersects(a.placed(), b.placed()).expect("valid poses");
    let broken = promises(&pair, &answer, touch).into_iter();
    faults.extend(broken.filter_map(|outcome| outcome.err().map(|fault| fault.0)));
    faults
}

/// What is promised of every answer, as the properties of `bounds` check it on random pairs.
fn promises<V: Space>(
    pair: &Pair<V>,
    answer: &Separation<V>,
    touch: bool,
) -> Vec<Result<(), Fault>> {
    let mut outcomes = vec![
        soundness(answer),
        agreement(answer, touch),
        bounds(pair, answer, DIRECTIONS),
    ];
    if answer.lower > 0.0 {
        outcomes.push(upper_by_points(pair, answer));
        outcomes.push(lower_by_plane(pair, answer));
    }
    if answer.upper < 0.0 {
        outcomes.push(translation(pair, answer));
    }
    outcomes
}

/// The witness points lie in their shapes and `distance` apart along the normal, which proves it.
fn check_witnesses<V: Vector>(
    a: &Body<V>,
    b: &Body<V>,
    answer: &Separation<V>,
    allowed: f64,
    check: &mut impl FnMut(bool, &str),
) {
    let [normal, on_a, on_b] =
        [answer.normal, answer.point_a(), answer.point_b()].map(V::to_precise);
    let distance = f64::from(answer.distance);
    // World coordinates in single precision.
    let rounding = 4.0 * f64::from(Real::EPSILON) * on_a.length().max(on_b.length());
    let (apart, slack) = (on_b - on_a, allowed + rounding + 4e-7 * distance.abs());
    let along_normal = (apart.dot(normal) - distance).abs();
    check(along_normal <= slack, "witness points along the normal");
    let length = (apart.length() - distance.abs()).abs();
    check(length <= slack, "distance of the witness points");
    let along = height(a, b, normal) - distance;
    // A normal of single precision tilts the planes that touch far points.
    let tilt = 4e-7 * (a.reach() + b.reach() + distance.abs());
    if a.plane_normal().is_none() && b.plane_normal().is_none() {
        check(
            along.abs() <= 2.0 * allowed + tilt,
            "plane across the normal",
        );
    }
    for direction in crate::common::directions::<V::Precise>(64) {
        for (body, point) in [(a, on_a), (b, on_b)] {
            if body.plane_normal().is_none() {
                let over = direction.dot(point - body.support(direction));
                check(over <= allowed + rounding, "witness point outside");
            }
        }
    }
}

#[test]
fn pairs_with_exact_answers_are_answered_within_their_tolerances() {
    let lines = include_str!("../data/pairs.jsonl");
    let mut failed = Vec::new();
    let mut count = 0;
    for text in lines.lines() {
        let line: Value = serde_json::from_str(text).expect("JSON");
        let faults = match line["dimension"].as_u64() {
            Some(2) => faults::<Vec2>(&line),
            _ => faults::<Vec3>(&line),
        };
        let name = format!("{} {}", line["id"], line["category"]);
        failed.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
        count += 1;
    }
    assert!(count > 600, "only {count} pairs");
    assert!(
        failed.is_empty(),
        "{}\n{} faults",
        failed.join("\n"),
        failed.len()
    );
}
