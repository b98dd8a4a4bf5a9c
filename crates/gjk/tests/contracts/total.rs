//! Every question on every ordered pair of kinds has an answer.

use clearance_gjk::{Proximity, intersects, measure, proximity, trace};
use clearance_math::{PreciseVector, Real};

use crate::common::{
    Body, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, kind_pairs, size_of,
};
use crate::hostile::ask;

in_both_dimensions!(
    every_question_on_every_pair_of_kinds_has_an_answer,
    every_search_on_every_pair_of_kinds_can_be_watched,
);

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

/// Ranges in parts of the size of the pair.
const RANGES: [Real; 5] = [Real::NEG_INFINITY, -0.1, 0.0, 0.05, 3e8];

/// Of any size beside another, at any place.
fn every_question_on_every_pair_of_kinds_has_an_answer<V: Space>() {
    let mut random = Pcg::new(102);
    for (kind_a, kind_b) in kind_pairs::<V>() {
        for placement in Placement::ALL {
            for _ in 0..iterations(3) {
                let size = random.pick(&[1.0, 1.0, 1e-30, 1e-20, 1e-10, 1e10, 1e20, 1e30]);
                let sizes = random.pick(&[[size; 2], [size, 1.0], [1e3, 1e-3]]);
                let [a, b] = [(kind_a, sizes[0]), (kind_b, sizes[1])]
                    .map(|(kind, size)| body::<V>(kind, &mut random, size));
                let far = size_of(&a, &b) * random.pick(&[0.0, 10.0, 1e4, 1e7]);
                let a = a.moved_to(random.direction::<V::Precise>() * far);
                check(&a, &beside(&mut random, &a, &b, placement));
            }
        }
    }
}

fn check<V: Space>(a: &Body<V>, b: &Body<V>) {
    let whole = measure(a.placed(), b.placed(), Real::INFINITY);
    let touch = intersects(a.placed(), b.placed()).expect("valid poses");
    if whole != Proximity::Unbounded {
        assert_eq!(whole, Proximity::Near(ask(a, b)));
    }
    // Half-spaces have no size.
    let size = Real::max(size_of(a, b) as Real, Real::MIN_POSITIVE);
    for within in RANGES {
        let within = within * size;
        let answer = proximity(a.placed(), b.placed(), within).expect("valid poses");
        let context = format!("{within} {answer:?} {whole:?} {touch} {a:?} {b:?}");
        match (answer, whole) {
            (Proximity::Farther { lower }, Proximity::Near(whole)) => {
                assert!(within < lower && lower <= whole.upper, "{context}");
            }
            (Proximity::Unbounded, _) => {
                let planes = [a, b].map(|body| body.plane_normal().is_some());
                assert!(planes == [true, true] && touch, "{context}");
                assert_eq!(whole, Proximity::Unbounded, "{context}");
            }
            (answer, _) => assert_eq!(answer, whole, "{context}"),
        }
    }
}

fn every_search_on_every_pair_of_kinds_can_be_watched<V: Space>() {
    for_each_pair::<V>(|a, b| {
        let iterations = trace(a.placed(), b.placed()).expect("valid poses");
        assert!(iterations.len() <= 128, "{a:?} {b:?}");
        for iteration in &iterations {
            let context = || format!("{iteration:?} {a:?} {b:?}");
            let support = iteration.support;
            for vector in [
                iteration.direction,
                support.point,
                support.on_a,
                support.on_b,
            ] {
                assert!(is_finite(vector), "{}", context());
            }
            assert!(iteration.lower.is_finite(), "{}", context());
            assert!(iteration.upper.is_finite(), "{}", context());
        }
        // The bounds of a search only ever come nearer each other, but for rounding.
        let apart = b.pose.position() - a.pose.position();
        let slack = 1e-14 * (2.0 * size_of(a, b) + apart.length());
        let lower: Vec<f64> = iterations.iter().map(|iteration| iteration.lower).collect();
        let upper: Vec<f64> = iterations.iter().map(|iteration| iteration.upper).collect();
        assert!(lower.is_sorted(), "{lower:?} {a:?} {b:?}");
        assert!(
            upper.is_sorted_by(|x, y| x + slack >= *y),
            "{upper:?} {a:?} {b:?}"
        );
    });
}

fn is_finite<P: PreciseVector>(vector: P) -> bool {
    (0..P::DIM).all(|k| vector.component(k).is_finite())
}
