//! What a body keeps away from: each part of a composite, and a solid as one body.
//!
//! The facets of a solid say nothing of a body that lies within it, and too much of one that lies across several of them:
//! it leaves through one side, and not through all. So a convex solid is its hull, and the overlap of any other solid is
//! that of the whole.

use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector, compile_once};
use clearance_shapes::Shape;

use super::contacts::each_contact;
use super::effort::Completeness;
use super::inside::{Containment, Unit, each_unit, has_inside, place_within};
use super::solid::{ByHulls, beside_origin, measure_pair_of_units};
use crate::answer::Separation;
use crate::pair::Placed;

compile_once! {
    /// As [`each_contact`], where a solid counts as one body: instead of the contacts of its facets that overlap
    /// something, it hands over how deep the whole overlaps it, and which way is the shortest out. With each comes what tells
    /// it from others: the numbers of the parts, or of the first part of what counts as one.
    pub fn each_obstacle<'a, 'f, V>(
        a: Placed<'a, V>,
        b: Placed<'a, V>,
        within: Real,
        found: &'f mut (dyn FnMut([u32; 2], Separation<V>) + 'f),
    ) -> Completeness {
        if has_inside(&a) || has_inside(&b) {
            each_beside_solids([a, b], within, found)
        } else {
            each_contact(a, b, within, &mut |near| found(parts(&near), near)).completeness
        }
    }
}

fn parts<V: Vector>(near: &Separation<V>) -> [u32; 2] {
    [near.part_a, near.part_b]
}

fn each_beside_solids<V: Vector>(
    sides: [Placed<V>; 2],
    within: Real,
    found: &mut dyn FnMut([u32; 2], Separation<V>),
) -> Completeness {
    let Some(hulls) = ByHulls::new(sides) else {
        return each_beside_hollows(sides, within, found);
    };
    let [a, b] = hulls.sides;
    each_obstacle(a, b, within, &mut |numbers, near| {
        found(numbers, hulls.with_facets(near));
    })
}

/// [`each_obstacle`] for solids that are not convex.
fn each_beside_hollows<V: Vector>(
    [a, b]: [Placed<V>; 2],
    within: Real,
    found: &mut dyn FnMut([u32; 2], Separation<V>),
) -> Completeness {
    // The deepest corner of a facet below a plane is that of the solid.
    let is_plane = |side: &Placed<V>| matches!(side.shape, Shape::HalfSpace(_));
    if is_plane(&a) || is_plane(&b) {
        return each_contact(a, b, within, &mut |near| found(parts(&near), near)).completeness;
    }
    let is_crossing = |near: &Separation<V>| near.distance <= 0.0 && is_of_solid([&a, &b], near);
    let mut crosses = false;
    let of_all = each_contact(a, b, within, &mut |near| {
        if is_crossing(&near) {
            crosses = true;
        } else {
            found(parts(&near), near);
        }
    });
    let mut overlaps = false;
    if crosses || place_within(&a, &b) != Containment::Outside {
        each_overlap([a, b], &mut |units, near| {
            overlaps = true;
            let first = |unit: Unit<V>| unit.solid.map_or(0, |solid| solid.first_part);
            found(units.map_each(first), near);
        });
    }
    if crosses && !overlaps {
        // They touch.
        each_contact(a, b, within, &mut |near| {
            if is_crossing(&near) {
                found(parts(&near), near);
            }
        });
    }
    of_all.completeness
}

/// Whether one of two parts belongs to a solid.
pub(crate) fn is_of_solid<V: Vector>(sides: [&Placed<V>; 2], near: &Separation<V>) -> bool {
    let [of_a, of_b] = [(sides[0], near.part_a), (sides[1], near.part_b)];
    [of_a, of_b].iter().any(|(side, part)| match side.shape {
        Shape::Composite(composite) => has_inside(side) && composite.solid_of(*part).is_some(),
        _ => false,
    })
}

/// Hands over all pairs of a solid and something else that overlap, beside the origin, and how deep, in the world.
pub(crate) fn each_overlap<V: Vector>(
    sides: [Placed<V>; 2],
    found: &mut impl FnMut([Unit<V>; 2], Separation<V>),
) {
    beside_origin(sides, |[a, b], origin| {
        each_unit(&a, &mut |of_a| {
            each_unit(&b, &mut |of_b| {
                let is_any_solid = of_a.solid.is_some() || of_b.solid.is_some();
                let near = is_any_solid.then(|| overlap([of_a, of_b]));
                if let Some(near) = near.flatten() {
                    found([of_a, of_b], near.moved_by(origin));
                }
            });
        });
    });
}

/// How deep two units overlap, beside the origin; `None` if they do not.
pub(crate) fn overlap<V: Vector>([a, b]: [Unit<V>; 2]) -> Option<Separation<V>> {
    measure_pair_of_units(a, b).filter(|near| near.distance < 0.0)
}
