//! When boxes of two bodies in motion may come within range, at the earliest.
//!
//! In the frame of body a, the origin of b goes nearly straight for a short time, and b turns a little. The
//! boxes of b are mapped with the rotation in the middle of that time, moved along the straight way, and
//! grown by what the bend of the way and the turning can add. Without turning nothing is added, and one
//! stretch of time does.

use clearance_math::{Matrix, PreciseVector, Real, RelativePose, Vector, tolerances};
use glam::Vec4;

use super::advance::MOST_PATIENT_TURN;
use super::motion::Bodies;
use crate::composite::{BoxMap, FourBoxes};

/// The greatest angle by which bodies turn in one stretch of time, in radians.
const ANGLE: f64 = 0.5;

/// The greatest number of stretches of time.
pub(super) const MOST_STRETCHES: usize = 256;

/// In how many stretches of time two bodies are looked at.
///
/// Bodies that turn farther than [`MOST_PATIENT_TURN`] are looked at in one stretch. They would turn many
/// times in every stretch, which would hardly rule out more pairs of parts than all of the time together.
pub(super) fn stretches<P: PreciseVector>(bodies: &Bodies<P>) -> usize {
    let angle = bodies.a.turn.angle + bodies.b.turn.angle;
    if angle > MOST_PATIENT_TURN {
        return 1;
    }
    ((angle / ANGLE).ceil() as usize).clamp(1, MOST_STRETCHES)
}

/// Two bodies for a stretch of time.
pub(super) struct SweptBoxes {
    /// The beginning and the duration.
    start: f64,
    duration: f64,
    /// Maps boxes of b to the frame of a, up to the translation.
    map: BoxMap,
    /// The origin of b in a's frame at the beginning, and how far it goes.
    pub(super) origin: [Real; 3],
    pub(super) way: [Real; 3],
    /// What all boxes are grown by.
    pub(super) slack: Real,
    /// What boxes of b are grown by, relative to how far they are from the origin of b.
    turned: Real,
}

/// What is asked of the boxes of two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// The distance within which parts are of interest, all tolerances included.
    pub(super) within: f64,
    /// The sum of the sizes of the bodies, counted from their origins.
    pub(super) sizes: f64,
}

impl SweptBoxes {
    /// The bodies from one time to another.
    pub(super) fn new<V: Vector>(
        bodies: &Bodies<V::Precise>,
        [start, end]: [f64; 2],
        range: Range,
    ) -> Self {
        let duration = end - start;
        let middle = 0.5 * (start + end);
        let to_a = bodies.a.rotation(middle).transposed();
        let rotation = to_a.after(&bodies.b.rotation(middle));
        let origin_at = |time: f64| {
            let rotation = bodies.a.rotation(time);
            rotation.apply_transposed(bodies.apart(time))
        };
        let (first, last) = (origin_at(start), origin_at(end));
        let turn_a = &bodies.a.turn;
        let farthest = bodies.apart(start).length().max(bodies.apart(end).length());
        let bend = turn_a.angle * (turn_a.angle * farthest + 2.0 * bodies.velocity.length());
        // Neither does the way leave the ball that it lies in.
        let beside = (0.125 * bend * duration * duration).min(2.0 * farthest);
        let relative_turn = (bodies.b.turn.velocity() - turn_a.velocity()).length();
        let angle = 0.5 * relative_turn * duration;
        let turned = 2.0 * libm_sin(0.5 * angle.min(core::f64::consts::PI));
        let coordinates = first.length() + last.length() + range.sizes + range.within;
        let rounding = if coordinates < 1e30 {
            coordinates as Real * tolerances::SWEPT_BOX_ROUNDING
        } else {
            Real::INFINITY
        };
        let map = BoxMap::new::<V>(&RelativePose {
            rotation,
            translation: V::Precise::ZERO,
        });
        let numbers = |vector: V::Precise| {
            let mut numbers = [0.0; 3];
            for (k, number) in numbers.iter_mut().enumerate().take(V::DIM) {
                *number = vector.component(k) as Real;
            }
            numbers
        };
        Self {
            start,
            duration,
            map,
            origin: numbers(first),
            way: numbers(last - first),
            slack: rounding + ((beside + range.within) as Real).next_up(),
            turned: turned as Real * (1.0 + tolerances::SWEPT_BOX_ROUNDING),
        }
    }

    /// Boxes of b in a's frame, as if the origins were at one place, grown by what turning can add.
    pub(super) fn map(&self, boxes: &FourBoxes) -> FourBoxes {
        let mut mapped = self.map.map(boxes);
        if self.turned > 0.0 {
            let mut squared = Vec4::ZERO;
            for k in 0..3 {
                let farthest = boxes.low[k].abs().max(boxes.high[k].abs());
                squared += farthest * farthest;
            }
            let radius = Vec4::from_array(squared.to_array().map(Real::sqrt));
            let more = radius * self.turned;
            for k in 0..3 {
                mapped.low[k] -= more;
                mapped.high[k] += more;
            }
        }
        mapped
    }

    /// The earliest times at which the boxes of equal lanes may be within range; infinity if they are not
    /// during this stretch of time. Boxes of b have been mapped.
    pub(super) fn times<V: Vector>(&self, a: &FourBoxes, b: &FourBoxes) -> Vec4 {
        let (mut enter, mut leave) = (Vec4::ZERO, Vec4::ONE);
        let slack = Vec4::splat(self.slack);
        let mut is_missed = glam::BVec4A::FALSE;
        for k in 0..V::DIM {
            let low = a.low[k] - b.high[k] - slack - Vec4::splat(self.origin[k]);
            let high = a.high[k] - b.low[k] + slack - Vec4::splat(self.origin[k]);
            let way = self.way[k];
            if way == 0.0 {
                is_missed |= low.cmpgt(Vec4::ZERO) | high.cmplt(Vec4::ZERO);
                continue;
            }
            let (first, second) = if way > 0.0 { (low, high) } else { (high, low) };
            let (first, second) = (first / way, second / way);
            // NaN, from boxes that are infinitely large, says nothing: the other number counts.
            enter = Vec4::select(first.cmpgt(enter), first, enter);
            leave = Vec4::select(second.cmplt(leave), second, leave);
        }
        // Rounding of the two quotients.
        let later = leave * (1.0 + 4.0 * Real::EPSILON);
        is_missed |= (enter * (1.0 - 4.0 * Real::EPSILON)).cmpgt(later);
        let times = enter.to_array().map(|enter| {
            let time = self.start + f64::from(enter) * self.duration;
            (time * (1.0 - 8.0 * f64::from(Real::EPSILON))) as Real
        });
        Vec4::select(is_missed, Vec4::INFINITY, Vec4::from_array(times))
    }
}

/// The sine of an angle, with the same bits on every platform.
fn libm_sin(angle: f64) -> f64 {
    clearance_math::DMat2::of_turn(clearance_math::DVec3::Z * angle)
        .row(1)
        .x
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Vec3};
    use clearance_shapes::Shape;

    use super::*;
    use crate::cast::{Cast, Motion};
    use crate::placed::Placed;

    #[test]
    fn who_turns_far_is_looked_at_in_stretches_unless_that_takes_too_long() {
        let (cuboid, pose) = (Shape::cuboid(Vec3::ONE).expect("a size"), Pose::IDENTITY);
        let count = |angle: Real| {
            let placed = Placed::new(&cuboid, &pose);
            let motion = Motion::new(Vec3::ZERO, Vec3::Y * angle);
            let (a, b) = (Cast::new(placed, motion), Cast::resting(placed));
            stretches::<DVec3>(&Bodies::new(a.moving(), b.moving()))
        };
        assert_eq!(count(0.0), 1);
        assert_eq!(count(2.0), 4);
        assert_eq!(count(1e4), MOST_STRETCHES);
        assert_eq!([1e5, 1e30].map(count), [1, 1]);
    }
}
