//! Pairs of all kinds: in general position, of very different sizes, far from the origin.

use clearance_math::{Vec2, Vec3};
use clearance_shapes::Shape;

use crate::body::{Body, Space, unturned};
use crate::harness::{Class, HALF_SPACES, check};
use crate::random::Random;
use crate::shapes::{
    anywhere, both_moved, curved, curved_pair, flat_sided, moved_by_gap, nudged, rounded,
    solid_polytope, valid,
};

fn of_class<V: Space>(random: &mut Random, class: Class, sizes: [f64; 2]) -> [Shape<V>; 2] {
    match class {
        Class::Polytopes => sizes.map(|size| flat_sided(random, size)),
        Class::Smooth => curved_pair(random, sizes),
    }
}

fn any_pair<V: Space>(class: Class) {
    check::<V>("any pair of kinds", class, |random| {
        let size = random.log_between(0.1, 10.0);
        let sizes = [size, size * random.log_between(0.3, 3.0)];
        let shapes = of_class(random, class, sizes);
        anywhere(random, shapes)
    });
}

fn tiny_and_huge<V: Space>(class: Class) {
    check::<V>("sizes 1e-3 against 1e3", class, |random| {
        let mut sizes = [
            1e-3 * random.log_between(0.5, 2.0),
            1e3 * random.log_between(0.5, 2.0),
        ];
        if random.below(2) == 0 {
            sizes.reverse();
        }
        let shapes = of_class(random, class, sizes);
        let [a, b] = anywhere(random, shapes);
        if random.below(2) == 0 {
            return [a, b];
        }
        // In the skin of the large one, where the small one decides.
        let small = sizes[0].min(sizes[1]);
        let normal = random.direction_of::<V>();
        let b = b.beside(&a, normal, small * random.between(-2.0, 2.0));
        [a, b]
    });
}

fn far_off<V: Space>(class: Class) {
    check::<V>("1e3 to 1e6 sizes from the origin", class, |random| {
        let size = random.log_between(0.1, 10.0);
        let shapes = of_class(random, class, [size, size]);
        let pair = anywhere(random, shapes);
        let away = random.direction_of::<V>() * (size * random.log_between(1e3, 1e6));
        both_moved(pair, away)
    });
}

fn identical<V: Space>(class: Class) {
    check::<V>("identical shapes at identical poses", class, |random| {
        let size = random.log_between(0.1, 10.0);
        let shape = match class {
            Class::Polytopes => flat_sided(random, size),
            Class::Smooth => curved(random, size),
        };
        let rotation = match random.below(3) {
            0 => unturned::<V>(),
            _ => V::any_rotation(random),
        };
        let body = Body::turned(shape, rotation);
        let body = body.moved_to(random.direction_of::<V>() * (size * random.unit()));
        [body.clone(), body]
    });
}

fn touching<V: Space>(class: Class) {
    check::<V>("touching within a few rounding steps", class, |random| {
        let size = random.log_between(0.1, 10.0);
        let [a, b] = of_class(random, class, [size, size]);
        let rotation = |random: &mut Random| match random.below(2) {
            0 => V::exact_rotation(random),
            _ => V::any_rotation(random),
        };
        let a = Body::turned(a, rotation(random));
        let b = Body::turned(b, rotation(random));
        let normal = if random.below(2) == 0 {
            V::turn(a.pose.rotation).col(random.below(V::DIM)) * random.sign()
        } else {
            random.direction_of::<V>()
        };
        let b = b.beside(&a, normal, 0.0);
        let b = nudged(random, &b, 2);
        [a, b]
    });
}

fn rounded_pairs<V: Space>(class: Class) {
    check::<V>("rounded", class, |random| {
        let size = random.log_between(0.1, 10.0);
        let shapes = match class {
            Class::Polytopes => [solid_polytope(random, size), flat_sided(random, size)],
            Class::Smooth => curved_pair(random, [size, size]),
        };
        let [a, b] = shapes.map(|shape| Body::turned(shape, unturned::<V>()));
        let [a, b] = rounded(random, [a, b], size);
        let turn = match random.below(2) {
            0 => V::exact_rotation(random),
            _ => V::any_rotation(random),
        };
        let b = Body::turned(b.shape, turn);
        let normal = random.direction_of::<V>();
        let b = moved_by_gap(random, &a, &b, normal);
        [a, b]
    });
}

fn half_spaces<V: Space>(class: Class) {
    check::<V>(HALF_SPACES, class, |random| {
        let size = random.log_between(1e-3, 1e3);
        let normal = V::from_precise(clearance_math::PreciseVector::from_space(
            random.direction_of::<V>(),
        ));
        let plane = valid(Shape::half_space(normal));
        let plane = match random.below(3) {
            0 => valid(plane.rounded(random.extent(size))),
            _ => plane,
        };
        let shape = match class {
            Class::Polytopes => flat_sided(random, size),
            Class::Smooth => curved(random, size),
        };
        let plane = Body::turned(plane, V::any_rotation(random));
        let body = Body::turned(shape, V::any_rotation(random));
        let to = random.direction_of::<V>() * (size * random.log_between(1e-3, 3.0));
        let pair = [plane, body.moved_to(to)];
        let away = match random.below(3) {
            0 => random.direction_of::<V>() * (size * random.log_between(1.0, 1e3)),
            _ => clearance_math::DVec3::ZERO,
        };
        let [plane, body] = both_moved(pair, away);
        match random.below(2) {
            0 => [plane, body],
            _ => [body, plane],
        }
    });
}

contracts! {
    any_pair:
        polytopes_in_the_plane_are_within_2e_6_apart_and_1e_5_deep,
        polytopes_in_space_are_within_2e_6_apart_and_1e_5_deep,
        curves_in_the_plane_are_within_1e_5_apart_and_1e_4_deep,
        curved_bodies_in_space_are_within_1e_5_apart_and_1e_4_deep;
    tiny_and_huge:
        tiny_polygons_on_huge_ones_keep_the_promise,
        tiny_polyhedra_on_huge_ones_keep_the_promise,
        tiny_curves_on_huge_ones_keep_the_promise,
        tiny_curved_bodies_on_huge_ones_keep_the_promise;
    far_off:
        polygons_far_from_the_origin_keep_the_promise,
        polyhedra_far_from_the_origin_keep_the_promise,
        curves_far_from_the_origin_keep_the_promise,
        curved_bodies_far_from_the_origin_keep_the_promise;
    identical:
        identical_polygons_keep_the_promise,
        identical_polyhedra_keep_the_promise,
        identical_curves_keep_the_promise,
        identical_curved_bodies_keep_the_promise;
    touching:
        polygons_that_touch_up_to_rounding_keep_the_promise,
        polyhedra_that_touch_up_to_rounding_keep_the_promise,
        curves_that_touch_up_to_rounding_keep_the_promise,
        curved_bodies_that_touch_up_to_rounding_keep_the_promise;
    rounded_pairs:
        rounded_polygons_keep_the_promise,
        rounded_polyhedra_keep_the_promise,
        rounded_curves_keep_the_promise,
        rounded_curved_bodies_keep_the_promise;
    half_spaces:
        polygons_over_lines_keep_the_promise,
        polyhedra_over_planes_keep_the_promise,
        curves_over_lines_keep_the_promise,
        curved_bodies_over_planes_keep_the_promise;
}
