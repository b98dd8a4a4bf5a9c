//! What was met first does not depend on how long another body is grazed: the number of steps after which a graze counts
//! as a hit once depended on the time at which something else was met.

use clearance_gjk::{Cast, CastOptions, Motion, Placed};
use clearance_math::{Pose, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, Options, World};

/// An ellipsoid that turns fast beside the face of a box, which it misses by `gap` in each turn, and comes to a plate.
fn first_and_all(turn: Real, gap: Real, plate_at: Real) -> [Option<(usize, Real)>; 2] {
    let mut world = World::new(Options::default()).unwrap();
    let bodies = [
        (Vec3::new(1.0, 3.0, 3.0), Vec3::new(2.0 + gap, 0.0, 0.0)),
        (
            Vec3::new(0.2, 0.2, 0.1),
            Vec3::new(0.0, 0.0, 0.8 + 0.2 * plate_at),
        ),
    ];
    let ids = bodies.map(|(half_extents, place)| {
        let shape = Shape::cuboid(half_extents).unwrap();
        let body = Body::fixed(shape, Pose::from_translation(place));
        world.insert(body).unwrap()
    });
    let ellipsoid = Shape::ellipsoid(Vec3::new(1.0, 0.5, 0.7)).unwrap();
    let pose = Pose::IDENTITY;
    let motion = Motion::new(Vec3::new(0.0, 0.0, 0.2), Vec3::new(0.0, 0.0, turn));
    let cast = Cast::new(Placed::new(&ellipsoid, &pose), motion);
    let options = CastOptions::default();
    let mut all = Vec::new();
    world
        .query()
        .cast_shape_all_into(cast, options, &mut all)
        .unwrap();
    let first = world.query().cast_shape(cast, options).unwrap();
    [first, all.first().copied()].map(|found| {
        let found = found?;
        Some((ids.iter().position(|id| *id == found.body)?, found.hit.time))
    })
}

#[test]
fn the_first_hit_is_the_first_of_all() {
    for (turn, gap, plate_at) in [
        (4000.0, 1e-5, 0.2),
        (1000.0, 1e-5, 0.8),
        (4000.0, 1e-5, 0.5),
        (4000.0, 1e-3, 0.2),
    ] {
        let [first, of_all] = first_and_all(turn, gap, plate_at);
        assert_eq!(
            first, of_all,
            "turns by {turn}, gap {gap}, plate at {plate_at}"
        );
        assert!(first.is_some());
    }
}
