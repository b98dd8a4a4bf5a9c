//! Where a ray enters a body, bracketed without the engine.

use clearance_math::{DVec3, PreciseVector, Ray, Vector};

use super::axes::greatest_separation;
use super::body::Space;
use super::depth::depth;
use super::pair::Pair;
use super::solid::{Form, Polytope, Solid};
use super::truth::{Truth, of_polytopes};
use crate::common::Body;

/// A signed distance that is this small, relative to the reach, is not told from zero.
const OPEN: f64 = 2e-12;

/// How near the bounds of a depth are brought, relative to the reach.
const DEPTH_GAP: f64 = 0.02;

/// A body, and points beside it.
pub(crate) struct Beside<'a, V: Vector> {
    body: &'a Body<V>,
    solid: Solid,
}

impl<'a, V: Space> Beside<'a, V> {
    pub(crate) fn new(body: &'a Body<V>) -> Self {
        let solid = Solid::new(body);
        Self { body, solid }
    }

    pub(crate) fn reach(&self) -> f64 {
        self.solid.reach
    }

    /// The middle of the points of the core that are farthest along the axes, seen from the origin of the body.
    pub(crate) fn middle(&self) -> DVec3 {
        let axes = DVec3::AXES.into_iter().take(V::DIM);
        let sum: DVec3 = axes
            .flat_map(|axis| [axis, -axis])
            .map(|axis| self.solid.support(axis))
            .sum();
        sum / (2 * V::DIM) as f64
    }

    /// A point of the surface of the core, seen from the origin of the body.
    pub(crate) fn on_core(&self, direction: DVec3) -> DVec3 {
        self.solid.support(direction)
    }

    /// The pair of a point, seen from the origin of the body, and the body.
    fn pair(&self, point: DVec3) -> Pair {
        let corner = Polytope {
            corners: vec![DVec3::ZERO],
            edges: Vec::new(),
            triangles: Vec::new(),
            normals: Vec::new(),
        };
        let a = Solid {
            form: Form::Polytope(corner),
            radius: 0.0,
            reach: 0.0,
            ..self.solid.clone()
        };
        Pair {
            a,
            b: self.solid.clone(),
            apart: -point,
            dimension: V::DIM,
        }
    }

    /// How deep a point lies in the body, at least; negative if it may be outside.
    pub(crate) fn depth(&self, point: DVec3) -> f64 {
        let pair = self.pair(point);
        let of_core = if self.solid.polytope().is_some() {
            -greatest_separation(&pair).1
        } else {
            depth(&pair, DEPTH_GAP * self.solid.reach).low
        };
        of_core + self.solid.radius - pair.rounding()
    }

    /// Bounds of the signed distance of a point; inside of a curved core it may be less.
    fn distance(&self, point: DVec3) -> Truth {
        let pair = self.pair(point);
        let near = if self.solid.polytope().is_some() {
            of_polytopes(&pair)
        } else {
            let near = pair.nearest(1e-13 * self.solid.reach);
            Truth {
                low: near.low,
                high: near.high,
            }
        };
        Truth {
            low: near.low - self.solid.radius - pair.rounding(),
            high: near.high - self.solid.radius + pair.rounding(),
        }
    }

    /// Where a ray that starts outside enters. It is aimed at the point `inner`, seen from the origin of the body, which
    /// lies at least as deep as is said. `None` where the ray does not start outside or that is not deep enough.
    pub(crate) fn entry(&self, ray: &Ray<V>, (inner, depth): (DVec3, f64)) -> Option<Truth> {
        let origin = ray.origin().in_space() - self.body.at();
        let direction = ray.direction().to_precise().in_space().normalize();
        let at = |distance: f64| origin + direction * distance;
        let deep = (inner - origin).dot(direction);
        let depth = depth - (at(deep) - inner).length();
        let rounding = 8.0 * f64::EPSILON * (ray.origin().length() + deep);
        let open = OPEN * self.solid.reach + rounding;
        if depth < 0.01 * self.solid.reach || self.distance(at(0.0)).low <= rounding {
            return None;
        }
        // Here and there the bounds leave it open, so that each end is looked for by itself.
        let to = 1e-13 * (self.solid.reach + deep);
        let outside = bisected([0.0, deep], to, |place| {
            self.distance(at(place)).low > rounding
        })[0];
        let inside = bisected([outside, deep], to, |place| {
            self.distance(at(place)).high > open
        })[1];
        // From `open` at most the distance falls to minus `depth`: a convex function lies below the line between.
        let later = (deep - inside) * open / (open + depth);
        Some(Truth {
            low: outside - rounding,
            high: inside + later + rounding,
        })
    }
}

/// Two places, `to` apart, the first of which is `before` something, and the second is not.
fn bisected([mut low, mut high]: [f64; 2], to: f64, before: impl Fn(f64) -> bool) -> [f64; 2] {
    while high - low > to {
        let middle = 0.5 * (low + high);
        if before(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    [low, high]
}
