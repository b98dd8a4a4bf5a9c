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
    about world_cast_rays(rays: In<Ray>, count: usize, options: In<RayOptions>, filter: In<Filter>, hits: Out<BodyRayHit>) |query, filter| {
        let room = hits.array(count, "hits")?;
        let rays = read_each(rays.array(count, "rays")?, "rays", Ray::read)?;
        let found = query.cast_ray_each(&rays, RayOptions::read(options)?)?;
        room.fill(found.iter().map(|hit| BodyRayHit::of_body(hit.as_ref())));
        Ok(())
    }

    /// The first body that each shape in motion meets: `hits` has room for one for each cast.
    about world_cast_shapes(casts: In<Cast>, count: usize, options: In<CastOptions>, filter: In<Filter>, hits: Out<BodyCastHit>) |query, filter| {
        let room = hits.array(count, "hits")?;
        let owned = read_each(casts.array(count, "casts")?, "casts", Cast::read)?;
        let casts = owned.iter();
        let casts = casts.map(|(side, motion)| engine::Cast::new(side.placed(), *motion));
        let casts: Vec<_> = casts.collect();
        let found = query.cast_shape_each(&casts, CastOptions::read(options)?)?;
        room.fill(found.iter().map(|hit| BodyCastHit::of_body(hit.as_ref())));
        Ok(())
    }

    /// The bodies within a signed distance of each placed shape, sorted by `question`, which counts the shapes, and id.
    call world_near_shapes(world: ConstWorldHandle, placed: In<Placed>, count: usize, within: f32, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |query| {
            let owned = read_each(placed.array(count, "placed")?, "placed", Placed::read)?;
            let placed: Vec<_> = owned.iter().map(Owned::placed).collect();
            Ok(query.near_each(&placed, within)?)
        })
    }

    /// The bodies within a signed distance of each point, sorted by `question`, which counts the points, and id.
    call world_near_points(world: ConstWorldHandle, points: In<[f64; DIM]>, count: usize, within: f32, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |query| {
            let points = precise(points.array(count, "points")?);
            Ok(query.near_point_each(&points, within)?)
        })
    }

    /// So many bodies that are nearest to each placed shape, sorted by `question`, which counts the shapes, and distance.
    call world_nearest_to_shapes(world: ConstWorldHandle, placed: In<Placed>, count: usize, nearest: Nearest, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |query| {
            let owned = read_each(placed.array(count, "placed")?, "placed", Placed::read)?;
            let placed: Vec<_> = owned.iter().map(Owned::placed).collect();
            Ok(query.nearest_each(&placed, nearest.read())?)
        })
    }

    /// So many bodies that are nearest to each point, sorted by `question`, which counts the points, and distance.
    call world_nearest_to_points(world: ConstWorldHandle, points: In<[f64; DIM]>, count: usize, nearest: Nearest, filter: In<Filter>, list: Out<BodyNearList>) -> Status {
        near(world, filter, list, |query| {
            let points = precise(points.array(count, "points")?);
            Ok(query.nearest_to_point_each(&points, nearest.read())?)
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
    question: impl FnOnce(engine::Query<'_>) -> Outcome<Vec<engine::BatchSeparation>>,
) -> Status {
    ask_about(world, filter, |query| {
        let found = question(query)?;
        let rows = found
            .iter()
            .map(|near| BodyNear::of_body(near.question, &near.found));
        BodyNearList::fill(list, rows)
    })
}
