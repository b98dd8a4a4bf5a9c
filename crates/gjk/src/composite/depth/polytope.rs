//! A convex polygon or polyhedron that grows by points, in double precision.

use arrayvec::ArrayVec;
use clearance_math::{DVec3, PreciseVector, tolerances};

/// How many points a polytope has at most.
const MOST_POINTS: usize = 64;

/// A closed surface of triangles with n corners has 2 n - 4 of them, a polygon n sides.
const MOST_FACES: usize = 2 * MOST_POINTS;

/// In the plane a side ends at points, and a ridge has one of them.
const NO_POINT: u8 = u8::MAX;

/// A side of a polygon, or a triangle of a polyhedron.
#[derive(Clone, Copy)]
pub(super) struct Face<P> {
    corners: [u8; 3],
    /// The outward unit normal; zero if the face is too thin to have one.
    pub(super) normal: P,
    /// The length of the face's points along the normal.
    pub(super) offset: f64,
}

impl<P: PreciseVector> Face<P> {
    pub(super) fn has_normal(&self) -> bool {
        self.normal != P::ZERO
    }

    /// The ridges around the face, each in the direction in which the face lies on its left.
    fn ridges(&self) -> impl Iterator<Item = [u8; 2]> {
        let [a, b, c] = self.corners;
        let all = if const { P::DIM == 2 } {
            [[a, NO_POINT], [NO_POINT, b], [NO_POINT; 2]]
        } else {
            [[a, b], [b, c], [c, a]]
        };
        all.into_iter().take(P::DIM)
    }
}

/// The surface of a convex set, made of faces. A point that lies strictly behind all of them is inside.
///
/// A point is added by replacing the faces that it sees by faces between it and the ridges around these, which keeps the
/// surface closed whatever rounding does.
pub(super) struct Polytope<P> {
    points: ArrayVec<P, MOST_POINTS>,
    faces: ArrayVec<Face<P>, MOST_FACES>,
    /// The greatest coordinate of a point.
    scale: f64,
}

impl<P: PreciseVector> Polytope<P> {
    /// Both sides of a segment in the plane, of a triangle in space, whose third corner is then given, too.
    pub(super) fn flat(points: &[P]) -> Self {
        let mut polytope = Self {
            points: points.iter().copied().take(P::DIM).collect(),
            faces: ArrayVec::new(),
            scale: points
                .iter()
                .map(|point| point.length())
                .fold(0.0, f64::max),
        };
        for corners in [[0, 1, 2], [1, 0, 2]] {
            let face = polytope.face(corners);
            polytope.faces.push(face);
        }
        polytope
    }

    pub(super) fn faces(&self) -> &[Face<P>] {
        &self.faces
    }

    /// Adds a point. False, and nothing is changed, if no face sees it, or there is no more room.
    pub(super) fn add(&mut self, point: P) -> bool {
        let number = self.points.len() as u8;
        let scale = self.scale.max(point.length());
        let above = f64::EPSILON * scale;
        let sees =
            |face: &Face<P>| face.has_normal() && face.normal.dot(point) - face.offset > above;
        let mut horizon = ArrayVec::<[u8; 2], MOST_FACES>::new();
        let mut seen = 0;
        for face in self.faces.iter().filter(|face| sees(face)) {
            seen += 1;
            for [from, to] in face.ridges() {
                match horizon.iter().position(|&ridge| ridge == [to, from]) {
                    Some(inner) => drop(horizon.swap_remove(inner)),
                    None if horizon.is_full() => return false,
                    None => horizon.push([from, to]),
                }
            }
        }
        let has_room = self.faces.len() - seen + horizon.len() <= MOST_FACES;
        if seen == 0 || self.points.is_full() || !has_room {
            return false;
        }
        self.scale = scale;
        self.points.push(point);
        self.faces.retain(|face| !sees(face));
        for [from, to] in horizon {
            let corners = match [from, to] {
                [NO_POINT, to] => [number, to, NO_POINT],
                [from, NO_POINT] => [from, number, NO_POINT],
                [from, to] => [from, to, number],
            };
            let face = self.face(corners);
            self.faces.push(face);
        }
        true
    }

    fn face(&self, corners: [u8; 3]) -> Face<P> {
        let point = |corner: u8| self.points[usize::from(corner)].in_space();
        let base = point(corners[0]);
        let first = point(corners[1]) - base;
        let second = if const { P::DIM == 2 } {
            DVec3::Z * first.length()
        } else {
            point(corners[2]) - base
        };
        let cross = first.cross(second);
        let edges = first.length() * second.length();
        let length = cross.length();
        let normal = if length > tolerances::SLIVER * edges {
            P::from_space(cross / length)
        } else {
            P::ZERO
        };
        Face {
            corners,
            normal,
            offset: normal.dot(P::from_space(base)),
        }
    }
}
