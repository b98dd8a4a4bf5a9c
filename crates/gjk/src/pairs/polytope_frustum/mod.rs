//! Overlapping polytope (segment, triangle, cuboid or hull) and conical frustum (cylinder, cone or tapered cylinder) in
//! space.
//!
//! The depth is the least height of the difference over all directions. Its local minima are normals of smooth parts of
//! the boundary of the difference, of which there are five sorts:
//!
//! 1. a disc of the frustum against a corner of the polytope: along the axis, either way;
//! 2. a face of the polytope against a point of the frustum: along the normal of the face;
//! 3. the side of the frustum against a corner: along the normal of the side that points away from the corner;
//! 4. the side against an edge: across both, on the arc of directions along which the edge is farthest;
//! 5. a rim of the frustum against an edge: on that arc, too.
//!
//! In all other parts, where a rim meets a corner for example, the boundary is an edge or a corner of its own, and no
//! minimum of the height. So the least of the heights of these five is the depth, and if one is negative, it separates
//! the shapes: the normals of smooth parts of its boundary are the only planes that a convex set needs.

mod edge;
mod frustum;
mod polytope;
mod witnesses;

use arrayvec::ArrayVec;
use clearance_math::{DVec3, PreciseVector, RelativePose, Vector};
use clearance_shapes::{Convex, Core};

use self::edge::EdgeAtFrustum;
pub(crate) use self::frustum::Frustum;
use self::polytope::{Box3, Corners2, Corners3, Polytope};
use self::witnesses::{Deepest, witness_points};
use super::axes::Apart;
use crate::penetration::Depth;

/// The most normals of faces that are kept. The hulls that are searched by looking at all of their vertices have no more.
const MOST_NORMALS: usize = 128;

/// The depth of a frustum b in a polytope a, in a's frame. `None` if they are no such pair, or if rounding spoils it.
///
/// # Errors
/// The gap along a direction that separates them.
pub(crate) fn deepest<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Result<Depth<V::Precise>, Apart>> {
    if V::DIM != 3 {
        return None;
    }
    let frustum = Frustum::of(b.core(), b_in_a)?;
    let corner = |corner: V| corner.to_precise().in_space();
    let size = a.core_size() + b.core_size();
    let depth = match a.core() {
        Core::Segment(segment) => {
            least_height(&Corners2::new([segment.a, segment.b].map(corner)), &frustum, size)
        }
        Core::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c].map(corner);
            least_height(&Corners3::new(corners)?, &frustum, size)
        }
        Core::Cuboid(cuboid) => least_height(&Box3::new(corner(cuboid.half_extents)), &frustum, size),
        Core::Hull(hull) => least_height(&polytope::HullFaces::new(hull)?, &frustum, size),
        _ => return None,
    };
    Some(depth.map(|depth| Depth {
        height: depth.height,
        lower: depth.lower,
        normal: V::Precise::from_space(depth.normal),
        witnesses: depth
            .witnesses
            .map(|(a, b)| (V::Precise::from_space(a), V::Precise::from_space(b))),
    }))
}

/// What meets along a direction.
#[derive(Clone, Copy, Debug)]
enum Sort {
    /// A corner of either, a face or a rim.
    Point,
    /// The side of the frustum, and an edge of the polytope.
    Side { edge: [DVec3; 2] },
}

/// The least height so far.
#[derive(Clone, Copy, Debug)]
struct Least {
    height: f64,
    /// The unit direction along which b has to be moved.
    normal: DVec3,
    sort: Sort,
    /// What no height is below, as far as the directions were looked at.
    lower: f64,
}

impl Least {
    /// Takes a direction along which the difference is known to be as high as this. An error means that it separates the
    /// shapes.
    #[inline(always)]
    fn test(&mut self, normal: DVec3, height: f64, sort: Sort) -> Result<(), Apart> {
        if height < 0.0 {
            return Err(Apart(-height));
        }
        if height < self.height {
            self.height = height;
            self.normal = normal;
            self.sort = sort;
            self.lower = self.lower.min(height);
        }
        Ok(())
    }
}

/// What is seen of the frustum along the normal of a face of the polytope.
struct Seen {
    /// The farthest point of the frustum against the normal.
    point: DVec3,
    /// The height of the difference along the normal.
    height: f64,
}

/// The least height over the five sorts of directions.
fn least_height(polytope: &impl Polytope, frustum: &Frustum, size: f64) -> Result<Depth<DVec3>, Apart> {
    let mut least = Least {
        height: f64::INFINITY,
        normal: DVec3::X,
        lower: f64::INFINITY,
        sort: Sort::Point,
    };
    for (outward, height) in frustum.discs() {
        least.test(-outward, polytope.height(-outward) + height, Sort::Point)?;
    }
    let mut seen = ArrayVec::<Seen, MOST_NORMALS>::new();
    for number in 0..polytope.normals() {
        let (normal, offset) = polytope.normal(number);
        let point = frustum.support(-normal);
        let height = offset - normal.dot(point);
        least.test(normal, height, Sort::Point)?;
        seen.push(Seen { point, height });
    }
    let beside = polytope.corners().map(|corner| frustum.beside(corner));
    let corner = beside.reduce(|least, other| if other.reach < least.reach { other } else { least });
    if let Some(normal) = corner.map(|corner| frustum.away_from(&corner)) {
        least.test(normal, polytope.height(normal) + frustum.height(-normal), Sort::Point)?;
    }
    for number in 0..polytope.edges() {
        let faces = polytope.faces_at(number);
        if is_lower_between(polytope, &seen, faces, least.height) {
            let [from, to] = faces.map(|face| polytope.normal(face).0);
            EdgeAtFrustum::new(polytope.edge(number), frustum).test([from, to], &mut least)?;
        }
    }
    // Directions on arcs have the height of an edge, from which that of the polytope differs by rounding.
    let height = polytope.height(least.normal) + frustum.height(-least.normal);
    let deepest = Deepest {
        height,
        normal: least.normal,
        sort: least.sort,
        size,
    };
    Ok(Depth {
        height: height.max(least.lower),
        lower: least.lower,
        normal: least.normal,
        witnesses: witness_points(polytope, frustum, &deepest),
    })
}

/// Whether the height may be less than `limit` along a direction between the normals of the two faces of an edge.
///
/// The difference of the edge and the point that is seen along either normal is a segment of the difference of the shapes.
/// Along the arc its height is a sinus, which is least at an end, as long as it is above zero there; if not, the answer
/// is yes.
#[inline(always)]
fn is_lower_between(
    polytope: &impl Polytope,
    seen: &[Seen],
    [first, second]: [usize; 2],
    limit: f64,
) -> bool {
    let ([seen_first, seen_second], [first, second]) = (
        [&seen[first], &seen[second]],
        [first, second].map(|face| polytope.normal(face)),
    );
    let height = |(normal, offset): (DVec3, f64), point: DVec3| offset - normal.dot(point);
    let by_first = seen_first.height.min(height(second, seen_first.point));
    let by_second = seen_second.height.min(height(first, seen_second.point));
    by_first.max(by_second) < limit
}
