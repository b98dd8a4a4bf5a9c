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

/// A receiver of the steps of an algorithm.
///
/// A `Vec` stores them all, an `Option` of one does if there is one, and [`Count`] counts them.
pub(crate) trait Recorder<T> {
    /// Whether steps are looked at.
    fn is_listening(&self) -> bool;

    /// Called once in each step. `step` builds the value and need not be called.
    fn record(&mut self, step: impl FnOnce() -> T);

    /// Called for work that is no step, and takes as long as so many of them.
    #[inline(always)]
    fn work(&mut self, _steps: u32) {}
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
}
