//! Where b is put beside a: contacts and deep overlaps are to be common.

use clearance_math::{Pose, PreciseVector, Real, Vector};

use crate::body::Body;
use crate::bytes::Bytes;
use crate::dimension::Dimension;

/// Puts a somewhere and b beside it.
pub(crate) fn place<V: Dimension>(bytes: &mut Bytes, a: &mut Body<V>, b: &mut Body<V>) {
    let place_of_a: V = match bytes.below(8) {
        0..=4 => V::ZERO,
        5 | 6 => bytes.vector(Bytes::lattice),
        _ => bytes.vector(Bytes::number),
    };
    a.pose = Pose::new(place_of_a, a.pose.rotation);
    let mut place_of_b = match bytes.below(16) {
        0 => {
            b.pose = a.pose;
            place_of_a
        }
        1 => place_of_a,
        2 => bytes.vector(Bytes::number),
        3 | 4 => place_of_a + bytes.vector::<V>(Bytes::lattice),
        _ => beside(bytes, a, b),
    };
    for _ in 0..bytes.below(8).saturating_sub(5) {
        nudge(bytes, &mut place_of_b);
    }
    b.pose = Pose::new(place_of_b, b.pose.rotation);
}

/// The points farthest along a common normal are joined, then moved apart or together.
fn beside<V: Dimension>(bytes: &mut Bytes, a: &Body<V>, b: &Body<V>) -> V {
    let normal = normal(bytes, a, b);
    let radius = |body: &Body<V>| {
        body.plane()
            .map_or(body.form.bounding_radius(), |(_, offset)| offset)
    };
    let (offset_a, offset_b) = (top(a, normal), top(b, -normal));
    let joined = offset_a - offset_b;
    let size = match bytes.below(3) {
        0 => radius(a).max(radius(b)),
        1 => radius(a).min(radius(b)),
        _ => joined.length(),
    };
    let share = match bytes.below(8) {
        0 | 1 => 0.0,
        2 => f64::from(bytes.power_of_two(30).min(1.0)),
        3 | 4 => -f64::from(bytes.power_of_two(30).min(1.0)),
        5 => f64::from(bytes.fraction()),
        6 => f64::from(bytes.fraction()) * 1e-6,
        _ => f64::from(bytes.number()),
    };
    let origin = a.pose.position();
    V::from_precise(origin + joined + normal * (share * size))
}

/// The point of a body farthest along a direction, seen from its origin.
fn top<V: Dimension>(body: &Body<V>, unit: V::Precise) -> V::Precise {
    match body.plane() {
        Some((normal, offset)) => normal * offset,
        None => body.support(unit),
    }
}

/// A direction in which the two may touch.
fn normal<V: Dimension>(bytes: &mut Bytes, a: &Body<V>, b: &Body<V>) -> V::Precise {
    if let Some((normal, _)) = a.plane() {
        return normal;
    }
    if let Some((normal, _)) = b.plane() {
        return -normal;
    }
    let axis = bytes.below(V::DIM);
    let direction = match bytes.below(5) {
        0 => V::Precise::axis(axis),
        1 => a.axis(axis),
        2 => b.axis(axis),
        3 => a.axis(axis) + b.axis(bytes.below(V::DIM)),
        _ => bytes.vector::<V>(Bytes::lattice).to_precise(),
    };
    let unit = direction.direction().unwrap_or(V::Precise::axis(0));
    if bytes.once_in(2) { -unit } else { unit }
}

/// Moves a component by a few last places.
fn nudge<V: Vector>(bytes: &mut Bytes, point: &mut V) {
    let axis = bytes.below(V::DIM);
    let steps = bytes.byte() as i8;
    let bits = point.component(axis).to_bits();
    let moved = Real::from_bits(bits.wrapping_add_signed(i32::from(steps / 16)));
    *point = point.with_component(axis, moved);
}
