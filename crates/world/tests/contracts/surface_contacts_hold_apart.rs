//! Whoever obeys all surface contacts of a body is out of everything that the body was in, and is never pushed in
//! a direction that no surface has.

use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, World};

use crate::crowd::{Sure, world_of};
use crate::flat_floors_have_no_seams::{STONE, fixed, grid, normal_to, wanting};
use crate::random::{Random, iterations};

/// A level of a floor at y = 0 and a wall at x = 2, whose body comes from x < 2, and for some a wall at z = 2.
struct Level {
    bodies: Vec<Body<Vec3>>,
    has_wall: bool,
    is_corner: bool,
}

fn cube(at: Vec3) -> Body<Vec3> {
    fixed(Shape::cuboid(Vec3::splat(0.5)), at)
}

/// A grid of 6 by 6 from the middle, turned from the plane y = 0.
fn sheet(turn: Quat, at: Vec3) -> Body<Vec3> {
    let (vertices, triangles) = grid(Vec3::new(-3.0, 0.0, -3.0), 6, 1.0);
    Body::fixed(
        Shape::mesh(vertices, triangles).unwrap(),
        Pose::new(at, turn),
    )
}

fn tiles() -> Vec<Body<Vec3>> {
    let at = |k: usize| Vec3::new((k % 6) as Real - 2.5, -0.5, (k / 6) as Real - 2.5);
    (0..36).map(|k| cube(at(k))).collect()
}

fn cubes_of_wall(axis: usize) -> Vec<Body<Vec3>> {
    let at = |k: usize| Vec3::new(2.5, (k / 6) as Real + 0.5, (k % 6) as Real - 2.5);
    let swapped = |at: Vec3| {
        if axis == 0 {
            at
        } else {
            Vec3::new(at.z, at.y, at.x)
        }
    };
    (0..18).map(|k| cube(swapped(at(k)))).collect()
}

fn levels() -> Vec<Level> {
    let mesh = || vec![sheet(Quat::IDENTITY, Vec3::ZERO)];
    let on_edge = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    let mesh_wall = || vec![sheet(on_edge, Vec3::new(2.0, 3.0, 0.0))];
    let slab = |half: Vec3, at: Vec3| vec![fixed(Shape::cuboid(half), at)];
    let flat = || slab(Vec3::new(3.0, 0.5, 3.0), Vec3::Y * -0.5);
    let upright = || slab(Vec3::new(0.5, 1.5, 3.0), Vec3::new(2.5, 1.5, 0.0));
    let wall_to_the_depth = || slab(Vec3::new(0.5, 3.0, 3.0), Vec3::X * 2.5);
    let field = || {
        let field = Shape::height_field(vec![0.0; 49], 7, Vec3::new(6.0, 1.0, 6.0));
        vec![fixed(field, Vec3::ZERO)]
    };
    let plane = || vec![fixed(Shape::half_space(Vec3::Y), Vec3::ZERO)];
    let level = |parts: [Vec<Body<Vec3>>; 2]| {
        let has_wall = !parts[1].is_empty();
        let bodies = parts.concat();
        Level {
            bodies,
            has_wall,
            is_corner: false,
        }
    };
    let corner = |level: Level| {
        let bodies = [level.bodies, cubes_of_wall(2)].concat();
        Level {
            bodies,
            is_corner: true,
            ..level
        }
    };
    vec![
        level([tiles(), vec![]]),
        level([mesh(), vec![]]),
        level([field(), vec![]]),
        level([tiles(), cubes_of_wall(0)]),
        level([mesh(), cubes_of_wall(0)]),
        level([field(), mesh_wall()]),
        level([plane(), cubes_of_wall(0)]),
        level([flat(), upright()]),
        level([flat(), wall_to_the_depth()]),
        level([tiles(), mesh_wall()]),
        corner(level([tiles(), cubes_of_wall(0)])),
        corner(level([mesh(), cubes_of_wall(0)])),
    ]
}

fn shapes() -> Vec<Shape<Vec3>> {
    let pyramid = [
        Vec3::Y * -0.3,
        Vec3::new(0.2, 0.2, 0.2),
        Vec3::new(-0.2, 0.2, 0.2),
        Vec3::new(0.2, 0.2, -0.2),
        Vec3::new(-0.2, 0.2, -0.2),
    ];
    vec![
        Shape::cuboid(Vec3::new(0.3, 0.2, 0.25)).unwrap(),
        Shape::cuboid(Vec3::new(0.8, 0.15, 0.3)).unwrap(),
        Shape::hull(pyramid).unwrap(),
        Shape::hull(STONE).unwrap(),
        frustum(0.4, 0.3),
        Shape::cone(0.3, 0.25).unwrap(),
        Shape::cylinder(0.3, 0.25).unwrap(),
        Shape::capsule(0.2, 0.2).unwrap(),
        Shape::ball(0.3).unwrap(),
    ]
}

/// A square frustum of height 0.8 with the half extents `below` at its foot and `above` at its head.
fn frustum(below: Real, above: Real) -> Shape<Vec3> {
    let corner = |k: usize| {
        let (y, half) = if k < 4 { (-0.4, below) } else { (0.4, above) };
        let side = |bit: usize| if k & bit == 0 { -half } else { half };
        Vec3::new(side(1), y, side(2))
    };
    Shape::hull([0, 1, 2, 3, 4, 5, 6, 7].map(corner)).unwrap()
}

/// The pose at which the shape, turned so, reaches these coordinates with its lowest y and its greatest x and z.
fn placed(shape: &Shape<Vec3>, turn: Quat, reach: Vec3) -> Pose<Vec3> {
    let bounds = shape.bounds(&Pose::new(Vec3::ZERO, turn));
    let edge = Vec3::new(bounds.max.x, bounds.min.y, bounds.max.z);
    Pose::new(reach - edge, turn)
}

fn posture(random: &mut Random) -> Quat {
    let about_y = Quat::from_rotation_y(match random.below(4) {
        0 => 0.0,
        1 => core::f32::consts::FRAC_PI_4,
        _ => random.between(-3.0, 3.0),
    });
    let lean: Vec3 = random.vector(-1.0, 1.0);
    let angle = [0.0, 0.002, 0.02, 3.0][random.below(4)] * random.between(0.0, 1.0);
    Quat::from_axis_angle(lean.normalize_or(Vec3::X), angle) * about_y
}

/// The surface normals that point to a body, and its distances along them.
fn planes(world: &World<Vec3>, body: BodyId) -> Vec<(Vec3, Real)> {
    let own = world
        .surface_contacts()
        .filter(|contact| contact.other(body).is_some());
    own.map(|contact| (normal_to(body, contact), contact.separation.distance))
        .collect()
}

/// The translation that obeys all contacts: found plane by plane, again and again.
fn way_out(planes: &[(Vec3, Real)]) -> Vec3 {
    let mut way = Vec3::ZERO;
    for _ in 0..1000 {
        for (normal, distance) in planes {
            let missing = -(normal.dot(way) + distance);
            way += *normal * missing.max(0.0);
        }
    }
    way
}

/// How deep the body still is in what it was in, after it obeyed its surface contacts.
fn left_over(world: &mut World<Vec3>, body: BodyId) -> Real {
    let parts = |world: &World<Vec3>| -> Vec<(u32, u32, u32, Real)> {
        let own = world
            .part_contacts()
            .iter()
            .filter(|contact| contact.other(body).is_some());
        own.map(|contact| {
            let other = contact.other(body).unwrap().index();
            let near = &contact.separation;
            (other, near.part_a, near.part_b, near.distance)
        })
        .collect()
    };
    let before = parts(world);
    let way = way_out(&planes(world, body));
    let pose = *world.body(body).unwrap().pose();
    world
        .at(body)
        .set_pose(Pose::new(pose.translation() + way, pose.rotation))
        .unwrap();
    world.step(0.0).unwrap();
    let was_in = |of: &(u32, u32, u32, Real)| {
        before
            .iter()
            .any(|old| (old.0, old.1, old.2) == (of.0, of.1, of.2) && old.3 < 0.0)
    };
    let depths = parts(world).into_iter().filter(was_in).map(|part| -part.3);
    depths.fold(0.0, Real::max)
}

#[derive(Default)]
struct Count {
    cases: usize,
    left: usize,
    floors: usize,
    walls: usize,
    wrong: usize,
}

/// How far a body reaches in a level, and the normals of what it is in: of the floor, and of walls.
fn touching(level: &Level, random: &mut Random) -> (Vec3, Vec<Vec3>) {
    let depth = |random: &mut Random| {
        [1e-5, 1e-4, 1e-3, 5e-3, 0.01, 0.02][random.below(6)] * random.between(0.5, 1.0)
    };
    let beside = |random: &mut Random| match random.below(4) {
        0 => 0.0,
        1 => random.between(-1e-3, 1e-3),
        _ => random.between(-1.0, 1.0),
    };
    let mut expected = vec![Vec3::Y];
    let mut reach = Vec3::new(beside(random), -depth(random), beside(random));
    if level.has_wall && random.below(3) > 0 {
        reach.x = 2.0 + depth(random);
        expected.push(Vec3::NEG_X);
    }
    if level.is_corner && random.below(2) > 0 {
        reach.z = 2.0 + depth(random);
        expected.push(Vec3::NEG_Z);
    }
    (reach, expected)
}

/// Bodies in every posture on floors and in walls, a little or a tenth of their size deep: how many stay in something,
/// miss the floor or the wall, or have a normal that neither has.
fn count(random: &mut Random, runs: usize) -> Count {
    let mut count = Count::default();
    let near = |a: Vec3, b: Vec3| (a - b).length() < 1e-3;
    for level in levels() {
        let (mut world, _) = world_of(wanting(), level.bodies.iter().cloned());
        for shape in shapes() {
            let body = Body::moving(shape.clone(), Pose::IDENTITY);
            let id = world.insert(body).unwrap();
            for _ in 0..runs {
                let turn = posture(random);
                let (reach, expected) = touching(&level, random);
                let pose = placed(&shape, turn, reach);
                world.at(id).set_pose(pose).unwrap();
                world.step(0.0).unwrap();
                let found = planes(&world, id);
                let has = |wanted: &Vec3| found.iter().any(|(normal, _)| near(*normal, *wanted));
                let is_right =
                    |(normal, _): &(Vec3, Real)| expected.iter().any(|n| near(*normal, *n));
                count.cases += 1;
                count.floors += usize::from(!has(&expected[0]));
                count.walls += usize::from(!expected[1..].iter().all(has));
                count.wrong += usize::from(!found.iter().all(is_right));
                count.left += usize::from(left_over(&mut world, id) > 2e-4);
            }
            world.remove(id).unwrap();
        }
    }
    count
}

/// Nothing may be lost. Normals are those of the floor and the walls in all but a few cases in ten thousand.
#[test]
fn what_is_left_out_is_implied_by_what_is_kept() {
    let Count {
        cases,
        left,
        floors,
        walls,
        wrong,
    } = count(&mut Random::new(91), iterations(40));
    let counts = format!(
        "{cases} bodies: {left} stay in something, {floors} miss the floor, {walls} a wall, {wrong} have others"
    );
    assert_eq!(left, 0, "{counts}");
    assert!(floors.max(walls).max(wrong) * 2000 <= cases, "{counts}");
}

/// Checks the normals of a body in a level.
fn assert_planes(level: &[Body<Vec3>], shape: &Shape<Vec3>, pose: Pose<Vec3>, expected: &[Vec3]) {
    let body = Body::moving(shape.clone(), pose);
    let (mut world, ids) = world_of(wanting(), level.iter().cloned().chain([body]));
    world.step(0.0).unwrap();
    let found = planes(&world, ids[level.len()]);
    let near = |a: Vec3, b: Vec3| (a - b).length() < 1e-3;
    for wanted in expected {
        assert!(
            found.iter().any(|(normal, _)| near(*normal, *wanted)),
            "{wanted} at {pose:?}: {found:?}"
        );
    }
    for (normal, _) in &found {
        assert!(
            expected.iter().any(|wanted| near(*normal, *wanted)),
            "{normal} at {pose:?}: {found:?}"
        );
    }
    let left = left_over(&mut world, ids[level.len()]);
    assert!(left <= 1e-4, "{left} at {pose:?}: {found:?}");
}

/// What stands on a floor, 0.01 deep in a wall, and whose side is not quite upright.
#[test]
fn a_side_that_is_not_upright_keeps_its_wall() {
    let both = [Vec3::Y, Vec3::NEG_X];
    for level in levels()
        .iter()
        .filter(|level| level.has_wall && !level.is_corner)
    {
        let shapes = [
            frustum(0.4, 0.399),
            frustum(0.4, 0.3),
            Shape::cone(0.4, 0.4).unwrap(),
        ];
        for shape in shapes {
            for sunk in [1e-4, 1e-3, 5e-3] {
                let pose = placed(&shape, Quat::IDENTITY, Vec3::new(2.01, -sunk, 0.33));
                assert_planes(&level.bodies, &shape, pose, &both);
            }
        }
        let tilted = Shape::cuboid(Vec3::splat(0.4)).unwrap();
        for tilt in [-0.002, 0.002] {
            let pose = placed(
                &tilted,
                Quat::from_rotation_z(tilt),
                Vec3::new(2.01, -0.005, 0.33),
            );
            assert_planes(&level.bodies, &tilted, pose, &both);
        }
    }
}

/// An upright edge in a wall, at the seam of two of its tiles or beside it.
#[test]
fn an_upright_edge_at_a_seam_of_a_wall_keeps_the_wall() {
    let turned = Quat::from_rotation_y(core::f32::consts::FRAC_PI_4);
    let shape = Shape::cuboid(Vec3::splat(0.4)).unwrap();
    for level in levels()
        .iter()
        .filter(|level| level.has_wall && !level.is_corner)
    {
        for depth in [0.001, 0.01] {
            for beside in [0.0, 1e-4, -1e-3, 0.05] {
                let at = placed(&shape, turned, Vec3::new(2.0 + depth, -1e-4, 0.0)).translation();
                let pose = Pose::new(Vec3::new(at.x, at.y, beside), turned);
                assert_planes(&level.bodies, &shape, pose, &[Vec3::Y, Vec3::NEG_X]);
            }
        }
    }
}

/// A corner that is nearer to a seam than it is deep.
#[test]
fn a_sharp_corner_beside_a_seam_has_the_normal_of_the_floor() {
    let pyramid = shapes().swap_remove(2);
    for level in levels().iter().filter(|level| !level.has_wall) {
        for depth in [1e-4, 1e-3, 0.01] {
            for (x, z) in [
                (1e-4, 0.3),
                (0.0, 0.0),
                (0.5 + 1e-4, 0.5),
                (0.5, 0.5),
                (0.25, 0.7499),
            ] {
                let pose = Pose::from_translation(Vec3::new(x, 0.3 - depth, z));
                assert_planes(&level.bodies, &pyramid, pose, &[Vec3::Y]);
            }
        }
    }
}
