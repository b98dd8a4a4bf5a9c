//! Many questions in one call: the answers of one call each, bit for bit, with any number of threads. What is no question is
//! refused by name.

use clearance_gjk::{Cast, CastOptions, Motion, Placed, QueryError, RayOptions};
use clearance_math::{Pose, PreciseVector, Ray, Real};
use clearance_shapes::Shape;
use clearance_world::{
    BatchError, BatchSeparation, Body, BodyRef, BodySeparation, Nearest, Query, World,
};

use crate::crowd::{Dimension, any_body, composite_crowd, with_threads, world_of};
use crate::questions_are_answered_as_every_body_alone::{any_cast, near, put_anywhere};
use crate::random::Random;

crate::in_both_dimensions!(
    batches_equal_asking_one_by_one,
    bad_rays_and_casts_are_refused_by_name,
    bad_places_are_refused_by_name,
    points_far_out_keep_their_place,
);

/// A world with bodies that changed since the last step.
fn some_world<V: Dimension>(threads: usize) -> World<V> {
    let (mut world, ids) = world_of(with_threads(threads), composite_crowd::<V>(60, 120));
    world.step(0.1).unwrap();
    put_anywhere(&mut world, &ids[20..40], &mut Random::new(60));
    world.remove(ids[50]).unwrap();
    world
}

/// What batches ask.
struct Batch<V: Dimension> {
    rays: Vec<Ray<V>>,
    casts: Vec<(Body<V>, Motion<V>)>,
    bodies: Vec<Body<V>>,
    points: Vec<V>,
}

impl<V: Dimension> Batch<V> {
    fn of(count: usize) -> Self {
        let mut random = Random::new(61);
        let ray = |random: &mut Random| {
            let origin = random.vector::<V>(-4.0, 9.0);
            Ray::new(origin, random.vector::<V>(0.0, 6.0) - origin).unwrap()
        };
        let mut bodies: Vec<_> = (0..count).map(|_| any_body(&mut random, 120)).collect();
        bodies[7].shape = Shape::half_space(V::axis(0)).unwrap();
        Self {
            rays: (0..8 * count).map(|_| ray(&mut random)).collect(),
            casts: (0..count).map(|_| any_cast(&mut random)).collect(),
            bodies,
            // In the region of the bodies and around it.
            points: (0..count).map(|_| random.vector(-3.0, 12.0)).collect(),
        }
    }

    fn shapes(&self) -> Vec<Placed<'_, V>> {
        let placed = |body| {
            let Body { shape, pose, .. }: &Body<V> = body;
            Placed::new(shape, pose)
        };
        self.bodies.iter().map(placed).collect()
    }
}

/// That the answers are those to each of so many questions alone.
fn assert_one_by_one<V: Dimension>(
    questions: usize,
    found: &[BatchSeparation<V>],
    ask: impl Fn(usize) -> Result<Vec<BodySeparation<V>>, QueryError>,
) {
    let alone = (0..questions).flat_map(|question| {
        let found = ask(question).unwrap().into_iter();
        found.map(move |found| (question, near(found)))
    });
    let found = found.iter().map(|one| (one.question, near(one.found)));
    assert!(found.eq(alone));
}

fn check_batch<V: Dimension>(query: Query<'_, V>, batch: &Batch<V>, nearest: &[Nearest]) -> usize {
    let (options, shapes, points) = (RayOptions::default(), batch.shapes(), &batch.points);
    let mut hits = Vec::new();
    (query.cast_ray_each_into(&batch.rays, options, &mut hits)).unwrap();
    for (ray, hit) in batch.rays.iter().zip(&hits) {
        assert_eq!(query.cast_ray(ray, options), Ok(*hit));
    }
    let casts: Vec<Cast<'_, V>> = (batch.casts.iter())
        .map(|(body, motion)| Cast::new(Placed::new(&body.shape, &body.pose), *motion))
        .collect();
    let mut met = Vec::new();
    (query.cast_shape_each_into(&casts, CastOptions::default(), &mut met)).unwrap();
    for (&cast, hit) in casts.iter().zip(&met) {
        assert_eq!(query.cast_shape(cast, CastOptions::default()), Ok(*hit));
    }
    let mut answers = hits.iter().flatten().count() + met.iter().flatten().count();
    // What was in the list before does not count.
    let mut found = Vec::new();
    for &nearest in nearest {
        (query.nearest_to_point_each_into(points, nearest, &mut found)).unwrap();
        assert_one_by_one(points.len(), &found, |k| {
            query.nearest_to_point(points[k], nearest)
        });
        answers += found.len();
        (query.nearest_each_into(&shapes, nearest, &mut found)).unwrap();
        assert_one_by_one(shapes.len(), &found, |k| query.nearest(shapes[k], nearest));
        answers += found.len();
    }
    for within in [0.0, 0.7] {
        (query.near_point_each_into(points, within, &mut found)).unwrap();
        assert_one_by_one(points.len(), &found, |k| {
            query.near_point(points[k], within)
        });
        answers += found.len();
        (query.near_each_into(&shapes, within, &mut found)).unwrap();
        assert_one_by_one(shapes.len(), &found, |k| query.near(shapes[k], within));
        answers += found.len();
    }
    answers
}

fn batches_equal_asking_one_by_one<V: Dimension>() {
    let nearest = |count, within| Nearest { count, within };
    let several = [
        nearest(1, Real::INFINITY),
        nearest(3, 1.0),
        nearest(usize::MAX, 0.5),
        nearest(0, 1.0),
    ];
    // A few questions in every way, and as many as threads share.
    let (few, many) = (Batch::<V>::of(150), Batch::of(400));
    let is_high = |body: BodyRef<'_, V>| body.pose().translation().component(1) > 3.0;
    for threads in [1, 2, 3] {
        let world = some_world::<V>(threads);
        let answers = [world.query(), world.query().predicate(&is_high)]
            .map(|query| check_batch(query, &few, &several));
        assert!(answers.iter().all(|&count| count > 1000), "{answers:?}");
        let answers = check_batch(world.query(), &many, &several[..1]);
        assert!(answers > 2000, "{answers}");
    }
}

fn bad_rays_and_casts_are_refused_by_name<V: Dimension>() {
    let world = some_world::<V>(1);
    let query = world.query();
    let nan = V::splat(Real::NAN);
    let options = RayOptions {
        max_distance: Real::NAN,
        ..RayOptions::default()
    };
    let ray = Ray::new(V::ZERO, V::axis(0)).unwrap();
    let max_distance = "max_distance is NaN, must be >= 0";
    let refused = query.cast_ray(&ray, options).unwrap_err();
    assert_eq!(refused.to_string(), max_distance);
    let refused = query.cast_ray_each_into(&[ray], options, &mut Vec::new());
    assert_eq!(refused.unwrap_err().to_string(), max_distance);

    let (asked, placed_options) = (
        any_cast::<V>(&mut Random::new(30)).0,
        CastOptions::default(),
    );
    let bad = CastOptions {
        within: -1.0,
        ..placed_options
    };
    let placed = Placed::new(&asked.shape, &asked.pose);
    let still = Cast::new(placed, Motion::rest());
    let lost = Cast::new(placed, Motion::from_linear(nan));
    let refused = query.cast_shape(still, bad).unwrap_err();
    assert_eq!(refused.to_string(), "within is -1, must be finite and >= 0");
    let refused = query.cast_shape_all(lost, placed_options).unwrap_err();
    assert!(
        refused.to_string().contains("linear[0] is NaN"),
        "{refused}"
    );
    let any = query.cast_shape_any(lost, placed_options).unwrap_err();
    assert_eq!(any.to_string(), refused.to_string());
    let batch = query.cast_shape_each(&[still, lost], placed_options);
    let text = batch.unwrap_err().to_string();
    assert_eq!(text, format!("question 1: {refused}"));
}

fn bad_places_are_refused_by_name<V: Dimension>() {
    let world = some_world::<V>(1);
    let (query, mut found) = (world.query(), Vec::new());
    let nearest = Nearest {
        count: 2,
        within: Real::NAN,
    };
    let nan = V::splat(Real::NAN);
    assert_eq!(query.near_point(V::ZERO, Real::NAN), Err(QueryError::Range));
    let refused = query.near_point(nan, 0.0).unwrap_err().to_string();
    let text = "point[0] is NaN, must be finite and at most 3.4028235e38 in size";
    assert_eq!(refused, text);
    assert_eq!(
        query.nearest_to_point(V::ZERO, nearest),
        Err(QueryError::Range)
    );
    // A refused batch leaves the list of answers alone.
    let mut points = Batch::<V>::of(9).points;
    let all = Nearest {
        within: 9.0,
        ..nearest
    };
    query
        .nearest_to_point_each_into(&points, all, &mut found)
        .unwrap();
    let before = found.clone();
    assert!(!before.is_empty());
    let mut refuse = |points: &[V], within: Real| {
        let nearest = Nearest { within, ..nearest };
        let refused = query.nearest_to_point_each_into(points, nearest, &mut found);
        assert_eq!(query.near_point_each(points, within).map(drop), refused);
        assert_eq!(found, before);
        refused.unwrap_err()
    };
    assert_eq!(
        refuse(&points, Real::NAN),
        BatchError::All(QueryError::Range)
    );
    points[4] = V::ZERO.with_component(1, Real::INFINITY);
    points[6] = nan;
    let text = "question 4: point[1] is inf, must be finite and at most 3.4028235e38 in size";
    assert_eq!(refuse(&points, 1.0).to_string(), text);
    let asked = any_cast::<V>(&mut Random::new(30)).0;
    let placed = Placed::new(&asked.shape, &asked.pose);
    let nowhere = Pose::from_translation(nan);
    let shapes = [placed, placed, Placed::new(&asked.shape, &nowhere)];
    let mut kept = before.clone();
    for refused in [
        query.nearest_each_into(&shapes, all, &mut kept),
        query.near_each_into(&shapes, 1.0, &mut kept),
    ] {
        let text = refused.unwrap_err().to_string();
        assert!(text.starts_with("question 2: a.pose."), "{text}");
        assert_eq!(kept, before);
    }
    query
        .nearest_to_point_each_into(&points[..0], all, &mut kept)
        .unwrap();
    assert!(kept.is_empty());
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
    assert_one_by_one(points.len(), &found, |k| {
        world.query().nearest_to_point(points[k], nearest)
    });
    world
        .query()
        .near_point_each_into(&points, 3.0, &mut found)
        .unwrap();
    assert!(found.len() > 60);
    check(&found);
}
