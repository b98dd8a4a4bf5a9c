//! Questions, and which bodies they are about.

use clearance_broadphase::Groups;
use clearance_gjk::Placed;
use clearance_math::Vector;
use clearance_shapes::Shape;

use crate::{BodyId, BodyRef, Contact, World};

/// A function of the caller that decides whether a query is about a body.
type Decide<'f, V> = dyn Fn(BodyRef<'_, V>) -> bool + Sync + 'f;

/// A function of the caller that decides whether a query is about a part of a body.
type DecidePart<'f, V> = dyn Fn(BodyRef<'_, V>, u32) -> bool + Sync + 'f;

/// Questions about the bodies of a world at their current poses, which change nothing: [`World::query`].
///
/// It is about all bodies whose groups meet anything, unless [`groups`](Self::groups), [`exclude`](Self::exclude),
/// [`predicate`](Self::predicate) or [`parts`](Self::parts) leave some out. It is small and can be copied: keep one for several
/// questions.
///
/// | what one wants | question |
/// | --- | --- |
/// | what a ray hits | [`cast_ray`](Self::cast_ray); each body: [`cast_ray_all`](Self::cast_ray_all); each part: [`cast_ray_parts`](Self::cast_ray_parts) |
/// | what a moving shape meets | [`cast_shape`](Self::cast_shape); each body: [`cast_shape_all`](Self::cast_shape_all) |
/// | whether there is any such body | [`cast_ray_any`](Self::cast_ray_any), [`cast_shape_any`](Self::cast_shape_any) |
/// | what is within a distance, or overlaps | [`near`](Self::near) a shape, [`near_point`](Self::near_point) |
/// | what is nearest | [`nearest`](Self::nearest) to a shape, [`nearest_to_point`](Self::nearest_to_point) |
/// | whose boxes overlap a box | [`in_box`](Self::in_box) |
/// | where a character goes | [`slide`](Self::slide), [`slide_body`](Self::slide_body) |
/// | how to get out of an overlap | [`push_out`](Self::push_out) |
/// | in which points bodies touch | [`manifolds`](Self::manifolds), [`manifold_of`](Self::manifold_of) |
///
/// Two endings have one meaning everywhere. A question that ends in `_each` is asked many times in one call, on all
/// threads of the world, with the same bits. One that ends in `_into` replaces the contents of a list of yours, instead
/// of making a new one: then nothing else is allocated. A refused question leaves the list as it is. Only slides
/// answer with more than a list: their forms that end in `_into` list what was touched, too.
///
/// ```
/// use clearance::dim2::{Body, Pose, Ray, RayOptions, Shape, Vec2, World};
///
/// let mut world = World::default();
/// let [me, wall] = [0.0, 5.0].map(|x| Pose::from_translation(Vec2::new(x, 0.0)));
/// let me = world.insert(Body::moving(Shape::ball(0.5)?, me))?;
/// let wall = world.insert(Body::fixed(Shape::cuboid(Vec2::new(0.5, 4.0))?, wall))?;
/// // What I see to the right: not myself, though the ray begins in me.
/// let ray = Ray::new(Vec2::ZERO, Vec2::X)?;
/// let hit = world.query().exclude(&[me]).cast_ray(&ray, RayOptions::default())?.unwrap();
/// assert_eq!((hit.body, hit.hit.distance), (wall, 4.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias("filter", "QueryFilter", "query_pipeline", "SpatialQuery"))]
pub struct Query<'w, V: Vector> {
    pub(crate) world: &'w World<V>,
    pub(crate) filter: Filter<'w, V>,
}

impl<V: Vector> World<V> {
    /// Questions about the bodies at their current poses: rays, casts, what is near, and how characters move. See [`Query`].
    #[must_use]
    pub fn query(&self) -> Query<'_, V> {
        Query {
            world: self,
            filter: Filter::ALL,
        }
    }
}

impl<'w, V: Vector> Query<'w, V> {
    /// Asks as if a body with these groups asked: only about bodies that could make contacts with it.
    ///
    /// ```
    /// use clearance::dim2::{Body, Groups, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::default();
    /// const WALL: u32 = 1 << 0;
    /// const COIN: u32 = 1 << 1;
    /// let ball = || Ok::<_, Box<dyn std::error::Error>>(Body::fixed(Shape::ball(1.0)?, Pose::IDENTITY));
    /// let wall = world.insert(ball()?.with_groups(Groups::member_of(WALL)))?;
    /// world.insert(ball()?.with_groups(Groups::member_of(COIN)))?;
    /// let only_walls = world.query().groups(Groups::ALL.meeting(WALL));
    /// let found = only_walls.near_point(Vec2::ZERO, 0.0)?;
    /// assert_eq!(found.iter().map(|near| near.body).collect::<Vec<_>>(), [wall]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias("layers", "collision_layer", "mask", "sensors"))]
    pub fn groups(mut self, groups: Groups) -> Self {
        self.filter.groups = groups;
        self
    }

    /// Passes over these bodies, such as the one that asks. A long list costs as much for each body found as it has
    /// entries; a predicate that looks at the user data is faster. Ids of other worlds and of removed bodies pass over
    /// nothing.
    ///
    /// ```
    /// use clearance::dim2::{Body, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::default();
    /// let me = world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
    /// // Within one expression `exclude(&[me])` will do; a query that is kept needs a list that is kept.
    /// let own = [me];
    /// let others = world.query().exclude(&own);
    /// assert!(others.near_point(Vec2::ZERO, 1.0)?.is_empty() && others.near_point(Vec2::X, 1.0)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias("ignore", "except", "ignoring_self"))]
    pub fn exclude(mut self, bodies: &'w [BodyId]) -> Self {
        self.filter.exclude = bodies;
        self
    }

    /// Passes over bodies for which a function returns false.
    #[must_use]
    pub fn predicate(mut self, accepts: &'w Decide<'w, V>) -> Self {
        self.filter.predicate = Some(accepts);
        self
    }

    /// Passes over parts for which a function returns false, as if the body had no such part: one platform of a level that
    /// is one compound. A body whose shape is no composite is its own part 0.
    ///
    /// The function must give the same answer whenever it is asked within one question, and is only asked about bodies that
    /// all else accepts. Parts that it refuses are searched like others, and [`Placed::with_parts`] says what that costs.
    #[must_use]
    pub fn parts(mut self, accepts: &'w DecidePart<'w, V>) -> Self {
        self.filter.parts = Some(accepts);
        self
    }
}

/// A list that a question fills, or why it is refused.
#[inline(always)]
pub(crate) fn listed<T, E>(fill: impl FnOnce(&mut Vec<T>) -> Result<(), E>) -> Result<Vec<T>, E> {
    let mut list = Vec::new();
    fill(&mut list)?;
    Ok(list)
}

/// Which bodies a question is about, and which of their parts: see [`Query`].
#[derive(Clone, Copy)]
pub(crate) struct Filter<'f, V: Vector> {
    pub(crate) groups: Groups,
    pub(crate) exclude: &'f [BodyId],
    pub(crate) predicate: Option<&'f Decide<'f, V>>,
    pub(crate) parts: Option<&'f DecidePart<'f, V>>,
}

impl<V: Vector> core::fmt::Debug for Filter<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Filter")
            .field("groups", &self.groups)
            .field("exclude", &self.exclude)
            .field("predicate", &self.predicate.is_some())
            .field("parts", &self.parts.is_some())
            .finish()
    }
}

impl<V: Vector> Filter<'_, V> {
    /// All bodies.
    pub(crate) const ALL: Self = Self {
        groups: Groups::ALL,
        exclude: &[],
        predicate: None,
        parts: None,
    };

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

    /// Whether the query is about both sides of a contact of bodies of this world, and their parts.
    pub(crate) fn accepts_both(&self, world: &World<V>, contact: &Contact<V>) -> bool {
        let Contact { a, b, separation } = contact;
        let accepts = |id: BodyId, part: u32| {
            let slot = id.index() as usize;
            let accepts_part = || {
                self.parts_of(world, slot)
                    .is_none_or(|accepts| accepts(part))
            };
            self.accepts(world, slot) && accepts_part()
        };
        accepts(*a, separation.part_a) && accepts(*b, separation.part_b)
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
