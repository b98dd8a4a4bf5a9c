//! The distance loop of GJK.

use clearance_math::internal::lanes::{Simd, dispatch};
use clearance_math::{PreciseVector, greater_of, tolerances};
use clearance_shapes::Support;

use super::difference::{Difference, Minkowski};
use super::kept_simplex::KeptSimplex;
use super::simplex::{Simplex, witness_points_of};
use super::simplex_in_lanes::{Added, SimplexInLanes};
use super::trace::{Iteration, record};
use super::vertex::Vertex;

/// The greatest number of iterations of one search.
///
/// Polytopes need about as many iterations as there are vertices on the way to the closest ones,
/// smooth shapes a few dozen.
const ITERATION_LIMIT: usize = 128;

/// The greatest number of iterations that may fail to come nearer to the origin. Of half a million
/// difficult pairs, as many converged with four such iterations as without a limit.
const MOST_WITHOUT_PROGRESS: usize = 4;

/// When a search may stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The search stops as soon as the distance is proven to exceed this.
    pub farther_than: f64,
    /// The search stops as soon as the distance is proven not to exceed this. Minus infinity
    /// disables it.
    pub not_farther_than: f64,
    /// The search stops as soon as the gap between the bounds, relative to the distance, is this
    /// small.
    pub gap: f64,
}

impl Goal {
    /// Asks for the distance if it does not exceed `within`.
    #[must_use]
    pub fn distance_within(within: f64) -> Self {
        Self {
            farther_than: within,
            not_farther_than: f64::NEG_INFINITY,
            gap: tolerances::DISTANCE_GAP,
        }
    }

    /// Asks for the distance, with a closest point as precise as double precision allows.
    #[must_use]
    pub fn closest_point() -> Self {
        Self {
            gap: tolerances::CLOSEST_POINT_GAP,
            ..Self::distance_within(f64::INFINITY)
        }
    }

    /// Asks only whether the distance is above or below `threshold`.
    #[must_use]
    pub fn side_of(threshold: f64) -> Self {
        Self {
            farther_than: threshold,
            not_farther_than: threshold,
            gap: 0.0,
        }
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchResult<P> {
    /// The cores are separated.
    Separated(SeparatedCores<P>),
    /// The cores overlap, or no separating plane was found.
    Overlapping(Overlap<P>),
    /// The cores are proven to be farther apart than the goal requires.
    Farther {
        /// A lower bound of the distance.
        lower: f64,
    },
}

/// Two cores that overlap, or that touch up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap<P> {
    /// The simplex that contains the origin or comes nearest to it.
    pub simplex: Simplex<P>,
    rounding: f64,
}

impl<P: PreciseVector> Overlap<P> {
    /// An upper bound of the signed distance. It is zero if the simplex certainly contains the
    /// origin, and otherwise the distance between a point of one shape and a point of the other.
    #[must_use]
    pub fn upper(&self) -> f64 {
        if self.simplex.surely_holds_origin(self.rounding) {
            return 0.0;
        }
        let (on_a, on_b) = self.simplex.witness_points();
        (on_a - on_b).length() + self.rounding
    }
}

/// The distance and closest points of two separated cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparatedCores<P> {
    /// The unit vector from a to b, in a's frame. The plane perpendicular to it proves the lower
    /// bound up to [`tolerances::NORMAL_SLACK`].
    pub normal: P,
    /// The closest points of a and b, in a's frame.
    pub witness_points: (P, P),
    /// A lower bound of the distance.
    pub lower: f64,
    /// An upper bound of the distance.
    pub upper: f64,
    /// Whether the gap between the bounds became as small as the goal requires.
    pub converged: bool,
}

/// Searches the point of the Minkowski difference of two convex sets that is nearest to the origin.
///
/// Sources: Gilbert, Johnson and Keerthi, "A Fast Procedure for Computing the Distance Between
/// Complex Objects in Three-Dimensional Space" (1988), with the termination test of van den Bergen,
/// "A Fast and Robust GJK Implementation for Collision Detection of Convex Objects" (1999), in which
/// the best separating plane so far gives the lower bound. The difference to those is that the
/// lower bound is kept over all iterations.
///
/// The iterations are appended to `steps`, if there is a list.
pub fn search<P, A, B>(
    difference: &Difference<'_, P, A, B>,
    goal: Goal,
    steps: &mut Option<Vec<Iteration<P>>>,
) -> SearchResult<P>
where
    P: PreciseVector,
    A: Support<P> + ?Sized,
    B: Support<P> + ?Sized,
{
    search_from(difference, goal, None, steps)
}

/// Implements [`search`] for any Minkowski difference with a support mapping.
pub(crate) fn search_in<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    goal: Goal,
) -> SearchResult<P> {
    search_from(difference, goal, None, &mut None)
}

/// [`search`] that begins with the simplex with which another search of the same two shapes ended, at other poses, and
/// keeps its own in its place unless the shapes overlap, if there is a place for it.
///
/// Where the nearest features are still the same, one support query proves it. The vertices that are kept were rounded at
/// the poses of earlier searches, so the upper bound holds up to the rounding of the whole motion, which the caller must
/// allow for; the lower bound comes from support points of this search.
pub(crate) fn search_from<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    goal: Goal,
    kept: Option<&mut KeptSimplex<P>>,
    steps: &mut Option<Vec<Iteration<P>>>,
) -> SearchResult<P> {
    let question = SearchQuestion {
        difference,
        goal,
        steps,
    };
    dispatch!(simd => search_in_lanes(simd, question, kept))
}

#[inline(always)]
fn search_in_lanes<S: Simd, P: PreciseVector>(
    simd: S,
    question: SearchQuestion<'_, P, impl Minkowski<P>>,
    kept: Option<&mut KeptSimplex<P>>,
) -> SearchResult<P> {
    let (difference, goal) = (question.difference, question.goal);
    let mut state = State::new(difference, goal.gap);
    let b_in_a = &difference.extent().b_in_a;
    let placed = kept.as_ref().map(|kept| kept.placed(b_in_a));
    let known = placed.as_deref().unwrap_or_default();
    let mut simplex = if known.is_empty() {
        let start = difference.start();
        let first = difference.support_by_call(simd, -start);
        if placed.is_none() {
            state.upper = start.length();
            state.separating_direction = start;
            state.raise_lower(start.dot(first.point) / state.upper, start);
            if state.lower > goal.farther_than {
                return SearchResult::Farther { lower: state.lower };
            }
        }
        SimplexInLanes::from_vertex(simd, &first, state.size)
    } else {
        SimplexInLanes::from_vertices(simd, known, state.size)
    };
    // Returned as it is found: it takes long to copy.
    state.iterate(simd, question, &mut simplex, |vertices| {
        if let (Some(kept), Some(placed)) = (kept, &placed) {
            kept.keep(vertices, placed, b_in_a);
        }
    })
}

/// What a search is about.
struct SearchQuestion<'d, P, D> {
    /// The Minkowski difference of the two cores.
    difference: &'d D,
    /// When the search may stop.
    goal: Goal,
    /// What is told of each iteration, if anything is.
    steps: &'d mut Option<Vec<Iteration<P>>>,
}

/// The state of a running search: its bounds and the directions that prove them.
struct State<P> {
    lower: f64,
    /// The last direction whose plane came near the lower bound: from b to a, of any length, in a's
    /// frame.
    separating_direction: P,
    upper: f64,
    rounding: f64,
    size: f64,
    gap: f64,
    /// How many iterations came no nearer to the origin.
    iterations_without_progress: usize,
}

impl<P: PreciseVector> State<P> {
    /// Adds vertices to the simplex until the goal is reached, or nothing comes nearer to the origin. `keep` gets the vertices of
    /// separated shapes.
    #[inline(always)]
    fn iterate<S: Simd>(
        &mut self,
        simd: S,
        question: SearchQuestion<'_, P, impl Minkowski<P>>,
        simplex: &mut SimplexInLanes<S, P>,
        keep: impl FnOnce(&[Vertex<P>]),
    ) -> SearchResult<P> {
        let (difference, goal) = (question.difference, question.goal);
        for _ in 0..ITERATION_LIMIT {
            let toward = *simplex.toward();
            self.upper = toward.distance;
            if !(self.upper > self.rounding) {
                break;
            }
            let vertex = difference.support_in_lanes(simd, -toward.direction);
            let height = toward.direction.dot(vertex.point) / toward.length;
            let height = self.raise_lower(height, toward.direction);
            record(question.steps, || Iteration {
                simplex: Simplex::nearest_of(simplex.vertices()),
                direction: -toward.nearest(),
                support: vertex,
                lower: self.lower,
                upper: self.upper,
            });
            if self.lower > goal.farther_than {
                return SearchResult::Farther { lower: self.lower };
            }
            if self.upper <= goal.not_farther_than
                || self.bounds_have_met(height)
                || self.has_stalled(simplex, &vertex)
            {
                break;
            }
            match simplex.add(&vertex, self.slack()) {
                Added::Nearer if simplex.toward().distance < toward.distance => {}
                Added::Nearer => self.iterations_without_progress += 1,
                Added::NotNearer => break,
                Added::Holds(simplex) => return SearchResult::Overlapping(self.overlap(simplex)),
            }
        }
        if self.lower > 0.0 {
            keep(simplex.vertices());
        }
        self.finish(simplex.vertices())
    }

    fn new(difference: &impl Minkowski<P>, gap: f64) -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            separating_direction: P::ZERO,
            upper: f64::INFINITY,
            rounding: difference.rounding(),
            size: difference.size(),
            gap,
            iterations_without_progress: 0,
        }
    }

    /// Raises the lower bound by the plane through a support vertex, perpendicular to `direction`.
    /// That plane separates the origin from the whole difference, so its distance less the rounding
    /// error is a lower bound, which is returned.
    #[inline]
    fn raise_lower(&mut self, height: f64, direction: P) -> f64 {
        let height = height - self.rounding;
        // The last direction is that of the witness points. It is used unless its plane proves
        // nothing, which can happen if the nearest point is almost at the origin.
        if height >= self.lower - tolerances::NORMAL_SLACK * self.size {
            self.separating_direction = direction;
        }
        self.lower = greater_of(self.lower, height);
        height
    }

    /// Whether the gap between the bounds is small enough. The lower bound must come from the plane
    /// at the nearest point itself: that of an earlier point would prove the distance, but its
    /// normal is not the one that is reported.
    #[inline]
    fn bounds_have_met(&self, height: f64) -> bool {
        self.upper - height <= self.gap * self.upper + 2.0 * self.rounding
    }

    /// Whether the search found a vertex that it already has.
    ///
    /// All vertices of the simplex are as far along the search direction as the nearest point, so
    /// one of them can be found again only where the bounds have almost met.
    #[inline]
    fn has_stalled<S: Simd>(&self, simplex: &SimplexInLanes<S, P>, vertex: &Vertex<P>) -> bool {
        self.upper - self.lower <= tolerances::STALL_GAP * self.upper + 64.0 * self.rounding
            && simplex.contains(vertex)
    }

    /// The gap between the bounds at which the distance counts as found.
    #[inline]
    fn allowed(&self, upper: f64) -> f64 {
        tolerances::CONVERGED_GAP * upper + tolerances::CONVERGED_NEAR * self.size
    }

    /// By how much the next nearest point may be farther from the origin than this one.
    ///
    /// Where curved shapes almost touch, rounding can undo more than an iteration gains, although
    /// many iterations are left to go. A few such iterations are allowed; a search that has
    /// converged makes no others. The bounds are those of the last simplex, so the answer shows
    /// what was lost.
    #[inline]
    fn slack(&self) -> f64 {
        let is_open = self.upper - self.lower > self.allowed(self.upper);
        if is_open && self.iterations_without_progress < MOST_WITHOUT_PROGRESS {
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

    /// Computes the upper bound again from the witness points, since they lie on the shapes even if
    /// rounding has moved the nearest point of a thin simplex. Without a separating plane the
    /// result is an overlap.
    fn finish(&self, vertices: &[Vertex<P>]) -> SearchResult<P> {
        if !(self.lower > 0.0) {
            return SearchResult::Overlapping(self.overlap(Simplex::nearest_of(vertices)));
        }
        let (on_a, on_b) = witness_points_of(vertices);
        let upper = greater_of((on_a - on_b).length() + self.rounding, self.lower);
        let allowed = self.allowed(upper);
        SearchResult::Separated(SeparatedCores {
            normal: -self.separating_direction / self.separating_direction.length(),
            witness_points: (on_a, on_b),
            lower: self.lower,
            upper,
            converged: upper - self.lower <= allowed,
        })
    }
}
