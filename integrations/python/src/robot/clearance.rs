//! The least distance of all pairs of links in a configuration.

use std::collections::BinaryHeap;

use clearance::gjk::Proximity;
use clearance::math::Real;
use clearance::math::glam::Vec3;

use super::class::Robot;
use super::links::PlacedLinks;

/// What is asked of a configuration.
pub(crate) struct ClearanceQuestion<'q> {
    pub(crate) configuration: &'q [f64],
    /// How far the distance of each pair is off at most because poses are rounded.
    pub(crate) slack: &'q [f64],
    /// How long the distance of a pair may be searched for.
    pub(crate) effort: u32,
}

/// The least distance, its bounds, and which pair has it.
pub(crate) struct Clearance {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) pair: u32,
    pub(crate) nearest: Proximity<Vec3>,
}

/// A pair that may be the nearest.
struct Candidate {
    /// Its distance is at least this.
    bound: f64,
    pair: u32,
    /// Whether the bound is that of hulls, or of what needs none.
    is_sharp: bool,
}

impl Ord for Candidate {
    /// The least bound is taken first.
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        let bounds = other.bound.total_cmp(&self.bound);
        bounds.then(other.pair.cmp(&self.pair))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl Robot {
    /// Looks at the pair that may be nearest: first at its hulls, and when it comes again at its shapes. It ends when no pair can be nearer than
    /// one that was measured.
    pub(crate) fn clearance(
        &self,
        question: &ClearanceQuestion<'_>,
        placed: &mut PlacedLinks<'_>,
    ) -> Clearance {
        placed.place(|frames| self.frames(question.configuration, frames));
        let of_balls = |(links, slack): (&[usize; 2], &f64)| placed.gap_of_balls(*links) - slack;
        let bounds = self.pairs.iter().zip(question.slack).map(of_balls);
        let candidate = |(pair, bound)| Candidate {
            bound,
            pair,
            is_sharp: false,
        };
        let mut left: BinaryHeap<Candidate> = (0..).zip(bounds).map(candidate).collect();
        let lower = Real::NEG_INFINITY;
        let mut least = Clearance {
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            pair: 0,
            nearest: Proximity::Undecided { lower },
        };
        while let Some(next) = left.pop().filter(|next| next.bound < least.upper) {
            let links = self.pairs[next.pair as usize];
            let slack = question.slack[next.pair as usize];
            if !next.is_sharp {
                let bound = placed.gap_of_hulls(links, least.upper + slack);
                left.push(Candidate {
                    bound: bound.map_or(next.bound, |bound| next.bound.max(bound - slack)),
                    is_sharp: true,
                    ..next
                });
            } else if let Some(found) = placed.distance(links, least.upper + slack, question.effort)
            {
                least.take(next.pair, slack, found);
            }
        }
        least.lower = least.lower.min(least.upper);
        least
    }
}

impl Clearance {
    /// Takes a pair into account that was measured.
    fn take(&mut self, pair: u32, slack: f64, found: Proximity<Vec3>) {
        let [lower, upper] = match &found {
            Proximity::Farther { .. } => return,
            Proximity::Near(near) => [near.lower, near.upper],
            Proximity::Undecided { lower } => [*lower, Real::INFINITY],
            Proximity::Unbounded => [Real::NEG_INFINITY; 2],
        };
        self.lower = self.lower.min(f64::from(lower) - slack);
        self.upper = self.upper.min(f64::from(upper) + slack);
        let distance = |near: &Proximity<Vec3>| match near {
            Proximity::Near(near) => near.distance,
            Proximity::Unbounded => Real::NEG_INFINITY,
            _ => Real::INFINITY,
        };
        let is_first = matches!(self.nearest, Proximity::Undecided { .. });
        if is_first || (distance(&found), pair) < (distance(&self.nearest), self.pair) {
            (self.pair, self.nearest) = (pair, found);
        }
    }
}
