//! Heights of a field can be changed while bodies stand on it.

use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::{CompositeKind, HeightPatch, Shape};
use clearance_world::{Body, BodyId, BodyRef, Options, World, WorldError};

use crate::random::Random;

const SIDE: u32 = 61;

/// Hills between peaks and pits, so that what is dug between them does not change the box of the whole, nor what its heights are
/// rounded by.
fn hills(random: &mut Random) -> Shape<Vec3> {
    let mut heights: Vec<Real> = (0..SIDE * SIDE)
        .map(|_| random.between(-0.5, 0.5))
        .collect();
    for (k, height) in [7.0, -7.0, 7.0, -7.0].into_iter().enumerate() {
        heights[[0, 7, (SIDE * SIDE) as usize - 1, (SIDE * SIDE) as usize - 9][k]] = height;
    }
    Shape::height_field(heights, SIDE as usize, Vec3::new(60.0, 0.7, 60.0)).unwrap()
}

/// Three equal worlds: a turned field with bodies all over it.
fn crowded() -> ([World<Vec3>; 3], BodyId, Vec<BodyId>) {
    let options = Options {
        margin: 0.1,
        surface_contacts: true,
        part_contacts: true,
        ..Options::default()
    };
    let mut random = Random::new(91);
    let mut world = World::new(options).unwrap();
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.4);
    let pose = Pose::new(Vec3::new(3.0, -2.0, 1.0), turn);
    let ground = world.insert(Body::fixed(hills(&mut random), pose)).unwrap();
    let shapes = [
        Shape::ball(0.6).unwrap(),
        Shape::cuboid(Vec3::new(0.5, 0.3, 0.7)).unwrap(),
        Shape::capsule(0.8, 0.3).unwrap(),
    ];
    let body = |k: u32| {
        let [x, z] = [k % 20, k / 20].map(|at| 3.0 * at as Real - 29.0);
        let place = Vec3::new(x, random.between(-0.5, 1.0), z);
        let turn = Quat::from_axis_angle(Vec3::Y, k as Real);
        let pose = Pose::new(pose.transform_point(place), pose.rotation * turn);
        world
            .insert(Body::moving(shapes[k as usize % 3].clone(), pose))
            .unwrap()
    };
    let bodies = (0..400).map(body).collect();
    world.step(0.0).unwrap();
    ([world.clone(), world.clone(), world], ground, bodies)
}

#[test]
fn contacts_after_edits_are_those_of_a_world_that_measures_all() {
    let ([mut edited, mut anew, mut kept], ground, bodies) = crowded();
    let mut random = Random::new(92);
    let start = edited.contacts_hash();
    let snapshot = edited.snapshot();
    let (mut changed, mut selected) = (0, [0; 2]);
    for step in 0..80 {
        for _ in 0..1 + random.below(2) {
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
            edited.body_mut(ground).unwrap().set_heights(patch).unwrap();
            // Measured again as a whole: a shape that was made of the numbers.
            let mut shape = anew.body(ground).unwrap().shape().clone();
            shape.set_heights(patch).unwrap();
            let shape = Shape::from_encoding(&shape.to_encoding().unwrap()).unwrap();
            anew.body_mut(ground).unwrap().set_shape(shape);
        }
        if step % 5 == 0 {
            let (body, way) = (bodies[random.below(400)], random.vector::<Vec3>(-0.4, 0.4));
            for world in [&mut edited, &mut anew] {
                let pose = world.body(body).unwrap().pose().moved_by(way.as_dvec3());
                world.body_mut(body).unwrap().set_pose(pose).unwrap();
            }
        }
        let before = edited.contacts_hash();
        for world in [&mut edited, &mut anew] {
            world.step(0.0).unwrap();
        }
        assert_eq!(edited.contacts_hash(), anew.contacts_hash(), "{step}");
        assert_eq!(edited.state_hash(), anew.state_hash(), "{step}");
        assert!(edited.part_contacts().eq(anew.part_contacts()), "{step}");
        assert!(
            edited.surface_contacts().eq(anew.surface_contacts()),
            "{step}"
        );
        assert!(edited.events().eq(anew.events()), "{step}");
        edited.validate().unwrap();
        selected[0] += edited.profile().selected;
        selected[1] += anew.profile().selected;
        changed += usize::from(edited.contacts_hash() != before);
    }
    assert!(changed > 40, "{changed}");
    assert!(5 * selected[0] < selected[1], "{selected:?}");
    // Others keep their heights, and so does a snapshot.
    kept.refresh();
    kept.step(0.0).unwrap();
    assert_eq!(kept.contacts_hash(), start);
    edited.restore(&snapshot);
    edited.step(0.0).unwrap();
    assert_eq!(edited.contacts_hash(), start);
}

#[test]
fn what_is_set_as_it_was_costs_nothing_and_what_changes_the_whole_is_measured() {
    let ([mut world, ..], ground, bodies) = crowded();
    let set = |world: &mut World<Vec3>, [row, column]: [u32; 2], height: Real| {
        let patch = HeightPatch {
            row,
            column,
            columns: 1,
            heights: &[height],
        };
        world.body_mut(ground).unwrap().set_heights(patch).unwrap();
        world.step(0.0).unwrap();
        world.profile().selected
    };
    let few = set(&mut world, [30, 30], 0.0);
    assert!(few > 0 && few < 40, "{few}");
    assert_eq!(set(&mut world, [30, 30], 0.0), 0);
    // The box of the field is another one.
    assert!(set(&mut world, [30, 30], -9.0) >= bodies.len() / 2);
    // A filter may look at the heights.
    world.set_pair_filter(|a, b| {
        let is_low = |body: BodyRef<Vec3>| match body.shape() {
            Shape::Composite(composite) => match composite.kind() {
                CompositeKind::HeightField(field) => field.heights()[31 * SIDE as usize + 31] < 0.9,
                _ => true,
            },
            _ => true,
        };
        is_low(a) && is_low(b)
    });
    world.step(0.0).unwrap();
    let on_ground = |world: &World<Vec3>| {
        world
            .contacts()
            .iter()
            .filter(|near| near.a == ground)
            .count()
    };
    assert!(on_ground(&world) > 100);
    set(&mut world, [31, 31], 1.0);
    assert_eq!(on_ground(&world), 0);
}

#[test]
fn a_refused_change_of_heights_changes_nothing() {
    let ([mut world, mut other, _], ground, bodies) = crowded();
    let patch = HeightPatch {
        row: 0,
        column: 60,
        columns: 2,
        heights: &[1.0; 2],
    };
    let refused = world
        .body_mut(ground)
        .and_then(|mut body| body.set_heights(patch))
        .unwrap_err();
    assert!(matches!(refused, WorldError::Cells { .. }));
    let refused = world
        .body_mut(bodies[0])
        .and_then(|mut body| body.set_heights(patch))
        .unwrap_err();
    let text = format!(
        "body {}: a ball has no heights, only height fields have",
        bodies[0]
    );
    assert_eq!(refused.to_string(), text);
    let [gone, ..] = bodies[..] else { panic!() };
    world.remove(gone).unwrap();
    other.remove(gone).unwrap();
    assert!(
        world
            .body_mut(gone)
            .and_then(|mut body| body.set_heights(patch))
            .is_err()
    );
    world.step(0.0).unwrap();
    other.step(0.0).unwrap();
    assert_eq!(world.state_hash(), other.state_hash());
    assert_eq!(world.profile().selected, other.profile().selected);
}
