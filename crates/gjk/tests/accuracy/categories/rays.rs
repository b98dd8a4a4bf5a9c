//! Rays that start outside of a shape and are aimed at a point inside, at any angle to the surface.

use clearance_gjk::{RayOptions, cast_ray};
use clearance_math::{DVec3, PreciseVector, Ray};

use crate::accuracy::body::Space;
use crate::accuracy::harness::{Class, RAYS, check_each};
use crate::accuracy::line::Beside;
use crate::accuracy::shapes::somewhere;
use crate::accuracy::truth::Truth;
use crate::common::{Body, Pcg, in_both_dimensions};

/// A ray, what it is aimed at, and where it enters.
struct Aimed<V: Space> {
    body: Body<V>,
    ray: Ray<V>,
    entry: Truth,
}

in_both_dimensions!(rays_at_shapes_keep_the_promise);

fn rays_at_shapes_keep_the_promise<V: Space>() {
    for class in Class::BOTH {
        check_each::<V>(RAYS, class, |random, record| {
            // Some shapes have no inside, and some aims are too close to the surface to be told from outside.
            let aimed = (0..100).find_map(|_| aimed::<V>(random, class));
            let Aimed { body, ray, entry } = &aimed.expect("one of a hundred has an inside");
            let answer = cast_ray(ray, body.placed(), RayOptions::default());
            let Ok(Some(hit)) = answer else {
                panic!("{answer:?} of {ray:?}, {body:?}, {entry:?}");
            };
            let scale = Beside::new(body).reach().max(entry.low);
            let numbers = [hit.lower, hit.distance, hit.upper];
            record.compare((numbers, hit.status), (*entry, scale), &|| {
                format!("{ray:?}, {body:?}: {hit:?}, {entry:?}")
            });
        });
    }
}

fn aimed<V: Space>(random: &mut Pcg, class: Class) -> Option<Aimed<V>> {
    let body = somewhere::<V>(random, class);
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
