//! The canonical order of the two shapes of a pair, into which they are put before they are
//! measured.
//!
//! Rounding depends on which shape is the frame of reference. That shape is therefore chosen by the
//! shapes and poses themselves and not by the order of the arguments, so exchanging a and b mirrors
//! the answer bit for bit.

use core::cmp::Ordering;
use std::sync::Arc;

use clearance_math::internal::MapEach;
use clearance_math::{Matrix, Pose, PreciseVector, Real, RelativePose, Rotation, Vector};
use clearance_shapes::internal::bits_of;
use clearance_shapes::{Composite, Convex, Core, HalfSpace, Part, Shape};

use super::placed::Placed;

/// Compares shape `a` with shape `b`. They are equal only if they are equal shapes at one pose, number by number, of which the
/// same parts count.
///
/// The kinds are compared first, since the functions for pairs expect them in order; then the
/// translations, which nearly always differ.
#[inline]
pub(crate) fn compare<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Ordering {
    match rank(a.shape).cmp(&rank(b.shape)) {
        Ordering::Equal => {}
        kinds => return kinds,
    }
    match compare_precise(a.pose.position(), b.pose.position()) {
        Ordering::Equal => compare_rest(a, b),
        translations => translations,
    }
}

/// The rank of a shape by its kind; half-spaces come first, and composites last. In one number, which is compared at once.
#[inline]
fn rank<V: Vector>(shape: &Shape<V>) -> u8 {
    match shape {
        Shape::HalfSpace(_) => 0,
        Shape::Convex(convex) => 1 + convex.core().kind() as u8,
        Shape::Composite(_) => u8::MAX,
    }
}

/// Compares two shapes of one kind at one position.
#[cold]
fn compare_rest<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Ordering {
    let shapes = match (a.shape, b.shape) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => compare_half_spaces(a, b),
        (Shape::Convex(a), Shape::Convex(b)) => compare_convex(a, b),
        (Shape::Composite(one), Shape::Composite(other)) if !Arc::ptr_eq(one, other) => {
            compare_composites(one, other)
        }
        _ => Ordering::Equal,
    };
    shapes
        .then_with(|| compare_rotations(a.pose, b.pose))
        .then_with(|| compare_encodings(a.shape, b.shape))
        .then_with(|| compare_filters(a, b))
}

/// Compares composites of equal parts, which may be described in several ways, of which a tree may tell.
fn compare_encodings<V: Vector>(a: &Shape<V>, b: &Shape<V>) -> Ordering {
    match (a, b) {
        (Shape::Composite(one), Shape::Composite(other)) if !Arc::ptr_eq(one, other) => {
            bits_of(a).cmp(&bits_of(b))
        }
        _ => Ordering::Equal,
    }
}

/// Compares which parts of one composite two questions are about.
fn compare_filters<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Ordering {
    let are_filtered = [a, b].map_each(|side| side.parts.is_some());
    let numbers = match a.shape {
        Shape::Composite(composite) if are_filtered == [true; 2] => composite.part_numbers(),
        _ => return are_filtered[0].cmp(&are_filtered[1]),
    };
    let mut orders = numbers.map(|number| a.has_part(number).cmp(&b.has_part(number)));
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Compares composites by what is known of them at once, and only if that is equal part by part.
fn compare_composites<V: Vector>(a: &Composite<V>, b: &Composite<V>) -> Ordering {
    let counts = a.part_count().cmp(&b.part_count());
    // A mesh and a compound may have the same parts.
    let kinds = || a.kind().name().cmp(b.kind().name());
    let bounds = || {
        let [of_a, of_b] = [a, b].map_each(Composite::local_bounds);
        let corners = |a: V, b: V| compare_precise(a.to_precise(), b.to_precise());
        corners(of_a.min, of_b.min).then(corners(of_a.max, of_b.max))
    };
    // What is inside follows from the shape, and so does the normal of an outer side but for tiles.
    let sides = |number| {
        let none = || (-1.0, V::Precise::ZERO, false);
        let [of_a, of_b] = [a, b].map_each(|side| {
            let outer = side.outer_side(number);
            outer.map_or_else(none, |outer| (outer.depth, outer.normal, outer.is_of_tile))
        });
        let [solid_a, solid_b] =
            [a, b].map_each(|side| side.solid_of(number).map(|solid| solid.first_part));
        let normals = || compare_precise(of_a.1, of_b.1);
        let depths = of_a.0.total_cmp(&of_b.0);
        let kinds = of_a.2.cmp(&of_b.2).then(solid_a.cmp(&solid_b));
        depths.then_with(normals).then(kinds)
    };
    // Only as far as the first part that differs, or that only one of them has.
    let first = || {
        let (mut of_a, mut of_b) = (a.part_numbers(), b.part_numbers());
        loop {
            let order = match (of_a.next(), of_b.next()) {
                (None, None) => return Ordering::Equal,
                (Some(a), Some(b)) if a != b => return b.cmp(&a),
                (Some(number), Some(_)) => {
                    compare_parts(a.part(number), b.part(number)).then_with(|| sides(number))
                }
                (one, other) => return one.cmp(&other),
            };
            if order.is_ne() {
                return order;
            }
        }
    };
    counts.then_with(kinds).then_with(bounds).then_with(first)
}

fn compare_parts<V: Vector>(a: Option<Part<V>>, b: Option<Part<V>>) -> Ordering {
    let (Some(a), Some(b)) = (&a, &b) else {
        return a.is_some().cmp(&b.is_some());
    };
    let poses = || match (&a.pose, &b.pose) {
        (Some(a), Some(b)) => compare_relative(a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    };
    let pose = Pose::IDENTITY;
    let (placed_a, placed_b) = (Placed::new(&a.shape, &pose), Placed::new(&b.shape, &pose));
    compare(&placed_a, &placed_b).then_with(poses)
}

fn compare_half_spaces<V: Vector>(a: &HalfSpace<V>, b: &HalfSpace<V>) -> Ordering {
    compare_precise(a.normal(), b.normal()).then(a.offset().total_cmp(&b.offset()))
}

fn compare_convex<V: Vector>(a: &Convex<V>, b: &Convex<V>) -> Ordering {
    let radii = a.radius().total_cmp(&b.radius());
    radii.then_with(|| compare_cores(a.core(), b.core()))
}

/// Compares the defining numbers of two cores of one kind.
fn compare_cores<V: Vector>(a: &Core<V>, b: &Core<V>) -> Ordering {
    match (a, b) {
        (Core::Hull(a), Core::Hull(b)) if Arc::ptr_eq(a, b) => return Ordering::Equal,
        (Core::Custom(a), Core::Custom(b)) => return a.key().cmp(&b.key()),
        _ => {}
    }
    // The radius of these is their last number, and counts more than the height.
    let is_last_first = matches!(a, Core::Cylinder(_) | Core::Cone(_));
    let counts = a.numbers().count().cmp(&b.numbers().count());
    let numbers = a.numbers().zip(b.numbers());
    numbers.fold(counts, |order, (a, b)| {
        let next = Real::from_bits(a).total_cmp(&Real::from_bits(b));
        if is_last_first {
            next.then(order)
        } else {
            order.then(next)
        }
    })
}

pub(crate) fn compare_numbers([a, b]: [[Real; 3]; 2]) -> Ordering {
    let by_numbers = a.iter().zip(&b).map(|(a, b)| a.total_cmp(b));
    by_numbers.fold(Ordering::Equal, Ordering::then)
}

/// Compares two vectors by the first component that differs.
#[inline]
pub(crate) fn compare_precise<P: PreciseVector>(a: P, b: P) -> Ordering {
    for k in 0..P::DIM {
        match a.component(k).total_cmp(&b.component(k)) {
            Ordering::Equal => {}
            order => return order,
        }
    }
    Ordering::Equal
}

/// Compares two poses of double precision.
pub(crate) fn compare_relative<P: PreciseVector>(
    a: &RelativePose<P>,
    b: &RelativePose<P>,
) -> Ordering {
    let rows = (0..P::DIM).fold(Ordering::Equal, |order, k| {
        order.then_with(|| compare_precise(a.rotation.row(k), b.rotation.row(k)))
    });
    compare_precise(a.translation, b.translation).then(rows)
}

/// Compares two rotations by their matrices, and where different numbers give one matrix, as a quaternion and its opposite
/// do, by their numbers.
fn compare_rotations<V: Vector>(a: &Pose<V>, b: &Pose<V>) -> Ordering {
    let matrices = (a.rotation.matrix(), b.rotation.matrix());
    let rows = (0..V::DIM).fold(Ordering::Equal, |order, k| {
        order.then_with(|| compare_precise(matrices.0.row(k), matrices.1.row(k)))
    });
    rows.then_with(|| a.rotation.to_bits().cmp(&b.rotation.to_bits()))
}
