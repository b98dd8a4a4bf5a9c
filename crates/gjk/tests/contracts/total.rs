//! Every question on every ordered pair of kinds has an answer.

use clearance_gjk::{
    Difference, Goal, Measured, Outcome, Proximity, SearchResult, core_corners, intersects,
    measure, measure_difference, minkowski_difference, proximity, search, trace,
};
use clearance_math::{PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Shape, Support};

use crate::common::{
    Body, Kind, Pcg, Placement, Space, agreement, beside, body, in_both_dimensions, iterations,
    kept, kind_pairs, size_of, soundness,
};

in_both_dimensions!(
    every_question_on_every_pair_of_kinds_has_an_answer,
    every_search_on_every_pair_of_kinds_can_be_watched,
    every_pair_of_kinds_can_be_measured_as_shapes_of_your_own,
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
        let apart = b.pose.translation.to_precise() - a.pose.translation.to_precise();
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

/// A convex shape as a user would write one: nothing but farthest points, the radius among them.
struct OfYourOwn<'a, V: Vector>(&'a Convex<V>);

impl<V: Vector> Support<V::Precise> for OfYourOwn<'_, V> {
    fn support(&self, direction: V::Precise) -> V::Precise {
        let unit = direction.direction().unwrap_or(V::Precise::axis(0));
        self.0.core().support(direction) + unit * self.0.radius()
    }

    fn center(&self) -> V::Precise {
        self.0.core_center()
    }

    fn bounding_radius(&self) -> f64 {
        self.0.core_bounding_radius() + self.0.radius()
    }
}

type ConvexPair<'a, V> = (
    &'a Convex<V>,
    &'a Convex<V>,
    RelativePose<<V as Vector>::Precise>,
);

/// The shapes of a pair if both are bounded, and the pose of b in the frame of a.
fn convex_pair<'a, V: Vector>(a: &'a Body<V>, b: &'a Body<V>) -> Option<ConvexPair<'a, V>> {
    match (&a.shape, &b.shape) {
        (Shape::Convex(convex_a), Shape::Convex(convex_b)) => {
            let b_in_a = RelativePose::between(&a.pose, &b.pose);
            Some((convex_a, convex_b, b_in_a))
        }
        _ => None,
    }
}

fn every_pair_of_kinds_can_be_measured_as_shapes_of_your_own<V: Space>() {
    for_each_pair::<V>(|a, b| {
        let Some((convex_a, convex_b, b_in_a)) = convex_pair(a, b) else {
            return;
        };
        let (own_a, own_b) = (OfYourOwn(convex_a), OfYourOwn(convex_b));
        let difference = Difference::new(&own_a, &own_b, b_in_a);
        for within in [-0.1, 0.0, 0.05, f64::INFINITY] {
            let gap = tolerances::SMOOTH_DEPTH_GAP;
            match measure_difference(&difference, within, gap) {
                Outcome::Near(measured) => check_own(&measured, a, b),
                Outcome::Farther { lower } => assert!(lower > within, "{lower} {a:?} {b:?}"),
                Outcome::Unbounded => panic!("unbounded: {a:?} {b:?}"),
            }
        }
        for goal in [Goal::closest_point(), Goal::side_of(0.0)] {
            if let SearchResult::Separated(found) = search(&difference, goal, &mut None) {
                assert!(found.lower <= found.upper, "{found:?} {a:?} {b:?}");
                assert!(is_finite(found.normal), "{found:?} {a:?} {b:?}");
            }
        }
    });
}

/// Finite numbers, bounds in order, a unit normal, and bounds that share a value with those of the
/// shapes that the engine knows.
fn check_own<V: Vector>(measured: &Measured<V::Precise>, a: &Body<V>, b: &Body<V>) {
    let known = measure(a.placed(), b.placed(), Real::INFINITY)
        .near()
        .expect("bounded");
    let context = format!("{measured:?} {known:?} {a:?} {b:?}");
    let numbers = [measured.lower, measured.distance, measured.upper];
    assert!(numbers.iter().all(|number| number.is_finite()), "{context}");
    assert!(numbers.is_sorted(), "{context}");
    let points = [measured.normal, measured.on_a, measured.on_b];
    assert!(points.into_iter().all(is_finite), "{context}");
    assert!((measured.normal.length() - 1.0).abs() < 1e-12, "{context}");
    assert!(f64::from(known.lower) <= measured.upper, "{context}");
    assert!(f64::from(known.upper) >= measured.lower, "{context}");
}

fn every_pair_of_polytopes_has_a_minkowski_difference<V: Space>() {
    for_each_pair::<V>(|a, b| {
        let Some((convex_a, convex_b, b_in_a)) = convex_pair(a, b) else {
            return;
        };
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
