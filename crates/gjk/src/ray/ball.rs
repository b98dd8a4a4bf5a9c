//! Ray and ball. The same formula serves the round side of capsules and cylinders, seen along the axis,
//! and ellipsoids, which are balls after scaling.

use clearance_math::PreciseVector;

use super::chord::{Chord, Crossing};

/// A ball, or a disc in a plane across the axis of a cylinder, as a line sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round<P> {
    /// From the centre to the base of the line.
    pub(super) from_center: P,
    /// The unit direction.
    pub(super) direction: P,
    pub(super) radius: f64,
    /// How far the line may be from where exact arithmetic would have it.
    pub(super) rounding: f64,
}

impl<P: PreciseVector> Round<P> {
    /// The chord has half the length h with h^2 = radius^2 - b^2, where b is the distance of the line from
    /// the centre.
    ///
    /// b is wrong by at most the rounding e, so h^2 = (radius - b) (radius + b) is wrong by at most
    /// 2 (radius + b) e + e^2. Where h^2 is not above that, the line may just touch the ball, and all of the
    /// chord lies between the bounds of either end.
    ///
    /// Places are divided by `speed`: how far the line advances along `direction` for each unit of length.
    #[inline(always)]
    pub(super) fn chord(&self, speed: f64) -> Option<Chord<P>> {
        let along = self.from_center.dot(self.direction);
        let foot = self.from_center - self.direction * along;
        let beside = foot.length();
        let sum = self.radius + beside;
        let square = (self.radius - beside) * sum;
        let doubt = (2.0 * sum + self.rounding) * self.rounding;
        if square < -doubt {
            return None;
        }
        let half = square.max(0.0).sqrt();
        let most = (square + doubt).sqrt() + self.rounding;
        let least = if square > doubt {
            (square - doubt).sqrt() - self.rounding
        } else {
            -most
        };
        let inverse = 1.0 / speed;
        let crossing = |half: f64, near: f64, far: f64| Crossing {
            at: (half - along) * inverse,
            lower: (near - along) * inverse,
            upper: (far - along) * inverse,
            normal: foot + self.direction * half,
        };
        Some(Chord {
            enter: crossing(-half, -most, -least),
            leave: crossing(half, least, most),
        })
    }
}
