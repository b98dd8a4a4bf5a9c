//! Records what the algorithms do, step by step.

use clearance_math::PreciseVector;

use super::simplex::Simplex;
use super::vertex::Vertex;

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

/// One step of an expanding polytope. All vectors are in a's frame.
///
/// The polytope lies inside the Minkowski difference a - b, and the depth is the distance from the
/// origin to the boundary of that difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion<P> {
    /// The vertices of the polytope, with the points of a and b whose differences they are.
    pub vertices: Vec<Vertex<P>>,
    /// The vertices of all faces, as indices: two for each edge of a polygon in 2D, three for each
    /// triangle of a polyhedron in 3D, counter-clockwise seen from outside. See
    /// [`Expansion::faces`].
    pub corners: Vec<u32>,
    /// The face whose plane is nearest to the origin, counted from 0.
    pub nearest: usize,
    /// The point of that plane that is nearest to the origin.
    pub point: P,
    /// The unit normal of that face, which points outwards. It is the direction of the support
    /// query.
    pub normal: P,
    /// The vertex that the query found. Unless this step is the last, it is added to the polytope,
    /// and the faces in front of which it lies are replaced.
    pub support: Vertex<P>,
    /// A lower bound of the depth: the distance of the nearest face, as far as it is certain. It is
    /// zero until the polytope is known to hold the origin.
    pub lower: f64,
    /// An upper bound of the depth: the least height of a support vertex along its normal so far.
    pub upper: f64,
}

impl<P: PreciseVector> Expansion<P> {
    /// The indices of the vertices of each face: two in 2D, three in 3D.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.corners.chunks_exact(P::DIM)
    }
}

/// Appends a step to the list, if there is one.
///
/// One type for callers that look at the steps and for those that do not, because long algorithms would otherwise be compiled
/// twice; a branch for each step takes no time.
#[inline(always)]
pub(crate) fn record<T>(steps: &mut Option<Vec<T>>, step: impl FnOnce() -> T) {
    if let Some(steps) = steps {
        steps.push(step());
    }
}

/// The steps of an algorithm that are counted, and may be looked at, too.
pub(crate) struct Steps<T> {
    /// How many there were, together with work that is no step, but takes as long.
    pub(crate) count: u32,
    pub(crate) list: Option<Vec<T>>,
}

impl<T> Steps<T> {
    /// None so far, and nobody looks at them.
    pub(crate) fn counted() -> Self {
        Self {
            count: 0,
            list: None,
        }
    }

    #[inline(always)]
    pub(crate) fn record(&mut self, step: impl FnOnce() -> T) {
        self.work(1);
        record(&mut self.list, step);
    }

    /// Counts work that takes as long as so many steps.
    #[inline(always)]
    pub(crate) fn work(&mut self, steps: u32) {
        self.count = self.count.saturating_add(steps);
    }
}
