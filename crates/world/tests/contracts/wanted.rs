//! What a question is to be about, to ask by and to judge by.

use clearance_math::Vector;
use clearance_shapes::Shape;
use clearance_world::{BodyId, BodyRef, Groups, Query, World};

type Predicate<'a, V> = dyn Fn(BodyRef<'_, V>) -> bool + Sync + 'a;
type Parts<'a, V> = dyn Fn(BodyRef<'_, V>, u32) -> bool + Sync + 'a;

#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a, V: Vector> {
    pub(crate) groups: Groups,
    pub(crate) exclude: &'a [BodyId],
    pub(crate) predicate: Option<&'a Predicate<'a, V>>,
    pub(crate) parts: Option<&'a Parts<'a, V>>,
}

impl<V: Vector> Default for Wanted<'_, V> {
    fn default() -> Self {
        Self {
            groups: Groups::ALL,
            exclude: &[],
            predicate: None,
            parts: None,
        }
    }
}

impl<'a, V: Vector> Wanted<'a, V> {
    pub(crate) fn of(&self, world: &'a World<V>) -> Query<'a, V> {
        let mut query = world.query().groups(self.groups).exclude(self.exclude);
        if let Some(predicate) = self.predicate {
            query = query.predicate(predicate);
        }
        if let Some(parts) = self.parts {
            query = query.parts(parts);
        }
        query
    }

    /// Whether the question is about a body, or some parts of it.
    pub(crate) fn means(&self, body: BodyRef<'_, V>) -> bool {
        self.groups.pairs_with(body.groups())
            && !self.exclude.contains(&body.id())
            && self.predicate.is_none_or(|predicate| predicate(body))
            && (matches!(body.shape(), Shape::Composite(_))
                || self.parts.is_none_or(|parts| parts(body, 0)))
    }
}
