//! The bodies nearest to a point or to a placed shape.

use core::cell::Cell;

use clearance_broadphase::BroadPhase;
use clearance_gjk::internal::{Ball, check_point, check_side};
use clearance_gjk::{Placed, QueryError};
use clearance_math::internal::{heap_sort, sift_down, sift_up};
use clearance_math::{Pose, PreciseVector, Real, Vector, compile_once, round_up};
use clearance_shapes::Shape;

use super::proximity::{point_shape, separation};
use super::query::{Filter, Query, listed};
use crate::range::may_be_within;
use crate::{BodySeparation, World};

/// How many bodies to find, and how far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The greatest number of bodies to find.
    pub count: usize,
    /// The greatest signed distance of a body, in units of length. It may be infinite; if it is negative, only
    /// bodies that are overlapped at least that deep are found.
    pub within: Real,
}

/// One body, however far away.
impl Default for Nearest {
    fn default() -> Self {
        Self {
            count: 1,
            within: Real::INFINITY,
        }
    }
}

impl<V: Vector> Query<'_, V> {
    /// The bodies nearest to a placed shape, the nearest first; of bodies at one distance, those with the smaller ids. Bodies
    /// that overlap the shape have negative distances, so the deepest one comes first.
    ///
    /// Each answer is that of [`proximity`](clearance_gjk::proximity) for the body alone. Cost: a search
    /// of the broad phase that ends where no nearer body can be, and a test of the bounding sphere of each body that
    /// changed since the last step or [`World::refresh`].
    ///
    /// # Errors
    /// A pose that is not valid, or a `within` that is NaN.
    pub fn nearest(
        &self,
        a: Placed<'_, V>,
        nearest: Nearest,
    ) -> Result<Vec<BodySeparation<V>>, QueryError> {
        listed(|found| self.nearest_into(a, nearest, found))
    }

    /// [`Query::nearest`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::nearest`].
    pub fn nearest_into(
        &self,
        a: Placed<'_, V>,
        nearest: Nearest,
        found: &mut Vec<BodySeparation<V>>,
    ) -> Result<(), QueryError> {
        check_side(&a, nearest.within)?;
        nearest_bodies(self.world, a, nearest, &self.filter, found);
        Ok(())
    }

    /// [`Query::nearest`] for a point.
    ///
    /// ```
    /// use clearance::dim2::{Body, Nearest, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let ids = [4.0, 2.0, 8.0].map(|x| {
    ///     let ball = Shape::ball(0.5).expect("the radius is positive");
    ///     let body = Body::fixed(ball, Pose::from_translation(Vec2::new(x, 0.0)));
    ///     world.insert(body).expect("the world has space")
    /// });
    /// let two = Nearest { count: 2, ..Nearest::default() };
    /// let found = world.query().nearest_to_point(Vec2::ZERO, two)?;
    /// assert_eq!((found[0].body, found[0].separation.distance), (ids[1], 1.5));
    /// assert_eq!((found[1].body, found.len()), (ids[0], 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite, or a `within` that is NaN.
    #[doc(alias("project_point", "closest_point"))]
    pub fn nearest_to_point(
        &self,
        point: impl Into<V::Precise>,
        nearest: Nearest,
    ) -> Result<Vec<BodySeparation<V>>, QueryError> {
        listed(|found| self.nearest_to_point_into(point, nearest, found))
    }

    /// [`Query::nearest_to_point`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::nearest_to_point`].
    pub fn nearest_to_point_into(
        &self,
        point: impl Into<V::Precise>,
        nearest: Nearest,
        found: &mut Vec<BodySeparation<V>>,
    ) -> Result<(), QueryError> {
        let point = point.into();
        check_point::<V>(point)?;
        let (shape, pose) = (point_shape(), Pose::from_translation(point));
        self.nearest_into(Placed::new(&shape, &pose), nearest, found)
    }
}

impl<V: Vector> World<V> {
    /// Appends the bodies that a search is for, the nearest first, each as the entry that `entry` makes of it.
    pub(super) fn append_nearest<E: ListedBody<V>>(
        &self,
        search: &Search<'_, V>,
        found: &mut Vec<E>,
        entry: impl Fn(BodySeparation<V>) -> E,
    ) {
        let Search { a, nearest, filter } = *search;
        if nearest.count == 0 {
            return;
        }
        let mut list = Best {
            first: found.len(),
            found,
            nearest,
        };
        self.search_nearest(a, nearest.within, &mut |slot, b| {
            let asked = filter.ask((self, slot), b, |b| separation(a, b, list.range()));
            if let Some(separation) = asked.flatten() {
                let body = self.bodies.id(slot);
                list.insert(entry(BodySeparation { body, separation }));
            }
            list.range()
        });
        heap_sort(list.entries(), is_nearer);
        // Asked again without the ranges that other bodies set, so that each answer is that of its body
        // alone.
        for entry in list.entries() {
            let found = entry.found_mut();
            let slot = found.body.index() as usize;
            let alone = self.bodies.placed(slot).and_then(|b| {
                let asked = filter.ask((self, slot), b, |b| separation(a, b, nearest.within));
                asked.flatten()
            });
            found.separation = alone.unwrap_or(found.separation);
        }
    }

    /// Visits bodies that may be within a distance of a placed shape; `look` returns up to which distance to
    /// go on.
    fn search_nearest(
        &self,
        a: Placed<'_, V>,
        within: Real,
        look: &mut dyn FnMut(usize, Placed<'_, V>) -> Real,
    ) {
        let range = Cell::new(within);
        let sphere = Ball {
            center: a.pose.position(),
            radius: round_up(a.shape.bounding_radius()),
        };
        self.for_each_changed(
            &|other| may_be_within([sphere, *other], range.get()),
            &mut |slot, placed| range.set(look(slot, placed)),
        );
        if matches!(a.shape, Shape::HalfSpace(_)) {
            // No ball contains a half-space, so every body is looked at.
            for slot in 0..self.bodies.slots() {
                if let Some(placed) = self.unchanged(slot) {
                    look(slot, placed);
                }
            }
            return;
        }
        // Bodies at a distance from the shape are at most as much farther from the centre of its box as
        // the box extends.
        let [low, high] = a.shape.limits_within(a.pose, 0.0);
        let radius = (high * 0.5 - low * 0.5).length();
        let center = V::from_precise(self.space.place::<V>(low * 0.5 + high * 0.5));
        // The centre is rounded, and so are squared distances from it.
        let rounding = 8.0 * f64::from(Real::EPSILON);
        let search_radius = |range: Real| {
            let from_center = f64::from(range).max(0.0) + radius;
            (from_center + rounding * center.to_precise().length()) * (1.0 + rounding)
        };
        let squared =
            |range: Real| ((search_radius(range) * search_radius(range)) as Real).next_up();
        let first = (search_radius(within) as Real).next_up();
        self.broad_phase
            .query_nearest(center, first, &mut |key, _| {
                self.unchanged(key as usize)
                    .map_or(Real::INFINITY, |placed| squared(look(key as usize, placed)))
            });
    }
}

/// A search for the bodies nearest to a placed shape.
pub(super) struct Search<'a, V: Vector> {
    pub(super) a: Placed<'a, V>,
    pub(super) nearest: Nearest,
    pub(super) filter: &'a Filter<'a, V>,
}

/// What stands for a body in a list of those that were found.
pub(super) trait ListedBody<V: Vector> {
    fn found(&self) -> &BodySeparation<V>;
    fn found_mut(&mut self) -> &mut BodySeparation<V>;
}

impl<V: Vector> ListedBody<V> for BodySeparation<V> {
    fn found(&self) -> &BodySeparation<V> {
        self
    }

    fn found_mut(&mut self) -> &mut BodySeparation<V> {
        self
    }
}

/// The nearest bodies so far, as a heap whose first one is the farthest: the end of a list that may begin with other ones.
struct Best<'f, E> {
    found: &'f mut Vec<E>,
    first: usize,
    nearest: Nearest,
}

impl<E> Best<'_, E> {
    fn entries(&mut self) -> &mut [E] {
        &mut self.found[self.first..]
    }

    /// The distance up to which bodies are of interest.
    fn range<V>(&self) -> Real
    where
        E: ListedBody<V>,
        V: Vector,
    {
        let (entries, within) = (&self.found[self.first..], self.nearest.within);
        match entries.first() {
            Some(farthest) if entries.len() == self.nearest.count => {
                farthest.found().separation.distance.min(within)
            }
            _ => within,
        }
    }

    /// Takes a body in, if it is among the nearest.
    fn insert<V>(&mut self, new: E)
    where
        E: ListedBody<V>,
        V: Vector,
    {
        if self.found.len() - self.first < self.nearest.count {
            self.found.push(new);
            sift_up(self.entries(), &is_nearer);
        } else if is_nearer(&new, &self.found[self.first]) {
            self.found[self.first] = new;
            sift_down(self.entries(), 0, &is_nearer);
        }
    }
}

/// Whether one body is nearer than another, or as near with the smaller id.
fn is_nearer<V: Vector, E: ListedBody<V>>(one: &E, other: &E) -> bool {
    let key = |entry: &E| (entry.found().separation.distance, entry.found().body);
    key(one) < key(other)
}

compile_once! {
    fn nearest_bodies<'a, V>(
        world: &'a World<V>,
        a: Placed<'a, V>,
        nearest: Nearest,
        filter: &'a Filter<'a, V>,
        found: &'a mut Vec<BodySeparation<V>>,
    ) {
        found.clear();
        let search = Search { a, nearest, filter };
        world.append_nearest(&search, found, |found| found);
    }
}
