//! For how long a plane that stays as it is keeps two parts apart.

use clearance_math::{Matrix, PreciseVector, Vector};

use super::certify::{Stretch, duration};
use super::motion::rate_of_turning;
use super::pair::{Facing, First, MovingPair, PairAt};
use super::seen::Plane;

/// How far two parts can go.
pub(super) struct Step {
    pub(super) time: f64,
    /// Whether they are moving apart at the beginning.
    pub(super) is_leaving: bool,
}

impl<V: Vector> MovingPair<'_, V> {
    /// The gap along a normal that stays as it is, or along that of a half-space, which turns with it.
    fn gap_along_plane(&self, at: &PairAt<V::Precise>, normal: V::Precise) -> f64 {
        let normal = match &self.a {
            First::Part(_) => normal,
            First::HalfSpace(plane, _) => at.a.rotation.apply(plane.normal()),
        };
        self.gap_along(at, normal)
    }

    /// How long a plane with this normal certainly keeps the parts apart: one that does not turn, or one that
    /// turns with a part.
    pub(super) fn step(
        &self,
        at: &PairAt<V::Precise>,
        plane: &Plane<V::Precise>,
    ) -> Step {
        let (normal, margin) = (plane.apart.normal, plane.pace.margin);
        let Facing { on_a, on_b, gap } = plane.facing;
        let straight = normal.dot(self.bodies.velocity);
        let falls_b = self.b.rate(on_b.point, normal);
        let remaining = 1.0 - at.time;
        let (rate, bend, rise) = match &self.a {
            First::Part(part) => {
                let rate = straight + falls_b - part.rate(on_a.point, normal);
                let bend = part.bend(normal) + self.b.bend(normal);
                let rise = part.rise(normal, &on_a) + self.b.rise(-normal, &on_b);
                (rate, bend, rise)
            }
            First::HalfSpace(_, body) if body.turn.is_none() => {
                let rate = straight + falls_b;
                (rate, self.b.bend(normal), self.b.rise(-normal, &on_b))
            }
            First::HalfSpace(_, body) => {
                let seen = at.apart + on_b.point;
                let turning = rate_of_turning(&body.turn, seen, normal);
                let rate = straight + falls_b - turning;
                (rate, self.bend_of_plane(at, body, &self.b), f64::INFINITY)
            }
        };
        let is_leaving = rate >= 0.0;
        let end = |ahead: f64| Step {
            time: if ahead >= remaining {
                1.0
            } else {
                after(at.time, ahead)
            },
            is_leaving,
        };
        if bend == 0.0 {
            return end(free(margin, straight));
        }
        let around = if margin > rise {
            free(margin - rise, straight)
        } else {
            0.0
        };
        if around >= remaining {
            return end(around);
        }
        let ahead = duration(margin, rate, bend).min(remaining);
        let later = self.at(at.time + ahead);
        let last = self.gap_along_plane(&later, normal);
        let stretch = Stretch {
            first: margin,
            last: last - (gap - margin),
            duration: ahead,
            bend,
        };
        let certain = stretch.certain().max(around);
        end(certain.max(self.free_with_turning_plane(at, plane, certain)))
    }
}

/// The time until which something holds that holds for a while from a time on.
pub(super) fn after(time: f64, while_: f64) -> f64 {
    time + while_ * (1.0 - 4.0 * f64::EPSILON)
}

/// For how long a gap lasts that grows at a constant rate.
pub(super) fn free(gap: f64, rate: f64) -> f64 {
    if rate < 0.0 {
        gap / -rate
    } else {
        f64::INFINITY
    }
}
