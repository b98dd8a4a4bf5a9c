//! Points: inside, on the surface up to rounding, and up to a thousand sizes away.

use clearance_gjk::{Proximity, point_proximity};
use clearance_math::{DVec3, Pose, PreciseVector, Real};
use clearance_shapes::Shape;

use crate::accuracy::body::Space;
use crate::accuracy::harness::{Class, check_each};
use crate::accuracy::line::Beside;
use crate::accuracy::shapes::{somewhere, valid};
use crate::accuracy::truth::truth;
use crate::common::{Body, Pcg, in_both_dimensions};

in_both_dimensions!(points_beside_shapes_keep_the_promise);

fn points_beside_shapes_keep_the_promise<V: Space>() {
    for class in Class::BOTH {
        check_each::<V>("points", class, |random, record| {
            let body = somewhere::<V>(random, class);
            let point = V::from_precise(V::Precise::from_space(beside(random, &body)));
            let nothing = valid(Shape::segment(V::ZERO, V::ZERO));
            let a = Body::new(nothing, Pose::from_translation(point));
            let answer = match point_proximity(point, body.placed(), Real::INFINITY) {
                Ok(Proximity::Near(answer)) => answer,
                other => panic!("{other:?} of {point:?} and {body:?}"),
            };
            let truth = truth(&a, &body);
            let scale = Beside::new(&body).reach().max(truth.low);
            let numbers = [answer.lower, answer.distance, answer.upper];
            record.compare((numbers, answer.status), (truth, scale), &|| {
                format!("{point:?}, {body:?}: {answer:?}, {truth:?}")
            });
        });
    }
}

/// A point beside a body: on its surface and moved in or out by any share of the size.
fn beside<V: Space>(random: &mut Pcg, body: &Body<V>) -> DVec3 {
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
