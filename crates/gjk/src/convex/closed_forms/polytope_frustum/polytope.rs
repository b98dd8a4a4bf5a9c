//! Polytopes as edges between normals.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, Vector, greater_of, lesser_of, tolerances};
use clearance_shapes::Hull;

use super::question::{MOST_EDGES, MOST_NORMALS};
use crate::search::nearest_of_corners;

/// A plane by its unit normal, and the scalar product of its points with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

impl Plane {
    #[inline(always)]
    fn new(normal: DVec3, offset: f64) -> Self {
        Self { normal, offset }
    }

    /// How high the plane is over a point.
    #[inline(always)]
    pub(super) fn height_over(&self, point: DVec3) -> f64 {
        self.offset - self.normal.dot(point)
    }
}

/// How near a polytope has to be to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// A point in the middle of the polytope.
    pub(super) middle: DVec3,
    /// The greatest distance.
    pub(super) slack: f64,
}

/// A polytope in its own frame.
///
/// The normals are those of its faces. Where there are too few faces for an edge to lie between two of them less than
/// half a turn apart, there are more directions along which it is known which edge or corner is farthest.
pub(super) trait Polytope {
    /// Whether the normals are few enough, and rounding does not decide about them. If not, only corners may be asked for.
    fn has_precise_normals(&self) -> bool {
        true
    }

    /// How many normals there are.
    fn faces(&self) -> usize;

    /// The plane that touches the polytope along a normal.
    fn plane(&self, face: usize) -> Plane;

    /// How many edges there are, each as often as it lies between two normals.
    fn edges(&self) -> usize;

    /// The two normals between which an edge is farthest.
    fn faces_at(&self, edge: usize) -> [usize; 2];

    /// The ends of an edge.
    fn edge(&self, number: usize) -> [DVec3; 2];

    /// How many corners there are.
    fn corners(&self) -> usize;

    fn corner(&self, number: usize) -> DVec3;

    /// The farthest corner along a direction.
    fn support(&self, direction: DVec3) -> DVec3;

    /// The greatest scalar product with a direction.
    fn height(&self, direction: DVec3) -> f64 {
        direction.dot(self.support(direction))
    }

    /// Whether it is certain to be near a point.
    ///
    /// How far a point is beyond the planes says little by itself, since two planes may meet at an angle as small as one
    /// likes. But let all planes be at least r over the middle and no more than e below the point. Then the way from the
    /// point to the middle enters the polytope after e / (e + r) of its length, at the latest.
    fn holds(&self, point: DVec3, Near { middle, slack }: Near) -> bool {
        let (mut beyond, mut inset) = (0.0, f64::INFINITY);
        for face in 0..self.faces() {
            let plane = self.plane(face);
            beyond = greater_of(beyond, -plane.height_over(point));
            inset = lesser_of(inset, plane.height_over(middle));
        }
        beyond == 0.0 || beyond * point.distance(middle) <= slack * (beyond + inset)
    }
}

/// A box around the origin.
pub(super) struct CuboidFaces {
    pub(super) half_extents: DVec3,
}

/// The normals of a box: the axes, then their opposites.
const AXES: [DVec3; 6] = [
    DVec3::X,
    DVec3::Y,
    DVec3::Z,
    DVec3::NEG_X,
    DVec3::NEG_Y,
    DVec3::NEG_Z,
];

/// The two faces at each edge of a box.
const BOX_EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [1, 3],
    [3, 4],
    [4, 0],
    [1, 2],
    [2, 4],
    [4, 5],
    [5, 1],
    [2, 0],
    [0, 5],
    [5, 3],
    [3, 2],
];

impl Polytope for CuboidFaces {
    #[inline(always)]
    fn faces(&self) -> usize {
        AXES.len()
    }

    #[inline(always)]
    fn plane(&self, face: usize) -> Plane {
        Plane::new(AXES[face], self.half_extents[face % 3])
    }

    #[inline(always)]
    fn edges(&self) -> usize {
        BOX_EDGES.len()
    }

    #[inline(always)]
    fn faces_at(&self, edge: usize) -> [usize; 2] {
        BOX_EDGES[edge]
    }

    fn edge(&self, number: usize) -> [DVec3; 2] {
        let [first, second] = BOX_EDGES[number].map_each(|face| AXES[face]);
        let middle = (first + second) * self.half_extents;
        let along = first.cross(second).abs() * self.half_extents;
        [middle - along, middle + along]
    }

    #[inline(always)]
    fn corners(&self) -> usize {
        8
    }

    #[inline(always)]
    fn corner(&self, number: usize) -> DVec3 {
        let sign = |bit: u32| if number >> bit & 1 == 0 { 1.0 } else { -1.0 };
        self.half_extents * DVec3::new(sign(0), sign(1), sign(2))
    }

    #[inline(always)]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.half_extents.copysign(direction)
    }

    #[inline(always)]
    fn height(&self, direction: DVec3) -> f64 {
        direction.abs().dot(self.half_extents)
    }
}

/// A polytope without an inside: a segment, with four normals around it, or a triangle, with the normals of its two sides and
/// those of its edges in its plane.
pub(super) struct ThinFaces<const CORNERS: usize, const NORMALS: usize> {
    corners: [DVec3; CORNERS],
    planes: [Plane; NORMALS],
    /// The numbers of the two planes between which each edge is farthest, and those of its ends.
    faces_at: &'static [[usize; 2]],
    ends: &'static [[usize; 2]],
    is_precise: bool,
}

/// The farthest of two or three corners along a direction.
#[inline(always)]
fn farthest<const CORNERS: usize>(corners: &[DVec3; CORNERS], direction: DVec3) -> DVec3 {
    let mut farthest = corners[0];
    for &other in &corners[1..] {
        let is_farther = if const { CORNERS == 2 } {
            (other - farthest).dot(direction) > 0.0
        } else {
            other.dot(direction) > farthest.dot(direction)
        };
        if is_farther {
            farthest = other;
        }
    }
    farthest
}

/// The plane that touches corners along a normal.
#[inline(always)]
fn touching<const CORNERS: usize>(corners: &[DVec3; CORNERS], normal: DVec3) -> Plane {
    Plane::new(normal, normal.dot(farthest(corners, normal)))
}

impl ThinFaces<2, 4> {
    pub(super) fn of_segment(ends: [DVec3; 2]) -> Self {
        let along = ends[1] - ends[0];
        let first = along.perpendicular().normalize_or_zero();
        let second = along.cross(first).normalize_or_zero();
        Self {
            corners: ends,
            planes: [first, second, -first, -second].map_each(|normal| touching(&ends, normal)),
            faces_at: &[[0, 1], [1, 2], [2, 3], [3, 0]],
            ends: &[[0, 1]; 4],
            is_precise: true,
        }
    }
}

impl ThinFaces<3, 5> {
    pub(super) fn of_triangle(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let sides = [b - a, c - b, a - c];
        let cross = sides[0].cross(sides[1]);
        let longest = sides.map_each(DVec3::length_squared);
        let longest = longest.into_iter().fold(0.0, f64::max);
        let up = cross.normalize_or_zero();
        let [first, second, third] = sides.map_each(|side| side.cross(up).normalize_or_zero());
        let plane = |normal| touching(&corners, normal);
        Self {
            corners,
            planes: [
                plane(up),
                plane(-up),
                plane(first),
                plane(second),
                plane(third),
            ],
            faces_at: &[[0, 2], [1, 2], [0, 3], [1, 3], [0, 4], [1, 4]],
            ends: &[[0, 1], [0, 1], [1, 2], [1, 2], [2, 0], [2, 0]],
            is_precise: cross.length() > tolerances::PRECISE_NORMAL * longest,
        }
    }
}

impl<const CORNERS: usize, const NORMALS: usize> Polytope for ThinFaces<CORNERS, NORMALS> {
    fn has_precise_normals(&self) -> bool {
        self.is_precise
    }

    fn faces(&self) -> usize {
        NORMALS
    }

    #[inline(always)]
    fn plane(&self, face: usize) -> Plane {
        self.planes[face]
    }

    fn edges(&self) -> usize {
        self.ends.len()
    }

    fn faces_at(&self, edge: usize) -> [usize; 2] {
        self.faces_at[edge]
    }

    fn edge(&self, number: usize) -> [DVec3; 2] {
        self.ends[number].map_each(|corner| self.corners[corner])
    }

    fn corners(&self) -> usize {
        CORNERS
    }

    fn corner(&self, number: usize) -> DVec3 {
        self.corners[number]
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        farthest(&self.corners, direction)
    }

    fn holds(&self, point: DVec3, Near { slack, .. }: Near) -> bool {
        if let [first, second] = self.corners[..] {
            let along = second - first;
            let at = (point - first).dot(along) / along.length_squared();
            return (point - (first + along * at.clamp(0.0, 1.0))).length() <= slack;
        }
        let corners = [0, 1, 2].map_each(|corner: usize| self.corners[corner] - point);
        nearest_of_corners(corners).length() <= slack
    }
}

/// A hull.
pub(super) struct HullFaces<'a, V: Vector> {
    pub(super) hull: &'a Hull<V>,
}

impl<V: Vector> Polytope for HullFaces<'_, V> {
    fn has_precise_normals(&self) -> bool {
        let hull = self.hull;
        let is_small = hull.faces().len() <= MOST_NORMALS && hull.edges().len() < MOST_EDGES;
        is_small && hull.has_precise_planes()
    }

    #[inline(always)]
    fn faces(&self) -> usize {
        self.hull.faces().len()
    }

    #[inline(always)]
    fn plane(&self, face: usize) -> Plane {
        let (normal, offset) = self.hull.face_plane(face);
        Plane::new(normal.in_space(), offset)
    }

    #[inline(always)]
    fn edges(&self) -> usize {
        self.hull.edges().len()
    }

    #[inline(always)]
    fn faces_at(&self, edge: usize) -> [usize; 2] {
        self.hull.edges()[edge].faces.map_each(|face| face as usize)
    }

    fn edge(&self, number: usize) -> [DVec3; 2] {
        self.hull.edges()[number]
            .vertices
            .map_each(|index| self.corner(index as usize))
    }

    #[inline(always)]
    fn corners(&self) -> usize {
        self.hull.vertices().len()
    }

    #[inline(always)]
    fn corner(&self, number: usize) -> DVec3 {
        self.hull.vertices()[number].to_precise().in_space()
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.hull
            .support(V::Precise::from_space(direction))
            .in_space()
    }
}
