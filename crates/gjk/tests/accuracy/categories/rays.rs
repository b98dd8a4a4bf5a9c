//! Rays that start outside of a shape and are aimed at a point inside, at any angle to the surface.

use clearance_gjk::{RayOptions, cast_ray};
use clearance_math::{DVec3, PreciseVector, Ray, Vec2, Vec3};

use crate::body::{Body, Space};
use crate::harness::{Answer, Class, RAYS, check_each};
use crate::line::Beside;
use crate::random::Random;
use crate::shapes::{curved, flat_sided};
use crate::truth::Truth;

/// A ray, what it is aimed at, and where it enters.
struct Aimed<V: Space> {
    body: Body<V>,
    ray: Ray<V>,
    entry: Truth,
}

fn rays<V: Space>(class: Class) {
    check_each::<V>(RAYS, class, |random, record| {
        // Some shapes have no inside, and some aims are too close to the surface to be told from outside.
        let Some(aimed) = (0..100).find_map(|_| aimed::<V>(random, class)) else {
            panic!("a hundred shapes without an inside");
        };
        let Aimed { body, ray, entry } = &aimed;
        let answer = cast_ray(ray, body.placed(), RayOptions::default());
        let Ok(Some(hit)) = answer else {
            panic!("{answer:?} of {ray:?}, {}, {entry:?}", body.describe());
        };
        let scale = Beside::new(body).reach().max(entry.low);
        let numbers = Answer {
            distance: hit.distance,
            lower: hit.lower,
            upper: hit.upper,
            status: hit.status,
        };
        record.compare(&numbers, (*entry, scale), &|| {
            format!("{ray:?}, {}: {hit:?}, {entry:?}", body.describe())
        });
    });
}

fn aimed<V: Space>(random: &mut Random, class: Class) -> Option<Aimed<V>> {
    let size = random.log_between(0.1, 10.0);
    let shape = match class {
        Class::Polytopes => flat_sided(random, size),
        Class::Smooth => curved(random, size),
    };
    let body = Body::turned(shape, V::any_rotation(random));
    let away = match random.below(4) {
        0 => random.direction_of::<V>() * (size * random.log_between(1.0, 1e3)),
        _ => DVec3::ZERO,
    };
    let body = body.moved_to(away);
    let around = Beside::new(&body);
    let middle = around.middle();
    // The depth is a concave function: what lies between the middle and the surface is as deep as its share.
    let share = random.between(0.0, 0.9);
    let inner = middle + (around.on_core(random.direction_of::<V>()) - middle) * share;
    let depth = around.depth(middle) * (1.0 - share);
    let from = inner + random.direction_of::<V>() * (around.reach() * random.log_between(2.5, 1e3));
    let single = |point: DVec3| V::from_precise(V::Precise::from_space(point));
    let origin = single(body.at() + from);
    let ray = Ray::new(origin, single(inner - from)).ok()?;
    let entry = around.entry(&ray, (inner, depth))?;
    Some(Aimed { body, ray, entry })
}

contracts! {
    rays:
        rays_at_polygons_keep_the_promise,
        rays_at_polyhedra_keep_the_promise,
        rays_at_curves_keep_the_promise,
        rays_at_curved_bodies_keep_the_promise;
}
