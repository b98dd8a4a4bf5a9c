//! The bodies within a distance of a point or of a placed shape.

use clearance_gjk::internal::{check_point, check_side};
use clearance_gjk::{Placed, Proximity, QueryError, Separation, measure};
use clearance_math::internal::heap_sort;
use clearance_math::{Pose, Real, Vector, compile_once};
use clearance_shapes::Shape;

use super::query::{Filter, Query, listed};
use crate::{BodyId, World};

/// A body, and how far it is from what was asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodySeparation<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// Signed distance with its bounds, the closest points and the normal; a is what was asked about,
    /// and b the body.
    pub separation: Separation<V>,
}

impl<V: Vector> Query<'_, V> {
    /// The bodies within a distance of a placed shape, sorted by id, each with its signed distance, closest points and
    /// normal.
    ///
    /// `within` is the greatest signed distance, in units of length. With 0 this finds the bodies that the shape
    /// overlaps or touches; with a negative number those that it overlaps at least that deep.
    ///
    /// Each answer is that of [`proximity`](clearance_gjk::proximity) for the body alone. Cost: a search
    /// of the broad phase, and a test of the bounding sphere of each body that changed since the last step or
    /// [`World::refresh`].
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Placed, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let crate_ = Body::fixed(Shape::cuboid(Vec2::ONE)?, Pose::IDENTITY);
    /// let crate_ = world.insert(crate_)?;
    /// let (blast, place) = (Shape::ball(2.0)?, Pose::from_translation(Vec2::new(2.5, 0.0)));
    /// let found = world.query().near(Placed::new(&blast, &place), 0.0)?;
    /// assert_eq!((found[0].body, found[0].separation.distance), (crate_, -0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A pose that is not valid, or a `within` that is NaN.
    #[doc(alias(
        "overlap",
        "overlap_shape",
        "overlap_sphere",
        "overlap_box",
        "intersections_with_shape"
    ))]
    pub fn near(
        &self,
        a: Placed<'_, V>,
        within: Real,
    ) -> Result<Vec<BodySeparation<V>>, QueryError> {
        listed(|found| self.near_into(a, within, found))
    }

    /// [`Query::near`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::near`].
    pub fn near_into(
        &self,
        a: Placed<'_, V>,
        within: Real,
        found: &mut Vec<BodySeparation<V>>,
    ) -> Result<(), QueryError> {
        check_side(&a, within)?;
        bodies_near(self.world, a, within, &self.filter, found);
        Ok(())
    }

    /// [`Query::near`] for a point. With 0 for `within` this finds the bodies that contain the point, with
    /// a negative number those that contain it at least that deep.
    ///
    /// # Errors
    /// A coordinate that is not finite, or a `within` that is NaN.
    #[doc(alias("overlap_point", "overlap_sphere", "intersections_with_point"))]
    pub fn near_point(
        &self,
        point: impl Into<V::Precise>,
        within: Real,
    ) -> Result<Vec<BodySeparation<V>>, QueryError> {
        listed(|found| self.near_point_into(point, within, found))
    }

    /// [`Query::near_point`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::near_point`].
    pub fn near_point_into(
        &self,
        point: impl Into<V::Precise>,
        within: Real,
        found: &mut Vec<BodySeparation<V>>,
    ) -> Result<(), QueryError> {
        let point = point.into();
        check_point::<V>(point)?;
        let (shape, pose) = (point_shape(), Pose::from_translation(point));
        self.near_into(Placed::new(&shape, &pose), within, found)
    }
}

impl<V: Vector> World<V> {
    /// Visits the bodies within a distance of a placed shape, in any order.
    pub(super) fn for_each_near(
        &self,
        a: Placed<'_, V>,
        within: Real,
        filter: &Filter<'_, V>,
        visit: &mut dyn FnMut(BodySeparation<V>),
    ) {
        let limits = a.shape.limits_within(a.pose, f64::from(within.max(0.0)));
        self.for_each_within(limits, &mut |slot, b| {
            let asked = filter.ask((self, slot), b, |b| separation(a, b, within));
            if let Some(separation) = asked.flatten() {
                let body = self.bodies.id(slot);
                visit(BodySeparation { body, separation });
            }
        });
    }
}

/// The separation of a pair within a range, that of two half-spaces without bound included.
pub(super) fn separation<V: Vector>(
    a: Placed<'_, V>,
    b: Placed<'_, V>,
    within: Real,
) -> Option<Separation<V>> {
    match measure(a, b, within) {
        Proximity::Near(separation) if separation.distance <= within => Some(separation),
        Proximity::Near(_) | Proximity::Farther { .. } | Proximity::Undecided { .. } => None,
        Proximity::Unbounded => Some(clearance_gjk::internal::unbounded_separation(a, b)),
    }
}

/// A point at the origin of its body.
pub(super) fn point_shape<V: Vector>() -> Shape<V> {
    match Shape::segment(V::ZERO, V::ZERO) {
        Ok(point) => point,
        Err(_) => unreachable!("zero is finite"),
    }
}

compile_once! {
    fn bodies_near<'a, V>(
        world: &'a World<V>,
        a: Placed<'a, V>,
        within: Real,
        filter: &'a Filter<'a, V>,
        found: &'a mut Vec<BodySeparation<V>>,
    ) {
        found.clear();
        world.for_each_near(a, within, filter, &mut |near| found.push(near));
        heap_sort(found, |a, b| a.body < b.body);
    }
}
