//! What can be asked of a scene.

use clearance_gjk::{CastOptions, Motion};
use clearance_math::Real;
use clearance_world::{Groups, Nearest};

use crate::FileVector;
use crate::question_line::{AimedRay, Side};

/// A question to a scene, and which bodies it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneQuestion<V: FileVector> {
    /// What is asked.
    pub ask: SceneAsk<V>,
    /// Which bodies it is about.
    pub bodies: AskedBodies,
}

/// What is asked of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneAsk<V: FileVector> {
    /// `"ask": "ray"`: where a ray hits bodies.
    Ray {
        /// The ray.
        ray: AimedRay<V>,
        /// Which of the hits are wanted.
        wanted: Hits,
    },
    /// `"ask": "cast"`: the bodies that a shape in motion meets.
    Cast {
        /// The shape at time 0.
        a: Side<V>,
        /// How it moves.
        motion: Motion<V>,
        /// What counts as met.
        options: CastOptions,
        /// Which of the hits are wanted.
        wanted: Hits,
    },
    /// `"ask": "point"`: the bodies within a distance of a point.
    Point {
        /// The point.
        point: V::Precise,
        /// The distance, at least zero.
        within: Real,
    },
    /// `"ask": "overlap"`: the bodies within a distance of a placed shape.
    Overlap {
        /// The shape.
        a: Side<V>,
        /// The distance, at least zero.
        within: Real,
    },
    /// `"ask": "nearest"`: the bodies nearest to a point or a placed shape.
    Nearest {
        /// What they are to be near to.
        to: Looker<V>,
        /// How many bodies, and how far away.
        nearest: Nearest,
    },
}

/// Which hits of a ray or a cast are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hits {
    /// That of the first body.
    First,
    /// Those of all bodies, one a body.
    All,
}

/// What bodies are near to.
#[derive(Clone, Debug, PartialEq)]
pub enum Looker<V: FileVector> {
    /// A point.
    Point(V::Precise),
    /// A placed shape.
    Shape(Side<V>),
}

/// Which bodies a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedBodies {
    /// The groups of the question, as if a body with these groups asked.
    pub groups: Groups,
    /// The numbers of bodies that are passed over, sorted.
    pub exclude: Vec<u32>,
}
