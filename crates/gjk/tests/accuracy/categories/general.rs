//! Pairs of all kinds: in general position, of very different sizes, far from the origin.

use clearance_shapes::Shape;

use crate::accuracy::body::Space;
use crate::accuracy::harness::{Class, HALF_SPACES, check_classes, check_each};
use crate::accuracy::shapes::{
    anywhere, both_moved, curved_pair, flat_sided, moved_by_gap, nudged, of_class, rounded,
    solid_polytope, valid,
};
use crate::common::{Body, Pcg, in_both_dimensions, turned, unturned};

in_both_dimensions!(
    any_pair_of_kinds_keeps_the_promise,
    cuboids_and_hulls_keep_the_promise,
    tiny_shapes_on_huge_ones_keep_the_promise,
    shapes_far_from_the_origin_keep_the_promise,
    identical_shapes_keep_the_promise,
    shapes_that_touch_up_to_rounding_keep_the_promise,
    rounded_shapes_keep_the_promise,
    shapes_over_half_spaces_keep_the_promise,
);

fn pair_of<V: Space>(random: &mut Pcg, class: Class, sizes: [f64; 2]) -> [Shape<V>; 2] {
    match class {
        Class::Polytopes => sizes.map(|size| flat_sided(random, size)),
        Class::Smooth => curved_pair(random, sizes),
    }
}

fn any_pair_of_kinds_keeps_the_promise<V: Space>() {
    check_classes::<V>("any pair of kinds", |random, class| {
        let size = random.log_between(0.1, 10.0);
        let sizes = [size, size * random.log_between(0.3, 3.0)];
        let shapes = pair_of(random, class, sizes);
        anywhere(random, shapes)
    });
}

/// Ten times as many as of other categories: their edges cross in more ways than those of other shapes.
fn cuboids_and_hulls_keep_the_promise<V: Space>() {
    check_each::<V>("cuboids and hulls", Class::Polytopes, |random, record| {
        for _ in 0..10 {
            let size = random.log_between(0.3, 3.0);
            let shapes = [1.0, size].map(|size| solid_polytope::<V>(random, size));
            let [a, b] = anywhere(random, shapes);
            record.add(&a, &b);
        }
    });
}

fn tiny_shapes_on_huge_ones_keep_the_promise<V: Space>() {
    check_classes::<V>("sizes 1e-3 against 1e3", |random, class| {
        let mut sizes = [
            1e-3 * random.log_between(0.5, 2.0),
            1e3 * random.log_between(0.5, 2.0),
        ];
        if random.below(2) == 0 {
            sizes.reverse();
        }
        let shapes = pair_of(random, class, sizes);
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

fn shapes_far_from_the_origin_keep_the_promise<V: Space>() {
    check_classes::<V>("1e3 to 1e6 sizes from the origin", |random, class| {
        let size = random.log_between(0.1, 10.0);
        let shapes = pair_of(random, class, [size, size]);
        let pair = anywhere(random, shapes);
        let away = random.direction_of::<V>() * (size * random.log_between(1e3, 1e6));
        both_moved(pair, away)
    });
}

fn identical_shapes_keep_the_promise<V: Space>() {
    check_classes::<V>("identical shapes at identical poses", |random, class| {
        let size = random.log_between(0.1, 10.0);
        let shape = of_class(random, class, size);
        let body = Body::turned(shape, turned::<V>(random));
        let body = body.put_at(random.direction_of::<V>() * (size * random.unit()));
        [body.clone(), body]
    });
}

fn shapes_that_touch_up_to_rounding_keep_the_promise<V: Space>() {
    check_classes::<V>("touching within a few rounding steps", |random, class| {
        let size = random.log_between(0.1, 10.0);
        let [a, b] = pair_of(random, class, [size, size]);
        let rotation = |random: &mut Pcg| match random.below(2) {
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

fn rounded_shapes_keep_the_promise<V: Space>() {
    check_classes::<V>("rounded", |random, class| {
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
        let b = moved_by_gap(random, &a, &b);
        [a, b]
    });
}

fn shapes_over_half_spaces_keep_the_promise<V: Space>() {
    check_classes::<V>(HALF_SPACES, |random, class| {
        let size = random.log_between(1e-3, 1e3);
        let normal = V::from_precise(clearance_math::PreciseVector::from_space(
            random.direction_of::<V>(),
        ));
        let plane = valid(Shape::half_space(normal));
        let plane = match random.below(3) {
            0 => valid(plane.rounded(random.extent(size))),
            _ => plane,
        };
        let shape = of_class(random, class, size);
        let plane = Body::turned(plane, V::any_rotation(random));
        let body = Body::turned(shape, V::any_rotation(random));
        let to = random.direction_of::<V>() * (size * random.log_between(1e-3, 3.0));
        let pair = [plane, body.put_at(to)];
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
