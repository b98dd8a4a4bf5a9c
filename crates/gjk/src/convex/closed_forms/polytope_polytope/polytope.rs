//! What the walk needs to know of a polytope.

use clearance_math::{DVec3, PreciseVector, Vector};
use clearance_shapes::internal::{
    Boundary, BoundaryEdge, BoundarySide, Spoke, boundary_of, unit_cube,
};
use clearance_shapes::{Convex, Core, Hull};

/// A polytope in its own frame: its boundary, and how its farthest corner is found.
#[derive(Clone, Copy)]
pub(super) struct BoundaryPolytope<'a, V: Vector> {
    pub(super) corners: &'a [DVec3],
    pub(super) planes: &'a [(DVec3, f64)],
    sides: &'a [BoundarySide],
    pub(super) edges: &'a [BoundaryEdge],
    joins: &'a Boundary,
    pub(super) inner_ball: (DVec3, f64),
    /// `None` for a cuboid, whose farthest corner follows from signs.
    hull: Option<&'a Hull<V>>,
}

/// Where the boundary of a cuboid is kept while it is asked for.
#[derive(Default)]
pub(super) struct CuboidRoom(Option<CuboidBoundary>);

struct CuboidBoundary {
    corners: [DVec3; 8],
    planes: [(DVec3, f64); 6],
    sides: [BoundarySide; 24],
    edges: [BoundaryEdge; 12],
}

impl CuboidBoundary {
    /// `None` never.
    fn new(half: DVec3, cube: &Boundary) -> Option<Self> {
        let along = |axis: DVec3| axis.abs().dot(half);
        let mut this = Self {
            corners: cube.corners[..].try_into().ok()?,
            planes: cube.planes[..].try_into().ok()?,
            sides: cube.sides[..].try_into().ok()?,
            edges: cube.edges[..].try_into().ok()?,
        };
        for corner in &mut this.corners {
            *corner *= half;
        }
        for (normal, offset) in &mut this.planes {
            *offset = along(*normal);
        }
        for side in &mut this.sides {
            let reach = along(side.inward);
            side.offset = -reach;
            side.width = 2.0 * reach;
        }
        for edge in &mut this.edges {
            edge.length = 2.0 * along(edge.along);
        }
        Some(this)
    }
}

impl<'a, V: Vector> BoundaryPolytope<'a, V> {
    /// `None` for other cores, for large and flat hulls, and for a cuboid without room.
    #[inline(always)]
    pub(super) fn of(core: &'a Core<V>, room: Option<&'a mut CuboidRoom>) -> Option<Self> {
        match core {
            Core::Hull(hull) => {
                let boundary = boundary_of(hull)?;
                Some(Self {
                    corners: &boundary.corners,
                    planes: &boundary.planes,
                    sides: &boundary.sides,
                    edges: &boundary.edges,
                    joins: boundary,
                    inner_ball: boundary.inner_ball,
                    hull: Some(hull),
                })
            }
            Core::Cuboid(cuboid) => {
                let half = cuboid.half_extents.to_precise().in_space();
                let joins = unit_cube()?;
                let boundary = CuboidBoundary::new(half, joins)?;
                let room = room?.0.insert(boundary);
                Some(Self {
                    corners: &room.corners,
                    planes: &room.planes,
                    sides: &room.sides,
                    edges: &room.edges,
                    joins,
                    inner_ball: (DVec3::ZERO, half.min_element()),
                    hull: None,
                })
            }
            _ => None,
        }
    }

    /// The sides of a face.
    #[inline(always)]
    pub(super) fn sides_of(&self, face: u16) -> &'a [BoundarySide] {
        let starts = &self.joins.side_starts;
        &self.sides
            [usize::from(starts[usize::from(face)])..usize::from(starts[usize::from(face) + 1])]
    }

    /// The side that an edge is of its first or second face.
    #[inline(always)]
    pub(super) fn side(&self, edge: &BoundaryEdge, place: usize) -> &'a BoundarySide {
        &self.sides[usize::from(edge.sides[place])]
    }

    /// The edges at a corner.
    #[inline(always)]
    pub(super) fn spokes(&self, corner: u16) -> &'a [Spoke] {
        self.joins.spokes_of(corner)
    }

    #[inline(always)]
    pub(super) fn corner(&self, number: u16) -> DVec3 {
        self.corners[usize::from(number)]
    }

    #[inline(always)]
    pub(super) fn edge(&self, number: u16) -> &'a BoundaryEdge {
        &self.edges[usize::from(number)]
    }

    /// The farthest corner along a direction.
    #[inline(always)]
    pub(super) fn support(&self, direction: DVec3) -> u16 {
        match self.hull {
            Some(hull) => hull.support_index(V::Precise::from_space(direction)) as u16,
            None => corner_of_cuboid(direction),
        }
    }
}

/// How many faces a polytope has, and the radius of a ball inside.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub(super) faces: usize,
    pub(super) radius: f64,
}

impl Inside {
    #[inline(always)]
    pub(super) fn of<V: Vector>(core: &Core<V>) -> Self {
        let (faces, radius) = match core {
            Core::Hull(hull) => boundary_of(hull).map_or((1, 0.0), |boundary| {
                (boundary.planes.len(), boundary.inner_ball.1)
            }),
            Core::Cuboid(cuboid) => {
                let half = cuboid.half_extents.to_precise().in_space();
                (6, half.min_element())
            }
            _ => (1, 0.0),
        };
        Self { faces, radius }
    }
}

/// The number of the farthest corner of a cuboid.
#[inline(always)]
fn corner_of_cuboid(direction: DVec3) -> u16 {
    let bit = |number: f64| u16::from(number > 0.0);
    bit(direction.x) << 2 | bit(direction.y) << 1 | bit(direction.z)
}

/// The farthest corner of a shape's core along a direction, by its number and its place. `None` if it is no polytope of
/// few corners.
#[inline(always)]
pub(super) fn farthest<V: Vector>(
    shape: &Convex<V>,
    direction: V::Precise,
) -> Option<(u16, V::Precise)> {
    match shape.core() {
        Core::Hull(hull) => {
            boundary_of(hull)?;
            let number = hull.support_index(direction);
            Some((number as u16, hull.vertices()[number as usize].to_precise()))
        }
        Core::Cuboid(cuboid) => {
            let number = corner_of_cuboid(direction.in_space());
            let sign = |bit: u16| if number >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let signs = DVec3::new(sign(2), sign(1), sign(0));
            let corner = cuboid.half_extents.to_precise().in_space() * signs;
            Some((number, V::Precise::from_space(corner)))
        }
        _ => None,
    }
}
