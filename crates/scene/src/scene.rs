//! A scene: named shapes, bodies, and the box that they stay in.

use std::collections::BTreeMap;

use clearance_math::{Aabb, Pose, Real, Vec2, Vec3};

use crate::{FileVector, SceneShape};

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
    /// The box that the origins of bodies are kept in by reflection; `None` for no limit.
    pub bounds: Option<Aabb<V>>,
    /// The shapes that bodies may name.
    pub shapes: BTreeMap<String, SceneShape<V>>,
    /// The bodies in the order of the file.
    pub bodies: Vec<SceneBody<V>>,
}

/// A body of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBody<V: FileVector> {
    /// What it looks like.
    pub shape: BodyShape<V>,
    /// Where it starts.
    pub pose: Pose<V>,
    /// How it moves; of no effect on a static body.
    pub velocity: SceneVelocity<V>,
    /// Whether it moves.
    pub kind: BodyKind,
}

/// The shape of a body: a name from [`Scene::shapes`], or one of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape<V: FileVector> {
    /// A key of [`Scene::shapes`].
    Named(String),
    /// Written in place.
    Own(Box<SceneShape<V>>),
}

/// Velocity as a file has it; both parts are zero if left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SceneVelocity<V: FileVector> {
    /// Of the body's origin, in lengths a second.
    pub linear: V,
    /// In radians a second about the body's origin.
    pub angular: V::Angular,
}

/// Whether a body moves. A body whose file does not say moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BodyKind {
    /// `"moving"`: at constant velocity.
    #[default]
    Moving,
    /// `"static"`: never.
    Static,
}

impl BodyKind {
    pub(crate) const NAMES: [(&'static str, Self); 2] =
        [("moving", Self::Moving), ("static", Self::Static)];

    /// The word of the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Moving => "moving",
            Self::Static => "static",
        }
    }
}

impl<V: FileVector> Scene<V> {
    /// The shape of `body`; `None` if it names a shape that the scene does not have.
    #[must_use]
    pub fn shape_of<'s>(&'s self, body: &'s SceneBody<V>) -> Option<&'s SceneShape<V>> {
        match &body.shape {
            BodyShape::Named(name) => self.shapes.get(name),
            BodyShape::Own(shape) => Some(shape),
        }
    }
}
