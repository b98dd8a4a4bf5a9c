//! Polytopes whose faces or edges are parallel, or nearly so.

use clearance_math::{DVec3, PreciseVector, Real, Vector};
use clearance_shapes::Shape;

use crate::accuracy::body::{Space, size_of};
use crate::accuracy::harness::{Class, check};
use crate::accuracy::shapes::{gap, rounded, valid};
use crate::common::{Body, Pcg, in_both_dimensions, unturned};

in_both_dimensions!(
    parallel_faces_keep_the_promise,
    nearly_parallel_edges_keep_the_promise,
    coplanar_and_duplicated_points_keep_the_promise,
);

/// A cuboid, or a hull with faces along the axes: a grid or a prism.
fn with_parallel_faces<V: Space>(random: &mut Pcg, size: f64) -> Shape<V> {
    let half: V = random.extents(size);
    match random.below(3) {
        0 => valid(Shape::cuboid(half)),
        1 => valid(Shape::hull(grid(half, 1 + random.below(3)))),
        _ => valid(Shape::hull(prism(half, 3 + random.below(14)))),
    }
}

/// All nodes of a grid of `steps` cells a side: many points in each face, some on each edge.
fn grid<V: Vector>(half: V, steps: usize) -> Vec<V> {
    let count = steps + 1;
    let node = |k: usize| -1.0 + 2.0 * k as Real / steps as Real;
    let total = count.pow(V::DIM as u32);
    (0..total)
        .map(|k| {
            (0..V::DIM).fold(V::ZERO, |v, axis| {
                let step = k / count.pow(axis as u32) % count;
                v.with_component(axis, half.component(axis) * node(step))
            })
        })
        .collect()
}

/// A regular polygon; in space the ends of a prism along y.
fn prism<V: Vector>(half: V, sides: usize) -> Vec<V> {
    let ends: &[f64] = if V::DIM == 2 { &[0.0] } else { &[-1.0, 1.0] };
    let stretch = half.to_precise().in_space();
    let mut points = Vec::new();
    for k in 0..sides {
        let (sin, cos) = (core::f64::consts::TAU * k as f64 / sides as f64).sin_cos();
        for &end in ends {
            let point = if V::DIM == 2 {
                DVec3::new(cos, sin, 0.0)
            } else {
                DVec3::new(cos, end, sin)
            };
            points.push(V::from_precise(V::Precise::from_space(point * stretch)));
        }
    }
    points
}

/// b on a side of a along one of the axes, shifted along the others.
fn stacked<V: Space>(random: &mut Pcg, a: &Body<V>, b: &Body<V>) -> Body<V> {
    let size = size_of(a, b);
    let axis = random.below(V::DIM);
    let normal = V::turn(a.pose.rotation).col(axis) * random.sign();
    let gap = gap(random) * size;
    let height = |body: &Body<V>, n: DVec3| n.dot(body.reach_along(n));
    let along = normal * (height(a, normal) + height(b, -normal) + gap);
    let shift = match random.below(3) {
        0 => DVec3::ZERO,
        _ => random.point::<V>(size).to_precise().in_space(),
    };
    b.put_at(along + shift - normal * normal.dot(shift))
}

fn parallel_faces_keep_the_promise<V: Space>() {
    check::<V>("parallel faces", Class::Polytopes, |random| {
        let size = random.log_between(0.1, 10.0);
        let other = size * random.log_between(0.2, 5.0);
        let rotation = match random.below(4) {
            0 => V::any_rotation(random),
            1 => V::exact_rotation(random),
            _ => unturned::<V>(),
        };
        let a = Body::turned(with_parallel_faces(random, size), rotation);
        let b = Body::turned(with_parallel_faces(random, other), rotation);
        let b = stacked(random, &a, &b);
        if random.below(4) == 0 {
            return rounded(random, [a, b], size);
        }
        [a, b]
    });
}

fn nearly_parallel_edges_keep_the_promise<V: Space>() {
    check::<V>("nearly parallel edges", Class::Polytopes, |random| {
        let size = random.log_between(0.1, 10.0);
        let shape = |random: &mut Pcg| -> Shape<V> {
            match random.below(4) {
                0 => {
                    let end: V = V::axis(1) * random.extent(size);
                    valid(Shape::segment(-end, end))
                }
                1 => valid(Shape::capsule(
                    random.extent(size),
                    random.extent(0.3 * size),
                )),
                _ => with_parallel_faces(random, size),
            }
        };
        let a = Body::turned(shape(random), unturned::<V>());
        let angle = random.log_between(1e-9, 1e-2);
        let b = Body::turned(shape(random), V::small_rotation(random, angle));
        // Edge on edge: along the diagonal of two axes, shifted along the third.
        let mut normal = random.direction_of::<V>();
        if V::DIM == 3 {
            normal = DVec3::new(normal.x, 0.0, normal.z).normalize();
        }
        let gap = gap(random) * size;
        let b = b.beside(&a, normal, gap);
        let shift = V::axis(1).to_precise().in_space() * (size * random.between(-0.9, 0.9));
        let at = b.at() + shift;
        [a, b.put_at(at)]
    });
}

fn coplanar_and_duplicated_points_keep_the_promise<V: Space>() {
    check::<V>(
        "hulls with coplanar and duplicated points",
        Class::Polytopes,
        |random| {
            let size = random.log_between(0.1, 10.0);
            let shape = |random: &mut Pcg| -> Shape<V> {
                let half: V = random.extents(size);
                // Some are flat, or lie on a line.
                let flat = [0, 1].map(|_| random.below(4 * V::DIM));
                let half = (0..V::DIM).fold(half, |half, axis| {
                    let is_flat = flat.contains(&axis);
                    half.with_component(axis, if is_flat { 0.0 } else { half.component(axis) })
                });
                let mut points = match random.below(3) {
                    0 => grid(half, 1 + random.below(3)),
                    1 => prism(half, 3 + random.below(22)),
                    _ => {
                        // Between neighbours on an edge, off the line by rounding.
                        let corners = prism(half, 3 + random.below(5));
                        let mut more = corners.clone();
                        for pair in corners.windows(2) {
                            more.push((pair[0] + pair[1]) * 0.5);
                        }
                        more
                    }
                };
                let again: Vec<V> = points.iter().copied().step_by(3).collect();
                points.extend(again);
                // A point again, a hair beside itself.
                let beside = points[0] * (1.0 + Real::EPSILON);
                points.push(beside);
                valid(Shape::hull(&points))
            };
            let a = Body::turned(shape(random), V::any_rotation(random));
            let same = random.below(2) == 0;
            let rotation = if same {
                a.pose.rotation
            } else {
                V::any_rotation(random)
            };
            let b = Body::turned(shape(random), rotation);
            if same {
                let b = stacked(random, &a, &b);
                return [a, b];
            }
            let normal = random.direction_of::<V>();
            let gap = gap(random) * size;
            let b = b.beside(&a, normal, gap);
            [a, b]
        },
    );
}
