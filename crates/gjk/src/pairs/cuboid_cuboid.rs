//! Cuboid and cuboid that overlap: box and box.

use clearance_math::{PreciseVector, RelativePose, Vector};
use clearance_shapes::Cuboid;

use super::axes::{Apart, Axes, Best, cross};

/// The depth of two overlapping boxes: the least overlap over the axes of both and, in space, the
/// products of an axis of each.
///
/// Those are the normals of all faces of the difference, so the least is the depth exactly
/// (Gottschalk, Lin, Manocha, "OBBTree", 1996). In the frame of a.
///
/// # Errors
/// The gap along the first axis that separates them.
pub(crate) fn deepest_axis<V: Vector>(
    a: &Cuboid<V>,
    b: &Cuboid<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Result<Best<V::Precise>, Apart> {
    let half_a = a.half_extents.to_precise();
    let axes_b = Axes::of(b, b_in_a);
    let mut best = Best::new(b_in_a.translation);
    let radius = |n: V::Precise| half_a.dot(n.abs()) + axes_b.radius(n);
    for k in 0..V::DIM {
        best.test(V::Precise::axis(k), radius)?;
    }
    for k in 0..V::DIM {
        best.test(axes_b.unit(k), radius)?;
    }
    if V::DIM == 3 {
        for i in 0..V::DIM {
            for j in 0..V::DIM {
                let direction = cross(V::Precise::axis(i), axes_b.unit(j));
                best.test_direction(direction, radius)?;
            }
        }
    }
    Ok(best)
}
