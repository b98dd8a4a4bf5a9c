//! Records what the algorithms do, step by step.

use clearance_math::PreciseVector;

use crate::simplex::Simplex;
use crate::vertex::Vertex;

/// One iteration of a GJK search. All vectors are in a's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration<P> {
    /// The vertices of the simplex around the nearest point, with the witness points and the
    /// barycentric weight of each.
    pub simplex: Simplex<P>,
    /// The direction of the next support query: from the nearest point to the origin, not
    /// normalised.
    pub direction: P,
    /// The vertex that the query found.
    pub support: Vertex<P>,
    /// The best lower bound of the distance so far.
    pub lower: f64,
    /// The distance of the nearest point from the origin: an upper bound of the distance.
    pub upper: f64,
}

/// A receiver of the iterations of a search.
///
/// `()` ignores them at no cost; a `Vec` stores them all.
pub trait Observer<P: PreciseVector> {
    /// Called once in each iteration. `record` builds the value and need not be called.
    fn iteration(&mut self, record: impl FnOnce() -> Iteration<P>);
}

impl<P: PreciseVector> Observer<P> for () {
    #[inline]
    fn iteration(&mut self, _record: impl FnOnce() -> Iteration<P>) {}
}

impl<P: PreciseVector> Observer<P> for Vec<Iteration<P>> {
    fn iteration(&mut self, record: impl FnOnce() -> Iteration<P>) {
        self.push(record());
    }
}

/// A receiver of the steps of an algorithm.
///
/// `()` ignores them at no cost; a `Vec` stores them all.
pub(crate) trait Recorder<T> {
    /// Whether steps are looked at.
    fn is_listening(&self) -> bool;

    /// Called once in each step. `step` builds the value and need not be called.
    fn record(&mut self, step: impl FnOnce() -> T);

    /// Called if the algorithm starts again from its beginning.
    fn start_again(&mut self);

    /// Called for work that is no step, and takes as long as so many of them.
    #[inline(always)]
    fn work(&mut self, _steps: u32) {}
}

impl<T> Recorder<T> for () {
    #[inline(always)]
    fn is_listening(&self) -> bool {
        false
    }

    #[inline(always)]
    fn record(&mut self, _step: impl FnOnce() -> T) {}

    #[inline(always)]
    fn start_again(&mut self) {}
}

/// Counts steps, which are not looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count(pub(crate) u32);

impl<T> Recorder<T> for Count {
    #[inline(always)]
    fn is_listening(&self) -> bool {
        false
    }

    #[inline(always)]
    fn record(&mut self, _step: impl FnOnce() -> T) {
        self.0 = self.0.saturating_add(1);
    }

    #[inline(always)]
    fn start_again(&mut self) {}

    #[inline(always)]
    fn work(&mut self, steps: u32) {
        self.0 = self.0.saturating_add(steps);
    }
}

impl<T> Recorder<T> for Vec<T> {
    fn is_listening(&self) -> bool {
        true
    }

    fn record(&mut self, step: impl FnOnce() -> T) {
        self.push(step());
    }

    fn start_again(&mut self) {
        self.clear();
    }
}

/// One type for callers that listen and for those that do not: for long algorithms that would otherwise be compiled
/// twice, and where a branch for each step takes no time.
impl<T> Recorder<T> for Option<Vec<T>> {
    #[inline(always)]
    fn is_listening(&self) -> bool {
        self.is_some()
    }

    #[inline(always)]
    fn record(&mut self, step: impl FnOnce() -> T) {
        if let Some(steps) = self {
            steps.push(step());
        }
    }

    #[inline(always)]
    fn start_again(&mut self) {
        if let Some(steps) = self {
            steps.clear();
        }
    }
}
