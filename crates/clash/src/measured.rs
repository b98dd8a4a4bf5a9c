//! The signed distance of two parts.
//!
//! Meshes are seldom convex to the last bit, and how deep solids overlap that are not is found by a search that may leave it open. But the hulls
//! of both parts are at most as far apart, and overlap at least as deep, as the parts do. So the distance of the hulls, which is quick and exact,
//! bounds that of the parts from below: parts whose hulls touch do not overlap deeper, and only how far apart their surfaces are is left to be asked.
//!
//! Vertices may have been rounded, by the file or when they were stored. Gaps and depths of convex parts change by no more than these are moved.
//! But a solid that fits into a notch of another one slides out or is held by less than any rounding. So where solids are not convex, only their
//! hulls bound how deep they overlap by the shortest way out, and what kind of clash it is, their [firm depth](crate::firm) decides.

use std::sync::OnceLock;

use clearance_gjk::{Placed, Separation, measure};
use clearance_math::{Real, Vec3, round_down, round_up};
use clearance_shapes::Shape;

use crate::firm::{firm_depth, most_firm_depth};
use crate::kind::{Limits, Range};
use crate::nesting::mesh_of;
use crate::part::{Form, Part, range};

/// The hull of a part, made when it is first asked for; `None` for unions of convex parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hull(OnceLock<Option<Shape<Vec3>>>);

impl Hull {
    pub(crate) fn of<'h>(&'h self, part: &'h Part) -> Option<Placed<'h, Vec3>> {
        if let Some(convex) = part.convex() {
            return Some(convex);
        }
        let mesh = mesh_of(part)?;
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

impl Hulled<'_> {
    /// Whether it may hold others that fit into it.
    fn has_notches(&self) -> bool {
        *self.part.form() == Form::Solid && self.part.convex().is_none()
    }
}

/// The distance of two parts, with bounds for their vertices as they were given.
pub(crate) struct Measured {
    pub(crate) near: Separation<Vec3>,
    /// The same where depths are firm: this decides about the kind.
    pub(crate) firm: Range,
}

/// What is measured of two parts; `None` if they are proven to be farther apart than limits ask about.
pub(crate) fn separation(sides: [Hulled<'_>; 2], limits: Limits) -> Option<Measured> {
    let rounding = sides[0].part.rounding() + sides[1].part.rounding();
    let within = limits.clearance.max(limits.tolerance) + rounding;
    let (near, of_hulls) = rounded_separation(sides, limits, range(within))?;
    let [distance, gap, upper] = [near.distance, near.lower, near.upper].map(f64::from);
    let has_notches = sides.iter().any(Hulled::has_notches);
    let are_solids = sides.iter().all(|side| *side.part.form() == Form::Solid);
    let is_held = has_notches && rounding > 0.0 && gap <= rounding;
    let lower = if is_held { of_hulls.into() } else { gap };
    let mut firm = Range {
        distance,
        lower: gap,
        upper,
    };
    if has_notches && are_solids && distance < -limits.tolerance {
        let enough = limits.tolerance + rounding;
        firm.upper = -firm_depth(sides.map(|side| side.part), enough);
        if firm.upper >= -enough {
            firm.distance = firm.upper;
        }
    }
    let allowed = limits.tolerance - rounding;
    let is_open = firm.lower < -allowed && firm.distance >= -limits.tolerance;
    if has_notches && are_solids && is_open && allowed > 0.0 {
        let most = most_firm_depth(sides.map(|side| side.part), allowed);
        firm.lower = most.map_or(firm.lower, |most| firm.lower.max(-most));
    }
    // A depth that is firm enough keeps its bound, unless rounding may be what holds it.
    let is_kept = firm.distance == distance && rounding == 0.0;
    let upper = if is_kept { upper } else { firm.upper };
    Some(Measured {
        near: Separation {
            distance: firm.distance as Real,
            lower: round_down(lower - rounding),
            upper: round_up(upper + rounding),
            ..near
        },
        firm: Range {
            lower: firm.lower - rounding,
            upper: firm.upper + rounding,
            ..firm
        },
    })
}

/// The distance of two parts as they are stored, and a lower bound of that of their hulls.
fn rounded_separation(
    sides: [Hulled<'_>; 2],
    limits: Limits,
    within: Real,
) -> Option<(Separation<Vec3>, Real)> {
    let [a, b] = sides.map(|side| side.part.placed());
    let are_convex = sides.iter().all(|side| side.part.convex().is_some());
    let [hull_a, hull_b] = sides.map(|side| side.hull.of(side.part));
    let (Some(hull_a), Some(hull_b), false) = (hull_a, hull_b, are_convex) else {
        return Some((measure(a, b, within).near()?, Real::NEG_INFINITY));
    };
    let hulls = measure(hull_a, hull_b, within).near()?;
    if !(f64::from(hulls.lower) >= -limits.tolerance) {
        let near = measure(a, b, within).near()?;
        return Some((not_below(hulls.lower, near), hulls.lower));
    }
    let all = |_| true;
    let near = measure(a.with_parts(&all), b.with_parts(&all), within).near()?;
    // A part that lies in the other one would have to be moved by more than the gap to its surface, and so would its hull.
    let is_outside = near.lower > -hulls.lower;
    let lower = if is_outside { near.lower } else { hulls.lower };
    let near = not_below(hulls.lower, Separation { lower, ..near });
    Some((near, hulls.lower))
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
