//! What a move comes to.

use clearance_math::{Pose, PreciseVector, Real, Vector};

use super::options::Sliding;
use crate::BodyId;

/// Where a shape went, and what it stands on: see [`Query::slide`](crate::Query::slide).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Slide<V: Vector> {
    /// Where the shape is now, in the frame of the world; it has not turned.
    pub pose: Pose<V>,
    /// How far it went from where it was, in units of length, in the frame of the world.
    pub motion: V,
    /// The ground that it stands on; `None` if it does not stand.
    pub ground: Option<SlideGround<V>>,
    /// Whether it still overlaps something: it started so deep inside that one call does not lead out, or is squeezed.
    pub is_stuck: bool,
    /// Whether there is no room for the skin: something stays nearer, since no short way leads away from all that is near.
    pub is_squeezed: bool,
}

/// The ground under a shape that stands: kept for the next slide, it carries the shape, as [`Sliding::standing_on`](crate::Sliding::standing_on) says.
///
/// With the cargo feature `serde` it is part of a saved game, and the slides after loading have the bits that they would have
/// had, where steps are equally long or [`Sliding::taking`] says how long they take.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SlideGround<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// The part of its shape: see [`Separation::part_b`](clearance_gjk::Separation::part_b).
    pub part: u32,
    /// The unit normal of the surface, out of the ground, in the frame of the world. On the edge of a step it is that of
    /// the upper side.
    pub normal: V,
    /// The point of the ground that is nearest to the shape, in the frame of the world, in double precision.
    pub position: V::Precise,
    /// The velocity of the ground below the origin of the shape, in units of length per second, in the frame of the
    /// world: that of the body, with what its turning adds. A shape that jumps off keeps it.
    ///
    /// Where steps do not move the body, it is how far the place that the shape stood on went since the answer before, divided
    /// by the time that the motion took ([`Sliding::seconds`]): zero for the first answer on that body, and
    /// where no time is known.
    pub velocity: V,
    /// The place below the origin of the shape, in the frame of the world, when this was answered.
    pub(crate) place: V::Precise,
    /// The same place in the frame of the body, with what rounding took off the way to it.
    pub(crate) place_in_body: V::Precise,
    /// How long the motion took.
    pub(crate) seconds: Real,
}

/// How long a motion took is no part of what it came to.
impl<V: Vector> PartialEq for SlideGround<V> {
    fn eq(&self, other: &Self) -> bool {
        let points = |ground: &Self| [ground.position, ground.place, ground.place_in_body];
        let vectors = |ground: &Self| [ground.normal, ground.velocity];
        (self.body, self.part) == (other.body, other.part)
            && points(self) == points(other)
            && vectors(self) == vectors(other)
    }
}

impl<V: Vector> SlideGround<V> {
    /// With the velocity at which the ground went by its pose, if it is the one that carried the shape this far. The last
    /// step of the world was so long, or 0.
    pub(super) fn carried_by(self, asked: &Sliding<'_, V>, way: V::Precise, step: Real) -> Self {
        let before = asked.ground;
        let usual = if step > 0.0 {
            step
        } else {
            before.map_or(0.0, |before| before.seconds)
        };
        let seconds = asked.seconds.unwrap_or(usual);
        let is_same = before.is_some_and(|before| before.body == self.body);
        // Nobody may have told a time, or one so short that no number is as large as the velocity.
        let is_known = is_same && way.length() < f64::from(Real::MAX) * f64::from(seconds);
        let velocity = if self.velocity == V::ZERO && is_known {
            V::from_precise(way / f64::from(seconds))
        } else {
            self.velocity
        };
        Self {
            velocity,
            seconds,
            ..self
        }
    }

    /// The point of the ground that is nearest to the shape, in the frame of the world, rounded to single precision.
    #[must_use]
    pub fn point(&self) -> V {
        V::from_precise(self.position)
    }
}

/// What a shape touched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SlideContact<V: Vector> {
    /// The body.
    pub body: BodyId,
    /// The part of its shape: see [`Separation::part_b`](clearance_gjk::Separation::part_b).
    pub part: u32,
    /// The part of the shape that slides, if it is a compound: see
    /// [`Separation::part_a`](clearance_gjk::Separation::part_a).
    pub own_part: u32,
    /// The unit normal from the body to the shape, in the frame of the world.
    pub normal: V,
    /// The point of the body that is nearest to the shape, in the frame of the world, in double precision.
    pub position: V::Precise,
    /// The signed distance, in units of length, negative where the shape overlaps the body: about the skin, and less
    /// where there is no room for it.
    pub distance: Real,
    /// Whether the shape still touches it at the end. Otherwise it met the body on the way.
    pub at_end: bool,
}

impl<V: Vector> SlideContact<V> {
    /// The point of the body that is nearest to the shape, in the frame of the world, rounded to single precision.
    #[must_use]
    pub fn point(&self) -> V {
        V::from_precise(self.position)
    }
}
