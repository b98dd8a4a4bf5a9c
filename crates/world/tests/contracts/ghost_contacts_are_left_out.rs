//! Surface contacts leave out ghosts, and nothing else.

use clearance_math::{Pose, Quat, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Contact, World};

use crate::crowd::{Sure, heap, world_of};
use crate::flat_floors_have_no_seams::{fixed, grid, normal_to, wanting};
use crate::random::Random;

/// The normals of the surface that a body touches, as they point to it.
fn normals_of<V: Vector>(world: &World<V>, body: BodyId) -> Vec<V> {
    let contacts = world.surface_contacts();
    let contacts = contacts.filter(|contact| contact.other(body).is_some());
    contacts.map(|contact| normal_to(body, contact)).collect()
}

/// Checks that each expected normal is there, and that there are no others.
fn assert_normals(world: &World<Vec3>, body: BodyId, expected: &[Vec3], case: &str) {
    let found = normals_of(world, body);
    let is_among = |normal: &Vec3, list: &[Vec3]| {
        let is_it = |other: &Vec3| (*other - *normal).length() < 1e-3;
        list.iter().any(is_it)
    };
    for normal in expected {
        assert!(
            is_among(normal, &found),
            "{case}: {normal} is missing in {found:?}"
        );
    }
    for normal in &found {
        assert!(
            is_among(normal, expected),
            "{case}: {normal} is not of {expected:?}"
        );
    }
}

/// A floor and walls of tiles around the corner at the origin, at x < 0 and z < 0; turned as a whole.
fn corner_of_tiles(turn: Quat) -> Vec<Body<Vec3>> {
    let tile = Shape::cuboid(Vec3::splat(0.5)).unwrap();
    let mut places = Vec::new();
    for (i, k) in (0..16).map(|n| ((n % 4) as Real, (n / 4) as Real)) {
        places.push(Vec3::new(i + 0.5, -0.5, k + 0.5));
        places.push(Vec3::new(-0.5, i + 0.5, k + 0.5));
        places.push(Vec3::new(i + 0.5, k + 0.5, -0.5));
    }
    let body = |at: &Vec3| Body::fixed(tile.clone(), Pose::new(turn * *at, turn));
    places.iter().map(body).collect()
}

/// The same of triangles: one mesh with all three sides.
fn corner_of_triangles(turn: Quat) -> Vec<Body<Vec3>> {
    let (flat, triangles) = grid(Vec3::ZERO, 4, 1.0);
    let mut vertices = Vec::new();
    let mut faces = Vec::new();
    for side in 0..3 {
        let first = vertices.len() as u32;
        vertices.extend(flat.iter().map(|v| match side {
            0 => *v,
            1 => Vec3::new(0.0, v.x, v.z),
            _ => Vec3::new(v.x, v.z, 0.0),
        }));
        faces.extend(triangles.iter().map(|triangle| triangle.map(|k| k + first)));
    }
    let mesh = Shape::mesh(vertices, faces).unwrap();
    vec![Body::fixed(mesh, Pose::new(Vec3::ZERO, turn))]
}

#[test]
fn walls_and_corners_stay() {
    let mut random = Random::new(71);
    let half = Vec3::new(0.3, 0.2, 0.25);
    let sliders = [
        ("ball", Shape::ball(0.25).unwrap(), Vec3::splat(0.25)),
        ("cuboid", Shape::cuboid(half).unwrap(), half),
        (
            "capsule",
            Shape::capsule(0.3, 0.2).unwrap(),
            Vec3::new(0.2, 0.5, 0.2),
        ),
    ];
    for turned in 0..8 {
        let angle = turned as Real;
        let turn = Quat::from_rotation_y(angle) * Quat::from_rotation_x(0.5 * angle);
        let levels = [
            ("tiles", corner_of_tiles(turn)),
            ("triangles", corner_of_triangles(turn)),
        ];
        for (level, bodies) in levels {
            let (mut world, _) = world_of(wanting(), bodies);
            for (slider, shape, half) in &sliders {
                let id = world
                    .insert(Body::moving(shape.clone(), Pose::IDENTITY))
                    .unwrap();
                for frame in 0..60 {
                    // Which of the three planes are touched.
                    let touched = [0, 1, 2].map(|axis| (1 + frame % 7) >> axis & 1 == 1);
                    let at = Vec3::from_array([0, 1, 2].map(|axis: usize| {
                        let depth = [0.0, 1e-4, 0.01, -0.02][random.below(4)];
                        let far = random.between(0.1, 2.5);
                        half[axis] + if touched[axis] { -depth } else { far }
                    }));
                    world.at(id).set_pose(Pose::new(turn * at, turn)).unwrap();
                    world.step(0.0).unwrap();
                    let axes = (0..3).filter(|&axis| touched[axis]);
                    let expected: Vec<_> = axes
                        .map(|axis| turn * <Vec3 as Vector>::axis(axis))
                        .collect();
                    let case = format!("{slider} on {level} {turned}, frame {frame}");
                    assert_normals(&world, id, &expected, &case);
                }
                world.remove(id).unwrap();
            }
        }
    }
}

/// A world with a body at a pose, and what it touches.
fn with_body(level: &[Body<Vec3>], shape: &Shape<Vec3>, pose: Pose<Vec3>) -> (World<Vec3>, BodyId) {
    let body = Body::moving(shape.clone(), pose);
    let (mut world, ids) = world_of(wanting(), level.iter().cloned().chain([body]));
    world.step(0.0).unwrap();
    (world, ids[level.len()])
}

#[test]
fn steps_stay_and_level_tiles_do_not() {
    let tile = |at: Vec3| fixed(Shape::cuboid(Vec3::splat(0.5)), at);
    let crate_ = Shape::cuboid(Vec3::new(0.25, 0.25, 0.25)).unwrap();
    for height in [0.0, 0.001, 0.01, 0.1, 0.4] {
        for depth in [0.0, 0.001, 0.02] {
            // It stands on the lower tile and has run into the edge of the higher one by 0.0005.
            let level = [
                tile(Vec3::new(-0.5, -0.5, 0.0)),
                tile(Vec3::new(0.5, height - 0.5, 0.0)),
            ];
            let at = Vec3::new(-0.2495, 0.25 - depth, 0.0);
            let (world, id) = with_body(&level, &crate_, Pose::from_translation(at));
            let step = (height > 0.0).then_some(-Vec3::X);
            let expected: Vec<_> = [Vec3::Y].into_iter().chain(step).collect();
            let is_up = |contact: &Contact<Vec3>| normal_to(id, contact) == Vec3::Y;
            if height == 0.0 && world.part_contacts().iter().all(is_up) {
                continue;
            }
            assert_normals(
                &world,
                id,
                &expected,
                &format!("step of {height}, sunk by {depth}"),
            );
        }
    }
}

#[test]
fn ridges_and_valleys_stay() {
    // Two slopes of so much a unit of length that meet at x = 0, of triangles and of prisms.
    let slope = |rise: Real, side: Real| {
        let corners =
            [(0.0, 0.0), (side, -rise)].map(|(x, y)| [Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0)]);
        corners.as_flattened().to_vec()
    };
    for rise in [-0.5, -0.1, -0.01, 0.01, 0.1, 0.5] {
        let prism = |side| {
            let mut points = slope(rise, side);
            let below: Vec<_> = points.iter().map(|p| Vec3::new(p.x, -2.0, p.z)).collect();
            points.extend(below);
            fixed(Shape::hull(&points), Vec3::ZERO)
        };
        let mut vertices = slope(rise, -1.0);
        vertices.extend(slope(rise, 1.0));
        let triangles = vec![[0, 1, 2], [1, 3, 2], [4, 6, 5], [5, 6, 7]];
        let mesh = fixed(Shape::mesh(vertices, triangles), Vec3::ZERO);
        for (name, level) in [
            ("prisms", vec![prism(-1.0), prism(1.0)]),
            ("triangles", vec![mesh]),
        ] {
            let case = format!("{name}, rise {rise}");
            let sides = [-1.0, 1.0].map(|side| Vec3::new(side * rise, 1.0, 0.0).normalize());
            let ball = Shape::ball(0.25).unwrap();
            if rise > 0.0 {
                // Above the ridge the normal is that of the ridge, and beside it that of the slope alone.
                let at = |x, y| Pose::from_translation(Vec3::new(x, y, 0.1));
                let (world, id) = with_body(&level, &ball, at(0.0, 0.249));
                assert_normals(&world, id, &[Vec3::Y], &case);
                let beside = sides[1] * 0.249 + Vec3::new(0.02, -0.02 * rise, 0.0);
                let (world, id) = with_body(&level, &ball, at(beside.x, beside.y));
                assert_normals(&world, id, &sides[1..], &case);
            } else {
                // In the valley it lies on both.
                let height = 0.2499 * (1.0 + rise * rise).sqrt();
                let at = Pose::from_translation(Vec3::new(0.0, height, 0.1));
                let (world, id) = with_body(&level, &ball, at);
                assert_normals(&world, id, &sides, &case);
            }
        }
    }
}

#[test]
fn what_stands_in_an_edge_keeps_both_sides() {
    // A wall that leans back, and a prism that lies flush against it and touches the floor along the edge alone.
    let lean = Vec3::new(1.0, 0.2, 0.0).normalize();
    let floor = fixed(
        Shape::cuboid(Vec3::new(2.0, 0.5, 2.0)),
        Vec3::new(0.0, -0.5, 0.0),
    );
    let turn = Quat::from_rotation_arc(Vec3::X, lean);
    let wall = Shape::cuboid(Vec3::new(0.5, 2.0, 2.0)).unwrap();
    let wall = Body::fixed(wall, Pose::new(turn * Vec3::new(-0.5, 0.0, 0.0), turn));
    let points =
        [(0.0, 0.0), (0.0, 1.0), (0.5, 0.5)].map(|(x, y)| [-0.3, 0.3].map(|z| Vec3::new(x, y, z)));
    let prism = Shape::hull(points.as_flattened()).unwrap();
    let sunk = (lean + Vec3::Y) * -1e-3;
    let (world, id) = with_body(&[floor, wall], &prism, Pose::new(sunk, turn));
    assert_normals(&world, id, &[Vec3::Y, lean], "a prism in the edge");
}

/// The corner is covered as each of the boxes sees it.
#[test]
fn a_corner_on_the_seam_of_movable_boxes_keeps_one_of_them() {
    let tile = Shape::cuboid(Vec3::splat(0.5)).unwrap();
    let tiles = [-0.5, 0.5].map(|x| {
        Body::moving(
            tile.clone(),
            Pose::from_translation(Vec3::new(x, -0.5, 0.0)),
        )
    });
    let points = [
        Vec3::ZERO,
        Vec3::new(0.5, 1.0, 0.3),
        Vec3::new(-0.5, 1.0, 0.3),
        Vec3::new(0.0, 1.0, -0.5),
    ];
    let top = Shape::hull(points).unwrap();
    for depth in [0.0, 1e-4, 0.01] {
        let at = Pose::from_translation(Vec3::Y * -depth);
        let (world, id) = with_body(&tiles, &top, at);
        assert!(!normals_of(&world, id).is_empty(), "sunk by {depth}");
    }
}

/// In the plane: tiles, and a polyline with a wall and a step.
#[test]
fn lines_have_no_seams_but_corners() {
    let mut random = Random::new(72);
    let tiles = (0..8).map(|k| {
        let at = Vec2::new(k as Real + 0.5, -0.5);
        Body::fixed(
            Shape::cuboid(Vec2::splat(0.5)).unwrap(),
            Pose::from_translation(at),
        )
    });
    let line = (0..=16).map(|k| Vec2::X * (0.5 * k as Real));
    let corners = [Vec2::new(8.0, 2.0), Vec2::new(9.0, 2.0)];
    let line = Shape::polyline(line.chain(corners).collect::<Vec<_>>()).unwrap();
    let line = Body::fixed(line, Pose::IDENTITY);
    for (level, bodies) in [("tiles", tiles.collect()), ("line", vec![line])] {
        let (mut world, _) = world_of(wanting(), bodies);
        let shapes = [
            Shape::ball(0.25),
            Shape::cuboid(Vec2::splat(0.25)),
            Shape::cuboid(Vec2::new(1.5, 0.25)),
        ];
        for shape in shapes.map(Result::unwrap) {
            let id = world.insert(Body::moving(shape, Pose::IDENTITY)).unwrap();
            for _ in 0..300 {
                let depth = [0.0, 1e-5, 1e-3, 0.02, -0.02][random.below(5)];
                let at = Vec2::new(random.between(1.6, 6.0), 0.25 - depth);
                world.at(id).set_pose(Pose::from_translation(at)).unwrap();
                world.step(0.0).unwrap();
                let normals = normals_of(&world, id);
                assert!(!normals.is_empty(), "{level} at {at}");
                assert!(
                    normals.iter().all(|n| (*n - Vec2::Y).length() < 1e-3),
                    "{level} at {at}: {normals:?}"
                );
            }
            world.remove(id).unwrap();
        }
        if level == "line" {
            let ball = Shape::ball(0.25).unwrap();
            let at = Pose::from_translation(Vec2::new(7.751, 0.2495));
            let id = world.insert(Body::moving(ball, at)).unwrap();
            world.step(0.0).unwrap();
            let mut normals = normals_of(&world, id);
            normals.sort_by(|a, b| a.y.total_cmp(&b.y));
            assert_eq!(normals, [-Vec2::X, Vec2::Y]);
        }
    }
}

#[test]
fn surface_contacts_follow_removals_and_can_be_switched_off() {
    let (mut world, ids) = world_of(wanting(), heap::<Vec3>(75, 150));
    world.step(1.0 / 60.0).unwrap();
    let count = world.surface_contacts().count();
    assert!(count < world.part_contacts().len());
    let (a, b) = (world.part_contacts()[0].a, world.part_contacts()[0].b);
    let of_pair = world.surface_contacts().filter(|c| (c.a, c.b) == (a, b));
    assert!(world.surface_contacts_between(b, a).eq(of_pair));
    world.remove_many(&ids[10..60]).unwrap();
    let is_left = |id: BodyId| world.contains(id);
    assert!(
        world
            .surface_contacts()
            .all(|contact| is_left(contact.a) && is_left(contact.b))
    );
    world.change(|options| options.surface_contacts = false);
    world.step(0.0).unwrap();
    assert_eq!(world.surface_contacts().count(), 0);
}
