//! What lets a world be used like a collection: iteration, printing.

use core::fmt;

use clearance_math::Vector;

use crate::{BodyIter, BodyRef, World};

/// The bodies, as in `for body in &world`.
impl<'w, V: Vector> IntoIterator for &'w World<V> {
    type Item = BodyRef<'w, V>;
    type IntoIter = BodyIter<'w, V>;

    fn into_iter(self) -> BodyIter<'w, V> {
        self.bodies()
    }
}

/// How much there is of everything; the bodies themselves are printed by [`BodyRef`].
impl<V: Vector> fmt::Debug for World<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ignored = self.bodies.columns.ignored.pairs().count();
        f.debug_struct("World")
            .field("dimension", &V::DIM)
            .field("bodies", &self.len())
            .field("moving", &self.bodies.moving().len())
            .field("contacts", &self.contacts().len())
            .field("ignored_pairs", &ignored)
            .field("pair_filter", &self.pair_filter)
            .field("margin", &self.margin)
            .field("backend", &self.broad_phase.backend())
            .field("threads", &self.threads.count())
            .field("bytes", &self.memory())
            .finish_non_exhaustive()
    }
}
