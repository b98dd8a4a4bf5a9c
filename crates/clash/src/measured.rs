//! The signed distance of two parts.
//!
//! Meshes are seldom convex to the last bit, and how deep solids overlap that are not is found by a search that may leave it open. But the hulls
//! of both parts are at most as far apart, and overlap at least as deep, as the parts do. So the distance of the hulls, which is quick and exact,
//! bounds that of the parts from below: parts whose hulls touch do not overlap deeper, and only how far apart their surfaces are is left to be asked.

use std::sync::OnceLock;

use clearance_gjk::{Placed, Separation, measure};
use clearance_math::Vec3;
use clearance_shapes::{CompositeKind, Shape};

use crate::kind::Limits;
use crate::part::{Part, range};

/// The hull of a part, made when it is first asked for; `None` for unions of convex parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hull(OnceLock<Option<Shape<Vec3>>>);

impl Hull {
    fn of<'h>(&'h self, part: &'h Part) -> Option<Placed<'h, Vec3>> {
        if let Some(convex) = part.convex() {
            return Some(convex);
        }
        let Shape::Composite(composite) = part.shape() else {
            return None;
        };
        let CompositeKind::Mesh(mesh) = composite.kind() else {
            return None;
        };
        let Self(hull) = self;
        let hull = hull
            .get_or_init(|| Shape::hull(mesh.vertices()).ok())
            .as_ref()?;
        Some(Placed::new(hull, part.pose()))
    }
}

/// A part with its hull.
#[derive(Clone, Copy)]
pub(crate) struct Hulled<'p> {
    pub(crate) part: &'p Part,
    pub(crate) hull: &'p Hull,
}

/// The distance of two parts; `None` if they are proven to be farther apart than limits ask about.
pub(crate) fn separation(sides: [Hulled<'_>; 2], limits: Limits) -> Option<Separation<Vec3>> {
    let within = range(limits.clearance.max(limits.tolerance));
    let [a, b] = sides.map(|side| side.part.placed());
    let are_convex = sides.iter().all(|side| side.part.convex().is_some());
    let [hull_a, hull_b] = sides.map(|side| side.hull.of(side.part));
    let (Some(hull_a), Some(hull_b), false) = (hull_a, hull_b, are_convex) else {
        return measure(a, b, within).near();
    };
    let hulls = measure(hull_a, hull_b, within).near()?;
    if !(f64::from(hulls.lower) >= -limits.tolerance) {
        let near = measure(a, b, within).near()?;
        return Some(not_below(hulls.lower, near));
    }
    let all = |_| true;
    let near = measure(a.with_parts(&all), b.with_parts(&all), within).near()?;
    // A part that lies in the other one would have to be moved by more than the gap to its surface, and so would its hull.
    let is_outside = near.lower > -hulls.lower;
    let lower = if is_outside { near.lower } else { hulls.lower };
    Some(not_below(hulls.lower, Separation { lower, ..near }))
}

/// A distance that is proven to be at least a bound.
fn not_below(bound: f32, near: Separation<Vec3>) -> Separation<Vec3> {
    let lower = near.lower.max(bound);
    Separation {
        lower,
        distance: near.distance.max(lower).min(near.upper.max(lower)),
        ..near
    }
}
