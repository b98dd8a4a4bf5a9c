//! Contacts of solids lead out of them.

use clearance_math::{
    Pose, PreciseVector, Real, RelativePose, Vector, round_down, round_up, tolerances,
};
use clearance_shapes::Shape;

use super::inside::place_of;
use super::surface_part::SurfacePart;
use crate::answer::{Separation, Status};
use crate::pair::Placed;

/// The separation of two parts, which are best beside the origin, out of the solids that they belong to, if that of the surfaces leads into one: along the
/// outer normal of a facet, which the other part has to leave by its whole length.
pub(crate) fn outward<V: Vector>(
    sides: [&Placed<V>; 2],
    near: &Separation<V>,
) -> Option<Separation<V>> {
    let along = near.normal.to_precise();
    let of_a = front_of_solid(sides[0], near.part_a, [near.position_a, along]);
    let of_b = || front_of_solid(sides[1], near.part_b, [near.position_b, -along]);
    let normal = of_a.or_else(|| of_b().map(|front| -front))?;
    let part_a = SurfacePart::new(*sides[0], near.part_a)?;
    let part_b = SurfacePart::new(*sides[1], near.part_b)?;
    let distance = part_a.distance_along(&part_b, normal);
    let point_b = part_b.farthest(-normal)?;
    let rounding = tolerances::DIFFERENCE_ROUNDING
        * (point_b.length() + near.position_a.length() + distance.abs());
    Some(Separation {
        distance: distance as Real,
        lower: round_down(distance - rounding),
        upper: round_up(distance + rounding),
        normal: V::from_precise(normal),
        position_a: point_b - normal * distance,
        position_b: point_b,
        status: Status::Exact,
        ..*near
    })
}

/// The outer normal of a facet of a solid, in the world, if a direction leads from a point of it into the solid.
fn front_of_solid<V: Vector>(
    side: &Placed<V>,
    number: u32,
    [point, direction]: [V::Precise; 2],
) -> Option<V::Precise> {
    let Shape::Composite(composite) = side.shape else {
        return None;
    };
    if !composite.has_inside() {
        return None;
    }
    let solid = composite.solid_of(number)?;
    // Beside the body, where numbers are small.
    let point = point - side.pose.position();
    let body = RelativePose {
        translation: V::Precise::ZERO,
        ..RelativePose::from_pose(side.pose)
    };
    let front = body.transform_direction(solid.front(number)?);
    let cosine = front.dot(direction);
    if cosine >= -tolerances::OUTER_SIDE_COSINE {
        return None;
    }
    // At an edge or a corner the direction may lead past the solid. A point that is not quite on the facet is put there.
    let on_plane = body.transform_point(place_of(composite, number)?);
    let foot = point - front * (point - on_plane).dot(front);
    let bounds = composite.part(number)?.shape.bounds(&Pose::IDENTITY);
    let size = (bounds.max - bounds.min).to_precise().length();
    let probe = foot + direction * (tolerances::OUTER_SIDE_PROBE * size);
    let local = body.inverse_transform_point(probe);
    solid.contains(local).then_some(front)
}
