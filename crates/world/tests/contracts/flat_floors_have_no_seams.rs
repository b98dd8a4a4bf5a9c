//! Flat floors of every sort have no seams for what slides over them.

use clearance_gjk::{Cast, CastOptions, Motion, Placed};
use clearance_math::{Pose, Quat, Real, Vec3, Vector};
use clearance_shapes::{Cells, CompoundPart, Shape};
use clearance_world::{Body, BodyId, BodyKind, Contact, Options, SlideOptions, Sliding, Velocity};

use crate::crowd::{Sure, with, world_of};
use crate::forms::{SIDES_OF_BOX, halves_of};
use crate::random::Random;

/// How long a tile is.
const TILE: Real = 1.0;
/// How many tiles a floor has along each of its sides.
const TILES: usize = 12;

pub(crate) fn wanting() -> Options {
    with(|options| options.surface_contacts = true)
}

pub(crate) fn fixed(
    shape: Result<Shape<Vec3>, clearance_shapes::ShapeError>,
    at: Vec3,
) -> Body<Vec3> {
    Body::fixed(shape.unwrap(), Pose::from_translation(at))
}

/// The corners of a grid of quads of the plane y = 0, and two triangles for each quad, from this corner on.
pub(crate) fn grid(from: Vec3, quads: usize, size: Real) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let side = quads + 1;
    let vertex = |k: usize| from + Vec3::new((k % side) as Real, 0.0, (k / side) as Real) * size;
    let vertices = (0..side * side).map(vertex).collect();
    let triangles = (0..quads * quads).flat_map(|k| {
        let corner = (k / quads * side + k % quads) as u32;
        let [a, b, c, d] = [
            corner,
            corner + 1,
            corner + side as u32,
            corner + side as u32 + 1,
        ];
        // Diagonals of both directions.
        if k % 3 == 0 {
            [[a, c, b], [b, c, d]]
        } else {
            [[a, d, b], [a, c, d]]
        }
    });
    (vertices, triangles.collect())
}

/// The middles of the tiles of a floor.
fn places() -> Vec<Vec3> {
    let place = |k: usize| Vec3::new((k % TILES) as Real + 0.5, -0.5, (k / TILES) as Real + 0.5);
    (0..TILES * TILES).map(|k| place(k) * TILE).collect()
}

fn tiles(shape: &Shape<Vec3>) -> Vec<Body<Vec3>> {
    let body = |at: Vec3| Body::fixed(shape.clone(), Pose::from_translation(at));
    places().into_iter().map(body).collect()
}

fn cuboid() -> Shape<Vec3> {
    Shape::cuboid(Vec3::splat(0.5 * TILE)).unwrap()
}

/// Flat floors of every sort, from the origin on to `TILES * TILE` along x and z, their surface at y = 0.
fn floors() -> Vec<(&'static str, Vec<Body<Vec3>>)> {
    let length = TILES as Real * TILE;
    let half = 0.5 * TILE;
    let sides = [-half, half];
    let corners: Vec<Vec3> = sides
        .into_iter()
        .flat_map(|x| sides.map(|y| sides.map(|z| Vec3::new(x, y, z))))
        .flatten()
        .collect();
    let part = |at: Vec3| CompoundPart::new(cuboid(), Pose::from_translation(at));
    let parts: Vec<_> = places().into_iter().map(part).collect();
    let (vertices, triangles) = grid(Vec3::ZERO, TILES, TILE);
    let heights = vec![0.0; (TILES + 1) * (TILES + 1)];
    let field = Shape::height_field(heights, TILES + 1, Vec3::splat(length));
    let middle = Vec3::new(0.5, 0.0, 0.5) * length;
    let moving = tiles(&cuboid()).into_iter().map(|tile| Body {
        kind: BodyKind::Moving,
        ..tile
    });
    vec![
        ("cuboids", tiles(&cuboid())),
        ("hulls", tiles(&Shape::hull(&corners).unwrap())),
        ("turned cuboids", turned_tiles()),
        ("cuboids that move", moving.collect()),
        ("slabs", slabs()),
        ("compound", vec![fixed(Shape::compound(parts), Vec3::ZERO)]),
        (
            "mesh",
            vec![fixed(Shape::mesh(vertices, triangles), Vec3::ZERO)],
        ),
        ("height field", vec![fixed(field, middle)]),
        ("mesh, height field and tiles", mixed_floor()),
        ("voxels", voxels(TILE, &[[0, TILES]])),
        ("small voxels", voxels(0.25 * TILE, &[[0, 4 * TILES]])),
        (
            "voxels side by side",
            voxels(0.5 * TILE, &[[0, 9], [9, 16], [16, 2 * TILES]]),
        ),
    ]
}

/// Floors of cells of this size, three layers deep, which begin and end at these cells along x: each is a body.
fn voxels(size: Real, stretches: &[[usize; 2]]) -> Vec<Body<Vec3>> {
    let depth = (TILES as Real * TILE / size) as i32;
    let floor = |&[start, end]: &[usize; 2]| {
        let mut cells = Cells::new();
        let (low, high) = ([0, -3, 0], [(end - start) as i32 - 1, -1, depth - 1]);
        cells.set_box(low.into(), high.into(), true).unwrap();
        let shape = Shape::voxels_of(Vec3::splat(size), cells);
        fixed(shape, Vec3::X * (start as Real * size))
    };
    stretches.iter().map(floor).collect()
}

/// Tiles that are turned by quarters, which leaves gaps of a rounding between them.
fn turned_tiles() -> Vec<Body<Vec3>> {
    let turned = places().into_iter().zip(1..).map(|(at, k)| {
        let quarter = Quat::from_rotation_y((k % 4) as Real * core::f32::consts::FRAC_PI_2);
        Body::fixed(cuboid(), Pose::new(at, quarter))
    });
    turned.collect()
}

/// Slabs beside each other in rows of different offsets: corners meet sides.
fn slabs() -> Vec<Body<Vec3>> {
    let slab = |k: usize| {
        let (row, column) = (k / 6, k % 6);
        let shift = [0.0, 0.7, 1.3][row % 3];
        let at = Vec3::new(2.0 * column as Real + 1.0 + shift, -0.25, row as Real + 0.5);
        fixed(Shape::cuboid(Vec3::new(1.0, 0.25, 0.5) * TILE), at * TILE)
    };
    (0..6 * TILES).map(slab).collect()
}

/// A mesh, a height field and tiles side by side.
fn mixed_floor() -> Vec<Body<Vec3>> {
    let length = TILES as Real * TILE;
    let (vertices, triangles) = grid(Vec3::ZERO, TILES / 2, TILE);
    let field = Shape::height_field(vec![0.0; 7 * 13], 7, Vec3::new(0.5 * length, 1.0, length));
    let is_there =
        |tile: &Body<Vec3>| tile.pose.translation().x < 6.0 && tile.pose.translation().z > 6.0;
    let mut bodies: Vec<_> = tiles(&cuboid()).into_iter().filter(is_there).collect();
    bodies.push(fixed(Shape::mesh(vertices, triangles), Vec3::ZERO));
    bodies.push(fixed(field, Vec3::new(0.75, 0.0, 0.5) * length));
    bodies
}

/// The corners of a hull.
pub(crate) const STONE: [Vec3; 5] = [
    Vec3::new(0.2, -0.2, 0.1),
    Vec3::new(-0.2, -0.2, 0.2),
    Vec3::new(0.0, -0.2, -0.3),
    Vec3::new(0.1, 0.3, 0.0),
    Vec3::new(0.3, 0.1, 0.2),
];

/// Bodies that slide, with how far their lowest point is below their origin.
fn sliders() -> Vec<(&'static str, Shape<Vec3>, Real)> {
    vec![
        ("ball", Shape::ball(0.25).unwrap(), 0.25),
        (
            "cuboid",
            Shape::cuboid(Vec3::new(0.2, 0.25, 0.3)).unwrap(),
            0.25,
        ),
        (
            "large cuboid",
            Shape::cuboid(Vec3::new(1.6, 0.3, 1.2)).unwrap(),
            0.3,
        ),
        ("capsule", Shape::capsule(0.2, 0.2).unwrap(), 0.4),
        ("cylinder", Shape::cylinder(0.3, 0.2).unwrap(), 0.3),
        (
            "rounded cuboid",
            Shape::cuboid(Vec3::splat(0.2))
                .and_then(|c| c.rounded(0.05))
                .unwrap(),
            0.25,
        ),
        ("hull", Shape::hull(STONE).unwrap(), 0.2),
        ("cone", Shape::cone(0.3, 0.25).unwrap(), 0.3),
    ]
}

/// The normal of a contact from the surface to the body.
pub(crate) fn normal_to<V: Vector>(body: BodyId, contact: &Contact<V>) -> V {
    -contact.seen_from(body).unwrap().normal
}

/// Slides over more than 1,000 seams of each sort, at many angles, speeds and depths.
#[test]
fn flat_floors_of_every_sort_have_no_seams() {
    const FRAMES: usize = 250;
    let mut random = Random::new(70);
    for (floor, bodies) in floors() {
        let (mut world, _) = world_of(wanting(), bodies);
        for (slider, shape, height) in sliders() {
            let id = world.insert(Body::moving(shape, Pose::IDENTITY)).unwrap();
            let (mut parts, mut left) = (0, 0);
            for frame in 0..FRAMES {
                if frame % 25 == 0 {
                    let inside = |random: &mut Random| random.between(3.0, 9.0);
                    let depth = [0.0, 1e-5, 1e-3, 0.02, -0.02, 0.06][random.below(6)];
                    let at = Vec3::new(inside(&mut random), height - depth, inside(&mut random));
                    let turn = Quat::from_rotation_y(random.between(-3.0, 3.0));
                    world.at(id).set_pose(Pose::new(at, turn)).unwrap();
                    let speed = random.between(0.1, 6.0);
                    let way = Quat::from_rotation_y(random.between(-3.0, 3.0)) * Vec3::X;
                    world
                        .at(id)
                        .set_velocity(Velocity::from_linear(way * speed))
                        .unwrap();
                }
                world.step(1.0 / 60.0).unwrap();
                let surface: Vec<_> = world
                    .surface_contacts()
                    .filter(|c| c.other(id).is_some())
                    .collect();
                assert!(
                    !surface.is_empty(),
                    "{slider} on {floor}, frame {frame}: nothing is left"
                );
                for contact in &surface {
                    let normal = normal_to(id, contact);
                    assert!(
                        (normal - Vec3::Y).length() < 1e-3,
                        "{slider} on {floor}, frame {frame}: {contact}"
                    );
                }
                parts += world
                    .part_contacts()
                    .iter()
                    .filter(|c| c.other(id).is_some())
                    .count();
                left += surface.len();
            }
            assert!(left < parts, "{slider} on {floor}: no seams");
            world.remove(id).unwrap();
        }
        world.validate().unwrap();
    }
}

/// Hollow tiles have walls between them, whose contact points are as deep as the body that crosses them, up to rounding. The
/// numbers were found at random.
#[test]
fn walls_between_hollow_tiles_are_no_seams() {
    let corner = |k: u32| Vec3::from_array([1, 2, 4].map(|bit| (k & bit).min(1) as Real - 0.5));
    let corners: Vec<_> = (0..8).map(corner).collect();
    // Open below.
    let tile = Shape::mesh(corners, halves_of(&SIDES_OF_BOX[1..])).unwrap();
    let cases = [
        (
            Vec3::new(0.3199116, 0.3, 0.48037198),
            0.0004932992,
            Vec3::new(-0.15581375, 0.28, 0.4753186),
        ),
        (
            Vec3::new(0.5838725, 0.3, 0.99083304),
            0.00025291368,
            Vec3::new(-0.06373598, 0.23750001, 0.97969353),
        ),
    ];
    for (half, turn, at) in cases {
        let places = (0..16).map(|k| Vec3::new((k % 4) as Real - 1.5, -0.5, (k / 4) as Real - 0.5));
        let floor = places.map(|at| Body::fixed(tile.clone(), Pose::from_translation(at)));
        let pose = Pose::new(at, Quat::from_rotation_y(turn));
        let body = Body::moving(Shape::cuboid(half).unwrap(), pose);
        let (mut world, ids) = world_of(wanting(), floor.chain([body]));
        let id = ids[16];
        world.step(0.0).unwrap();
        for contact in world.surface_contacts() {
            let normal = normal_to(id, contact);
            assert!((normal - Vec3::Y).length() < 1e-3, "{contact}");
        }
    }
}

/// What slides over a floor of cells goes where it goes over one slab, and what is cast at it meets the same, at any speed and
/// angle.
#[test]
fn slides_and_casts_at_voxels_meet_no_inner_face() {
    let half = 0.5 * TILES as Real * TILE;
    let slab = fixed(
        Shape::cuboid(Vec3::new(half, 0.5, half)),
        Vec3::new(half, -0.5, half),
    );
    let (slab, _) = world_of(Options::default(), [slab]);
    let is_of_cells = |(name, _): &(&str, Vec<Body<Vec3>>)| name.contains("voxels");
    let mut random = Random::new(71);
    for (floor, bodies) in floors().into_iter().filter(is_of_cells) {
        let (cells, _) = world_of(Options::default(), bodies);
        let (mut slid, mut met) = (0.0, 0);
        for (slider, shape, height) in sliders() {
            for _ in 0..40 {
                let inside = |random: &mut Random| random.between(3.0, 9.0);
                let above = [0.0, 1e-4, 0.02, 0.3][random.below(4)];
                let at = Vec3::new(inside(&mut random), height + above, inside(&mut random));
                let turn = Quat::from_rotation_y(random.between(-3.0, 3.0));
                let pose = Pose::new(at, turn);
                let steep = [0.0, 1e-3, 0.1, 2.0][random.below(4)];
                let way = Quat::from_rotation_y(random.between(-3.0, 3.0)) * Vec3::X;
                let motion = (way - Vec3::Y * steep) * random.between(0.01, 2.5);
                let placed = Placed::new(&shape, &pose);
                let [over_cells, over_slab] = [&cells, &slab].map(|world| {
                    let options = SlideOptions::default();
                    let sliding = Sliding::new(placed, motion);
                    let slide = world.query().slide(sliding, options);
                    slide.unwrap().pose.translation()
                });
                let apart = (over_cells - over_slab).length();
                // What starts exactly at the floor is first moved away from it by a skin, over cells maybe aslant.
                let most = if above == 0.0 { 0.01 } else { 1e-4 };
                assert!(
                    apart < most,
                    "{slider} on {floor}: {over_cells} {over_slab}"
                );
                slid += (over_cells - at).length();
                let [at_cells, at_slab] = [&cells, &slab].map(|world| {
                    let cast = Cast::new(placed, Motion::from_linear(motion));
                    let hit = world.query().cast_shape(cast, CastOptions::default());
                    hit.unwrap()
                });
                if let Some(slab) = at_slab {
                    let hit = at_cells.unwrap_or_else(|| panic!("{slider} on {floor}: no hit"));
                    met += 1;
                    let late = (hit.hit.time - slab.hit.time).abs() * motion.length();
                    assert!(late < 1e-4, "{slider} on {floor}: {hit:?} {slab:?}");
                }
            }
        }
        assert!(slid > 100.0 && met > 60, "{floor}: {slid} {met}");
    }
}
