//! Two half-spaces.

use clearance_math::internal::MapEach;
use clearance_math::{Matrix, PreciseVector, Real, RelativePose, Rotation, Vector, tolerances};
use clearance_shapes::{HalfSpace, Shape};

use crate::answer::{Measured, Outcome, Separation, Status};
use crate::pair::Placed;

/// The gap along the normals if they are exactly opposite; otherwise the overlap is unbounded.
pub(crate) fn measure<V: Vector>(
    a: &HalfSpace<V>,
    b: &HalfSpace<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Outcome<V::Precise> {
    let normal = a.normal();
    let facing = b_in_a.transform_direction(b.normal());
    if (normal + facing).length() > tolerances::OPPOSITE_NORMALS {
        return Outcome::Unbounded;
    }
    let across = normal.dot(b_in_a.translation);
    let distance = across - a.offset() - b.offset();
    let scale = b_in_a.translation.length() + a.offset() + b.offset();
    let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
    // The points on both boundaries that face the middle between the two origins.
    let beside = (b_in_a.translation - normal * across) * 0.5;
    let on_a = beside + normal * a.offset();
    let on_b = beside + normal * (across - b.offset());
    Outcome::Near(Measured::exact(distance, normal, (on_a, on_b), rounding))
}

/// A substitute for the separation of two half-spaces whose answer is
/// [`Proximity::Unbounded`](crate::Proximity::Unbounded).
///
/// The distance and its bounds are minus infinity, the normal is the outward normal of a, and the
/// points are those of the two boundaries that are nearest to the origins of their bodies.
/// Exchanging a and b does not mirror it, since there is no direction in which one half-space could
/// leave the other. The status is [`Status::Exact`], or [`Status::Saturated`] where a coordinate of a point
/// is beyond the range of single precision.
#[cold]
#[inline(never)]
#[must_use]
pub fn unbounded_separation<V: Vector>(a: Placed<V>, b: Placed<V>) -> Separation<V> {
    let [(normal, position_a), (_, position_b)] = [a, b].map_each(boundary);
    let most = position_a.abs().max(position_b.abs());
    let is_beyond = (0..V::DIM).any(|axis| most.component(axis) > f64::from(Real::MAX));
    Separation {
        distance: Real::NEG_INFINITY,
        lower: Real::NEG_INFINITY,
        upper: Real::NEG_INFINITY,
        normal,
        position_a,
        position_b,
        part_a: 0,
        part_b: 0,
        status: if is_beyond {
            Status::Saturated
        } else {
            Status::Exact
        },
    }
}

/// The outward unit normal of a half-space in the world, and the point of its boundary that is nearest to the origin of the body.
fn boundary<V: Vector>(placed: Placed<V>) -> (V, V::Precise) {
    let origin = placed.pose.position();
    match placed.shape {
        Shape::HalfSpace(half_space) => {
            let normal = placed.pose.rotation.matrix().apply(half_space.normal());
            let point = origin + normal * half_space.offset();
            (V::from_precise(normal), point)
        }
        // Only half-spaces can overlap without bound. For other shapes any unit vector is returned.
        Shape::Convex(_) | Shape::Composite(_) => (V::axis(0), origin),
    }
}
