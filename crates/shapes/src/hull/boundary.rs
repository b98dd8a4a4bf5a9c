//! The boundary of a solid hull, on which a search can walk from corner to edge to face.

use std::sync::LazyLock;

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, Vec3, Vector, lesser_of};

use super::Hull;

/// The most corners of a hull that has a boundary: beyond, tables take more memory than searches gain.
const MOST_CORNERS: usize = 64;

/// How often the middle of a hull is moved away from the face that is nearest.
const CENTER_STEPS: usize = 32;

/// The corners, edges and faces of a polyhedron with what joins them, in its frame.
///
/// A cuboid has that of [`unit_cube`], resized by its half extents.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The corners: the vertices of the hull.
    pub corners: Vec<DVec3>,
    /// The outward unit normal of each face, and how far the polyhedron reaches along it.
    pub planes: Vec<(DVec3, f64)>,
    /// The sides of all faces, one face after the other.
    pub sides: Vec<BoundarySide>,
    /// Where the sides of each face begin; then the end of the last.
    pub side_starts: Vec<u16>,
    /// The edges, as [`Hull::edges`] has them.
    pub edges: Vec<BoundaryEdge>,
    /// The edges at each corner and where they lead, one corner after the other.
    pub spokes: Vec<Spoke>,
    /// Where those of each corner begin; then the end of the last.
    pub spoke_starts: Vec<u16>,
    /// A point in the middle, around which a ball of this radius lies within.
    pub inner_ball: (DVec3, f64),
}

/// A face at one of its edges.
#[derive(Clone, Copy, Debug)]
pub struct BoundarySide {
    /// The unit vector across the edge, along the face and into it.
    pub inward: DVec3,
    /// The scalar product of the edge's points with it.
    pub offset: f64,
    /// How far from the line of the edge the nearest other corner of the face is.
    pub width: f64,
    /// The edge.
    pub edge: u16,
}

/// An edge and the two faces that it lies between.
#[derive(Clone, Copy, Debug)]
pub struct BoundaryEdge {
    /// The corners at its ends.
    pub corners: [u16; 2],
    /// The faces.
    pub faces: [u16; 2],
    /// The places among the sides that it is of these faces.
    pub sides: [u16; 2],
    /// The unit vector from its first to its second end.
    pub along: DVec3,
    /// How long it is.
    pub length: f64,
}

/// An edge, seen from the corner at one of its ends.
#[derive(Clone, Copy, Debug)]
pub struct Spoke {
    /// The corner at the other end.
    pub corner: u16,
    /// The edge.
    pub edge: u16,
}

/// The boundary of the cube from -1 to 1.
#[must_use]
pub fn unit_cube() -> Option<&'static Boundary> {
    static CUBE: LazyLock<Option<Boundary>> = LazyLock::new(|| {
        let sign = |k: usize, bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let corner = |k| Vec3::new(sign(k, 2), sign(k, 1), sign(k, 0));
        let corners: Vec<Vec3> = (0..8).map(corner).collect();
        Boundary::of(&Hull::from_points(&corners).ok()?)
    });
    CUBE.as_ref()
}

/// The boundary as a graph: `None` for polygons, flat hulls, and those of many corners or imprecise normals.
#[inline]
#[must_use]
pub fn boundary_of<V: Vector>(hull: &Hull<V>) -> Option<&Boundary> {
    hull.boundary.as_deref()
}

impl Boundary {
    /// `None` unless the hull is solid, has few corners, and all its normals are right up to rounding.
    pub(super) fn of<V: Vector>(hull: &Hull<V>) -> Option<Self> {
        let is_solid = V::DIM == 3 && hull.has_precise_planes;
        if !is_solid || hull.vertices.len() > MOST_CORNERS {
            return None;
        }
        let corners: Vec<DVec3> = (hull.vertices.iter())
            .map(|corner| corner.to_precise().in_space())
            .collect();
        let planes: Vec<(DVec3, f64)> = (hull.normals.iter().zip(&hull.offsets))
            .map(|(normal, &offset)| (normal.in_space(), offset))
            .collect();
        let mut boundary = Self {
            inner_ball: inner_ball(&corners, &planes),
            corners,
            planes,
            sides: Vec::new(),
            side_starts: vec![0],
            edges: Vec::new(),
            spokes: Vec::new(),
            spoke_starts: vec![0],
        };
        boundary.add_sides(hull)?;
        boundary.add_edges(hull)?;
        boundary.add_spokes(hull)?;
        Some(boundary)
    }

    fn add_sides<V: Vector>(&mut self, hull: &Hull<V>) -> Option<()> {
        for (list, &(normal, _)) in hull.loops.iter().zip(&self.planes) {
            let next = list.iter().cycle().skip(1);
            for (&from, &to) in list.iter().zip(next) {
                let [start, end] = [from, to].map_each(|corner| self.corners[corner as usize]);
                let inward = normal.cross(end - start).direction()?;
                let offset = inward.dot(start);
                let others = list
                    .iter()
                    .filter(|&&corner| corner != from && corner != to);
                let reach = others.map(|&corner| inward.dot(self.corners[corner as usize]));
                self.sides.push(BoundarySide {
                    inward,
                    offset,
                    width: reach.fold(f64::INFINITY, lesser_of) - offset,
                    edge: hull.edge_between([from.min(to), from.max(to)])? as u16,
                });
            }
            self.side_starts.push(self.sides.len() as u16);
        }
        Some(())
    }

    fn add_edges<V: Vector>(&mut self, hull: &Hull<V>) -> Option<()> {
        for (edge, number) in hull.edges.iter().zip(0..) {
            let side_of = |face: u32| {
                let [first, end] = [face, face + 1].map_each(|k| self.side_starts[k as usize]);
                (first..end).find(|&side| self.sides[usize::from(side)].edge == number)
            };
            let [start, end] = (edge.vertices).map_each(|corner| self.corners[corner as usize]);
            self.edges.push(BoundaryEdge {
                corners: edge.vertices.map_each(|corner| corner as u16),
                faces: edge.faces.map_each(|face| face as u16),
                sides: [side_of(edge.faces[0])?, side_of(edge.faces[1])?],
                along: (end - start).direction()?,
                length: (end - start).length(),
            });
        }
        Some(())
    }

    fn add_spokes<V: Vector>(&mut self, hull: &Hull<V>) -> Option<()> {
        for corner in 0..self.corners.len() as u32 {
            for &other in hull.neighbours(corner) {
                let edge = hull.edge_between([corner.min(other), corner.max(other)])?;
                self.spokes.push(Spoke {
                    corner: other as u16,
                    edge: edge as u16,
                });
            }
            self.spoke_starts.push(self.spokes.len() as u16);
        }
        Some(())
    }

    /// The edges at a corner.
    #[inline]
    #[must_use]
    pub fn spokes_of(&self, corner: u16) -> &[Spoke] {
        let first = usize::from(self.spoke_starts[usize::from(corner)]);
        &self.spokes[first..usize::from(self.spoke_starts[usize::from(corner) + 1])]
    }

    /// The memory that it occupies, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>()
            + self.corners.capacity() * size_of::<DVec3>()
            + self.planes.capacity() * size_of::<(DVec3, f64)>()
            + self.sides.capacity() * size_of::<BoundarySide>()
            + self.edges.capacity() * size_of::<BoundaryEdge>()
            + self.spokes.capacity() * size_of::<Spoke>()
            + (self.side_starts.capacity() + self.spoke_starts.capacity()) * size_of::<u16>()
    }
}

/// A point in the middle of a polyhedron, and how far the nearest face is from it.
///
/// From the mean of the corners it moves away from the nearest face, by less and less.
fn inner_ball(corners: &[DVec3], planes: &[(DVec3, f64)]) -> (DVec3, f64) {
    let nearest = |point: DVec3| {
        let gaps = planes
            .iter()
            .map(|&(normal, offset)| (offset - normal.dot(point), normal));
        gaps.fold((f64::INFINITY, DVec3::ZERO), |least, gap| {
            if gap.0 < least.0 { gap } else { least }
        })
    };
    let mut center = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let mut best = (center, nearest(center).0);
    let mut step = 0.5 * best.1;
    for _ in 0..CENTER_STEPS {
        center -= nearest(center).1 * step;
        step *= 0.8;
        let gap = nearest(center).0;
        if gap > best.1 {
            best = (center, gap);
        }
    }
    best
}
