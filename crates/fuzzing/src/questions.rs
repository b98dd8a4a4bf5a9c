//! Questions to a world: an answer is that of asking every body alone.

use clearance_gjk::{Interior, Placed, RayHit, RayOptions, Separation, cast_ray, proximity};
use clearance_math::{Pose, Ray, Real, Vec2, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Backend, Body, BodyId, Nearest, Options, World};

use crate::bytes::{Bytes, in_plane_or_space};
use crate::surface::{Composites, shape};

/// The most bodies of a world.
const MOST_BODIES: usize = 12;

/// A world of some bodies, composites among them, that is edited between steps and asked rays, bodies near
/// a shape, and the nearest bodies.
///
/// # Panics
/// If an answer differs from that of asking every body alone.
pub fn questions(data: &[u8]) {
    in_plane_or_space(data, run::<Vec2>, run::<Vec3>);
}

fn run<V: Composites>(bytes: &mut Bytes) {
    let backend = bytes.pick(&[Backend::Bvh, Backend::RTree, Backend::BruteForce]);
    let options = Options {
        backend,
        ..Options::default()
    };
    let mut world = World::<V>::new(options).expect("valid options");
    for _ in 0..1 + bytes.below(MOST_BODIES) {
        insert(bytes, &mut world);
    }
    while !bytes.is_empty() {
        match bytes.below(8) {
            0 => {
                let _refused = world.step(0.0);
            }
            1 => insert(bytes, &mut world),
            2 => {
                let ids: Vec<BodyId> = world.bodies().map(|body| body.id()).collect();
                if let Some(&id) = ids.get(bytes.below(MOST_BODIES)) {
                    world.remove(id).expect("it is there");
                }
            }
            3 => {
                let ids: Vec<BodyId> = world.bodies().map(|body| body.id()).collect();
                if let Some(&id) = ids.get(bytes.below(MOST_BODIES)) {
                    let _refused = world
                        .body_mut(id)
                        .and_then(|mut body| body.set_pose(pose(bytes)));
                }
            }
            4 | 5 => ask_ray(bytes, &world),
            _ => ask_near(bytes, &world),
        }
    }
}

fn pose<V: Composites>(bytes: &mut Bytes) -> Pose<V> {
    let translation = bytes.vector::<V>(Bytes::lattice);
    Pose::new(translation, V::rotation(bytes))
}

fn insert<V: Composites>(bytes: &mut Bytes, world: &mut World<V>) {
    let Some(shape) = shape::<V>(bytes, 1.0) else {
        return;
    };
    let pose = pose(bytes);
    let body = if bytes.once_in(2) {
        Body::fixed(shape, pose)
    } else {
        Body::moving(shape, pose)
    };
    let _refused = world.insert(body);
}

fn ask_ray<V: Composites>(bytes: &mut Bytes, world: &World<V>) {
    let origin = bytes.vector::<V>(Bytes::lattice);
    let Ok(ray) = Ray::new(origin, bytes.vector(Bytes::moderate)) else {
        return;
    };
    let options = RayOptions {
        max_distance: bytes.pick(&[Real::INFINITY, 4.0]),
        interior: bytes.pick(&[Interior::Solid, Interior::Hollow]),
        ..RayOptions::default()
    };
    let mut alone: Vec<(BodyId, RayHit<V>)> = world
        .bodies()
        .filter_map(|body| {
            let hit = cast_ray(&ray, Placed::new(body.shape(), body.pose()), options);
            Some((body.id(), hit.expect("valid input")?))
        })
        .collect();
    alone
        .sort_by(|(a, hit_a), (b, hit_b)| hit_a.distance.total_cmp(&hit_b.distance).then(a.cmp(b)));
    // A ray that passes a huge shape within its rounding may hit the shape, and not its box.
    let is_certain = |&(id, hit): &(BodyId, RayHit<V>)| {
        let body = world.body(id).expect("it was hit");
        let blur = f64::from(hit.upper - hit.lower).max(1e-13 * body.shape().bounding_radius());
        blur <= 1e-4 * f64::from(1.0 + hit.distance)
    };
    if !alone.iter().all(is_certain) {
        return;
    }
    let mut all = Vec::new();
    world
        .query()
        .cast_ray_all_into(&ray, options, &mut all)
        .expect("valid input");
    let all: Vec<_> = all.iter().map(|found| (found.body, found.hit)).collect();
    assert_eq!(
        format!("{all:?}"),
        format!("{alone:?}"),
        "{ray:?}, {world:?}"
    );
    let first = world.query().cast_ray(&ray, options).expect("valid input");
    let first = first.map(|found| (found.body, found.hit));
    assert_eq!(
        format!("{first:?}"),
        format!("{:?}", alone.first()),
        "{ray:?}, {world:?}"
    );
    let any = world.query().cast_ray_any(&ray, options);
    assert_eq!(any, Ok(!alone.is_empty()), "{ray:?}, {world:?}");
}

fn ask_near<V: Composites>(bytes: &mut Bytes, world: &World<V>) {
    let Some(shape) = shape::<V>(bytes, 1.0) else {
        return;
    };
    // How far two half-spaces overlap has no bound, so they are not listed with a distance.
    if matches!(shape, Shape::HalfSpace(_)) {
        return;
    }
    let (pose, within) = (pose(bytes), bytes.pick(&[0.0, 1.0, -0.5, Real::INFINITY]));
    let a = Placed::new(&shape, &pose);
    let mut near = Vec::new();
    if world.query().near_into(a, within, &mut near).is_err() {
        return;
    }
    let alone: Vec<(BodyId, Separation<V>)> = world
        .bodies()
        .filter_map(|body| {
            let answer = proximity(a, Placed::new(body.shape(), body.pose()), within);
            let near = answer.expect("valid input").near()?;
            (near.distance <= within).then(|| (body.id(), near))
        })
        .collect();
    for found in &near {
        let pair = (found.body, found.separation);
        assert!(
            alone.contains(&pair),
            "{found:?}, {alone:?}, {a:?}, {world:?}"
        );
    }
    // Where the bounds of a distance are far apart, as for huge shapes, the boxes may prove more.
    let is_certain = |separation: &Separation<V>| separation.upper <= within;
    for (body, separation) in &alone {
        let is_found = near.iter().any(|found| found.body == *body);
        assert!(
            is_found || !is_certain(separation),
            "{body:?}, {near:?}, {a:?}, {world:?}"
        );
    }
    // The order of those whose bounds overlap may depend on how far each was measured.
    let is_tight =
        |near: &Separation<V>| near.upper - near.lower <= 1e-6 * (1.0 + near.distance.abs());
    if !alone
        .iter()
        .all(|(_, near)| is_certain(near) && is_tight(near))
    {
        return;
    }
    let nearest = Nearest {
        count: 1 + bytes.below(MOST_BODIES),
        within,
    };
    check_nearest(world, a, nearest, alone);
}

/// Asks for the nearest bodies; `alone` are the answers of all bodies.
fn check_nearest<V: Composites>(
    world: &World<V>,
    a: Placed<'_, V>,
    nearest: Nearest,
    mut alone: Vec<(BodyId, Separation<V>)>,
) {
    alone.sort_by(|(a, near_a), (b, near_b)| {
        near_a.distance.total_cmp(&near_b.distance).then(a.cmp(b))
    });
    alone.truncate(nearest.count);
    let mut near = Vec::new();
    world
        .query()
        .nearest_into(a, nearest, &mut near)
        .expect("valid input");
    let found: Vec<_> = near.iter().map(|found| found.body).collect();
    let expected: Vec<_> = alone.iter().map(|(body, _)| *body).collect();
    assert_eq!(
        found, expected,
        "{near:?}, {alone:?}, {nearest:?}, {a:?}, {world:?}"
    );
}
