//! What a step reports of a pair.

use clearance_gjk::{Placed, Separation, Status};
use clearance_math::{Matrix, Real, Rotation, Vector};
use clearance_shapes::Shape;

use crate::BodyId;

/// Two bodies not farther apart than their margins reach: `a < b`.
///
/// Two half-spaces that overlap without bound make a contact too: see [`Contact::is_unbounded`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact<V> {
    /// The body with the lesser id.
    pub a: BodyId,
    /// The body with the greater id.
    pub b: BodyId,
    /// Signed distance with its bounds, the closest points and the normal from a to b.
    pub separation: Separation<V>,
}

impl<V: Vector> Contact<V> {
    /// The gap if positive, minus the penetration depth if negative; in units of length.
    #[inline]
    #[must_use]
    pub fn distance(&self) -> Real {
        self.separation.distance
    }

    /// Both ids, the lesser first.
    #[inline]
    #[must_use]
    pub fn pair(&self) -> (BodyId, BodyId) {
        (self.a, self.b)
    }

    /// Whether the two bodies are half-spaces that overlap without bound, so that there is no depth.
    ///
    /// Then the distance and its bounds are minus infinity, the normal is the outward normal of a,
    /// and the points lie on the two boundaries, each nearest its body's origin.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.separation.upper == Real::NEG_INFINITY
    }

    /// The other body of the contact, or `None` if `body` is not one of the two.
    #[must_use]
    pub fn other(&self, body: BodyId) -> Option<BodyId> {
        if body == self.a {
            Some(self.b)
        } else if body == self.b {
            Some(self.a)
        } else {
            None
        }
    }
}

/// What stands in the contact of two half-spaces that overlap without bound.
#[cold]
#[inline(never)]
pub(crate) fn unbounded<V: Vector>(a: Placed<V>, b: Placed<V>) -> Separation<V> {
    let (normal, point_a) = boundary(a);
    let (_, point_b) = boundary(b);
    Separation {
        distance: Real::NEG_INFINITY,
        lower: Real::NEG_INFINITY,
        upper: Real::NEG_INFINITY,
        normal,
        point_a,
        point_b,
        status: Status::Exact,
    }
}

/// The outward normal of a half-space and the point of its boundary nearest its origin.
fn boundary<V: Vector>(placed: Placed<V>) -> (V, V) {
    match placed.shape {
        Shape::HalfSpace(half_space) => {
            let normal = placed.pose.rotation.matrix().apply(half_space.normal());
            let origin = placed.pose.translation.to_precise();
            let point = origin + normal * half_space.offset();
            (V::from_precise(normal), V::from_precise(point))
        }
        // Only half-spaces are unbounded; any unit vector is an answer for the rest.
        Shape::Convex(_) => (V::axis(0), placed.pose.translation),
    }
}
