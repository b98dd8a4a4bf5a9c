//! Rays against the bodies.

use clearance_broadphase::BroadPhase;
use clearance_gjk::internal::{Ball, ball_hit_by_ray, ray_surely_passes};
use clearance_gjk::{
    Placed, QueryError, RayHit, RayOptions, all_hits_by_ray, hit_by_ray, is_hit_by_ray,
};
use clearance_math::internal::heap_sort;
use clearance_math::{PreciseVector, Ray, Real, Vector, compile_once};

use super::query::{Filter, Query, listed};
use crate::{BodyId, World};

/// Where a ray hits a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyRayHit<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// The distance with its bounds, the point, the normal, and the part of the body's shape.
    pub hit: RayHit<V>,
}

impl<V: Vector> Query<'_, V> {
    /// The first body that a ray hits. Of bodies hit at one distance it is the one with the smallest id.
    ///
    /// The answer is the least of those of [`cast_ray`](clearance_gjk::cast_ray) for each body. Cost: a
    /// search of the broad phase, and a test of the bounding sphere of each body that changed since the last step or
    /// [`World::refresh`].
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Ray, RayOptions, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let wall = Shape::cuboid(Vec2::new(0.5, 4.0))?;
    /// let wall = world.insert(Body::fixed(wall, Pose::from_translation(Vec2::new(5.0, 0.0))))?;
    /// let ray = Ray::new(Vec2::ZERO, Vec2::X)?;
    /// let first = world.query().cast_ray(&ray, RayOptions::default())?.unwrap();
    /// assert_eq!((first.body, first.hit.distance, first.hit.normal), (wall, 4.5, Some(-Vec2::X)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    #[doc(alias("raycast", "ray_cast"))]
    pub fn cast_ray(
        &self,
        ray: &Ray<V>,
        options: RayOptions,
    ) -> Result<Option<BodyRayHit<V>>, QueryError> {
        options.check()?;
        Ok(first_hit(self.world, ray, options, &self.filter))
    }

    /// The hits of all bodies on the ray, one a body, sorted by (distance, body).
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    #[doc(alias("raycast_all", "intersect_ray"))]
    pub fn cast_ray_all(
        &self,
        ray: &Ray<V>,
        options: RayOptions,
    ) -> Result<Vec<BodyRayHit<V>>, QueryError> {
        listed(|hits| self.cast_ray_all_into(ray, options, hits))
    }

    /// [`Query::cast_ray_all`] into a list of yours.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    pub fn cast_ray_all_into(
        &self,
        ray: &Ray<V>,
        options: RayOptions,
        hits: &mut Vec<BodyRayHit<V>>,
    ) -> Result<(), QueryError> {
        options.check()?;
        all_hits(self.world, ray, options, &self.filter, hits);
        Ok(())
    }

    /// What the ray hits of all parts of all bodies, one hit a part, sorted by (distance, body, fronts before backs, part): for
    /// a bullet that goes through walls, or for how thick a closed mesh is. With
    /// [`BackFaces::Hit`](clearance_gjk::BackFaces::Hit), hits of closed meshes come in pairs of front and back.
    ///
    /// The answer is that of [`cast_ray_all_into`](clearance_gjk::cast_ray_all_into) for each body.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    #[doc(alias = "penetration_ray")]
    pub fn cast_ray_parts(
        &self,
        ray: &Ray<V>,
        options: RayOptions,
    ) -> Result<Vec<BodyRayHit<V>>, QueryError> {
        listed(|hits| self.cast_ray_parts_into(ray, options, hits))
    }

    /// [`Query::cast_ray_parts`] into a list of yours.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    pub fn cast_ray_parts_into(
        &self,
        ray: &Ray<V>,
        options: RayOptions,
        hits: &mut Vec<BodyRayHit<V>>,
    ) -> Result<(), QueryError> {
        options.check()?;
        all_hits_of_parts(self.world, ray, options, &self.filter, hits);
        Ok(())
    }

    /// Whether a ray hits any body. Faster than asking for the first one, since it ends with whichever is
    /// found.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    #[doc(alias("line_of_sight", "raycast_any"))]
    pub fn cast_ray_any(&self, ray: &Ray<V>, options: RayOptions) -> Result<bool, QueryError> {
        options.check()?;
        Ok(any_hit(self.world, ray, options, &self.filter))
    }
}

/// A ray as the broad phase is asked about it.
///
/// Its direction is scaled by a power of two to a length from one to four: the parameters of a direction
/// that is much longer or shorter would be outside of the range of numbers. That rounds nothing but
/// components that are less than 1e-37 of the longest one.
struct Scaled<V> {
    direction: V,
    length: f64,
}

impl<V: Vector> Scaled<V> {
    fn new(ray: &Ray<V>) -> Self {
        let direction = ray.direction().to_precise();
        let longest = (0..V::DIM).fold(0.0, |most: f64, k| direction.component(k).abs().max(most));
        // The exponent of a finite number of double precision, which is not zero or subnormal, since no
        // component of single precision is subnormal in double precision.
        let exponent = ((longest.to_bits() >> 52) & 0x7FF) as i64 - 1023;
        let scale = f64::from_bits(((1023 - exponent) as u64) << 52);
        let scaled = direction * scale;
        let length = scaled.length();
        Self {
            direction: V::from_precise(scaled),
            length,
        }
    }

    /// The parameter for a distance, rounded up.
    fn parameter(&self, distance: Real) -> Real {
        let parameter = f64::from(distance) / self.length * (1.0 + f64::from(Real::EPSILON));
        (parameter as Real).next_up()
    }
}

/// The shape of a body that may be on a ray.
enum Target<'a, V: Vector> {
    /// A ball, which is known without reading the shape.
    Ball(Ball<V>),
    /// Any shape.
    Shape(Placed<'a, V>),
}

impl<V: Vector> Target<'_, V> {
    #[inline]
    fn hit(&self, ray: &Ray<V>, options: RayOptions) -> Option<RayHit<V>> {
        match self {
            Self::Ball(ball) => ball_hit_by_ray(ray, *ball, options),
            Self::Shape(placed) => hit_by_ray(ray, *placed, options),
        }
    }

    fn is_hit(&self, ray: &Ray<V>, options: RayOptions) -> bool {
        match self {
            Self::Ball(ball) => ball_hit_by_ray(ray, *ball, options).is_some(),
            Self::Shape(placed) => is_hit_by_ray(ray, *placed, options),
        }
    }

    /// Whether a limit that is beyond the hit may change its bits.
    fn depends_on_limit(&self) -> bool {
        matches!(self, Self::Shape(_))
    }
}

impl<V: Vector> World<V> {
    /// Visits the bodies that the filter accepts and whose boxes the ray enters, the nearer ones first as far as the broad
    /// phase knows, and before them all bodies that changed. `visit` returns up to which distance to go on.
    #[inline]
    fn for_each_on_ray(
        &self,
        (ray, max_distance): (&Ray<V>, Real),
        filter: &Filter<'_, V>,
        visit: &mut impl FnMut(usize, &Target<'_, V>) -> Real,
    ) {
        let mut most = max_distance;
        for slot in self.bodies.stale() {
            if most >= 0.0
                && let Some(met) = self.visit_on_ray(ray, filter, slot, visit)
            {
                most = most.min(met);
            }
        }
        if most < 0.0 {
            return;
        }
        let scaled = Scaled::new(ray);
        self.space
            .for_each_piece(ray, scaled.direction, &mut |piece| {
                let mut limit = piece.limit(scaled.parameter(most));
                self.broad_phase
                    .query_ray(&piece.line, limit, &mut |key, _| {
                        if most >= 0.0
                            && self.is_unchanged(key as usize)
                            && let Some(met) = self.visit_on_ray(ray, filter, key as usize, visit)
                        {
                            let nearest = most.min(met);
                            if nearest < 0.0 {
                                limit = -1.0;
                            } else if nearest < most {
                                limit = piece.limit(scaled.parameter(nearest));
                            }
                            most = nearest;
                        }
                        limit
                    });
                most >= 0.0 && piece.to < f64::from(scaled.parameter(most))
            });
    }

    /// Visits a body, unless the ray is proven to pass its bounding sphere, or the filter refuses it.
    ///
    /// Where there are many bodies, most of the time goes into reading from memory. So the shape of a body
    /// that the ray passes is not read, nor that of a ball.
    #[inline]
    fn visit_on_ray(
        &self,
        ray: &Ray<V>,
        filter: &Filter<'_, V>,
        slot: usize,
        visit: &mut impl FnMut(usize, &Target<'_, V>) -> Real,
    ) -> Option<Real> {
        let columns = &self.bodies.columns;
        let (sphere, pose) = (
            columns.shapes.bounding_spheres()[slot],
            &columns.poses[slot],
        );
        if ray_surely_passes(ray, pose.position(), sphere.radius.into()) {
            return None;
        }
        if sphere.is_ball {
            let ball = Target::Ball(Ball {
                center: pose.position(),
                radius: sphere.radius,
            });
            return filter.accepts(self, slot).then(|| visit(slot, &ball));
        }
        filter.ask((self, slot), self.bodies.placed(slot)?, |placed| {
            visit(slot, &Target::Shape(placed))
        })
    }

    fn collect_hits(
        &self,
        (ray, options): (&Ray<V>, RayOptions),
        filter: &Filter<'_, V>,
        each_of: impl Fn(&Target<'_, V>, &mut dyn FnMut(RayHit<V>)),
        hits: &mut Vec<BodyRayHit<V>>,
    ) {
        hits.clear();
        self.for_each_on_ray((ray, options.max_distance), filter, &mut |slot, target| {
            let body = self.bodies.id(slot);
            each_of(target, &mut |hit| hits.push(BodyRayHit { body, hit }));
            options.max_distance
        });
        heap_sort(hits, |a, b| {
            let distances = a.hit.distance.total_cmp(&b.hit.distance);
            let key = |found: &BodyRayHit<V>| (found.body, found.hit.is_back_face, found.hit.part);
            distances.then_with(|| key(a).cmp(&key(b))).is_lt()
        });
        // A body on several pieces of the ray is found again.
        hits.dedup_by_key(|found| (found.body, found.hit.part));
    }
}

/// By what hits are ordered.
fn key<V: Vector>(found: &BodyRayHit<V>) -> (Real, BodyId) {
    (found.hit.distance, found.body)
}

compile_once! {
    /// The implementation of [`Query::cast_ray`].
    pub(super) fn first_hit<'a, V>(
        world: &'a World<V>,
        ray: &'a Ray<V>,
        options: RayOptions,
        filter: &'a Filter<'a, V>,
    ) -> Option<BodyRayHit<V>> {
        let mut first: Option<BodyRayHit<V>> = None;
        let mut is_final = false;
        let asked = (ray, options.max_distance);
        world.for_each_on_ray(asked, filter, &mut |slot, target| {
            let most = first.map_or(options.max_distance, |first| first.hit.distance);
            let nearer = options.up_to(most);
            if let Some(hit) = target.hit(ray, nearer) {
                let found = BodyRayHit {
                    body: world.bodies.id(slot),
                    hit,
                };
                if first.is_none_or(|first| key(&found) < key(&first)) {
                    first = Some(found);
                    is_final = nearer == options || !target.depends_on_limit();
                }
            }
            first.map_or(most, |first| first.hit.distance)
        });
        if is_final {
            return first;
        }
        // Asked again without the limit that other bodies set, so that the answer is that of this body
        // alone.
        first.map(|found| {
            let slot = found.body.index() as usize;
            let hit = world.bodies.placed(slot).and_then(|alone| {
                filter.ask((world, slot), alone, |alone| hit_by_ray(ray, alone, options))
            });
            BodyRayHit {
                hit: hit.flatten().unwrap_or(found.hit),
                ..found
            }
        })
    }
}

compile_once! {
    fn all_hits<'a, V>(
        world: &'a World<V>,
        ray: &'a Ray<V>,
        options: RayOptions,
        filter: &'a Filter<'a, V>,
        hits: &'a mut Vec<BodyRayHit<V>>,
    ) {
        let first_of = |target: &Target<'_, V>, found: &mut dyn FnMut(RayHit<V>)| {
            target.hit(ray, options).into_iter().for_each(found);
        };
        world.collect_hits((ray, options), filter, first_of, hits);
    }
}

compile_once! {
    fn all_hits_of_parts<'a, V>(
        world: &'a World<V>,
        ray: &'a Ray<V>,
        options: RayOptions,
        filter: &'a Filter<'a, V>,
        hits: &'a mut Vec<BodyRayHit<V>>,
    ) {
        let all_of = |target: &Target<'_, V>, found: &mut dyn FnMut(RayHit<V>)| match target {
            Target::Ball(_) => target.hit(ray, options).into_iter().for_each(found),
            Target::Shape(placed) => all_hits_by_ray(ray, *placed, options, found),
        };
        world.collect_hits((ray, options), filter, all_of, hits);
    }
}

compile_once! {
    fn any_hit<'a, V>(
        world: &'a World<V>,
        ray: &'a Ray<V>,
        options: RayOptions,
        filter: &'a Filter<'a, V>,
    ) -> bool {
        let mut is_hit = false;
        world.for_each_on_ray((ray, options.max_distance), filter, &mut |_, target| {
            is_hit = target.is_hit(ray, options);
            if is_hit { -1.0 } else { options.max_distance }
        });
        is_hit
    }
}
