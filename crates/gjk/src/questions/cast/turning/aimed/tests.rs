use clearance_math::{Pose, Quat, Vec3};
use clearance_shapes::Shape;

use super::*;
use crate::answer::Outcome;
use crate::pair::Placed;
use crate::questions::cast::pair::{Asked, with_pair};
use crate::questions::cast::{Cast, Motion};
use crate::test_numbers::{number, vector};

/// A shape of any kind, turned, somewhere beside `place`.
fn shape(k: u32, salt: u32) -> Shape<Vec3> {
    let size = vector(k, salt).abs() + 0.05;
    let made = match (k + salt) % 5 {
        0 => Shape::cuboid(size),
        1 => Shape::capsule(size.x, size.y),
        2 => Shape::cylinder(size.x, size.y),
        3 => Shape::triangle(
            vector(k, salt + 3),
            vector(k, salt + 6),
            vector(k, salt + 9),
        ),
        _ => Shape::hull([0, 1, 2, 3, 4, 5].map(|corner| vector(k * 8 + corner, salt + 3))),
    };
    made.expect("a shape with a size")
}

/// Where planes between two normals are said to keep parts apart, the parts are apart, whatever the plane in between is.
#[test]
fn planes_between_two_normals_keep_the_parts_apart() {
    let (mut whole, mut partly) = (0, 0);
    for k in 0..3000 {
        let (a, b) = (shape(k, 1), shape(k, 14));
        let turn = |salt| Quat::from_axis_angle(vector(k, salt).normalize(), 3.0);
        let far = [1.2, 2.0, 4.0][k as usize % 3];
        let pose_a = Pose::new(vector(k, 27), turn(30));
        let pose_b = Pose::new(
            pose_a.translation() + vector(k, 33).normalize() * far,
            turn(36),
        );
        let speed = [1.0, 10.0][k as usize % 2];
        let [motion_a, motion_b] =
            [39, 45].map(|salt| Motion::new(vector(k, salt) * speed, vector(k, salt + 3) * 8.0));
        let casts = [
            Cast::new(Placed::new(&a, &pose_a), motion_a),
            Cast::new(Placed::new(&b, &pose_b), motion_b),
        ];
        let proven = with_pair(casts.each_ref(), |pair| {
            let mut course = Course::new(Asked::new(0.0, 1.0), &pair.precision);
            let start = f64::from(number(k, 51).abs()) * 0.5;
            let ahead = f64::from(number(k, 52).abs()) * [0.02, 0.2][k as usize % 2] + 1e-6;
            let seen = [start, start + ahead].map(|time| pair.seen_at(time, &mut course).plane);
            let (first, last) = (seen[0]?, seen[1]?);
            if first.pace.margin.min(last.pace.margin) <= 0.0 {
                return None;
            }
            let free = pair.free_between([&first, &last]);
            for step in 0..=40 {
                let time = start + free * f64::from(step) / 40.0 * (1.0 - 1e-12);
                let Outcome::Near(measured) = pair.measure(&pair.at(time)) else {
                    panic!("{k}: no distance");
                };
                let slack = 2.0 * pair.precision.rounding;
                assert!(
                    measured.upper > -slack,
                    "{k}: {measured:?} at {time}, {free} of {ahead}"
                );
            }
            Some(free >= ahead)
        });
        whole += u32::from(proven == Some(true));
        partly += u32::from(proven == Some(false));
    }
    assert!(whole > 300 && partly > 50, "{whole} {partly}");
}

/// A guess from exact numbers of a parabola is exact, and none goes on without end where rounding spoils it.
#[test]
fn guesses_follow_a_parabola() {
    let at = |time: f64| Pace {
        time,
        margin: 2.0 - 3.0 * time + time * time,
        rate: 2.0 * time - 3.0,
    };
    let curve = curve(&at(0.125), &at(0.25));
    assert!((curve - 2.0).abs() < 1e-12, "{curve}");
    assert!((fall(&at(0.25), curve, 0.0).expect("it falls") - 0.75).abs() < 1e-12);
    assert_eq!(fall(&at(0.25), 2.0, -1.0), Some(f64::INFINITY));
    assert_eq!(fall(&at(2.0), 2.0, -1.0), None);
}
