//! Witness points and results of overlapping cores whose axis of least overlap is known.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core};

use super::axes::Best;
use crate::answer::Status;
use crate::cores::Cores;
use crate::difference::Minkowski;
use crate::measured::Measured;
use crate::penetration::{Depth, finish};
use crate::simplex::nearest_of_corners;

/// Completes the overlap along the axis of least overlap.
#[inline(never)]
pub(crate) fn along_axis<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    depth: Depth<V::Precise>,
) -> Measured<V::Precise> {
    let difference = Cores::new(a, b, b_in_a);
    let slack = tolerances::WITNESS_OFFSET * difference.size();
    Measured {
        status: Status::Exact,
        ..finish(&difference, depth, slack, None)
    }
}

/// The least overlap of a triangle and a cuboid with witness points: the deepest corner of one shape and the point of the
/// other's face above it, if that corner lies over the face.
#[inline(never)]
pub(crate) fn deepest_corner<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    best: &Best<V::Precise>,
) -> Depth<V::Precise> {
    let difference = Cores::new(a, b, b_in_a);
    let leave = best.normal * best.depth;
    let deepest = difference.support(best.normal);
    let slack = difference.witness_slack();
    let above_b = b_in_a.inverse_transform_point(deepest.on_a - leave);
    let witnesses = if holds(b.core(), above_b, slack) {
        Some((deepest.on_a, deepest.on_a - leave))
    } else if holds(a.core(), deepest.on_b + leave, slack) {
        Some((deepest.on_b + leave, deepest.on_b))
    } else {
        None
    };
    best.with_witnesses(witnesses)
}

/// Whether a cuboid or a triangle contains a point of its frame up to `slack`; always false for other
/// cores.
fn holds<V: Vector>(core: &Core<V>, point: V::Precise, slack: f64) -> bool {
    match core {
        Core::Cuboid(cuboid) => {
            let inset = cuboid.half_extents.to_precise() - point.abs();
            (0..V::DIM).all(|k| inset.component(k) >= -slack)
        }
        Core::Triangle(triangle) => {
            let from_nearest =
                nearest_of_corners(triangle.corners().map_each(|corner| corner - point));
            from_nearest.length() <= slack
        }
        _ => false,
    }
}
