//! What lies inside of closed surfaces, and the units in which composites with such members are measured.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Pose, PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::{Composite, Shape, Solid};

use super::effort::{Effort, OF_ITERATION};
use crate::pair::Placed;

/// Whether a question is about the inside of a shape or of one of its members. One about some parts of a surface is not.
#[inline]
pub(crate) fn has_inside<V: Vector>(placed: &Placed<V>) -> bool {
    placed.shape.has_solid() && placed.parts.is_none()
}

/// A shape that is measured as a whole: one solid, all of a shape but its solids, or a shape without members.
#[derive(Clone, Copy)]
pub(crate) struct Unit<'a, V: Vector> {
    pub(crate) placed: Placed<'a, V>,
    pub(crate) solid: Option<Solid<'a, V>>,
}

impl<'a, V: Vector> Unit<'a, V> {
    /// The same at another pose.
    pub(crate) fn at<'p>(self, pose: &'p Pose<V>) -> Unit<'p, V>
    where
        'a: 'p,
    {
        Unit {
            placed: self.placed.at(pose),
            ..self
        }
    }

    /// Whether the inside of the solid is on the outer side, too, of a facet near a place of the world on it.
    pub(super) fn is_around(&self, number: u32, place: V::Precise) -> bool {
        let Shape::Composite(composite) = self.placed.shape else {
            return false;
        };
        let middle = place_of(composite, number);
        let Some(((solid, front), middle)) = self
            .solid
            .and_then(|solid| Some((solid, solid.front(number)?)))
            .zip(middle)
        else {
            return false;
        };
        let place = RelativePose::from_pose(self.placed.pose).inverse_transform_point(place);
        // At a corner or an edge the outer side may be narrow.
        let beside = place + (middle - place) * tolerances::BESIDE_EDGE;
        let on_plane = beside - front * (beside - middle).dot(front);
        let off = tolerances::CELL_CLEARANCE * composite.bounding_radius();
        solid.contains(on_plane + front * off)
    }
}

/// Whether a side is one unit: anything but a compound that has solids among its members.
pub(super) fn is_one_unit<V: Vector>(side: &Placed<V>) -> bool {
    compound_of_units(side).is_none()
}

fn compound_of_units<'a, V: Vector>(side: &Placed<'a, V>) -> Option<&'a Composite<V>> {
    match side.shape {
        Shape::Composite(composite) if has_inside(side) && !composite.is_solid() => Some(composite),
        _ => None,
    }
}

pub(crate) fn each_unit<V: Vector>(side: &Placed<V>, found: &mut dyn FnMut(Unit<V>)) {
    let placed = *side;
    let Some(compound) = compound_of_units(side) else {
        let solid = match side.shape {
            Shape::Composite(composite) if has_inside(side) => composite.solids().next(),
            _ => None,
        };
        return found(Unit { placed, solid });
    };
    for solid in compound.solids() {
        let own = |number: u32| solid.has_part(number);
        found(Unit {
            placed: side.with_parts(&own),
            solid: Some(solid),
        });
    }
    let solid_parts: u32 = compound
        .solids()
        .map(|solid| solid.composite.part_count())
        .sum();
    if solid_parts < compound.part_count() {
        let rest = |number: u32| compound.solid_of(number).is_none();
        found(Unit {
            placed: side.with_parts(&rest),
            solid: None,
        });
    }
}

/// The box of a unit: of a member of a compound that around a ball.
pub(super) fn bounds_of<V: Vector>(unit: &Unit<V>) -> Aabb<V> {
    let member = unit.solid.and_then(|solid| Some((solid, solid.pose?)));
    let Some((solid, pose)) = member else {
        return unit.placed.shape.bounds(unit.placed.pose);
    };
    let center = RelativePose::from_pose(unit.placed.pose).transform_point(pose.translation);
    let size = (0..V::DIM).fold(0.0, |most: f64, k| most.max(center.component(k).abs()));
    let reach = solid.composite.bounding_radius() + 4.0 * f64::from(Real::EPSILON) * size;
    let reach = V::Precise::splat(reach * (1.0 + 4.0 * f64::from(Real::EPSILON)));
    Aabb::new(
        V::from_precise(center - reach),
        V::from_precise(center + reach),
    )
}

/// Where the pieces of shapes lie that cross no surface of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    /// None is inside of the other shape.
    Outside,
    /// At least one is.
    Inside,
    /// The effort of the question was used up before that was known.
    Open,
}

/// Where pieces of one unit lie that do not cross the surface of the other.
pub(super) fn place_of_units<V: Vector>(a: &Unit<V>, b: &Unit<V>) -> Containment {
    either([(a, b), (b, a)], |(inner, outer)| {
        let mut solid = outer.solid.into_iter();
        place_of_pieces(&inner.placed, &outer.placed, &mut solid)
    })
}

/// Where pieces of one of two shapes lie that do not cross the surface of the other.
pub(super) fn place_within<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Containment {
    either([(a, b), (b, a)], |(inner, outer)| match outer.shape {
        Shape::Composite(composite) if has_inside(outer) => {
            place_of_pieces(inner, outer, &mut composite.solids())
        }
        _ => Containment::Outside,
    })
}

/// The place of two, where one that is inside is enough.
fn either<T>(orders: [T; 2], place: impl Fn(T) -> Containment) -> Containment {
    let [one, other] = orders;
    match place(one) {
        Containment::Inside => Containment::Inside,
        first => match place(other) {
            Containment::Outside => first,
            second => second,
        },
    }
}

fn place_of_pieces<'s, V: Vector>(
    inner: &Placed<V>,
    outer: &Placed<V>,
    solids: &mut dyn Iterator<Item = Solid<'s, V>>,
) -> Containment {
    let bounds = [inner, outer].map_each(|side| side.shape.bounds(side.pose));
    if !bounds[0].overlaps(&bounds[1]) {
        return Containment::Outside;
    }
    let inner_in_outer = RelativePose::between(outer.pose, inner.pose);
    let mut effort = Effort::of(inner, outer);
    for solid in solids {
        let mut is_inside = |place: V::Precise| {
            let place = inner_in_outer.transform_point(place);
            let is_near = solid.is_in_box(place);
            effort.take(if is_near { OF_ITERATION } else { 1 });
            // The last one that the effort allows is looked at.
            is_near && solid.contains(place) || effort.is_used_up()
        };
        let is_any_inside = match inner.shape {
            Shape::HalfSpace(_) => false,
            Shape::Convex(convex) => is_inside(convex.core_center()),
            Shape::Composite(composite) => composite
                .pieces()
                .filter(|&number| inner.has_part(number))
                .any(|number| place_of(composite, number).is_some_and(&mut is_inside)),
        };
        if is_any_inside {
            return if effort.is_used_up() {
                Containment::Open
            } else {
                Containment::Inside
            };
        }
    }
    Containment::Outside
}

/// A place of a part, in the frame of its composite.
pub(super) fn place_of<V: Vector>(composite: &Composite<V>, number: u32) -> Option<V::Precise> {
    let part = composite.part(number)?;
    let Shape::Convex(convex) = &*part.shape else {
        return None;
    };
    let center = convex.core_center();
    Some(
        part.pose
            .map_or(center, |pose| pose.transform_point(center)),
    )
}
