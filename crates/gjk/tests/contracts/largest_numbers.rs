//! Near the greatest number of single precision: what the answer cannot say is called saturated, and the
//! bounds hold.

use clearance_gjk::internal::unbounded_separation;
use clearance_gjk::{Placed, Question, Separation, Status, measure, measure_each};
use clearance_math::{Pose, PreciseVector, Real, Vector};
use clearance_shapes::Shape;

use crate::common::{
    Body, Kind, Pair, Pcg, Recipe, Solid, Space, ensure, in_both_dimensions, iterations, kept,
    points_along_the_normal, turned,
};

in_both_dimensions!(
    answers_beyond_the_greatest_number_are_saturated,
    cuboids_measured_in_a_batch_are_saturated_too,
    points_of_half_spaces_beyond_the_greatest_number_are_saturated,
);

fn near<V: Vector>(a: &Body<V>, b: &Body<V>) -> Separation<V> {
    let answer = measure(a.placed(), b.placed(), Real::INFINITY);
    answer.near().expect("no range and no half-space")
}

/// Whether a number stands in the answer that no finite one may exceed.
fn is_held<V: Vector>(answer: &Separation<V>) -> bool {
    let is_greatest = |number: Real| number.abs() == Real::MAX;
    let points = [answer.point_a(), answer.point_b()];
    let mut components = points
        .iter()
        .flat_map(|p| (0..V::DIM).map(|k| p.component(k)));
    is_greatest(answer.distance) || components.any(is_greatest)
}

/// A shape of up to the greatest size, about its own origin.
fn recipe<V: Space>(random: &mut Pcg) -> Recipe<V> {
    use Kind::{Ball, Capsule, Cuboid, Ellipsoid, Hull};
    let size = random.log_between(1e36, 3e38);
    let kind = random.pick(&[Ball, Cuboid, Capsule, Ellipsoid, Hull]);
    Recipe::random(kind, random, size)
}

fn answers_beyond_the_greatest_number_are_saturated<V: Space>() {
    let mut random = Pcg::new(221);
    let mut saturated = 0;
    for _ in 0..iterations(2000) {
        let solid = |random: &mut Pcg| {
            let far = random.log_between(1e38, 3.4e38);
            let place: V = random.point(far);
            Solid::new(recipe::<V>(random), Pose::new(place, turned::<V>(random)))
        };
        let (a, b) = (solid(&mut random), solid(&mut random));
        let pair = Pair { a, b };
        let (a, b) = pair.bodies();
        let answer = near(&a, &b);
        let context = || format!("{answer:?} {pair:?}");
        let is_saturated = answer.status == Status::Saturated;
        saturated += usize::from(is_saturated);
        kept(
            ensure(is_saturated || !is_held(&answer), || "held".to_owned()),
            context,
        );
        if !is_saturated {
            kept(points_along_the_normal(&pair, &answer), context);
        }
        // The gap along the normal of an answer is not above the distance, whatever was held.
        let normal = answer.normal.to_precise();
        let gap = pair.gap(normal / normal.length());
        let open = f64::from(answer.upper) - gap;
        kept(
            ensure(open >= -1e-13 * pair.scale(), || "upper".to_owned()),
            context,
        );
        let is_bounded = answer.lower <= answer.distance && answer.distance <= answer.upper;
        kept(ensure(is_bounded, || "out of bounds".to_owned()), context);
    }
    assert!(saturated >= iterations(20), "only {saturated}");
}

#[test]
fn a_distance_beyond_the_greatest_number_lies_between_its_bounds() {
    use clearance_math::Vec2;
    let ball = Shape::ball(1e37).unwrap();
    let at = |x| {
        Body::new(
            ball.clone(),
            Pose::<Vec2>::from_translation(Vec2::new(x, 0.0)),
        )
    };
    let answer = near(&at(-3e38), &at(3e38));
    assert_eq!(answer.status, Status::Saturated);
    assert_eq!((answer.distance, answer.lower), (Real::MAX, Real::MAX));
    assert_eq!(answer.upper, Real::INFINITY);
    let answer = near(&at(-1e38), &at(1e38));
    assert_eq!(answer.status, Status::Exact);
    assert!((answer.distance - 1.8e38).abs() < 1e32, "{answer:?}");
}

/// Cuboids that are farther apart than the greatest number.
fn cuboids_measured_in_a_batch_are_saturated_too<V: Space>() {
    let cuboid = Shape::cuboid(V::splat(1e38)).expect("positive");
    let mut random = Pcg::new(222);
    let poses = [-3.4e38, 3.4e38].map(|x| {
        let place = V::axis(0) * x;
        Pose::new(place, V::any_rotation(&mut random))
    });
    let [a, b] = [0, 1].map(|k| Placed::new(&cuboid, &poses[k]));
    let question = |_: &()| {
        Some(Question {
            a,
            b,
            within: Real::INFINITY,
        })
    };
    let mut answers = Vec::new();
    measure_each(&[(); 4], question, |(), _, answer| answers.push(*answer));
    let alone = measure(a, b, Real::INFINITY);
    assert_eq!(answers, [alone; 4]);
    let status = alone.near().map(|near| near.status);
    assert_eq!(status, Some(Status::Saturated));
}

/// The points of the boundaries can be beyond the range, though there is no distance.
fn points_of_half_spaces_beyond_the_greatest_number_are_saturated<V: Space>() {
    let ground = Shape::half_space(V::axis(1)).expect("a unit vector");
    let raised = ground.rounded(3e38).expect("positive");
    let higher = raised.rounded(3e38).expect("positive");
    let status = |a: &Shape<V>, b: &Shape<V>, height: Real| {
        let poses = [height, 0.0].map(|y| Pose::from_translation(V::axis(1) * y));
        let (a, b) = (Placed::new(a, &poses[0]), Placed::new(b, &poses[1]));
        let answer = unbounded_separation(a, b);
        assert!(answer.point_a().is_finite() && answer.point_b().is_finite());
        assert_eq!(answer.distance, Real::NEG_INFINITY);
        answer.status
    };
    assert_eq!(status(&ground, &raised, 3e38), Status::Exact);
    assert_eq!(status(&raised, &raised, 0.0), Status::Exact);
    assert_eq!(status(&ground, &higher, 0.0), Status::Saturated);
    assert_eq!(status(&higher, &ground, 0.0), Status::Saturated);
    assert_eq!(status(&higher, &ground, -3e38), Status::Exact);
    assert_eq!(status(&raised, &ground, 3e38), Status::Saturated);
}
