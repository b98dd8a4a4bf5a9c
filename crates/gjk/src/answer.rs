//! What a query of two shapes answers.

use clearance_math::{Real, Vector};

/// How the distance of two shapes was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// By a closed form: the bounds differ by rounding alone.
    Exact,
    /// By iteration until the bounds met: to a millionth of the distance for shapes apart, to 4e-5 of
    /// the size for the depth of curved shapes, to single precision for that of polytopes.
    Converged,
    /// By iteration that reached its limit: the bounds still hold, and say how far they are apart.
    IterationLimit,
    /// A part of the answer is beyond what single precision can say, and the greatest finite number stands in
    /// its place: the distance, or a coordinate of a point. The bounds still hold; one may be infinite.
    Saturated,
}

impl Status {
    /// Every way, in the order in which they are numbered in snapshots.
    pub const ALL: [Self; 4] = [
        Self::Exact,
        Self::Converged,
        Self::IterationLimit,
        Self::Saturated,
    ];

    /// The word for it in files.
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

/// In words, for people; [`Status::name`] is for files.
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

/// Signed distance and closest points of two shapes near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation<V> {
    /// The gap if positive; minus the penetration depth, the least translation that separates the
    /// shapes, if negative. Caller's unit of length.
    pub distance: Real,
    /// The true signed distance is not below this.
    pub lower: Real,
    /// The true signed distance is not above this.
    pub upper: Real,
    /// Unit vector from a to b: moving b along it increases the distance. World frame.
    pub normal: V,
    /// The point of a nearest b, or deepest in b. World frame.
    pub point_a: V,
    /// The point of b nearest a, or deepest in a. World frame; `point_a + distance * normal` up to
    /// the accuracy of the answer.
    pub point_b: V,
    /// How the distance was found.
    pub status: Status,
}

impl<V: Vector> Separation<V> {
    /// This answer with the roles of a and b exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self {
            normal: -self.normal,
            point_a: self.point_b,
            point_b: self.point_a,
            ..self
        }
    }
}

/// The answer to "how far apart are these shapes, if nearer than `within`?".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proximity<V> {
    /// The distance and where it is taken. May exceed what was asked for by as much as the bounds are
    /// apart: then it is not proven farther.
    Near(Separation<V>),
    /// Proven to be farther apart than asked for; the search stopped there.
    Farther {
        /// The true distance is not below this, which exceeds `within`.
        lower: Real,
    },
    /// Two half-spaces that overlap without bound: there is no depth.
    Unbounded,
}

impl<V: Vector> Proximity<V> {
    /// This answer with the roles of a and b exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Near(separation) => Self::Near(separation.flipped()),
            other => other,
        }
    }

    /// The distance and where it is taken, if the shapes are near.
    #[must_use]
    pub fn near(self) -> Option<Separation<V>> {
        match self {
            Self::Near(separation) => Some(separation),
            _ => None,
        }
    }
}
