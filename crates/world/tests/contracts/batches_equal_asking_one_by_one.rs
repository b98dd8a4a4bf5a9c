//! Many questions in one call: the answers of one call each, bit for bit, with any number of threads.

use clearance_gjk::{Placed, QueryError, RayOptions};
use clearance_math::{Pose, PreciseVector, Ray, Real};
use clearance_shapes::Shape;
use clearance_world::{
    BatchError, BatchSeparation, Body, BodyId, BodyRef, BodySeparation, Nearest, World,
};

use crate::compare::separation_bits;
use crate::crowd::{Dimension, any_body, composite_crowd, with_threads, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    batches_equal_asking_one_by_one,
    batches_do_not_depend_on_thread_count,
    bad_batches_are_refused_by_place,
    points_far_out_keep_their_place,
);

const COUNT: usize = 120;

/// An answer as plain numbers.
type Answer = (usize, BodyId, Vec<u32>);

fn bits<V: Dimension>(question: usize, found: &BodySeparation<V>) -> Answer {
    (question, found.body, separation_bits(&found.separation))
}

fn batch_bits<V: Dimension>(found: &[BatchSeparation<V>]) -> Vec<Answer> {
    let answers = found.iter();
    answers
        .map(|near| bits(near.question, &near.found))
        .collect()
}

/// A world with bodies that changed since the last step.
fn some_world<V: Dimension>(threads: usize) -> World<V> {
    let (mut world, ids) = world_of(with_threads(threads), composite_crowd::<V>(60, COUNT));
    world.step(0.1).unwrap();
    let mut random = Random::new(60);
    for id in &ids[20..40] {
        let pose = Pose::from_translation(random.vector::<V>(0.0, 6.0));
        world.body_mut(*id).unwrap().set_pose(pose).unwrap();
    }
    world.remove(ids[50]).unwrap();
    world
}

/// Points in the region of the bodies and around it.
fn points<V: Dimension>(count: usize) -> Vec<V> {
    let mut random = Random::new(61);
    (0..count).map(|_| random.vector(-3.0, 12.0)).collect()
}

fn bodies<V: Dimension>(count: usize) -> Vec<Body<V>> {
    let mut random = Random::new(62);
    let mut bodies: Vec<_> = (0..count).map(|_| any_body(&mut random, COUNT)).collect();
    bodies[7].shape = Shape::half_space(V::axis(0)).unwrap();
    bodies
}

fn placed<V: Dimension>(bodies: &[Body<V>]) -> Vec<Placed<'_, V>> {
    let placed = |body| {
        let Body { shape, pose, .. }: &Body<V> = body;
        Placed::new(shape, pose)
    };
    bodies.iter().map(placed).collect()
}

const NEAREST: [Nearest; 4] = [
    Nearest {
        count: 1,
        within: Real::INFINITY,
    },
    Nearest {
        count: 3,
        within: 1.0,
    },
    Nearest {
        count: usize::MAX,
        within: 0.5,
    },
    Nearest {
        count: 0,
        within: 1.0,
    },
];

/// The answers to the questions one by one.
fn one_by_one<V: Dimension>(
    count: usize,
    mut ask: impl FnMut(usize, &mut Vec<BodySeparation<V>>) -> Result<(), QueryError>,
) -> Vec<Answer> {
    let (mut answers, mut found) = (Vec::new(), Vec::new());
    for question in 0..count {
        ask(question, &mut found).unwrap();
        answers.extend(found.iter().map(|found| bits(question, found)));
    }
    answers
}

fn batches_equal_asking_one_by_one<V: Dimension>() {
    let (points, bodies) = (points::<V>(150), bodies::<V>(150));
    let shapes = placed(&bodies);
    let is_high = |body: BodyRef<'_, V>| body.pose().translation().component(1) > 3.0;
    let mut answers = 0;
    for threads in [1, 2] {
        let world = some_world::<V>(threads);
        // What was in the list before does not count.
        let mut found = Vec::new();
        for asked in [world.query(), world.query().predicate(&is_high)] {
            for nearest in NEAREST {
                asked
                    .nearest_to_point_each_into(&points, nearest, &mut found)
                    .unwrap();
                let expected = one_by_one(points.len(), |k, found| {
                    asked.nearest_to_point_into(points[k], nearest, found)
                });
                assert_eq!(batch_bits(&found), expected);
                answers += found.len();
                asked
                    .nearest_each_into(&shapes, nearest, &mut found)
                    .unwrap();
                let expected = one_by_one(shapes.len(), |k, found| {
                    asked.nearest_into(shapes[k], nearest, found)
                });
                assert_eq!(batch_bits(&found), expected);
                answers += found.len();
            }
            for within in [0.0, 0.7] {
                asked
                    .near_point_each_into(&points, within, &mut found)
                    .unwrap();
                let expected = one_by_one(points.len(), |k, found| {
                    asked.near_point_into(points[k], within, found)
                });
                assert_eq!(batch_bits(&found), expected);
                answers += found.len();
                asked.near_each_into(&shapes, within, &mut found).unwrap();
                let expected = one_by_one(shapes.len(), |k, found| {
                    asked.near_into(shapes[k], within, found)
                });
                assert_eq!(batch_bits(&found), expected);
                answers += found.len();
            }
        }
    }
    assert!(answers > 4000, "{answers}");
}

fn batches_do_not_depend_on_thread_count<V: Dimension>() {
    let (points, bodies) = (points::<V>(2000), bodies::<V>(1000));
    let shapes = placed(&bodies);
    let mut random = Random::new(63);
    let rays: Vec<Ray<V>> = (0..9000)
        .map(|_| {
            let origin = random.vector::<V>(-4.0, 9.0);
            Ray::new(origin, random.vector::<V>(0.0, 6.0) - origin).unwrap()
        })
        .collect();
    let answers = [1, 2, 3].map(|threads| {
        let world = some_world::<V>(threads);
        let mut found = [(); 4].map(|()| Vec::new());
        let mut hits = Vec::new();
        // The second time, in the memory of the first.
        for _ in 0..2 {
            let [nearest, nearest_shapes, near, near_shapes] = &mut found;
            let options = RayOptions::default();
            world
                .query()
                .cast_ray_each_into(&rays, options, &mut hits)
                .unwrap();
            world
                .query()
                .nearest_to_point_each_into(&points, NEAREST[0], nearest)
                .unwrap();
            world
                .query()
                .nearest_each_into(&shapes, NEAREST[1], nearest_shapes)
                .unwrap();
            world
                .query()
                .near_point_each_into(&points, 0.5, near)
                .unwrap();
            world
                .query()
                .near_each_into(&shapes, 0.0, near_shapes)
                .unwrap();
        }
        for (ray, hit) in rays.iter().zip(&hits).step_by(5) {
            let alone = world.query().cast_ray(ray, RayOptions::default());
            assert_eq!(alone.unwrap(), *hit);
        }
        // Ids of the three worlds differ, their slots do not.
        let slots = |found: &Vec<BatchSeparation<V>>| {
            let answers = batch_bits(found).into_iter();
            let plain = answers.map(|(question, body, bits)| (question, body.index(), bits));
            plain.collect::<Vec<_>>()
        };
        let hits = hits.iter().flatten();
        let hits = hits.map(|found| (found.body.index(), format!("{:?}", found.hit)));
        (found.each_ref().map(slots), hits.collect::<Vec<_>>())
    });
    assert!(answers[0] == answers[1] && answers[0] == answers[2]);
    let (found, hits) = &answers[0];
    assert!(found.iter().all(|found| found.len() > 300));
    assert!(hits.len() > 1000);
}

fn bad_batches_are_refused_by_place<V: Dimension>() {
    let world = some_world::<V>(1);
    let mut points = points::<V>(9);
    let mut found = Vec::new();
    let ask = |points: &[V], within: Real, found: &mut Vec<BatchSeparation<V>>| {
        let nearest = Nearest { count: 2, within };
        let answer = world
            .query()
            .nearest_to_point_each_into(points, nearest, found);
        let near = world
            .query()
            .near_point_each_into(points, within, &mut Vec::new());
        assert_eq!(answer, near);
        answer
    };
    ask(&points, 9.0, &mut found).unwrap();
    let before = batch_bits(&found);
    assert!(!before.is_empty());
    let error = ask(&points, Real::NAN, &mut found).unwrap_err();
    assert_eq!(error, BatchError::All(QueryError::Range));
    points[4] = V::ZERO.with_component(1, Real::INFINITY);
    points[6] = V::splat(Real::NAN);
    let error = ask(&points, 1.0, &mut found).unwrap_err().to_string();
    assert_eq!(
        error,
        "question 4: point[1] is inf, must be finite and at most 3.4028235e38 in size"
    );

    let mut bodies = bodies::<V>(9);
    bodies[3].pose = Pose::from_translation(V::splat(Real::NAN));
    let shapes = placed(&bodies);
    let errors = [
        world
            .query()
            .nearest_each_into(&shapes, NEAREST[0], &mut found),
        world.query().near_each_into(&shapes, 1.0, &mut found),
    ];
    for error in errors.map(Result::unwrap_err) {
        let text = error.to_string();
        assert!(text.starts_with("question 3: a.pose."), "{text}");
    }
    assert_eq!(batch_bits(&found), before);
    ask(&[], 1.0, &mut found).unwrap();
    assert!(found.is_empty());
}

/// A billion units out, where single precision knows every 64th unit: distances to balls are known by formula.
fn points_far_out_keep_their_place<V: Dimension>() {
    let mut random = Random::new(64);
    let center = V::splat(1e9).to_precise();
    let mut place = || center + random.vector::<V>(-6.0, 6.0).to_precise() * (1.0 + f64::EPSILON);
    let places: Vec<_> = (0..60).map(|_| place()).collect();
    let points: Vec<_> = (0..60).map(|_| place()).collect();
    let ball = Shape::ball(0.5).unwrap();
    let bodies = places
        .iter()
        .map(|&place| Body::moving(ball.clone(), Pose::from_translation(place)));
    let (mut world, _) = world_of(with_threads(2), bodies);
    world.step(0.0).unwrap();
    let mut found = Vec::new();
    let check = |found: &[BatchSeparation<V>]| {
        for near in found {
            let apart = (points[near.question] - places[near.found.body.index() as usize]).length();
            let (separation, truth) = (&near.found.separation, apart - 0.5);
            // Squares and roots round.
            let rounding = 1e-6;
            assert!(f64::from(separation.lower) <= truth + rounding);
            assert!(f64::from(separation.upper) >= truth - rounding);
            assert!((f64::from(separation.distance) - truth).abs() < rounding);
        }
    };
    let nearest = Nearest::default();
    world
        .query()
        .nearest_to_point_each_into(&points, nearest, &mut found)
        .unwrap();
    assert_eq!(found.len(), points.len());
    check(&found);
    let alone = one_by_one(points.len(), |k, found| {
        world
            .query()
            .nearest_to_point_into(points[k], nearest, found)
    });
    assert_eq!(batch_bits(&found), alone);
    world
        .query()
        .near_point_each_into(&points, 3.0, &mut found)
        .unwrap();
    assert!(found.len() > 60);
    check(&found);
}
