//! Which bodies a query is about, and which of their parts.

use clearance_broadphase::Groups;
use clearance_gjk::Placed;
use clearance_math::Vector;
use clearance_shapes::Shape;

use crate::{BodyId, BodyRef, World};

/// A function of the caller that decides whether a query is about a body.
type Decide<'f, V> = dyn Fn(BodyRef<'_, V>) -> bool + Sync + 'f;

/// A function of the caller that decides whether a query is about a part of a body.
type DecidePart<'f, V> = dyn Fn(BodyRef<'_, V>, u32) -> bool + Sync + 'f;

/// Which bodies a query is about: those that the groups allow, that are not excluded, and that the
/// predicate accepts. By default, all bodies.
///
/// ```
/// use clearance::dim2::{Groups, QueryFilter};
///
/// let only_walls = QueryFilter { groups: Groups { memberships: u32::MAX, filter: 1 << 3 }, ..QueryFilter::default() };
/// assert!(only_walls.exclude.is_empty());
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'f, V: Vector> {
    /// The groups of the question, as if a body with these groups asked.
    pub groups: Groups,
    /// Bodies that are passed over, such as the one that asks. A long list costs as much for each body
    /// found as it has entries; a predicate that looks at the user data is faster. Ids of other worlds and of
    /// removed bodies pass over nothing.
    pub exclude: &'f [BodyId],
    /// Bodies for which it returns false are passed over. `None` accepts all.
    pub predicate: Option<&'f Decide<'f, V>>,
    /// Parts for which it returns false are passed over, as if the body had no such part: one platform of a level that is
    /// one compound. `None` accepts all. A body whose shape is no composite is its own part 0.
    ///
    /// It must give the same answer whenever it is asked within one query, and is only asked about bodies that all else
    /// accepts. Parts that it refuses are searched like others, and [`Placed::with_parts`] says what that costs.
    pub parts: Option<&'f DecidePart<'f, V>>,
}

impl<V: Vector> Default for QueryFilter<'_, V> {
    fn default() -> Self {
        Self {
            groups: Groups::ALL,
            exclude: &[],
            predicate: None,
            parts: None,
        }
    }
}

impl<V: Vector> core::fmt::Debug for QueryFilter<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("QueryFilter")
            .field("groups", &self.groups)
            .field("exclude", &self.exclude)
            .field("predicate", &self.predicate.is_some())
            .field("parts", &self.parts.is_some())
            .finish()
    }
}

impl<V: Vector> QueryFilter<'_, V> {
    /// Whether the query is about the body in a slot, which is not vacant.
    #[inline]
    pub(crate) fn accepts(&self, world: &World<V>, slot: usize) -> bool {
        // Most queries are about all bodies, and need not read what a filter looks at.
        let is_about_all = self.groups == Groups::ALL
            && world.bodies.columns.groups.are_none()
            && self.exclude.is_empty()
            && self.predicate.is_none()
            && self.parts.is_none();
        is_about_all || self.accepts_body(world, slot)
    }

    fn accepts_body(&self, world: &World<V>, slot: usize) -> bool {
        let Some(body) = BodyRef::new(&world.bodies, slot) else {
            return false;
        };
        let is_excluded = |id: &BodyId| *id == body.id() && world.bodies.tag.accepts(*id);
        self.groups.pairs_with(body.groups())
            && !self.exclude.iter().any(is_excluded)
            && self.predicate.is_none_or(|accepts| accepts(body))
            && (matches!(body.shape(), Shape::Composite(_))
                || self.parts.is_none_or(|accepts| accepts(body, 0)))
    }

    /// What decides about the parts of a body.
    #[inline]
    fn parts_of<'a>(
        &'a self,
        world: &'a World<V>,
        slot: usize,
    ) -> Option<impl Fn(u32) -> bool + Sync + 'a> {
        let (accepts, body) = (self.parts?, BodyRef::new(&world.bodies, slot)?);
        Some(move |part| accepts(body, part))
    }

    /// Asks something of what the query is about of the body in a slot, which is not vacant; `None` if that is nothing.
    #[inline]
    pub(crate) fn ask<T>(
        &self,
        (world, slot): (&World<V>, usize),
        placed: Placed<'_, V>,
        ask: impl FnOnce(Placed<'_, V>) -> T,
    ) -> Option<T> {
        if !self.accepts(world, slot) {
            return None;
        }
        let parts = self.parts_of(world, slot);
        let placed = match &parts {
            Some(parts) => placed.with_parts(parts),
            None => placed,
        };
        Some(ask(placed))
    }
}
