//! The face that a shape ran into.

use clearance_math::{Pose, PreciseVector, Ray, RelativePose, Vector};

use super::ray::{RayInFrame, RayOptions};
use crate::answer::Separation;
use crate::pair::Placed;
use crate::parts::SurfacePart;

/// How far inside of the edge the face is looked for, relative to the way to the middle of the part, and how far from
/// the contact it may be found, relative to the part's size: a direction that only grazes the face meets another one.
const INSIDE: f64 = 1.0 / 256.0;
const NEAR: f64 = 1.0 / 16.0;

/// The unit normal of the face of b that a shape ran into when it came along `direction`, in the frame of the world:
/// of a contact or a cast's hit with a placed shape b.
///
/// The normal of a contact at an edge or a corner is that of the way between the two shapes, and may be anything between
/// those of the faces that meet there. This is the normal of one of these faces: of the one that looks against the
/// direction, just beside the point of b. It points away from b. A round surface has the normal that it has there. Where no
/// face nearby looks against the direction, it is the contact's normal turned round. Cost: one ray at one part.
///
/// ```
/// use clearance::dim2::{Cast, CastOptions, Motion, Placed, Pose, Shape, Vec2, cast_shapes, face_normal};
///
/// let (ball, ledge, there) = (Shape::ball(0.5)?, Shape::cuboid(Vec2::ONE)?, Pose::IDENTITY);
/// let (start, fall) = (Pose::from_translation(Vec2::new(1.3, 4.0)), Vec2::NEG_Y * 8.0);
/// let cast = Cast::new(Placed::new(&ball, &start), Motion::from_linear(fall));
/// let b = Placed::new(&ledge, &there);
/// let hit = cast_shapes(cast, Cast::new(b, Motion::rest()), CastOptions::default())?.unwrap();
/// assert!(hit.separation.normal.x < -0.5, "it meets the corner");
/// assert_eq!(face_normal(b, &hit.separation, fall), Vec2::Y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn face_normal<V: Vector>(b: Placed<V>, contact: &Separation<V>, direction: V) -> V {
    let against = looking_against(b, contact, direction);
    against.map_or(-contact.normal, V::from_precise)
}

fn looking_against<V: Vector>(
    b: Placed<V>,
    contact: &Separation<V>,
    direction: V,
) -> Option<V::Precise> {
    let part = SurfacePart::new(b, contact.part_b)?;
    let Some((convex, in_world)) = part.convex() else {
        // A half-space has one face, and the contact its normal.
        return None;
    };
    // In the frame of the part, where numbers are small.
    let point = in_world.inverse_transform_point(contact.position_b);
    let beside = point + (convex.core_center() - point) * INSIDE;
    let along = direction.to_precise().direction()?;
    let along = in_world.inverse_transform_direction(along);
    let size = part.size();
    let start = beside - along * (4.0 * size);
    let ray = Ray::new(V::from_precise(start), V::from_precise(along)).ok()?;
    let radius = convex.core_bounding_radius() + convex.radius();
    let line = RayInFrame::new(&ray, &RelativePose::from_pose(&Pose::<V>::IDENTITY), radius);
    let hit = line.hit_convex(convex, RayOptions::default())?;
    let place = start + along * hit.distance;
    let is_near = (place - point).length() <= NEAR * size;
    let normal = hit.normal.filter(|_| is_near)?;
    Some(in_world.transform_direction(normal))
}
