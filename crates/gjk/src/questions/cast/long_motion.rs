//! Motions that are far longer than all that matters to a cast: only their beginning is cast.
//!
//! Two shapes whose origins are S apart or less at the start, and whose points are within the radii Ra and Rb of these
//! origins, can be within a distance w only while their origins are at most Ra + Rb + w apart. With a relative velocity of
//! length L that ends before the time (S + Ra + Rb + w) / L. Places are known to a share of the whole motion, so a motion that
//! is a thousand billion times as long as that would leave nothing of the shapes.
//!
//! So such a motion is divided by a power of two, which changes no digit of it, and so are the times of the answer. Traces of
//! casts are made of the same beginning.

use clearance_math::internal::MapEach;
use clearance_math::{
    PreciseVector, Real, Rotation, Vector, round_down, round_nearest, round_up, tolerances,
};

use super::answer::{CastHit, CastOptions};
use super::motion::Motion;
use super::sides::Cast;
use crate::answer::Status;

/// Two casts of which only the beginning matters.
pub(super) struct Beginning<'a, V: Vector> {
    pub(super) a: Cast<'a, V>,
    pub(super) b: Cast<'a, V>,
    /// The time at which it ends: a power of two.
    pub(super) end: f64,
}

/// Whether a motion may be that long. It is not for nearly all casts, which pay for this alone.
#[inline(always)]
pub(super) fn may_be_long<V: Vector>(a: &Cast<V>, b: &Cast<V>, within: Real) -> bool {
    let way = b.motion.linear.to_precise() - a.motion.linear.to_precise();
    let apart = b.placed.pose.position() - a.placed.pose.position();
    let within = f64::from(within);
    let longest = tolerances::CAST_LONGEST_MOTION;
    way.length_squared() > longest * longest * (apart.length_squared() + within * within)
}

impl<'a, V: Vector> Beginning<'a, V> {
    /// `None` for casts that are not that long, and beside half-spaces, which have no end.
    pub(super) fn of(a: &Cast<'a, V>, b: &Cast<'a, V>, within: Real) -> Option<Self> {
        let length = (b.motion.linear.to_precise() - a.motion.linear.to_precise()).length();
        let [place_a, place_b] = [a, b].map_each(|cast| cast.placed.pose.position());
        // Added up so that exchanging the casts changes no bit.
        let reaches = a.placed.shape.bounding_radius() + b.placed.shape.bounding_radius();
        let matters = (place_b - place_a).length() + f64::from(within) + reaches;
        let matters = matters.max(tolerances::CAST_LEAST_REACH);
        if !(length > tolerances::CAST_LONGEST_MOTION * matters) {
            return None;
        }
        // Eight times as long as what matters, or up to sixteen times.
        let mut end = 1.0;
        while 0.5 * end * length >= 8.0 * matters {
            end *= 0.5;
        }
        let beginning = |cast: &Cast<'a, V>| Cast {
            motion: scaled(&cast.motion, end),
            ..*cast
        };
        (end < 1.0).then(|| Self {
            a: beginning(a),
            b: beginning(b),
            end,
        })
    }

    /// What `hit` finds of the beginning, with the times of the whole motion. Meetings after `until` are of no interest.
    pub(super) fn hit(
        &self,
        options: CastOptions,
        until: Real,
        hit: impl FnOnce(&Cast<V>, &Cast<V>, CastOptions, Real) -> Option<CastHit<V>>,
    ) -> Option<CastHit<V>> {
        // The next number after it, since it may have been rounded down from the time of a meeting.
        let until = round_up((f64::from(until.next_up()) / self.end).min(1.0));
        let hit = hit(&self.a, &self.b, options, until)?;
        let time = |time: Real| f64::from(time) * self.end;
        let is_open = hit.status == Status::IterationLimit && hit.time_upper >= 1.0;
        Some(CastHit {
            time: round_nearest(time(hit.time)),
            time_lower: round_down(time(hit.time_lower)),
            time_upper: if is_open {
                1.0
            } else {
                round_up(time(hit.time_upper))
            },
            ..hit
        })
    }
}

/// The motion until a time that is a power of two.
fn scaled<V: Vector>(motion: &Motion<V>, end: f64) -> Motion<V> {
    let angular = V::Rotation::angular_in_space(motion.angular).as_dvec3() * end;
    Motion {
        linear: V::from_precise(motion.linear.to_precise() * end),
        angular: V::Rotation::angular_from_space(angular.as_vec3()),
    }
}
