//! For how long a plane that stays as it is keeps two parts apart.

use clearance_math::{Matrix, PreciseVector, Vector};

use super::certify::{Stretch, duration};
use super::seen::PlaneBetween;
use crate::questions::cast::pair::{FacingPoints, MovingPair, PairAt, PartKind};

impl<V: Vector> MovingPair<'_, V> {
    /// The gap along a normal that stays as it is, or along that of a half-space, which turns with it.
    fn gap_along_plane(&self, at: &PairAt<V::Precise>, normal: V::Precise) -> f64 {
        let normal = match self.a.kind {
            PartKind::Convex(_) => normal,
            PartKind::HalfSpace(plane) => at.a.rotation.apply(plane.normal()),
        };
        self.gap_along(at, normal)
    }

    /// How the gap along a plane's normal changes: of a plane that stays as it is, or turns with a half-space.
    pub(super) fn change(
        &self,
        at: &PairAt<V::Precise>,
        plane: &PlaneBetween<V::Precise>,
    ) -> Change {
        let normal = plane.apart.normal;
        let FacingPoints { on_a, on_b, .. } = plane.facing;
        let straight = normal.dot(self.way.velocity);
        let (a, b) = (self.a, self.b);
        let growth = straight + b.rate(on_b.point, normal);
        if a.is_half_space() && !a.turn.is_none() {
            return Change {
                straight,
                rate: growth - a.rate(at.apart + on_b.point, normal),
                bend: self.bend_of_plane(at, a.turn, b),
                loss: f64::INFINITY,
            };
        }
        Change {
            straight,
            rate: growth - a.rate(on_a.point, normal),
            bend: a.bend(normal) + b.bend(normal),
            loss: a.rise(normal, &on_a) + b.rise(-normal, &on_b),
        }
    }

    /// How long a plane certainly keeps the parts apart: one that stays as it is, or turns with a part.
    pub(super) fn step(
        &self,
        at: &PairAt<V::Precise>,
        plane: &PlaneBetween<V::Precise>,
        change: &Change,
    ) -> f64 {
        let (normal, margin) = (plane.apart.normal, plane.pace.margin);
        let remaining = 1.0 - at.time;
        let end = |ahead: f64| {
            if ahead >= remaining {
                1.0
            } else {
                after(at.time, ahead)
            }
        };
        let around = change.around(margin);
        if around >= remaining || change.bend == 0.0 {
            return end(around);
        }
        let ahead = duration(margin, change.rate, change.bend).min(remaining);
        let later = self.at(at.time + ahead);
        let last = self.gap_along_plane(&later, normal);
        let stretch = Stretch {
            first: margin,
            last: last - (plane.facing.gap - margin),
            duration: ahead,
            bend: change.bend,
        };
        let certain = stretch.certain().max(around);
        end(certain.max(self.free_with_turning_plane(at, plane, certain)))
    }
}

/// How the gap along a normal changes.
pub(super) struct Change {
    /// How fast it grows by what does not turn.
    straight: f64,
    /// How fast it grows now.
    pub(super) rate: f64,
    /// The greatest second derivative.
    pub(super) bend: f64,
    /// The most that turning can take off it, however long.
    loss: f64,
}

impl Change {
    /// For how long a gap with this margin lasts at least, whatever turns.
    pub(super) fn around(&self, margin: f64) -> f64 {
        if self.bend == 0.0 {
            free(margin, self.straight)
        } else if margin > self.loss {
            free(margin - self.loss, self.straight)
        } else {
            0.0
        }
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
