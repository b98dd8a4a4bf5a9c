//! Where surfaces of triangles cross each other, or themselves.

mod triangles;

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, RelativePose, Vector, compile_once};
use clearance_shapes::{CompositeKind, Shape};

use self::triangles::{Triangle, overlap_in_plane, segment};
use super::effort::{self, Completeness, Effort};
use super::nearest_first::{PartPair, Visitor};
use super::part_pair::composite_of;
use super::sides::{Sides, is_surface};
use crate::pair::{KeptFrames, Mirrored, Placed, QueryError, Side, check, check_side};

/// The effort that a triangle may take beside that of the question: it meets a dozen neighbours, each in both orders.
const EFFORT_OF_NEIGHBOURS: u32 = 256;

/// Where a triangle of a crosses one of b: a piece of the curve in which two surfaces meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossingSegment<V: Vector> {
    /// The triangle of a.
    pub part_a: u32,
    /// The triangle of b.
    pub part_b: u32,
    /// Both ends, in the world. From the first to the second one goes along the cross product of the normals of a and b.
    pub ends: [V::Precise; 2],
}

impl<V: Vector> Mirrored for CrossingSegment<V> {
    fn mirrored(self) -> Self {
        let [start, end] = self.ends;
        Self {
            part_a: self.part_b,
            part_b: self.part_a,
            ends: [end, start],
        }
    }
}

/// Finds the curves in which two placed meshes or height fields cross, and puts their segments into `segments`, sorted by the numbers
/// of the parts. What was there before is removed; its memory is used again.
///
/// A segment is all that two triangles have in common, if that is more than a point. Whether there is one is decided exactly, for the
/// triangles in the frame of one of both shapes, where the corners of the other one are rounded to double precision. So where closed
/// surfaces cross the segments form closed curves: each ends where another one begins, in the same point, bit for bit, as long as no
/// edge meets an edge, where the points are equal up to rounding. Surfaces that touch along a line have segments too. Two triangles
/// in one plane have none: the outline of the area that they share comes from the triangles beside it, once for each of these.
/// It makes no difference whether a mesh is solid or one-sided.
///
/// Cost: that of the pairs of triangles whose boxes meet. The search ends at a limit ([`Placed::with_effort`]) if many of these have
/// no segment, and then the answer is not [`Completeness::Complete`].
///
/// # Errors
/// [`QueryError`] if a pose is not valid, or if a shape is neither a mesh nor a height field.
///
/// ```
/// use clearance::dim3::{DVec3, Placed, Pose, Shape, Vec3, crossing_segments_into};
///
/// let floor = Shape::mesh(&[Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0], [[0, 1, 2]])?;
/// let wall = Shape::mesh(&[Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, 1.0, 1.0), Vec3::new(2.0, 1.0, 1.0)], [[0, 1, 2]])?;
/// let [floor, wall] = [&floor, &wall].map(|shape| Placed::new(shape, &Pose::IDENTITY));
/// let mut segments = Vec::new();
/// crossing_segments_into(floor, wall, &mut segments)?;
/// assert_eq!(segments[0].ends, [DVec3::new(1.5, 1.0, 0.0), DVec3::new(1.0, 1.0, 0.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn crossing_segments_into<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    segments: &mut Vec<CrossingSegment<V>>,
) -> Result<Completeness, QueryError> {
    check(&a, &b, 0.0)?;
    check_surface(Side::A, a.shape)?;
    check_surface(Side::B, b.shape)?;
    segments.clear();
    Ok(add_segments(a, b, segments))
}

compile_once! {
    fn add_segments<'a, 'f, V>(
        a: Placed<'a, V>,
        b: Placed<'a, V>,
        segments: &'f mut Vec<CrossingSegment<V>>,
    ) -> Completeness {
        // Both are composites.
        let Some((sides, exchange)) = Sides::in_order(a, b) else {
            return Completeness::Complete;
        };
        let ordered = exchange.sides([a, b]);
        let frames = KeptFrames::new(ordered[0].pose, ordered[1].pose);
        let mut find = |parts: PartPair| {
            let triangles = triangles_of(ordered, parts, &frames.b_in_a)?;
            let ends = segment(triangles)?.map_each(V::Precise::from_space);
            segments.push(exchange.answer(CrossingSegment {
                part_a: parts.a,
                part_b: parts.b,
                ends: ends.map_each(|end| frames.a_in_world.transform_point(end)),
            }));
            Some(())
        };
        let completeness = visit_pairs(&sides, Effort::of(&a, &b), |parts| find(parts).is_some());
        segments.sort_unstable_by_key(|segment| [segment.part_a, segment.part_b]);
        completeness
    }
}

/// Finds the pairs of triangles of one mesh or height field that cross, and puts their numbers into `crossings`, the lesser first,
/// sorted. What was there before is removed; its memory is used again. If none are there the surface does not cross itself.
///
/// Two triangles cross if they have more than a point in common, unless that is an edge of both; or if they lie in one plane and
/// have an area in common, such as twins. It is decided exactly, for the triangles as they are stored. Corners are the same if their
/// coordinates are, so it makes no difference whether triangles share vertices by number. The pose makes no difference.
///
/// Cost: that of the pairs of triangles whose boxes meet. The search ends at a limit: the effort of `placed`
/// ([`Placed::with_effort`]), and besides 256 for each triangle, since it meets its neighbours. Then the answer is not
/// [`Completeness::Complete`].
///
/// # Errors
/// [`QueryError`] if the pose is not valid, or if the shape is neither a mesh nor a height field.
///
/// ```
/// use clearance::dim3::{Placed, Pose, Shape, Vec3, self_crossings_into};
///
/// // A strip of two triangles, and one that sticks through the second of them.
/// let strip = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0, Vec3::new(4.0, 4.0, 0.0)];
/// let blade = [Vec3::new(3.0, 3.0, -1.0), Vec3::new(3.0, 3.0, 1.0), Vec3::new(3.5, 3.0, 1.0)];
/// let mesh = Shape::mesh(&[strip.as_slice(), &blade].concat(), [[0, 1, 2], [2, 1, 3], [4, 5, 6]])?;
/// let mut crossings = Vec::new();
/// self_crossings_into(Placed::new(&mesh, &Pose::IDENTITY), &mut crossings)?;
/// assert_eq!(crossings, [[1, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_crossings_into<V: Vector>(
    placed: Placed<V>,
    crossings: &mut Vec<[u32; 2]>,
) -> Result<Completeness, QueryError> {
    check_side(&placed, 0.0)?;
    check_surface(Side::A, placed.shape)?;
    crossings.clear();
    Ok(add_self_crossings(placed, crossings))
}

compile_once! {
    fn add_self_crossings<'a, 'f, V>(
        placed: Placed<'a, V>,
        crossings: &'f mut Vec<[u32; 2]>,
    ) -> Completeness {
        let (Some(sides), Some(composite)) = (Sides::new(placed, placed), composite_of(placed.shape))
        else {
            return Completeness::Complete;
        };
        let mut effort = Effort::of(&placed, &placed);
        effort.add(composite.part_count().saturating_mul(EFFORT_OF_NEIGHBOURS));
        let same_place = RelativePose::identity();
        let completeness = visit_pairs(&sides, effort, |parts| {
            let triangles = || triangles_of([placed; 2], parts, &same_place);
            // Each pair comes in both orders.
            let crosses = parts.a < parts.b && triangles().is_some_and(cross);
            if crosses {
                crossings.push([parts.a, parts.b]);
            }
            crosses
        });
        crossings.sort_unstable();
        completeness
    }
}

/// Whether two triangles of one surface have more in common than an edge or a corner of both.
fn cross([a, b]: [Triangle; 2]) -> bool {
    let shared = a.iter().filter(|corner| b.contains(corner)).count();
    // An edge is all that triangles of different planes have in common if they have that.
    (shared < 2 && segment([a, b]).is_some()) || overlap_in_plane([a, b])
}

fn check_surface<V: Vector>(side: Side, shape: &Shape<V>) -> Result<(), QueryError> {
    if is_surface(shape) {
        return Ok(());
    }
    let kind = shape.kind_name();
    Err(QueryError::NoTriangles { side, kind })
}

/// The corners of two triangles in the frame of the first side; `None` if one of them is a hole or left out.
fn triangles_of<V: Vector>(
    sides: [Placed<V>; 2],
    parts: PartPair,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<[Triangle; 2]> {
    let [a, b] = [(sides[0], parts.a), (sides[1], parts.b)].map_each(|(side, number)| {
        let corners = match composite_of(side.shape)?.kind() {
            CompositeKind::Mesh(mesh) => mesh.corners(number),
            CompositeKind::HeightField(field) => field.corners(number)?,
            _ => return None,
        };
        side.has_part(number)
            .then(|| corners.map_each(V::to_precise))
    });
    let in_a = |corner| b_in_a.transform_point(corner).in_space();
    Some([a?.map_each(PreciseVector::in_space), b?.map_each(in_a)])
}

/// Asks about all pairs of triangles whose boxes meet, and returns whether the effort sufficed.
fn visit_pairs<V: Vector>(
    sides: &Sides<'_, V>,
    effort: Effort,
    find: impl FnMut(PartPair) -> bool,
) -> Completeness {
    let mut pairs = Pairs {
        limit: sides.limit(0.0),
        effort,
        completeness: Completeness::Complete,
        find,
    };
    sides.descend(&mut pairs);
    pairs.completeness
}

struct Pairs<F> {
    limit: Real,
    effort: Effort,
    completeness: Completeness,
    /// Whether two triangles cross; it keeps what is found.
    find: F,
}

impl<F: FnMut(PartPair) -> bool> Visitor for Pairs<F> {
    fn limit(&self) -> Real {
        if self.effort.is_used_up() {
            Real::NEG_INFINITY
        } else {
            self.limit
        }
    }

    fn open(&mut self) {
        self.effort.take(1);
    }

    fn visit(&mut self, parts: PartPair) {
        if !(self.find)(parts) {
            self.effort.take(effort::OF_TRIANGLES);
        }
    }

    fn skip(&mut self, gap: Real) {
        if self.effort.is_used_up() && gap <= self.limit {
            self.completeness = Completeness::EffortLimit;
        }
    }
}
