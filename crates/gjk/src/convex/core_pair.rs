//! Two cores beside each other, as closed forms and searches are asked about them.

use clearance_math::{RelativePose, Vector, tolerances};
use clearance_shapes::Convex;

use super::closed_forms::polytope_polytope::Hint;
use crate::answer::{Measured, Status};
use crate::search::penetration::{Depth, finish};
use crate::search::{Cores, Minkowski};

/// Two convex shapes in canonical order, whose cores are measured in the frame of a.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorePair<'a, V: Vector> {
    pub(crate) a: &'a Convex<V>,
    pub(crate) b: &'a Convex<V>,
    pub(crate) b_in_a: &'a RelativePose<V::Precise>,
    /// How far apart the cores may be; beyond, a lower bound is enough.
    pub(crate) within: f64,
    pub(crate) hint: Option<Hint<'a>>,
}

impl<'a, V: Vector> CorePair<'a, V> {
    /// The Minkowski difference of the cores.
    #[inline(always)]
    pub(crate) fn difference(&self) -> Cores<'a, V> {
        Cores::new(self.a, self.b, self.b_in_a)
    }

    /// Completes the overlap along the axis of least overlap.
    #[inline(never)]
    pub(crate) fn along_axis(&self, depth: Depth<V::Precise>) -> Measured<V::Precise> {
        let difference = self.difference();
        let slack = tolerances::WITNESS_OFFSET * difference.size();
        Measured {
            status: Status::Exact,
            ..finish(&difference, depth, slack, None)
        }
    }
}
