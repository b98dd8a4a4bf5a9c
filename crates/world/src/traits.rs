//! What lets a world be used like a collection: indexing, iteration, printing.

use core::fmt;
use core::ops::Index;

use clearance_math::{Pose, Vector};

use crate::{BodyId, BodyIter, BodyRef, World};

/// The pose of a body, as in `world[id].translation`.
///
/// ```
/// use clearance::dim2::{Body, Pose, Shape, Vec2, World};
///
/// let mut world = World::default();
/// let pose = Pose::from_translation(Vec2::new(1.0, 2.0));
/// let ball = world.insert(Body::moving(Shape::ball(0.5)?, pose))?;
/// assert_eq!(world[ball].translation(), Vec2::new(1.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the body is not in this world, as indexing does everywhere; [`World::get`] does not panic.
impl<V: Vector> Index<BodyId> for World<V> {
    type Output = Pose<V>;

    fn index(&self, id: BodyId) -> &Pose<V> {
        match self.get(id) {
            Some(body) => body.pose(),
            None => panic!("body {id} is not in this world"),
        }
    }
}

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
            .field("backend", &self.backend())
            .field("threads", &self.threads())
            .field("bytes", &self.memory())
            .finish_non_exhaustive()
    }
}
