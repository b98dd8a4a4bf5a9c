//! Manifolds along a normal that was chosen, and not found by measuring the pair.

use clearance_math::internal::MapEach;
use clearance_math::{
    PreciseVector, Real, Vector, round_down, round_nearest, round_up, tolerances,
};
use clearance_shapes::{Shape, Support};

use super::answer::Manifold;
use super::facing::Facing;
use super::sides::{OrderedShapes, find_facing, is_round};
use crate::answer::{Measured, Status};

impl<V: Vector> OrderedShapes<'_, V> {
    /// The manifold along a normal from a to b, in the frame of the world; `None` if a shape reaches without end there.
    pub(crate) fn manifold_along(&self, normal: V, within: Real) -> Option<Manifold<V>> {
        let in_a = (self.a_in_world).inverse_transform_direction(normal.to_precise());
        let pair = self.measured_along(in_a / in_a.length())?;
        let mut near = pair.in_world(self.a_in_world);
        near.normal = normal;
        let mut manifold = Manifold::none();
        if self.are_round() {
            self.set_closest(near, &mut manifold);
            return Some(manifold);
        }
        // The deepest point, whatever the range.
        self.begin(near, &mut manifold);
        manifold.fill_by(|room| self.fill_faces(&pair, 0.0, room));
        let points = manifold.points.iter();
        if let Some(deepest) = points.min_by(|p, q| p.distance.total_cmp(&q.distance)) {
            manifold.separation.position_a = deepest.position_a;
            manifold.separation.position_b = deepest.position_b;
        }
        if within > 0.0 {
            manifold.points.clear();
            manifold.fill_by(|room| self.fill_faces(&pair, within, room));
        }
        Some(manifold)
    }

    /// The signed distance along a normal, in the frame of a, and the points that are farthest along it.
    fn measured_along(&self, normal: V::Precise) -> Option<Measured<V::Precise>> {
        let [a, b] = self.shapes;
        let farthest_of_a = farthest(a, normal)?;
        let in_b = -self.b_in_a.inverse_transform_direction(normal);
        let farthest_of_b = self.b_in_a.transform_point(farthest(b, in_b)?);
        let distance = (farthest_of_b - farthest_of_a).dot(normal);
        let lengths =
            [farthest_of_a, farthest_of_b, self.b_in_a.translation].map_each(V::Precise::length);
        let rounding = tolerances::DIFFERENCE_ROUNDING * lengths.iter().sum::<f64>();
        let apart = normal * distance;
        let (on_a, on_b) = if has_a_farthest_point(a, normal) {
            (farthest_of_a, farthest_of_a + apart)
        } else {
            (farthest_of_b - apart, farthest_of_b)
        };
        Some(Measured {
            distance,
            lower: f64::from(round_down(distance - rounding).min(round_nearest(distance))),
            upper: f64::from(round_up(distance + rounding).max(round_nearest(distance))),
            normal,
            on_a,
            on_b,
            status: Status::Exact,
        })
    }
}

/// The point of a shape that is farthest in a direction of unit length; `None` if there is no end.
fn farthest<V: Vector>(shape: &Shape<V>, direction: V::Precise) -> Option<V::Precise> {
    match shape {
        Shape::Convex(convex) => {
            Some(convex.core().support(direction) + direction * convex.radius())
        }
        Shape::HalfSpace(half_space) => {
            let normal = half_space.normal();
            is_along(direction, normal).then(|| normal * half_space.offset())
        }
        Shape::Composite(_) => None,
    }
}

/// Whether one point of the shape is farther in a direction than all others.
fn has_a_farthest_point<V: Vector>(shape: &Shape<V>, direction: V::Precise) -> bool {
    if is_round(shape) {
        return true;
    }
    let mut facing = Facing::empty();
    find_facing(shape, direction, &mut facing);
    facing.corners.len() == 1
}

/// The normal of the face of a shape that looks in a direction of unit length, if one does: see [`Facing`].
pub(crate) fn face_towards<V: Vector>(
    shape: &Shape<V>,
    direction: V::Precise,
) -> Option<V::Precise> {
    let mut facing = Facing::empty();
    find_facing(shape, direction, &mut facing);
    let is_face = matches!(shape, Shape::HalfSpace(_)) || facing.corners.len() >= V::DIM;
    is_face.then_some(facing.normal)
}

/// Whether two vectors of unit length are equal but for the rounding of one of them to single precision.
pub(crate) fn is_along<P: PreciseVector>(direction: P, normal: P) -> bool {
    let difference = direction - normal;
    difference.dot(difference) <= tolerances::SEAM_EQUAL_NORMALS
}
