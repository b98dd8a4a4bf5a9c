//! Johnson's distance subalgorithm, a slow reference for the simplex solver.

use clearance_math::{PreciseVector, exact_product};

/// The point of a convex hull that is nearest to the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<P> {
    /// The nearest point.
    pub point: P,
    /// Its barycentric weights, one for each input point. None is negative, and they sum to one.
    pub weights: Vec<f64>,
}

/// The point of the convex hull of `points` that is nearest to the origin; `None` if there are no
/// points.
///
/// It solves every subset of up to DIM + 1 points by cofactors and returns the best solution whose
/// weights are all positive. The cost is O(n^(DIM + 1)), so it is meant for tests and teaching.
/// Every candidate lies in the hull, so rounding cannot make the result too near. Cofactors square
/// the condition number of a thin simplex, and are therefore computed with twice the precision of
/// `f64`.
///
/// Source: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the
/// distance between complex objects in three-dimensional space", 1988. The original takes the first
/// subset that is proven to be the best. Here all valid subsets are compared, because rounding can
/// leave none that is proven.
///
/// ```
/// use clearance::gjk::johnson;
/// use clearance::math::DVec2;
///
/// let nearest = johnson::nearest(&[DVec2::new(-1.0, 2.0), DVec2::new(3.0, 2.0)]).unwrap();
/// assert_eq!(nearest.point, DVec2::new(0.0, 2.0));
/// assert_eq!(nearest.weights, [0.75, 0.25]);
/// ```
#[must_use]
pub fn nearest<P: PreciseVector>(points: &[P]) -> Option<Solution<P>> {
    let mut best = None;
    for_each_subset(points, |subset| offer(points, subset, &mut best));
    best
}

/// Some of the points, and the cofactors that tell where in their affine hull the nearest point is.
#[derive(Clone, Debug, PartialEq)]
pub struct Subset {
    /// Which points, in ascending order.
    pub indices: Vec<usize>,
    /// The cofactor of each of them: Johnson's D_i(S). Divided by their sum, they are the weights of
    /// the point of the affine hull that is nearest to the origin.
    pub cofactors: Vec<f64>,
}

impl Subset {
    /// Whether the point of the affine hull that is nearest to the origin lies inside the subset's
    /// hull: all cofactors are positive.
    #[must_use]
    pub fn holds_nearest(&self) -> bool {
        self.cofactors.iter().all(|cofactor| *cofactor > 0.0)
    }
}

/// All subsets of up to DIM + 1 points with their cofactors: those that [`nearest`] compares. It is meant
/// for teaching.
///
/// The first subset S whose cofactors are all positive, while for every other point j the cofactor
/// D_j of S with j is zero or less, is that of the nearest point. This decides the same feature as
/// [`Simplex::region`](crate::Simplex::region): the origin lies in its Voronoi region.
///
/// ```
/// use clearance::gjk::johnson;
/// use clearance::math::DVec2;
///
/// let subsets = johnson::subsets(&[DVec2::new(-1.0, 2.0), DVec2::new(3.0, 2.0)]);
/// assert_eq!(subsets.len(), 3);
/// let both = subsets.iter().find(|subset| subset.indices == [0, 1]).unwrap();
/// assert_eq!(both.cofactors, [12.0, 4.0]);
/// assert!(both.holds_nearest());
/// ```
#[must_use]
pub fn subsets<P: PreciseVector>(points: &[P]) -> Vec<Subset> {
    let mut subsets = Vec::new();
    for_each_subset(points, |subset| {
        subsets.push(Subset {
            indices: subset.to_vec(),
            cofactors: rounded_cofactors(points, subset),
        });
    });
    subsets
}

/// Calls `visit` for every subset of up to DIM + 1 points.
fn for_each_subset<P: PreciseVector>(points: &[P], mut visit: impl FnMut(&[usize])) {
    extend(points, &mut Vec::with_capacity(P::DIM + 1), &mut visit);
}

/// Visits every subset that begins with `subset`.
fn extend<P: PreciseVector>(
    points: &[P],
    subset: &mut Vec<usize>,
    visit: &mut impl FnMut(&[usize]),
) {
    let next = subset.last().map_or(0, |last| last + 1);
    for index in next..points.len() {
        subset.push(index);
        visit(subset);
        if subset.len() <= P::DIM {
            extend(points, subset, visit);
        }
        subset.pop();
    }
}

/// Takes the point of the subset's affine hull that is nearest to the origin, if it lies within the
/// subset and is nearer than the best so far.
fn offer<P: PreciseVector>(points: &[P], subset: &[usize], best: &mut Option<Solution<P>>) {
    let cofactors = rounded_cofactors(points, subset);
    if !cofactors.iter().all(|cofactor| *cofactor > 0.0) {
        return;
    }
    let sum: f64 = cofactors.iter().sum();
    let mut weights = vec![0.0; points.len()];
    let mut point = P::ZERO;
    for (&index, cofactor) in subset.iter().zip(cofactors) {
        weights[index] = cofactor / sum;
        point += points[index] * weights[index];
    }
    let nearer = |other: &Solution<P>| point.length_squared() < other.point.length_squared();
    if best.as_ref().is_none_or(nearer) {
        *best = Some(Solution { point, weights });
    }
}

fn rounded_cofactors<P: PreciseVector>(points: &[P], subset: &[usize]) -> Vec<f64> {
    let cofactors = cofactors(points, subset).into_iter();
    cofactors.map(Double::value).collect()
}

/// The cofactors D_i(S). Divided by their sum, they are the weights of the point of the affine hull
/// of S that is nearest to the origin.
///
/// D_i({i}) = 1; D_i(S) = sum over j of S without i of D_j(S without i) y_j . (y_k - y_i), where k
/// is any of S without i.
fn cofactors<P: PreciseVector>(points: &[P], subset: &[usize]) -> Vec<Double> {
    if subset.len() == 1 {
        return vec![Double::from(1.0)];
    }
    let without = |position: usize| -> Vec<usize> {
        let others = subset.iter().enumerate().filter(|(k, _)| *k != position);
        others.map(|(_, &index)| index).collect()
    };
    (0..subset.len())
        .map(|position| {
            let others = without(position);
            let (k, i) = (points[others[0]], points[subset[position]]);
            let terms = cofactors(points, &others).into_iter().zip(&others);
            terms.fold(Double::default(), |sum, (cofactor, &j)| {
                sum.plus(cofactor.times(along(points[j], k, i)))
            })
        })
        .collect()
}

/// The scalar product y . (to - from).
fn along<P: PreciseVector>(y: P, to: P, from: P) -> Double {
    (0..P::DIM).fold(Double::default(), |sum, axis| {
        let step = Double::from(to.component(axis)).plus(Double::from(-from.component(axis)));
        sum.plus(step.times(Double::from(y.component(axis))))
    })
}

/// A number as the unevaluated sum of two `f64`, precise to about 31 digits.
///
/// Source: T. J. Dekker, "A floating-point technique for extending the available precision", 1971.
#[derive(Clone, Copy, Debug, Default)]
struct Double {
    high: f64,
    low: f64,
}

impl From<f64> for Double {
    fn from(value: f64) -> Self {
        Self {
            high: value,
            low: 0.0,
        }
    }
}

impl Double {
    fn value(self) -> f64 {
        self.high + self.low
    }

    /// The leading terms are combined exactly into two numbers; the remaining terms are small.
    fn plus(self, other: Self) -> Self {
        let high = self.high + other.high;
        let back = high - self.high;
        let lost = (self.high - (high - back)) + (other.high - back);
        Self::normalised(high, lost + self.low + other.low)
    }

    /// The leading terms are combined exactly into two numbers; the remaining terms are small.
    fn times(self, other: Self) -> Self {
        let high = exact_product(self.high, other.high);
        let low = high.rest + self.high * other.low + self.low * other.high;
        Self::normalised(high.rounded, low)
    }

    fn normalised(large: f64, small: f64) -> Self {
        let high = large + small;
        Self {
            high,
            low: small - (high - large),
        }
    }
}
