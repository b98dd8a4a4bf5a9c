//! Crowds of bodies of every kind, dense enough that many are near each other.

use clearance_math::{Pose, Quat, Real, Rotation, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Backend, Body, BodyId, BodyKind, BodyMut, Groups, Options, Velocity, World};

use crate::random::Random;

/// What differs between the plane and space.
pub(crate) trait Dimension: Vector {
    /// What the refusal of [`Dimension::bad_angular`] says.
    const REFUSED_ANGULAR: &'static str;

    fn rotation(random: &mut Random) -> Self::Rotation;
    fn angular(random: &mut Random) -> Self::Angular;
    /// An angular velocity that must be refused.
    fn bad_angular() -> Self::Angular;
    /// A rotation that must be refused.
    fn bad_rotation() -> Self::Rotation;
    /// A shape that the other dimension does not have.
    fn own_shape(random: &mut Random) -> Shape<Self>;
    /// A composite about as long and as wide as this, of many parts, one above each place.
    fn terrain(size: Real) -> Shape<Self>;
}

impl Dimension for Vec2 {
    const REFUSED_ANGULAR: &'static str = "velocity.angular is inf, must be finite";

    fn rotation(random: &mut Random) -> Rotation2 {
        Rotation2::from_angle(random.between(-3.0, 3.0))
    }

    fn angular(random: &mut Random) -> Real {
        random.between(-1.0, 1.0)
    }

    fn bad_angular() -> Real {
        Real::INFINITY
    }

    fn bad_rotation() -> Rotation2 {
        Rotation2::from_angle(Real::NAN)
    }

    fn own_shape(random: &mut Random) -> Shape<Self> {
        let points: Vec<_> = (0..12).map(|_| random.vector(-0.5, 0.5)).collect();
        if random.once_in(2) {
            return Shape::hull(&points).unwrap();
        }
        // A star with an inside.
        let corner = |k: usize| {
            let angle = core::f32::consts::TAU * k as Real / points.len() as Real;
            Vec2::from_angle(angle) * (0.15 + 0.4 * points[k].length())
        };
        Shape::polygon((0..points.len()).map(corner).collect::<Vec<_>>(), &[]).unwrap()
    }

    fn terrain(size: Real) -> Shape<Self> {
        let vertex = |k: usize| Vec2::new(size * (k as Real / 40.0 - 0.5), height(k, 0));
        Shape::polyline((0..=40).map(vertex).collect::<Vec<_>>()).unwrap()
    }
}

impl Dimension for Vec3 {
    const REFUSED_ANGULAR: &'static str = "velocity.angular[1] is NaN, must be finite";

    fn rotation(random: &mut Random) -> Quat {
        let q = Quat::from_array([(); 4].map(|()| random.between(-1.0, 1.0)));
        if q.length() > 0.1 {
            q.normalize()
        } else {
            Quat::IDENTITY
        }
    }

    fn angular(random: &mut Random) -> Vec3 {
        random.vector(-1.0, 1.0)
    }

    fn bad_angular() -> Vec3 {
        Vec3::new(0.0, Real::NAN, 0.0)
    }

    fn bad_rotation() -> Quat {
        Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)
    }

    fn own_shape(random: &mut Random) -> Shape<Self> {
        let (half, radius) = (random.between(0.1, 0.5), random.between(0.1, 0.5));
        let other = random.between(0.1, 0.5);
        match random.below(4) {
            0 => Shape::cylinder(half, radius).unwrap(),
            1 => Shape::cone(half, radius).unwrap(),
            2 => Shape::tapered_cylinder(half, radius, other).unwrap(),
            _ => mesh(random),
        }
    }

    fn terrain(size: Real) -> Shape<Self> {
        let heights: Vec<_> = (0..144).map(|k| height(k % 12, k / 12)).collect();
        Shape::height_field(heights, 12, Vec3::new(size, 1.0, size)).unwrap()
    }
}

/// The height of a terrain at a place of a grid.
fn height(x: usize, z: usize) -> Real {
    0.25 * ((3 * x + 5 * z) % 7) as Real
}

/// A tetrahedron, at times with an inside, its surface with some of its triangles missing, or a height field.
fn mesh(random: &mut Random) -> Shape<Vec3> {
    if random.once_in(2) {
        let heights: Vec<_> = (0..12).map(|_| random.between(-0.2, 0.2)).collect();
        return Shape::height_field(heights, 4, Vec3::new(0.8, 1.0, 0.6)).unwrap();
    }
    let vertices = [(); 4].map(|()| random.vector(-0.5, 0.5));
    let faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let count = 1 + random.below(4);
    let mesh = Shape::mesh(vertices, &faces[..count]).unwrap();
    // With an inside, where it is closed and its outer side is outside.
    mesh.clone().solid().unwrap_or(mesh)
}

/// Two shapes beside each other, or a chain of segments.
fn composite<V: Dimension>(random: &mut Random) -> Shape<V> {
    let point = |random: &mut Random| random.vector::<V>(-0.4, 0.4);
    if random.once_in(2) {
        return Shape::polyline((0..4).map(|_| point(random)).collect::<Vec<_>>()).unwrap();
    }
    let parts = [0.15, 0.3].map(|size| CompoundPart {
        shape: if random.once_in(2) {
            Shape::ball(size).unwrap()
        } else {
            Shape::cuboid(V::splat(size)).unwrap()
        },
        pose: Pose::new(point(random), V::rotation(random)),
    });
    Shape::compound(parts).unwrap()
}

/// `count` bodies, every third of which is a composite, among three terrains of which two turn; about every
/// third body wants part contacts.
pub(crate) fn composite_crowd<V: Dimension>(seed: u64, count: usize) -> Vec<Body<V>> {
    let mut random = Random::new(seed);
    let mut bodies = crowd::<V>(seed, count);
    for body in bodies.iter_mut().skip(1) {
        if random.once_in(3) {
            body.shape = composite(&mut random);
        }
        body.part_contacts = random.once_in(3);
    }
    let size = size_for::<V>(count);
    for (place, body) in bodies.iter_mut().skip(1).step_by(count / 3).enumerate() {
        body.shape = V::terrain(size);
        body.pose = Pose::new(V::splat(0.5 * size), body.pose.rotation);
        if place == 0 {
            *body = Body::fixed(
                body.shape.clone(),
                Pose::from_translation(V::splat(0.5 * size)),
            );
        }
        body.velocity.linear = V::ZERO;
    }
    bodies
}

/// A denser crowd, of which every third body is flush with a grid, as tiles are: parts cover each other in every way.
pub(crate) fn heap<V: Dimension>(seed: u64, count: usize) -> Vec<Body<V>> {
    let mut random = Random::new(seed);
    let mut bodies = composite_crowd::<V>(seed, count);
    for body in bodies.iter_mut().skip(1) {
        let mut place = body.pose.translation() * 0.7;
        if random.once_in(3) {
            body.shape = Shape::cuboid(V::splat(0.25)).unwrap();
            for axis in 0..V::DIM {
                place = place.with_component(axis, (place.component(axis) * 2.0).round() * 0.5);
            }
            body.pose = Pose::from_translation(place);
        }
        body.pose = Pose::new(place, body.pose.rotation);
    }
    bodies
}

/// The same bodies, of which a few are swept and fast.
pub(crate) fn with_swept<V: Dimension>(mut bodies: Vec<Body<V>>, seed: u64) -> Vec<Body<V>> {
    let mut random = Random::new(seed);
    for body in &mut bodies {
        body.swept = random.once_in(6);
        if body.swept || random.once_in(8) {
            body.velocity.linear = random.vector(-40.0, 40.0);
        }
        if random.once_in(4) {
            let turn = V::Rotation::angular_in_space(body.velocity.angular);
            body.velocity.angular = V::Rotation::angular_from_space(turn * 30.0);
        }
    }
    bodies
}

/// How long and wide a region has room for `count` bodies.
fn size_for<V: Dimension>(count: usize) -> Real {
    match V::DIM {
        2 => (count as Real).sqrt(),
        _ => 0.9 * (count as Real).cbrt(),
    }
}

/// A shape of any bounded kind, about one unit across.
pub(crate) fn any_shape<V: Dimension>(random: &mut Random) -> Shape<V> {
    let (low, high) = (0.1, 0.5);
    let point = |random: &mut Random| random.vector::<V>(-high, high);
    let shape = match random.below(12) {
        0 => Shape::ball(random.between(low, high)),
        1 => Shape::cuboid(random.vector(low, high)),
        2 => Shape::capsule(random.between(low, high), random.between(low, high)),
        3 => Shape::segment(point(random), point(random)),
        4 => Shape::triangle(point(random), point(random), point(random)),
        5 => Shape::ellipsoid(random.vector(low, high)),
        6 => Shape::hull([(); 10].map(|()| point(random))),
        7 => Shape::cuboid(random.vector(low, high)).and_then(|cuboid| cuboid.rounded(low)),
        8 => Shape::tapered_capsule(
            random.between(low, high),
            random.between(low, high),
            random.between(low, high),
        ),
        9 => return composite(random),
        _ => return V::own_shape(random),
    };
    shape.unwrap()
}

/// A body of any kind in a region that has room for `count`.
pub(crate) fn any_body<V: Dimension>(random: &mut Random, count: usize) -> Body<V> {
    let place: V = random.vector(0.0, size_for::<V>(count));
    let pose = Pose::new(place, V::rotation(random));
    let mut body = Body::moving(any_shape(random), pose)
        .with_velocity(Velocity::new(random.vector(-0.3, 0.3), V::angular(random)));
    if random.once_in(4) {
        body.kind = BodyKind::Fixed;
    }
    if random.once_in(6) {
        body.groups = any_groups(random);
    }
    if random.once_in(6) {
        body.extra_margin = random.between(0.0, 0.2);
    }
    body
}

pub(crate) fn any_groups(random: &mut Random) -> Groups {
    let mut bits = || [1, 2, 3][random.below(3)];
    Groups {
        memberships: bits(),
        filter: bits(),
    }
}

/// `count` bodies, and a floor.
pub(crate) fn crowd<V: Dimension>(seed: u64, count: usize) -> Vec<Body<V>> {
    let mut random = Random::new(seed);
    let floor = Shape::half_space(V::axis(1)).unwrap();
    let mut bodies = vec![Body::fixed(floor, Pose::IDENTITY)];
    bodies.extend((0..count).map(|_| any_body(&mut random, count)));
    bodies
}

/// One random edit of a world in a region that has room for `count`; `ids` are kept up to date.
pub(crate) fn edit<V: Dimension>(
    world: &mut World<V>,
    ids: &mut Vec<BodyId>,
    (random, count): (&mut Random, usize),
) {
    let place = random.below(ids.len());
    let id = ids[place];
    let body = world.body(id).unwrap().to_body();
    let near = |random: &mut Random| body.pose.translation() + random.vector::<V>(-0.5, 0.5);
    match random.below(9) {
        0 => {
            world.remove(id).unwrap();
            ids.swap_remove(place);
        }
        1 => ids.push(world.insert(any_body(random, count)).unwrap()),
        2 => {
            let pose = Pose::new(near(random), V::rotation(random));
            world.at(id).set_pose(pose).unwrap();
        }
        3 => {
            let velocity = Velocity::new(random.vector(-1.0, 1.0), V::angular(random));
            let set = world.at(id).set_velocity(velocity);
            assert_eq!(set.is_ok(), body.kind == BodyKind::Moving);
        }
        4 => world.at(id).set_shape(any_shape(random)),
        5 => world.at(id).set_groups(any_groups(random)),
        6 => {
            let extra = random.between(0.0, 0.3);
            world.at(id).set_extra_margin(extra).unwrap();
        }
        7 => world.at(id).set_kind(BodyKind::Fixed),
        _ => world.at(id).set_kind(BodyKind::Moving),
    }
}

/// One random edit, often of which part contacts are wanted.
pub(crate) fn edit_or_ask<V: Dimension>(
    world: &mut World<V>,
    ids: &mut Vec<BodyId>,
    (random, count): (&mut Random, usize),
) {
    if random.once_in(3) {
        let id = ids[random.below(ids.len())];
        world.at(id).set_part_contacts(random.once_in(2));
    } else if random.once_in(30) {
        world.change(|options| options.part_contacts = random.once_in(2));
    } else {
        edit(world, ids, (random, count));
    }
}

pub(crate) const BACKENDS: [Backend; 3] = [Backend::Bvh, Backend::RTree, Backend::BruteForce];

/// The options of which one is set to something else.
pub(crate) fn with(set: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    set(&mut options);
    options
}

pub(crate) fn with_backend(backend: Backend) -> Options {
    with(|options| options.backend = backend)
}

pub(crate) fn with_margin(margin: Real) -> Options {
    with(|options| options.margin = margin)
}

/// One thread where the build has no more.
pub(crate) fn with_threads(threads: usize) -> Options {
    let is_parallel = cfg!(feature = "parallel");
    with(|options| options.threads = if is_parallel { threads } else { 1 })
}

/// What tests do all the time, and what is never refused there.
pub(crate) trait Sure<V: Vector> {
    /// The body of this id, to be changed.
    fn at(&mut self, id: BodyId) -> BodyMut<'_, V>;
    fn change(&mut self, set: impl FnOnce(&mut Options));
}

impl<V: Vector> Sure<V> for World<V> {
    fn at(&mut self, id: BodyId) -> BodyMut<'_, V> {
        self.body_mut(id).unwrap()
    }

    fn change(&mut self, set: impl FnOnce(&mut Options)) {
        let mut options = self.options();
        set(&mut options);
        self.set_options(options).unwrap();
    }
}

/// A world of these bodies, with their ids.
pub(crate) fn world_of<V: Vector>(
    options: Options,
    bodies: impl IntoIterator<Item = Body<V>>,
) -> (World<V>, Vec<BodyId>) {
    let mut world = World::new(options).unwrap();
    let ids = bodies.into_iter().map(|body| world.insert(body).unwrap());
    let ids = ids.collect();
    (world, ids)
}

/// A world of the same bodies that never was anything else; inserted in the order of ids.
pub(crate) fn rebuilt<V: Vector>(world: &World<V>, options: Options) -> World<V> {
    let bodies = world.bodies().map(|body| body.to_body());
    let (mut fresh, _) = world_of(options, bodies);
    fresh.step(0.0).unwrap();
    fresh
}
