//! The contact manifolds of parts.

use clearance_math::{Real, Vector, compile_once};

use super::contacts::each_manifold;
use super::effort::Completeness;
use super::inside::has_inside;
use super::nearest_first::PartPair;
use super::part_pair::{self, PlacedPart, composite_of, part_of};
use super::sides::Sides;
use super::solid::beside_origin;
use super::sort::sort_large;
use crate::convex::PartQuestion;
use crate::manifold::{Manifold, manifold_of};
use crate::pair::{Placed, QueryError, Question, check};

/// Finds the contact manifolds of all pairs of parts of two placed shapes that are within `within` of each other,
/// and puts them into `manifolds`, sorted by the numbers of the parts.
///
/// There is one for each entry of [`contacts_into`](crate::contacts_into): its `separation` is that entry, and its points are
/// those of [`contact_manifold`](crate::contact_manifold) for the two parts, or where the entry was turned out of a solid, those
/// along its normal, in the plane of its facet, perhaps beyond its edges. A crate on a mesh has one for each triangle under
/// it. What was in `manifolds` before is removed; its memory is used again.
///
/// # Errors
/// [`QueryError`] if a pose is not finite, if a rotation is not of unit length, or if `within` is NaN.
///
/// ```
/// use clearance::dim2::{Placed, Pose, Shape, Vec2, contact_manifolds_into};
///
/// let steps = Shape::polyline([0.0, 2.0, 4.0].map(|x| Vec2::new(x, 0.0)))?;
/// let (crate_, pose) = (Shape::cuboid(Vec2::ONE)?, Pose::from_translation(Vec2::new(1.5, 1.0)));
/// let (steps, crate_) = (Placed::new(&steps, &Pose::IDENTITY), Placed::new(&crate_, &pose));
/// let mut found = Vec::new();
/// contact_manifolds_into(steps, crate_, 0.0, &mut found)?;
/// let ends: Vec<Vec<f32>> =
///     found.iter().map(|part| part.points().iter().map(|point| point.point_a().x).collect()).collect();
/// assert_eq!(ends, [[2.0, 0.5], [2.0, 2.5]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contact_manifolds_into<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
    manifolds: &mut Vec<Manifold<V>>,
) -> Result<Completeness, QueryError> {
    check(&a, &b, within)?;
    manifolds.clear();
    let of_all = each_manifold(a, b, within, &mut |manifold| {
        manifolds.push(manifold.clone())
    });
    sort_large(manifolds, |part| {
        (part.separation.part_a, part.separation.part_b)
    });
    Ok(of_all.completeness)
}

compile_once! {
    /// The contact manifold of two parts of placed shapes, if they are within `within` of each other. A shape that is
    /// no composite is its own part 0. The poses are not checked: the manifolds of a world's contacts need it.
    pub fn part_manifold<'a, V>(asked: PartQuestion<'a, V>) -> Option<Manifold<V>> {
        let Question { a, b, .. } = asked.question;
        let [of_a, of_b] = asked.parts;
        let has_part = |side: Placed<V>, number: u32| {
            composite_of(side.shape).is_none_or(|composite| number < composite.part_count())
        };
        if !has_part(a, of_a) || !has_part(b, of_b) {
            return None;
        }
        if has_inside(&a) || has_inside(&b) {
            return beside_origin([a, b], |[a, b], origin| {
                let question = Question { a, b, ..asked.question };
                let mut manifold = manifold_of_parts(&PartQuestion { question, ..asked })?;
                manifold.move_by(origin);
                Some(manifold)
            });
        }
        manifold_of_parts(&asked)
    }
}

fn manifold_of_parts<V: Vector>(asked: &PartQuestion<V>) -> Option<Manifold<V>> {
    let Question { a, b, within } = asked.question;
    let Some((sides, exchange)) = Sides::in_order(a, b) else {
        return manifold_of(&asked.hinted());
    };
    let [a, b] = exchange.sides(asked.parts);
    exchange.answer(sides.manifold_within(PartPair { a, b }, within))
}

compile_once! {
    /// The manifold of two parts of placed shapes along a normal from a to b that somebody else chose, in the frame of
    /// the world. Its separation is the distance along that normal, at the deepest of the points; bounds are those of
    /// that distance. `None` if a body has no such part, or reaches without end along the normal.
    pub fn part_manifold_along<'a, V>(
        asked: PartQuestion<'a, V>,
        normal: V,
    ) -> Option<Manifold<V>> {
        let Question { a, b, within } = asked.question;
        let [of_a, of_b] = asked.parts;
        let [part_a, part_b] =
            [(a, of_a), (b, of_b)].map(|(side, number)| part_of(side.shape, number));
        let side_a = PlacedPart::of(a, part_a.as_ref())?;
        let side_b = PlacedPart::of(b, part_b.as_ref())?;
        let mut manifold = part_pair::manifold_along(side_a, side_b, normal, within)?;
        let separation = &mut manifold.separation;
        (separation.part_a, separation.part_b) = (of_a, of_b);
        Some(manifold)
    }
}
