//! What a step reports of swept bodies: impacts, contacts, events, and what they cost.

use clearance_math::{Pose, Real, Rotation, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, EventKind, Options, Velocity, World};

use crate::crowd::{Dimension, world_of};

crate::in_both_dimensions!(
    a_pair_that_met_begins_and_ends_to_touch,
    a_body_that_leaves_what_it_touches_has_no_impact,
    a_body_that_is_put_elsewhere_sweeps_nothing,
    swept_bodies_at_rest_cost_nothing,
    a_swept_wall_stops_what_is_not_swept,
    half_spaces_are_met,
    impacts_of_removed_bodies_are_gone,
);

const DT: Real = 0.25;

/// A wall, and a ball at this place before it that moves at such a speed towards the wall.
fn ball_and_wall<V: Dimension>(at: Real, speed: Real) -> (World<V>, BodyId, BodyId) {
    let wall = Shape::cuboid(V::splat(2.0).with_component(0, 0.01)).unwrap();
    let pose = Pose::from_translation(V::axis(0) * at);
    let ball = Body::moving(Shape::ball(0.1).unwrap(), pose).with_sweep();
    let ball = ball.with_velocity(Velocity::from_linear(V::axis(0) * speed));
    let (world, ids) = world_of(
        Options::default(),
        [Body::fixed(wall, Pose::IDENTITY), ball],
    );
    (world, ids[0], ids[1])
}

fn kinds<V: Vector>(world: &World<V>) -> Vec<EventKind> {
    world.events().map(|event| event.kind).collect()
}

fn a_pair_that_met_begins_and_ends_to_touch<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 1000.0);
    world.step(DT).unwrap();
    let impact = *world.impact(ball, wall).unwrap();
    assert_eq!((impact.a, impact.b), (wall, ball));
    assert!((impact.hit.time - 0.89 / 250.0).abs() < 1e-7, "{impact:?}");
    assert_eq!(impact.hit.separation.normal, -V::axis(0));
    assert_eq!(world.impacts().count(), 1);
    let contact = world.contact(wall, ball).unwrap();
    assert_eq!(contact.distance(), 0.0);
    assert!((contact.separation.point_b.component(0) + 0.01).abs() < 1e-6);
    assert_eq!(kinds(&world), [EventKind::Entered, EventKind::Began]);
    world.step(DT).unwrap();
    assert_eq!(kinds(&world), [EventKind::Ended, EventKind::Left]);
    assert_eq!((world.impacts().count(), world.contacts().len()), (0, 0));
    world.step(DT).unwrap();
    assert!(kinds(&world).is_empty());
    world.validate().unwrap();
}

fn a_body_that_leaves_what_it_touches_has_no_impact<V: Dimension>() {
    // It touches before and leaves on the same side.
    let (mut world, wall, ball) = ball_and_wall::<V>(-0.1, -100.0);
    world.step(0.0).unwrap();
    assert!(world.contact(wall, ball).unwrap().distance() < 0.0);
    world.step(DT).unwrap();
    assert_eq!((world.impacts().count(), world.contacts().len()), (0, 0));
    assert_eq!(kinds(&world), [EventKind::Ended, EventKind::Left]);
    // It touches before and goes on through the wall: they met at time 0.
    let (mut world, wall, ball) = ball_and_wall::<V>(-0.1, 100.0);
    world.step(DT).unwrap();
    assert_eq!(world.impact(wall, ball).unwrap().hit.time, 0.0);
    assert!(world.contact(wall, ball).unwrap().distance() < 0.0);
    // It goes deeper, and touches at the end: the contact is that of the end.
    let (mut world, wall, ball) = ball_and_wall::<V>(-0.1, 0.1);
    world.step(DT).unwrap();
    assert!(world.impact(wall, ball).is_none());
    // It touches at the end, and did not before.
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 4.0);
    world.step(DT).unwrap();
    assert!((world.impact(wall, ball).unwrap().hit.time - 0.89).abs() < 1e-6);
    assert!(world.contact(wall, ball).unwrap().distance() < -0.05);
}

fn a_body_that_is_put_elsewhere_sweeps_nothing<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 0.0);
    world.step(DT).unwrap();
    let other_side = Pose::from_translation(V::axis(0));
    world.set_pose(ball, other_side).unwrap();
    world.step(DT).unwrap();
    assert!(world.impact(wall, ball).is_none() && world.contacts().is_empty());
    // Its way begins where it was put.
    world
        .set_pose(ball, Pose::from_translation(V::axis(0) * -1.0))
        .unwrap();
    let velocity = Velocity::from_linear(V::axis(0) * -400.0);
    world.set_velocity(ball, velocity).unwrap();
    world.step(DT).unwrap();
    assert!(world.impact(wall, ball).is_none() && world.contacts().is_empty());
}

fn swept_bodies_at_rest_cost_nothing<V: Dimension>() {
    let (mut world, _, ball) = ball_and_wall::<V>(-1.0, 400.0);
    world.step(DT).unwrap();
    assert_eq!((world.profile().swept, world.profile().rebounded), (1, 2));
    world.set_velocity(ball, Velocity::default()).unwrap();
    // The box around the way becomes smaller again, and that is all.
    world.step(DT).unwrap();
    assert_eq!((world.profile().swept, world.profile().rebounded), (0, 1));
    world.step(DT).unwrap();
    let profile = world.profile();
    assert_eq!(
        (
            profile.swept,
            profile.rebounded,
            profile.measured,
            profile.candidates
        ),
        (0, 0, 0, 0)
    );
}

fn a_swept_wall_stops_what_is_not_swept<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 400.0);
    world.set_swept(ball, false).unwrap();
    let mut other = world.clone();
    world.step(DT).unwrap();
    assert!(world.impacts().next().is_none() && world.contacts().is_empty());
    other.set_swept(wall, true).unwrap();
    assert!(other.get(wall).unwrap().is_swept());
    other.step(DT).unwrap();
    assert!(other.impact(wall, ball).is_some());
}

fn half_spaces_are_met<V: Dimension>() {
    let floor = Shape::half_space(V::axis(1)).unwrap();
    let pose = Pose::from_translation(V::axis(1) * 5.0);
    let ball = Body::moving(Shape::ball(1.0).unwrap(), pose).with_sweep();
    let ball = ball.with_velocity(Velocity::from_linear(V::axis(1) * -32.0));
    let ids = [Body::fixed(floor.clone(), Pose::IDENTITY), ball];
    let (mut world, ids) = world_of(Options::default(), ids);
    world.step(DT).unwrap();
    assert_eq!(world.impact(ids[0], ids[1]).unwrap().hit.time, 0.5);
    // A half-space that moves, and one that turns.
    let plane = Body::moving(floor, Pose::from_translation(V::axis(1) * -9.0)).with_sweep();
    let up = plane
        .clone()
        .with_velocity(Velocity::from_linear(V::axis(1) * 64.0));
    let ball = Body::fixed(Shape::ball(1.0).unwrap(), Pose::IDENTITY);
    let (mut world, ids) = world_of(Options::default(), [up, ball.clone()]);
    world.step(DT).unwrap();
    assert_eq!(world.impact(ids[0], ids[1]).unwrap().hit.time, 0.5);
    let turn = V::Rotation::angular_from_space(clearance_math::Vec3::Z * 25.0);
    let turning = plane.with_velocity(Velocity::new(V::ZERO, turn));
    let (mut world, ids) = world_of(Options::default(), [turning, ball]);
    world.step(DT).unwrap();
    assert!(world.impact(ids[0], ids[1]).is_some());
}

fn impacts_of_removed_bodies_are_gone<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 400.0);
    world.step(DT).unwrap();
    world.remove(ball).unwrap();
    assert_eq!(
        (world.impacts().count(), world.impact(wall, ball)),
        (0, None)
    );
    let next = Body::moving(Shape::ball(0.1).unwrap(), Pose::IDENTITY);
    let next = world.insert(next).unwrap();
    assert_eq!(next.index(), ball.index());
    assert_eq!(
        (world.impacts().count(), world.impact(wall, next)),
        (0, None)
    );
    world.step(0.0).unwrap();
    assert_eq!(world.impacts().count(), 0);
    assert!(kinds(&world).contains(&EventKind::Ended));
    world.validate().unwrap();
}
