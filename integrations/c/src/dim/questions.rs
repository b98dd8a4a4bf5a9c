//! Questions about a world, one at a time.

use super::access::{ask, shape};
use super::only::{DIM, Precise, V, engine};
use super::{
    BodyCastHit, BodyCastHitList, BodyNear, BodyNearList, BodyRayHit, BodyRayHitList, Bounds, Cast,
    ConstWorldHandle, Placed, Ray,
};
use crate::border::{In, Out, Outcome, Status, calls};
use crate::common::{
    CastOptions, Filter, IdList, Nearest, RayOptions, check_size, id_of, number_of,
};

/// Asks a world about what a filter leaves.
#[inline]
pub(crate) fn ask_about(
    world: ConstWorldHandle,
    filter: In<Filter>,
    question: impl FnOnce(engine::Query<'_>) -> Outcome,
) -> Status {
    if filter.is_null() {
        return ask(world, |inner| question(inner.world.query()));
    }
    ask(world, |inner| {
        let filter = *filter.one("filter")?;
        check_size::<Filter>(filter.size, "filter")?;
        let exclude = filter
            .exclude
            .array(filter.exclude_count, "filter.exclude")?;
        let exclude: Vec<_> = exclude.iter().copied().map(id_of).collect();
        let (context, of_body, of_part) = (filter.context, filter.accepts, filter.accepts_part);
        let accepts = |body: engine::BodyRef<'_>| {
            let (id, user_data) = (number_of(body.id()), body.user_data());
            of_body.is_none_or(|accepts| accepts(context, id, user_data, 0))
        };
        let parts = |body: engine::BodyRef<'_>, part: u32| {
            let (id, user_data) = (number_of(body.id()), body.user_data());
            of_part.is_none_or(|accepts| accepts(context, id, user_data, part))
        };
        let query = inner.world.query().groups(filter.groups.read());
        let mut query = query.exclude(&exclude);
        if of_body.is_some() {
            query = query.predicate(&accepts);
        }
        if of_part.is_some() {
            query = query.parts(&parts);
        }
        question(query)
    })
}

impl Ray {
    #[inline]
    pub(crate) fn read(&self) -> Outcome<engine::Ray> {
        let origin = Precise::from_array(self.origin);
        Ok(engine::Ray::new(origin, V::from_array(self.direction))?)
    }
}

/// A shape of C with its pose, for as long as a call runs.
pub(crate) struct Owned {
    shape: engine::Shape,
    pose: engine::Pose,
}

impl Owned {
    pub(crate) fn placed(&self) -> engine::Placed<'_> {
        engine::Placed::new(&self.shape, &self.pose)
    }
}

impl Placed {
    pub(crate) fn read(&self) -> Outcome<Owned> {
        let (pose, shape) = (self.pose.read()?, shape(self.shape)?);
        Ok(Owned { shape, pose })
    }
}

impl Cast {
    pub(crate) fn read(&self) -> Outcome<(Owned, engine::Motion)> {
        let engine::Velocity { linear, angular } = self.motion.read();
        let (pose, shape) = (self.pose.read()?, shape(self.shape)?);
        Ok((Owned { shape, pose }, engine::Motion { linear, angular }))
    }
}

impl BodyRayHit {
    #[inline]
    pub(crate) fn of_body(found: Option<&engine::BodyRayHit>) -> Self {
        found.map_or_else(Self::miss, |found| Self {
            body: number_of(found.body),
            ..Self::of(&found.hit)
        })
    }
}

impl BodyCastHit {
    pub(crate) fn of_body(found: Option<&engine::BodyCastHit>) -> Self {
        found.map_or_else(Self::miss, |found| Self {
            body: number_of(found.body),
            ..Self::of_hit(&found.hit)
        })
    }
}

impl BodyNear {
    pub(crate) fn of_body(question: usize, found: &engine::BodySeparation) -> Self {
        Self {
            question: question as u64,
            body: number_of(found.body),
            ..Self::of(&found.separation)
        }
    }
}

calls! {
    /// The first body that a ray hits; of bodies hit at one distance, the one with the smallest id. The `body` of the hit is 0 if there is none.
    about world_cast_ray(ray: In<Ray>, options: In<RayOptions>, filter: In<Filter>, hit: Out<BodyRayHit>) |query, filter| {
        let (ray, options) = (ray.one("ray")?.read()?, RayOptions::read(options)?);
        let found = query.cast_ray(&ray, options)?;
        hit.set(BodyRayHit::of_body(found.as_ref()), "hit")
    }

    /// All bodies that a ray hits, the nearest first.
    about world_cast_ray_all(ray: In<Ray>, options: In<RayOptions>, filter: In<Filter>, list: Out<BodyRayHitList>) |query, filter| {
        let (ray, options) = (ray.one("ray")?.read()?, RayOptions::read(options)?);
        let hits = query.cast_ray_all(&ray, options)?;
        BodyRayHitList::fill(list, hits.iter().map(|hit| BodyRayHit::of_body(Some(hit))))
    }

    /// All parts of bodies that a ray hits, such as each triangle of a mesh, the nearest first.
    about world_cast_ray_all_parts(ray: In<Ray>, options: In<RayOptions>, filter: In<Filter>, list: Out<BodyRayHitList>) |query, filter| {
        let (ray, options) = (ray.one("ray")?.read()?, RayOptions::read(options)?);
        let hits = query.cast_ray_parts(&ray, options)?;
        BodyRayHitList::fill(list, hits.iter().map(|hit| BodyRayHit::of_body(Some(hit))))
    }

    /// Whether a ray hits any body: faster than to ask which.
    about world_ray_hits_any(ray: In<Ray>, options: In<RayOptions>, filter: In<Filter>, hits: Out<bool>) |query, filter| {
        let (ray, options) = (ray.one("ray")?.read()?, RayOptions::read(options)?);
        hits.set(query.cast_ray_any(&ray, options)?, "hits")
    }

    /// The first body that a shape in motion meets, while the bodies rest; of bodies met at one time, the one with the smallest id. The `body`
    /// of the hit is 0 if there is none.
    about world_cast_shape(cast: In<Cast>, options: In<CastOptions>, filter: In<Filter>, hit: Out<BodyCastHit>) |query, filter| {
        let (side, motion) = cast.one("cast")?.read()?;
        let cast = engine::Cast::new(side.placed(), motion);
        let found = query.cast_shape(cast, CastOptions::read(options)?)?;
        hit.set(BodyCastHit::of_body(found.as_ref()), "hit")
    }

    /// All bodies that a shape in motion meets, each for itself, in order of time.
    about world_cast_shape_all(cast: In<Cast>, options: In<CastOptions>, filter: In<Filter>, list: Out<BodyCastHitList>) |query, filter| {
        let (side, motion) = cast.one("cast")?.read()?;
        let cast = engine::Cast::new(side.placed(), motion);
        let hits = query.cast_shape_all(cast, CastOptions::read(options)?)?;
        BodyCastHitList::fill(list, hits.iter().map(|hit| BodyCastHit::of_body(Some(hit))))
    }

    /// Whether a shape in motion meets any body: faster than to ask which.
    about world_cast_meets_any(cast: In<Cast>, options: In<CastOptions>, filter: In<Filter>, meets: Out<bool>) |query, filter| {
        let (side, motion) = cast.one("cast")?.read()?;
        let cast = engine::Cast::new(side.placed(), motion);
        let found = query.cast_shape_any(cast, CastOptions::read(options)?)?;
        meets.set(found, "meets")
    }

    /// The bodies within a signed distance of a placed shape, sorted by id. With 0 for `within` these are the bodies that it overlaps or touches.
    about world_near_shape(placed: In<Placed>, within: f32, filter: In<Filter>, list: Out<BodyNearList>) |query, filter| {
        let side = placed.one("placed")?.read()?;
        let found = query.near(side.placed(), within)?;
        BodyNearList::fill(list, found.iter().map(|near| BodyNear::of_body(0, near)))
    }

    /// The bodies within a signed distance of a point, sorted by id. With 0 for `within` these are the bodies that contain it.
    about world_near_point(point: In<[f64; DIM]>, within: f32, filter: In<Filter>, list: Out<BodyNearList>) |query, filter| {
        let point = Precise::from_array(*point.one("point")?);
        let found = query.near_point(point, within)?;
        BodyNearList::fill(list, found.iter().map(|near| BodyNear::of_body(0, near)))
    }

    /// So many bodies that are nearest to a placed shape, the nearest first; those that overlap it have negative distances.
    about world_nearest_to_shape(placed: In<Placed>, nearest: Nearest, filter: In<Filter>, list: Out<BodyNearList>) |query, filter| {
        let side = placed.one("placed")?.read()?;
        let found = query.nearest(side.placed(), nearest.read())?;
        BodyNearList::fill(list, found.iter().map(|near| BodyNear::of_body(0, near)))
    }

    /// So many bodies that are nearest to a point, the nearest first.
    about world_nearest_to_point(point: In<[f64; DIM]>, nearest: Nearest, filter: In<Filter>, list: Out<BodyNearList>) |query, filter| {
        let point = Precise::from_array(*point.one("point")?);
        let found = query.nearest_to_point(point, nearest.read())?;
        BodyNearList::fill(list, found.iter().map(|near| BodyNear::of_body(0, near)))
    }

    /// The bodies whose bounding boxes overlap a box, sorted by id.
    ask world_in_box(bounds: In<Bounds>, list: Out<IdList>) |inner| {
        let Bounds { min, max } = *bounds.one("bounds")?;
        let bounds = engine::Aabb::new(V::from_array(min), V::from_array(max));
        let found = inner.world.query().in_box(&bounds);
        IdList::fill(list, found.into_iter().map(number_of))
    }
}
