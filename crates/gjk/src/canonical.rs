//! The order in which the two sides of a pair are put before they are measured.
//!
//! Rounding depends on which side is the frame of reference, so the side is chosen by what the
//! shapes and poses are, not by which was named first: exchanging a and b mirrors the answer to
//! the last bit.

use core::cmp::Ordering;

use clearance_math::{Matrix, Pose, PreciseVector, Rotation, Vector};
use clearance_shapes::{Convex, Core, CoreKind, HalfSpace, Shape};

use crate::placed::Placed;

/// How side `a` stands to side `b`; equal only for the same shape at the same pose.
///
/// By kind first, as the pair function wants them; then by what differs soonest, the translations.
#[inline]
pub(crate) fn compare<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Ordering {
    match rank(a.shape).cmp(&rank(b.shape)) {
        Ordering::Equal => {}
        kinds => return kinds,
    }
    match compare_vectors(a.pose.translation, b.pose.translation) {
        Ordering::Equal => compare_rest(a, b),
        translations => translations,
    }
}

/// The kind of a shape: half-spaces first.
#[inline]
fn rank<V: Vector>(shape: &Shape<V>) -> Option<CoreKind> {
    match shape {
        Shape::HalfSpace(_) => None,
        Shape::Convex(convex) => Some(convex.core().kind()),
    }
}

/// The order of two shapes of one kind at the same place.
#[cold]
fn compare_rest<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Ordering {
    let shapes = match (a.shape, b.shape) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => compare_half_spaces(a, b),
        (Shape::Convex(a), Shape::Convex(b)) => compare_convex(a, b),
        _ => Ordering::Equal,
    };
    shapes.then_with(|| compare_rotations(a.pose, b.pose))
}

fn compare_half_spaces<V: Vector>(a: &HalfSpace<V>, b: &HalfSpace<V>) -> Ordering {
    compare_precise(a.normal(), b.normal()).then(a.offset().total_cmp(&b.offset()))
}

fn compare_convex<V: Vector>(a: &Convex<V>, b: &Convex<V>) -> Ordering {
    let radii = a.radius().total_cmp(&b.radius());
    radii.then_with(|| compare_cores(a.core(), b.core()))
}

/// The defining numbers of two cores of one kind, one after the other.
fn compare_cores<V: Vector>(a: &Core<V>, b: &Core<V>) -> Ordering {
    match (a, b) {
        (Core::Point(a), Core::Point(b)) => compare_vectors(*a, *b),
        (Core::Segment(a), Core::Segment(b)) => compare_lists(&[a.a, a.b], &[b.a, b.b]),
        (Core::Triangle(a), Core::Triangle(b)) => compare_lists(&[a.a, a.b, a.c], &[b.a, b.b, b.c]),
        (Core::Cuboid(a), Core::Cuboid(b)) => compare_vectors(a.half_extents, b.half_extents),
        (Core::Hull(a), Core::Hull(b)) if !std::sync::Arc::ptr_eq(a, b) => {
            compare_lists(a.vertices(), b.vertices())
        }
        (Core::Cylinder(a), Core::Cylinder(b)) => {
            let radii = a.radius.total_cmp(&b.radius);
            radii.then(a.half_height.total_cmp(&b.half_height))
        }
        (Core::Cone(a), Core::Cone(b)) => {
            let radii = a.radius.total_cmp(&b.radius);
            radii.then(a.half_height.total_cmp(&b.half_height))
        }
        (Core::Ellipsoid(a), Core::Ellipsoid(b)) => compare_vectors(a.radii(), b.radii()),
        _ => Ordering::Equal,
    }
}

fn compare_lists<V: Vector>(a: &[V], b: &[V]) -> Ordering {
    let by_points = a.iter().zip(b).map(|(a, b)| compare_vectors(*a, *b));
    by_points.fold(a.len().cmp(&b.len()), Ordering::then)
}

/// The order of two vectors: by the first components that differ.
#[inline]
pub(crate) fn compare_vectors<V: Vector>(a: V, b: V) -> Ordering {
    for k in 0..V::DIM {
        match a.component(k).total_cmp(&b.component(k)) {
            Ordering::Equal => {}
            order => return order,
        }
    }
    Ordering::Equal
}

fn compare_precise<P: PreciseVector>(a: P, b: P) -> Ordering {
    (0..P::DIM).fold(Ordering::Equal, |order, k| {
        order.then(a.component(k).total_cmp(&b.component(k)))
    })
}

fn compare_rotations<V: Vector>(a: &Pose<V>, b: &Pose<V>) -> Ordering {
    let (a, b) = (a.rotation.matrix(), b.rotation.matrix());
    (0..V::DIM).fold(Ordering::Equal, |order, k| {
        order.then_with(|| compare_precise(a.row(k), b.row(k)))
    })
}
