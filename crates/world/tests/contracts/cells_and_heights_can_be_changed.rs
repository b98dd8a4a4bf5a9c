//! Cells of voxels can be filled and emptied, and heights of a field be set, while bodies stand on them.

use clearance_math::{IVec3, Pose, Quat, Real, Vec3};
use clearance_shapes::{Cells, CompositeKind, HeightPatch, Shape, Tile};
use clearance_world::{Body, BodyId, BodyRef, EventKind, Options, Velocity, World, WorldError};

use crate::crowd::{Sure, world_of};
use crate::random::Random;

fn ground() -> Shape<Vec3> {
    let mut cells = Cells::new();
    cells
        .set_box(IVec3::new(-20, -4, -20), IVec3::new(19, -1, 19), true)
        .unwrap();
    Shape::voxels_of(Vec3::ONE, cells).unwrap()
}

const SIDE: u32 = 61;

/// Hills between peaks and pits, so that what is dug between them does not change the box of the whole, nor what its heights are
/// rounded by.
fn hills(random: &mut Random) -> Shape<Vec3> {
    let heights = (0..SIDE * SIDE).map(|_| random.between(-0.5, 0.5));
    let mut heights: Vec<Real> = heights.collect();
    let last = heights.len() - 1;
    for (place, height) in [(0, 7.0), (7, -7.0), (last, 7.0), (last - 8, -7.0)] {
        heights[place] = height;
    }
    Shape::height_field(heights, SIDE as usize, Vec3::new(60.0, 0.7, 60.0)).unwrap()
}

/// A crate of cells, some of them missing.
fn carved() -> Shape<Vec3> {
    let mut cells = Cells::new();
    let (low, high) = (IVec3::splat(-2), IVec3::splat(1));
    cells.set_box(low, high, true).unwrap();
    cells.set(IVec3::ZERO, false).unwrap();
    Shape::voxels_of(Vec3::splat(0.5), cells).unwrap()
}

/// A world with a ground and balls that touch the cells (x, -1, 0).
fn rolling() -> (World<Vec3>, BodyId, Vec<BodyId>) {
    let ball = |x: i32| {
        let at = Vec3::new(x as f32 + 0.5, 0.25, 0.5);
        Body::moving(Shape::ball(0.25).unwrap(), Pose::from_translation(at))
    };
    let ground = Body::fixed(ground(), Pose::IDENTITY);
    let bodies = [ground].into_iter().chain([0, 5, 18].map(ball));
    let (mut world, mut ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    (world, ids.remove(0), ids)
}

#[test]
fn contacts_and_events_follow_in_the_next_step() {
    let (mut world, ground, balls) = rolling();
    assert_eq!(world.contacts().len(), 3);
    let below = IVec3::new(5, -1, 0);
    world.at(ground).set_cells([below], false).unwrap();
    world.step(0.0).unwrap();
    let touching = world.contacts().iter().map(|contact| contact.b);
    assert!(touching.eq([balls[0], balls[2]]));
    let kinds = world.events().map(|event| event.kind);
    assert_eq!(kinds.filter(|kind| *kind == EventKind::Ended).count(), 1);
    // A wall within the ball on its right.
    let wall = [below, IVec3::new(5, 0, 0)];
    world.at(ground).set_cells(wall, true).unwrap();
    world.step(0.0).unwrap();
    let contact = world.contact_between(ground, balls[1]);
    assert!(contact.is_some_and(|contact| contact.separation.distance < -0.2));
}

/// A change of a shape.
enum Edit<'e> {
    Cells([IVec3; 2], bool),
    Heights(HeightPatch<'e>),
}

impl Edit<'_> {
    fn of_body(&self, world: &mut World<Vec3>, body: BodyId) {
        match *self {
            Self::Cells(cells, filled) => world.at(body).set_cells(cells, filled),
            Self::Heights(patch) => world.at(body).set_heights(patch),
        }
        .unwrap();
    }

    /// The shape of a body, edited.
    fn of_shape(&self, world: &World<Vec3>, body: BodyId) -> Shape<Vec3> {
        let mut shape = world.body(body).unwrap().shape().clone();
        match *self {
            Self::Cells(cells, filled) => shape.set_cells(cells, filled),
            Self::Heights(patch) => shape.set_heights(patch),
        }
        .unwrap();
        shape
    }
}

/// Three worlds in which the same happens. In the first one shapes are edited; in the second one edited copies take their
/// places, which share what did not change; and in the third one shapes that are made of the numbers, with which all is measured.
struct Triplets {
    worlds: [World<Vec3>; 3],
    /// A ground of cells, and crates of cells; or a field of heights.
    edited: Vec<BodyId>,
    others: Vec<BodyId>,
    /// How many pairs each world has measured in steps in which nothing moved.
    selected: [usize; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ground {
    Cells,
    Heights,
}

impl Triplets {
    /// A turned ground with bodies all over it, and in part in it, which fall and slide while time passes.
    fn new(kind: Ground, random: &mut Random) -> Self {
        let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.4);
        let pose = Pose::new(Vec3::new(3.0, -2.0, 1.0), turn);
        let (shape, spacing) = match kind {
            Ground::Cells => (ground(), 2.0),
            Ground::Heights => (hills(random), 3.0),
        };
        let mut bodies = vec![Body::fixed(shape, pose)];
        bodies.extend((0..6).filter(|_| kind == Ground::Cells).map(|k| {
            let at = Vec3::new(5.0, 0.3, 3.0) * k as Real + Vec3::new(-12.0, 0.5, -8.0);
            Body::moving(carved(), Pose::new(pose.transform_point(at), turn))
        }));
        let edited = bodies.len();
        let shapes = [
            Shape::ball(0.5).unwrap(),
            Shape::cuboid(Vec3::new(0.5, 0.3, 0.7)).unwrap(),
            Shape::capsule(0.8, 0.3).unwrap(),
        ];
        bodies.extend((0..400).map(|k| {
            let [x, z] = [k % 20, k / 20].map(|at| spacing * (at as Real - 9.5));
            let place = Vec3::new(x, random.between(-0.3, 0.6), z);
            let turn = Quat::from_axis_angle(Vec3::Y, k as Real);
            let pose = Pose::new(pose.transform_point(place), pose.rotation * turn);
            let fall = Velocity::from_linear(pose.rotation * Vec3::new(0.5, -1.0, 0.0));
            Body::moving(shapes[k % 3].clone(), pose).with_velocity(fall)
        }));
        let options = Options {
            margin: 0.1,
            surface_contacts: true,
            part_contacts: true,
            ..Options::default()
        };
        let (mut world, mut edited_ids) = world_of(options, bodies);
        world.step(0.0).unwrap();
        let others = edited_ids.split_off(edited);
        Self {
            worlds: [world.clone(), world.clone(), world],
            edited: edited_ids,
            others,
            selected: [0; 3],
        }
    }

    fn edit(&mut self, body: BodyId, edit: &Edit<'_>) {
        let [one, copied, anew] = &mut self.worlds;
        edit.of_body(one, body);
        let shape = edit.of_shape(copied, body);
        copied.at(body).set_shape(shape);
        let shape = edit.of_shape(anew, body).to_encoding().unwrap();
        anew.at(body)
            .set_shape(Shape::from_encoding(&shape).unwrap());
    }

    /// Edits the ground, or a crate if these may be.
    fn any_edit(&mut self, (kind, may_be_crate): (Ground, bool), random: &mut Random) {
        let near: Vec3 = random.vector(-19.0, 19.0);
        if kind == Ground::Heights {
            let [row, column] = [0; 2].map(|_| 12 + random.below(36) as u32);
            let [rows, columns] = [0; 2].map(|_| 1 + random.below(4));
            let mut height = || match random.below(300) {
                0..20 => Real::NAN,
                20 => 3.0,
                _ => random.between(-0.5, 0.5),
            };
            let heights: Vec<Real> = (0..rows * columns).map(|_| height()).collect();
            let patch = HeightPatch {
                row,
                column,
                columns: columns as u32,
                heights: &heights,
            };
            return self.edit(self.edited[0], &Edit::Heights(patch));
        }
        let place = if may_be_crate && random.once_in(2) {
            1 + random.below(6)
        } else {
            0
        };
        let cell = match place {
            0 => IVec3::new(near.x as i32, -1 - near.y.abs() as i32 % 3, near.z as i32),
            _ => (near / 10.0).floor().as_ivec3(),
        };
        let cells = [cell, cell + IVec3::X];
        self.edit(self.edited[place], &Edit::Cells(cells, random.once_in(3)));
    }

    fn each(&mut self, mut change: impl FnMut(&mut World<Vec3>)) {
        self.worlds.iter_mut().for_each(&mut change);
    }

    fn step(&mut self, dt: Real) {
        self.each(|world| world.step(dt).unwrap());
        let [one, others @ ..] = &self.worlds;
        one.validate().unwrap();
        for other in others {
            assert_eq!(one.contacts_hash(), other.contacts_hash());
            assert_eq!(one.state_hash(), other.state_hash());
            assert!(one.part_contacts() == other.part_contacts());
            assert!(one.surface_contacts().eq(other.surface_contacts()));
            assert!(one.events().eq(other.events()));
        }
        if dt == 0.0 {
            for (selected, world) in self.selected.iter_mut().zip(&self.worlds) {
                *selected += world.profile().selected;
            }
        }
    }
}

/// Bodies move in every third round: edits are followed by steps that move bodies, and by steps that do not.
fn dt_of(round: usize) -> Real {
    if round.is_multiple_of(3) {
        1.0 / 60.0
    } else {
        0.0
    }
}

#[test]
fn contacts_after_edits_are_those_of_a_world_that_measures_all() {
    for kind in [Ground::Cells, Ground::Heights] {
        let mut random = Random::new(91);
        let mut twins = Triplets::new(kind, &mut random);
        let mut changed = 0;
        for round in 0..50 {
            for _ in 0..1 + random.below(2) {
                twins.any_edit((kind, false), &mut random);
            }
            let before = twins.worlds[0].contacts_hash();
            let dt = dt_of(round);
            twins.step(dt);
            changed += usize::from(dt == 0.0 && twins.worlds[0].contacts_hash() != before);
        }
        let [one, copied, anew] = twins.selected;
        assert!(changed > 12, "{kind:?} {changed}");
        assert!(3 * one < anew, "{kind:?} {one} {anew}");
        // Of cells, copies share what did not change.
        let is_shared = copied <= one || kind == Ground::Heights;
        assert!(is_shared, "{copied} {one}");
    }
}

#[test]
fn edits_among_other_changes_leave_nothing_stale() {
    for kind in [Ground::Cells, Ground::Heights] {
        let mut random = Random::new(72);
        let mut twins = Triplets::new(kind, &mut random);
        let mut snapshots = [const { None }; 3];
        for round in 0..30 {
            for _ in 0..random.below(5) {
                let other = twins.others[random.below(30)];
                match random.below(10) {
                    0 => {
                        let margin = random.between(0.0, 0.5);
                        twins.each(|world| world.at(other).set_extra_margin(margin).unwrap());
                    }
                    1 => {
                        let way: Vec3 = random.vector(-0.4, 0.4);
                        twins.each(|world| {
                            let pose = world.body(other).unwrap().pose().moved_by(way.as_dvec3());
                            world.at(other).set_pose(pose).unwrap();
                        });
                    }
                    2 => twins.each(World::refresh),
                    3 => snapshots = twins.worlds.each_ref().map(|world| Some(world.snapshot())),
                    4 => {
                        for (world, snapshot) in twins.worlds.iter_mut().zip(&snapshots) {
                            snapshot.iter().for_each(|snapshot| world.restore(snapshot));
                        }
                    }
                    _ => twins.any_edit((kind, true), &mut random),
                }
            }
            twins.step(dt_of(round));
        }
    }
}

/// How many pairs the first world measures after an edit.
fn measured_after(twins: &mut Triplets, body: BodyId, edit: &Edit<'_>) -> usize {
    twins.edit(body, edit);
    twins.step(0.0);
    twins.worlds[0].profile().selected
}

fn height(row: u32, height: &Real) -> Edit<'_> {
    Edit::Heights(HeightPatch {
        row,
        column: 30,
        columns: 1,
        heights: core::slice::from_ref(height),
    })
}

#[test]
fn what_is_far_from_an_edit_is_not_measured_again() {
    let hole = |x: i32| Edit::Cells([IVec3::new(x, -1, 5), IVec3::new(x, -2, 5)], false);
    let high = Edit::Cells([IVec3::new(0, 9, 0); 2], true);
    for (kind, [near, whole, other]) in [
        (Ground::Cells, [hole(3), high, hole(4)]),
        (
            Ground::Heights,
            [height(30, &0.0), height(30, &-9.0), height(31, &0.0)],
        ),
    ] {
        let mut twins = Triplets::new(kind, &mut Random::new(92));
        let ground = twins.edited[0];
        // What is set as it was costs nothing, and what changes the box of a body is measured as a whole.
        let few = measured_after(&mut twins, ground, &near);
        assert!(few > 0 && 3 * few < 400, "{kind:?} {few}");
        assert_eq!(measured_after(&mut twins, ground, &near), 0);
        let all = measured_after(&mut twins, ground, &whole);
        assert!(all >= 300, "{kind:?} {all}");
        // So is what else changes of it before the next step.
        twins.each(|world| world.at(ground).set_extra_margin(0.01).unwrap());
        let all = measured_after(&mut twins, ground, &other);
        assert!(all >= 300, "{kind:?} {all}");
    }
}

/// A filter may look at the cells and heights of what it is asked about.
#[test]
fn a_filter_that_looks_at_a_shape_is_asked_after_an_edit() {
    // A ground makes contacts as long as it has a certain cell or is low at a certain place, far from most bodies.
    let cell = IVec3::new(-16, -1, 0);
    let may_meet = move |body: BodyRef<Vec3>| match body.shape() {
        Shape::Composite(composite) => match composite.kind() {
            CompositeKind::Voxels(ground) => ground.cells().contains(cell),
            CompositeKind::HeightField(field) => field.heights()[31 * SIDE as usize + 30] < 0.9,
            _ => true,
        },
        _ => true,
    };
    for (kind, edit) in [
        (Ground::Cells, Edit::Cells([cell; 2], false)),
        (Ground::Heights, height(31, &1.0)),
    ] {
        let mut twins = Triplets::new(kind, &mut Random::new(93));
        twins.each(|world| {
            world.set_pair_filter(move |a, b| may_meet(a) && may_meet(b));
            world.step(0.0).unwrap();
        });
        let ground = twins.edited[0];
        let count = |twins: &Triplets| twins.worlds[0].contacts_of(ground).count();
        assert!(count(&twins) > 100);
        measured_after(&mut twins, ground, &edit);
        assert_eq!(count(&twins), 0);
    }
}

#[test]
fn what_has_no_such_parts_is_refused_and_nothing_changes() {
    let mut twins = Triplets::new(Ground::Heights, &mut Random::new(94));
    let [mut world, mut other, _] = twins.worlds.clone();
    let (field, ball) = (twins.edited[0], twins.others[0]);
    let patch = HeightPatch {
        row: 0,
        column: SIDE - 1,
        columns: 2,
        heights: &[1.0; 2],
    };
    let gone = twins.others.remove(1);
    for world in [&mut world, &mut other] {
        world.remove(gone).unwrap();
    }
    let mut refuse = |body, edit: Edit<'_>, text: &str| {
        let refused = world.body_mut(body).and_then(|mut body| match edit {
            Edit::Cells(cells, filled) => body.set_cells(cells, filled),
            Edit::Heights(patch) => body.set_heights(patch),
        });
        let refused = refused.unwrap_err();
        assert_eq!(matches!(refused, WorldError::Cells { .. }), body != gone);
        let found = refused.to_string();
        assert!(
            found.starts_with(&format!("body {body}")) && found.ends_with(text),
            "{found}"
        );
    };
    let no_cells = ": a ball has no cells, only voxels have";
    refuse(ball, Edit::Cells([IVec3::ZERO; 2], true), no_cells);
    let no_heights = ": a ball has no heights, only height fields have";
    refuse(ball, Edit::Heights(patch), no_heights);
    refuse(field, Edit::Heights(patch), "");
    refuse(gone, Edit::Heights(patch), " is not in this world");
    for world in [&mut world, &mut other] {
        world.step(0.0).unwrap();
    }
    assert_eq!(world.state_hash(), other.state_hash());
    assert_eq!(world.profile().selected, other.profile().selected);
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
    world.at(ground).set_shape(shape);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    let snapshot = world.snapshot();
    world.at(ground).set_tiles(below, 1).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 2);
    world.at(ground).set_cells(below, true).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    world.at(ground).set_tiles(below, 1).unwrap();
    world.restore(&snapshot);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts_hash(), hash);
    assert!(world.contact_between(ground, balls[0]).is_some());
}
