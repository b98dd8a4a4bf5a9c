//! Bodies with shapes of your own keep what is promised of all bodies, but cannot be stored.

use clearance_gjk::{Placed, RayOptions, cast_ray, proximity};
use clearance_math::{Pose, PreciseVector, Ray, Real, Vector};
use clearance_shapes::{CompoundPart, CustomShape, Shape, Support};
use clearance_world::{Backend, Body, Nearest, Options, QueryFilter, World};

use crate::compare::bits;
use crate::crowd::{Dimension, crowd, rebuilt, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    contacts_depend_on_nothing_but_the_poses,
    restored_worlds_go_on_as_they_did,
    questions_are_answered_as_alone,
    storing_them_is_refused_by_name,
    setting_an_equal_shape_costs_nothing,
);

/// An ellipse or ellipsoid.
#[derive(Debug)]
struct Egg<V> {
    radii: V,
}

impl<V: Vector> Support<V::Precise> for Egg<V> {
    fn support(&self, direction: V::Precise) -> V::Precise {
        let radii = self.radii.to_precise();
        let scaled = direction.scaled_by(radii);
        scaled.scaled_by(radii) / scaled.length()
    }

    fn center(&self) -> V::Precise {
        V::Precise::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        let radii = self.radii.to_precise();
        (0..V::DIM).fold(0.0, |radius: f64, k| radius.max(radii.component(k)))
    }
}

impl<V: Vector> CustomShape<V::Precise> for Egg<V> {
    fn key(&self) -> [u32; 8] {
        let mut key = [0; 8];
        for (k, bits) in key.iter_mut().enumerate().take(V::DIM) {
            *bits = self.radii.component(k).to_bits();
        }
        key
    }
}

fn egg<V: Vector>(radii: V) -> Shape<V> {
    Shape::custom(Egg { radii }).unwrap()
}

/// A crowd of which every second body is an egg, plain, rounded or beside a ball.
fn crowd_with_eggs<V: Dimension>(seed: u64, count: usize) -> Vec<Body<V>> {
    let mut random = Random::new(seed);
    let mut bodies = crowd::<V>(seed, count);
    for body in bodies.iter_mut().skip(1).step_by(2) {
        let plain = egg(random.vector::<V>(0.1, 0.5));
        body.shape = match random.below(3) {
            0 => plain,
            1 => plain.rounded(0.1).unwrap(),
            _ => Shape::compound(vec![
                CompoundPart {
                    shape: plain,
                    pose: Pose::new(V::axis(0) * 0.3, V::rotation(&mut random)),
                },
                CompoundPart {
                    shape: Shape::ball(0.2).unwrap(),
                    pose: Pose::IDENTITY,
                },
            ])
            .unwrap(),
        };
    }
    bodies
}

fn options(threads: usize, backend: Backend) -> Options {
    Options {
        threads: if cfg!(feature = "parallel") {
            threads
        } else {
            1
        },
        backend,
        ..Options::default()
    }
}

fn contacts_depend_on_nothing_but_the_poses<V: Dimension>() {
    let mut worlds = [
        options(1, Backend::Bvh),
        options(3, Backend::Bvh),
        options(1, Backend::BruteForce),
    ]
    .map(|options| world_of(options, crowd_with_eggs::<V>(81, 2500)).0);
    for _ in 0..4 {
        for world in &mut worlds {
            world.step(1.0 / 60.0).unwrap();
        }
        let [one, others @ ..] = &worlds;
        assert!(others.iter().all(|other| bits(other) == bits(one)));
    }
    assert!(worlds[0].contacts().len() > 1000);
    let fresh = rebuilt(&worlds[0], Options::default());
    assert!(bits(&fresh) == bits(&worlds[0]));
}

fn restored_worlds_go_on_as_they_did<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd_with_eggs::<V>(82, 150));
    world.step(1.0 / 30.0).unwrap();
    let snapshot = world.snapshot();
    let follow = |world: &mut World<V>| -> Vec<u64> {
        let frame = |_| {
            world.step(1.0 / 30.0).unwrap();
            world.contacts_hash()
        };
        (0..6).map(frame).collect()
    };
    let first = follow(&mut world);
    world.set_shape(ids[1], egg(V::splat(0.9))).unwrap();
    world.step(0.0).unwrap();
    world.restore(&snapshot);
    assert_eq!(world.snapshot(), snapshot);
    assert_eq!(follow(&mut world), first);
    let mut other = World::default();
    other.restore(&snapshot);
    assert_eq!(follow(&mut other), first);
}

fn questions_are_answered_as_alone<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd_with_eggs::<V>(83, 150));
    world.step(1.0 / 30.0).unwrap();
    let mut random = Random::new(84);
    let filter = QueryFilter::default();
    let asking = egg(V::axis(0) * 0.3 + V::splat(0.2));
    let mut hits = 0;
    for _ in 0..60 {
        let (from, to) = (random.vector::<V>(-2.0, 8.0), random.vector::<V>(0.0, 6.0));
        let ray = Ray::new(from, to - from).unwrap();
        let alone = world.bodies().filter_map(|body| {
            let b = Placed::new(body.shape(), body.pose());
            let hit = cast_ray(&ray, b, RayOptions::default()).unwrap()?;
            Some((hit.distance, body.id()))
        });
        let expected = alone.min_by(|a, b| a.partial_cmp(b).unwrap());
        let found = world
            .cast_ray(&ray, RayOptions::default(), &filter)
            .unwrap();
        assert_eq!(
            found.map(|found| (found.hit.distance, found.body)),
            expected
        );
        hits += usize::from(expected.is_some());

        let pose = Pose::new(from, V::rotation(&mut random));
        let a = Placed::new(&asking, &pose);
        let near = world.bodies().filter_map(|body| {
            let b = Placed::new(body.shape(), body.pose());
            let near = proximity(a, b, Real::INFINITY).unwrap().near()?;
            Some((near.distance, body.id()))
        });
        let expected = near.min_by(|a, b| a.partial_cmp(b).unwrap());
        let mut found = Vec::new();
        world
            .nearest_bodies(a, Nearest::default(), &filter, &mut found)
            .unwrap();
        let found = found
            .first()
            .map(|near| (near.separation.distance, near.body));
        assert_eq!(found, expected);
    }
    assert!(hits > 20, "{hits}");
}

fn storing_them_is_refused_by_name<V: Dimension>() {
    let mut world = World::<V>::default();
    let ball = Body::moving(Shape::ball(0.5).unwrap(), Pose::IDENTITY);
    world.insert(ball.clone()).unwrap();
    let own = Body::moving(egg(V::splat(0.5)), Pose::IDENTITY);
    let id = world.insert(own.clone()).unwrap();
    let expected = "body 1v0: shape: a custom shape cannot be stored, since it is code";
    let refused = serde_json::to_string(&world.snapshot()).unwrap_err();
    assert_eq!(refused.to_string(), expected);
    assert!(postcard::to_allocvec(&world.snapshot()).is_err());
    let refused = serde_json::to_string(&own).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a custom shape cannot be stored, since it is code"
    );
    let part = CompoundPart {
        shape: own.shape,
        pose: Pose::IDENTITY,
    };
    world
        .set_shape(id, Shape::compound(vec![part]).unwrap())
        .unwrap();
    let refused = serde_json::to_string(&world.snapshot()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "body 1v0: shape: compound: parts[0]: a custom shape cannot be stored, since it is code"
    );
    world.remove(id).unwrap();
    assert!(serde_json::to_string(&world.snapshot()).is_ok());
}

/// Shapes with equal keys are the same shape.
fn setting_an_equal_shape_costs_nothing<V: Dimension>() {
    let shape = || egg(V::splat(0.5));
    let bodies = [0.0, 0.25].map(|x| {
        let pose = Pose::from_translation(V::axis(0) * x);
        Body::moving(shape(), pose)
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 1);
    world.set_shape(ids[0], shape()).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.profile().boxes_updated, 0);
    world.set_shape(ids[0], egg(V::splat(0.25))).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.profile().boxes_updated, 1);
}
