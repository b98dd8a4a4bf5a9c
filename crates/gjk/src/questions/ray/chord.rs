//! The part of a line that lies inside of a convex shape.

use clearance_math::PreciseVector;

use super::in_frame::RayInFrame;

/// Where a line crosses a surface, in places of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChordCrossing<P> {
    /// The place.
    pub(super) at: f64,
    /// The lower bound of the true place.
    pub(super) lower: f64,
    /// The upper bound of the true place.
    pub(super) upper: f64,
    /// An outward normal of the surface there, of any length; zero where there is none.
    pub(super) normal: P,
    /// Whether the line comes from behind the surface.
    pub(super) is_from_behind: bool,
}

impl<P: PreciseVector> ChordCrossing<P> {
    /// A crossing at `at` with an error of at most `error`.
    #[inline]
    pub(super) fn new(at: f64, error: f64, normal: P) -> Self {
        Self::between(at, [at - error, at + error], normal)
    }

    /// At place `at`, within these bounds.
    #[inline(always)]
    pub(super) fn between(at: f64, [lower, upper]: [f64; 2], normal: P) -> Self {
        Self {
            at,
            lower,
            upper,
            normal,
            is_from_behind: false,
        }
    }

    /// The later one of two crossings, with the bounds of the later one.
    #[inline]
    fn later(self, other: Self) -> Self {
        let later = if other.at > self.at { other } else { self };
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
            ..later
        }
    }

    /// The earlier one of two crossings, with the bounds of the earlier one.
    #[inline]
    fn earlier(self, other: Self) -> Self {
        let earlier = if other.at < self.at { other } else { self };
        Self {
            lower: self.lower.min(other.lower),
            upper: self.upper.min(other.upper),
            ..earlier
        }
    }

    /// The same crossing with the normal on the other side of the surface, which is its back.
    #[inline]
    pub(super) fn seen_from_inside(self) -> Self {
        Self {
            normal: -self.normal,
            is_from_behind: true,
            ..self
        }
    }

    /// The same crossing on the line run through backwards.
    pub(super) fn reversed(self) -> Self {
        Self {
            at: -self.at,
            lower: -self.upper,
            upper: -self.lower,
            ..self
        }
    }
}

/// A half-space `normal . x <= offset` as a line sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChordSide<P> {
    /// The outward unit normal.
    pub(super) normal: P,
    /// How deep the base of the line lies inside: `offset - normal . base`.
    pub(super) room: f64,
    /// `normal . direction`.
    pub(super) rate: f64,
}

impl<P: PreciseVector> ChordSide<P> {
    #[inline]
    pub(super) fn new(ray: &RayInFrame<P>, normal: P, offset: f64) -> Self {
        Self {
            normal,
            room: offset - normal.dot(ray.base),
            rate: normal.dot(ray.direction),
        }
    }

    /// Where a line that is not parallel to the plane crosses it.
    #[inline]
    pub(super) fn crossing(&self, ray: &RayInFrame<P>) -> ChordCrossing<P> {
        let inverse = 1.0 / self.rate;
        let error = ray.rounding * inverse.abs();
        ChordCrossing::new(self.room * inverse, error, self.normal)
    }

    /// Whether the line is parallel to the plane, with no rounding: all products of the components of the normal and
    /// the direction are zero.
    pub(super) fn is_along(&self, ray: &RayInFrame<P>) -> bool {
        (0..P::DIM).all(|k| {
            let (normal, direction) = (self.normal.component(k), ray.direction.component(k));
            normal == 0.0 || direction == 0.0
        })
    }
}

/// The part of a line that lies inside of a convex shape: where the line enters and where it leaves.
///
/// A shape is the intersection of simpler ones, and so is its chord. If the true line, which differs from
/// the computed one by rounding, meets the shape, it enters and leaves between the bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chord<P> {
    pub(super) enter: ChordCrossing<P>,
    pub(super) leave: ChordCrossing<P>,
}

impl<P: PreciseVector> Chord<P> {
    #[inline(always)]
    pub(super) fn new(enter: ChordCrossing<P>, leave: ChordCrossing<P>) -> Self {
        Self { enter, leave }
    }

    /// The chord of a surface that is met in one point.
    #[inline]
    pub(super) fn of_point(crossing: ChordCrossing<P>) -> Self {
        Self::new(crossing, crossing)
    }

    /// The chord of a flat shape without a front and a back, which has this normal.
    pub(super) fn of_two_sided(mut self, normal: P) -> Self {
        for crossing in [&mut self.enter, &mut self.leave] {
            (crossing.normal, crossing.is_from_behind) = (normal, false);
        }
        self
    }

    /// The whole line.
    #[inline]
    pub(super) fn line() -> Self {
        Self::new(
            ChordCrossing::new(f64::NEG_INFINITY, 0.0, P::ZERO),
            ChordCrossing::new(f64::INFINITY, 0.0, P::ZERO),
        )
    }

    /// Cuts off what lies outside of a half-space. False if that is proven to be everything within the
    /// bounding radius of the shape.
    #[inline]
    pub(super) fn clip(&mut self, ray: &RayInFrame<P>, side: ChordSide<P>) -> bool {
        if side.rate.abs() * ray.bounding_radius <= ray.rounding {
            return self.clip_along(ray, side);
        }
        let crossing = side.crossing(ray);
        if side.rate < 0.0 {
            self.enter = self.enter.later(crossing);
        } else {
            self.leave = self.leave.earlier(crossing);
        }
        true
    }

    /// Cuts off what lies outside of a half-space whose plane the line neither approaches nor leaves by more than
    /// rounding.
    ///
    /// All of the line within the bounding radius is inside, or all is outside, or rounding leaves that open. Then
    /// the line counts as inside, but the true line may cross the plane anywhere, unless it is exactly parallel.
    fn clip_along(&mut self, ray: &RayInFrame<P>, side: ChordSide<P>) -> bool {
        let doubt = 2.0 * ray.rounding;
        if side.room.abs() <= doubt && !side.is_along(ray) {
            *self = self.left_open(ray);
        }
        side.room >= -doubt
    }

    /// The chord of a line of which rounding leaves open where it crosses a surface, within the bounding radius.
    pub(super) fn left_open(mut self, ray: &RayInFrame<P>) -> Self {
        let end = ray.bounding_radius + ray.rounding;
        self.enter.upper = self.enter.upper.max(end);
        self.leave.lower = self.leave.lower.min(-end);
        self
    }

    /// The chord of a shape, whose ends lie within its bounding radius. Where the line is parallel to all surfaces that
    /// it meets, as far as rounding can tell, nothing else says where it enters: a shape that is small beside its distance.
    #[inline]
    pub(super) fn within_reach(mut self, ray: &RayInFrame<P>) -> Self {
        let end = ray.bounding_radius + ray.rounding;
        for crossing in [&mut self.enter, &mut self.leave] {
            // No `clamp`, which panics where a pose that was not checked makes the end NaN.
            crossing.at = crossing.at.max(-end).min(end);
            crossing.lower = crossing.lower.max(-end).min(end);
            crossing.upper = crossing.upper.max(-end).min(end);
        }
        self
    }

    /// The part that both chords have in common.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self::new(
            self.enter.later(other.enter),
            self.leave.earlier(other.leave),
        )
    }

    /// The chord of the union of two shapes, if the union is convex.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        Self::new(
            self.enter.earlier(other.enter),
            self.leave.later(other.leave),
        )
    }

    /// Whether the line surely crosses the shape, and does not only touch it as far as rounding can tell.
    fn is_certain(&self) -> bool {
        self.enter.upper <= self.leave.lower
    }

    /// The chord of the union of two shapes of which the line may miss one or the other, if the union is convex.
    ///
    /// Where a shape is surely crossed, the union is entered no later and left no earlier; a shape that is perhaps
    /// missed proves nothing of that kind.
    pub(super) fn or_perhaps(self, other: Self) -> Self {
        let (upper, lower) = match (self.is_certain(), other.is_certain()) {
            (true, true) => return self.or(other),
            (true, false) => (self.enter.upper, self.leave.lower),
            (false, true) => (other.enter.upper, other.leave.lower),
            (false, false) => (
                self.enter.upper.max(other.enter.upper),
                self.leave.lower.min(other.leave.lower),
            ),
        };
        let mut union = self.or(other);
        (union.enter.upper, union.leave.lower) = (upper, lower);
        union
    }

    /// `None` if the line is proven to miss.
    #[inline]
    pub(super) fn if_any(mut self) -> Option<Self> {
        if self.enter.lower > self.leave.upper {
            return None;
        }
        if self.enter.at > self.leave.at {
            // The line touches the shape, as far as double precision can tell.
            let at = 0.5 * (self.enter.at + self.leave.at);
            (self.enter.at, self.leave.at) = (at, at);
        }
        Some(self)
    }
}

/// A place behind `at` at which the line is certainly inside: `ahead` of it, or so many times eight times as far.
/// `to` if none of them is, or all are beyond it.
#[inline(always)]
pub(super) fn surely_inside_after(
    at: f64,
    mut ahead: f64,
    to: f64,
    most: usize,
    is_inside: impl Fn(f64) -> bool,
) -> f64 {
    for _ in 0..most {
        let place = at + ahead;
        if place >= to {
            break;
        }
        if is_inside(place) {
            return place;
        }
        ahead *= 8.0;
    }
    to
}
