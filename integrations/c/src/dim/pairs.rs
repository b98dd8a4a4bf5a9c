//! Questions about two shapes without a world, and about one shape and a ray or a point.

use super::only::{DIM, Precise, V, engine};
use super::questions::Owned;
use super::shapes::vector;
use super::{
    Cast, CastHit, Manifold, ManifoldList, Placed, Ray, RayHit, RayHitList, Separation,
    SeparationList,
};
use crate::border::{In, Out, Outcome, Problem, Status, calls, guard};
use crate::common::{CastOptions, DistanceStatus, RayOptions};

impl Separation {
    pub(crate) fn of_near(near: &engine::Proximity) -> Self {
        let far = f32::INFINITY;
        match near {
            engine::Proximity::Near(near) => Self::of(near),
            engine::Proximity::Farther { lower } => {
                Self::unmeasured([far, *lower, far], DistanceStatus::FARTHER)
            }
            engine::Proximity::Unbounded => {
                Self::unmeasured([f32::NEG_INFINITY; 3], DistanceStatus::UNBOUNDED)
            }
            engine::Proximity::Undecided { lower } => {
                Self::unmeasured([far, *lower, far], DistanceStatus::ITERATION_LIMIT)
            }
        }
    }
}

fn two_sides(a: In<Placed>, b: In<Placed>) -> Outcome<[Owned; 2]> {
    let a = a.one("a")?.read();
    let a = a.map_err(|problem| problem.in_field("a"))?;
    let b = b.one("b")?.read();
    Ok([a, b.map_err(|problem| problem.in_field("b"))?])
}

calls! {
    /// How far apart two placed shapes are, if they are within `within` of each other, which may be infinite; else the status of the answer is
    /// `CLR_DISTANCE_FARTHER`.
    guard distance(a: In<Placed>, b: In<Placed>, within: f32, separation: Out<Separation>) {
        let [a, b] = two_sides(a, b)?;
        let near = engine::proximity(a.placed(), b.placed(), within)?;
        separation.set(Separation::of_near(&near), "separation")
    }

    /// How far apart the two shapes of each pair are: `a`, `b` and `separations` have `count` items.
    guard distances(a: In<Placed>, b: In<Placed>, count: usize, within: f32, separations: Out<Separation>) {
        let room = separations.array(count, "separations")?;
        let (a, b) = (a.array(count, "a")?, b.array(count, "b")?);
        let read = |items: &[Placed], name: &str| {
            let items = items.iter().enumerate();
            let read = items.map(|(place, item)| item.read().map_err(|problem| problem.of_item(name, place)));
            read.collect::<Outcome<Vec<Owned>>>()
        };
        let (a, b) = (read(a, "a")?, read(b, "b")?);
        // What is not valid is refused before anything is written.
        let is_right = |side: &Owned| side.placed().pose.checked().is_ok();
        let mut pairs = a.iter().zip(&b);
        let wrong = pairs.position(|(a, b)| within.is_nan() || !is_right(a) || !is_right(b));
        if let Some(place) = wrong {
            let refused = engine::proximity(a[place].placed(), b[place].placed(), within);
            refused.map_err(|error| Problem::from(error).of_item("pairs", place))?;
        }
        for (place, (a, b)) in a.iter().zip(&b).enumerate() {
            // Not `measure_each`: with a second caller its parts are not compiled into the steps of worlds, which then take a twentieth longer.
            let near = engine::measure(a.placed(), b.placed(), within);
            room.put(place, Separation::of_near(&near));
        }
        Ok(())
    }

    /// Whether two placed shapes have a point in common: faster than to ask how far apart they are.
    guard intersects(a: In<Placed>, b: In<Placed>, result: Out<bool>) {
        let [a, b] = two_sides(a, b)?;
        result.set(engine::intersects(a.placed(), b.placed())?, "result")
    }

    /// All pairs of parts of two placed shapes that are within `within` of each other. `is_complete` is false where the search ended at its limit;
    /// it may be NULL.
    guard part_contacts(a: In<Placed>, b: In<Placed>, within: f32, list: Out<SeparationList>, is_complete: Out<bool>) {
        let ([a, b], mut found) = (two_sides(a, b)?, Vec::new());
        let done = engine::contacts_into(a.placed(), b.placed(), within, &mut found)?;
        is_complete.set_optional(done == engine::Completeness::Complete, "is_complete")?;
        SeparationList::fill(list, found.iter().map(Separation::of))
    }

    /// The contact manifolds of two placed shapes: one for convex shapes, else one for each pair of parts. `is_complete` is false where the search
    /// ended at its limit; it may be NULL.
    guard contact_manifolds(a: In<Placed>, b: In<Placed>, within: f32, list: Out<ManifoldList>, is_complete: Out<bool>) {
        let ([a, b], mut found) = (two_sides(a, b)?, Vec::new());
        let done = engine::contact_manifolds_into(a.placed(), b.placed(), within, &mut found)?;
        is_complete.set_optional(done == engine::Completeness::Complete, "is_complete")?;
        let rows = found.iter().map(|points| Manifold::of_points(points, [None; 4]));
        ManifoldList::fill(list, rows)
    }

    /// When and where two shapes in motion meet. The `hit` of the answer is 0 if they do not.
    guard cast_shapes(a: In<Cast>, b: In<Cast>, options: In<CastOptions>, hit: Out<CastHit>) {
        let (a, b) = (a.one("a")?.read()?, b.one("b")?.read()?);
        let a = engine::Cast::new(a.0.placed(), a.1);
        let b = engine::Cast::new(b.0.placed(), b.1);
        let found = engine::cast_shapes(a, b, CastOptions::read(options)?)?;
        hit.set(found.as_ref().map_or_else(CastHit::miss, CastHit::of_hit), "hit")
    }

    /// Where a ray hits a placed shape. The `hit` of the answer is 0 if it does not.
    guard cast_ray(ray: In<Ray>, placed: In<Placed>, options: In<RayOptions>, hit: Out<RayHit>) {
        let (ray, side) = (ray.one("ray")?.read()?, placed.one("placed")?.read()?);
        let found = engine::cast_ray(&ray, side.placed(), RayOptions::read(options)?)?;
        hit.set(found.as_ref().map_or_else(RayHit::miss, RayHit::of), "hit")
    }

    /// All parts of a placed shape that a ray hits, the nearest first.
    guard cast_ray_all(ray: In<Ray>, placed: In<Placed>, options: In<RayOptions>, list: Out<RayHitList>) {
        let (ray, side) = (ray.one("ray")?.read()?, placed.one("placed")?.read()?);
        let (options, mut hits) = (RayOptions::read(options)?, Vec::new());
        engine::cast_ray_all_into(&ray, side.placed(), options, &mut hits)?;
        RayHitList::fill(list, hits.iter().map(RayHit::of))
    }

    /// Whether a ray hits a placed shape.
    guard ray_hits(ray: In<Ray>, placed: In<Placed>, options: In<RayOptions>, hits: Out<bool>) {
        let (ray, side) = (ray.one("ray")?.read()?, placed.one("placed")?.read()?);
        let options = RayOptions::read(options)?;
        hits.set(engine::ray_hits(&ray, side.placed(), options)?, "hits")
    }

    /// The outward normal of the face of b that looks against a direction most, at the point of an answer: on an edge or a corner that is not the
    /// normal of the answer turned round. Of `separation` its point, normal and part of b count.
    guard face_normal(b: In<Placed>, separation: In<Separation>, direction: In<[f32; DIM]>, normal: Out<[f32; DIM]>) {
        let (side, near) = (b.one("b")?.read()?, separation.one("separation")?);
        side.placed().pose.checked()?;
        let near = engine::Separation {
            distance: near.distance,
            lower: near.lower,
            upper: near.upper,
            normal: V::from_array(near.normal),
            position_a: Precise::from_array(near.point_a),
            position_b: Precise::from_array(near.point_b),
            part_a: near.part_a,
            part_b: near.part_b,
            status: engine::Status::Exact,
        };
        let found = engine::face_normal(side.placed(), &near, vector(direction, "direction")?);
        normal.set(found.to_array(), "normal")
    }

    /// How far a point (a) is from a placed shape (b), if they are within `within` of each other; negative inside.
    guard point_distance(point: In<[f64; DIM]>, placed: In<Placed>, within: f32, separation: Out<Separation>) {
        let point = Precise::from_array(*point.one("point")?);
        let side = placed.one("placed")?.read()?;
        let near = engine::point_proximity(point, side.placed(), within)?;
        separation.set(Separation::of_near(&near), "separation")
    }
}
