//! Two balls, of which none turns about a point beside its centre.
//!
//! The squared distance of the centres is a quadratic function of time, so the time of the meeting is the root of an
//! equation. It is only a guess, and right after it is proven: a plane across the line between the centres at that time
//! keeps them apart up to where the gap along its normal ends, which is one step of Newton's method on a convex
//! function.

use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::{Core, Shape};

use super::Cast;
use super::advance::Asked;
use super::answer::Found;
use super::precision::{Precision, common_size};
use crate::answer::Status;
use crate::measured::Measured;
use crate::pairs::point_point::turned;

/// Balls that approach each other at a smaller share of their speed when they meet graze each other, and are left to the
/// search.
const LEAST_APPROACH: f64 = 1e-3;

/// A ball in motion, in double precision.
struct MovingBall<P> {
    /// The origin of its body.
    origin: P,
    /// The vector from there to the centre.
    center: P,
    /// The length of that vector.
    offset: f64,
    radius: f64,
    velocity: P,
}

impl<P: PreciseVector> MovingBall<P> {
    /// `None` for other shapes, and for a ball whose centre is carried round.
    #[inline(always)]
    fn new<V: Vector<Precise = P>>(cast: &Cast<V>) -> Option<Self> {
        let Shape::Convex(convex) = cast.placed.shape else {
            return None;
        };
        let Core::Point(center) = convex.core() else {
            return None;
        };
        let is_still = *center == V::ZERO || cast.motion.angular == V::Angular::default();
        is_still.then(|| Self {
            origin: cast.placed.pose.translation.to_precise(),
            center: turned(*center, cast.placed.pose),
            offset: convex.core_bounding_radius(),
            radius: convex.radius(),
            velocity: cast.motion.linear.to_precise(),
        })
    }

    #[inline(always)]
    fn center_at(&self, time: f64) -> P {
        self.origin + self.velocity * time + self.center
    }
}

/// Casts two balls in canonical order. `None` for other shapes, and for balls that are near at the start or graze each
/// other.
#[inline(always)]
pub(super) fn meet<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    asked: &Asked,
) -> Option<Found<V::Precise>> {
    let (a, b) = (MovingBall::new(a)?, MovingBall::new(b)?);
    let way = (b.origin - a.origin) + (b.center - a.center);
    let velocity = b.velocity - a.velocity;
    let (far, squared_speed) = (way.length_squared(), velocity.length_squared());
    let speed = squared_speed.sqrt();
    let radii = a.radius + b.radius;
    let target = asked.within + radii;
    let reach = far.sqrt() + speed + 2.0 * (a.offset + b.offset);
    let precision = Precision {
        rounding: tolerances::CAST_ROUNDING * (reach + radii),
        size: common_size(a.radius, b.radius),
        radii,
    };
    if !precision.is_precise(asked.within) {
        return None;
    }
    let rounding = precision.rounding_of(asked.within);
    let near = precision.near(asked.within);
    // The squares lose their last digits when they are subtracted.
    let farther = (target + near + rounding) * (1.0 + 1e-12);
    let excess = far * (1.0 - 32.0 * f64::EPSILON) - farther * farther;
    if !(excess > 0.0) {
        return None;
    }
    let approach = -way.dot(velocity);
    if !(approach > 0.0) || approach * approach - squared_speed * excess < 0.0 {
        return Some(Found::Missed);
    }
    let excess = far - target * target;
    let discriminant = approach * approach - squared_speed * excess;
    let guess = excess / (approach + discriminant.sqrt());
    let apart = way + velocity * guess;
    let distance = apart.length();
    let rate = -apart.dot(velocity) / distance;
    // So no number is beyond reach where the root is none.
    if !(rate > LEAST_APPROACH * speed) {
        return None;
    }
    let time = (guess + (distance - target - 2.0 * rounding) / rate) * (1.0 - 4.0 * f64::EPSILON);
    if time >= 1.0 || time > asked.until {
        return Some(Found::Missed);
    }
    let apart = way + velocity * time;
    let distance = apart.length();
    let is_met = time > 0.0 && distance + rounding <= target + near;
    is_met.then(|| {
        let lower = target - 2.0 * rounding;
        let cores = Measured {
            distance: distance.max(lower),
            lower,
            upper: distance.max(lower) + 2.0 * rounding,
            normal: apart / distance,
            on_a: a.center_at(time),
            on_b: b.center_at(time),
            status: Status::Converged,
        };
        Found::Met {
            time,
            measured: cores.with_radii(a.radius, b.radius),
        }
    })
}

#[cfg(test)]
mod tests {
    use core::cmp::Ordering;

    use clearance_math::{DVec3, Pose, Quat, Real, Vec3};

    use super::super::{CastHit, CastOptions, Motion, convex};
    use super::*;
    use crate::placed::Placed;
    use crate::test_numbers::{number, vector};

    /// A number from -1 to 1.
    /// Two balls of any size, some beside their origins, one thrown at the other: fast, far, hardly touching, or past it.
    fn case(k: u32) -> [Ball; 2] {
        let size = [1.0, 1e-30, 1e18, 1e3][k as usize % 4];
        let ball = |salt: u32| {
            let radius = (number(k, salt).abs() + 0.01) * size;
            if k.is_multiple_of(3) {
                let at = vector(k, salt + 1) * size;
                Shape::ball(radius)
                    .and_then(|ball| ball.translated(at))
                    .expect("a ball beside")
            } else {
                Shape::ball(radius).expect("a ball")
            }
        };
        let (a, b) = (ball(1), ball(5));
        let place = vector(k, 9) * size;
        let far = [1.0, 3.0, 1e4][k as usize % 3];
        let there = place + vector(k, 12) * size * far;
        let aim = (there - place) * (1.0 + number(k, 15)) * [1.0, 1e3][k as usize % 2];
        let beside = vector(k, 16) * size * 2.0 * number(k, 19);
        let turn = |salt: u32| Quat::from_axis_angle(vector(k, salt).normalize(), 2.0);
        let drift = vector(k, 26) * size;
        [
            (
                a,
                Pose::new(place, turn(20)),
                Motion::from_linear(aim + beside + drift),
            ),
            (b, Pose::new(there, turn(23)), Motion::from_linear(drift)),
        ]
    }

    fn center(ball: &Ball, time: f64) -> (DVec3, f64) {
        let cast = Cast::new(Placed::new(&ball.0, &ball.1), ball.2);
        let ball = MovingBall::new(&cast).expect("a ball that does not turn");
        (ball.center_at(time), ball.radius)
    }

    #[test]
    fn the_closed_form_agrees_with_the_search_and_with_itself() {
        let mut counts = [0; 3];
        for k in 0..6000 {
            let both = case(k);
            let within = if k.is_multiple_of(5) {
                0.1 * both[0].1.translation.length()
            } else {
                0.0
            };
            let [a, b] = [0, 1].map(|side: usize| {
                let (shape, pose, motion) = &both[side];
                Cast::new(Placed::new(shape, pose), *motion)
            });
            let Some(found) = meet(&a, &b, &Asked::new(within, 1.0)) else {
                counts[2] += 1;
                continue;
            };
            let found = found.hit(Ordering::Less);
            counts[usize::from(found.is_some())] += 1;
            let options = CastOptions {
                within,
                ..CastOptions::default()
            };
            let searched = convex(&a, &b, options, 1.0);
            assert_eq!(
                found.is_some(),
                searched.is_some(),
                "{k}: {found:?} {searched:?}"
            );
            let (Some(found), Some(searched)) = (found, searched) else {
                continue;
            };
            check(k, &both, (found, searched), within);
        }
        assert!(
            counts[0] > 500 && counts[1] > 500 && counts[2] > 50,
            "{counts:?}"
        );
    }

    type Ball = (Shape<Vec3>, Pose<Vec3>, Motion<Vec3>);

    /// The closed form and the search are right about the time, up to what the tolerance of a cast allows.
    fn check(
        k: u32,
        both: &[Ball; 2],
        (found, searched): (CastHit<Vec3>, CastHit<Vec3>),
        within: Real,
    ) {
        let within = f64::from(within);
        let apart = |time: f64| {
            let [(a, radius_a), (b, radius_b)] = both.each_ref().map(|ball| center(ball, time));
            (
                (b - a).length() - radius_a - radius_b,
                radius_a.min(radius_b),
            )
        };
        let [a, b] = both;
        let speed = (a.2.linear - b.2.linear).to_precise().length();
        let (gap, radius) = apart(f64::from(found.time));
        let way = speed + (a.1.translation - b.1.translation).to_precise().length();
        let rounded = f64::from(Real::EPSILON * found.time);
        let slack = 1e-14 * (way + radius) + speed * rounded;
        let allowed = 2.1e-8 * radius + slack + 1e-9 * gap;
        assert!((gap - within).abs() <= allowed, "{k}");
        let before = apart(f64::from(found.time_lower)).0;
        assert!(before >= within - 1e-14 * (way + radius), "{k}");
        // The search stops a tolerance before the meeting.
        let early = 3e-8 * (radius + within) + slack;
        let times = f64::from(found.time) - f64::from(searched.time);
        let moved = times.abs() * speed * LEAST_APPROACH;
        assert!(moved <= early, "{k}: {found:?} {searched:?}");
        let (one, other) = (found.separation, searched.separation);
        assert!(one.lower <= other.upper && other.lower <= one.upper, "{k}");
    }

    #[test]
    fn exchanged_balls_are_mirrored() {
        for k in 0..500 {
            let both = case(k);
            let [a, b] = [0, 1].map(|side: usize| {
                let (shape, pose, motion) = &both[side];
                Cast::new(Placed::new(shape, pose), *motion)
            });
            let ask = |a, b| crate::cast_shapes(a, b, CastOptions::default()).expect("valid casts");
            assert_eq!(ask(a, b), ask(b, a).map(CastHit::flipped), "{k}");
        }
    }
}
