//! Hundreds of frames with moving bodies on one thread allocate nothing, nor do their events and a
//! ring of snapshots.

use clearance_gjk::{Placed, RayOptions};
use clearance_math::{Pose, Ray, Real, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{
    Backend, Body, BodyId, Event, EventKind, Options, SlideOptions, Sliding, Velocity, World,
};

/// Long enough for each of three snapshots to see every frame of a period.
const WARM_UP: usize = 4 * PERIOD;
const FRAMES: usize = 400;
/// The frames after which everything is where it was.
const PERIOD: usize = 64;

/// A grid of shapes that sway and turn back and forth: every frame is like one of the warm-up.
fn swaying<V: Vector>(
    options: Options,
    shapes: &[Shape<V>],
    turns: [V::Angular; 2],
) -> (World<V>, Vec<BodyId>, [Velocity<V>; 2]) {
    let there = Velocity::new(V::splat(0.5), turns[0]);
    let back = Velocity::new(V::splat(-0.5), turns[1]);
    let mut world = World::new(options).unwrap();
    let mut ids = Vec::new();
    for k in 0..256 {
        let at = V::axis(0) * (k % 16) as Real + V::axis(1) * (k / 16) as Real;
        let shape = shapes[k % shapes.len()].clone();
        let body = Body::moving(shape, Pose::from_translation(at));
        if k % 4 == 0 {
            world.insert(Body::fixed(body.shape, body.pose)).unwrap();
        } else {
            ids.push(world.insert(body).unwrap());
        }
    }
    (world, ids, [there, back])
}

/// Takes a step; after each half of a period the bodies turn back.
fn sway<V: Vector>(
    world: &mut World<V>,
    ids: &[BodyId],
    [there, back]: [Velocity<V>; 2],
    frame: usize,
) {
    if frame.is_multiple_of(PERIOD / 2) {
        let velocity = if frame.is_multiple_of(PERIOD) {
            there
        } else {
            back
        };
        for &id in ids {
            world.body_mut(id).unwrap().set_velocity(velocity).unwrap();
        }
    }
    world.step(1.0 / 64.0).unwrap();
}

/// How many allocations the frames make, how many contacts they have, and how many part contacts.
fn allocations<V: Vector>(
    options: Options,
    shapes: &[Shape<V>],
    turns: [V::Angular; 2],
) -> [usize; 3] {
    let (mut world, ids, velocities) = swaying(options, shapes, turns);
    let (mut contacts, mut parts, mut stayed) = (0, 0, 0);
    let mut ring = [world.snapshot(), world.snapshot(), world.snapshot()];
    let mut run = |frames: usize| {
        for frame in 0..frames {
            sway(&mut world, &ids, velocities, frame);
            contacts += world.contacts().len();
            parts += world.part_contacts().len();
            let is_stayed = |event: &Event<V>| event.kind == EventKind::Stayed;
            stayed += world.events().filter(is_stayed).count();
            world.snapshot_into(&mut ring[frame % 3]);
            world.restore(&ring[frame % 3]);
        }
    };
    let warm_up = allocation_counter::measure(|| run(WARM_UP));
    assert!(warm_up.count_total > 0, "nothing is being counted");
    let counted = allocation_counter::measure(|| run(FRAMES));
    assert!(stayed > FRAMES, "{stayed} events are too few");
    [counted.count_total as usize, contacts, parts]
}

fn check<V: Vector>(shapes: &[Shape<V>], turns: [V::Angular; 2]) {
    for backend in [Backend::Bvh, Backend::BruteForce] {
        let options = Options {
            backend,
            manifolds: backend == Backend::BruteForce,
            ..Options::default()
        };
        let [count, contacts, parts] = allocations(options, shapes, turns);
        assert_eq!(count, 0, "{backend:?}");
        let a_frame = contacts / (WARM_UP + FRAMES);
        assert!(a_frame > 50, "{a_frame} contacts a frame are too few");
        assert_eq!(parts, 0);
    }
}

/// The tree may need memory when it is built anew, long after the first frames: brute force never does, and
/// beside the tree part contacts allocate nothing of their own.
fn check_part_contacts<V: Vector>(shapes: &[Shape<V>], turns: [V::Angular; 2]) {
    let count = |backend: Backend, part_contacts: bool| {
        let options = Options {
            backend,
            part_contacts,
            surface_contacts: part_contacts,
            manifolds: part_contacts,
            ..Options::default()
        };
        allocations(options, shapes, turns)
    };
    let [count_of_all, contacts, parts] = count(Backend::BruteForce, true);
    assert_eq!(count_of_all, 0);
    let several = contacts + contacts / 4;
    assert!(parts > several, "{parts} part contacts are too few");
    let [with, without] = [true, false].map(|wanted| count(Backend::Bvh, wanted));
    assert_eq!(with[0], without[0]);
}

/// Two shapes beside each other in one.
fn pair_of<V: Vector>(shape: &Shape<V>) -> Shape<V> {
    let part = |x: Real| CompoundPart::new(shape.clone(), Pose::from_translation(V::axis(0) * x));
    Shape::compound(vec![part(-0.25), part(0.25)]).unwrap()
}

#[test]
fn no_allocation_in_the_plane() {
    let points = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(|p| p * 0.5);
    let shapes = [
        Shape::ball(0.5),
        Shape::cuboid(Vec2::new(0.5, 0.4)),
        Shape::capsule(0.3, 0.2),
        Shape::hull(points),
        Shape::ellipsoid(Vec2::new(0.5, 0.25)),
    ];
    check(&shapes.map(Result::unwrap), [0.25, -0.25]);
}

#[test]
fn no_allocation_in_space() {
    let points = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].map(|p| p * 0.5);
    let shapes = [
        Shape::ball(0.5),
        Shape::cuboid(Vec3::new(0.5, 0.4, 0.3)),
        Shape::capsule(0.3, 0.2),
        Shape::hull(points),
        Shape::cylinder(0.4, 0.4),
        Shape::cone(0.4, 0.4),
        Shape::ellipsoid(Vec3::new(0.5, 0.25, 0.4)),
    ];
    let turn = Vec3::new(0.1, 0.2, 0.3);
    check(&shapes.map(Result::unwrap), [turn, -turn]);
}

#[test]
fn a_steady_frame_with_part_contacts_does_not_allocate_in_the_plane() {
    let points = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y, Vec2::X].map(|p| p * 0.5);
    let cuboid = Shape::cuboid(Vec2::new(0.3, 0.4)).unwrap();
    let shapes = [
        Shape::ball(0.5).unwrap(),
        pair_of(&cuboid),
        Shape::polyline(points).unwrap(),
        pair_of(&pair_of(&cuboid)),
    ];
    check_part_contacts(&shapes, [0.25, -0.25]);
}

#[test]
fn a_steady_frame_with_part_contacts_does_not_allocate_in_space() {
    let points = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].map(|p| p * 0.5);
    let faces = vec![[0, 1, 2], [3, 1, 2], [3, 4, 5]];
    let heights: Vec<_> = (0..9).map(|k| 0.1 * (k % 4) as Real).collect();
    let shapes = [
        Shape::mesh(points, faces),
        Shape::height_field(heights, 3, Vec3::new(0.9, 1.0, 0.9)),
        Shape::cylinder(0.4, 0.4),
        Shape::cuboid(Vec3::new(0.3, 0.4, 0.3)).map(|cuboid| pair_of(&cuboid)),
    ];
    let turn = Vec3::new(0.1, 0.2, 0.3);
    check_part_contacts(&shapes.map(Result::unwrap), [turn, -turn]);
}

/// As the tree may need memory late, swept bodies are counted with brute force alone.
fn check_swept<V: Vector>(shapes: &[Shape<V>], turns: [V::Angular; 2]) {
    let options = Options {
        backend: Backend::BruteForce,
        ..Options::default()
    };
    let (mut world, ids, velocities) = swaying(options, shapes, turns);
    for &id in ids.iter().step_by(2) {
        world.body_mut(id).unwrap().set_swept(true);
    }
    let mut impacts = 0;
    let mut run = |frames: usize| {
        for frame in 0..frames {
            sway(&mut world, &ids, velocities, frame);
            impacts += world.impacts().count();
        }
    };
    run(WARM_UP);
    let counted = allocation_counter::measure(|| run(FRAMES / 4));
    assert_eq!(counted.count_total, 0);
    assert!(impacts > 20, "{impacts} impacts are too few");
}

#[test]
fn swept_bodies_do_not_allocate() {
    let shapes = [
        Shape::ball(0.45),
        Shape::cuboid(Vec2::new(0.45, 0.4)),
        Shape::capsule(0.2, 0.2).map(|capsule| pair_of(&capsule)),
    ];
    check_swept(&shapes.map(Result::unwrap), [0.25, -0.25]);
    let shapes = [
        Shape::ball(0.45),
        Shape::cuboid(Vec3::new(0.45, 0.4, 0.4)),
        Shape::cylinder(0.3, 0.3),
        Shape::capsule(0.2, 0.2).map(|capsule| pair_of(&capsule)),
    ];
    let turn = Vec3::new(0.1, 0.2, 0.3);
    check_swept(&shapes.map(Result::unwrap), [turn, -turn]);
}

/// Somebody walks over bodies, up and down and against them, with a buffer for what is touched.
fn check_slide<V: Vector>(shapes: &[Shape<V>], turns: [V::Angular; 2]) {
    let (mut world, ids, _) = swaying(Options::default(), shapes, turns);
    // One body overlaps another.
    let place = world.body(ids[1]).unwrap().pose().translation() - V::axis(0) * 0.1;
    world
        .body_mut(ids[0])
        .unwrap()
        .set_pose(Pose::from_translation(place))
        .unwrap();
    world.step(0.0).unwrap();
    let hero = Shape::capsule(0.5, 0.25).unwrap();
    let (options, mut contacts) = (SlideOptions::default(), Vec::with_capacity(200));
    let (mut touched, mut pushed) = (0, 0);
    let mut run = || {
        let mut pose = Pose::from_translation(V::axis(0) * 0.5 + V::axis(1) * 18.0);
        for frame in 0..400 {
            let aside = if frame / 100 % 2 == 0 { 0.1 } else { -0.1 };
            let motion = V::axis(0) * aside - V::axis(1) * 0.1;
            let a = Placed::new(&hero, &pose);
            let slide = world
                .query()
                .slide_into(Sliding::new(a, motion), options, &mut contacts);
            pose = slide.unwrap().pose;
            touched += contacts.len();
            let out = world.query().push_out(ids[frame % ids.len()]).unwrap();
            pushed += usize::from(out.translation != V::ZERO);
        }
    };
    let counted = allocation_counter::measure(&mut run);
    assert_eq!(counted.count_total, 0);
    assert!(touched > 200 && pushed > 0, "{touched} {pushed}");
}

#[test]
fn sliding_does_not_allocate() {
    check_slide(&[Shape::cuboid(Vec2::splat(0.4)).unwrap()], [0.5, -0.5]);
    let shapes = [
        Shape::cuboid(Vec3::splat(0.4)).unwrap(),
        Shape::ball(0.4).unwrap(),
    ];
    check_slide(&shapes, [Vec3::ZERO; 2]);
}

/// So many rays between steps that the tree makes nodes for them.
fn check_rays<V: Vector>(shape: &Shape<V>, turns: [V::Angular; 2]) {
    let (mut world, ids, velocities) =
        swaying(Options::default(), core::slice::from_ref(shape), turns);
    let options = RayOptions::default();
    let mut hits = 0;
    let mut run = |frames: usize| {
        for frame in 0..frames {
            sway(&mut world, &ids, velocities, frame);
            for k in 0..500 {
                let origin = V::axis(0) * (0.03 * k as Real) - V::axis(1) * 3.0;
                let across = V::axis(1) + V::axis(0) * (0.001 * (k % 37) as Real);
                let ray = Ray::new(origin, across).unwrap();
                let hit = world.query().cast_ray(&ray, options).unwrap();
                hits += usize::from(hit.is_some());
            }
        }
    };
    run(WARM_UP);
    let counted = allocation_counter::measure(|| run(FRAMES / 4));
    assert_eq!(counted.count_total, 0);
    assert!(hits > 100 * FRAMES, "{hits}");
}

#[test]
fn many_rays_between_steps_do_not_allocate() {
    check_rays(&Shape::cuboid(Vec2::splat(0.4)).unwrap(), [0.5, -0.5]);
    check_rays::<Vec3>(&Shape::ball(0.4).unwrap(), [Vec3::ZERO; 2]);
}
