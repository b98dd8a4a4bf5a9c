//! Bodies that stay where they are cost nothing; counted, not timed.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use clearance_gjk::{Cast, CastOptions, DEFAULT_EFFORT, Motion, Placed, RayOptions, Status};
use clearance_math::{Pose, Ray};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyRef, Methods, Nearest, Options, Profile, Velocity, World};

use crate::crowd::{Dimension, Sure, world_of};

crate::in_both_dimensions!(
    only_what_moved_gets_a_box,
    only_pairs_of_what_moved_are_measured,
    what_is_set_to_what_it_is_does_not_change,
    a_swept_body_is_cast_at_what_is_near_its_way,
    questions_look_at_what_is_near_among_what_changed,
    heaps_of_parts_end_at_the_effort_of_the_world,
    clocks_are_read_on_request_only,
    a_clock_of_your_own_is_read,
    methods_are_counted_on_request_only,
);

fn scattered<V: Dimension>() -> (World<V>, usize) {
    let shape = Shape::<V>::ball(0.5).unwrap();
    let at = |k: usize| Pose::from_translation(V::axis(0) * (2.0 * k as f32));
    let fixed = (0..2000).map(|k| Body::fixed(shape.clone(), at(k)));
    let resting = (0..30).map(|k| Body::moving(shape.clone(), at(k)));
    let velocity = Velocity::from_linear(V::axis(1));
    let moving = (0..20).map(|k| Body::moving(shape.clone(), at(k)).with_velocity(velocity));
    let (mut world, _) = world_of(Options::default(), fixed.chain(resting).chain(moving));
    world.step(0.0).unwrap();
    (world, 20)
}

fn only_what_moved_gets_a_box<V: Dimension>() {
    let (mut world, movers) = scattered::<V>();
    assert_eq!(world.profile().boxes_updated, world.len());
    world.step(0.125).unwrap();
    assert_eq!(world.profile().boxes_updated, movers);
    assert_eq!(world.profile().contacts, world.contacts().len());
    assert!(world.profile().candidates >= 30 + 2 * movers);
    world.step(0.0).unwrap();
    assert_eq!(world.profile().boxes_updated, 0);
    // The pose that the body has is no change; one that differs by the sign of a zero is.
    let id = world.bodies().ids().next().unwrap();
    for (x, boxes_updated) in [(0.0, 0), (-0.0, 1), (0.5, 1)] {
        let pose = Pose::from_translation(V::ZERO.with_component(0, x));
        world.at(id).set_pose(pose).unwrap();
        world.step(0.0).unwrap();
        assert_eq!(world.profile().boxes_updated, boxes_updated, "{x}");
    }
}

fn only_pairs_of_what_moved_are_measured<V: Dimension>() {
    let (mut world, movers) = scattered::<V>();
    let profile = world.profile();
    assert_eq!(profile.selected, profile.candidates);
    // Each mover is at the place of a resting body and of a fixed one.
    world.step(0.125).unwrap();
    let profile = world.profile();
    assert_eq!(profile.selected, 2 * movers);
    assert!(profile.selected < profile.candidates);
    world.step(0.0).unwrap();
    let profile = world.profile();
    assert_eq!(profile.selected, 0);
    assert!(profile.contacts >= 30);
    // The pairs of a body that was edited are measured, and no others.
    let id = world.contacts()[0].a;
    let count = world
        .contacts()
        .iter()
        .filter(|c| c.other(id).is_some())
        .count();
    let shape = world.body(id).unwrap().shape().rounded(0.01).unwrap();
    world.at(id).set_shape(shape);
    world.step(0.0).unwrap();
    assert!((count..10).contains(&world.profile().selected));
    world.change(|options| options.margin = 0.1);
    world.step(0.0).unwrap();
    let profile = world.profile();
    assert_eq!(profile.selected, profile.candidates);
}

/// Balls in the cells of a cube, or of a square, with so many on each side.
fn grid<V: Dimension>(side: usize) -> Vec<Body<V>> {
    let shape = Shape::<V>::ball(0.25).unwrap();
    let place = |k: usize| V::from_fn(|axis| (k / side.pow(axis as u32) % side) as f32);
    let bodies = (0..side.pow(V::DIM as u32)).map(place);
    let bodies = bodies.map(|place| Body::fixed(shape.clone(), Pose::from_translation(place)));
    bodies.collect()
}

/// The box around the way of a bullet along the diagonal has room for all of them.
fn a_swept_body_is_cast_at_what_is_near_its_way<V: Dimension>() {
    let mut cast_at = Vec::new();
    for side in [6, 12] {
        let from = Pose::from_translation(V::splat(-1.0));
        let way = Velocity::from_linear(V::splat(side as f32 + 1.0));
        let bullet = Body::moving(Shape::ball(0.1).unwrap(), from).with_velocity(way);
        let bodies = grid::<V>(side).into_iter().chain([bullet.with_swept()]);
        let (mut world, _) = world_of(Options::default(), bodies);
        world.step(1.0).unwrap();
        assert_eq!(world.impacts().count(), side);
        cast_at.push(world.profile().swept);
    }
    assert!(cast_at.iter().all(|&count| count > 0));
    assert!(cast_at[1] <= 2 * cast_at[0], "{cast_at:?}");
    assert!(cast_at[0] <= 6 * 4, "{cast_at:?}");
}

fn questions_look_at_what_is_near_among_what_changed<V: Dimension>() {
    let (world, ids) = world_of(Options::default(), grid::<V>(10));
    let looked_at = AtomicUsize::new(0);
    let count = |_: BodyRef<'_, V>| {
        looked_at.fetch_add(1, Ordering::Relaxed);
        true
    };
    let ask = |world: &World<V>| {
        let filter = world.query().predicate(&count);
        let probe = Shape::<V>::ball(0.3).unwrap();
        let at = |place: f32| Pose::from_translation(V::splat(place));
        let inside = at(4.5);
        let outside = Pose::from_translation(V::axis(0) * -0.75);
        let inside = Placed::new(&probe, &inside);
        let way = Motion::from_linear(V::axis(0));
        let cast = Cast::new(Placed::new(&probe, &outside), way);
        let ray = Ray::new(V::splat(2.1), V::axis(0)).unwrap();
        let (mut hits, mut near) = (Vec::new(), Vec::new());
        let options = CastOptions::default();
        filter
            .cast_ray_all_into(&ray, RayOptions::default(), &mut hits)
            .unwrap();
        assert_eq!(hits.len(), 8);
        assert!(filter.cast_shape(cast, options).unwrap().is_some());
        filter.near_into(inside, 0.0, &mut near).unwrap();
        let (count, within) = (1, 1.0);
        let one = Nearest { count, within };
        filter.nearest_into(inside, one, &mut near).unwrap();
        looked_at.swap(0, Ordering::Relaxed)
    };
    // None of the bodies is known to the broad phase.
    let mut world = world;
    let of_all_changed = ask(&world);
    assert!(of_all_changed < 80, "{of_all_changed} of {}", ids.len());
    world.refresh();
    let refreshed = ask(&world);
    assert!(refreshed <= of_all_changed, "{refreshed}");
    assert_eq!(world.profile().boxes_updated, 0);
}

/// Long parts in every direction at one place: their boxes tell nothing.
fn heaps_of_parts_end_at_the_effort_of_the_world<V: Dimension>() {
    let mut random = crate::random::Random::new(38);
    let mut heap = || {
        let points: Vec<_> = (0..100).map(|_| random.vector(-2.0, 2.0)).collect();
        let heap = Shape::<V>::polyline(points).unwrap();
        Body::moving(heap, Pose::IDENTITY)
    };
    let heaps = [heap(), heap()];
    let mut parts = Vec::new();
    for effort in [1024, DEFAULT_EFFORT] {
        let options = Options {
            margin: 0.5,
            part_contacts: true,
            effort,
            ..Options::default()
        };
        let (mut world, _) = world_of(options, heaps.clone());
        world.step(0.0).unwrap();
        let is_limited = effort < DEFAULT_EFFORT;
        let status = world.contacts()[0].separation.status;
        assert!(is_limited || status != Status::IterationLimit);
        assert_eq!(world.profile().incomplete_parts, usize::from(is_limited));
        parts.push(world.part_contacts().len());
    }
    assert!(0 < parts[0] && parts[0] < parts[1], "{parts:?}");
}

/// Setters that are called in each frame with values that rarely change must not cost anything.
fn what_is_set_to_what_it_is_does_not_change<V: Dimension>() {
    let mut random = crate::random::Random::new(31);
    let bodies = crate::crowd::crowd::<V>(31, 60).into_iter().map(|body| {
        let user_data = body.user_data;
        body.with_velocity(Velocity::default())
            .with_user_data(user_data + 7)
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.set_pair_filter(|a, b| a.user_data() == b.user_data());
    world.step(0.0).unwrap();
    let before = world.snapshot();
    for &id in &ids {
        let body = world.body(id).unwrap().to_body();
        // Not a clone that shares its vertices with the shape that is there.
        let shape = Shape::from_encoding(&body.shape.to_encoding().unwrap()).unwrap();
        world.at(id).set_shape(shape);
        world.at(id).set_pose(body.pose).unwrap();
        world.at(id).set_velocity(body.velocity).unwrap();
        world.at(id).set_groups(body.groups);
        world.at(id).set_kind(body.kind);
        world.at(id).set_extra_margin(body.extra_margin).unwrap();
        world.at(id).set_user_data(body.user_data);
    }
    world.change(|_| ());
    world.step(0.0).unwrap();
    assert_eq!(
        (world.profile().boxes_updated, world.profile().selected),
        (0, 0)
    );
    // A segment end at -0 is no end at 0: points of contacts may differ.
    let id = ids[1 + random.below(59)];
    for (x, boxes_updated) in [(0.0, 1), (-0.0, 1), (-0.0, 0)] {
        let segment = Shape::segment(V::axis(0) * x, V::axis(1)).unwrap();
        world.at(id).set_shape(segment);
        world.step(0.0).unwrap();
        assert_eq!(world.profile().boxes_updated, boxes_updated, "{x}");
    }
    assert!(world.snapshot() != before);
}

fn clocks_are_read_on_request_only<V: Dimension>() {
    let (mut world, _) = scattered::<V>();
    assert_eq!(world.profile().total(), Duration::ZERO);
    world.set_profiling(Some(Profile::standard_clock));
    world.step(0.125).unwrap();
    assert!(world.profile().total() > Duration::ZERO);
    world.set_profiling(None);
    world.step(0.125).unwrap();
    assert_eq!(world.profile().total(), Duration::ZERO);
}

/// A second passes between any two readings.
fn ticking() -> Duration {
    static READINGS: AtomicU64 = AtomicU64::new(0);
    Duration::from_secs(READINGS.fetch_add(1, Ordering::Relaxed))
}

/// Browsers may set a clock back.
fn backward() -> Duration {
    Duration::MAX - ticking()
}

fn a_clock_of_your_own_is_read<V: Dimension>() {
    let (mut world, _) = scattered::<V>();
    world.set_profiling(Some(ticking));
    world.step(0.125).unwrap();
    let profile = world.profile();
    assert!((profile.stages().iter()).all(|stage| stage.time >= Duration::from_secs(1)));
    world.set_profiling(Some(backward));
    world.step(0.125).unwrap();
    assert_eq!(world.profile().total(), Duration::ZERO);
}

fn methods_are_counted_on_request_only<V: Dimension>() {
    let (mut world, _) = scattered::<V>();
    assert_eq!(world.profile().methods, Methods::default());
    world.set_profiling(Some(Profile::standard_clock));
    world.step(0.0).unwrap();
    let profile = world.profile();
    let Methods {
        closed_form,
        iteration,
        iteration_limit,
        saturated,
        ..
    } = profile.methods;
    let all = closed_form + iteration + iteration_limit + saturated;
    assert_eq!(all, profile.contacts);
    assert!(closed_form > 0);
    assert_eq!(
        profile.without_contact() + profile.contacts,
        profile.candidates
    );
}
