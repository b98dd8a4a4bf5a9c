//! Records the steps of the search for a penetration depth.

use clearance_math::{RelativePose, Vector, compile_once};
use clearance_shapes::Shape;

use crate::convex::depth_gap;
use crate::pair::{Placed, QueryError, check};
use crate::search::penetration::expansions;
use crate::search::{Cores, CornerStorage, Expansion, Goal, SearchResult, search_in};

/// Returns every step of the search for the penetration depth of two overlapping cores (shapes without
/// their rounding radii), in the frame of `a`. It is meant for teaching and debugging.
///
/// It shows the expanding polytope algorithm alone, though a closed form may answer in
/// [`proximity`](crate::proximity), and `a` and `b` are not exchanged. The answer for curved shapes is
/// improved after the last step, if its bounds are still far apart. The polytope starts from the simplex
/// in which [`trace`](crate::trace) ends, or, if that is too thin, from other vertices; until it has
/// grown around the origin, the nearest face has the origin in front of it.
///
/// The result is empty if the cores are apart, if their difference is flat, as that of two points, or if
/// a half-space or a composite takes part.
///
/// Sources: van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects"
/// (2001); van den Bergen, "Collision Detection in Interactive 3D Environments" (2003), section 4.3.8.
///
/// # Errors
/// [`QueryError`] if a pose is not finite or if a rotation is not of unit length.
///
/// ```
/// use clearance::dim2::{Placed, Pose, Shape, Vec2, trace_expansion};
///
/// let (a, b) = (Shape::cuboid(Vec2::new(2.0, 1.0))?, Shape::cuboid(Vec2::new(1.0, 1.0))?);
/// let (here, there) = (Pose::IDENTITY, Pose::from_translation(Vec2::new(0.5, 1.5)));
/// let steps = trace_expansion(Placed::new(&a, &here), Placed::new(&b, &there))?;
/// let last = steps.last().unwrap();
/// assert!(last.lower <= 0.5 && 0.5 <= last.upper && last.upper - last.lower < 1e-6);
/// assert!((last.normal.y - 1.0).abs() < 1e-12);
/// let [start, end] = last.faces().nth(last.nearest).unwrap() else { unreachable!() };
/// assert_eq!(last.vertices[*start as usize].point.y, 0.5);
/// assert_eq!(last.vertices[*end as usize].point.y, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace_expansion<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
) -> Result<Vec<Expansion<V::Precise>>, QueryError> {
    check(&a, &b, 0.0)?;
    Ok(steps(a, b))
}

compile_once! {
    fn steps<'a, V>(a: Placed<'a, V>, b: Placed<'a, V>) -> Vec<Expansion<V::Precise>> {
        let (Shape::Convex(convex_a), Shape::Convex(convex_b)) = (a.shape, b.shape) else {
            return Vec::new();
        };
        let gap = depth_gap(convex_a, convex_b).relative;
        let b_in_a = RelativePose::between(a.pose, b.pose);
        let mut storage = CornerStorage::default();
        let cores = Cores::with_few_corners(convex_a, convex_b, &b_in_a, &mut storage);
        // As [`crate::search::measure_in`], of which it records the second half.
        match search_in(&cores, Goal::distance_within(f64::INFINITY)) {
            SearchResult::Overlapping(overlap) => expansions(&cores, &overlap, gap),
            SearchResult::Separated(_) | SearchResult::Farther { .. } => Vec::new(),
        }
    }
}
