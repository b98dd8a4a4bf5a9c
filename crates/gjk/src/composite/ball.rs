//! A ball beside the triangles of a composite.

use clearance_math::{PreciseVector, Real, RelativePose, Vector};
use clearance_shapes::{Core, Shape, Triangle};

use crate::answer::Proximity;
use crate::pair::near_within;
use crate::pairs::point_convex;
use crate::pairs::point_point::turned;
use crate::placed::Placed;

/// A ball in the frame of a composite.
///
/// Its triangles are measured against it without being made shapes that are put into canonical order: what
/// is the same for all of them is computed once. The answers have the bits of those of
/// [`proximity`](crate::proximity()) for the triangle and the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball<P: PreciseVector> {
    center: P,
    /// The length of `center`.
    reach: f64,
    radius: f64,
    /// The pose of the composite in the world.
    a_in_world: RelativePose<P>,
}

impl<P: PreciseVector> Ball<P> {
    /// The shape b in the frame of a; `None` if it is not a ball.
    pub(super) fn new<V: Vector<Precise = P>>(
        a: Placed<V>,
        b: Placed<V>,
        a_in_world: &RelativePose<P>,
    ) -> Option<Self> {
        let Shape::Convex(ball) = b.shape else {
            return None;
        };
        let Core::Point(center) = ball.core() else {
            return None;
        };
        let apart = b.pose.translation.to_precise() - a.pose.translation.to_precise();
        let center = a_in_world.inverse_transform_direction(apart + turned(*center, b.pose));
        Some(Self {
            center,
            reach: center.length(),
            radius: ball.radius(),
            a_in_world: *a_in_world,
        })
    }

    /// The centre in the frame of the composite.
    pub(super) fn center(&self) -> P {
        self.center
    }

    /// The answer for a triangle as a, and the ball as b. `None` if the triangle is a segment or a point, or
    /// if no closed form decides.
    pub(super) fn measure<V: Vector<Precise = P>>(
        &self,
        [a, b, c]: [V; 3],
        within: Real,
    ) -> Option<Proximity<V>> {
        if a == b || b == c || c == a {
            return None;
        }
        let measured = point_convex::measure_triangle(
            &Triangle { a, b, c },
            (self.center, self.reach),
            self.radius,
        )?;
        Some(near_within(&measured, within, |measured| {
            measured.in_world(&self.a_in_world)
        }))
    }
}
