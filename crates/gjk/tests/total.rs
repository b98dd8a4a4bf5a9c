//! Every question on every ordered pair of kinds has an answer.

mod common;

use clearance_gjk::{Proximity, Separation, intersects, measure, proximity};
use clearance_math::{PreciseVector, Real, Vector};
use common::{
    Body, Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, kind_pairs,
};

in_both_dimensions!(
    every_question_on_every_pair_of_kinds_has_an_answer,
    a_range_changes_nothing_but_when_the_search_stops,
);

const RANGES: [Real; 4] = [-0.1, 0.0, 0.05, Real::INFINITY];

/// Every ordered pair of kinds in every placement, a few times, near the origin and far off.
fn for_each_pair<V: Space>(mut visit: impl FnMut(&Body<V>, &Body<V>)) {
    let mut random = Pcg::new(41);
    for (kind_a, kind_b) in kind_pairs::<V>() {
        for placement in Placement::ALL {
            for round in 0..iterations(6) {
                let sizes = [1.0, random.log_between(0.01, 100.0)];
                let a = body::<V>(kind_a, &mut random, sizes[round % 2]);
                let b = body::<V>(kind_b, &mut random, 1.0);
                let origin = random.vector::<V::Precise>() * [0.0, 10.0, 1e4][round % 3];
                let a = a.moved_to(origin);
                visit(&a, &beside(&mut random, &a, &b, placement));
            }
        }
    }
}

fn every_question_on_every_pair_of_kinds_has_an_answer<V: Space>() {
    for_each_pair::<V>(|a, b| {
        let touch = intersects(a.placed(), b.placed()).expect("valid poses");
        for within in RANGES {
            let answer = proximity(a.placed(), b.placed(), within).expect("valid poses");
            let context = format!("{within} {answer:?} {touch} {a:?} {b:?}");
            assert_eq!(answer, measure(a.placed(), b.placed(), within), "{context}");
            match answer {
                Proximity::Near(separation) => check(&separation, touch, &context),
                Proximity::Farther { lower } => {
                    assert!(lower >= within, "{context}");
                    assert!(lower <= 0.0 || !touch, "{context}");
                }
                Proximity::Unbounded => {
                    let planes = [a, b].map(|body| body.plane_normal().is_some());
                    assert!(planes == [true, true] && touch, "{context}");
                }
            }
        }
    });
}

/// Finite numbers, bounds in order, a unit normal, and a sign that `intersects` agrees with
/// wherever the bounds decide it.
fn check<V: Vector>(answer: &Separation<V>, touch: bool, context: &str) {
    assert!(answer.distance.is_finite(), "{context}");
    assert!(
        answer.lower.is_finite() && answer.upper.is_finite(),
        "{context}"
    );
    assert!(answer.lower <= answer.distance, "{context}");
    assert!(answer.distance <= answer.upper, "{context}");
    assert!(
        answer.point_a.is_finite() && answer.point_b.is_finite(),
        "{context}"
    );
    let length = answer.normal.to_precise().length();
    assert!((length - 1.0).abs() <= 4e-7, "{length} {context}");
    assert!(answer.lower <= 0.0 || !touch, "{context}");
    assert!(answer.upper > 0.0 || touch, "{context}");
}

fn a_range_changes_nothing_but_when_the_search_stops<V: Space>() {
    for_each_pair::<V>(|a, b| {
        let Proximity::Near(whole) = measure(a.placed(), b.placed(), Real::INFINITY) else {
            return;
        };
        for within in RANGES {
            match measure(a.placed(), b.placed(), within) {
                Proximity::Near(separation) => {
                    assert_eq!(separation, whole, "{within} {a:?} {b:?}");
                }
                Proximity::Farther { lower } => {
                    assert!(
                        lower <= whole.upper,
                        "{lower} {within} {whole:?} {a:?} {b:?}"
                    );
                }
                Proximity::Unbounded => panic!("bounded before: {a:?} {b:?}"),
            }
        }
    });
}

#[test]
fn every_way_of_making_a_shape_is_asked_about() {
    use clearance_math::{Vec2, Vec3};
    assert_eq!(
        kind_pairs::<Vec3>().count(),
        Kind::ALL.len() * Kind::ALL.len()
    );
    assert_eq!(kind_pairs::<Vec2>().count(), 11 * 11);
}
