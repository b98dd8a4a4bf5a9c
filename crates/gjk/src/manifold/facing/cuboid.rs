//! Faces, edges and corners of cuboids.
//!
//! The number of a corner has a bit for each axis along which its coordinate is negative; that of a face is twice its
//! axis, plus one if it lies on the negative side.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, Vector};
use clearance_shapes::Cuboid;

use super::{Corner, Facing, Line, across, is_facing};
use crate::convex::closed_forms::axes::greatest;
use crate::manifold::feature::Feature;

pub(super) fn facing<V: Vector>(
    cuboid: &Cuboid<V>,
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) {
    let half = cuboid.half_extents.to_precise();
    let lengths = direction.abs();
    let (steepest, cosine) = greatest(lengths);
    let signs = (0..V::DIM).fold(0, |signs, axis| {
        signs | u32::from(direction.component(axis) < 0.0) << axis
    });
    let is_negative = signs >> steepest & 1;
    if is_facing(cosine) {
        let outward = 1.0_f64.copysign(direction.component(steepest));
        let normal = V::Precise::ZERO.with_component(steepest, outward);
        let feature = Feature::Face(2 * steepest as u32 + is_negative);
        face(half, steepest, is_negative, found);
        return found.set_plane(normal, feature);
    }
    let (flattest, _) = greatest(-lengths);
    let along = V::Precise::axis(flattest);
    if const { V::DIM == 3 }
        && let Some(normal) = across(along, direction)
    {
        let bit = 1 << flattest;
        let ends = [signs & !bit, signs | bit];
        return found.set_line(&Line {
            ends: ends.map_each(|number| corner(half, number)),
            normal,
            feature: Feature::Edge(edge_number(ends)),
        });
    }
    let point = corner(half, signs).point;
    found.set_point(point, direction, Feature::Corner(signs));
}

/// Puts the corners of a face into `found`, in order around it.
fn face<P: PreciseVector>(half: P, axis: usize, is_negative: u32, found: &mut Facing<P>) {
    let base = is_negative << axis;
    if const { P::DIM == 2 } {
        let other = 1 << (1 - axis);
        for number in [base, base | other] {
            found.corners.push(corner(half, number));
        }
    } else {
        let (one, two) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for number in [base, base | one, base | one | two, base | two] {
            found.corners.push(corner(half, number));
        }
    }
}

#[inline]
fn corner<P: PreciseVector>(half: P, number: u32) -> Corner<P> {
    // The bit of an axis becomes the sign of its coordinate.
    let flipped = |half: f64, axis: u32| {
        f64::from_bits(half.to_bits() ^ u64::from(number >> axis & 1) << (u64::BITS - 1))
    };
    let half = half.in_space();
    let point = DVec3::new(flipped(half.x, 0), flipped(half.y, 1), flipped(half.z, 2));
    Corner {
        point: P::from_space(point),
        number,
    }
}

/// Four edges for each axis, by the bits of the two other axes.
pub(super) const fn edge_number([from, to]: [u32; 2]) -> u32 {
    let axis = match (from ^ to).trailing_zeros() {
        axis @ 0..=2 => axis,
        _ => 2,
    };
    let low = from & to;
    let others = low & ((1 << axis) - 1) | low >> (axis + 1) << axis;
    4 * axis + others
}
