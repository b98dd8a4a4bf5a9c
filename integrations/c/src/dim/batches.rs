//! Many questions about a world in one call, on all of its threads. The answers are those of single questions, bit for bit.

use super::only::{DIM, Precise, engine};
use super::questions::{Owned, ask_about};
use super::{BodyCastHit, BodyNear, BodyNearList, BodyRayHit, Cast, ConstWorldHandle, Placed, Ray};
use crate::border::{In, Out, Outcome, Status, calls};
use crate::common::{CastOptions, Filter, Nearest, RayOptions};

/// What each item of an array stands for; a refusal names the item.
fn read_each<T: Copy, R>(
    items: &[T],
    name: &str,
    read: impl Fn(&T) -> Outcome<R>,
) -> Outcome<Vec<R>> {
    let items = items.iter().enumerate();
    let read =
        items.map(|(place, item)| read(item).map_err(|problem| problem.of_item(name, place)));
    read.collect()
}

calls! {
    /// The first body that each ray hits: `hits` has room for one for each ray.
    about world_cast_rays(rays: In<Ray>, count: usize, options: In<RayOptions>, filter: In<Filter>, hits: Out<BodyRayHit>) |inner, filter| {
        let room = hits.array(count, "hits")?;
        let rays = read_each(rays.array(count, "rays")?, "rays", Ray::read)?;
        let (options, mut found) = (RayOptions::read(options)?, Vec::new());
        inner.world.cast_rays(&rays, options, filter, &mut found)?;
        room.fill(found.iter().map(|hit| BodyRayHit::of_body(hit.as_ref())));
        Ok(())
    }

    /// The first body that each shape in motion meets: `hits` has room for one for each cast.
    about world_cast_shapes(casts: In<Cast>, count: usize, options: In<CastOptions>, filter: In<Filter>, hits: Out<BodyCastHit>) |inner, filter| {
        let room = hits.array(count, "hits")?;
        let owned = read_each(casts.array(count, "casts")?, "casts", Cast::read)?;
        let casts = owned.iter();
        let casts = casts.map(|(side, motion)| engine::Cast::new(side.placed(), *motion));
        let casts: Vec<_> = casts.collect();
        let (options, mut found) = (CastOptions::read(options)?, Vec::new());
        inner.world.cast_shapes(&casts, options, filter, &mut found)?;
        room.fill(found.iter().map(|hit| BodyCastHit::of_body(hit.as_ref())));
        Ok(())
    }

    /// The bodies within a signed distance of each placed shape, sorted by `question`, which counts the shapes, and id.
    call world_near_shapes(world: ConstWorldHandle, placed: In<Placed>, count: usize, within: f32, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |inner, filter, found| {
            let owned = read_each(placed.array(count, "placed")?, "placed", Placed::read)?;
            let placed: Vec<_> = owned.iter().map(Owned::placed).collect();
            Ok(inner.bodies_near_shapes(&placed, within, filter, found)?)
        })
    }

    /// The bodies within a signed distance of each point, sorted by `question`, which counts the points, and id.
    call world_near_points(world: ConstWorldHandle, points: In<[f64; DIM]>, count: usize, within: f32, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |inner, filter, found| {
            let points = precise(points.array(count, "points")?);
            Ok(inner.bodies_near_points(&points, within, filter, found)?)
        })
    }

    /// So many bodies that are nearest to each placed shape, sorted by `question`, which counts the shapes, and distance.
    call world_nearest_to_shapes(world: ConstWorldHandle, placed: In<Placed>, count: usize, nearest: Nearest, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |inner, filter, found| {
            let owned = read_each(placed.array(count, "placed")?, "placed", Placed::read)?;
            let placed: Vec<_> = owned.iter().map(Owned::placed).collect();
            Ok(inner.nearest_to_shapes(&placed, nearest.read(), filter, found)?)
        })
    }

    /// So many bodies that are nearest to each point, sorted by `question`, which counts the points, and distance.
    call world_nearest_to_points(world: ConstWorldHandle, points: In<[f64; DIM]>, count: usize, nearest: Nearest, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |inner, filter, found| {
            let points = precise(points.array(count, "points")?);
            Ok(inner.nearest_to_points(&points, nearest.read(), filter, found)?)
        })
    }
}

fn precise(points: &[[f64; DIM]]) -> Vec<Precise> {
    points.iter().copied().map(Precise::from_array).collect()
}

/// Asks for bodies that are near, and writes them.
fn near(
    world: ConstWorldHandle,
    filter: In<Filter>,
    list: Out<BodyNearList>,
    question: impl FnOnce(
        &engine::World,
        &engine::QueryFilter<'_>,
        &mut Vec<engine::BatchSeparation>,
    ) -> Outcome,
) -> Status {
    ask_about(world, filter, |inner, filter| {
        let mut found = Vec::new();
        question(&inner.world, filter, &mut found)?;
        let rows = found
            .iter()
            .map(|near| BodyNear::of_body(near.question, &near.found));
        BodyNearList::fill(list, rows)
    })
}
