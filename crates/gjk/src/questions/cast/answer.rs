//! What a cast finds, and what it is asked for.

use clearance_math::{Real, Vector, round_down, round_nearest, round_up};

use crate::answer::{Separation, Status};
use crate::pair::{Mirrored, QueryError};

/// How a cast treats shapes that are within range at the start and move apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Leaving {
    /// They are hit at time 0, as all that are within range at the start.
    #[default]
    Hit,
    /// They are passed over, so that a shape can leave what it touches. Should they approach each other
    /// again, they are hit. Of composites each pair of parts counts for itself, and a solid as one part: what goes deeper into
    /// it is hit, and what leaves it is not, whichever facets are on its way out.
    Pass,
    /// They are never hit, whatever they do. Of composites each pair of parts counts for itself, so other parts than
    /// those that are in range at the start are still hit. A convex solid is one part; facets of any other one are
    /// hit from the outside.
    Ignore,
}

/// What counts as a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CastOptions {
    /// The signed distance that counts as met, in units of length: zero or more.
    pub within: Real,
    /// What happens to shapes that are within range at time 0 and move apart.
    pub leaving: Leaving,
}

impl CastOptions {
    /// Refuses a range that is no distance.
    ///
    /// # Errors
    /// [`QueryError::CastRange`] if `within` is negative, infinite or NaN.
    pub fn check(self) -> Result<(), QueryError> {
        if self.within >= 0.0 && self.within.is_finite() {
            Ok(())
        } else {
            Err(QueryError::CastRange { value: self.within })
        }
    }
}

/// When and where two shapes in motion meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit<V: Vector> {
    /// The first time at which the signed distance is as small as asked, from 0 to 1. Zero for shapes that
    /// are within range at the start.
    pub time: Real,
    /// The lower bound: before this time the shapes are proven to be farther apart than asked.
    pub time_lower: Real,
    /// The upper bound: not later than this they are as near as asked, up to a tolerance of
    /// [`CAST_GAP`](clearance_math::tolerances::CAST_GAP) times twice the size of the smaller one, and up to
    /// rounding. It is 1 where the status is [`Status::IterationLimit`] and nothing shows that they come that near.
    pub time_upper: Real,
    /// The signed distance when they meet, with closest points, normal and parts, in the frame of the
    /// world. It is measured at the time in double precision, which `time` is rounded from.
    pub separation: Separation<V>,
    /// How the time was found. With [`Status::IterationLimit`] the shapes graze each other for so long that
    /// it is left open whether they come as near as asked, or composites have more parts on the way than the effort of
    /// the question allows ([`Placed::with_effort`](crate::Placed::with_effort)): if they do, it is between the bounds.
    pub status: Status,
}

impl<V: Vector> CastHit<V> {
    /// The answer of shapes that are known to meet at a time.
    #[inline(always)]
    pub(super) fn at(time: f64, separation: Separation<V>) -> Self {
        Self {
            time: round_nearest(time),
            time_lower: round_down(time),
            time_upper: round_up(time),
            separation,
            status: Status::Converged,
        }
    }

    /// The answer to the question with a and b exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self {
            separation: self.separation.flipped(),
            ..self
        }
    }
}

impl<V: Vector> Mirrored for CastHit<V> {
    #[inline]
    fn mirrored(self) -> Self {
        self.flipped()
    }
}
