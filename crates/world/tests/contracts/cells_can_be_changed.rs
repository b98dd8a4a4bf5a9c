//! Cells of voxels can be filled and emptied while bodies stand on them.

use clearance_math::{IVec3, Pose, Vec3};
use clearance_shapes::{Cells, CompositeKind, Shape, Tile};
use clearance_world::{Body, BodyId, EventKind, Options, Velocity, World, WorldError};

fn ground() -> Shape<Vec3> {
    let mut cells = Cells::new();
    cells
        .set_box(IVec3::new(-20, -4, -20), IVec3::new(19, -1, 19), true)
        .unwrap();
    Shape::voxels_of(Vec3::ONE, cells).unwrap()
}

/// A world with a ground and a ball that touches cell (x, -1, 0).
fn rolling() -> (World<Vec3>, BodyId, Vec<BodyId>) {
    let mut world = World::new(Options {
        surface_contacts: true,
        ..Options::default()
    })
    .unwrap();
    let ground = world.insert(Body::fixed(ground(), Pose::IDENTITY)).unwrap();
    let ball = |x: i32| {
        let at = Vec3::new(x as f32 + 0.5, 0.25, 0.5);
        Body::moving(Shape::ball(0.25).unwrap(), Pose::from_translation(at))
    };
    let balls = [0, 5, 18].map(|x| world.insert(ball(x)).unwrap());
    world.step(0.0).unwrap();
    (world, ground, balls.to_vec())
}

#[test]
fn contacts_and_events_follow_in_the_next_step() {
    let (mut world, ground, balls) = rolling();
    assert_eq!(world.contacts().len(), 3);
    world
        .set_cells(ground, [IVec3::new(5, -1, 0)], false)
        .unwrap();
    world.step(0.0).unwrap();
    let touching: Vec<_> = world.contacts().iter().map(|contact| contact.b).collect();
    assert_eq!(touching, [balls[0], balls[2]]);
    let ended: Vec<_> = world
        .events()
        .filter(|event| event.kind == EventKind::Ended)
        .collect();
    assert_eq!(ended.len(), 1);
    // A wall within the ball on its right.
    let wall = [IVec3::new(5, -1, 0), IVec3::new(5, 0, 0)];
    world.set_cells(ground, wall, true).unwrap();
    world.step(0.0).unwrap();
    let contact = world
        .contacts()
        .iter()
        .find(|contact| contact.b == balls[1]);
    assert!(contact.is_some_and(|contact| contact.separation.distance < -0.2));
}

#[test]
fn a_world_with_an_edit_is_that_made_anew() {
    let (mut edited, ground, balls) = rolling();
    let holes = [
        IVec3::new(0, -1, 0),
        IVec3::new(1, -1, 0),
        IVec3::new(18, -1, 0),
    ];
    let snapshot = edited.snapshot();
    let hash = edited.contacts_hash();
    edited.set_cells(ground, holes, false).unwrap();
    let (mut anew, other, others) = rolling();
    let mut shape = self::ground();
    shape.set_cells(holes, false).unwrap();
    anew.set_shape(other, shape).unwrap();
    for _ in 0..20 {
        for (world, balls) in [(&mut edited, &balls), (&mut anew, &others)] {
            let fall = Velocity::from_linear(Vec3::new(0.3, -1.0, 0.1));
            for &ball in balls {
                world.set_velocity(ball, fall).unwrap();
            }
            world.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(edited.contacts_hash(), anew.contacts_hash());
    }
    edited.restore(&snapshot);
    edited.step(0.0).unwrap();
    assert_eq!(edited.contacts_hash(), hash);
}

#[test]
fn what_has_no_cells_is_refused_and_nothing_changes() {
    let (mut world, ground, balls) = rolling();
    let hash = world.contacts_hash();
    let refused = world.set_cells(balls[0], [IVec3::ZERO], true).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("body {}: a ball has no cells, only voxels have", balls[0])
    );
    let all: Vec<_> = (0..40 * 4 * 40)
        .map(|k| IVec3::new(k % 40 - 20, k / 40 % 4 - 4, k / 160 - 20))
        .collect();
    let refused = world.set_cells(ground, all, false).unwrap_err();
    assert!(matches!(refused, WorldError::Cells { .. }));
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
}

#[test]
fn cells_become_tiles_and_whole_again() {
    let (mut world, ground, balls) = rolling();
    let hash = world.contacts_hash();
    let below = [IVec3::new(0, -1, 0)];
    let refused = world.set_tiles(ground, below, 1).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("body {ground}: voxels: a cell has the entry 1, the palette has 0 tiles")
    );
    let corner = |k: i32| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32 * 0.5, (k >> 2) as f32);
    let half = Tile {
        shape: Shape::hull((0..8).map(corner).collect::<Vec<_>>()).unwrap(),
        user: 3,
    };
    let shape = self::ground();
    let Shape::Composite(composite) = &shape else {
        panic!("voxels");
    };
    let CompositeKind::Voxels(voxels) = composite.kind() else {
        panic!("voxels");
    };
    let shape = Shape::tiles_of(Vec3::ONE, voxels.cells().clone(), [half]).unwrap();
    world.set_shape(ground, shape).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    let snapshot = world.snapshot();
    world.set_tiles(ground, below, 1).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 2);
    world.set_cells(ground, below, true).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    world.set_tiles(ground, below, 1).unwrap();
    world.restore(&snapshot);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    assert!(world.contact(ground, balls[0]).is_some());
}
