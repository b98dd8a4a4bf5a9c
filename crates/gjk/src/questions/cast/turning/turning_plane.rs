//! Planes that turn with one of the two parts.
//!
//! Where a face of a part is about to be met, a plane that stays as it is loses to the far end of the face when
//! the part turns. A plane that turns with the part does not, so that the last steps of a cast converge as
//! Newton's method does.

use clearance_math::{Matrix, PreciseVector, Vector, tolerances};

use super::certify::{Stretch, duration};
use super::seen::PlaneBetween;
use super::step::free;
use crate::questions::cast::motion::Turn;
use crate::questions::cast::pair::{MovingPair, MovingPart, PairAt};

/// A step that is at least this share of what the nearest points promise is long enough.
const LONG_ENOUGH: f64 = 0.8;

impl<V: Vector> MovingPair<'_, V> {
    /// For how long a plane that turns with one of the parts certainly keeps them apart. It is only looked at if
    /// `certain`, for how long another plane does, is much less than the nearest points promise.
    pub(super) fn free_with_turning_plane(
        &self,
        at: &PairAt<V::Precise>,
        plane: &PlaneBetween<V::Precise>,
        certain: f64,
    ) -> f64 {
        if self.a.is_half_space() {
            return 0.0;
        }
        let (normal, a, b) = (plane.apart.normal, self.a, self.b);
        let straight = normal.dot(self.way.velocity);
        let remaining = 1.0 - at.time;
        if certain >= LONG_ENOUGH * free(plane.pace.margin, plane.pace.rate).min(remaining) {
            return 0.0;
        }
        let of_a = (!a.turn.is_none()).then(|| {
            let on_b = plane.facing.on_b.point;
            TurningPlane {
                with: Carrier::A,
                rate: straight + b.rate(on_b, normal) - a.rate(at.apart + on_b, normal),
                bend: self.bend_of_plane(at, a.turn, b),
                angle: a.turn.angle,
            }
        });
        let of_b = (!b.turn.is_none()).then(|| {
            let on_a = plane.facing.on_a.point;
            TurningPlane {
                with: Carrier::B,
                rate: straight - a.rate(on_a, normal) - b.rate(at.apart - on_a, normal),
                bend: self.bend_of_plane(at, b.turn, a),
                angle: b.turn.angle,
            }
        });
        let planes = of_a.into_iter().chain(of_b);
        planes.fold(0.0, |longest, turning| {
            self.free_with(&turning, at, plane).max(longest)
        })
    }

    /// For how long the plane certainly keeps the parts apart if it turns.
    fn free_with(
        &self,
        turning: &TurningPlane,
        at: &PairAt<V::Precise>,
        plane: &PlaneBetween<V::Precise>,
    ) -> f64 {
        let (normal, margin) = (plane.apart.normal, plane.pace.margin);
        let ahead = duration(margin, turning.rate, turning.bend).min(1.0 - at.time);
        let later = self.at(at.time + ahead);
        let (now, then) = match turning.with {
            Carrier::A => (&at.a, &later.a),
            Carrier::B => (&at.b, &later.b),
        };
        let turned = then.rotation.apply(now.rotation.apply_transposed(normal));
        // The normal turns as well as the angle is known.
        let angle = turning.angle.min(1.0 / f64::EPSILON);
        let blur = tolerances::CAST_ROUNDING * at.apart.length().max(later.apart.length()) * angle;
        let lost = plane.facing.gap - margin + blur;
        let stretch = Stretch {
            first: margin,
            last: self.gap_along(&later, turned) - lost,
            duration: ahead,
            bend: turning.bend,
        };
        stretch.certain()
    }

    /// The greatest second derivative of the height of a part's points above a plane that turns like the other
    /// body.
    ///
    /// In the frame of the plane, the part is carried round about the origin of that body, moves, and turns.
    pub(super) fn bend_of_plane(
        &self,
        at: &PairAt<V::Precise>,
        turn: &Turn,
        part: &MovingPart<V>,
    ) -> f64 {
        let (of_part, radius) = (part.turn, part.core_radius());
        let farthest = at.apart.length().max(self.way.at(1.0).length());
        let speed = self.way.velocity.length() + of_part.angle * radius;
        turn.angle * turn.angle * (farthest + radius)
            + 2.0 * turn.angle * speed
            + of_part.angle * of_part.angle * radius
    }
}

/// A plane that turns with a part.
struct TurningPlane {
    with: Carrier,
    /// How fast the gap grows now.
    rate: f64,
    /// The greatest second derivative of the gap.
    bend: f64,
    /// How far the part turns in all.
    angle: f64,
}

/// The part that a plane turns with.
enum Carrier {
    A,
    B,
}
