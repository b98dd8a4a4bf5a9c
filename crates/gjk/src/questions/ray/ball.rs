//! Ray and ball. The same formula serves the round side of capsules and cylinders, seen along the axis,
//! and ellipsoids, which are balls after scaling.

use clearance_math::{PreciseVector, Ray, Vector};

use super::chord::{Chord, ChordCrossing};
use super::{HitInFrame, RayHit, RayInFrame, RayOptions};
use crate::convex::closed_forms::point_point::Ball;

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
    /// What a ray sees of a ball.
    pub(super) fn ball(ray: &RayInFrame<P>, center: P, radius: f64) -> Self {
        Self {
            from_center: ray.base - center,
            direction: ray.direction,
            radius,
            rounding: ray.rounding,
        }
    }

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
        let inverse = 1.0 / speed;
        self.around(foot, [square, doubt], |half| (half - along) * inverse)
    }

    /// The chord around `foot`, the point nearest to the centre, if the square of half its length is wrong by at most
    /// `doubt`. `place` is where the line is so far from the foot.
    #[inline(always)]
    fn around(
        &self,
        foot: P,
        [square, doubt]: [f64; 2],
        place: impl Fn(f64) -> f64,
    ) -> Option<Chord<P>> {
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
        let crossing = |half: f64, near: f64, far: f64| {
            let normal = foot + self.direction * half;
            ChordCrossing::between(place(half), [place(near), place(far)], normal)
        };
        Some(Chord::new(
            crossing(-half, -most, -least),
            crossing(half, least, most),
        ))
    }
}

/// Where a ray hits a ball of a radius greater than zero: the answer of [`hit_by_ray`](super::hit_by_ray) for its shape
/// and pose, bit for bit, but no shape is needed. It is compiled into the caller.
///
/// The limit of the options only decides whether a hit is found; it does not change a hit below it.
#[inline]
#[must_use]
pub fn ball_hit_by_ray<V: Vector>(
    ray: &Ray<V>,
    ball: Ball<V>,
    options: RayOptions,
) -> Option<RayHit<V>> {
    let radius = f64::from(ball.radius);
    let line = RayInFrame::toward_ball(ray, ball.center, radius);
    let chord = chord_of_centered(&line, radius)?;
    let hit = HitInFrame::of_solid(&line, &chord, options)?;
    Some(hit.in_single_precision(ray, line.unit))
}

/// The chord of the ball around the origin of the frame of a line, whose base is the point nearest to the centre. So
/// there are fewer square roots to wait for than in [`Round::chord`].
///
/// With b the distance of the base from the centre, h^2 = radius^2 - b^2. If the true line meets the ball, whose
/// distance b' differs from b by at most the rounding e, then h^2 is wrong by at most e (b + b') <= e (2 radius + e).
/// Twice as much leaves room for the rounding of the squares.
#[inline(always)]
fn chord_of_centered<P: PreciseVector>(line: &RayInFrame<P>, radius: f64) -> Option<Chord<P>> {
    let round = Round::ball(line, P::ZERO, radius);
    let square = radius * radius - line.base.length_squared();
    let doubt = 4.0 * (radius + line.rounding) * line.rounding;
    round.around(line.base, [square, doubt], |half| half)
}
