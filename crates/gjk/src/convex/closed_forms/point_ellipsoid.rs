//! Point and ellipsoid: ball and ellipse, ball and ellipsoid.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Ellipsoid;

use super::PointAnswer;
use super::axes::greatest;

/// The greatest number of steps of the root search. Far from the root each step halves the number
/// of digits that the bracket spans; near it Newton's method takes over.
const STEP_LIMIT: usize = 120;

/// The value of the function above which the root is many times as large as t.
const FAR_FROM_ROOT: f64 = 1e3;

/// Finds the foot of the perpendicular from the root of one function.
///
/// The nearest boundary point x satisfies p - x = u D^-2 x, where D has the half axes e_i, so x_i =
/// e_i^2 p_i / (u + e_i^2), and the boundary equation determines u. With m the least half axis, d_i
/// = (e_i / m)^2 - 1 >= 0 and t = u / m^2 + 1 that equation is
///
/// g(t) = sum ((e_i p_i / m^2) / (t + d_i))^2 - 1 = 0,
///
/// It decreases for t > 0, and its root lies between |p_m| / m and |D p / m^2|; t > 1 outside.
/// Source: Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013.
/// Different from there, a Newton step is taken where it stays inside the bracket, and t is chosen
/// so that it is not lost next to d. If p lies near the centre on the plane perpendicular to the
/// least axis, there is no root, and x leaves that plane along the least axis.
pub(crate) fn measure<V: Vector>(
    point: V::Precise,
    ellipsoid: &Ellipsoid<V>,
) -> PointAnswer<V::Precise> {
    let half_axes = ellipsoid.radii().to_precise();
    let (least, _) = greatest(-half_axes);
    let t = root(point, half_axes, least);
    let nearest = boundary_point(point, half_axes, least, t);
    let m = half_axes.component(least);
    let mut gradient = nearest;
    for k in 0..V::DIM {
        let e = half_axes.component(k) / m;
        gradient = gradient.with_component(k, nearest.component(k) / (e * e));
    }
    let outward = gradient.direction().unwrap_or(V::Precise::axis(least));
    let apart = (point - nearest).length();
    // From the whole ellipsoid to its core, whose boundary lies deeper by the inset along every
    // normal.
    let inset = ellipsoid.inset();
    PointAnswer {
        distance: if t > 1.0 { apart } else { -apart } + inset,
        outward,
        nearest: nearest - outward * inset,
    }
}

/// The boundary point x for the root t.
fn boundary_point<P: PreciseVector>(point: P, half_axes: P, least: usize, t: f64) -> P {
    let m = half_axes.component(least);
    let mut nearest = P::ZERO;
    let mut rest = 1.0;
    for k in 0..P::DIM {
        let e = half_axes.component(k);
        let denominator = t + excess(e, m);
        if denominator > 0.0 {
            let share = (e / m) * (point.component(k) / m) / denominator;
            nearest = nearest.with_component(k, e * share);
            rest -= share * share;
        }
    }
    if t > 0.0 {
        return nearest;
    }
    let height = m * rest.max(0.0).sqrt();
    nearest.with_component(least, height.copysign(point.component(least)))
}

/// d = (e / m)^2 - 1 without cancellation.
fn excess(e: f64, m: f64) -> f64 {
    ((e - m) / m) * ((e + m) / m)
}

/// The root t of g, or 0 where g is negative on all of t > 0.
fn root<P: PreciseVector>(point: P, half_axes: P, least: usize) -> f64 {
    let m = half_axes.component(least);
    let mut products = P::ZERO;
    let mut excesses = P::ZERO;
    for k in 0..P::DIM {
        let e = half_axes.component(k);
        excesses = excesses.with_component(k, excess(e, m));
        products = products.with_component(k, (e / m) * (point.component(k) / m));
    }
    let mut low = point.component(least).abs() / m;
    let mut high = length_or_more(products);
    let mut t = low.max(1.0).min(high);
    for _ in 0..STEP_LIMIT {
        let (value, slope) = value_and_slope(products, excesses, t);
        if value > 0.0 {
            low = t;
        } else if value < 0.0 {
            high = t;
        } else {
            return t;
        }
        let newton = t - value / slope;
        // Far from the root, Newton's step is half of t where it should be many times t.
        let next = if value < FAR_FROM_ROOT && newton > low && newton < high {
            newton
        } else {
            middle(low, high)
        };
        if next == t || !(low < next && next < high) {
            break;
        }
        t = next;
    }
    t
}

/// The length of a vector, or slightly more if its square is beyond the range of numbers.
fn length_or_more<P: PreciseVector>(vector: P) -> f64 {
    let length = vector.length();
    if length.is_finite() {
        return length;
    }
    (0..P::DIM).map(|k| vector.component(k).abs()).sum()
}

/// The middle of the bracket: of a wide bracket in the number of digits, of a narrow one in its
/// width. The bracket of a needle may span seventy digits.
fn middle(low: f64, high: f64) -> f64 {
    if low > 0.0 && high > 4.0 * low {
        low.sqrt() * high.sqrt()
    } else {
        0.5 * (low + high)
    }
}

/// g and its derivative at t.
fn value_and_slope<P: PreciseVector>(products: P, excesses: P, t: f64) -> (f64, f64) {
    let (mut value, mut slope) = (-1.0, 0.0);
    for k in 0..P::DIM {
        if products.component(k) != 0.0 {
            let denominator = t + excesses.component(k);
            let share = products.component(k) / denominator;
            value += share * share;
            slope -= 2.0 * share * share / denominator;
        }
    }
    (value, slope)
}
