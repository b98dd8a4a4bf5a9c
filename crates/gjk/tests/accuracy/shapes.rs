//! Pcg shapes, and ways of putting one beside another.

use clearance_math::{DVec3, Pose, Real, Vec3, Vector};
use clearance_shapes::Shape;

use super::body::{Space, size_of};
use super::harness::Class;
use crate::common::{Body, Kind, Pcg};

/// A shape that is known to be valid.
pub(crate) fn valid<V: Vector>(shape: Result<Shape<V>, clearance_shapes::ShapeError>) -> Shape<V> {
    shape.expect("a valid shape")
}

/// The kinds whose cores are hulls of finitely many points.
const FLAT_SIDED: [Kind; 8] = [
    Kind::Ball,
    Kind::Cuboid,
    Kind::Capsule,
    Kind::Segment,
    Kind::Triangle,
    Kind::Hull,
    Kind::RoundedHull,
    Kind::RoundedCuboid,
];

/// A shape whose core is the hull of finitely many points, of any kind.
pub(crate) fn flat_sided<V: Space>(random: &mut Pcg, size: f64) -> Shape<V> {
    V::shape(random.pick(&FLAT_SIDED), random, size)
}

/// A shape whose core is a polytope with an inside.
pub(crate) fn solid_polytope<V: Space>(random: &mut Pcg, size: f64) -> Shape<V> {
    V::shape(random.pick(&[Kind::Cuboid, Kind::Hull]), random, size)
}

/// A shape of any kind of the class.
pub(crate) fn of_class<V: Space>(random: &mut Pcg, class: Class, size: f64) -> Shape<V> {
    match class {
        Class::Polytopes => flat_sided(random, size),
        Class::Smooth => curved(random, size),
    }
}

/// A turned shape of the class, at the origin or up to a thousand sizes away.
pub(crate) fn somewhere<V: Space>(random: &mut Pcg, class: Class) -> Body<V> {
    let size = random.log_between(0.1, 10.0);
    let shape = of_class(random, class, size);
    let body = Body::turned(shape, V::any_rotation(random));
    let away = match random.below(4) {
        0 => random.direction_of::<V>() * (size * random.log_between(1.0, 1e3)),
        _ => DVec3::ZERO,
    };
    body.put_at(away)
}

/// A curved shape of any kind, sometimes rounded.
pub(crate) fn curved<V: Space>(random: &mut Pcg, size: f64) -> Shape<V> {
    let extents = [0; 3].map(|_| random.extent(size));
    let shape = V::curved(random, extents);
    if random.below(5) == 0 {
        return valid(shape.rounded(random.extent(0.3 * size)));
    }
    shape
}

/// A pair of shapes at least one of which is curved, in either order.
pub(crate) fn curved_pair<V: Space>(random: &mut Pcg, sizes: [f64; 2]) -> [Shape<V>; 2] {
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

/// How far b is moved from where it touches a, relative to the size of the pair.
pub(crate) fn gap(random: &mut Pcg) -> f64 {
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
pub(crate) fn anywhere<V: Space>(random: &mut Pcg, [a, b]: [Shape<V>; 2]) -> [Body<V>; 2] {
    let a = Body::turned(a, V::any_rotation(random));
    let b = Body::turned(b, V::any_rotation(random));
    let b = moved_by_gap(random, &a, &b);
    [a, b]
}

/// b beside a in any direction, at a random gap; sometimes near the middle of it.
pub(crate) fn moved_by_gap<V: Space>(random: &mut Pcg, a: &Body<V>, b: &Body<V>) -> Body<V> {
    let normal = random.direction_of::<V>();
    if random.below(8) == 0 {
        let joined = b.beside(a, normal, 0.0).at() - a.at();
        return b.put_at(a.at() + joined * random.between(0.0, 0.8));
    }
    let gap = gap(random) * size_of(a, b);
    b.beside(a, normal, gap)
}

/// Both bodies moved by the same vector, each rounded to single precision by itself.
pub(crate) fn both_moved<V: Space>([a, b]: [Body<V>; 2], by: DVec3) -> [Body<V>; 2] {
    let (to_a, to_b) = (a.at() + by, b.at() + by);
    [a.put_at(to_a), b.put_at(to_b)]
}

/// Any of the two bodies rounded.
pub(crate) fn rounded<V: Space>(random: &mut Pcg, [a, b]: [Body<V>; 2], size: f64) -> [Body<V>; 2] {
    let which = 1 + random.below(3);
    let one = |random: &mut Pcg, body: Body<V>, is_rounded: bool| {
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
pub(crate) fn cylinder_or_cone(random: &mut Pcg, size: f64) -> Shape<Vec3> {
    let (half, radius) = (random.extent(size), random.extent(size));
    valid(if random.below(2) == 0 {
        Shape::cylinder(half, radius)
    } else {
        Shape::cone(half, radius)
    })
}

/// Translation by one component of a few units in the last place.
pub(crate) fn nudged<V: Space>(random: &mut Pcg, body: &Body<V>, most: usize) -> Body<V> {
    let mut pose = body.pose;
    for k in 0..V::DIM {
        let mut value = pose.translation().component(k);
        for _ in 0..random.below(most + 1) {
            value = if random.below(2) == 0 {
                value.next_up()
            } else {
                value.next_down()
            };
        }
        pose = Pose::new(pose.translation().with_component(k, value), pose.rotation);
    }
    Body::new(body.shape.clone(), pose)
}
