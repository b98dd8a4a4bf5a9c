//! Bodies anywhere in a cube.

use clearance_math::{Aabb, Pose, Real};
use clearance_shapes::Shape;
use clearance_world::Velocity;

use super::density::{Measured, half_side, measures};
use super::library::Library;
use super::random::Random;
use crate::scene::{BodyShape, Scene, SceneBody};

/// The margin of all generated scenes.
pub(super) const MARGIN: Real = 0.05;

/// Bodies of shared shapes, uniformly spread.
pub(super) struct Scatter<V: Measured> {
    pub(super) library: Library<V>,
    /// How many others each body touches, on average.
    pub(super) contacts: f64,
    /// Speeds are between half of this and one and a half.
    pub(super) speed: f64,
    /// The greatest component of the angular velocity; without any, bodies are not turned at all.
    pub(super) spin: f64,
}

impl<V: Measured> Scatter<V> {
    pub(super) fn place(self, random: &mut Random, count: usize) -> Scene<V> {
        let shapes = &self.library.shapes;
        let sizes: Vec<_> = shapes.iter().map(|(_, shape)| measures(shape)).collect();
        let half = V::splat(half_side::<V>(&sizes, count, self.contacts));
        self.place_in(random, count, Aabb::new(V::ZERO - half, half))
    }

    /// Places the bodies within `bounds`, however many others they then touch.
    pub(super) fn place_in(self, random: &mut Random, count: usize, bounds: Aabb<V>) -> Scene<V> {
        let bodies = (0..count).map(|_| self.body(random, &bounds)).collect();
        self.library.scene(bounds, bodies)
    }

    fn body(&self, random: &mut Random, bounds: &Aabb<V>) -> SceneBody<V> {
        let shapes = &self.library.shapes;
        let (name, _) = &shapes[random.index(shapes.len())];
        let mut pose = Pose::from_translation(random.inside(bounds.min, bounds.max));
        let mut angular = V::Angular::default();
        if self.spin > 0.0 {
            pose.rotation = V::any_rotation(random);
            angular = V::any_angular(random, self.spin);
        }
        let linear = any_velocity(random, 0.5 * self.speed, 1.5 * self.speed);
        SceneBody::moving(name, pose, Velocity { linear, angular })
    }
}

/// A velocity in any direction, with a length between two numbers.
pub(super) fn any_velocity<V: Measured>(random: &mut Random, low: f64, high: f64) -> V {
    let direction = random.direction::<V>();
    V::from_precise(direction * random.between(low, high))
}

/// Balls with radii from 0.05 to 20, each with its own shape written in place.
pub(super) fn balls_of_many_sizes<V: Measured>(random: &mut Random, count: usize) -> Scene<V> {
    let shapes: Vec<Shape<V>> = (0..count)
        .filter_map(|_| {
            let radius = random.of_any_size(0.05, 20.0) as Real;
            Shape::ball(radius).ok()
        })
        .collect();
    let sizes: Vec<_> = shapes.iter().map(measures).collect();
    let half = V::splat(half_side::<V>(&sizes, count, 2.0));
    let bodies = shapes.into_iter().map(|shape| {
        let pose = Pose::from_translation(random.inside(-half, half));
        let velocity = Velocity::from_linear(any_velocity(random, 0.5, 2.0));
        SceneBody {
            velocity,
            ..SceneBody::new(BodyShape::Own(Box::new(shape)), pose)
        }
    });
    let bodies = bodies.collect();
    Library::new().scene(Aabb::new(V::ZERO - half, half), bodies)
}

pub(super) fn balls<V: Measured>(random: &mut Random, count: usize) -> Scene<V> {
    let scatter = Scatter {
        library: Library::one_ball(),
        contacts: 1.5,
        speed: 1.0,
        spin: 0.0,
    };
    scatter.place(random, count)
}

/// Shapes that turn, about one and a half contacts each.
pub(super) fn turning<V: Measured>(library: Library<V>) -> Scatter<V> {
    Scatter {
        library,
        contacts: 1.5,
        speed: 1.0,
        spin: 1.5,
    }
}
