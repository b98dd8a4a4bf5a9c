//! Answers of queries of two shapes.

use clearance_math::{Real, Vector};

use crate::pair::Mirrored;

/// How a distance was found, and how precise it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// By a closed form: the bounds differ by rounding errors only.
    Exact,
    /// By iteration, until the bounds were close enough.
    ///
    /// For separated shapes that is 1e-6 of the distance plus 1e-7 of the size of the Minkowski
    /// difference. For the depth of polytopes it is single precision. For the depth of curved
    /// shapes it is 4e-5 of the size of the Minkowski difference; where one shape is more than
    /// fifteen times as large as the other, it is 6.4e-4 of the size of the smaller one, or 1e-4 of
    /// the depth.
    Converged,
    /// By a search that had to stop early: an iteration, or the search of all pairs of parts of composites (see
    /// [`Placed::with_effort`](crate::Placed::with_effort)). The bounds still hold, but are farther apart than for
    /// [`Status::Converged`].
    IterationLimit,
    /// The distance or a coordinate of a point is beyond the range of single precision: the distance and
    /// [`Separation::point_a`] have the greatest finite number in its place. The bounds still hold; one of them may be infinite.
    Saturated,
}

impl Status {
    /// All values, in the order of their numbers in snapshots.
    pub const ALL: [Self; 4] = [
        Self::Exact,
        Self::Converged,
        Self::IterationLimit,
        Self::Saturated,
    ];

    /// The name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Converged => "converged",
            Self::IterationLimit => "iteration_limit",
            Self::Saturated => "saturated",
        }
    }
}

/// Writes a description for people; see [`Status::name`] for the name in files.
impl core::fmt::Display for Status {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Converged => "converged",
            Self::IterationLimit => "iteration limit reached",
            Self::Saturated => "beyond the largest number",
        })
    }
}

/// The signed distance and the closest points of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation<V: Vector> {
    /// The signed distance in your unit of length. If positive, it is the gap between the shapes.
    /// If negative, the shapes overlap, and it is minus the penetration depth, which is the length
    /// of the shortest translation that separates them.
    pub distance: Real,
    /// The lower bound: the true signed distance is at least this.
    pub lower: Real,
    /// The upper bound: the true signed distance is at most this.
    pub upper: Real,
    /// The unit vector from a to b, in the frame of the world. Moving b along it increases the
    /// distance.
    pub normal: V,
    /// The point of a that is closest to b, or deepest inside b. In the frame of the world, in double precision;
    /// [`Separation::point_a`] gives it in single precision.
    pub position_a: V::Precise,
    /// The point of b that is closest to a, or deepest inside a. In the frame of the world. It
    /// equals `position_a + distance * normal` up to the precision of the answer.
    pub position_b: V::Precise,
    /// The number of the part of a that is closest, or deepest inside b: see [`Composite`]. Zero if
    /// a is no composite.
    ///
    /// [`Composite`]: clearance_shapes::Composite
    pub part_a: u32,
    /// The number of the part of b.
    pub part_b: u32,
    /// How the distance was found.
    pub status: Status,
}

impl<V: Vector> Separation<V> {
    /// The point of a that is closest to b, or deepest inside b, in the frame of the world, rounded to single precision.
    #[inline]
    #[must_use]
    pub fn point_a(&self) -> V {
        V::from_precise(self.position_a)
    }

    /// The point of b that is closest to a, or deepest inside a, in the frame of the world, rounded to single precision.
    #[inline]
    #[must_use]
    pub fn point_b(&self) -> V {
        V::from_precise(self.position_b)
    }

    /// The answer where both shapes are moved by an offset.
    #[must_use]
    pub(crate) fn moved_by(self, offset: V::Precise) -> Self {
        Self {
            position_a: self.position_a + offset,
            position_b: self.position_b + offset,
            ..self
        }
    }

    /// The answer to the query with a and b exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self {
            normal: -self.normal,
            position_a: self.position_b,
            position_b: self.position_a,
            part_a: self.part_b,
            part_b: self.part_a,
            ..self
        }
    }
}

/// The answer to the question how far apart two shapes are, if they are within a given range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proximity<V: Vector> {
    /// The distance and the closest points. The distance may exceed the range by as much as the
    /// bounds are apart, where the shapes could not be proven to be beyond the range.
    Near(Separation<V>),
    /// The shapes are proven to be farther apart than the range. They were not measured further.
    Farther {
        /// A lower bound of the true distance; it exceeds the range.
        lower: Real,
    },
    /// Two half-spaces whose overlap is unbounded, so that no translation separates them.
    Unbounded,
    /// The search ended at its effort (see [`Placed::with_effort`](crate::Placed::with_effort)) before it found parts that
    /// count: some are left out of the question, or are one-sided or one-way. Whether others are within the range is not known.
    Undecided {
        /// A lower bound of the true distance; within the range, it may be minus infinity.
        lower: Real,
    },
}

impl<V: Vector> Proximity<V> {
    /// The answer to the query with a and b exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Near(separation) => Self::Near(separation.flipped()),
            other => other,
        }
    }

    /// The answer where both shapes are moved by an offset.
    #[must_use]
    pub(crate) fn moved_by(self, offset: V::Precise) -> Self {
        match self {
            Self::Near(separation) => Self::Near(separation.moved_by(offset)),
            other => other,
        }
    }

    /// The distance and the closest points, unless the shapes are beyond the range or overlap
    /// without bound.
    #[must_use]
    pub fn near(self) -> Option<Separation<V>> {
        match self {
            Self::Near(separation) => Some(separation),
            _ => None,
        }
    }
}

impl<V: Vector> Mirrored for Separation<V> {
    #[inline]
    fn mirrored(self) -> Self {
        self.flipped()
    }
}

impl<V: Vector> Mirrored for Proximity<V> {
    #[inline]
    fn mirrored(self) -> Self {
        self.flipped()
    }
}
