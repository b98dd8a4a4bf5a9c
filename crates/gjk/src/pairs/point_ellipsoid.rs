//! Point and ellipsoid: ball and ellipse, ball and ellipsoid.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Ellipsoid;

use super::PointAnswer;

/// The most steps of the root search; each at least halves the bracket.
const STEP_LIMIT: usize = 80;

/// The foot of the perpendicular, by one root.
///
/// The nearest boundary point x satisfies p - x = t D^-2 x, D the half axes e_i, so that
/// x_i = e_i^2 p_i / (t + e_i^2), and the boundary equation decides t. With m the least half axis,
/// r_i = (e_i / m)^2, z_i = p_i / e_i and s = t / m^2 that is
///
/// g(s) = sum (r_i z_i / (s + r_i))^2 - 1 = 0,
///
/// decreasing for s > -1, its root between z_m - 1 and |r z| - 1 (Eberly, "Distance from a Point to
/// an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013; deviates in taking a Newton step where it
/// stays inside the bracket). If p lies on the plane across the least axis, near the centre, there
/// is no root: x leaves that plane along the least axis.
pub(crate) fn measure<V: Vector>(
    point: V::Precise,
    ellipsoid: &Ellipsoid<V>,
) -> PointAnswer<V::Precise> {
    let half_axes = ellipsoid.radii().to_precise();
    let mut least = 0;
    for k in 1..V::DIM {
        if half_axes.component(k) < half_axes.component(least) {
            least = k;
        }
    }
    let m = half_axes.component(least);
    let s = root(point, half_axes, least);
    let mut nearest = V::Precise::ZERO;
    let mut rest = 1.0;
    for k in 0..V::DIM {
        let ratio = (half_axes.component(k) / m) * (half_axes.component(k) / m);
        if s + ratio > 0.0 {
            let x = ratio * point.component(k) / (s + ratio);
            nearest = nearest.with_component(k, x);
            let share = x / half_axes.component(k);
            rest -= share * share;
        }
    }
    if !(s > -1.0) {
        let sign = if point.component(least) < 0.0 {
            -1.0
        } else {
            1.0
        };
        nearest = nearest.with_component(least, sign * m * rest.max(0.0).sqrt());
    }
    let mut gradient = nearest;
    for k in 0..V::DIM {
        let e = half_axes.component(k) / m;
        gradient = gradient.with_component(k, nearest.component(k) / (e * e));
    }
    let outward = gradient.direction().unwrap_or(V::Precise::axis(least));
    let apart = point - nearest;
    let distance = if s > 0.0 {
        apart.length()
    } else {
        -apart.length()
    };
    // From the whole ellipsoid to its core, which ends deeper along every normal.
    let inset = ellipsoid.inset();
    PointAnswer {
        distance: distance + inset,
        outward,
        nearest: nearest - outward * inset,
    }
}

/// The root s of g, or -1 where g is negative on all of s > -1.
fn root<P: PreciseVector>(point: P, half_axes: P, least: usize) -> f64 {
    let m = half_axes.component(least);
    let mut products = P::ZERO;
    let mut ratios = P::ZERO;
    for k in 0..P::DIM {
        let e = half_axes.component(k);
        let ratio = (e / m) * (e / m);
        ratios = ratios.with_component(k, ratio);
        products = products.with_component(k, ratio * point.component(k) / e);
    }
    let mut low = point.component(least).abs() / m - 1.0;
    let mut high = products.length() - 1.0;
    let mut s = low.max(0.0).min(high);
    for _ in 0..STEP_LIMIT {
        let (value, slope) = value_and_slope(products, ratios, s);
        if value > 0.0 {
            low = s;
        } else if value < 0.0 {
            high = s;
        } else {
            return s;
        }
        let newton = s - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if next == s || !(low < next && next < high) {
            break;
        }
        s = next;
    }
    s
}

/// g and its derivative at s.
fn value_and_slope<P: PreciseVector>(products: P, ratios: P, s: f64) -> (f64, f64) {
    let (mut value, mut slope) = (-1.0, 0.0);
    for k in 0..P::DIM {
        if products.component(k) != 0.0 {
            let share = products.component(k) / (s + ratios.component(k));
            value += share * share;
            slope -= 2.0 * share * share / (s + ratios.component(k));
        }
    }
    (value, slope)
}
