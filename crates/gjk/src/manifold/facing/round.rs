//! Shapes about the y axis: cylinders, cones, tapered cylinders and capsules.
//!
//! A disc is represented by the octagon in its rim that turns with the body: its corners are contact points of a disc
//! that lies on a plane, and they keep their numbers.

use core::f64::consts::FRAC_1_SQRT_2;

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, tolerances};
use clearance_shapes::{Support, TaperedCapsule};

use super::{Corner, Facing, Line, is_facing};
use crate::manifold::feature::Feature;

/// The corners of the octagon in a circle of radius one, as x and z.
const OCTAGON: [[f64; 2]; 8] = [
    [1.0, 0.0],
    [FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [0.0, 1.0],
    [-FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [-1.0, 0.0],
    [-FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
    [0.0, -1.0],
    [FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
];

/// The number of the first corner of a line of the side; that at the top. Those of the octagons come before.
const LINE: u32 = 16;

/// The ends of a shape about the y axis, the one at the top first.
const ENDS: [u32; 2] = [0, 1];

/// A direction as it lies to the axis.
struct Slant<P> {
    /// The unit vector from the axis towards the direction.
    radial: P,
    /// The part of the direction along `radial`.
    out: f64,
    /// The part along the axis.
    up: f64,
}

impl<P: PreciseVector> Slant<P> {
    fn new(direction: P) -> Self {
        let flat = direction.with_component(1, 0.0);
        let radial = flat.direction().unwrap_or(P::axis(0));
        Self {
            out: radial.dot(direction),
            up: direction.component(1),
            radial,
        }
    }

    /// A point of the half plane that the direction leads to.
    fn at(&self, out: f64, up: f64) -> P {
        self.radial * out + P::axis(1) * up
    }
}

/// The convex hull of two discs, of which one can be a point.
pub(super) fn frustum<P: PreciseVector>(
    half_height: Real,
    radii: [f64; 2],
    direction: P,
    found: &mut Facing<P>,
) {
    let (half, slant) = (f64::from(half_height), Slant::new(direction));
    let [top, bottom] = radii;
    // The normal of the side, as its parts away from the axis and along it.
    let length = (4.0 * half * half + (bottom - top) * (bottom - top)).sqrt();
    let (out, up) = (2.0 * half / length, (bottom - top) / length);
    let of_side = slant.out * out + slant.up * up;
    let (end, of_cap) = if slant.up > 0.0 {
        (0, slant.up)
    } else {
        (1, -slant.up)
    };
    let heights = [half, -half];
    if is_facing(of_cap) && radii[end] > 0.0 && of_cap >= of_side {
        return cap(end, (heights[end], radii[end]), found);
    }
    if is_facing(of_side) {
        let ends = [0, 1].map_each(|end| Corner {
            point: slant.at(radii[end], heights[end]),
            number: LINE + ENDS[end],
        });
        found.set_line(&Line {
            ends,
            normal: slant.at(out, up),
            feature: Feature::Edge(LINE),
        });
        // Along the normal to the axis.
        found.roundness = radii.map_each(|radius| radius / out);
        return;
    }
    let end = usize::from(2.0 * half * slant.up < (bottom - top) * slant.out);
    let feature = if radii[end] > 0.0 {
        Feature::Edge(LINE + 1 + ENDS[end])
    } else {
        Feature::Corner(LINE + ENDS[end])
    };
    found.set_point(slant.at(radii[end], heights[end]), direction, feature);
}

fn cap<P: PreciseVector>(end: usize, (height, radius): (f64, f64), found: &mut Facing<P>) {
    for (number, [x, z]) in (8 * ENDS[end]..).zip(OCTAGON) {
        let point = P::axis(0) * (radius * x) + P::axis(1) * height;
        let point = if const { P::DIM == 3 } {
            point + P::axis(2) * (radius * z)
        } else {
            point
        };
        found.corners.push(Corner { point, number });
    }
    let up = P::axis(1) * height.signum();
    found.set_plane(up, Feature::Face(ENDS[end]));
}

/// The number of the side of an octagon between two corners that follow each other.
pub(super) fn edge_number([from, to]: [u32; 2]) -> u32 {
    let (low, high) = (from.min(to), from.max(to));
    if high - low == 1 { low } else { high }
}

pub(super) fn tapered_capsule<P: PreciseVector>(
    capsule: &TaperedCapsule,
    direction: P,
    found: &mut Facing<P>,
) {
    let (half, slant) = (f64::from(capsule.half_length()), Slant::new(direction));
    let radii = capsule.core_radii();
    let up = (radii[1] - radii[0]) / (2.0 * half);
    let out = (1.0 - up * up).max(0.0).sqrt();
    if slant.out * out + slant.up * up < tolerances::FACING_COSINE {
        let is_bottom = 2.0 * half * slant.up < radii[1] - radii[0];
        let feature = Feature::Face(u32::from(is_bottom));
        return found.set_point(capsule.support(direction), direction, feature);
    }
    let ends = [0, 1].map_each(|end| {
        let height = if end == 0 { half } else { -half };
        Corner {
            point: slant.at(radii[end] * out, height + radii[end] * up),
            number: LINE + ENDS[end],
        }
    });
    let feature = if const { P::DIM == 2 } {
        Feature::Face(2 + u32::from(slant.radial.component(0) < 0.0))
    } else {
        Feature::Edge(LINE)
    };
    found.set_line(&Line {
        ends,
        normal: slant.at(out, up),
        feature,
    });
    if const { P::DIM == 3 } {
        found.roundness = radii;
    }
}
