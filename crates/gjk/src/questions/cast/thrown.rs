//! A convex shape that moves at a mesh.

use clearance_math::{Matrix, PreciseVector, RelativePose, Vector};
use clearance_shapes::Convex;

use super::motion::Bodies;
use super::swept_boxes::Range;

/// A convex shape, body b, that moves at a mesh, body a.
pub(super) struct Thrown<'a, V: Vector> {
    pub(super) convex: &'a Convex<V>,
    pub(super) bodies: &'a Bodies<V::Precise>,
    pub(super) range: Range,
    /// An upper bound of the distance of the points of the mesh from its origin.
    pub(super) mesh_size: f64,
}

/// How the shape starts, in the frame of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<P: PreciseVector> {
    /// Its pose at time 0.
    pub(super) pose: RelativePose<P>,
    /// How far it goes in one unit of time.
    pub(super) velocity: P,
}

impl<V: Vector> Thrown<'_, V> {
    pub(super) fn start(&self) -> Start<V::Precise> {
        let to_a = self.bodies.a.rotation(0.0).transposed();
        Start {
            pose: self.bodies.b_in_a(0.0),
            velocity: to_a.apply(self.bodies.velocity),
        }
    }
}
