//! Points: inside, on the surface up to rounding, and up to a thousand sizes away.

use clearance_gjk::{Proximity, point_proximity};
use clearance_math::{DVec3, Pose, PreciseVector, Real, Vec2, Vec3};
use clearance_shapes::Shape;

use crate::body::{Body, Space, unturned};
use crate::harness::{Answer, Class, check_each};
use crate::line::Beside;
use crate::random::Random;
use crate::shapes::{curved, flat_sided, valid};
use crate::truth::truth;

fn points<V: Space>(class: Class) {
    check_each::<V>("points", class, |random, record| {
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
        let point = V::from_precise(V::Precise::from_space(beside(random, &body)));
        let nothing = valid(Shape::segment(V::ZERO, V::ZERO));
        let a = Body::new(nothing, Pose::new(point, unturned::<V>()));
        let answer = match point_proximity(point, body.placed(), Real::INFINITY) {
            Ok(Proximity::Near(answer)) => answer,
            other => panic!("{other:?} of {point:?} and {}", body.describe()),
        };
        let truth = truth(&a, &body);
        let scale = Beside::new(&body).reach().max(truth.low);
        let numbers = Answer {
            distance: answer.distance,
            lower: answer.lower,
            upper: answer.upper,
            status: answer.status,
        };
        record.compare(&numbers, (truth, scale), &|| {
            format!("{point:?}, {}: {answer:?}, {truth:?}", body.describe())
        });
    });
}

/// A point beside a body: on its surface and moved in or out by any share of the size.
fn beside<V: Space>(random: &mut Random, body: &Body<V>) -> DVec3 {
    let around = Beside::new(body);
    let normal = random.direction_of::<V>();
    let on_surface = body.reach_along(normal);
    let seen = match random.below(5) {
        0 => on_surface + normal * (around.reach() * random.log_between(1e-2, 1e3)),
        1 => on_surface + normal * (around.reach() * random.log_between(1e-7, 1e-2)),
        2 => on_surface,
        3 => {
            let share = random.log_between(1e-6, 1.0);
            on_surface + (around.middle() - on_surface) * share
        }
        // Beside a face or an edge and not only beside what is farthest along a direction.
        _ => normal * (around.reach() * random.between(0.0, 2.0)),
    };
    body.at() + seen
}

contracts! {
    points:
        points_beside_polygons_keep_the_promise,
        points_beside_polyhedra_keep_the_promise,
        points_beside_curves_keep_the_promise,
        points_beside_curved_bodies_keep_the_promise;
}
