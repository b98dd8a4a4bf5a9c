//! The canonical order of the two shapes of a pair, into which they are put before they are
//! measured.
//!
//! Rounding depends on which shape is the frame of reference. That shape is therefore chosen by the
//! shapes and poses themselves and not by the order of the arguments, so exchanging a and b mirrors
//! the answer bit for bit.

use core::cmp::Ordering;

use clearance_math::{Matrix, Pose, PreciseVector, Rotation, Vector};
use clearance_shapes::{Convex, Core, CoreKind, HalfSpace, Shape};

use crate::placed::Placed;

/// Compares shape `a` with shape `b`. They are equal only if they are equal shapes at one pose.
///
/// The kinds are compared first, since the functions for pairs expect them in order; then the
/// translations, which nearly always differ.
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

/// The rank of a shape by its kind; half-spaces come first.
#[inline]
fn rank<V: Vector>(shape: &Shape<V>) -> Option<CoreKind> {
    match shape {
        Shape::HalfSpace(_) => None,
        Shape::Convex(convex) => Some(convex.core().kind()),
    }
}

/// Compares two shapes of one kind at one position.
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

/// Compares the defining numbers of two cores of one kind.
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

/// Compares two vectors by the first component that differs.
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
