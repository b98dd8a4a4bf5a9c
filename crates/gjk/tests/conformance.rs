//! Pairs with exact answers, made by an independent oracle in double precision and, where needed,
//! in rational numbers.
//!
//! `data/pairs.jsonl` holds a pair a line with the expected signed distance, the tolerance of the
//! oracle and the size of the pair (the larger half diagonal of the two bounding boxes).

mod common;

use clearance_gjk::{Proximity, Separation, intersects, proximity};
use clearance_math::{Pose, PreciseVector, Quat, Real, Rotation, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use common::{Body, Space, height};
use serde_json::Value;

/// The error that is allowed, relative to the size of the pair.
const TOLERANCE: f64 = 1e-5;
/// The same where a curved core penetrates.
const SMOOTH_DEPTH_TOLERANCE: f64 = 1e-4;
/// What the oracle itself may be off by rounding, relative to the size.
const ORACLE_ROUNDING: f64 = 1e-12;

/// Reads what the dimensions write differently.
trait Readable: Space {
    fn rotation(value: &Value) -> Self::Rotation;
    fn round(kind: &str, half_height: Real, radius: Real) -> Shape<Self>;
}

impl Readable for Vec2 {
    fn rotation(value: &Value) -> Rotation2 {
        Rotation2::from_angle(number(value))
    }

    fn round(kind: &str, _: Real, _: Real) -> Shape<Self> {
        panic!("no {kind} in the plane")
    }
}

impl Readable for Vec3 {
    fn rotation(value: &Value) -> Quat {
        Quat::from_array(core::array::from_fn(|k| number(&value[k])))
    }

    fn round(kind: &str, half_height: Real, radius: Real) -> Shape<Self> {
        if kind == "cone" {
            Shape::cone(half_height, radius).unwrap()
        } else {
            Shape::cylinder(half_height, radius).unwrap()
        }
    }
}

fn number(value: &Value) -> Real {
    value.as_f64().expect("a number") as Real
}

fn vector<V: Vector>(value: &Value) -> V {
    (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, number(&value[k])))
}

fn shape<V: Readable>(value: &Value) -> Shape<V> {
    let length = |field: &str| number(&value[field]);
    let point = |field: &str| vector::<V>(&value[field]);
    match value["type"].as_str().expect("a type") {
        "ball" => Shape::ball(length("radius")),
        "cuboid" => Shape::cuboid(point("half_extents")),
        "capsule" => Shape::capsule(length("half_length"), length("radius")),
        "segment" => Shape::segment(point("a"), point("b")),
        "triangle" => Shape::triangle(point("a"), point("b"), point("c")),
        "ellipsoid" => Shape::ellipsoid(point("radii")),
        "half_space" => Shape::half_space(point("normal")),
        "rounded" => shape::<V>(&value["shape"]).rounded(length("radius")),
        "hull" => {
            let points = value["points"].as_array().expect("points");
            Shape::hull(&points.iter().map(vector).collect::<Vec<V>>())
        }
        kind => Ok(V::round(kind, length("half_height"), length("radius"))),
    }
    .expect("a valid shape")
}

fn body<V: Readable>(value: &Value) -> Body<V> {
    let pose = &value["pose"];
    let translation = match &pose["translation"] {
        Value::Null => V::ZERO,
        translation => vector(translation),
    };
    let rotation = match &pose["rotation"] {
        Value::Null => V::Rotation::IDENTITY,
        rotation => V::rotation(rotation),
    };
    Body::new(shape(&value["shape"]), Pose::new(translation, rotation))
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
    let (a, b) = (body::<V>(&line["a"]), body::<V>(&line["b"]));
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
    let touch = intersects(a.placed(), b.placed()).expect("valid poses");
    check(answer.lower <= 0.0 || !touch, "overlap of separated shapes");
    check(
        answer.upper >= 0.0 || touch,
        "no overlap of penetrating shapes",
    );
    check_witnesses(&a, &b, &answer, expected.allowed, &mut check);
    faults
}

/// The witness points lie in their shapes and `distance` apart along the normal, which proves it.
fn check_witnesses<V: Vector>(
    a: &Body<V>,
    b: &Body<V>,
    answer: &Separation<V>,
    allowed: f64,
    check: &mut impl FnMut(bool, &str),
) {
    let [normal, on_a, on_b] = [answer.normal, answer.point_a, answer.point_b].map(V::to_precise);
    check(
        (normal.length() - 1.0).abs() <= 4e-7,
        "length of the normal",
    );
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
    for direction in common::directions::<V::Precise>(64) {
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
    let lines = include_str!("data/pairs.jsonl");
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
