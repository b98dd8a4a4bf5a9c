//! Planes of triangles: one, and those of four faces beside each other.

use clearance_math::DVec3;
use clearance_math::lanes::LANES;

/// The planes of some faces beside each other.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Planes {
    /// The components of the unit normals: first all x, then all y, then all z.
    pub(super) normals: [[f64; LANES]; 3],
    /// Infinite for slivers and for places that no face has taken yet.
    pub(super) distances: [f64; LANES],
}

impl Planes {
    pub(super) const VACANT: Self = Self {
        normals: [[0.0; LANES]; 3],
        distances: [f64::INFINITY; LANES],
    };

    #[inline]
    pub(super) fn set(&mut self, lane: usize, (normal, distance): (DVec3, f64)) {
        for (row, component) in self.normals.iter_mut().zip(normal.to_array()) {
            row[lane] = component;
        }
        self.distances[lane] = distance;
    }

    #[inline]
    pub(super) fn get(&self, lane: usize) -> (DVec3, f64) {
        // Number by number, as they were written: a register's load waits for all of its stores.
        let [x, y, z] = &self.normals;
        let normal = DVec3::new(x[lane], y[lane], z[lane]);
        (normal, self.distances[lane])
    }
}

/// What the plane of a triangle is made of.
pub(super) struct Plane {
    /// The corner that the plane is computed from.
    pub(super) corner: DVec3,
    /// The cross product of two edges.
    pub(super) cross: DVec3,
    /// Its squared length: the square of twice the area.
    pub(super) area: f64,
    /// The product of the squared lengths of the two edges.
    pub(super) product: f64,
}

impl Plane {
    /// By the edges from the first corner.
    pub(super) fn across([a, b, c]: [DVec3; 3]) -> Self {
        Self::between(a, [b - a, c - a])
    }

    /// By two edges from a corner, the second counter-clockwise of the first seen from outside.
    #[inline(always)]
    pub(super) fn between(corner: DVec3, [first, second]: [DVec3; 2]) -> Self {
        let cross = first.cross(second);
        Self {
            corner,
            cross,
            area: cross.length_squared(),
            product: first.length_squared() * second.length_squared(),
        }
    }
}

/// This triangle from the corner across from its longest edge.
///
/// Rounding in a cross product grows with the product of the edges. A needle is a sliver seen from
/// its point, and a proper face from its blunt end.
pub(super) fn from_the_blunt_corner([a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
    let [ab, bc, ca] = [b - a, c - b, a - c].map(DVec3::length_squared);
    if bc >= ab && bc >= ca {
        [a, b, c]
    } else if ca >= ab {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
