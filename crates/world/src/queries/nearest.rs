//! The bodies nearest to a point or to a placed shape.

use clearance_broadphase::BroadPhase;
use clearance_gjk::{Placed, QueryError, check_point, check_side};
use clearance_math::{Pose, PreciseVector, Real, Vector, compile_once};
use clearance_shapes::Shape;

use super::proximity::{point_shape, separation};
use crate::{BodySeparation, QueryFilter, World};

/// How many bodies to find, and how far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The greatest number of bodies to find.
    pub count: usize,
    /// The greatest distance of a body, in units of length; it may be infinite.
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

impl<V: Vector> World<V> {
    /// Replaces the contents of `found` by the bodies nearest to a placed shape, the nearest first; of
    /// bodies at one distance, those with the smaller ids. Bodies that overlap the shape have negative
    /// distances, so the deepest one comes first.
    ///
    /// Each answer is that of [`proximity`](clearance_gjk::proximity) for the body alone. Cost: a search
    /// of the broad phase that ends where no nearer body can be, and a test of each body that changed
    /// since the last step.
    ///
    /// # Errors
    /// A pose that is not valid, or a `within` that is NaN; then `found` is left as it is.
    pub fn nearest_bodies(
        &self,
        a: Placed<'_, V>,
        nearest: Nearest,
        filter: &QueryFilter<'_, V>,
        found: &mut Vec<BodySeparation<V>>,
    ) -> Result<(), QueryError> {
        check_side(&a, nearest.within)?;
        nearest_bodies(self, a, nearest, filter, found);
        Ok(())
    }

    /// [`World::nearest_bodies`] for a point.
    ///
    /// ```
    /// use clearance::dim2::{Body, Nearest, Options, Pose, QueryFilter, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let ids = [4.0, 2.0, 8.0].map(|x| {
    ///     let ball = Shape::ball(0.5).expect("the radius is positive");
    ///     let body = Body::fixed(ball, Pose::from_translation(Vec2::new(x, 0.0)));
    ///     world.insert(body).expect("the world has space")
    /// });
    /// let (two, mut found) = (Nearest { count: 2, ..Nearest::default() }, Vec::new());
    /// world.nearest_to_point(Vec2::ZERO, two, &QueryFilter::default(), &mut found)?;
    /// assert_eq!((found[0].body, found[0].separation.distance), (ids[1], 1.5));
    /// assert_eq!((found[1].body, found.len()), (ids[0], 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite, or a `within` that is NaN; then `found` is left as it is.
    pub fn nearest_to_point(
        &self,
        point: V,
        nearest: Nearest,
        filter: &QueryFilter<'_, V>,
        found: &mut Vec<BodySeparation<V>>,
    ) -> Result<(), QueryError> {
        check_point(point)?;
        let (shape, pose) = (point_shape(), Pose::from_translation(point));
        self.nearest_bodies(Placed::new(&shape, &pose), nearest, filter, found)
    }

    fn nearest_bodies_generic(
        &self,
        a: Placed<'_, V>,
        nearest: Nearest,
        filter: &QueryFilter<'_, V>,
        found: &mut Vec<BodySeparation<V>>,
    ) {
        found.clear();
        if nearest.count > 0 {
            self.search_nearest(a, nearest, filter, found);
        }
        // Asked again without the ranges that other bodies set, so that each answer is that of its body
        // alone.
        for found in found {
            let alone = self.bodies.placed(found.body.index() as usize);
            let alone = alone.and_then(|b| separation(a, b, nearest.within));
            found.separation = alone.unwrap_or(found.separation);
        }
    }

    fn search_nearest(
        &self,
        a: Placed<'_, V>,
        nearest: Nearest,
        filter: &QueryFilter<'_, V>,
        found: &mut Vec<BodySeparation<V>>,
    ) {
        let mut look = |slot: usize, b: Placed<'_, V>| {
            let range = range(found, nearest);
            if filter.accepts(self, slot)
                && let Some(separation) = separation(a, b, range)
            {
                let body = self.bodies.id(slot);
                insert(found, BodySeparation { body, separation }, nearest.count);
            }
            self::range(found, nearest)
        };
        self.for_each_changed(&mut |slot, placed| {
            look(slot, placed);
        });
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
        let bounds = a.shape.bounds(a.pose);
        let (center, radius) = (bounds.center(), bounds.half_extents().to_precise().length());
        // The centre is rounded, and so are squared distances from it.
        let rounding = 8.0 * f64::from(Real::EPSILON);
        let search_radius = |range: Real| {
            let from_center = f64::from(range).max(0.0) + radius;
            (from_center + rounding * center.to_precise().length()) * (1.0 + rounding)
        };
        let squared =
            |range: Real| ((search_radius(range) * search_radius(range)) as Real).next_up();
        let first = (search_radius(nearest.within) as Real).next_up();
        self.broad_phase
            .query_nearest(center, first, &mut |key, _| {
                self.unchanged(key as usize)
                    .map_or(Real::INFINITY, |placed| squared(look(key as usize, placed)))
            });
    }
}

/// The distance up to which bodies are of interest.
fn range<V>(found: &[BodySeparation<V>], nearest: Nearest) -> Real {
    match found.last() {
        Some(last) if found.len() == nearest.count => last.separation.distance.min(nearest.within),
        _ => nearest.within,
    }
}

/// Puts a body into its place in the list, which is cut to `count`.
fn insert<V: Copy>(found: &mut Vec<BodySeparation<V>>, new: BodySeparation<V>, count: usize) {
    let key = |found: &BodySeparation<V>| (found.separation.distance, found.body);
    let at = found.partition_point(|other| key(other) < key(&new));
    if at < count {
        found.truncate(count - 1);
        found.insert(at, new);
    }
}

compile_once! {
    fn nearest_bodies<'a, V>(
        world: &'a World<V>,
        a: Placed<'a, V>,
        nearest: Nearest,
        filter: &'a QueryFilter<'a, V>,
        found: &'a mut Vec<BodySeparation<V>>,
    ) {
        world.nearest_bodies_generic(a, nearest, filter, found);
    }
}
