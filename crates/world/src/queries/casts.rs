//! Shapes in motion against the bodies, which rest at their current poses.

use clearance_gjk::internal::{Ball, check_side};
use clearance_gjk::{Cast, CastHit, CastOptions, Placed, QueryError, Side, hit_by_cast};
use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;
use clearance_math::{Aabb, Pose, PreciseVector, Real, Rotation, Vector, compile_once, tolerances};
use clearance_shapes::Shape;

use super::query::{Filter, Query, listed};
use crate::range::SphereOnWay;
use crate::{BatchError, BodyId, World};

/// In how many boxes a long way is searched, at most.
const MOST_PIECES: f64 = 32.0;

/// A body that a shape in motion meets.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyCastHit<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// When they meet, with bounds of the time, and where; a is the shape in motion, and b the body.
    pub hit: CastHit<V>,
}

impl<V: Vector> Query<'_, V> {
    /// The first body that a shape in motion meets. The bodies rest at their current poses. Of bodies met
    /// at one time it is the one with the smallest id.
    ///
    /// The answer is the first of those of [`cast_shapes`](clearance_gjk::cast_shapes) for each body alone.
    /// Cost: a search of the broad phase along the way, and a cast against each body that is found, up to
    /// the first one that is met.
    ///
    /// ```
    /// use clearance::dim2::{Body, Cast, CastOptions, Motion, Options, Placed, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let wall = Shape::cuboid(Vec2::new(0.5, 4.0))?;
    /// let wall = world.insert(Body::fixed(wall, Pose::from_translation(Vec2::new(5.0, 0.0))))?;
    /// let crate_ = Shape::cuboid(Vec2::splat(0.5))?;
    /// let push = Cast::new(Placed::new(&crate_, &Pose::IDENTITY), Motion::from_linear(Vec2::new(8.0, 0.0)));
    /// let first = world.query().cast_shape(push, CastOptions::default())?.unwrap();
    /// assert_eq!((first.body, first.hit.time, first.hit.separation.normal), (wall, 0.5, Vec2::X));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A pose or a motion that is not valid, or a `within` that is negative or not finite.
    #[doc(alias(
        "shapecast",
        "shape_cast",
        "sweep",
        "toi",
        "time_of_impact",
        "spherecast"
    ))]
    pub fn cast_shape(
        &self,
        a: Cast<'_, V>,
        options: CastOptions,
    ) -> Result<Option<BodyCastHit<V>>, QueryError> {
        check(&a, options)?;
        Ok(first_met(self.world, a, options, &self.filter))
    }

    /// All bodies that a shape in motion meets, each with the first time at which it does, sorted by (time, body). The shape
    /// passes through what it meets.
    ///
    /// # Errors
    /// As [`Query::cast_shape`].
    #[doc(alias("shapecast_all", "sweep_all"))]
    pub fn cast_shape_all(
        &self,
        a: Cast<'_, V>,
        options: CastOptions,
    ) -> Result<Vec<BodyCastHit<V>>, QueryError> {
        listed(|hits| self.cast_shape_all_into(a, options, hits))
    }

    /// [`Query::cast_shape_all`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::cast_shape`].
    pub fn cast_shape_all_into(
        &self,
        a: Cast<'_, V>,
        options: CastOptions,
        hits: &mut Vec<BodyCastHit<V>>,
    ) -> Result<(), QueryError> {
        check(&a, options)?;
        all_met(self.world, a, options, &self.filter, hits);
        Ok(())
    }

    /// Whether a shape in motion meets any body. Faster than asking for the first one, since it ends with
    /// whichever is found.
    ///
    /// # Errors
    /// As [`Query::cast_shape`].
    pub fn cast_shape_any(&self, a: Cast<'_, V>, options: CastOptions) -> Result<bool, QueryError> {
        check(&a, options)?;
        Ok(any_met(self.world, a, options, &self.filter))
    }

    /// The first body that each shape in motion meets, in the order of the casts. The answers are those of
    /// [`Query::cast_shape`], bit for bit, with any number of threads.
    ///
    /// # Errors
    /// As [`Query::cast_shape`], for any of the casts.
    pub fn cast_shape_each(
        &self,
        casts: &[Cast<'_, V>],
        options: CastOptions,
    ) -> Result<Vec<Option<BodyCastHit<V>>>, BatchError> {
        listed(|hits| self.cast_shape_each_into(casts, options, hits))
    }

    /// [`Query::cast_shape_each`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::cast_shape`], for any of the casts.
    pub fn cast_shape_each_into(
        &self,
        casts: &[Cast<'_, V>],
        options: CastOptions,
        hits: &mut Vec<Option<BodyCastHit<V>>>,
    ) -> Result<(), BatchError> {
        options.check().map_err(BatchError::All)?;
        for (question, cast) in casts.iter().enumerate() {
            check(cast, options).map_err(|error| BatchError::One { question, error })?;
        }
        each_met(self.world, casts, options, &self.filter, hits);
        Ok(())
    }
}

fn check<V: Vector>(a: &Cast<'_, V>, options: CastOptions) -> Result<(), QueryError> {
    options.check()?;
    check_side(&a.placed, 0.0)?;
    a.motion.check(Side::A)
}

/// The boxes around a shape in motion.
struct SweptBoxes<V: Vector> {
    /// The corners of the box at time 0, for all rotations that the shape takes.
    start: [V::Precise; 2],
    linear: V::Precise,
    pieces: f64,
}

impl<V: Vector> SweptBoxes<V> {
    fn new(a: &Cast<'_, V>, options: CastOptions) -> Self {
        let at_origin = a.placed.shape.bounds(&Pose::IDENTITY);
        let [min, max] =
            [at_origin.min, at_origin.max].map_each(|corner| corner.to_precise().abs());
        let radius = min.max(max).length();
        // A meeting within the tolerance must not depend on what the broad phase knows.
        let within = f64::from(options.within) + 8.0 * tolerances::CAST_GAP * radius;
        let angular = V::Rotation::angular_in_space(a.motion.angular);
        let start = if angular == clearance_math::Vec3::ZERO {
            a.placed.shape.limits_within(a.placed.pose, within)
        } else {
            let center = a.placed.pose.position();
            let reach = V::Precise::splat(radius + within);
            [center - reach, center + reach]
        };
        let linear = a.motion.linear.to_precise();
        // Pieces about twice as long as the shape.
        let size = (start[1] - start[0]).length();
        let pieces = (linear.length() / (2.0 * size)).ceil();
        Self {
            start,
            linear,
            // A shape without size gives infinity or NaN.
            pieces: if pieces >= 1.0 {
                pieces.min(MOST_PIECES)
            } else {
                1.0
            },
        }
    }

    /// The corners of a box around the shape from one time to another, moved outwards by their rounding.
    fn limits(&self, [from, to]: [f64; 2]) -> [V::Precise; 2] {
        let [mut min, mut max] = [V::Precise::ZERO; 2];
        for k in 0..V::DIM {
            let [low, high] = self.start.map_each(|corner| corner.component(k));
            let [first, last] = [from, to].map_each(|time| self.linear.component(k) * time);
            let rounding = 4.0 * f64::EPSILON * (low.abs() + high.abs() + last.abs());
            min = min.with_component(k, low + first.min(last) - rounding);
            max = max.with_component(k, high + first.max(last) + rounding);
        }
        [min, max]
    }
}

impl<V: Vector> World<V> {
    /// Visits the bodies that a shape in motion may meet, at least once, those near the beginning of the
    /// way first. `visit` returns up to which time to go on.
    fn for_each_on_way(
        &self,
        a: &Cast<'_, V>,
        options: CastOptions,
        visit: &mut dyn FnMut(usize, Placed<'_, V>) -> Real,
    ) {
        let mut until: Real = 1.0;
        let mut look = |slot: usize, placed: Placed<'_, V>| {
            if until >= 0.0 {
                until = until.min(visit(slot, placed));
            }
            until
        };
        let mut limit = 1.0;
        let (start, radius) = (a.placed.pose.position(), a.placed.shape.bounding_radius());
        let way = -a.motion.linear.to_precise();
        let may_meet = |other: &Ball<V>| {
            let place = other.center;
            let spheres = SphereOnWay {
                from: place - start,
                way,
                radii: radius + f64::from(other.radius),
                reach: (place - start).length() + way.length(),
            };
            spheres.may_come_within(f64::from(options.within))
        };
        self.for_each_changed(&may_meet, &mut |slot, placed| {
            limit = f64::from(look(slot, placed));
        });
        if matches!(a.placed.shape, Shape::HalfSpace(_)) {
            // No box contains a half-space, so every body is looked at.
            for slot in 0..self.bodies.slots() {
                if let Some(placed) = self.unchanged(slot) {
                    look(slot, placed);
                }
            }
            return;
        }
        let way = SweptBoxes::new(a, options);
        let mut before: Option<Aabb<V>> = None;
        let mut time = 0.0;
        for piece in 1..=way.pieces as u32 {
            // Nothing in this piece is met before it begins.
            if limit < time {
                return;
            }
            let end = f64::from(piece) / way.pieces;
            let bounds = self.space.bounds(way.limits([time, end]));
            self.for_each_unchanged_in_box(&bounds, &mut |slot, placed| {
                let own = || (self.space).bounds(placed.shape.limits_within(placed.pose, 0.0));
                let is_new = before.is_none_or(|before: Aabb<V>| !own().overlaps(&before));
                if is_new {
                    limit = f64::from(look(slot, placed));
                }
            });
            before = Some(bounds);
            time = end;
        }
    }
}

/// By what hits are ordered.
fn key<V: Vector>(found: &BodyCastHit<V>) -> (Real, BodyId) {
    (found.hit.time, found.body)
}

compile_once! {
    /// The implementation of [`Query::cast_shape`].
    fn first_met<'a, V>(
        world: &'a World<V>,
        a: Cast<'a, V>,
        options: CastOptions,
        filter: &'a Filter<'a, V>,
    ) -> Option<BodyCastHit<V>> {
        let mut first: Option<BodyCastHit<V>> = None;
        world.for_each_on_way(&a, options, &mut |slot, placed| {
            let until = first.map_or(1.0, |first| first.hit.time);
            let hit = filter.ask((world, slot), placed, |placed| {
                hit_by_cast(a, Cast::resting(placed), options, until)
            });
            if let Some(hit) = hit.flatten() {
                let found = BodyCastHit {
                    body: world.bodies.id(slot),
                    hit,
                };
                if first.is_none_or(|first| key(&found) < key(&first)) {
                    first = Some(found);
                }
            }
            first.map_or(1.0, |first| first.hit.time)
        });
        first
    }
}

compile_once! {
    fn all_met<'a, V>(
        world: &'a World<V>,
        a: Cast<'a, V>,
        options: CastOptions,
        filter: &'a Filter<'a, V>,
        hits: &'a mut Vec<BodyCastHit<V>>,
    ) {
        hits.clear();
        world.for_each_on_way(&a, options, &mut |slot, placed| {
            let hit = filter.ask((world, slot), placed, |placed| {
                hit_by_cast(a, Cast::resting(placed), options, 1.0)
            });
            hits.extend(hit.flatten().map(|hit| BodyCastHit {
                body: world.bodies.id(slot),
                hit,
            }));
            1.0
        });
        heap_sort(hits, |a, b| {
            let times = a.hit.time.total_cmp(&b.hit.time);
            times.then(a.body.cmp(&b.body)).is_lt()
        });
        // A body that reaches into several boxes of the way is found again.
        hits.dedup_by_key(|found| found.body);
    }
}

compile_once! {
    fn any_met<'a, V>(
        world: &'a World<V>,
        a: Cast<'a, V>,
        options: CastOptions,
        filter: &'a Filter<'a, V>,
    ) -> bool {
        let mut is_met = false;
        world.for_each_on_way(&a, options, &mut |slot, placed| {
            let hit = filter.ask((world, slot), placed, |placed| {
                hit_by_cast(a, Cast::resting(placed), options, 1.0)
            });
            is_met = hit.flatten().is_some();
            if is_met { -1.0 } else { 1.0 }
        });
        is_met
    }
}

compile_once! {
    fn each_met<'a, V>(
        world: &'a World<V>,
        casts: &'a [Cast<'a, V>],
        options: CastOptions,
        filter: &'a Filter<'a, V>,
        hits: &'a mut Vec<Option<BodyCastHit<V>>>,
    ) {
        hits.clear();
        world.threads.answer(casts, hits, None, |cast, hit| {
            *hit = first_met(world, *cast, options, filter);
        });
    }
}
