//! Levels to slide in: closed rooms whose shells are thin, of every sort of shape.

use clearance_math::{Pose, Quat, Real, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Body, BodyId, World};

use crate::random::Random;
use crate::slide_walk::{Walks, world_of};

/// Half of the width of the rooms.
pub(crate) const ROOM: Real = 8.0;

/// A room that no shape may leave.
pub(crate) struct Level<V: Vector> {
    pub(crate) name: &'static str,
    pub(crate) world: World<V>,
    /// Terrain that shapes stay above, if the floor of the room is not flat.
    pub(crate) terrain: Option<BodyId>,
    /// A cave around the origin that shapes stay in, if the room is not a box. The origin sees all of it.
    pub(crate) cave: Option<BodyId>,
}

impl<V: Vector> Level<V> {
    fn new(name: &'static str, bodies: Vec<Body<V>>) -> Self {
        Self {
            name,
            world: world_of(bodies),
            terrain: None,
            cave: None,
        }
    }
}

pub(crate) fn fixed<V: Vector>(shape: Shape<V>, place: V) -> Body<V> {
    Body::fixed(shape, Pose::from_translation(place))
}

/// A box by its lowest and highest corner.
pub(crate) fn block<V: Vector>(low: V, high: V) -> Body<V> {
    fixed(
        Shape::cuboid((high - low) * 0.5).unwrap(),
        (low + high) * 0.5,
    )
}

/// The six or four walls of a room around the origin, as half-spaces or as thick as this.
pub(crate) fn walls<V: Vector>(half_width: Real, thickness: Option<Real>) -> Vec<Body<V>> {
    let walls = (0..2 * V::DIM).map(|side| {
        let out = V::axis(side / 2) * [1.0, -1.0][side % 2];
        let Some(thickness) = thickness else {
            return fixed(Shape::half_space(-out).unwrap(), out * half_width);
        };
        let half = V::splat(half_width + 1.0).with_component(side / 2, 0.5 * thickness);
        let middle = out * (half_width + 0.5 * thickness);
        fixed(Shape::cuboid(half).unwrap(), middle)
    });
    walls.collect()
}

/// The walls of the room as plates that are very thin.
fn plates() -> Vec<Body<Vec3>> {
    walls(ROOM, Some(2e-4))
}

/// Square cells, `count` along `u` and along `v`, from a corner on: vertices and triangles, whose outer side is `u` cross `v`.
pub(crate) fn grid(corner: Vec3, [u, v]: [Vec3; 2], count: [u32; 2]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..=count[1] {
        for i in 0..=count[0] {
            let here = vertices.len() as u32;
            vertices.push(corner + u * i as Real + v * k as Real);
            if i < count[0] && k < count[1] {
                let across = here + count[0] + 2;
                triangles.push([here, here + 1, across]);
                triangles.push([here, across, across - 1]);
            }
        }
    }
    (vertices, triangles)
}

/// The walls of the room as one mesh, each of `cells` by `cells` cells.
fn mesh_room(cells: u32) -> Shape<Vec3> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for side in 0..6 {
        let [out, u, v] = [0, 1, 2].map(|k| Vec3::axis((side / 2 + k) % 3));
        let size = 2.0 * ROOM / cells as Real;
        let corner = (out * [1.0, -1.0][side % 2] - u - v) * ROOM;
        let (more, faces) = grid(corner, [u * size, v * size], [cells; 2]);
        let first = vertices.len() as u32;
        vertices.extend(more);
        triangles.extend(faces.into_iter().map(|face| face.map(|k| first + k)));
    }
    Shape::mesh_welded(&vertices, &triangles).unwrap()
}

fn turned(random: &mut Random) -> Quat {
    let axis: Vec3 = random.vector(-1.0, 1.0);
    Quat::from_axis_angle(
        (axis + Vec3::Y * 1e-3).normalize(),
        random.between(-3.0, 3.0),
    )
}

/// Any convex shape.
pub(crate) fn any_shape<V: Walks>(random: &mut Random) -> Shape<V> {
    let half: V = random.vector(0.1, 0.6);
    match random.below(6) {
        0 => Shape::ball(half.component(0)).unwrap(),
        1 => {
            // Points all around the origin.
            let around = (0..2 * V::DIM).map(|k| V::axis(k / 2) * [0.1, -0.1][k % 2]);
            let mut points: Vec<V> = around.collect();
            points.extend((0..12).map(|_| random.vector::<V>(-0.5, 0.5)));
            Shape::hull(&points).unwrap()
        }
        _ => {
            let mut shapes = V::of_size(half);
            shapes.swap_remove(random.below(shapes.len()))
        }
    }
}

fn clutter(random: &mut Random, count: usize) -> Vec<Body<Vec3>> {
    let bodies = (0..count).map(|_| {
        let shape = any_shape(random);
        let place = random.vector::<Vec3>(-ROOM, ROOM);
        Body::fixed(shape, Pose::new(place, turned(random)))
    });
    bodies.collect()
}

/// Hills over the whole room.
pub(crate) fn hills(columns: usize, height: Real) -> Shape<Vec3> {
    let at = |k: usize| (k % columns, k / columns);
    let heights = (0..columns * columns).map(|k| {
        let (x, z) = at(k);
        let mixed = (x * 7919 + z * 104_729 + x * z * 31) % 97;
        mixed as Real / 97.0 - 0.5
    });
    let scale = Vec3::new(2.0 * ROOM + 1.0, height, 2.0 * ROOM + 1.0);
    Shape::height_field(heights.collect::<Vec<_>>(), columns, scale).unwrap()
}

/// Steps that lead up along x, each `depth` deep.
pub(crate) fn stairs(from: Vec3, count: usize, height: Real, depth: Real) -> Vec<Body<Vec3>> {
    let steps = (0..count).map(|k| {
        let low = from + Vec3::new(k as Real * depth, -1.0, -2.0);
        let high = from + Vec3::new((k + 1) as Real * depth, (k + 1) as Real * height, 2.0);
        block(low, high)
    });
    steps.collect()
}

/// A plate that leads up along x at an angle, its upper side through a point.
pub(crate) fn ramp(through: Vec3, angle: Real, length: Real) -> Body<Vec3> {
    let rotation = Quat::from_rotation_z(angle);
    let place = through + rotation * Vec3::new(length / 2.0, -0.1, 0.0);
    let shape = Shape::cuboid(Vec3::new(length / 2.0, 0.1, 2.0)).unwrap();
    Body::fixed(shape, Pose::new(place, rotation))
}

fn compound(random: &mut Random) -> Shape<Vec3> {
    let room = CompoundPart::new(mesh_room(2), Pose::IDENTITY);
    let parts = clutter(random, 40)
        .into_iter()
        .map(|body| CompoundPart::new(body.shape, body.pose));
    Shape::compound(parts.chain([room]).collect::<Vec<_>>()).unwrap()
}

/// The levels in space.
pub(crate) fn levels_in_space() -> Vec<Level<Vec3>> {
    let mut random = Random::new(77);
    let with = |mut bodies: Vec<Body<Vec3>>, more: Vec<Body<Vec3>>| {
        bodies.extend(more);
        bodies
    };
    let field = fixed(hills(24, 3.0), Vec3::ZERO);
    let mut terrain = Level::new("height field", with(walls(ROOM, None), vec![field]));
    terrain.terrain = terrain.world.bodies().last().map(|body| body.id());
    let tiles = (0..1600).map(|k| {
        let [x, z] = [k % 40, k / 40].map(|step| 0.425 * step as Real - 8.5);
        let low = Vec3::new(x, -ROOM - 0.02, z);
        block(low, low + Vec3::new(0.425, 0.02, 0.425))
    });
    let mut climb = stairs(Vec3::new(-6.0, -ROOM, 0.0), 12, 0.2, 0.3);
    climb.extend(stairs(Vec3::new(1.0, -ROOM, 4.0), 9, 0.35, 0.25));
    for (k, angle) in [0.3, 0.6, 0.8, 1.0, 1.3].into_iter().enumerate() {
        climb.push(ramp(
            Vec3::new(-4.0, -ROOM, 3.0 * k as Real - 8.0),
            angle,
            5.0,
        ));
    }
    let corridors = (0..24).map(|k| {
        let x = 0.65 * k as Real - 7.5;
        let turn = Quat::from_rotation_y(0.05 * (k % 5) as Real);
        let wall = Shape::cuboid(Vec3::new(0.01, 3.0, 6.0)).unwrap();
        Body::fixed(wall, Pose::new(Vec3::new(x, -5.0, 0.0), turn))
    });
    let slabs = (0..14).map(|_| {
        // Slanted half-spaces make corners of all angles; the middle of the room stays free.
        let out = random.vector::<Vec3>(-1.0, 1.0).normalize();
        fixed(Shape::half_space(-out).unwrap(), out * 5.0)
    });
    let slabs: Vec<_> = slabs.collect();
    let wedges = (0..16).map(|k| {
        // Ceilings over the floor of the room that nearly touch it at one end, and lean more and more.
        let lean = Quat::from_rotation_z(1e-4 * (1.7 as Real).powi(k));
        let place = Vec3::new(0.0, -7.2 + 0.05 * k as Real, k as Real - 7.5);
        let plate = Shape::cuboid(Vec3::new(6.0, 0.01, 0.45)).unwrap();
        Body::fixed(plate, Pose::new(place, lean))
    });
    vec![
        terrain,
        Level::new("wedges", with(plates(), wedges.collect())),
        Level::new("mesh", vec![fixed(mesh_room(12), Vec3::ZERO)]),
        Level::new("compound", vec![fixed(compound(&mut random), Vec3::ZERO)]),
        Level::new("tiles", with(plates(), tiles.collect())),
        Level::new("stairs and ramps", with(plates(), climb)),
        Level::new("half-spaces", with(walls(ROOM, None), slabs)),
        Level::new("corridors", with(plates(), corridors.collect())),
        Level::new("clutter", with(plates(), clutter(&mut random, 150))),
    ]
}

/// The levels in the plane.
pub(crate) fn levels_in_plane() -> Vec<Level<Vec2>> {
    let mut random = Random::new(78);
    let cave = (0..=90).map(|k| {
        let angle = core::f32::consts::TAU * (k % 90) as Real / 90.0;
        let mixed = (k % 90 * 7919 % 31) as Real / 31.0;
        let (sin, cos) = angle.sin_cos();
        Vec2::new(cos, sin) * (ROOM - 2.5 * mixed)
    });
    let cave = Shape::polyline(cave.collect::<Vec<_>>()).unwrap();
    let mut rubble = walls::<Vec2>(ROOM, None);
    for _ in 0..25 {
        let shape = any_shape(&mut random);
        let turn = Rotation2::from_angle(random.between(-3.0, 3.0));
        rubble.push(Body::fixed(
            shape,
            Pose::new(random.vector::<Vec2>(-ROOM, ROOM), turn),
        ));
    }
    let mut cave = Level::new("polyline", vec![fixed(cave, Vec2::ZERO)]);
    cave.cave = cave.world.bodies().next().map(|body| body.id());
    vec![cave, Level::new("rubble", rubble)]
}
