//! What a step reports of swept bodies: impacts, contacts, events, and what they cost.

use clearance_gjk::{Cast, CastOptions, Leaving, Motion, Placed, Status};
use clearance_math::{Pose, PreciseVector, Quat, Real, Rotation, Vec2, Vec3};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Body, BodyId, EventKind, Options, Velocity, World};

use crate::compare::kinds;
use crate::crowd::{Dimension, Sure, with, world_of};

crate::in_both_dimensions!(
    a_pair_that_met_begins_and_ends_to_touch,
    a_body_that_leaves_what_it_touches_has_no_impact,
    a_body_that_is_put_elsewhere_sweeps_nothing,
    swept_bodies_at_rest_cost_nothing,
    impacts_of_a_body_are_in_order_of_time,
    a_swept_wall_notices_what_is_not_swept,
    half_spaces_are_met,
    impacts_of_removed_bodies_are_gone,
    a_wall_of_the_level_that_a_body_touches_is_met,
    what_stands_in_touch_has_no_impact_until_it_meets_a_wall,
    a_shape_that_touches_the_floor_is_cast_at_the_wall,
    what_is_swept_has_no_ghosts_where_it_arrives,
    ways_at_the_limit_of_numbers_are_swept,
    what_is_left_open_at_the_effort_is_no_impact,
);

const DT: Real = 0.25;

/// A wall, and a ball at this place before it that moves at such a speed towards the wall.
fn ball_and_wall<V: Dimension>(at: Real, speed: Real) -> (World<V>, BodyId, BodyId) {
    let wall = Shape::cuboid(V::splat(2.0).with_component(0, 0.01)).unwrap();
    let pose = Pose::from_translation(V::axis(0) * at);
    let ball = Body::moving(Shape::ball(0.1).unwrap(), pose).with_swept();
    let ball = ball.with_velocity(Velocity::from_linear(V::axis(0) * speed));
    let (world, ids) = world_of(
        Options::default(),
        [Body::fixed(wall, Pose::IDENTITY), ball],
    );
    (world, ids[0], ids[1])
}

fn a_pair_that_met_begins_and_ends_to_touch<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 1000.0);
    world.step(DT).unwrap();
    let impact = *world.impact_between(ball, wall).unwrap();
    assert_eq!((impact.a, impact.b), (wall, ball));
    assert!((impact.hit.time - 0.89 / 250.0).abs() < 1e-7, "{impact:?}");
    assert_eq!(impact.hit.separation.normal, -V::axis(0));
    assert_eq!(world.impacts().count(), 1);
    let contact = world.contact_between(wall, ball).unwrap();
    assert_eq!(contact.distance(), 0.0);
    assert!((contact.separation.point_b().component(0) + 0.01).abs() < 1e-6);
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
    assert!(world.contact_between(wall, ball).unwrap().distance() < 0.0);
    world.step(DT).unwrap();
    assert_eq!((world.impacts().count(), world.contacts().len()), (0, 0));
    assert_eq!(kinds(&world), [EventKind::Ended, EventKind::Left]);
    // It touches before and goes on through the wall: they met at time 0.
    let (mut world, wall, ball) = ball_and_wall::<V>(-0.1, 100.0);
    world.step(DT).unwrap();
    assert_eq!(world.impact_between(wall, ball).unwrap().hit.time, 0.0);
    assert!(world.contact_between(wall, ball).unwrap().distance() < 0.0);
    // It goes deeper, and touches at the end: the contact is that of the end.
    let (mut world, wall, ball) = ball_and_wall::<V>(-0.1, 0.1);
    world.step(0.0).unwrap();
    world.step(DT).unwrap();
    assert!(world.impact_between(wall, ball).is_none());
    // It touches at the end, and did not before.
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 4.0);
    world.step(DT).unwrap();
    assert!((world.impact_between(wall, ball).unwrap().hit.time - 0.89).abs() < 1e-6);
    assert!(world.contact_between(wall, ball).unwrap().distance() < -0.05);
}

fn a_body_that_is_put_elsewhere_sweeps_nothing<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 0.0);
    world.step(DT).unwrap();
    let other_side = Pose::from_translation(V::axis(0));
    world.at(ball).set_pose(other_side).unwrap();
    world.step(DT).unwrap();
    assert!(world.impact_between(wall, ball).is_none() && world.contacts().is_empty());
    // Its way begins where it was put.
    world
        .at(ball)
        .set_pose(Pose::from_translation(V::axis(0) * -1.0))
        .unwrap();
    let velocity = Velocity::from_linear(V::axis(0) * -400.0);
    world.at(ball).set_velocity(velocity).unwrap();
    world.step(DT).unwrap();
    assert!(world.impact_between(wall, ball).is_none() && world.contacts().is_empty());
}

fn swept_bodies_at_rest_cost_nothing<V: Dimension>() {
    let (mut world, _, ball) = ball_and_wall::<V>(-1.0, 400.0);
    world.step(DT).unwrap();
    assert_eq!(
        (world.profile().swept, world.profile().boxes_updated),
        (1, 2)
    );
    world.at(ball).set_velocity(Velocity::default()).unwrap();
    // The box around the way becomes smaller again, and that is all.
    world.step(DT).unwrap();
    assert_eq!(
        (world.profile().swept, world.profile().boxes_updated),
        (0, 1)
    );
    world.step(DT).unwrap();
    let profile = world.profile();
    assert_eq!(
        (
            profile.swept,
            profile.boxes_updated,
            profile.selected,
            profile.candidates
        ),
        (0, 0, 0, 0)
    );
}

fn impacts_of_a_body_are_in_order_of_time<V: Dimension>() {
    let wall = |at: Real| {
        let shape = Shape::cuboid(V::splat(2.0).with_component(0, 0.25)).unwrap();
        Body::fixed(shape, Pose::from_translation(V::axis(0) * at))
    };
    let ball = |at: V, speed: Real| {
        let body = Body::moving(Shape::ball(0.25).unwrap(), Pose::from_translation(at));
        let velocity = Velocity::from_linear(V::axis(0) * speed);
        body.with_velocity(velocity).with_swept()
    };
    // Two walls at one place are met at one time. The other ball flies the other way.
    let places = [6.0, 2.0, 8.0, 2.0, 4.0];
    let mut bodies = places.map(wall).to_vec();
    bodies.extend([ball(V::ZERO, 64.0), ball(V::axis(0) * 10.0, -64.0)]);
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(DT).unwrap();
    let met = |body: BodyId| -> Vec<_> {
        let impacts = world.impacts_of(body);
        impacts.filter_map(|impact| impact.other(body)).collect()
    };
    let [first, second] = [5, 6].map(|k| ids[k]);
    assert_eq!(met(first), [1, 3, 4, 6, 0, 2].map(|k| ids[k]));
    assert_eq!(met(second), [2, 0, 5, 4, 1, 3].map(|k| ids[k]));
    assert_eq!(met(ids[2]), [second, first]);
    world.remove(first).unwrap();
    assert_eq!(world.impacts_of(first).count(), 0);
    assert_eq!(world.impacts_of(second).count(), 5);
}

fn a_swept_wall_notices_what_is_not_swept<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 400.0);
    world.at(ball).set_swept(false);
    let mut other = world.clone();
    world.step(DT).unwrap();
    assert!(world.impacts().next().is_none() && world.contacts().is_empty());
    other.at(wall).set_swept(true);
    assert!(other.body(wall).unwrap().is_swept());
    other.step(DT).unwrap();
    assert!(other.impact_between(wall, ball).is_some());
}

fn half_spaces_are_met<V: Dimension>() {
    let floor = Shape::half_space(V::axis(1)).unwrap();
    let pose = Pose::from_translation(V::axis(1) * 5.0);
    let ball = Body::moving(Shape::ball(1.0).unwrap(), pose).with_swept();
    let ball = ball.with_velocity(Velocity::from_linear(V::axis(1) * -32.0));
    let ids = [Body::fixed(floor.clone(), Pose::IDENTITY), ball];
    let (mut world, ids) = world_of(Options::default(), ids);
    world.step(DT).unwrap();
    assert_eq!(world.impact_between(ids[0], ids[1]).unwrap().hit.time, 0.5);
    // A half-space that moves, and one that turns.
    let plane = Body::moving(floor, Pose::from_translation(V::axis(1) * -9.0)).with_swept();
    let up = plane
        .clone()
        .with_velocity(Velocity::from_linear(V::axis(1) * 64.0));
    let ball = Body::fixed(Shape::ball(1.0).unwrap(), Pose::IDENTITY);
    let (mut world, ids) = world_of(Options::default(), [up, ball.clone()]);
    world.step(DT).unwrap();
    assert_eq!(world.impact_between(ids[0], ids[1]).unwrap().hit.time, 0.5);
    let turn = V::Rotation::angular_from_space(Vec3::Z * 25.0);
    let turning = plane.with_velocity(Velocity::new(V::ZERO, turn));
    let (mut world, ids) = world_of(Options::default(), [turning, ball]);
    world.step(DT).unwrap();
    assert!(world.impact_between(ids[0], ids[1]).is_some());
}

fn impacts_of_removed_bodies_are_gone<V: Dimension>() {
    let (mut world, wall, ball) = ball_and_wall::<V>(-1.0, 400.0);
    world.step(DT).unwrap();
    world.remove(ball).unwrap();
    assert_eq!(
        (world.impacts().count(), world.impact_between(wall, ball)),
        (0, None)
    );
    let next = Body::moving(Shape::ball(0.1).unwrap(), Pose::IDENTITY);
    let next = world.insert(next).unwrap();
    assert_eq!(next.index(), ball.index());
    assert_eq!(
        (world.impacts().count(), world.impact_between(wall, next)),
        (0, None)
    );
    world.step(0.0).unwrap();
    assert_eq!(world.impacts().count(), 0);
    assert!(kinds(&world).contains(&EventKind::Ended));
    world.validate().unwrap();
}

/// The body touches the floor of a composite before and after the step, and a wall of the same composite between.
fn a_wall_of_the_level_that_a_body_touches_is_met<V: Dimension>() {
    let part = |half: V, at: V| {
        CompoundPart::new(Shape::cuboid(half).unwrap(), Pose::from_translation(at))
    };
    let floor = part(V::splat(9.0).with_component(1, 0.5), V::axis(1) * -0.5);
    let wall = part(V::splat(2.0).with_component(0, 0.01), V::ZERO);
    let level = Shape::compound(vec![floor, wall]).unwrap();
    for (depth, fall) in [(0.01, 0.0), (0.01, -0.5), (0.01, 1.0)] {
        let at = V::axis(0) * -2.0 + V::axis(1) * (0.5 - depth);
        let velocity = Velocity::from_linear(V::axis(0) * 16.0 + V::axis(1) * fall);
        let ball = Body::moving(Shape::ball(0.5).unwrap(), Pose::from_translation(at));
        let ball = ball.with_velocity(velocity).with_swept();
        let bodies = [Body::fixed(level.clone(), Pose::IDENTITY), ball];
        let (mut world, ids) = world_of(Options::default(), bodies);
        world.step(0.0).unwrap();
        world.step(DT).unwrap();
        let impact = world.impact_between(ids[0], ids[1]).unwrap();
        assert_eq!(impact.hit.separation.part_a, 1, "fall {fall}");
        assert!(
            (impact.hit.time - 1.49 / 4.0).abs() < 1e-5,
            "{}",
            impact.hit.time
        );
    }
}

trait Levels: Dimension {
    /// Level ground at height 0, and a wall at 2 along the first axis.
    fn ground_and_wall() -> Shape<Self>;
}

impl Levels for Vec2 {
    fn ground_and_wall() -> Shape<Self> {
        let corners = [[-16.0, 0.0], [2.0, 0.0], [2.0, 8.0]];
        Shape::polyline(corners.map(Vec2::from_array)).unwrap()
    }
}

impl Levels for Vec3 {
    fn ground_and_wall() -> Shape<Self> {
        let corners = [[-16.0, 0.0], [2.0, 0.0], [2.0, 8.0]];
        let vertices = corners.map(|[x, y]| [-16.0, 16.0].map(|z| Vec3::new(x, y, z)));
        let triangles = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]];
        Shape::mesh(vertices.concat(), triangles).unwrap()
    }
}

/// Levels with a wall at 2, and levels without one. Their floors are at height 0.
fn levels<V: Levels>() -> Vec<(Body<V>, bool)> {
    let part = |half_extents: V, at: V| {
        CompoundPart::new(
            Shape::cuboid(half_extents).unwrap(),
            Pose::from_translation(at),
        )
    };
    let floor = part(V::splat(64.0).with_component(1, 1.0), -V::axis(1));
    let wall = part(V::splat(16.0).with_component(0, 1.0), V::axis(0) * 3.0);
    let both = Shape::compound(vec![floor.clone(), wall]).unwrap();
    let half_space = Shape::half_space(V::axis(1)).unwrap();
    let at_origin = |shape| Body::fixed(shape, Pose::IDENTITY);
    vec![
        (at_origin(both), true),
        (at_origin(V::ground_and_wall()), true),
        (at_origin(half_space), false),
        (Body::fixed(floor.shape, floor.pose), false),
    ]
}

/// A ball and a crate that stand at a gap of exactly 0, whatever the floor is: no step along it and none up from it has an
/// impact, also not where the contact of the step before ends, and the first one is that of the wall.
fn what_stands_in_touch_has_no_impact_until_it_meets_a_wall<V: Levels>() {
    let shapes = [Shape::ball(0.5), Shape::cuboid(V::splat(0.5))].map(Result::unwrap);
    for (number, (level, has_wall)) in levels::<V>().into_iter().enumerate() {
        for (shape, rise) in shapes.iter().flat_map(|shape| [(shape, 0.0), (shape, 1.0)]) {
            let about = format!("level {number}, rise {rise}");
            let velocity =
                |along: Real| Velocity::from_linear(V::axis(0) * along + V::axis(1) * rise);
            let start = Pose::from_translation(V::axis(1) * 0.5);
            let body = Body::moving(shape.clone(), start).with_swept();
            let bodies = [level.clone(), body.with_velocity(velocity(2.0))];
            let (mut world, ids) = world_of(Options::default(), bodies);
            world.step(0.0).unwrap();
            for _ in 0..2 {
                world.step(DT).unwrap();
                assert_eq!(world.impacts().count(), 0, "{about}");
                let contact = world.contact_between(ids[0], ids[1]);
                let touches = contact.is_some_and(|contact| contact.distance() <= 0.0);
                assert_eq!(touches, rise == 0.0, "{about}");
            }
            world.at(ids[1]).set_velocity(velocity(64.0)).unwrap();
            world.step(DT).unwrap();
            let impact = world.impact_between(ids[0], ids[1]);
            assert_eq!(impact.is_some(), has_wall, "{about}");
            if let Some(impact) = impact {
                // Half a unit is left of the way to the wall.
                let time = impact.hit.time;
                assert!((time - 0.5 / 16.0).abs() < 1e-6, "{about}: {time}");
                let beside = impact.hit.separation.normal + V::axis(0);
                assert!(beside.to_precise().length() < 1e-6, "{about}: {beside:?}");
            }
        }
    }
}

/// By it a question names the wall ahead, and not the floor.
fn a_shape_that_touches_the_floor_is_cast_at_the_wall<V: Levels>() {
    let wall = Shape::cuboid(V::splat(4.0).with_component(0, 1.0)).unwrap();
    let wall = Body::fixed(wall, Pose::from_translation(V::axis(0) * 3.0));
    for (level, _) in levels::<V>().into_iter().skip(2) {
        let (world, ids) = world_of(Options::default(), [level, wall.clone()]);
        for leaving in [Leaving::Pass, Leaving::Ignore] {
            for (rise, within) in [(0.0, 0.0), (1.0, 0.0), (0.0, 0.25), (1.0, 0.25)] {
                let (ball, start) = (Shape::ball(0.5).unwrap(), V::axis(1) * (0.5 + within));
                let start = Pose::from_translation(start);
                let motion = Motion::from_linear(V::axis(0) * 4.0 + V::axis(1) * rise);
                let cast = Cast::new(Placed::new(&ball, &start), motion);
                let options = CastOptions { within, leaving };
                let first = world.query().cast_shape(cast, options).unwrap().unwrap();
                assert_eq!(first.body, ids[1], "{leaving:?} {rise} {within}");
                assert!(
                    (first.hit.time - 0.25 * (1.5 - within)).abs() < 1e-6,
                    "{first:?}"
                );
            }
        }
    }
}

/// It was apart from the second tile before the step, and touches it at the end.
fn what_is_swept_has_no_ghosts_where_it_arrives<V: Dimension>() {
    let half = V::splat(1.0).with_component(1, 0.5);
    let tile = |x: Real| {
        let at = V::axis(0) * x - V::axis(1) * 0.5;
        Body::fixed(Shape::cuboid(half).unwrap(), Pose::from_translation(at))
    };
    let at = V::axis(0) * -0.26 + V::axis(1) * 0.23;
    let crate_ = Body::moving(
        Shape::cuboid(V::splat(0.25)).unwrap(),
        Pose::from_translation(at),
    );
    let velocity = Velocity::from_linear(V::axis(0) * 0.08);
    let crate_ = crate_.with_velocity(velocity).with_swept();
    let options = with(|options| options.surface_contacts = true);
    let (mut world, ids) = world_of(options, [tile(-1.0), tile(1.0), crate_]);
    world.step(DT).unwrap();
    assert!(world.impact_between(ids[1], ids[2]).is_some());
    assert_eq!(world.part_contacts().len(), 2);
    let normals = world
        .surface_contacts()
        .map(|contact| contact.separation.normal);
    assert!(normals.eq([V::axis(1)]));
}

fn ways_at_the_limit_of_numbers_are_swept<V: Dimension>() {
    let turn = V::Rotation::angular_from_space(Vec3::Z * 3e38);
    for (size, speed, angular) in [
        (1e30, 1e33, V::Angular::default()),
        (1e-30, 1e-27, V::Angular::default()),
        (1.0, 1e37, V::Angular::default()),
        (1.0, 100.0, turn),
        (1e30, 1e36, turn),
    ] {
        let wall = Shape::cuboid(V::splat(size * 2.0).with_component(0, size * 0.01)).unwrap();
        let start = Pose::from_translation(V::axis(0) * (size * -4.0));
        let rod = Shape::cuboid(V::splat(size * 0.1).with_component(1, size)).unwrap();
        let rod = Body::moving(rod, start).with_swept();
        let rod = rod.with_velocity(Velocity::new(V::axis(0) * speed, angular));
        let bodies = [Body::fixed(wall, Pose::IDENTITY), rod];
        let (mut world, ids) = world_of(Options::default(), bodies);
        world.step(DT).unwrap();
        assert!(
            world.impact_between(ids[0], ids[1]).is_some(),
            "{size} {speed}"
        );
        world.validate().unwrap();
    }
}

/// Two combs of slanting lines, the second between the lines of the first: their boxes tell nothing. Along the lines they
/// never meet, and upwards after half of the way from one line to the next.
fn what_is_left_open_at_the_effort_is_no_impact<V: Dimension>() {
    let slanting = V::axis(0) + V::axis(1);
    let line = |k: usize| {
        CompoundPart::new(
            Shape::segment(slanting * -32.0, slanting * 32.0).unwrap(),
            Pose::from_translation(V::axis(1) * k as Real),
        )
    };
    let comb = Shape::compound((0..32).map(line).collect::<Vec<_>>()).unwrap();
    let (mut open, mut late) = (0, 0);
    for effort in (0..20).map(|k| 1 << k) {
        for (way, meets_at) in [(slanting * 3.0, None), (V::axis(1) * 0.75, Some(2.0 / 3.0))] {
            let between = Pose::from_translation(V::axis(1) * 0.5);
            let moving = Body::moving(comb.clone(), between).with_swept();
            let options = Options {
                effort,
                margin: 0.0,
                ..Options::default()
            };
            let bodies = [
                Body::fixed(comb.clone(), Pose::IDENTITY),
                moving.with_velocity(Velocity::from_linear(way / DT)),
            ];
            let (mut world, ids) = world_of(options, bodies);
            world.step(DT).unwrap();
            let is_open = world.profile().open_impacts > 0;
            open += usize::from(is_open);
            let Some(impact) = world.impact_between(ids[0], ids[1]) else {
                assert!(is_open || meets_at.is_none(), "effort {effort}, {way:?}");
                continue;
            };
            assert!(!is_open, "{impact:?}");
            let meets_at: Real = meets_at.expect("they meet");
            let hit = impact.hit;
            late += usize::from(hit.status == Status::IterationLimit);
            assert!(hit.time_lower <= meets_at + 1e-6, "{hit:?}");
            assert!(hit.time >= meets_at - 1e-6, "{hit:?}");
            assert!(hit.separation.distance <= 1e-5, "{hit:?}");
        }
    }
    assert!(open > 4, "{open} left open, {late} late");
}

#[test]
fn the_middle_of_a_turn_reaches_beyond_both_ends() {
    let rod = Shape::capsule(5.0, 0.01).unwrap();
    let turned = |angle: Real| Quat::from_rotation_z(angle - core::f32::consts::FRAC_PI_2);
    // From 0.95 radians on one side of the x axis to as much on the other.
    let rod = Body::moving(rod, Pose::new(Vec3::ZERO, turned(-0.95))).with_swept();
    let rod = rod.with_velocity(Velocity::new(Vec3::ZERO, Vec3::Z * (1.9 / DT)));
    let ball = Body::fixed(
        Shape::ball(0.01).unwrap(),
        Pose::from_translation(Vec3::X * 4.9),
    );
    let (mut world, ids) = world_of(Options::default(), [rod, ball]);
    world.step(DT).unwrap();
    let impact = world
        .impact_between(ids[0], ids[1])
        .expect("they meet half-way");
    assert!((impact.hit.time - 0.5).abs() < 0.01, "{impact:?}");
}
