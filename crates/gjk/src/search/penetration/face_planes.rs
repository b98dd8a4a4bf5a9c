//! The planes of triangular faces: how one is computed, and how those of four faces are stored.

use clearance_math::DVec3;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::LANES;

/// The plane of a face: the points whose scalar product with `normal` is `distance`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacePlane {
    /// The unit normal, which points outwards; zero for a sliver.
    pub(super) normal: DVec3,
    /// The distance of the plane from the origin, negative if the origin is in front of the face.
    ///
    /// It is infinite for a sliver, because no plane can be computed for one. Up to rounding, a sliver
    /// lies within the faces next to it.
    pub(super) distance: f64,
}

impl FacePlane {
    /// The plane of a face that is too thin to have one.
    pub(super) const SLIVER: Self = Self {
        normal: DVec3::ZERO,
        distance: f64::INFINITY,
    };
}

/// The planes of four faces, stored so that one SIMD instruction handles all four.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct PlaneBlock {
    /// The components of the unit normals: first all x, then all y, then all z.
    pub(super) normals: [[f64; LANES]; 3],
    /// The distances from the origin; infinite for slivers and for lanes that are not in use yet.
    pub(super) distances: [f64; LANES],
}

impl PlaneBlock {
    pub(super) const EMPTY: Self = Self {
        normals: [[0.0; LANES]; 3],
        distances: [f64::INFINITY; LANES],
    };

    #[inline]
    pub(super) fn set(&mut self, lane: usize, plane: FacePlane) {
        for (row, component) in self.normals.iter_mut().zip(plane.normal.to_array()) {
            row[lane] = component;
        }
        self.distances[lane] = plane.distance;
    }

    #[inline]
    pub(super) fn get(&self, lane: usize) -> FacePlane {
        // The numbers are read one by one, as they were written: a processor that loads a whole
        // register would first have to wait for all of these stores.
        let [x, y, z] = &self.normals;
        FacePlane {
            normal: DVec3::new(x[lane], y[lane], z[lane]),
            distance: self.distances[lane],
        }
    }
}

/// The cross product of two edges of a triangle, from which its plane is computed.
pub(super) struct EdgeCross {
    /// The corner at which the two edges begin.
    pub(super) corner: DVec3,
    /// The cross product of the two edges.
    pub(super) cross: DVec3,
    /// The squared length of the cross product, which is the square of twice the area.
    pub(super) cross_squared: f64,
    /// The product of the squared lengths of the two edges.
    pub(super) edges_squared: f64,
}

impl EdgeCross {
    /// From the two edges that begin at the first corner.
    pub(super) fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        Self::of_edges(a, [b - a, c - a])
    }

    /// From two edges that begin at `corner`. Seen from outside, the second edge is counter-clockwise
    /// of the first.
    #[inline(always)]
    pub(super) fn of_edges(corner: DVec3, [first, second]: [DVec3; 2]) -> Self {
        let cross = first.cross(second);
        Self {
            corner,
            cross,
            cross_squared: cross.length_squared(),
            edges_squared: first.length_squared() * second.length_squared(),
        }
    }
}

/// The corners of the triangle in the same orientation, with the corner opposite the longest edge
/// first.
///
/// The rounding error of a cross product grows with the lengths of the two edges. In a needle, the
/// two shorter edges give an accurate normal where the two longer ones give none.
pub(super) fn from_widest_angle([a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
    let [ab, bc, ca] = [b - a, c - b, a - c].map_each(DVec3::length_squared);
    if bc >= ab && bc >= ca {
        [a, b, c]
    } else if ca >= ab {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
