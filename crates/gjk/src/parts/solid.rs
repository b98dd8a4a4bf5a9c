//! Distances of composites with an inside: `inside.rs` has what lies within them, `depth` how deep they overlap.
//!
//! A question is first asked about the surfaces, as of any composite. Where these are apart, one may lie inside the other:
//! then a place of each connected piece decides, since a piece that crosses no surface is on one side of it as a whole.
//! Where nothing is inside, the answer for the surfaces is the answer.

use clearance_math::internal::MapEach;
use clearance_math::{Pose, Real, Vector};
use clearance_shapes::{Core, Shape};

use super::any_pair;
use super::depth::{OverlappingUnits, open};
use super::inside::{
    Containment, Unit, bounds_of, each_unit, has_inside, is_one_unit, place_of_units, place_within,
};
use super::least;
use crate::answer::{Proximity, Separation, Status};
use crate::pair::{DEFAULT_EFFORT, Exchange, Placed, canonical};

/// How many pairs of units are measured.
const MOST_PAIRS_OF_UNITS: usize = 64;

/// At how many places ways out are looked at, for all of them together.
const MOST_STEPS_OF_ALL: usize = 96;

/// Measures a pair in which at least one shape is a composite.
pub(crate) fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    if has_inside(&a) || has_inside(&b) {
        measure_solids(a, b, within)
    } else {
        least::measure(a, b, within)
    }
}

#[inline(never)]
fn measure_solids<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    if [a, b]
        .iter()
        .any(|side| matches!(side.shape, Shape::HalfSpace(_)))
    {
        // The deepest corner of the surface is that of the solid.
        return least::measure(a, b, within);
    }
    let exchange = Exchange::by(canonical::compare(&a, &b));
    exchange.answer(measure_ordered(exchange.sides([a, b]), within))
}

/// The hull of a convex solid in its place, or a compound with the hulls of those in it.
fn hull_of<V: Vector>(side: Placed<'_, V>) -> Option<Placed<'_, V>> {
    let Shape::Composite(composite) = side.shape else {
        return None;
    };
    let shape = composite.by_hulls().filter(|_| has_inside(&side))?;
    Some(Placed { shape, ..side })
}

/// The part of a surface that is nearest to a point on it. Little effort limits the search for a distance, not the naming of
/// the part.
fn part_at<V: Vector>(side: &Placed<V>, point: V::Precise) -> Option<u32> {
    let dot = Shape::segment(V::ZERO, V::ZERO).ok()?;
    let pose = Pose::from_translation(point);
    let side = side.with_effort(side.effort.max(DEFAULT_EFFORT));
    let near = least::measure(Placed::new(&dot, &pose), side, Real::INFINITY).near()?;
    Some(near.part_b)
}

/// Asks about two shapes beside the origin, where a place has as many digits as the difference of their poses, however far
/// out they are: what lies inside of a solid is decided by places. `ask` also gets the offset that leads back.
pub(crate) fn beside_origin<V: Vector, T>(
    sides: [Placed<V>; 2],
    ask: impl FnOnce([Placed<V>; 2], V::Precise) -> T,
) -> T {
    let [at_a, at_b] = sides.map_each(|side| side.pose.position());
    // The same one if they are exchanged.
    let origin = if canonical::compare_precise(at_a, at_b).is_gt() {
        at_b
    } else {
        at_a
    };
    let [pose_a, pose_b] = sides.map_each(|side| side.pose.moved_by(-origin));
    let [a, b] = sides;
    ask(
        [Placed { pose: &pose_a, ..a }, Placed { pose: &pose_b, ..b }],
        origin,
    )
}

/// Measures two shapes in canonical order.
fn measure_ordered<V: Vector>(sides: [Placed<V>; 2], within: Real) -> Proximity<V> {
    beside_origin(sides, |[a, b], origin| {
        let answer = match ByHulls::new([a, b]) {
            None => measure_in_order(a, b, within),
            Some(hulls) => {
                let [hull_a, hull_b] = hulls.sides;
                match any_pair::measure(hull_a, hull_b, within) {
                    Proximity::Near(near) => Proximity::Near(hulls.with_facets(near)),
                    other => other,
                }
            }
        };
        answer.moved_by(origin)
    })
}

/// Two shapes of which at least one has convex solids, with the hulls of these.
pub(crate) struct ByHulls<'a, V: Vector> {
    pub(crate) sides: [Placed<'a, V>; 2],
    /// The shapes that the hulls stand for; `None` for another shape.
    solids: [Option<Placed<'a, V>>; 2],
}

impl<'a, V: Vector> ByHulls<'a, V> {
    /// `None` if there are no convex solids.
    pub(crate) fn new(sides: [Placed<'a, V>; 2]) -> Option<Self> {
        let hulls = sides.map_each(hull_of);
        hulls.iter().any(Option::is_some).then(|| Self {
            sides: [0, 1].map_each(|side| hulls[side].unwrap_or(sides[side])),
            solids: [0, 1].map_each(|side| hulls[side].map(|_| sides[side])),
        })
    }

    /// The answer for the hulls, with the numbers of the facets.
    pub(crate) fn with_facets(&self, near: Separation<V>) -> Separation<V> {
        let facet = |side: usize, part, point| {
            self.solids[side].map_or(part, |solid| facet_at(&solid, part, point))
        };
        Separation {
            part_a: facet(0, near.part_a, near.position_a),
            part_b: facet(1, near.part_b, near.position_b),
            ..near
        }
    }
}

/// The number of the part for which one of the hulls stands, by a point of it.
fn facet_at<V: Vector>(side: &Placed<V>, of_hull: u32, point: V::Precise) -> u32 {
    let parts = match side.shape {
        Shape::Composite(composite) => composite.parts_by_hulls(of_hull),
        _ => None,
    };
    let parts = parts.unwrap_or(0..1);
    let is_own = |part: u32| parts.contains(&part);
    // A filter takes time, and a solid alone needs none.
    let is_alone = matches!(side.shape, Shape::Composite(solid) if solid.is_solid());
    let own = if is_alone {
        *side
    } else {
        side.with_parts(&is_own)
    };
    let found = (parts.len() > 1).then(|| part_at(&own, point));
    found.flatten().unwrap_or(parts.start)
}

fn measure_in_order<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    let surfaces = least::measure(a, b, within.max(0.0));
    let is_crossing = matches!(surfaces, Proximity::Near(near) if near.distance <= 0.0);
    if !is_crossing {
        match place_within(&a, &b) {
            Containment::Outside => return surfaces,
            Containment::Inside => {}
            Containment::Open => {
                let near = least::measure(a, b, Real::INFINITY).near();
                return near.map_or(surfaces, |near| Proximity::Near(open(near)));
            }
        }
    }
    let is_of_units = is_one_unit(&a) && is_one_unit(&b);
    // A search that ended early might have ended elsewhere for another range.
    let is_known = |near: &Separation<V>| is_of_units && near.status != Status::IterationLimit;
    let crossing = surfaces.near().filter(|near| is_crossing && is_known(near));
    match measure_all_units([a, b], crossing) {
        Some(near) if near.lower > within => Proximity::Farther { lower: near.lower },
        Some(near) => Proximity::Near(near),
        None => surfaces,
    }
}

/// The deepest of all pairs of units, with bounds of all together. `crossing` is that of the surfaces if it is known and each
/// side is one unit, else none.
fn measure_all_units<V: Vector>(
    [a, b]: [Placed<V>; 2],
    crossing: Option<Separation<V>>,
) -> Option<Separation<V>> {
    let mut budget = Budget {
        pairs: MOST_PAIRS_OF_UNITS,
        steps: MOST_STEPS_OF_ALL,
    };
    let mut all: Option<Separation<V>> = None;
    each_unit(&a, &mut |unit_a| {
        each_unit(&b, &mut |unit_b| {
            let Some(near) = measure_units([unit_a, unit_b], crossing, &mut budget) else {
                return;
            };
            all = Some(all.map_or(near, |other| together(near, other)));
        });
    });
    match all {
        Some(near) if budget.pairs == 0 => Some(open(near)),
        all => all,
    }
}

/// The deeper one of two, with bounds of both together.
fn together<V: Vector>(one: Separation<V>, other: Separation<V>) -> Separation<V> {
    let deeper = if one.distance < other.distance {
        one
    } else {
        other
    };
    let lower = one.lower.min(other.lower);
    Separation {
        lower,
        upper: one.upper.min(other.upper),
        status: if lower < deeper.lower {
            Status::IterationLimit
        } else {
            deeper.status
        },
        ..deeper
    }
}

/// What is left of what a question about shapes that overlap may take.
struct Budget {
    /// How many pairs of units may be measured.
    pairs: usize,
    /// At how many places ways out may be looked at.
    steps: usize,
}

/// How near two units are, beside the origin; `None` if their boxes are apart.
pub(crate) fn measure_pair_of_units<V: Vector>(a: Unit<V>, b: Unit<V>) -> Option<Separation<V>> {
    let mut budget = Budget {
        pairs: 1,
        steps: MOST_STEPS_OF_ALL,
    };
    measure_units([a, b], None, &mut budget)
}

/// `None` if the boxes of the units are apart: then others overlap. Or if no more pairs are to be measured.
fn measure_units<V: Vector>(
    [a, b]: [Unit<V>; 2],
    crossing: Option<Separation<V>>,
    budget: &mut Budget,
) -> Option<Separation<V>> {
    if !bounds_of(&a).overlaps(&bounds_of(&b)) || budget.pairs == 0 {
        return None;
    }
    budget.pairs -= 1;
    let measured = || least::measure(a.placed, b.placed, Real::INFINITY);
    let near = match crossing.map_or_else(measured, Proximity::Near) {
        Proximity::Undecided { .. } => {
            // Nothing is known of these, so there is no bound of all.
            budget.pairs = 0;
            return None;
        }
        answer => answer.near()?,
    };
    if [&a, &b].iter().all(|unit| unit.solid.is_none()) {
        return Some(near);
    }
    let is_inside = match place_of_units(&a, &b) {
        Containment::Open if near.distance > 0.0 => return Some(open(near)),
        Containment::Outside if near.distance > 0.0 => return Some(near),
        place => place == Containment::Inside,
    };
    if let Some(near) = of_point([&a, &b], near, is_inside) {
        return Some(near);
    }
    Some(
        OverlappingUnits {
            a: a.with_less_effort(),
            b: b.with_less_effort(),
            near,
            is_inside,
        }
        .measure(&mut budget.steps),
    )
}

/// The separation of a point from a solid by the nearest place of its surface; `None` where neither is a point, and inside of
/// solids where that place is no surface: what is inside on both sides.
fn of_point<V: Vector>(
    [a, b]: [&Unit<V>; 2],
    near: Separation<V>,
    is_inside: bool,
) -> Option<Separation<V>> {
    let is_point = |unit: &Unit<V>| {
        matches!(unit.placed.shape, Shape::Convex(convex)
        if convex.radius() == 0.0 && matches!(convex.core(), Core::Point(_)))
    };
    let (solid, number, place) = match [a, b].map_each(is_point) {
        [false, false] => return None,
        [true, _] => (b, near.part_b, near.position_b),
        [_, true] => (a, near.part_a, near.position_a),
    };
    if !is_inside {
        return Some(near);
    }
    if solid.is_around(number, place) {
        return None;
    }
    Some(Separation {
        distance: 0.0 - near.distance,
        lower: -near.upper,
        upper: -near.lower,
        normal: -near.normal,
        ..near
    })
}
