//! Point and point: ball and ball.

use core::cmp::Ordering;

use clearance_math::{Matrix, Pose, PreciseVector, Real, Rotation, Vector, round_down, tolerances};
use clearance_shapes::{Core, Shape};

use crate::answer::{Measured, Proximity, Separation, lower_with_radii};
use crate::pair::{Exchange, Placed, Question, canonical};

/// A ball in the world: [`Shape::ball`](clearance_shapes::Shape::ball) at a pose, whose rotation does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<V: Vector> {
    /// The centre.
    pub center: V::Precise,
    /// The radius, in units of length.
    pub radius: Real,
}

/// Measures two balls. The answer is that of [`measure`](crate::measure) for their shapes and poses, bit for bit,
/// but the shapes are not needed: a world of balls only is measured faster.
///
/// `None` if the centres coincide, since the direction then depends on the whole poses.
///
/// ```
/// use clearance::dim2::{Vec2, Proximity};
/// use clearance::gjk::internal::{Ball, measure_balls};
///
/// let ball = |x| Ball::<Vec2> { center: Vec2::new(x, 0.0).into(), radius: 1.0 };
/// let near = measure_balls(ball(0.0), ball(2.5), 1.0).and_then(Proximity::near).unwrap();
/// assert_eq!((near.distance, near.normal), (0.5, Vec2::X));
/// assert!(matches!(measure_balls(ball(0.0), ball(4.0), 1.0), Some(Proximity::Farther { .. })));
/// assert_eq!(measure_balls(ball(0.0), ball(0.0), 1.0), None);
/// ```
#[inline]
#[must_use]
pub fn measure_balls<V: Vector>(a: Ball<V>, b: Ball<V>, within: Real) -> Option<Proximity<V>> {
    let exchange = match canonical::compare_precise(a.center, b.center) {
        Ordering::Equal => return None,
        order => Exchange::by(order),
    };
    let balls = [BallInWorld::centered(a), BallInWorld::centered(b)];
    Some(measure_in_world(&balls, within, || exchange).into())
}

/// The implementation of [`crate::measure`]; `None` for other shapes.
#[inline(always)]
pub(crate) fn measure<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Option<Result<Separation<V>, OutOfRange>> {
    measure_question(&Question { a, b, within })
}

/// [`measure`] for a question that is read where it is: most are about other shapes, and need not be copied to see that.
#[inline(always)]
pub(crate) fn measure_question<V: Vector>(
    Question { a, b, within }: &Question<V>,
) -> Option<Result<Separation<V>, OutOfRange>> {
    let balls = [BallInWorld::new(a)?, BallInWorld::new(b)?];
    let exchange = || Exchange::by(canonical::compare(a, b));
    Some(measure_in_world(&balls, *within, exchange))
}

/// The distance of two balls, along the axes of the world, unless it is proven to be out of range; their rotations do not
/// matter.
///
/// Every operation treats both sides alike, so the balls need not be in canonical order: exchanging
/// them changes the signs of differences and nothing else. Only a difference of zero, which has no
/// sign to change, depends on the order.
#[inline(always)]
fn measure_in_world<V: Vector>(
    [a, b]: &[BallInWorld<V::Precise>; 2],
    within: Real,
    exchange: impl Fn() -> Exchange,
) -> Result<Separation<V>, OutOfRange> {
    let apart = (b.origin - a.origin) + (b.center - a.center);
    let distance = apart.length();
    let rounding = 4.0 * tolerances::DIFFERENCE_ROUNDING * (a.offset + b.offset + distance);
    let lower = lower_with_radii(distance, distance - rounding, a.radius + b.radius);
    if lower > f64::from(within) {
        let lower = round_down(lower);
        if lower > within {
            return Err(OutOfRange { lower });
        }
    }
    let normal = if is_level(apart) {
        level_normal(apart, exchange())
    } else {
        apart / distance
    };
    let centers = (a.origin + a.center, b.origin + b.center);
    let measured = Measured::exact(distance, normal, centers, rounding);
    Ok(measured.with_radii(a.radius, b.radius).rounded())
}

/// The lower bound of the distance, which exceeds the range.
pub(crate) struct OutOfRange {
    pub(crate) lower: Real,
}

impl<V: Vector> From<Result<Separation<V>, OutOfRange>> for Proximity<V> {
    #[inline(always)]
    fn from(found: Result<Separation<V>, OutOfRange>) -> Self {
        match found {
            Ok(near) => Self::Near(near),
            Err(OutOfRange { lower }) => Self::Farther { lower },
        }
    }
}

/// A ball in the world, in double precision.
struct BallInWorld<P> {
    /// The origin of its body.
    origin: P,
    /// The vector from the origin to the centre.
    center: P,
    /// The length of that vector.
    offset: f64,
    radius: f64,
}

impl<P: PreciseVector> BallInWorld<P> {
    /// `None` for other shapes.
    #[inline(always)]
    fn new<V: Vector<Precise = P>>(placed: &Placed<V>) -> Option<Self> {
        let Shape::Convex(convex) = placed.shape else {
            return None;
        };
        let Core::Point(center) = convex.core() else {
            return None;
        };
        Some(Self {
            origin: placed.pose.position(),
            center: turned(*center, placed.pose),
            offset: convex.core_bounding_radius(),
            radius: convex.radius(),
        })
    }

    /// A ball whose centre is the origin of its body.
    #[inline(always)]
    fn centered<V: Vector<Precise = P>>(ball: Ball<V>) -> Self {
        Self {
            origin: ball.center,
            center: P::ZERO,
            offset: 0.0,
            radius: ball.radius.into(),
        }
    }
}

/// A vector from the origin of a body to a point of it, in the axes of the world.
#[inline]
pub(crate) fn turned<V: Vector>(point: V, pose: &Pose<V>) -> V::Precise {
    if point == V::ZERO {
        V::Precise::ZERO
    } else {
        pose.rotation.matrix().apply(point.to_precise())
    }
}

/// Whether centres are level along some axis.
#[inline(always)]
pub(crate) fn is_level<P: PreciseVector>(apart: P) -> bool {
    let mut is_level = false;
    for k in 0..P::DIM {
        is_level |= apart.component(k) == 0.0;
    }
    is_level
}

/// The normal for centres that are level along some axis: a difference of zero gets the sign that
/// it has in canonical order. If the centres coincide, any direction is right.
#[cold]
#[inline(never)]
pub(crate) fn level_normal<P: PreciseVector>(apart: P, exchange: Exchange) -> P {
    // Zero is added so that the result is never -0.0.
    let apart = P::ZERO + exchange.normal(apart);
    let distance = apart.length();
    let normal = if distance > 0.0 {
        apart / distance
    } else {
        P::axis(1)
    };
    exchange.normal(normal)
}
