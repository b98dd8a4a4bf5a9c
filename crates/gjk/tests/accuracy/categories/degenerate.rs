//! Needles, plates and triangles with next to no area.

use clearance_math::{DVec3, PreciseVector, Real, Vector};
use clearance_shapes::Shape;

use crate::accuracy::body::Space;
use crate::accuracy::harness::{Class, check, check_classes};
use crate::accuracy::shapes::{flat_sided, gap, moved_by_gap, valid};
use crate::common::{Body, Pcg, in_both_dimensions, turned, unturned};

in_both_dimensions!(
    needles_and_plates_keep_the_promise,
    slivers_keep_the_promise,
    nearly_identical_triangles_keep_the_promise,
);

/// Extents of a needle, a plate or neither.
fn thin(random: &mut Pcg, size: f64) -> [Real; 3] {
    let ratio = random.log_between(1e-3, 1e-2);
    let mut extents = [0; 3].map(|_| random.extent(size));
    let long = random.below(4);
    for (k, extent) in extents.iter_mut().enumerate() {
        let is_thin = match random.below(2) {
            0 => k == long,
            _ => k != long,
        };
        if is_thin {
            *extent *= ratio as Real;
        }
    }
    extents
}

fn vector<V: Vector>(extents: [Real; 3]) -> V {
    (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, extents[k]))
}

fn thin_polytope<V: Space>(random: &mut Pcg, size: f64) -> Shape<V> {
    let extents = thin(random, size);
    let scaled = |random: &mut Pcg| {
        let point = random.point::<V>(1.0);
        (0..V::DIM).fold(V::ZERO, |v, k| {
            v.with_component(k, point.component(k) * extents[k])
        })
    };
    valid(match random.below(5) {
        0 => Shape::cuboid(vector(extents)),
        1 => {
            let points: Vec<V> = (0..V::DIM + 2 + random.below(10))
                .map(|_| scaled(random))
                .collect();
            Shape::hull(&points)
        }
        2 => Shape::triangle(scaled(random), scaled(random), scaled(random)),
        3 => Shape::segment(scaled(random), scaled(random)),
        _ => Shape::capsule(extents[0], extents[1]),
    })
}

/// A curved needle, plate or neither.
fn thin_curved<V: Space>(random: &mut Pcg, size: f64) -> Shape<V> {
    let extents = thin(random, size);
    V::curved(random, extents)
}

fn needles_and_plates_keep_the_promise<V: Space>() {
    check_classes::<V>("needles and plates, 1 to 1000", |random, class| {
        let size = random.log_between(0.1, 10.0);
        let first = match class {
            Class::Polytopes => thin_polytope(random, size),
            Class::Smooth => thin_curved(random, size),
        };
        let other = size * random.log_between(0.1, 1.0);
        let second = match random.below(3) {
            0 => thin_polytope(random, other),
            _ if class == Class::Polytopes => flat_sided(random, other),
            _ => thin_curved(random, other),
        };
        let a = Body::turned(first, turned::<V>(random));
        let b = Body::turned(second, turned::<V>(random));
        let b = moved_by_gap(random, &a, &b);
        [a, b]
    });
}

/// A triangle of 1000 by 0.001 about the origin, its long side in any direction.
fn sliver<V: Space>(random: &mut Pcg) -> Shape<V> {
    let long = random.direction_of::<V>();
    let across = if V::DIM == 2 {
        DVec3::new(-long.y, long.x, 0.0)
    } else {
        long.any_orthonormal_vector()
    };
    let point = |along: f64, beside: f64| -> V {
        V::from_precise(V::Precise::from_space(long * along + across * beside))
    };
    let top = random.between(-500.0, 500.0);
    valid(Shape::triangle(
        point(-500.0, 0.0),
        point(500.0, 0.0),
        point(top, 1e-3),
    ))
}

fn slivers_keep_the_promise<V: Space>() {
    check::<V>("triangles of 1000 by 0.001", Class::Polytopes, |random| {
        let a = Body::turned(sliver(random), unturned::<V>());
        let size = random.log_between(1e-3, 1e3);
        let other = match random.below(2) {
            0 => sliver(random),
            _ => flat_sided(random, size),
        };
        let b = Body::turned(other, V::any_rotation(random));
        if random.below(2) == 0 {
            let b = moved_by_gap(random, &a, &b);
            return [a, b];
        }
        // Somewhere along the sliver.
        let gap = gap(random);
        let to = a.reach_along(random.direction_of::<V>()) * random.unit();
        let b = b.put_at(to + random.direction_of::<V>() * gap);
        [a, b]
    });
}

fn nearly_identical_triangles_keep_the_promise<V: Space>() {
    check::<V>(
        "nearly identical overlapping triangles",
        Class::Polytopes,
        |random| {
            let size = random.log_between(0.1, 10.0);
            let corners: [V; 3] = [0; 3].map(|_| random.point(size));
            let off = size * random.log_between(1e-7, 1e-2);
            let near = corners.map(|corner| corner + random.point::<V>(off));
            let [a, b, c] = corners;
            let [d, e, f] = near;
            let rotation = turned::<V>(random);
            let first = Body::turned(valid(Shape::triangle(a, b, c)), rotation);
            let second = Body::turned(valid(Shape::triangle(d, e, f)), rotation);
            let shift = match random.below(2) {
                0 => DVec3::ZERO,
                _ => random.point::<V>(off).to_precise().in_space(),
            };
            [first, second.put_at(shift)]
        },
    );
}
