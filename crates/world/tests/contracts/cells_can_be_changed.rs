//! Cells of voxels can be filled and emptied while bodies stand on them.

use clearance_math::{IVec3, Pose, Quat, Vec3};
use clearance_shapes::{Cells, CompositeKind, Shape, Tile};
use clearance_world::{Body, BodyId, BodyRef, EventKind, Options, Velocity, World, WorldError};

use crate::random::Random;

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
        .body_mut(ground)
        .unwrap()
        .set_cells([IVec3::new(5, -1, 0)], false)
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
    world
        .body_mut(ground)
        .unwrap()
        .set_cells(wall, true)
        .unwrap();
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
    edited
        .body_mut(ground)
        .unwrap()
        .set_cells(holes, false)
        .unwrap();
    let (mut anew, other, others) = rolling();
    let mut shape = self::ground();
    shape.set_cells(holes, false).unwrap();
    anew.body_mut(other).unwrap().set_shape(shape);
    for _ in 0..20 {
        for (world, balls) in [(&mut edited, &balls), (&mut anew, &others)] {
            let fall = Velocity::from_linear(Vec3::new(0.3, -1.0, 0.1));
            for &ball in balls {
                world.body_mut(ball).unwrap().set_velocity(fall).unwrap();
            }
            world.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(edited.contacts_hash(), anew.contacts_hash());
    }
    edited.restore(&snapshot);
    edited.step(0.0).unwrap();
    assert_eq!(edited.contacts_hash(), hash);
}

/// A turned ground with bodies that rest all over it, and in part in it.
fn crowded() -> (World<Vec3>, BodyId) {
    let options = Options {
        margin: 0.1,
        surface_contacts: true,
        part_contacts: true,
        ..Options::default()
    };
    let mut world = World::new(options).unwrap();
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.4);
    let pose = Pose::new(Vec3::new(3.0, -2.0, 1.0), turn);
    let ground = world.insert(Body::fixed(ground(), pose)).unwrap();
    let shapes = [
        Shape::ball(0.4).unwrap(),
        Shape::cuboid(Vec3::new(0.5, 0.3, 0.7)).unwrap(),
        Shape::capsule(0.8, 0.3).unwrap(),
    ];
    for k in 0..400 {
        let [x, z] = [k % 20, k / 20].map(|at| 2.0 * at as f32 - 19.0);
        let place = Vec3::new(x, 0.05 * (k % 7) as f32, z);
        let turn = Quat::from_axis_angle(Vec3::Y, k as f32);
        let pose = Pose::new(pose.transform_point(place), pose.rotation * turn);
        world
            .insert(Body::moving(shapes[k % 3].clone(), pose))
            .unwrap();
    }
    world.step(0.0).unwrap();
    (world, ground)
}

#[test]
fn what_is_far_from_an_edit_is_not_measured_again() {
    let (mut world, ground) = crowded();
    let all = world.profile().selected;
    world
        .body_mut(ground)
        .unwrap()
        .set_cells([IVec3::new(3, -1, 5)], false)
        .unwrap();
    world.step(0.0).unwrap();
    let selected = world.profile().selected;
    assert!(selected > 0 && selected * 3 < all, "{selected} of {all}");
    // What changes the box of the ground changes it all.
    world
        .body_mut(ground)
        .unwrap()
        .set_cells([IVec3::new(0, 9, 0)], true)
        .unwrap();
    world.step(0.0).unwrap();
    assert!(world.profile().selected >= all);
    // So does what else changes of it before the next step.
    world
        .body_mut(ground)
        .unwrap()
        .set_cells([IVec3::new(3, -1, 6)], false)
        .unwrap();
    world
        .body_mut(ground)
        .unwrap()
        .set_extra_margin(0.01)
        .unwrap();
    world.step(0.0).unwrap();
    assert!(world.profile().selected >= all);
}

#[test]
fn contacts_after_edits_are_those_of_a_world_that_measures_all() {
    let (mut edited, ground) = crowded();
    let ((mut anew, other), (mut copied, copy)) = (crowded(), crowded());
    let mut shape = copied.body(copy).unwrap().shape().clone();
    let (mut changed, mut selected) = (0, [0; 3]);
    for k in 0..60_i32 {
        // A walk over the ground, that digs and fills.
        let cell = |j: i32| IVec3::new((k * 7 + j) % 38 - 19, -1 - k % 3, (k * 11) % 38 - 19);
        let (cells, filled) = ([cell(0), cell(1)], k % 4 == 3);
        edited
            .body_mut(ground)
            .unwrap()
            .set_cells(cells, filled)
            .unwrap();
        shape.set_cells(cells, filled).unwrap();
        copied.body_mut(copy).unwrap().set_shape(shape.clone());
        // That no chunks are shared hides what changed.
        let shape = Shape::from_encoding(&shape.to_encoding().unwrap()).unwrap();
        anew.body_mut(other).unwrap().set_shape(shape);
        let before = edited.contacts_hash();
        for world in [&mut edited, &mut anew, &mut copied] {
            world.step(0.0).unwrap();
        }
        assert_eq!(edited.contacts_hash(), anew.contacts_hash(), "{k}");
        assert_eq!(copied.contacts_hash(), anew.contacts_hash(), "{k}");
        assert_eq!(copied.state_hash(), edited.state_hash(), "{k}");
        assert!(edited.part_contacts().eq(anew.part_contacts()), "{k}");
        assert!(edited.surface_contacts().eq(anew.surface_contacts()), "{k}");
        selected[0] += edited.profile().selected;
        selected[1] += copied.profile().selected;
        selected[2] += anew.profile().selected;
        changed += usize::from(edited.contacts_hash() != before);
    }
    assert!(changed > 20, "{changed}");
    assert!(
        selected[1] <= selected[0] && 3 * selected[0] < selected[2],
        "{selected:?}"
    );
}

/// A crate of cells, some of them missing.
fn carved() -> Shape<Vec3> {
    let mut cells = Cells::new();
    let (low, high) = (IVec3::splat(-2), IVec3::splat(1));
    cells.set_box(low, high, true).unwrap();
    cells.set(IVec3::ZERO, false).unwrap();
    Shape::voxels_of(Vec3::splat(0.5), cells).unwrap()
}

/// Two worlds in which the same happens, but for edits: in one of them each is a new shape, with which all is measured.
struct Twins {
    worlds: [World<Vec3>; 2],
    bodies: Vec<BodyId>,
}

impl Twins {
    fn new() -> Self {
        let world = crowded().0;
        let worlds = [world.clone(), world];
        let bodies = worlds[0].bodies().ids().collect();
        let mut twins = Self { worlds, bodies };
        for k in 0..6 {
            let at = Vec3::new(
                5.0 * k as f32 - 12.0,
                0.5 + 0.3 * k as f32,
                3.0 * k as f32 - 8.0,
            );
            let pose = *twins.worlds[0].body(twins.bodies[0]).unwrap().pose();
            let pose = Pose::new(pose.transform_point(at), pose.rotation);
            let ids = twins.both(|world| world.insert(Body::moving(carved(), pose)).unwrap());
            twins.bodies.insert(1, ids);
        }
        twins
    }

    fn both<R>(&mut self, mut change: impl FnMut(&mut World<Vec3>) -> R) -> R {
        let [one, other] = &mut self.worlds;
        change(other);
        change(one)
    }

    fn edit(&mut self, body: BodyId, cells: &[IVec3], filled: bool) {
        let [edited, anew] = &mut self.worlds;
        edited
            .body_mut(body)
            .unwrap()
            .set_cells(cells, filled)
            .unwrap();
        let mut shape = anew.body(body).unwrap().shape().clone();
        shape.set_cells(cells, filled).unwrap();
        anew.body_mut(body).unwrap().set_shape(shape);
    }

    fn step(&mut self, dt: f32) {
        self.both(|world| world.step(dt).unwrap());
        let [edited, anew] = &self.worlds;
        assert_eq!(edited.contacts_hash(), anew.contacts_hash());
        assert!(edited.part_contacts() == anew.part_contacts());
        assert!(edited.surface_contacts().eq(anew.surface_contacts()));
        assert!(edited.events().eq(anew.events()));
    }
}

#[test]
fn edits_among_other_changes_leave_nothing_stale() {
    let mut twins = Twins::new();
    let mut random = Random::new(72);
    let ground = twins.bodies[0];
    let mut snapshots = [(); 2].map(|()| None);
    for step in 0..60 {
        for _ in 0..random.below(5) {
            let of_cells = if random.once_in(2) { 7 } else { 1 };
            let body = twins.bodies[random.below(of_cells)];
            let near: Vec3 = random.vector(-19.0, 19.0);
            let cell = if body == ground {
                IVec3::new(near.x as i32, -1 - near.y.abs() as i32 % 3, near.z as i32)
            } else {
                (near / 10.0).floor().as_ivec3()
            };
            let other = twins.bodies[1 + random.below(30)];
            match random.below(10) {
                0 => {
                    let margin = random.between(0.0, 0.5);
                    twins.both(|world| {
                        world
                            .body_mut(other)
                            .unwrap()
                            .set_extra_margin(margin)
                            .unwrap()
                    });
                }
                1 => {
                    let way: Vec3 = random.vector(-0.4, 0.4);
                    twins.both(|world| {
                        let pose = world.body(other).unwrap().pose().moved_by(way.as_dvec3());
                        world.body_mut(other).unwrap().set_pose(pose).unwrap();
                    });
                }
                2 => twins.both(World::refresh),
                3 => snapshots = [0, 1].map(|k| Some(twins.worlds[k].snapshot())),
                4 => {
                    for (world, snapshot) in twins.worlds.iter_mut().zip(&snapshots) {
                        snapshot.iter().for_each(|snapshot| world.restore(snapshot));
                    }
                }
                kind => twins.edit(body, &[cell, cell + IVec3::X], kind > 6),
            }
        }
        twins.step(if step % 3 == 0 { 1.0 / 60.0 } else { 0.0 });
    }
}

#[test]
fn a_filter_that_looks_at_cells_is_asked_after_an_edit() {
    let (mut world, ground, balls) = rolling();
    // A ground makes contacts as long as it has a certain cell, far from the balls.
    world.set_pair_filter(|a, b| {
        let may_meet = |body: BodyRef<Vec3>| match body.shape() {
            Shape::Composite(composite) => match composite.kind() {
                CompositeKind::Voxels(ground) => ground.cells().contains(IVec3::new(-16, -1, 0)),
                _ => true,
            },
            _ => true,
        };
        may_meet(a) && may_meet(b)
    });
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), balls.len());
    world
        .body_mut(ground)
        .unwrap()
        .set_cells([IVec3::new(-16, -1, 0)], false)
        .unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 0);
}

#[test]
fn what_has_no_cells_is_refused_and_nothing_changes() {
    let (mut world, _, balls) = rolling();
    let hash = world.contacts_hash();
    let refused = world
        .body_mut(balls[0])
        .and_then(|mut body| body.set_cells([IVec3::ZERO], true))
        .unwrap_err();
    assert!(matches!(refused, WorldError::Cells { .. }));
    assert_eq!(
        refused.to_string(),
        format!("body {}: a ball has no cells, only voxels have", balls[0])
    );
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
}

#[test]
fn cells_become_tiles_and_whole_again() {
    let (mut world, ground, balls) = rolling();
    let hash = world.contacts_hash();
    let below = [IVec3::new(0, -1, 0)];
    let refused = world
        .body_mut(ground)
        .and_then(|mut body| body.set_tiles(below, 1))
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("body {ground}: voxels: a cell has the entry 1, the palette has 0 tiles")
    );
    let corner = |k: i32| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32 * 0.5, (k >> 2) as f32);
    let half = Tile {
        shape: Shape::hull((0..8).map(corner).collect::<Vec<_>>()).unwrap(),
        user: 3,
        one_way: None,
    };
    let shape = self::ground();
    let Shape::Composite(composite) = &shape else {
        panic!("voxels");
    };
    let CompositeKind::Voxels(voxels) = composite.kind() else {
        panic!("voxels");
    };
    let shape = Shape::tiles_of(Vec3::ONE, voxels.cells().clone(), [half]).unwrap();
    world.body_mut(ground).unwrap().set_shape(shape);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    let snapshot = world.snapshot();
    world.body_mut(ground).unwrap().set_tiles(below, 1).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 2);
    world
        .body_mut(ground)
        .unwrap()
        .set_cells(below, true)
        .unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    world.body_mut(ground).unwrap().set_tiles(below, 1).unwrap();
    world.restore(&snapshot);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    assert!(world.contact_between(ground, balls[0]).is_some());
}
