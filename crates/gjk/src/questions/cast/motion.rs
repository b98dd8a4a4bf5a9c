//! Motions, and poses at a time.

use clearance_math::{DVec3, Matrix, Pose, PreciseVector, Real, RelativePose, Rotation, Vector};

use crate::pair::{QueryError, Side};

/// How a placed shape moves, at constant velocity from time 0 to time 1.
///
/// At time t its translation is that of the pose plus `t * linear`, and its rotation is that of the pose,
/// followed by a turn of `t * angular` about the body's own origin. Any number of turns is allowed. If your
/// velocities count by seconds and the cast lasts `dt` seconds, multiply both by `dt`.
///
/// For an arc about another point, such as a joint, make that point the origin of the shape:
/// [`Shape::with_origin_at`](clearance_shapes::Shape::with_origin_at).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<V: Vector> {
    /// How far the body's origin goes, in units of length, along the axes of the world.
    pub linear: V,
    /// How far the body turns about its origin, in radians, counter-clockwise (2D), or a vector along the
    /// axis in the frame of the world (3D).
    pub angular: V::Angular,
}

impl<V: Vector> Motion<V> {
    /// Going `linear` units of length and turning `angular` radians.
    #[must_use]
    pub fn new(linear: V, angular: V::Angular) -> Self {
        Self { linear, angular }
    }

    /// Going `linear` units of length without turning.
    #[must_use]
    pub fn from_linear(linear: V) -> Self {
        Self::new(linear, V::Angular::default())
    }

    /// No motion.
    #[must_use]
    pub fn rest() -> Self {
        Self::from_linear(V::ZERO)
    }

    /// The pose at a time from 0 to 1 of a body that starts at `start`, its rotation rounded to single precision.
    ///
    /// It is meant for drawing: casts do not round the poses between.
    #[must_use]
    pub fn pose_at(&self, start: &Pose<V>, time: f64) -> Pose<V> {
        let way = self.linear.to_precise() * time;
        // A turn of many radians needs more digits of the time than single precision has.
        let rounded = time as Real;
        let rest = (time - f64::from(rounded)) as Real;
        let rotation =
            (start.rotation.integrated(self.angular, rounded)).integrated(self.angular, rest);
        Pose::new(start.position() + way, rotation)
    }

    /// Whether every number is finite.
    #[inline]
    pub(super) fn is_finite(&self) -> bool {
        self.linear.is_finite() && V::Rotation::angular_in_space(self.angular).is_finite()
    }

    /// Checks that every number is finite. `side` is named in the error.
    ///
    /// # Errors
    /// [`QueryError::Motion`].
    pub fn check(&self, side: Side) -> Result<(), QueryError> {
        let refused = |field, axis, value| {
            Err(QueryError::Motion {
                side,
                field,
                axis,
                value,
            })
        };
        for axis in 0..V::DIM {
            let value = self.linear.component(axis);
            if !value.is_finite() {
                return refused("linear", axis, value);
            }
        }
        let angular = V::Rotation::angular_in_space(self.angular).to_array();
        for (axis, value) in angular.into_iter().enumerate() {
            if !value.is_finite() {
                return refused("angular", axis, value);
            }
        }
        Ok(())
    }
}

/// No motion.
impl<V: Vector> Default for Motion<V> {
    fn default() -> Self {
        Self::rest()
    }
}

/// The turning of a body about its own origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The unit vector along the axis; zero if the body does not turn. In 2D it is along z.
    pub(super) axis: DVec3,
    /// The angle in radians from time 0 to time 1, >= 0.
    pub(super) angle: f64,
}

impl Turn {
    pub(super) const NONE: Self = Self {
        axis: DVec3::ZERO,
        angle: 0.0,
    };

    #[inline(never)]
    fn new(angular: DVec3) -> Self {
        let angle = angular.length();
        let axis = angular / angle;
        Self { axis, angle }
    }

    #[inline]
    pub(super) fn is_none(&self) -> bool {
        self.angle == 0.0
    }

    /// The angular velocity.
    pub(super) fn velocity(&self) -> DVec3 {
        self.axis * self.angle
    }
}

/// A body in motion, in double precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<P: PreciseVector> {
    start: RelativePose<P>,
    pub(super) linear: P,
    pub(super) turn: Turn,
}

impl<P: PreciseVector> Moving<P> {
    #[inline(always)]
    pub(super) fn new<V: Vector<Precise = P>>(pose: &Pose<V>, motion: &Motion<V>) -> Self {
        let turns = motion.angular != V::Angular::default();
        let angular = || V::Rotation::angular_in_space(motion.angular).into();
        Self {
            start: RelativePose::from_pose(pose),
            linear: motion.linear.to_precise(),
            turn: if turns {
                Turn::new(angular())
            } else {
                Turn::NONE
            },
        }
    }

    /// The body if it kept its rotation.
    #[inline(always)]
    pub(super) fn without_turn(self) -> Self {
        let turn = Turn::NONE;
        Self { turn, ..self }
    }

    /// The rotation at a time.
    #[inline]
    pub(super) fn rotation(&self, time: f64) -> P::Matrix {
        self.turned(&self.turn, time)
    }

    /// The rotation at a time, if the body turns like this.
    #[inline(always)]
    pub(super) fn turned(&self, turn: &Turn, time: f64) -> P::Matrix {
        if turn.is_none() {
            *self.rotation_at_start()
        } else {
            P::Matrix::of_turn(turn.velocity() * time).after(&self.start.rotation)
        }
    }

    #[inline(always)]
    pub(super) fn rotation_at_start(&self) -> &P::Matrix {
        &self.start.rotation
    }

    /// The translation at a time.
    #[inline]
    pub(super) fn translation(&self, time: f64) -> P {
        self.start.translation + self.linear * time
    }
}

/// The straight way of the origin of one body as seen from that of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct StraightWay<P> {
    /// From the origin of a to that of b at time 0.
    pub(super) start: P,
    /// The velocity of b's origin as seen from a's.
    pub(super) velocity: P,
}

impl<P: PreciseVector> StraightWay<P> {
    #[inline(always)]
    pub(super) fn new([a, b]: [&Moving<P>; 2]) -> Self {
        Self {
            start: b.start.translation - a.start.translation,
            velocity: b.linear - a.linear,
        }
    }

    /// The way from the origin of a to that of b, in the frame of the world.
    #[inline]
    pub(super) fn at(&self, time: f64) -> P {
        self.start + self.velocity * time
    }

    /// The greatest length that [`StraightWay::at`] is computed from.
    #[inline]
    pub(super) fn reach(&self) -> f64 {
        self.start.length() + self.velocity.length()
    }
}

/// Two bodies in motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bodies<P: PreciseVector> {
    pub(super) a: Moving<P>,
    pub(super) b: Moving<P>,
    pub(super) way: StraightWay<P>,
}

impl<P: PreciseVector> Bodies<P> {
    pub(super) fn new(a: Moving<P>, b: Moving<P>) -> Self {
        let way = StraightWay::new([&a, &b]);
        Self { a, b, way }
    }

    /// The pose of b in the frame of a at a time.
    pub(super) fn b_in_a(&self, time: f64) -> RelativePose<P> {
        let to_a = self.a.rotation(time).transposed();
        RelativePose {
            rotation: to_a.after(&self.b.rotation(time)),
            translation: to_a.apply(self.way.at(time)),
        }
    }

    /// Whether neither body turns.
    pub(super) fn only_translate(&self) -> bool {
        self.a.turn.is_none() && self.b.turn.is_none()
    }
}

/// How fast `normal . point` grows while a point turns, for a point that is given from the body's origin.
#[inline]
pub(super) fn rate_of_turning<P: PreciseVector>(turn: &Turn, point: P, normal: P) -> f64 {
    turn.velocity()
        .cross(point.in_space())
        .dot(normal.in_space())
}
