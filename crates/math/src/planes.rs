//! The point nearest to a wanted one that planes allow.
//!
//! All planes are taken together: one plane, the line of two, or the corner of three decides, so all of these are tried.

use crate::internal::MapEach;
use crate::{PreciseVector, tolerances};

/// A limit for points: those whose length along the normal is at least the bound are allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plane<P> {
    /// A unit vector.
    pub normal: P,
    /// The least allowed length along the normal.
    pub bound: f64,
    /// Points beyond the plane by no more than this share of their length are allowed, too.
    pub leeway: f64,
}

impl<P: PreciseVector> Plane<P> {
    /// A plane without leeway.
    #[must_use]
    pub fn new(normal: P, bound: f64) -> Self {
        Self {
            normal,
            bound,
            leeway: 0.0,
        }
    }
}

/// The best point so far.
struct Best<'a, P> {
    planes: &'a [Plane<P>],
    wanted: P,
    slack: f64,
    point: Option<P>,
    squared: f64,
}

impl<P: PreciseVector> Best<'_, P> {
    /// Tries the point nearest to the wanted one that lies on some planes, given by their weights.
    fn consider(&mut self, on: &[(Plane<P>, f64)]) {
        let detour = on
            .iter()
            .fold(P::ZERO, |sum, (plane, weight)| sum + plane.normal * *weight);
        let (point, squared) = (self.wanted + detour, detour.length_squared());
        let length = point.length();
        let is_allowed = |plane: &Plane<P>| {
            plane.normal.dot(point) >= plane.bound - self.slack - plane.leeway * length
        };
        if squared < self.squared && self.planes.iter().all(is_allowed) {
            (self.point, self.squared) = (Some(point), squared);
        }
    }
}

/// The point nearest to `wanted` that all planes allow, up to [`tolerances::SLIDE_PLANE_SLACK`]. `None` if they allow none.
///
/// Cost: O(n^2) for n planes in the plane, O(n^3) in space, each with n steps.
#[must_use]
pub fn nearest_allowed<P: PreciseVector>(planes: &[Plane<P>], wanted: P) -> Option<P> {
    let lengths = planes
        .iter()
        .fold(wanted.length(), |most, plane| most.max(plane.bound.abs()));
    let mut best = Best {
        planes,
        wanted,
        slack: tolerances::SLIDE_PLANE_SLACK * lengths,
        point: None,
        squared: f64::INFINITY,
    };
    best.consider(&[]);
    if best.point.is_some() {
        return best.point;
    }
    let missing = |plane: &Plane<P>| plane.bound - plane.normal.dot(wanted);
    for (i, a) in planes.iter().enumerate() {
        best.consider(&[(*a, missing(a))]);
        for (j, b) in planes[..i].iter().enumerate() {
            if let Some([x, y]) = weights_of_two([a, b], [missing(a), missing(b)]) {
                best.consider(&[(*a, x), (*b, y)]);
            }
            if const { P::DIM == 3 } {
                for c in &planes[..j] {
                    let missing = [missing(a), missing(b), missing(c)];
                    if let Some([x, y, z]) = weights_of_three([a, b, c], missing) {
                        best.consider(&[(*a, x), (*b, y), (*c, z)]);
                    }
                }
            }
        }
    }
    best.point
}

fn weights_of_two<P: PreciseVector>([a, b]: [&Plane<P>; 2], [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let cos = a.normal.dot(b.normal);
    let determinant = 1.0 - cos * cos;
    let weights = [x - cos * y, y - cos * x].map_each(|weight| weight / determinant);
    (determinant > tolerances::SLIDE_PARALLEL).then_some(weights)
}

/// Cramer's rule for the matrix of the scalar products.
fn weights_of_three<P: PreciseVector>(
    [a, b, c]: [&Plane<P>; 3],
    [x, y, z]: [f64; 3],
) -> Option<[f64; 3]> {
    let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map_each(|(a, b)| a.normal.dot(b.normal));
    let determinant = 1.0 + 2.0 * ab * bc * ca - ab * ab - bc * bc - ca * ca;
    let weights = [
        x * (1.0 - bc * bc) + y * (ca * bc - ab) + z * (ab * bc - ca),
        x * (ca * bc - ab) + y * (1.0 - ca * ca) + z * (ab * ca - bc),
        x * (ab * bc - ca) + y * (ab * ca - bc) + z * (1.0 - ab * ab),
    ];
    (determinant > tolerances::SLIDE_PARALLEL)
        .then_some(weights.map_each(|weight| weight / determinant))
}
