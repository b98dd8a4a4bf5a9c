//! Bodies with shapes of your own keep what is promised of all bodies, but cannot be stored.

use clearance_math::{Pose, PreciseVector, Vector};
use clearance_shapes::{CompoundPart, CustomShape, Shape, Support};
use clearance_world::{Body, Options, World};

use crate::crowd::{Dimension, Sure, crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
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
pub(crate) fn crowd_with_eggs<V: Dimension>(seed: u64, count: usize) -> Vec<Body<V>> {
    let mut random = Random::new(seed);
    let mut bodies = crowd::<V>(seed, count);
    for body in bodies.iter_mut().skip(1).step_by(2) {
        let plain = egg(random.vector::<V>(0.1, 0.5));
        body.shape = match random.below(3) {
            0 => plain,
            1 => plain.rounded(0.1).unwrap(),
            _ => Shape::compound(vec![
                CompoundPart::new(plain, Pose::new(V::axis(0) * 0.3, V::rotation(&mut random))),
                CompoundPart::new(Shape::ball(0.2).unwrap(), Pose::IDENTITY),
            ])
            .unwrap(),
        };
    }
    bodies
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
    let part = CompoundPart::new(own.shape, Pose::IDENTITY);
    world.at(id).set_shape(Shape::compound(vec![part]).unwrap());
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
    world.at(ids[0]).set_shape(shape());
    world.step(0.0).unwrap();
    assert_eq!(world.profile().boxes_updated, 0);
    world.at(ids[0]).set_shape(egg(V::splat(0.25)));
    world.step(0.0).unwrap();
    assert_eq!(world.profile().boxes_updated, 1);
}
