//! Bodies with curved sides.

use core::f64::consts::{FRAC_PI_2, PI};

use clearance_math::{DMat3, DVec3};

use super::moments::Moments;

/// The points of a quadrature over the numbers from 0 to 1: each with its distance from 1, and its weight. There are
/// seven times as many as `steps`.
///
/// This is the double exponential formula of Takahasi and Mori (1974). Its points crowd at both ends, where the integrands of
/// long and of flat ellipsoids are steep.
fn nodes(steps: i32) -> Vec<[f64; 3]> {
    let node = |k: i32| {
        let at = f64::from(k) / f64::from(steps);
        let grown = libm::exp(PI * libm::sinh(at));
        let (part, rest) = (1.0 / (1.0 + 1.0 / grown), 1.0 / (1.0 + grown));
        [
            part,
            rest,
            PI * libm::cosh(at) * part * rest / f64::from(steps),
        ]
    };
    let most = 7 * steps / 2;
    (-most..=most).map(node).collect()
}

/// The volume of the ball of radius 1 in a dimension from 1 to 3.
fn unit_ball(dimension: usize) -> f64 {
    [1.0, 2.0, PI, 4.0 / 3.0 * PI][dimension]
}

/// 1 for each axis of the dimension, 0 for the others.
fn axes(dimension: usize) -> DVec3 {
    DVec3::new(1.0, 1.0, if dimension == 2 { 0.0 } else { 1.0 })
}

/// The product of the components of the first two or all three axes.
fn product(dimension: usize, of: DVec3) -> f64 {
    of.x * of.y * if dimension == 2 { 1.0 } else { of.z }
}

/// A rectangle or box about the origin.
pub(super) fn cuboid(dimension: usize, half_extents: DVec3) -> Moments {
    let volume = product(dimension, half_extents * 2.0);
    about_origin(volume, half_extents * half_extents * (volume / 3.0))
}

/// An ellipse or ellipsoid about the origin.
pub(super) fn ellipsoid(dimension: usize, radii: DVec3) -> Moments {
    let volume = unit_ball(dimension) * product(dimension, radii);
    about_origin(volume, radii * radii * (volume / (dimension as f64 + 2.0)))
}

fn about_origin(measure: f64, squares: DVec3) -> Moments {
    Moments {
        measure,
        first: DVec3::ZERO,
        second: DMat3::from_diagonal(squares),
    }
}

/// An ellipse or ellipsoid about the origin that is rounded by a radius: all points x + t n with x on its surface, n the normal
/// there and t up to the radius, whose measure grows with (1 + k t) for every principal curvature k.
///
/// The integrals over the surface are elliptic. The quadrature has a relative error of less than 1e-12 for half axes up to
/// 10^4 times as long as others.
pub(super) fn rounded_ellipsoid(dimension: usize, radii: DVec3, radius: f64) -> Moments {
    let mut sum = ellipsoid(dimension, radii);
    if !(radius > 0.0) {
        return sum;
    }
    let radii = radii + (DVec3::ONE - axes(dimension));
    let nodes = nodes(32);
    let equator = [[0.0, 1.0, 1.0]];
    let heights = if dimension == 2 { &equator[..] } else { &nodes };
    let all = f64::from(1 << dimension) * FRAC_PI_2;
    for &[height, below_top, weight] in heights {
        let across = (below_top * (1.0 + height)).sqrt();
        for &[part, rest, other_weight] in &nodes {
            let (cos, sin) = (libm::sin(FRAC_PI_2 * rest), libm::sin(FRAC_PI_2 * part));
            let unit = DVec3::new(across * cos, across * sin, height);
            let grown = shell(dimension, (radii, unit), radius) * (all * weight * other_weight);
            // The same in every octant.
            let squares = DVec3::new(
                grown.second.x_axis.x,
                grown.second.y_axis.y,
                grown.second.z_axis.z,
            );
            sum += about_origin(grown.measure, squares);
        }
    }
    sum
}

/// What lies over the image of a point of the unit sphere, for a measure of 1 there.
fn shell(dimension: usize, (radii, unit): (DVec3, DVec3), radius: f64) -> Moments {
    let (x, slope) = (radii * unit, unit / radii);
    let size = radii.x * radii.y * radii.z;
    let support = 1.0 / slope.length();
    let normal = Moments::of_point(slope * support);
    let area = size / support;
    // The sum of the principal curvatures and their product.
    let bent = support * support * support / (size * size);
    let (sum, product) = if dimension == 2 {
        (bent, 0.0)
    } else {
        (
            bent * (radii.length_squared() - x.length_squared()),
            bent * support,
        )
    };
    let x = Moments::of_point(x);
    [1.0, sum, product]
        .into_iter()
        .zip(1..)
        .fold(Moments::ZERO, |all, (density, codimension)| {
            all + (x * (area * density)).swept(&normal, codimension, radius)
        })
}

/// A ring about the y axis, or two points in the plane, with a tube around it.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    /// The radius of the ring.
    pub(super) across: f64,
    /// Where it is along the axis.
    pub(super) up: f64,
    /// The radius of the tube.
    pub(super) radius: f64,
}

/// The convex hull of two rings, the upper one first, of which none is inside of the hull of the other.
pub(super) fn around_axis(dimension: usize, [top, bottom]: [Ring; 2]) -> Moments {
    let (inwards, down) = (bottom.across - top.across, top.up - bottom.up);
    // The normal of the side is at right angles to it, but for the difference of the tubes.
    let tilt = (bottom.radius - top.radius) / (inwards * inwards + down * down).sqrt();
    let tilt = tilt.clamp(-1.0, 1.0);
    let slope = libm::atan2(inwards, down) + libm::asin(tilt);
    let on = |ring: Ring, angle: f64| {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        (ring.across + ring.radius * cos, ring.up + ring.radius * sin)
    };
    let (low, high) = (on(bottom, slope), on(top, slope));
    let mut sum = Moments::ZERO;
    for [part, rest, weight] in nodes(16) {
        let side = (rest * low.0 + part * high.0, rest * low.1 + part * high.1);
        sum += slice(dimension, side) * (weight * (high.1 - low.1));
        for (ring, from, to) in [(bottom, -FRAC_PI_2, slope), (top, slope, FRAC_PI_2)] {
            let angle = rest * from + part * to;
            let rise = ring.radius * libm::cos(angle) * (to - from);
            sum += slice(dimension, on(ring, angle)) * (weight * rise);
        }
    }
    sum
}

/// Those of a segment or disc across the y axis, of which `across` is the half length or radius.
fn slice(dimension: usize, (across, up): (f64, f64)) -> Moments {
    let power = if dimension == 2 {
        across
    } else {
        across * across
    };
    let measure = unit_ball(dimension - 1) * power;
    let square = measure * across * across / (dimension as f64 + 1.0);
    let squares = axes(dimension) * square;
    Moments {
        measure,
        first: DVec3::Y * (up * measure),
        second: DMat3::from_diagonal(squares.with_y(up * up * measure)),
    }
}
