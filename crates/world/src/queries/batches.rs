//! Many queries at once, on all threads of the world.

use core::ops::Range;

use clearance_gjk::internal::{check_point, check_side};
use clearance_gjk::{Placed, QueryError, RayOptions};
use clearance_math::internal::heap_sort;
use clearance_math::{Pose, Ray, Real, Vector, compile_once};

use super::nearest::{ListedBody, Search};
use super::proximity::point_shape;
use super::query::{Filter, Query, listed};
use super::rays::first_hit;
use crate::threads::OrderedResults;
use crate::{BodyRayHit, BodySeparation, Nearest, World};

/// How many questions a thread takes at a time.
const IN_CHUNKS_OF: usize = 64;

/// A body that was found for one of the questions of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BatchSeparation<V: Vector> {
    /// The place of the question in the batch.
    pub question: usize,
    /// The body, and how far it is from what was asked about.
    pub found: BodySeparation<V>,
}

impl<V: Vector> ListedBody<V> for BatchSeparation<V> {
    fn found(&self) -> &BodySeparation<V> {
        &self.found
    }

    fn found_mut(&mut self) -> &mut BodySeparation<V> {
        &mut self.found
    }
}

/// Why a batch of questions was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// What all questions have in common is not valid.
    #[error("{0}")]
    All(QueryError),
    /// One of the questions is not valid.
    #[error("question {question}: {error}")]
    One {
        /// The place of the question in the batch: the first that is not valid.
        question: usize,
        /// What is wrong with it.
        error: QueryError,
    },
}

impl<V: Vector> Query<'_, V> {
    /// The first hit of each ray, in the order of the rays: 100,000 rays of a lidar are one call. The answers are those of
    /// [`Query::cast_ray`], bit for bit, with any number of threads.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Ray, RayOptions, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// world.insert(Body::fixed(Shape::ball(1.0)?, Pose::from_translation(Vec2::new(3.0, 0.0))))?;
    /// let rays = [Ray::new(Vec2::ZERO, Vec2::X)?, Ray::new(Vec2::ZERO, Vec2::Y)?];
    /// let hits = world.query().cast_ray_each(&rays, RayOptions::default())?;
    /// assert_eq!(hits[0].map(|found| found.hit.distance), Some(2.0));
    /// assert!(hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    pub fn cast_ray_each(
        &self,
        rays: &[Ray<V>],
        options: RayOptions,
    ) -> Result<Vec<Option<BodyRayHit<V>>>, BatchError> {
        listed(|hits| self.cast_ray_each_into(rays, options, hits))
    }

    /// [`Query::cast_ray_each`] into a list of yours.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    pub fn cast_ray_each_into(
        &self,
        rays: &[Ray<V>],
        options: RayOptions,
        hits: &mut Vec<Option<BodyRayHit<V>>>,
    ) -> Result<(), BatchError> {
        options.check().map_err(BatchError::All)?;
        cast_rays(self.world, rays, options, &self.filter, hits);
        Ok(())
    }

    /// The bodies nearest to each point, sorted by question, and for each question the nearest first. The answers are those of
    /// [`Query::nearest_to_point`], bit for bit, with any number of threads. Points of either precision will do.
    ///
    /// ```
    /// use clearance::dim2::{Body, Nearest, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let well = Body::fixed(Shape::ball(1.0)?, Pose::from_translation(Vec2::new(5.0, 0.0)));
    /// let well = world.insert(well)?;
    /// // Who of the flock is near enough to drink?
    /// let flock = [Vec2::new(9.0, 0.0), Vec2::new(5.0, 3.0), Vec2::new(7.5, 0.0)];
    /// let found = world.query().nearest_to_point_each(&flock, Nearest { count: 1, within: 2.0 })?;
    /// let near: Vec<_> = found.iter().map(|near| (near.question, near.found.body)).collect();
    /// assert_eq!(near, [(1, well), (2, well)]);
    /// assert_eq!(found[1].found.separation.distance, 1.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A point that is not finite, or a `within` that is NaN.
    pub fn nearest_to_point_each<P: Copy + Into<V::Precise> + Sync>(
        &self,
        points: &[P],
        nearest: Nearest,
    ) -> Result<Vec<BatchSeparation<V>>, BatchError> {
        listed(|found| self.nearest_to_point_each_into(points, nearest, found))
    }

    /// [`Query::nearest_to_point_each`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::nearest_to_point_each`].
    pub fn nearest_to_point_each_into<P: Copy + Into<V::Precise> + Sync>(
        &self,
        points: &[P],
        nearest: Nearest,
        found: &mut Vec<BatchSeparation<V>>,
    ) -> Result<(), BatchError> {
        check_each(nearest.within, points, |point| {
            check_point::<V>((*point).into())
        })?;
        let point = |question: usize| points[question].into();
        nearest_to_points(
            self.world,
            (points.len(), &point),
            nearest,
            &self.filter,
            found,
        );
        Ok(())
    }

    /// The bodies nearest to each placed shape, sorted by question, and for each question the nearest first. The answers are
    /// those of [`Query::nearest`], bit for bit, with any number of threads.
    ///
    /// # Errors
    /// A pose that is not valid, or a `within` that is NaN.
    pub fn nearest_each(
        &self,
        shapes: &[Placed<'_, V>],
        nearest: Nearest,
    ) -> Result<Vec<BatchSeparation<V>>, BatchError> {
        listed(|found| self.nearest_each_into(shapes, nearest, found))
    }

    /// [`Query::nearest_each`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::nearest_each`].
    pub fn nearest_each_into(
        &self,
        shapes: &[Placed<'_, V>],
        nearest: Nearest,
        found: &mut Vec<BatchSeparation<V>>,
    ) -> Result<(), BatchError> {
        check_each(nearest.within, shapes, |a| check_side(a, 0.0))?;
        nearest_to_shapes(self.world, shapes, nearest, &self.filter, found);
        Ok(())
    }

    /// The bodies within a distance of each point, sorted by question and body. The answers are those of
    /// [`Query::near_point`], bit for bit, with any number of threads. Points of either precision will do.
    ///
    /// # Errors
    /// A point that is not finite, or a `within` that is NaN.
    pub fn near_point_each<P: Copy + Into<V::Precise> + Sync>(
        &self,
        points: &[P],
        within: Real,
    ) -> Result<Vec<BatchSeparation<V>>, BatchError> {
        listed(|found| self.near_point_each_into(points, within, found))
    }

    /// [`Query::near_point_each`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::near_point_each`].
    pub fn near_point_each_into<P: Copy + Into<V::Precise> + Sync>(
        &self,
        points: &[P],
        within: Real,
        found: &mut Vec<BatchSeparation<V>>,
    ) -> Result<(), BatchError> {
        check_each(within, points, |point| check_point::<V>((*point).into()))?;
        let point = |question: usize| points[question].into();
        bodies_near_points(
            self.world,
            (points.len(), &point),
            within,
            &self.filter,
            found,
        );
        Ok(())
    }

    /// The bodies within a distance of each placed shape, sorted by question and body. The answers are those of
    /// [`Query::near`], bit for bit, with any number of threads.
    ///
    /// # Errors
    /// A pose that is not valid, or a `within` that is NaN.
    pub fn near_each(
        &self,
        shapes: &[Placed<'_, V>],
        within: Real,
    ) -> Result<Vec<BatchSeparation<V>>, BatchError> {
        listed(|found| self.near_each_into(shapes, within, found))
    }

    /// [`Query::near_each`] into a list of yours.
    ///
    /// # Errors
    /// As [`Query::near_each`].
    pub fn near_each_into(
        &self,
        shapes: &[Placed<'_, V>],
        within: Real,
        found: &mut Vec<BatchSeparation<V>>,
    ) -> Result<(), BatchError> {
        check_each(within, shapes, |a| check_side(a, 0.0))?;
        bodies_near_shapes(self.world, shapes, within, &self.filter, found);
        Ok(())
    }
}

impl<V: Vector> World<V> {
    /// Replaces the contents of `found` by what `answer` appends for each of so many questions.
    fn answer_each(
        &self,
        questions: usize,
        found: &mut Vec<BatchSeparation<V>>,
        answer: &Answer<'_, V>,
    ) {
        let mut results = OrderedResults::in_chunks_of(IN_CHUNKS_OF);
        core::mem::swap(&mut results.items, found);
        // As many keys as there are old answers, so that new ones go into their places.
        results.keys.resize(results.items.len(), ());
        let work = |questions: Range<usize>, found: &mut Vec<BatchSeparation<V>>| {
            for question in questions {
                answer(question, found);
            }
        };
        (self.threads).gather(questions, &mut results, &work, |_| ());
        *found = results.items;
    }

    fn append_near(
        &self,
        a: Placed<'_, V>,
        near: &Near<'_, V>,
        found: &mut Vec<BatchSeparation<V>>,
    ) {
        let first = found.len();
        let question = near.question;
        self.for_each_near(a, near.within, near.filter, &mut |near| {
            found.push(BatchSeparation {
                question,
                found: near,
            });
        });
        heap_sort(&mut found[first..], |a, b| a.found.body < b.found.body);
    }
}

/// Appends the answers to the question at a place.
type Answer<'a, V> = dyn Fn(usize, &mut Vec<BatchSeparation<V>>) + Sync + 'a;

/// How many points there are, and the one at a place, in double precision.
type Points<'a, V> = (usize, &'a (dyn Fn(usize) -> <V as Vector>::Precise + Sync));

/// What is asked about one of many shapes.
struct Near<'a, V: Vector> {
    question: usize,
    within: Real,
    filter: &'a Filter<'a, V>,
}

fn check_each<Q>(
    within: Real,
    questions: &[Q],
    check: impl Fn(&Q) -> Result<(), QueryError>,
) -> Result<(), BatchError> {
    if within.is_nan() {
        return Err(BatchError::All(QueryError::Range));
    }
    for (question, asked) in questions.iter().enumerate() {
        check(asked).map_err(|error| BatchError::One { question, error })?;
    }
    Ok(())
}

compile_once! {
    fn cast_rays<'a, V>(
        world: &'a World<V>,
        rays: &'a [Ray<V>],
        options: RayOptions,
        filter: &'a Filter<'a, V>,
        hits: &'a mut Vec<Option<BodyRayHit<V>>>,
    ) {
        world.threads.answer(rays, hits, None, |ray, hit| {
            *hit = first_hit(world, ray, options, filter);
        });
    }
}

compile_once! {
    fn nearest_to_points<'a, V>(
        world: &'a World<V>,
        points: Points<'a, V>,
        nearest: Nearest,
        filter: &'a Filter<'a, V>,
        found: &'a mut Vec<BatchSeparation<V>>,
    ) {
        let (shape, (count, point)) = (point_shape(), points);
        world.answer_each(count, found, &|question, found| {
            let pose = Pose::from_translation(point(question));
            let search = Search { a: Placed::new(&shape, &pose), nearest, filter };
            world.append_nearest(&search, found, |found| BatchSeparation { question, found });
        });
    }
}

compile_once! {
    fn nearest_to_shapes<'a, V>(
        world: &'a World<V>,
        shapes: &'a [Placed<'a, V>],
        nearest: Nearest,
        filter: &'a Filter<'a, V>,
        found: &'a mut Vec<BatchSeparation<V>>,
    ) {
        world.answer_each(shapes.len(), found, &|question, found| {
            let search = Search { a: shapes[question], nearest, filter };
            world.append_nearest(&search, found, |found| BatchSeparation { question, found });
        });
    }
}

compile_once! {
    fn bodies_near_points<'a, V>(
        world: &'a World<V>,
        points: Points<'a, V>,
        within: Real,
        filter: &'a Filter<'a, V>,
        found: &'a mut Vec<BatchSeparation<V>>,
    ) {
        let (shape, (count, point)) = (point_shape(), points);
        world.answer_each(count, found, &|question, found| {
            let near = Near { question, within, filter };
            let pose = Pose::from_translation(point(question));
            world.append_near(Placed::new(&shape, &pose), &near, found);
        });
    }
}

compile_once! {
    fn bodies_near_shapes<'a, V>(
        world: &'a World<V>,
        shapes: &'a [Placed<'a, V>],
        within: Real,
        filter: &'a Filter<'a, V>,
        found: &'a mut Vec<BatchSeparation<V>>,
    ) {
        world.answer_each(shapes.len(), found, &|question, found| {
            world.append_near(shapes[question], &Near { question, within, filter }, found);
        });
    }
}
