//! How a shape slides, and the refusals of what makes no sense.

use clearance_gjk::internal::check_side;
use clearance_gjk::{Placed, QueryError};
use clearance_math::{Pose, PreciseVector, Real, Vector, tolerances};
use clearance_shapes::Shape;

use super::answer::SlideGround;
use super::rules::Rules;
use crate::{BodyId, WorldError};

/// A shape that somebody steers: what [`Query::slide`](crate::Query::slide) moves.
#[derive(Clone, Copy, Debug)]
pub struct Sliding<'a, V: Vector> {
    /// The shape, and where it is.
    pub placed: Placed<'a, V>,
    /// Where it is to go, in units of length.
    pub motion: V,
    /// The ground of the answer before; `None` if it did not stand, or if nothing moves that can be stood on.
    ///
    /// The shape first goes where the place of the ground under it went since that answer, and slides along what it
    /// meets. Then it is drawn to the ground as one that stands, even if the ground has moved away since. Of a shape that
    /// stands the level part of `motion` counts, unless it leads up: pass `None` to let go of the ground, for a drop
    /// through a platform, say.
    pub ground: Option<SlideGround<V>>,
    /// How long the motion takes, in seconds, >= 0: the time since the answer before, by which [`SlideGround::velocity`] is told
    /// of ground that is moved by its pose. `None` for as long as the last step of the world; where a return to a snapshot
    /// came last, for as long as the motion before.
    pub seconds: Option<Real>,
}

impl<'a, V: Vector> Sliding<'a, V> {
    /// A placed shape that is to go `motion` units of length. Nothing is checked here; the call that moves it checks the
    /// pose and the motion.
    #[must_use]
    pub fn new(placed: Placed<'a, V>, motion: V) -> Self {
        Self {
            placed,
            motion,
            ground: None,
            seconds: None,
        }
    }

    /// The same shape carried by the ground that the answer before told of: by what its body moved and turned since,
    /// in a step or by [`BodyMut::set_pose`](crate::BodyMut::set_pose).
    #[must_use]
    pub fn standing_on(self, ground: Option<SlideGround<V>>) -> Self {
        Self { ground, ..self }
    }

    /// The same shape, whose motion takes so many seconds.
    #[must_use]
    pub fn taking(self, seconds: Real) -> Self {
        let seconds = Some(seconds);
        Self { seconds, ..self }
    }
}

/// A body of the world that somebody steers: what [`Query::slide_body`](crate::Query::slide_body) moves.
#[derive(Clone, Copy, Debug)]
pub struct SlidingBody<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// Where it is to go, in units of length.
    pub motion: V,
    /// As [`Sliding::ground`].
    pub ground: Option<SlideGround<V>>,
    /// As [`Sliding::seconds`].
    pub seconds: Option<Real>,
    /// Where it sets out, if that is elsewhere than where the world has the body.
    pub start: Option<Pose<V>>,
}

impl<V: Vector> SlidingBody<V> {
    /// A body that is to go `motion` units of length. Nothing is checked here; the call that moves it does.
    #[must_use]
    pub fn new(body: BodyId, motion: V) -> Self {
        Self {
            body,
            motion,
            ground: None,
            seconds: None,
            start: None,
        }
    }

    /// The same body carried by the ground that the answer before told of: see [`Sliding::standing_on`].
    #[must_use]
    pub fn standing_on(self, ground: Option<SlideGround<V>>) -> Self {
        Self { ground, ..self }
    }

    /// The same body, whose motion takes so many seconds: see [`Sliding::taking`].
    #[must_use]
    pub fn taking(self, seconds: Real) -> Self {
        let seconds = Some(seconds);
        Self { seconds, ..self }
    }

    /// The same body from another pose than it has in the world.
    #[must_use]
    pub fn starting_at(self, pose: Pose<V>) -> Self {
        let start = Some(pose);
        Self { start, ..self }
    }
}

/// What a shape does that meets something which it cannot walk on or climb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AtWalls {
    /// It slides along.
    #[default]
    Slide,
    /// It stops, as one that follows a path or a grid should. It still follows the ground, up and down slopes and steps.
    Stop,
}

/// How a shape moves and slides: see [`Query::slide`](crate::Query::slide).
///
/// ```
/// use clearance::dim3::{SlideOptions, Vec3};
///
/// // A game whose unit of length is the centimetre, and whose z axis points up.
/// let options = SlideOptions {
///     up: Some(Vec3::Z),
///     step_height: 40.0,
///     snap_distance: 40.0,
///     ..SlideOptions::default()
/// };
/// assert_eq!(options.skin, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlideOptions<V> {
    /// Where up is: a direction of any length but zero. The y axis by default.
    ///
    /// `None` for games that are seen from above and have no up: there is no ground and no step, everything is a wall, and
    /// the shape slides along it.
    pub up: Option<V>,
    /// The greatest angle between `up` and the normal of a surface that can be walked on, in radians, from 0 to a
    /// quarter of a turn. Steeper ones are walls. 50 degrees by default.
    pub max_slope: Real,
    /// How high a step can be climbed, in units of length, >= 0; with 0 none is. 0.3 by default.
    pub step_height: Real,
    /// How far the foremost point of the shape must get beyond the edge of a step for it to be climbed, in units of
    /// length, >= 0. A ledge with less room in front of the next wall is a part of that wall. By default a quarter of
    /// the least half extent of the shape's bounding box.
    pub step_depth: Option<Real>,
    /// How steep the contact of a round foot with the edge of a step may be for the edge to carry it, as an angle to
    /// `up`, in radians, from 0 to a quarter of a turn. 70 degrees by default.
    ///
    /// An edge carries that is no higher above the feet than a step. A contact that is no steeper than `max_slope` is
    /// ground anyway.
    pub max_edge_slope: Real,
    /// How far a shape that stands is drawn down to the ground after it went on, in units of length, >= 0. What the
    /// way itself may fall, at the greatest slope, is added. 0.3 by default.
    pub snap_distance: Real,
    /// The gap that the shape keeps from everything, in units of length, > 0. By default a fiftieth of the least
    /// half extent of the shape's bounding box.
    ///
    /// Far from the origin it grows to 64 times what the coordinates of the shape are rounded by.
    pub skin: Option<Real>,
    /// Whether it slides along walls or stops at them; one that does not stand stops at whatever it does not land on. Slides
    /// by default.
    pub at_walls: AtWalls,
}

impl<V: Vector> Default for SlideOptions<V> {
    fn default() -> Self {
        Self {
            up: Some(V::axis(1)),
            max_slope: 50.0 * core::f32::consts::PI / 180.0,
            step_height: 0.3,
            step_depth: None,
            max_edge_slope: 70.0 * core::f32::consts::PI / 180.0,
            snap_distance: 0.3,
            skin: None,
            at_walls: AtWalls::Slide,
        }
    }
}

/// Why a move was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SlideError {
    /// The pose is not valid.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The shape that is to slide is a half-space, which has no end.
    #[error("the shape that slides is a half_space, must be of finite size")]
    HalfSpace,
    /// The body that is to slide is not in this world.
    #[error(transparent)]
    Body(#[from] WorldError),
    /// A component of a vector is NaN or infinite.
    #[error("{field}[{axis}] is {value}, must be finite")]
    Component {
        /// The name of the vector: `motion` or `up`.
        field: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
    /// The direction up has no length.
    #[error("up is the zero vector, must be a direction")]
    Up,
    /// A slope is not an angle from 0 to a quarter of a turn.
    #[error("{field} is {value}, must be an angle in radians from 0 to pi/2")]
    Slope {
        /// The name of the field.
        field: &'static str,
        /// The value that was given.
        value: Real,
    },
    /// A length or a time is NaN, infinite or negative.
    #[error("{field} is {value}, must be finite and >= 0")]
    Length {
        /// The name of the field.
        field: &'static str,
        /// The value that was given.
        value: Real,
    },
    /// The skin is NaN, infinite, negative or zero.
    #[error("skin is {value}, must be finite and > 0")]
    Skin {
        /// The value that was given.
        value: Real,
    },
}

/// The skin relative to the least half extent of the shape, where none is given.
const DEFAULT_SKIN: f64 = 0.02;

/// How deep a step must be relative to that, where nothing is said. Where there is no room for so much, a wall with small
/// ledges would be climbed like a ladder.
const DEFAULT_STEP_DEPTH: f64 = 0.25;

/// The least extent that a thin shape counts with, relative to its greatest.
const THINNEST: f64 = 0.1;

/// How many times the rounding of the coordinates a skin must be. A sixteenth of the skin is the difference between
/// being blocked and being at rest, and a pose must be precise enough to tell them apart.
const SKIN_IN_ROUNDINGS: f64 = 64.0;

/// More than rounding takes from a pose that keeps the skin.
const LEAST_SKIN: f64 = 1e-30;

impl<V: Vector> SlideOptions<V> {
    /// What the options mean for a shape.
    pub(super) fn checked(
        &self,
        sliding: &Sliding<'_, V>,
    ) -> Result<Rules<V::Precise>, SlideError> {
        let a = &sliding.placed;
        check_side(a, 0.0)?;
        if let Shape::HalfSpace(_) = a.shape {
            return Err(SlideError::HalfSpace);
        }
        check_finite("motion", sliding.motion)?;
        check_length("seconds", sliding.seconds.unwrap_or_default())?;
        let up = match self.up {
            Some(up) => {
                check_finite("up", up)?;
                up.to_precise().direction().ok_or(SlideError::Up)?
            }
            None => V::Precise::ZERO,
        };
        let [sin, cos] = check_slope("max_slope", self.max_slope)?;
        let [_, edge_cos] = check_slope("max_edge_slope", self.max_edge_slope)?;
        let step_height = check_length("step_height", self.step_height)?;
        let step_depth = self
            .step_depth
            .map(|depth| check_length("step_depth", depth));
        let step_depth = step_depth.transpose()?;
        let snap_distance = check_length("snap_distance", self.snap_distance)?;
        if let Some(value) = self.skin
            && !(value.is_finite() && value > 0.0)
        {
            return Err(SlideError::Skin { value });
        }
        let half = a
            .shape
            .bounds(&Pose::from_rotation(a.pose.rotation))
            .half_extents()
            .to_precise();
        let extents = || (0..V::DIM).map(|k| half.component(k));
        let greatest = extents().fold(0.0, f64::max);
        let size = extents().fold(greatest, f64::min).max(THINNEST * greatest);
        let asked = self.skin.map_or(DEFAULT_SKIN * size, f64::from);
        let rounding =
            greatest * f64::from(Real::EPSILON) + a.pose.position().length() * f64::EPSILON;
        let skin = asked.max(SKIN_IN_ROUNDINGS * rounding).max(LEAST_SKIN);
        // Without an up no normal is high enough to be stood on.
        let least = |cos: f64| self.up.map_or(f64::INFINITY, |_| cos);
        Ok(Rules {
            up,
            cos: least(cos),
            tan: sin / cos.max(tolerances::PARALLEL),
            edge_cos: least(edge_cos),
            step_height,
            step_depth: step_depth.unwrap_or(DEFAULT_STEP_DEPTH * size),
            snap_distance,
            at_walls: self.at_walls,
            skin,
            size: size.max(skin),
            radius: half.length().max(skin),
        })
    }
}

/// Sine and cosine of a slope, by portable code.
fn check_slope(field: &'static str, angle: Real) -> Result<[f64; 2], SlideError> {
    use clearance_math::{DMat2, DVec2, DVec3, Matrix};
    if !(0.0..=core::f32::consts::FRAC_PI_2).contains(&angle) {
        return Err(SlideError::Slope {
            field,
            value: angle,
        });
    }
    let turn = <DMat2 as Matrix<DVec2>>::of_turn(DVec3::new(0.0, 0.0, f64::from(angle)));
    let column = Matrix::column(&turn, 0);
    Ok([column.y, column.x])
}

fn check_finite<V: Vector>(field: &'static str, vector: V) -> Result<(), SlideError> {
    for axis in 0..V::DIM {
        let value = vector.component(axis);
        if !value.is_finite() {
            return Err(SlideError::Component { field, axis, value });
        }
    }
    Ok(())
}

fn check_length(field: &'static str, value: Real) -> Result<f64, SlideError> {
    if value.is_finite() && value >= 0.0 {
        Ok(f64::from(value))
    } else {
        Err(SlideError::Length { field, value })
    }
}
