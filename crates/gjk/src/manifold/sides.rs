//! Two shapes in canonical order, and what of them faces the other.

use clearance_math::internal::MapEach;
use clearance_math::{RelativePose, Vector};
use clearance_shapes::{Core, Shape};

use super::answer::{Manifold, ManifoldPoint, Touch};
use super::facing::Facing;
use crate::answer::Separation;
use crate::pair::Exchange;

/// Whether every contact of the shape is a point.
pub(super) fn is_round<V: Vector>(shape: &Shape<V>) -> bool {
    let core = match shape {
        Shape::Convex(convex) => convex.core(),
        Shape::HalfSpace(_) | Shape::Composite(_) => return false,
    };
    matches!(core, Core::Point(_) | Core::Ellipsoid(_) | Core::Custom(_))
}

/// Finds the part of the surface that faces `direction`. `found` must be empty.
pub(super) fn find_facing<V: Vector>(
    shape: &Shape<V>,
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) {
    match shape {
        Shape::Convex(convex) => found.set_convex(convex, direction),
        Shape::HalfSpace(half_space) => found.set_half_space(half_space),
        Shape::Composite(_) => unreachable!("composites are refused"),
    }
}

/// Two shapes in canonical order and their poses.
pub(crate) struct OrderedShapes<'a, V: Vector> {
    pub(crate) shapes: [&'a Shape<V>; 2],
    pub(crate) a_in_world: &'a RelativePose<V::Precise>,
    pub(crate) b_in_a: &'a RelativePose<V::Precise>,
    /// The way to the order of the question, which is that of the manifold.
    pub(crate) exchange: Exchange,
}

impl<V: Vector> OrderedShapes<'_, V> {
    pub(super) fn are_round(&self) -> bool {
        self.shapes.into_iter().any(is_round)
    }

    /// Begins the manifold of shapes whose distance in canonical order is `near`.
    #[inline]
    pub(super) fn begin(&self, near: Separation<V>, manifold: &mut Manifold<V>) {
        manifold.begin(self.exchange.answer(near));
    }

    /// Finds the part of a surface that faces along the normal from a to b, in the frame of its body.
    pub(super) fn find_facing(
        &self,
        side: usize,
        normal: V::Precise,
        found: &mut Facing<V::Precise>,
    ) {
        if side == 0 {
            return find_facing(self.shapes[0], normal, found);
        }
        let in_b = -self.b_in_a.inverse_transform_direction(normal);
        find_facing(self.shapes[1], in_b, found);
    }

    /// The manifold of a shape that touches in points only: the closest points.
    pub(super) fn set_closest(&self, near: Separation<V>, manifold: &mut Manifold<V>) {
        let normal = near.normal.to_precise();
        let normal = self.a_in_world.inverse_transform_direction(normal);
        let features = [0, 1].map_each(|side| {
            let mut facing = Facing::empty();
            self.find_facing(side, normal, &mut facing);
            facing.feature
        });
        self.begin(near, manifold);
        let on = [near.position_a, near.position_b];
        let point = ManifoldPoint::new(near.distance, Touch { on, features }, self.exchange);
        manifold.points.push(point);
    }
}
