//! Overlapping triangle and cuboid.

use clearance_math::{
    MapEach, PreciseVector, RelativePose, Vector, greater_of, lesser_of, tolerances,
};
use clearance_shapes::{Cuboid, Triangle};

use super::axes::{Apart, Axes, Best, cross};

/// The depth of a triangle in a 3D box: the least overlap over the normal of the triangle, the axes of
/// the box, and their cross products with the sides of the triangle, in the frame of the triangle a.
///
/// These are the normals of all faces of the difference, so the least overlap is the depth. Source for
/// the axes: Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", 2001, which asks only whether they
/// overlap.
///
/// `None` if the triangle is so thin that its normal is not precise enough for a proof.
pub(crate) fn deepest_axis<V: Vector>(
    a: &Triangle<V>,
    b: &Cuboid<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Result<Best<V::Precise>, Apart>> {
    let corners = a.corners();
    let [p, q, r] = corners;
    let sides = [q - p, r - q, p - r];
    let longest = sides
        .iter()
        .map(|side| side.length_squared())
        .fold(0.0, f64::max);
    let normal = cross(sides[0], sides[1]);
    let area = normal.length();
    if !(area > tolerances::PRECISE_NORMAL * longest) {
        return None;
    }
    let axes_b = Axes::of(b, b_in_a);
    let test = Overlaps {
        corners,
        center: b_in_a.translation,
        axes_b,
    };
    Some(test.least(normal / area, sides))
}

/// The triangle, and the centre and axes of the box.
struct Overlaps<P: PreciseVector> {
    corners: [P; 3],
    center: P,
    axes_b: Axes<P>,
}

impl<P: PreciseVector> Overlaps<P> {
    /// Tests all axes; an error means that one of them separates the shapes.
    fn least(&self, normal: P, sides: [P; 3]) -> Result<Best<P>, Apart> {
        let mut best = Best::none();
        self.test(&mut best, normal)?;
        for k in 0..P::DIM {
            self.test(&mut best, self.axes_b.unit(k))?;
        }
        for side in sides {
            let Some(along) = side.direction() else {
                continue;
            };
            for k in 0..P::DIM {
                let axis = cross(along, self.axes_b.unit(k));
                let length = axis.length();
                // The product of parallel directions is none of the normals.
                if length > tolerances::PARALLEL {
                    self.test(&mut best, axis / length)?;
                }
            }
        }
        Ok(best)
    }

    /// Keeps the overlap along a unit axis if it is the least so far. Unlike two boxes, a triangle reaches
    /// differently far to both sides, so each side counts for itself.
    #[inline]
    fn test(&self, best: &mut Best<P>, axis: P) -> Result<(), Apart> {
        let [p, q, r] = self
            .corners
            .map_each(|corner| axis.dot(corner - self.center));
        let radius = self.axes_b.radius(axis);
        let forward = greater_of(greater_of(p, q), r) + radius;
        let backward = radius - lesser_of(lesser_of(p, q), r);
        let overlap = lesser_of(forward, backward);
        if overlap < 0.0 {
            return Err(Apart(-overlap));
        }
        if overlap < best.depth {
            best.depth = overlap;
            best.normal = if forward <= backward { axis } else { -axis };
        }
        Ok(())
    }
}
