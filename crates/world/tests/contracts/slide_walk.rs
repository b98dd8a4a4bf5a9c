//! A shape that walks, frame by frame, and what is asked of each frame.

use clearance_gjk::{Placed, Proximity, proximity};
use clearance_math::{Pose, Real, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Options, Slide, SlideContact, SlideOptions, Sliding, World};

/// What gravity adds to the motion of a frame.
pub(crate) const FALL: Real = -0.05;

/// A world of some bodies.
pub(crate) fn world_of<V: Vector>(bodies: impl IntoIterator<Item = Body<V>>) -> World<V> {
    let mut world = World::new(Options::default()).unwrap();
    for body in bodies {
        world.insert(body).unwrap();
    }
    world.step(0.0).unwrap();
    world
}

/// Somebody who walks.
pub(crate) struct Walker<'w, V: Vector> {
    pub(crate) world: &'w World<V>,
    pub(crate) shape: Shape<V>,
    pub(crate) pose: Pose<V>,
    pub(crate) options: SlideOptions<V>,
    pub(crate) contacts: Vec<SlideContact<V>>,
}

impl<'w, V: Vector> Walker<'w, V> {
    /// A shape of about the size of a human, as seen in metres.
    pub(crate) fn new(world: &'w World<V>, shape: Shape<V>, place: V) -> Self {
        Self {
            world,
            shape,
            pose: Pose::from_translation(place),
            options: SlideOptions::default(),
            contacts: Vec::new(),
        }
    }

    /// Goes for a frame.
    pub(crate) fn go(&mut self, motion: V) -> Slide<V> {
        let a = Placed::new(&self.shape, &self.pose);
        let slide = self
            .world
            .query()
            .slide_into(Sliding::new(a, motion), self.options, &mut self.contacts)
            .unwrap();
        self.pose = slide.pose;
        slide
    }

    /// Goes level, with gravity, and must stand at the end.
    pub(crate) fn walk(&mut self, motion: V) -> Slide<V> {
        let before = self.pose;
        let slide = self.go(motion + V::axis(1) * FALL);
        let Self {
            shape, contacts, ..
        } = self;
        assert!(
            slide.ground.is_some(),
            "{shape:?} from {before} by {motion} to {}: {contacts:?}",
            slide.pose
        );
        slide
    }

    /// Falls until it stands.
    pub(crate) fn land(mut self) -> Self {
        for _ in 0..200 {
            if self.go(V::axis(1) * FALL).ground.is_some() {
                return self;
            }
        }
        panic!("{:?} never lands: {}", self.shape, self.pose);
    }

    pub(crate) fn height(&self) -> Real {
        self.pose.translation().component(1)
    }
}

/// Those who walk: half a width of 0.4, half a height of 0.9.
pub(crate) fn walkers() -> [Shape<Vec3>; 4] {
    [
        Shape::capsule(0.5, 0.4).unwrap(),
        Shape::cuboid(Vec3::new(0.4, 0.9, 0.4)).unwrap(),
        Shape::cylinder(0.9, 0.4).unwrap(),
        Shape::ellipsoid(Vec3::new(0.4, 0.9, 0.4)).unwrap(),
    ]
}

/// Their gap to everything.
pub(crate) const SKIN: Real = 0.008;

/// Half of their height.
pub(crate) const HALF_HEIGHT: Real = 0.9;

pub(crate) fn length<V: Vector>(way: V) -> Real {
    way.dot(way).sqrt()
}

/// The least distance to all bodies that matter, each asked alone.
pub(crate) fn gap<V: Vector>(
    world: &World<V>,
    placed: Placed<'_, V>,
    matters: impl Fn(BodyId) -> bool,
) -> Real {
    let others = world.bodies().filter(|body| matters(body.id()));
    let gaps = others.map(
        |body| match proximity(placed, body.placed(), 100.0).unwrap() {
            Proximity::Near(near) => near.distance,
            _ => 100.0,
        },
    );
    gaps.fold(100.0, Real::min)
}
