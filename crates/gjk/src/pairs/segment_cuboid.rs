//! Overlapping segment and cuboid: capsule and box.

use clearance_math::{PreciseVector, RelativePose, Vector};
use clearance_shapes::{Cuboid, Segment};

use super::axes::{Apart, Axes, Best, cross};

/// The depth of a segment in a 3D box: the least overlap over the axes of the box and their cross
/// products with the segment, in the frame of the segment a.
///
/// These are the normals of all faces of the difference, so the least overlap is the depth. Source
/// for the axes: Gottschalk, Lin, Manocha, "OBBTree", 1996.
///
/// # Errors
/// The gap along the first axis that separates them.
pub(crate) fn deepest_axis<V: Vector>(
    a: &Segment<V>,
    b: &Cuboid<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Result<Best<V::Precise>, Apart> {
    let middle = (a.a.to_precise() + a.b.to_precise()) * 0.5;
    let half = (a.b.to_precise() - a.a.to_precise()) * 0.5;
    let axes_b = Axes::of(b, b_in_a);
    let mut best = Best::new(b_in_a.translation - middle);
    let radius = |n: V::Precise| half.dot(n).abs() + axes_b.radius(n);
    for k in 0..V::DIM {
        best.test(axes_b.unit(k), radius)?;
    }
    let along = half.direction().unwrap_or(V::Precise::axis(0));
    for k in 0..V::DIM {
        best.test_direction(cross(along, axes_b.unit(k)), radius)?;
    }
    Ok(best)
}
