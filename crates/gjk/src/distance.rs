//! The distance loop of GJK.

use clearance_math::lanes::{Simd, dispatch, level};
use clearance_math::{PreciseVector, tolerances};
use clearance_shapes::Support;

use crate::difference::{Difference, Minkowski};
use crate::simplex::{Simplex, witness_points_of};
use crate::simplex_in_lanes::{Added, SimplexInLanes};
use crate::trace::{Iteration, Observer};
use crate::vertex::Vertex;

/// The most iterations of one search.
///
/// Polytopes need about as many as they have vertices along the way, smooth shapes a few dozen.
const ITERATION_LIMIT: usize = 128;

/// The most steps of one search that may come no nearer: as many of half a million hostile pairs converged
/// with four as without a limit.
const MOST_SPOILED: usize = 4;

/// When a search may stop before the distance is found to the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Stop as soon as the distance is proven to exceed this.
    pub farther_than: f64,
    /// Stop as soon as the distance is proven not to exceed this; minus infinity never does.
    pub not_farther_than: f64,
    /// Stop as soon as the bounds are this near each other, relative to the distance.
    pub gap: f64,
}

impl Goal {
    /// The distance itself, wherever it does not exceed `within`.
    #[must_use]
    pub fn distance_within(within: f64) -> Self {
        Self {
            farther_than: within,
            not_farther_than: f64::NEG_INFINITY,
            gap: tolerances::DISTANCE_GAP,
        }
    }

    /// The distance itself, with a closest point as sharp as double precision lets it be.
    #[must_use]
    pub fn closest_point() -> Self {
        Self {
            gap: tolerances::CLOSEST_POINT_GAP,
            ..Self::distance_within(f64::INFINITY)
        }
    }

    /// Only on which side of `threshold` the distance lies.
    #[must_use]
    pub fn side_of(threshold: f64) -> Self {
        Self {
            farther_than: threshold,
            not_farther_than: threshold,
            gap: 0.0,
        }
    }

    fn is_side(&self) -> bool {
        self.not_farther_than > f64::NEG_INFINITY
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search<P> {
    /// The cores are apart.
    Separated(Found<P>),
    /// The cores share a point, or no plane was found that keeps them apart.
    Overlapping(Overlap<P>),
    /// The cores are proven to be farther apart than the goal asked for.
    Farther {
        /// The distance is not below this.
        lower: f64,
    },
}

/// Cores that overlap, or touch up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap<P> {
    /// The simplex that holds the origin or comes nearest to it.
    pub simplex: Simplex<P>,
    rounding: f64,
}

impl<P: PreciseVector> Overlap<P> {
    /// The signed distance is not above this: zero where the simplex surely holds the origin,
    /// otherwise the length between two points of the shapes.
    #[must_use]
    pub fn upper(&self) -> f64 {
        if self.simplex.surely_holds_origin(self.rounding) {
            return 0.0;
        }
        let (on_a, on_b) = self.simplex.witness_points();
        (on_a - on_b).length() + self.rounding
    }
}

/// The distance of two cores that are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<P> {
    /// The unit vector from a to b, in a's frame: the plane across it proves the lower bound up to
    /// [`tolerances::NORMAL_SLACK`].
    pub normal: P,
    /// The points of a and b nearest each other, in a's frame.
    pub witness_points: (P, P),
    /// The distance is not below this.
    pub lower: f64,
    /// The distance is not above this.
    pub upper: f64,
    /// Whether the bounds met to the tolerance.
    pub converged: bool,
}

/// Searches the point of a Minkowski difference that is nearest the origin.
///
/// Gilbert, Johnson, Keerthi (1988), with the termination of van den Bergen, "A Fast and Robust
/// GJK Implementation for Collision Detection of Convex Objects" (1999): the best separating plane
/// so far gives the lower bound. Deviates in keeping the bound over all iterations.
pub fn search<P, A, B>(
    difference: &Difference<'_, P, A, B>,
    goal: Goal,
    observer: &mut impl Observer<P>,
) -> Search<P>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    search_in(difference, goal, observer)
}

/// [`search`] in whatever knows its farthest vertices.
pub(crate) fn search_in<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    goal: Goal,
    observer: &mut impl Observer<P>,
) -> Search<P> {
    dispatch!(level(), simd => search_in_lanes(simd, difference, goal, observer))
}

#[inline(always)]
fn search_in_lanes<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    goal: Goal,
    observer: &mut impl Observer<P>,
) -> Search<P> {
    let mut state = State::new(difference, goal.gap);
    let start = start_of(difference);
    let first = difference.support_in_lanes(simd, -start);
    state.upper = start.length();
    state.across = start;
    state.raise_lower(start.dot(first.point) / state.upper, start);
    if state.lower > goal.farther_than {
        return Search::Farther { lower: state.lower };
    }
    let mut simplex = SimplexInLanes::from_vertex(simd, &first, state.size);
    // In the plane polygons have a closed form.
    if P::DIM == 3
        && let Some(seed) = difference.seed_in_lanes(simd, start)
    {
        // Where only the side is asked for, one of these planes may be the answer.
        if goal.is_side() {
            let (height, direction) = seed.highest();
            state.raise_lower(height, -direction);
            if state.lower > goal.farther_than {
                return Search::Farther { lower: state.lower };
            }
        }
        simplex.widen(&seed);
    }
    for _ in 0..ITERATION_LIMIT {
        let toward = *simplex.toward();
        state.upper = toward.distance;
        if !(state.upper > state.rounding) {
            break;
        }
        let vertex = difference.support_in_lanes(simd, -toward.direction);
        let height = toward.direction.dot(vertex.point) / toward.length;
        let height = state.raise_lower(height, toward.direction);
        observer.iteration(|| Iteration {
            simplex: Simplex::nearest_of(simplex.vertices()),
            direction: -toward.nearest(),
            support: vertex,
            lower: state.lower,
            upper: state.upper,
        });
        if state.lower > goal.farther_than {
            return Search::Farther { lower: state.lower };
        }
        if state.upper <= goal.not_farther_than
            || state.has_met(height)
            || state.has_stalled(&simplex, &vertex)
        {
            break;
        }
        match simplex.add(&vertex, state.slack()) {
            Added::Nearer if simplex.toward().distance < toward.distance => {}
            Added::Nearer => state.spoiled += 1,
            Added::NotNearer => break,
            Added::Holds(simplex) => return Search::Overlapping(state.overlap(simplex)),
        }
    }
    state.finish(simplex.vertices())
}

/// A point to begin with that is not the origin: the middle, or where that is the origin, one beside it
/// at the distance of the size, so that scaling the shapes scales the search.
#[inline(always)]
fn start_of<P: PreciseVector>(difference: &impl Minkowski<P>) -> P {
    let center = difference.center();
    if center != P::ZERO {
        center
    } else if difference.size() > 0.0 {
        P::axis(0) * difference.size()
    } else {
        P::axis(0)
    }
}

/// The bounds of a running search.
struct State<P> {
    lower: f64,
    /// The last direction from the origin whose plane came near the lower bound.
    across: P,
    upper: f64,
    rounding: f64,
    size: f64,
    gap: f64,
    /// How many steps came no nearer.
    spoiled: usize,
}

impl<P: PreciseVector> State<P> {
    fn new(difference: &impl Minkowski<P>, gap: f64) -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            across: P::ZERO,
            upper: f64::INFINITY,
            rounding: difference.rounding(),
            size: difference.size(),
            gap,
            spoiled: 0,
        }
    }

    /// The plane through the support vertex across a direction separates the origin from the whole
    /// difference: its distance, less what rounding can do, is returned and is a lower bound.
    #[inline]
    fn raise_lower(&mut self, height: f64, direction: P) -> f64 {
        let height = height - self.rounding;
        // The last direction is that of the witness points: it is kept unless its plane is useless,
        // as it can be where the nearest point is all but zero.
        if height >= self.lower - tolerances::NORMAL_SLACK * self.size {
            self.across = direction;
        }
        self.lower = self.lower.max(height);
        height
    }

    /// Whether the bounds have met, the lower one by the plane across the nearest point itself: that
    /// of an earlier point may do, but is not the one that is reported.
    #[inline]
    fn has_met(&self, height: f64) -> bool {
        self.upper - height <= self.gap * self.upper + 2.0 * self.rounding
    }

    /// Whether the search came back to a vertex that it has.
    ///
    /// All vertices of the simplex are as high as the nearest point, so one of them can only turn
    /// up again where the bounds have all but met.
    #[inline]
    fn has_stalled<S: Simd>(&self, simplex: &SimplexInLanes<S, P>, vertex: &Vertex<P>) -> bool {
        self.upper - self.lower <= tolerances::STALL_GAP * self.upper + 64.0 * self.rounding
            && simplex.contains(vertex)
    }

    /// How far apart the bounds of a distance may be that counts as found.
    #[inline]
    fn allowed(&self, upper: f64) -> f64 {
        tolerances::CONVERGED_GAP * upper + tolerances::CONVERGED_NEAR * self.size
    }

    /// By how much the next nearest point may be farther than this one.
    ///
    /// Where curved shapes all but touch, a step may bring less than rounding takes away, though those after
    /// it have far to go. A few such steps are granted: a search that is where it will stay makes no others.
    /// The bounds are those of the last simplex, so what was lost shows in them.
    #[inline]
    fn slack(&self) -> f64 {
        let is_open = self.upper - self.lower > self.allowed(self.upper);
        if is_open && self.spoiled < MOST_SPOILED {
            self.rounding
        } else {
            0.0
        }
    }

    fn overlap(&self, simplex: Simplex<P>) -> Overlap<P> {
        Overlap {
            simplex,
            rounding: self.rounding,
        }
    }

    /// The upper bound anew from the witness points, which lie on the shapes whatever rounding
    /// did to the nearest point of a thin simplex; without a plane in between, an overlap.
    fn finish(&self, vertices: &[Vertex<P>]) -> Search<P> {
        if !(self.lower > 0.0) {
            return Search::Overlapping(self.overlap(Simplex::nearest_of(vertices)));
        }
        let (on_a, on_b) = witness_points_of(vertices);
        let upper = ((on_a - on_b).length() + self.rounding).max(self.lower);
        let allowed = self.allowed(upper);
        Search::Separated(Found {
            normal: -self.across / self.across.length(),
            witness_points: (on_a, on_b),
            lower: self.lower,
            upper,
            converged: upper - self.lower <= allowed,
        })
    }
}
