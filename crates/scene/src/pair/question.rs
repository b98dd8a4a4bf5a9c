//! Questions about two shapes, or about a shape and a ray or a point.

use clearance_gjk::{CastOptions, Motion};
use clearance_math::{Real, Vec2, Vec3};

use crate::FileVector;
use crate::question_line::{AimedRay, Side};

/// Two shapes and their poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair<V: FileVector> {
    /// The first shape.
    pub a: Side<V>,
    /// The second shape.
    pub b: Side<V>,
}

/// How the shapes of a pair move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motions<V: FileVector> {
    /// The motion of the first shape.
    pub a: Motion<V>,
    /// The motion of the second shape.
    pub b: Motion<V>,
}

/// What a line asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Question<V: FileVector> {
    /// `"ask": "distance"`, or no `ask`: the distance of two shapes.
    Distance(Pair<V>),
    /// `"ask": "contacts"`: all pairs of parts within a distance.
    Contacts {
        /// The shapes.
        pair: Pair<V>,
        /// The distance, at least zero.
        within: Real,
    },
    /// `"ask": "manifold"`: the points in which two convex shapes touch.
    Manifold {
        /// The shapes.
        pair: Pair<V>,
        /// The greatest distance of the points, at least zero.
        within: Real,
    },
    /// `"ask": "ray"`: where a ray hits a shape.
    Ray {
        /// The ray.
        ray: AimedRay<V>,
        /// The shape.
        b: Side<V>,
    },
    /// `"ask": "point"`: the distance of a point from a shape.
    Point {
        /// The point.
        point: V::Precise,
        /// The shape.
        b: Side<V>,
    },
    /// `"ask": "cast"`: when two shapes in motion meet.
    Cast {
        /// The shapes at time 0.
        pair: Pair<V>,
        /// How each of them moves.
        motions: Motions<V>,
        /// What counts as met.
        options: CastOptions,
    },
}

/// A question of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyQuestion {
    /// `"dimension": 2`.
    Plane(Question<Vec2>),
    /// `"dimension": 3`.
    Space(Question<Vec3>),
}
