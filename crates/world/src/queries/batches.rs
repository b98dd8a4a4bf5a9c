//! Many queries at once, on all threads of the world.

use clearance_gjk::{QueryError, RayOptions};
use clearance_math::{Ray, Vector, compile_once};

use super::rays::first_hit;
use crate::{BodyRayHit, QueryFilter, World};

impl<V: Vector> World<V> {
    /// Replaces the contents of `hits` by the first hit of each ray, in the order of the rays: 100,000
    /// rays of a lidar are one call. The answers are those of [`World::cast_ray`], bit for bit, with any
    /// number of threads.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, QueryFilter, Ray, RayOptions, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// world.insert(Body::fixed(Shape::ball(1.0)?, Pose::from_translation(Vec2::new(3.0, 0.0))))?;
    /// let rays = [Ray::new(Vec2::ZERO, Vec2::X)?, Ray::new(Vec2::ZERO, Vec2::Y)?];
    /// let mut hits = Vec::new();
    /// world.cast_rays(&rays, RayOptions::default(), &QueryFilter::default(), &mut hits)?;
    /// assert_eq!(hits[0].map(|found| found.hit.distance), Some(2.0));
    /// assert!(hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN; then `hits` is left as it is.
    pub fn cast_rays(
        &self,
        rays: &[Ray<V>],
        options: RayOptions,
        filter: &QueryFilter<'_, V>,
        hits: &mut Vec<Option<BodyRayHit<V>>>,
    ) -> Result<(), QueryError> {
        options.check()?;
        cast_rays(self, rays, options, filter, hits);
        Ok(())
    }
}

compile_once! {
    fn cast_rays<'a, V>(
        world: &'a World<V>,
        rays: &'a [Ray<V>],
        options: RayOptions,
        filter: &'a QueryFilter<'a, V>,
        hits: &'a mut Vec<Option<BodyRayHit<V>>>,
    ) {
        hits.clear();
        world.threads.fill(rays, hits, None, |ray, hit| {
            *hit = first_hit(world, ray, options, filter);
        });
    }
}
