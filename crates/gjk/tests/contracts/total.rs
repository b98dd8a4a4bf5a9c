//! Every question on every ordered pair of kinds has an answer.

use clearance_gjk::{
    Proximity, core_corners, intersects, measure, minkowski_difference, proximity, trace,
};
use clearance_math::{PreciseVector, Real, RelativePose};

use crate::common::{
    Body, Kind, Pcg, Placement, Space, agreement, beside, body, in_both_dimensions, iterations,
    kept, kind_pairs, size_of, soundness,
};

in_both_dimensions!(
    every_question_on_every_pair_of_kinds_has_an_answer,
    every_search_on_every_pair_of_kinds_can_be_watched,
    every_pair_of_polytopes_has_a_minkowski_difference,
);

const RANGES: [Real; 6] = [
    Real::NEG_INFINITY,
    -0.1,
    0.0,
    0.05,
    Real::MAX,
    Real::INFINITY,
];

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
                Proximity::Near(near) => {
                    kept(soundness(&near), || context.clone());
                    kept(agreement(&near, touch), || context.clone());
                }
                Proximity::Farther { lower } => {
                    assert!(lower >= within && lower.is_finite(), "{context}");
                    assert!(lower <= 0.0 || !touch, "{context}");
                }
                Proximity::Unbounded => {
                    let planes = [a, b].map(|body| body.plane_normal().is_some());
                    assert!(planes == [true, true] && touch, "{context}");
                }
                Proximity::Undecided { .. } => panic!("{context}"),
            }
        }
    });
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

fn every_pair_of_polytopes_has_a_minkowski_difference<V: Space>() {
    for_each_pair::<V>(|a, b| {
        if [a, b].iter().any(|body| body.plane_normal().is_some()) {
            return;
        }
        let (convex_a, convex_b) = (a.convex(), b.convex());
        let b_in_a = RelativePose::between(&a.pose, &b.pose);
        let cores = [convex_a.core(), convex_b.core()];
        for core in cores {
            assert_eq!(core_corners(core).is_some(), core.is_polytope(), "{core:?}");
        }
        let difference = minkowski_difference(convex_a, convex_b, &b_in_a);
        let are_polytopes = cores.iter().all(|core| core.is_polytope());
        assert_eq!(difference.is_some(), are_polytopes, "{a:?} {b:?}");
        for vertex in difference.iter().flat_map(|hull| hull.vertices()) {
            assert!(vertex.is_finite(), "{a:?} {b:?}");
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
    assert_eq!(kind_pairs::<Vec2>().count(), 12 * 12);
}
