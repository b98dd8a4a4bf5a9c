//! A direction along which parts of two composites are apart.
//!
//! Where two surfaces face each other, the normal of the nearest pair found so far separates most other
//! pairs by at least as much. That rules out pairs of triangles which are nearer than their boxes tell,
//! for the price of a few scalar products.

use clearance_math::{MapEach, PreciseVector, Real, RelativePose, Vector};
use glam::Vec4;

use super::gap::components;
use super::pieces::Pieces;
use crate::frames::KeptFrames;

/// A unit direction from a to b, in the frames of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    in_a: [Real; 3],
    in_b: [Real; 3],
    /// How far the origin of b's frame lies ahead of that of a's.
    ahead: Real,
}

/// How far the lanes of two nodes reach along an axis, from the origin of a's frame.
pub(super) struct Extents {
    greatest_of_a: Vec4,
    least_of_b: Vec4,
}

impl Axis {
    /// The axis along a unit normal in the frame of the world.
    pub(super) fn new<V: Vector>(normal: V, frames: &KeptFrames<V::Precise>) -> Self {
        let normal = normal.to_precise();
        let components = |in_world: &RelativePose<V::Precise>| {
            components(in_world.inverse_transform_direction(normal))
        };
        let apart = frames.b_in_world.translation - frames.a_in_world.translation;
        Self {
            in_a: components(&frames.a_in_world),
            in_b: components(&frames.b_in_world),
            ahead: normal.dot(apart) as Real,
        }
    }

    #[inline]
    pub(super) fn extents<V: Vector>(&self, [a, b]: &[Pieces; 2]) -> Extents {
        Extents {
            greatest_of_a: a.reach::<V>(self.in_a.map_each(Vec4::splat)),
            least_of_b: Vec4::splat(self.ahead)
                - b.reach::<V>(self.in_b.map_each(|x| Vec4::splat(-x))),
        }
    }
}

impl Extents {
    /// Lower bounds of the signed distances between a lane of a and the lanes of b, up to rounding.
    #[inline]
    pub(super) fn gaps(&self, lane_a: usize) -> Vec4 {
        self.least_of_b - Vec4::splat(self.greatest_of_a[lane_a])
    }
}
