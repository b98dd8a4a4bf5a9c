//! A scene: named shapes, bodies, and the box that they stay in.

use std::collections::BTreeMap;

use clearance_math::{Aabb, Pose, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{BodyKind, Groups, Velocity};

use crate::FileVector;

/// A scene of either dimension, as a file may hold it.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyScene {
    /// `"dimension": 2`.
    Plane(Scene<Vec2>),
    /// `"dimension": 3`.
    Space(Scene<Vec3>),
}

impl AnyScene {
    /// The scene if it is one of the plane.
    #[must_use]
    pub fn into_plane(self) -> Option<Scene<Vec2>> {
        match self {
            Self::Plane(scene) => Some(scene),
            Self::Space(_) => None,
        }
    }

    /// The scene if it is one of space.
    #[must_use]
    pub fn into_space(self) -> Option<Scene<Vec3>> {
        match self {
            Self::Space(scene) => Some(scene),
            Self::Plane(_) => None,
        }
    }

    /// How many bodies there are.
    #[must_use]
    pub fn body_count(&self) -> usize {
        match self {
            Self::Plane(scene) => scene.bodies.len(),
            Self::Space(scene) => scene.bodies.len(),
        }
    }
}

/// What a scene file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene<V: FileVector> {
    /// Pairs closer than this are reported each frame; finite and at least zero.
    pub margin: Real,
    /// The box that reflects moving bodies whose origins would leave it; `None` for no limit.
    pub bounds: Option<SceneBounds<V>>,
    /// The shapes that bodies may name.
    pub shapes: BTreeMap<String, Shape<V>>,
    /// The bodies in the order of the file.
    pub bodies: Vec<SceneBody<V>>,
    /// Pairs of bodies that make no contact, by their numbers: the lesser one first, sorted, none twice.
    pub ignored_pairs: Vec<[u32; 2]>,
}

/// A body of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBody<V: FileVector> {
    /// Its shape.
    pub shape: BodyShape<V>,
    /// Its pose before the first frame.
    pub pose: Pose<V>,
    /// Its velocity; without effect on a fixed body.
    pub velocity: Velocity<V>,
    /// Whether it moves.
    pub kind: BodyKind,
    /// Which bodies it makes pairs with.
    pub groups: Groups,
    /// Added to the margin of the scene for the pairs of this body.
    pub extra_margin: Real,
    /// Whether steps look at its whole way.
    pub swept: bool,
}

impl<V: FileVector> SceneBody<V> {
    /// A body with the defaults of the file: it moves, is at rest, belongs to all groups and has
    /// no extra margin.
    #[must_use]
    pub fn new(shape: BodyShape<V>, pose: Pose<V>) -> Self {
        Self {
            shape,
            pose,
            velocity: Velocity::default(),
            kind: BodyKind::default(),
            groups: Groups::ALL,
            extra_margin: 0.0,
            swept: false,
        }
    }

    /// A moving body with a named shape.
    pub(crate) fn moving(name: &str, pose: Pose<V>, velocity: Velocity<V>) -> Self {
        Self {
            velocity,
            ..Self::new(BodyShape::Named(name.to_owned()), pose)
        }
    }

    /// A fixed body with a named shape, at the origin.
    pub(crate) fn fixed(name: &str) -> Self {
        Self {
            kind: BodyKind::Fixed,
            ..Self::new(BodyShape::Named(name.to_owned()), Pose::IDENTITY)
        }
    }
}

/// The shape of a body: a name from [`Scene::shapes`], or one of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape<V: FileVector> {
    /// A key of [`Scene::shapes`].
    Named(String),
    /// Written in place.
    Own(Box<Shape<V>>),
}

/// The words of files for the kind of a body.
pub(crate) const BODY_KINDS: [(&str, BodyKind); 3] = [
    ("moving", BodyKind::Moving),
    ("fixed", BodyKind::Fixed),
    ("static", BodyKind::Fixed),
];

impl<V: FileVector> Scene<V> {
    /// The shape of `body`; `None` if it names a shape that the scene does not have.
    #[must_use]
    pub fn shape_of<'s>(&'s self, body: &'s SceneBody<V>) -> Option<&'s Shape<V>> {
        match &body.shape {
            BodyShape::Named(name) => self.shapes.get(name),
            BodyShape::Own(shape) => Some(shape),
        }
    }
}

/// A box in which the bodies of a scene stay, in double precision, from its least to its greatest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneBounds<V: Vector> {
    /// The least coordinates.
    pub min: V::Precise,
    /// The greatest coordinates.
    pub max: V::Precise,
}

impl<V: Vector> From<Aabb<V>> for SceneBounds<V> {
    fn from(bounds: Aabb<V>) -> Self {
        Self {
            min: bounds.min.to_precise(),
            max: bounds.max.to_precise(),
        }
    }
}
