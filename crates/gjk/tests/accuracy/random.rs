//! Random numbers of a fixed seed: what the categories need besides the common ones.

use clearance_math::{DVec3, PreciseVector, Vector};

pub(crate) use super::pcg::{Pcg as Random, iterations};

impl Random {
    /// Plus or minus one.
    pub(crate) fn sign(&mut self) -> f64 {
        if self.below(2) == 0 { 1.0 } else { -1.0 }
    }

    /// A vector of extents.
    pub(crate) fn extents<V: Vector>(&mut self, size: f64) -> V {
        (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, self.extent(size)))
    }

    /// A unit vector of the space of `V`, all directions alike.
    pub(crate) fn direction_of<V: Vector>(&mut self) -> DVec3 {
        self.direction::<V::Precise>().in_space()
    }
}
