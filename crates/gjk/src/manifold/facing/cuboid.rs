//! Faces, edges and corners of cuboids.
//!
//! The number of a corner has a bit for each axis along which its coordinate is negative; that of a face is twice its
//! axis, plus one if it lies on the negative side.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};
use clearance_math::{DVec3, PreciseVector, Vector, tolerances};
use clearance_shapes::Cuboid;

use super::{Corner, Facing, Line, across, is_facing};
use crate::convex::closed_forms::axes::greatest;
use crate::manifold::feature::Feature;
use crate::manifold::in_plane::SideFeatures;

pub(super) fn facing<V: Vector>(
    cuboid: &Cuboid<V>,
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) {
    let half = cuboid.half_extents.to_precise();
    if const { V::DIM == 2 } {
        let [half, direction] = [half, direction].map_each(|v| VectorsInLanes::splat((), v));
        let side = SidesOfRectangles::<f64, V::Precise>::towards(direction, half);
        if side.is_facing {
            let features = side.features(0);
            for (point, number) in side.ends.into_iter().zip(features.corners) {
                let point = point.lane(0);
                found.corners.push(Corner { point, number });
            }
            return found.set_plane(side.normal.lane(0), features.face);
        }
    }
    let lengths = direction.abs();
    let (steepest, cosine) = greatest(lengths);
    let signs = (0..V::DIM).fold(0, |signs, axis| {
        signs | u32::from(direction.component(axis) < 0.0) << axis
    });
    let is_negative = signs >> steepest & 1;
    if const { V::DIM == 3 } && is_facing(cosine) {
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
    let (one, two) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    for number in [base, base | one, base | one | two, base | two] {
        found.corners.push(corner(half, number));
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

/// The side of a rectangle that faces a direction, for one or in each lane.
pub(crate) struct SidesOfRectangles<F: Number, P> {
    pub(crate) ends: [VectorsInLanes<F, P>; 2],
    pub(crate) normal: VectorsInLanes<F, P>,
    /// Whether there is one; elsewhere a corner faces that direction.
    pub(crate) is_facing: F::Mask,
    corners: [F; 2],
    /// The number of the side, or of the corner after those of all sides.
    face: F,
}

/// How many sides a rectangle has.
const SIDES: u32 = 4;

impl<F: Number, P: PreciseVector> SidesOfRectangles<F, P> {
    /// The sides of rectangles with these half extents that face a direction of unit length.
    #[inline(always)]
    pub(crate) fn towards(direction: VectorsInLanes<F, P>, half: VectorsInLanes<F, P>) -> Self {
        let (x, y) = (direction.x, direction.y);
        let number = |number: f64| F::splat(x.set(), number);
        let is_upright = y.abs().is_above(x.abs());
        let across = is_upright.choose(y, x);
        let out = is_upright.choose(half.y, half.x).with_sign_of(across);
        let up = number(1.0).with_sign_of(across);
        let along = is_upright.choose(half.x, half.y);
        let vector = |across: F, along: F| {
            VectorsInLanes::new([
                is_upright.choose(along, across),
                is_upright.choose(across, along),
                number(0.0),
            ])
        };
        let zero = number(0.0);
        let is_negative = across.is_below(0.0);
        let axis = is_upright.choose(number(1.0), zero);
        let first = is_negative.choose(axis + number(1.0), zero);
        let is_facing = across.abs().is_at_least(tolerances::FACING_COSINE);
        let side = axis * 2.0 + is_negative.choose(number(1.0), zero);
        let corner =
            x.is_below(0.0).choose(number(1.0), zero) + y.is_below(0.0).choose(number(2.0), zero);
        Self {
            ends: [vector(out, along), vector(out, -along)],
            normal: vector(up, zero),
            is_facing,
            corners: [first, first + number(2.0) - axis],
            face: is_facing.choose(side, corner + number(f64::from(SIDES))),
        }
    }

    /// What the side in a lane is, or the corner that faces the direction.
    #[inline(always)]
    pub(crate) fn features(&self, lane: usize) -> SideFeatures {
        let number = |lanes: F| lanes.lane(lane) as u32;
        let face = number(self.face);
        SideFeatures {
            corners: [number(self.corners[0]), number(self.corners[1])],
            face: if face < SIDES {
                Feature::Face(face)
            } else {
                Feature::Corner(face - SIDES)
            },
        }
    }
}
