//! Two balls, of which none turns about a point beside its centre.
//!
//! The squared distance of the centres is a quadratic function of time, so the time of the meeting is the root of an
//! equation. It is aimed two roundings outside of the meeting and proven by the distance there: the balls still approach
//! each other then, so they were farther apart before. Where the root lost digits, Newton's method corrects it.
//!
//! Every operation treats both sides alike, so the balls need not be in canonical order: exchanging them changes the
//! signs of differences and nothing else.

use clearance_math::{
    PreciseVector, Real, Rotation, Vector, lesser_of, round_down, round_up, tolerances,
};
use clearance_shapes::{Convex, Core, Shape};

use super::answer::{CastHit, CastOptions};
use super::motion::Motion;
use super::pair::{Asked, Precision, common_size};
use super::sides::Cast;
use crate::answer::{Measured, Status};
use crate::convex::closed_forms::point_point::{is_level, level_normal, turned};
use crate::pair::{Exchange, canonical};

/// Balls that approach each other at a smaller share of their speed when they meet graze each other, and are left to the
/// search.
const LEAST_APPROACH: f64 = 1e-3;

/// So many times are tried: the root, and its corrections.
const MOST_TRIED: usize = 3;

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
    /// A ball whose centre is there.
    #[inline(always)]
    fn new<V: Vector<Precise = P>>(cast: &Cast<V>, convex: &Convex<V>, center: P) -> Self {
        Self {
            origin: cast.placed.pose.position(),
            center,
            offset: convex.core_bounding_radius(),
            radius: convex.radius(),
            velocity: cast.motion.linear.to_precise(),
        }
    }

    /// `None` for other shapes, and for a ball whose centre is carried round.
    fn of<V: Vector<Precise = P>>(cast: &Cast<V>) -> Option<Self> {
        let convex = ball(cast)?;
        let Core::Point(center) = convex.core() else {
            return None;
        };
        let is_carried = *center != V::ZERO && cast.motion.angular != V::Angular::default();
        (!is_carried).then(|| Self::new(cast, convex, turned(*center, cast.placed.pose)))
    }

    #[inline(always)]
    fn center_at(&self, time: f64) -> P {
        self.origin + self.velocity * time + self.center
    }
}

/// The shape if it is a ball.
#[inline(always)]
fn ball<'a, V: Vector>(cast: &Cast<'a, V>) -> Option<&'a Convex<V>> {
    match cast.placed.shape {
        Shape::Convex(convex) if matches!(convex.core(), Core::Point(_)) => Some(convex),
        _ => None,
    }
}

/// The short way for balls whose centres are the origins of their bodies, in any order. `None` for other shapes, and for
/// what is left to [`meet`].
///
/// Positions, velocities and the distance asked for need not be valid: it is `None` then. Where the casts are not known
/// to be valid, `unchecked` holds their options, and the rest is looked at last, since then nothing waits for it.
#[inline(always)]
pub(super) fn hit<V: Vector>(
    cast_a: &Cast<V>,
    cast_b: &Cast<V>,
    asked: &Asked,
    unchecked: Option<CastOptions>,
) -> Option<Option<CastHit<V>>> {
    let (convex_a, convex_b) = (ball(cast_a)?, ball(cast_b)?);
    if convex_a.core_bounding_radius() + convex_b.core_bounding_radius() > 0.0 {
        return None;
    }
    let a = MovingBall::new(cast_a, convex_a, V::Precise::ZERO);
    let b = MovingBall::new(cast_b, convex_b, V::Precise::ZERO);
    let course = CourseOfBalls::new(&a, &b, asked.within)?;
    let time = match course.root() {
        Root::At(time) => time,
        Root::None if is_rest_valid((cast_a, cast_b), unchecked) => return Some(None),
        _ => return None,
    };
    let place = course.place_at(time);
    let is_in_time = course.is_settled(&place) && time <= asked.until;
    if !(is_in_time && is_in_range(&a, &b) && is_rest_valid((cast_a, cast_b), unchecked)) {
        return None;
    }
    let measured = course.measured(&place, (&a, &b), || exchange(cast_a, cast_b));
    Some(Some(CastHit {
        time: time as Real,
        time_lower: round_down(time),
        time_upper: round_up(time),
        separation: measured.rounded_in_range(),
        status: Status::Converged,
    }))
}

/// Whether those numbers of two casts are valid that [`hit`] does not compute with.
#[inline(always)]
fn is_rest_valid<V: Vector>((a, b): (&Cast<V>, &Cast<V>), unchecked: Option<CastOptions>) -> bool {
    let Some(options) = unchecked else {
        return true;
    };
    options.within >= 0.0
        && turns_validly(&a.motion)
        && turns_validly(&b.motion)
        && a.placed.pose.rotation.checked().is_ok()
        && b.placed.pose.rotation.checked().is_ok()
}

#[inline(always)]
fn turns_validly<V: Vector>(motion: &Motion<V>) -> bool {
    motion.angular == V::Angular::default()
        || V::Rotation::angular_in_space(motion.angular).is_finite()
}

/// Whether all places of two balls surely are in the range of single precision.
#[inline(always)]
fn is_in_range<P: PreciseVector>(a: &MovingBall<P>, b: &MovingBall<P>) -> bool {
    let farthest = (a.origin.abs() + a.velocity.abs()) + (b.origin.abs() + b.velocity.abs());
    farthest.dot(P::splat(1.0)) + (a.radius + b.radius) < 0.5 * f64::from(Real::MAX)
}

/// How the balls come into canonical order.
fn exchange<V: Vector>(a: &Cast<V>, b: &Cast<V>) -> Exchange {
    Exchange::by(canonical::compare(&a.placed, &b.placed))
}

/// Whether both shapes are balls: whether [`meet`], which is a call, is worthwhile.
#[inline(always)]
pub(super) fn are_balls<V: Vector>(a: &Cast<V>, b: &Cast<V>) -> bool {
    ball(a).is_some() && ball(b).is_some()
}

/// Two balls where they have met; before they were farther apart than asked.
pub(super) struct MetBalls<P> {
    pub(super) time: f64,
    /// The distance, in the frame of the world.
    pub(super) measured: Measured<P>,
}

impl<P: PreciseVector> MetBalls<P> {
    #[inline(always)]
    pub(super) fn hit<V: Vector<Precise = P>>(&self) -> CastHit<V> {
        CastHit::at(self.time, self.measured.rounded())
    }
}

/// Casts two balls, in any order: where they meet, if they do. `None` for other shapes, and for balls that are near at the
/// start or graze each other.
#[inline(never)]
pub(super) fn meet<V: Vector>(
    cast_a: &Cast<V>,
    cast_b: &Cast<V>,
    asked: &Asked,
) -> Option<Option<MetBalls<V::Precise>>> {
    let (a, b) = (MovingBall::of(cast_a)?, MovingBall::of(cast_b)?);
    let course = CourseOfBalls::new(&a, &b, asked.within)?;
    let mut time = match course.root() {
        Root::None => return Some(None),
        Root::Open => return None,
        Root::At(time) => time,
    };
    for _ in 0..MOST_TRIED {
        let place = course.place_at(time);
        if !(place.approach > 0.0 && place.approach * place.approach > course.least_approach()) {
            return None;
        }
        if time >= 1.0 && place.beyond >= -course.rounding {
            return Some(None);
        }
        if place.beyond.abs() <= course.rounding {
            if time > asked.until {
                return Some(None);
            }
            let measured = course.measured(&place, (&a, &b), || exchange(cast_a, cast_b));
            return Some(Some(MetBalls { time, measured }));
        }
        time = lesser_of(time + place.beyond * course.goal / place.approach, 1.0);
    }
    None
}

/// How two balls go past each other, or meet.
struct CourseOfBalls<P> {
    /// The way from the centre of a to that of b at time 0.
    way: P,
    /// The velocity of b as seen from a.
    velocity: P,
    /// The squared length of the way.
    far: f64,
    squared_speed: f64,
    /// The distance of the centres at the time that is sought.
    goal: f64,
    /// Centres that stay farther apart than this do not meet.
    farther: f64,
    /// The greatest error of a distance.
    rounding: f64,
}

/// When two balls meet, up to rounding.
enum Root {
    /// Never.
    None,
    /// At this time, or after time 1 if it is that.
    At(f64),
    /// That is left to the search.
    Open,
}

/// Two balls at a time.
struct BallsAt<P> {
    time: f64,
    /// The way from the centre of a to that of b.
    apart: P,
    /// By how much their distance exceeds the goal.
    beyond: f64,
    /// How fast the distance shrinks, times the distance.
    approach: f64,
}

impl<P: PreciseVector> CourseOfBalls<P> {
    /// `None` for balls that are near at the start, and where their places are not known well enough.
    #[inline(always)]
    fn new(a: &MovingBall<P>, b: &MovingBall<P>, within: f64) -> Option<Self> {
        let way = (b.origin - a.origin) + (b.center - a.center);
        let velocity = b.velocity - a.velocity;
        let radii = a.radius + b.radius;
        // The sum of a vector's components takes no root, and is no less than the length.
        let longest = (way.abs() + velocity.abs()).dot(P::splat(1.0));
        let reach = longest + 2.0 * (a.offset + b.offset);
        let precision = Precision {
            rounding: tolerances::CAST_ROUNDING * (reach + radii),
            size: common_size(a.radius, b.radius),
            radii,
        };
        if !precision.is_precise(within) {
            return None;
        }
        let rounding = precision.rounding_of(within);
        let target = within + radii;
        if !(rounding <= tolerances::CAST_BALLS_MOST_ROUNDING * target) {
            return None;
        }
        let course = Self {
            way,
            velocity,
            far: way.length_squared(),
            squared_speed: velocity.length_squared(),
            goal: target + 2.0 * rounding,
            farther: (target + precision.near(within) + rounding) * (1.0 + 1e-12),
            rounding,
        };
        (course.excess() > 0.0).then_some(course)
    }

    /// By how much the squared distance of the centres at the start surely exceeds that of balls that are near.
    #[inline(always)]
    fn excess(&self) -> f64 {
        // The squares lose their last digits when they are subtracted.
        self.far * (1.0 - 32.0 * f64::EPSILON) - self.farther * self.farther
    }

    #[inline(always)]
    fn root(&self) -> Root {
        let approach = -self.way.dot(self.velocity);
        if !(approach > 0.0) {
            return Root::None;
        }
        let excess = self.far - self.goal * self.goal;
        let discriminant = approach * approach - self.squared_speed * excess;
        if discriminant > 0.0 {
            Root::At(lesser_of(excess / (approach + discriminant.sqrt()), 1.0))
        } else if approach * approach - self.squared_speed * self.excess() < 0.0 {
            Root::None
        } else {
            Root::Open
        }
    }

    /// The balls at a time at which their distance is nearly the goal.
    #[inline(always)]
    fn place_at(&self, time: f64) -> BallsAt<P> {
        let apart = self.way + self.velocity * time;
        BallsAt {
            time,
            apart,
            // So near to the goal the square of the distance tells it, without a root.
            beyond: (apart.length_squared() - self.goal * self.goal) * (0.5 / self.goal),
            approach: -apart.dot(self.velocity),
        }
    }

    /// The square of the least approach at a meeting.
    #[inline(always)]
    fn least_approach(&self) -> f64 {
        const LEAST: f64 = LEAST_APPROACH * LEAST_APPROACH;
        LEAST * self.squared_speed * (self.goal * self.goal)
    }

    /// Whether the balls surely have met before time 1, and before were farther apart than asked.
    #[inline(always)]
    fn is_settled(&self, place: &BallsAt<P>) -> bool {
        place.time < 1.0
            && place.beyond.abs() <= self.rounding
            && place.approach > 0.0
            && place.approach * place.approach > self.least_approach()
    }

    /// The distance of the balls where they have met.
    #[inline(always)]
    fn measured(
        &self,
        place: &BallsAt<P>,
        (a, b): (&MovingBall<P>, &MovingBall<P>),
        exchange: impl Fn() -> Exchange,
    ) -> Measured<P> {
        let distance = self.goal + place.beyond;
        let inverse = 1.0 / self.goal;
        let share = place.beyond * inverse;
        let cores = Measured {
            distance,
            lower: distance - 2.0 * self.rounding,
            upper: distance + 2.0 * self.rounding,
            normal: if is_level(place.apart) {
                level_normal(place.apart, exchange())
            } else {
                // The squared length of the way is that of the goal times 1 + 2 share; this is one over the root of it.
                place.apart * (inverse * (1.0 - share + 1.5 * share * share))
            },
            on_a: a.center_at(place.time),
            on_b: b.center_at(place.time),
            status: Status::Converged,
        };
        cores.with_radii(a.radius, b.radius)
    }
}

#[cfg(test)]
mod tests;
