//! Random shapes, and ways of putting one beside another.

use clearance_math::{DVec3, PreciseVector, Real, Vec3, Vector};
use clearance_shapes::Shape;

use super::body::{Body, Space, size_of};
use super::random::Random;

/// A shape that is known to be valid.
pub(crate) fn valid<V: Vector>(shape: Result<Shape<V>, clearance_shapes::ShapeError>) -> Shape<V> {
    shape.expect("a valid shape")
}

/// A shape whose core is the hull of finitely many points, of any kind.
pub(crate) fn flat_sided<V: Space>(random: &mut Random, size: f64) -> Shape<V> {
    let round = |random: &mut Random| random.extent(0.3 * size);
    valid(match random.below(8) {
        0 => Shape::ball(random.extent(size)),
        1 => Shape::cuboid(random.extents(size)),
        2 => Shape::capsule(random.extent(size), random.extent(0.5 * size)),
        3 => Shape::segment(random.point(size), random.point(size)),
        4 => Shape::triangle(random.point(size), random.point(size), random.point(size)),
        5 => Shape::hull(cloud::<V>(random, size)),
        6 => Shape::hull(cloud::<V>(random, size)).and_then(|hull| hull.rounded(round(random))),
        _ => Shape::cuboid(random.extents(size)).and_then(|cuboid| cuboid.rounded(round(random))),
    })
}

/// A shape whose core is a polytope with an inside.
pub(crate) fn solid_polytope<V: Space>(random: &mut Random, size: f64) -> Shape<V> {
    valid(match random.below(2) {
        0 => Shape::cuboid(random.extents(size)),
        _ => Shape::hull(cloud::<V>(random, size)),
    })
}

/// A curved shape of any kind, sometimes rounded.
pub(crate) fn curved<V: Space>(random: &mut Random, size: f64) -> Shape<V> {
    let extents = [0; 3].map(|_| random.extent(size));
    let shape = V::curved(random, extents);
    if random.below(5) == 0 {
        return valid(shape.rounded(random.extent(0.3 * size)));
    }
    shape
}

/// A pair of shapes at least one of which is curved, in either order.
pub(crate) fn curved_pair<V: Space>(random: &mut Random, sizes: [f64; 2]) -> [Shape<V>; 2] {
    let curved_one = curved(random, sizes[0]);
    let other = if random.below(2) == 0 {
        curved(random, sizes[1])
    } else {
        flat_sided(random, sizes[1])
    };
    if random.below(2) == 0 {
        [curved_one, other]
    } else {
        [other, curved_one]
    }
}

/// Points on a ball, in a box, or nodes of a grid: many in one plane and some twice.
pub(crate) fn cloud<V: Space>(random: &mut Random, size: f64) -> Vec<V> {
    let style = random.below(3);
    let count = V::DIM + 2 + random.below(16);
    let stretch = random.extents::<V>(size).to_precise().in_space();
    let point = |random: &mut Random| match style {
        0 => random.direction_of::<V>(),
        1 => random.point::<V>(1.0).to_precise().in_space(),
        _ => {
            let mut node = || random.below(3) as f64 - 1.0;
            DVec3::new(node(), node(), node())
        }
    };
    (0..count)
        .map(|_| V::from_precise(V::Precise::from_space(point(random) * stretch)))
        .collect()
}

/// How far b is moved from where it touches a, relative to the size of the pair.
pub(crate) fn gap(random: &mut Random) -> f64 {
    match random.below(6) {
        0 => random.log_between(1e-2, 2.0),
        1 => random.log_between(1e-7, 1e-2),
        2 => 0.0,
        3 => -random.log_between(1e-7, 1e-3),
        4 => -random.log_between(1e-3, 1e-1),
        _ => -random.between(0.1, 0.6),
    }
}

/// Two bodies in general position: apart, touching or overlapping.
pub(crate) fn anywhere<V: Space>(random: &mut Random, [a, b]: [Shape<V>; 2]) -> [Body<V>; 2] {
    let a = Body::turned(a, V::any_rotation(random));
    let b = Body::turned(b, V::any_rotation(random));
    let normal = random.direction_of::<V>();
    let b = moved_by_gap(random, &a, &b, normal);
    [a, b]
}

/// b beside a along a normal, at a random gap; sometimes near the middle of it.
pub(crate) fn moved_by_gap<V: Space>(
    random: &mut Random,
    a: &Body<V>,
    b: &Body<V>,
    normal: DVec3,
) -> Body<V> {
    if random.below(8) == 0 {
        let joined = b.beside(a, normal, 0.0).at() - a.at();
        return b.moved_to(a.at() + joined * random.between(0.0, 0.8));
    }
    let gap = gap(random) * size_of(a, b);
    b.beside(a, normal, gap)
}

/// Both bodies moved by the same vector, each rounded to single precision by itself.
pub(crate) fn both_moved<V: Space>([a, b]: [Body<V>; 2], by: DVec3) -> [Body<V>; 2] {
    let (to_a, to_b) = (a.at() + by, b.at() + by);
    [a.moved_to(to_a), b.moved_to(to_b)]
}

/// Any of the two bodies rounded.
pub(crate) fn rounded<V: Space>(
    random: &mut Random,
    [a, b]: [Body<V>; 2],
    size: f64,
) -> [Body<V>; 2] {
    let which = 1 + random.below(3);
    let one = |random: &mut Random, body: Body<V>, is_rounded: bool| {
        if is_rounded {
            let radius = random.log_between(1e-4 * size, 0.5 * size) as Real;
            Body::new(valid(body.shape.rounded(radius)), body.pose)
        } else {
            body
        }
    };
    let a = one(random, a, which & 1 != 0);
    let b = one(random, b, which & 2 != 0);
    [a, b]
}

/// A cylinder, or a cone with either end up.
pub(crate) fn cylinder_or_cone(random: &mut Random, size: f64) -> Shape<Vec3> {
    let (half, radius) = (random.extent(size), random.extent(size));
    valid(if random.below(2) == 0 {
        Shape::cylinder(half, radius)
    } else {
        Shape::cone(half, radius)
    })
}

/// Translation by one component of a few units in the last place.
pub(crate) fn nudged<V: Space>(random: &mut Random, body: &Body<V>, most: usize) -> Body<V> {
    let mut pose = body.pose;
    for k in 0..V::DIM {
        let mut value = pose.translation.component(k);
        for _ in 0..random.below(most + 1) {
            value = if random.below(2) == 0 {
                value.next_up()
            } else {
                value.next_down()
            };
        }
        pose.translation = pose.translation.with_component(k, value);
    }
    Body::new(body.shape.clone(), pose)
}
