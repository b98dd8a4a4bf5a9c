//! The search for the corners of the polygon or polytope with which an expansion starts.

use core::ops::Neg;

use crate::search::Vertex;

/// What the search for corners of a triangle or tetrahedron chooses from.
pub(super) struct CornerSearch<'a, P> {
    pub(super) support: &'a dyn Fn(P) -> Vertex<P>,
    /// Vertices of the difference that were found earlier.
    pub(super) known: &'a [Vertex<P>],
    /// One of them that is farther away than this will do.
    pub(super) enough: f64,
    /// A difference that is not thicker than this counts as flat.
    pub(super) thin: f64,
}

impl<P: Copy + Neg<Output = P>> CornerSearch<'_, P> {
    /// The known vertex for which `measure` is greatest. If that is no more than `enough`, support
    /// points in the given directions and their opposites are considered, too.
    ///
    /// `None` if no vertex has a measure of more than `thin`.
    pub(super) fn farthest(
        &self,
        directions: &[P],
        measure: &dyn Fn(&Vertex<P>) -> f64,
    ) -> Option<Vertex<P>> {
        let pick = |best: Vertex<P>, v: Vertex<P>| {
            if measure(&best) >= measure(&v) {
                best
            } else {
                v
            }
        };
        let among = self.known.iter().copied().reduce(pick);
        let found = if among.is_some_and(|v| measure(&v) > self.enough) {
            among
        } else {
            let both = directions.iter().flat_map(|&d| [d, -d]);
            among.into_iter().chain(both.map(self.support)).reduce(pick)
        };
        found.filter(|v| measure(v) > self.thin)
    }
}
