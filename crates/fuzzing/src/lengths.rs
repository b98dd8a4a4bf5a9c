//! How long and how thin things are.

use clearance_math::{PreciseVector, Vector};

/// The shortest and the longest of lengths, of which those that are zero do not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    shortest: f64,
    longest: f64,
}

impl Lengths {
    pub(crate) const NONE: Self = Self {
        shortest: f64::INFINITY,
        longest: 0.0,
    };

    pub(crate) fn of(lengths: impl IntoIterator<Item = f64>) -> Self {
        let lengths = lengths.into_iter().map(f64::abs);
        lengths
            .filter(|length| *length > 0.0)
            .fold(Self::NONE, |range, length| Self {
                shortest: range.shortest.min(length),
                longest: range.longest.max(length),
            })
    }

    /// The coordinates by which points differ.
    pub(crate) fn between<V: Vector>(points: &[V]) -> Self {
        let differences = points.iter().enumerate().flat_map(|(index, a)| {
            points[..index].iter().flat_map(move |b| {
                let apart = a.to_precise() - b.to_precise();
                (0..V::DIM).map(move |k| apart.component(k))
            })
        });
        Self::of(differences)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            shortest: self.shortest.min(other.shortest),
            longest: self.longest.max(other.longest),
        }
    }

    /// How many times longer the longest is than the shortest.
    pub(crate) fn slenderness(self) -> f64 {
        if self.longest > 0.0 {
            self.longest / self.shortest
        } else {
            1.0
        }
    }
}
