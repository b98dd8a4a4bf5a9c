//! Watching a search: every iteration as a value.

use clearance_math::PreciseVector;

use crate::simplex::Simplex;
use crate::vertex::Vertex;

/// One iteration of a search, all in a's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration<P> {
    /// Those vertices that carry the nearest point, both witnesses of each, and their weights.
    pub simplex: Simplex<P>,
    /// Where the next vertex was sought: from the nearest point to the origin, not normalised.
    pub direction: P,
    /// The vertex that was found there.
    pub support: Vertex<P>,
    /// The best lower bound of the distance so far.
    pub lower: f64,
    /// The length of the nearest point: the upper bound of the distance.
    pub upper: f64,
}

/// Something that wants to see the iterations of a search.
///
/// `()` sees nothing and costs nothing; a `Vec` keeps them all.
pub trait Observer<P: PreciseVector> {
    /// Called once an iteration; `record` makes the value and need not be called.
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
