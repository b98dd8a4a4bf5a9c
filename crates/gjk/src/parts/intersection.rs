//! Whether two shapes have a point in common, which takes less than their distance.

use clearance_math::{RelativePose, Vector, compile_once};
use clearance_shapes::{Convex, Core, Shape};

use super::any_pair::is_composite;
use super::inside::{Containment, place_within};
use super::least::{Crossing, crossing};
use super::solid::ByHulls;
use crate::answer::{Outcome, Proximity};
use crate::convex::closed_forms::{cuboid_cuboid, point_point};
use crate::convex::method::{OrderedPair, measure_convex, measure_ordered, ordered, search_cores};
use crate::pair::{FramesOf, Placed};
use crate::search::{Goal, SearchResult};

compile_once! {
    /// [`crate::intersects`] for poses that are known to be valid.
    pub(crate) fn intersect<'a, V>(a: Placed<'a, V>, b: Placed<'a, V>) -> bool {
        if let Some(answer) = point_point::measure(a, b, 0.0) {
            return answer.is_ok_and(|near| near.distance <= 0.0);
        }
        if is_composite(a.shape) || is_composite(b.shape) {
            return match ByHulls::new([a, b]) {
                Some(ByHulls { sides: [a, b], .. }) => intersect(a, b),
                None => parts_intersect(a, b),
            };
        }
        let OrderedPair { a, b, .. } = ordered(a, b);
        if let (Shape::Convex(convex_a), Shape::Convex(convex_b)) = (a.shape, b.shape)
            && !matches!(convex_a.core(), Core::Point(_))
        {
            let b_in_a = RelativePose::between(a.pose, b.pose);
            return overlap_of_convex(convex_a, convex_b, &b_in_a);
        }
        let frames = FramesOf { a: a.pose, b: b.pose };
        match measure_ordered([a, b], &frames, 0.0, None, |_| {}) {
            Proximity::Near(separation) => separation.distance <= 0.0,
            Proximity::Farther { .. } => false,
            Proximity::Unbounded | Proximity::Undecided { .. } => true,
        }
    }
}

/// Whether two shapes, at least one of which is a composite, have a point in common, or could not be told apart with the
/// effort of the question.
fn parts_intersect<V: Vector>(a: Placed<V>, b: Placed<V>) -> bool {
    !matches!(crossing(a, b), Crossing::None) || place_within(&a, &b) != Containment::Outside
}

/// Whether two convex shapes have a point in common. The result is that of [`crate::measure`] by
/// its sign, but the distance itself is not computed.
fn overlap_of_convex<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> bool {
    let by_distance = || match measure_convex([a, b], b_in_a, 0.0, None) {
        Outcome::Near(measured) => measured.distance <= 0.0,
        Outcome::Farther { .. } => false,
        Outcome::Unbounded => true,
    };
    let radii = a.radius() + b.radius();
    match (a.core(), b.core()) {
        // For these pairs the closed form is faster than any search.
        (Core::Segment(_), Core::Segment(_)) => return by_distance(),
        (Core::Cuboid(core_a), Core::Cuboid(core_b)) => {
            let by_axes = cuboid_cuboid::overlap((a, core_a), (b, core_b), b_in_a, radii);
            return by_axes.unwrap_or_else(by_distance);
        }
        _ => {}
    }
    match search_cores(a, b, b_in_a, Goal::side_of(radii), None) {
        SearchResult::Farther { .. } => false,
        SearchResult::Separated(found) if found.upper <= radii => true,
        SearchResult::Overlapping(overlap) if overlap.upper() <= 0.0 => true,
        // There is neither a separating plane nor a thick simplex around the origin: the shapes
        // just touch.
        _ => by_distance(),
    }
}
