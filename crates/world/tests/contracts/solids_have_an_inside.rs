//! What lies within a solid mesh or a polygon touches it, for every question to a world.

use clearance_gjk::{Placed, RayOptions};
use clearance_math::{Pose, Ray, Real, Vec2, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, EventKind, Nearest, Options, Velocity, World};

use crate::crowd::{Dimension, world_of};
use crate::forms::{SIDES_OF_BOX, halves_of};

crate::in_both_dimensions!(
    a_body_within_a_solid_begins_and_ends_to_touch,
    a_swept_body_in_a_solid_leaves_it,
    a_solid_that_only_met_a_body_on_its_way_has_no_manifold,
    questions_know_of_the_inside,
);

/// A solid room of half extent 2: a block of which a half extent is much more than the size of a ball.
trait Block: Dimension {
    fn block() -> Shape<Self>;
}

impl Block for Vec2 {
    fn block() -> Shape<Self> {
        let corners = [
            [-2.0, -2.0],
            [2.0, -2.0],
            [2.0, 2.0],
            [0.0, 1.5],
            [-2.0, 2.0],
        ];
        Shape::polygon(corners.map(Vec2::from), &[]).unwrap()
    }
}

impl Block for Vec3 {
    fn block() -> Shape<Self> {
        let corners = (0..8).map(|k| Vec3::new(side(k, 1), side(k, 2), side(k, 4)));
        // A dent in a face, so that the solid is not convex.
        let dent = Vec3::new(0.0, 1.5, 0.0);
        let corners: Vec<Vec3> = corners.chain([dent]).collect();
        let mut faces = halves_of(&SIDES_OF_BOX);
        faces.retain(|face| !face.iter().all(|&k| k & 2 > 0));
        faces.extend([[2, 6, 8], [6, 7, 8], [7, 3, 8], [3, 2, 8]]);
        Shape::solid_mesh(corners, faces).unwrap()
    }
}

fn side(number: u32, bit: u32) -> Real {
    if number & bit > 0 { 2.0 } else { -2.0 }
}

/// A fixed block, and a ball beside it that moves at a speed of 4 along x.
fn block_and_ball<V: Block>(at: Real, is_swept: bool) -> (World<V>, BodyId, BodyId) {
    let pose = Pose::from_translation(V::axis(0) * at);
    let ball = Body::moving(Shape::ball(0.1).unwrap(), pose);
    let ball = ball.with_velocity(Velocity::from_linear(V::axis(0) * 4.0));
    let ball = if is_swept { ball.with_swept() } else { ball };
    let (world, ids) = world_of(
        Options::default(),
        [Body::fixed(V::block(), Pose::IDENTITY), ball],
    );
    (world, ids[0], ids[1])
}

fn a_body_within_a_solid_begins_and_ends_to_touch<V: Block>() {
    let (mut world, block, ball) = block_and_ball::<V>(-3.0, false);
    let mut kinds = Vec::new();
    for _ in 0..12 {
        world.step(0.5).unwrap();
        kinds.extend(world.events().map(|event| event.kind));
        let place = world.body(ball).unwrap().pose().translation().component(0);
        let contact = world.contact_between(block, ball);
        assert_eq!(contact.is_some(), place.abs() < 2.0, "{place}");
        if place.abs() < 1.0 {
            // Deep inside, farther from the surface than any margin.
            assert!(contact.unwrap().distance() < -1.0, "{contact:?}");
        }
    }
    kinds.retain(|kind| *kind != EventKind::Stayed);
    let expected = [
        EventKind::Entered,
        EventKind::Began,
        EventKind::Ended,
        EventKind::Left,
    ];
    assert_eq!(kinds, expected);
}

fn a_swept_body_in_a_solid_leaves_it<V: Block>() {
    let (mut world, block, ball) = block_and_ball::<V>(1.0, true);
    world.step(0.0).unwrap();
    world.step(1.0).unwrap();
    assert!(
        world.impact_between(block, ball).is_none(),
        "{:?}",
        world.impact_between(block, ball)
    );
    let (mut world, block, ball) = block_and_ball::<V>(-4.0, true);
    world.step(2.0).unwrap();
    let impact = world
        .impact_between(block, ball)
        .expect("it came through the block");
    assert!((impact.hit.time - 1.9 / 8.0).abs() < 1e-5, "{impact:?}");
}

fn questions_know_of_the_inside<V: Block>() {
    let (world, block, _) = block_and_ball::<V>(-9.0, false);
    let mut found = Vec::new();
    let inside = V::axis(0) * 0.5;
    world
        .query()
        .near_point_into(inside, 0.0, &mut found)
        .unwrap();
    assert!(found.len() == 1 && found[0].body == block && found[0].separation.distance < -1.0);
    world
        .query()
        .nearest_to_point_into(inside, Nearest::default(), &mut found)
        .unwrap();
    assert!(found[0].body == block && found[0].separation.distance < -1.0);
    let (ball, pose) = (Shape::ball(0.25).unwrap(), Pose::from_translation(inside));
    world
        .query()
        .near_into(Placed::new(&ball, &pose), 0.0, &mut found)
        .unwrap();
    assert!(found.len() == 1 && found[0].body == block);
    let ray = Ray::new(inside, V::axis(1)).unwrap();
    let hit = world
        .query()
        .cast_ray(&ray, RayOptions::default())
        .unwrap()
        .unwrap();
    assert_eq!(
        (hit.body, hit.hit.distance, hit.hit.normal),
        (block, 0.0, None)
    );
}

/// Parts of a solid have a distance along any normal wherever they are, so whether they are in range is asked of the bodies.
fn a_solid_that_only_met_a_body_on_its_way_has_no_manifold<V: Block>() {
    let along = |x: Real| Pose::from_translation(V::axis(0) * x);
    let mut world = World::new(Options {
        manifolds: true,
        ..Options::default()
    })
    .unwrap();
    let cube = Shape::cuboid(V::splat(0.5)).unwrap();
    world.insert(Body::fixed(cube, along(0.0))).unwrap();
    let speed = Velocity::from_linear(V::axis(0) * 30.0);
    let solid = Body::moving(V::block(), along(-10.0))
        .with_velocity(speed)
        .with_swept();
    let solid = world.insert(solid).unwrap();
    world.step(1.0).unwrap();
    assert_eq!(world.impacts().count(), 1);
    assert_eq!(world.manifolds().count(), 0);
    assert_eq!(world.query().manifolds(), []);

    let move_to = |world: &mut World<V>, x| {
        let mut body = world.body_mut(solid).unwrap();
        body.set_pose(along(x)).unwrap();
    };
    move_to(&mut world, 2.25);
    world.step(0.0).unwrap();
    assert!(world.manifolds().count() > 0);
    let contact = world.contacts()[0];
    assert!(world.query().manifold_of(&contact).is_some());
    move_to(&mut world, -9.0);
    assert_eq!(world.query().manifold_of(&contact), None);
    world.step(0.0).unwrap();
    assert_eq!(world.query().manifold_of(&contact), None);
}
