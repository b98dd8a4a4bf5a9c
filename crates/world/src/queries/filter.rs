//! Which bodies a query is about.

use clearance_math::Vector;

use crate::{BodyId, BodyRef, Groups, World};

/// A function of the caller that decides whether a query is about a body.
type Decide<'f, V> = dyn Fn(BodyRef<'_, V>) -> bool + Sync + 'f;

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
}

impl<V: Vector> Default for QueryFilter<'_, V> {
    fn default() -> Self {
        Self {
            groups: Groups::ALL,
            exclude: &[],
            predicate: None,
        }
    }
}

impl<V: Vector> core::fmt::Debug for QueryFilter<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("QueryFilter")
            .field("groups", &self.groups)
            .field("exclude", &self.exclude)
            .field("predicate", &self.predicate.is_some())
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
            && self.predicate.is_none();
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
    }
}
