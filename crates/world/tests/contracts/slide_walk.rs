//! A shape that walks, frame by frame, and what is asked of each frame.

use clearance_gjk::{Placed, Proximity, proximity};
use clearance_math::{Pose, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, Options, Slide, SlideContact, SlideGround, SlideOptions, Sliding, World,
};

use crate::crowd::Dimension;

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
    /// The ground that it is told to have stood on.
    pub(crate) stood_on: Option<SlideGround<V>>,
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
            stood_on: None,
            contacts: Vec::new(),
        }
    }

    /// Goes for a frame.
    pub(crate) fn go(&mut self, motion: V) -> Slide<V> {
        let a = Placed::new(&self.shape, &self.pose);
        let sliding = Sliding::new(a, motion).standing_on(self.stood_on);
        let slide = self
            .world
            .query()
            .slide_into(sliding, self.options, &mut self.contacts)
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

/// Those who walk: half a width of 0.4, half a height of 0.9; those with round feet first.
pub(crate) trait Walks: Dimension {
    /// Of other half extents. Those that are round seen from above take the first one as their radius.
    fn of_size(half: Self) -> Vec<Shape<Self>>;

    fn walkers() -> Vec<Shape<Self>> {
        Self::of_size(Self::splat(0.4).with_component(1, HALF_HEIGHT))
    }
}

impl Walks for Vec2 {
    fn of_size(half: Self) -> Vec<Shape<Self>> {
        let capsule = Shape::capsule((half.y - half.x).abs(), half.x).unwrap();
        vec![capsule, Shape::cuboid(half).unwrap()]
    }
}

impl Walks for Vec3 {
    fn of_size(half: Self) -> Vec<Shape<Self>> {
        let shapes = [
            Shape::capsule((half.y - half.x).abs(), half.x),
            Shape::ellipsoid(half),
            Shape::cuboid(half),
            Shape::cylinder(half.y, half.x),
        ];
        shapes.map(Result::unwrap).into()
    }
}

pub(crate) fn walkers() -> Vec<Shape<Vec3>> {
    Vec3::walkers()
}

/// Whether the feet of one who walks are flat.
pub(crate) fn is_flat<V: Vector>(shape: &Shape<V>) -> bool {
    matches!(shape.kind_name(), "cuboid" | "cylinder")
}

/// Tells of what failed in a random test.
pub(crate) fn assert_none(failed: &[String], count: usize) {
    let some = &failed[..failed.len().min(12)];
    assert!(failed.is_empty(), "{} of {count}: {some:#?}", failed.len());
}

/// Their gap to everything.
pub(crate) const SKIN: Real = 0.008;

/// Half of their height.
pub(crate) const HALF_HEIGHT: Real = 0.9;

/// How high those who walk are above the ground.
pub(crate) const GROUND: Real = HALF_HEIGHT + SKIN;

pub(crate) fn floor() -> Body<Vec3> {
    Body::fixed(Shape::half_space(Vec3::Y).unwrap(), Pose::IDENTITY)
}

pub(crate) fn length<V: Vector>(way: V) -> Real {
    way.dot(way).sqrt()
}

/// The part of a way without what leads up or down.
pub(crate) fn level<V: Vector>(way: V) -> V {
    way.with_component(1, 0.0)
}

/// The least lower bound of the distance to all bodies that matter, each asked alone.
pub(crate) fn gap<V: Vector>(
    world: &World<V>,
    placed: Placed<'_, V>,
    matters: impl Fn(BodyId) -> bool,
) -> Real {
    let others = world.bodies().filter(|body| matters(body.id()));
    let gaps = others.map(
        |body| match proximity(placed, body.placed(), 100.0).unwrap() {
            Proximity::Near(near) => near.lower,
            Proximity::Farther { lower } => lower,
            Proximity::Unbounded | Proximity::Undecided { .. } => Real::NEG_INFINITY,
        },
    );
    gaps.fold(100.0, Real::min)
}
