//! A convex polygon or polyhedron that grows by points, in double precision.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, tolerances};

/// How many points a polytope has at most.
const MOST_POINTS: usize = 64;

/// A closed surface of triangles with n corners has 2 n - 4 of them, a polygon n sides.
const MOST_FACES: usize = 2 * MOST_POINTS;

/// In the plane a side ends at points, and a ridge has one of them.
const NO_POINT: u8 = u8::MAX;

/// A side of a polygon, or a triangle of a polyhedron.
#[derive(Clone, Copy)]
pub(super) struct CutFace<P> {
    corners: [u8; 3],
    /// The outward unit normal; zero if the face is too thin to have one.
    pub(super) normal: P,
    /// The length of the face's points along the normal.
    pub(super) offset: f64,
    /// How many points the polytope had when it got a face in this plane.
    pub(super) born: usize,
}

impl<P: PreciseVector> CutFace<P> {
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
pub(super) struct CutPolytope<P> {
    points: ArrayVec<P, MOST_POINTS>,
    faces: ArrayVec<CutFace<P>, MOST_FACES>,
    /// The greatest coordinate of a point.
    scale: f64,
}

impl<P: PreciseVector> CutPolytope<P> {
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

    pub(super) fn faces(&self) -> &[CutFace<P>] {
        &self.faces
    }

    /// Faces in new planes are not born earlier.
    pub(super) fn time(&self) -> usize {
        self.points.len() + 1
    }

    /// Adds a point. False, and nothing is changed, if no face sees it, or there is no more room.
    pub(super) fn add(&mut self, point: P) -> bool {
        let number = self.points.len() as u8;
        let scale = self.scale.max(point.length());
        let above = f64::EPSILON * scale;
        let sees =
            |face: &CutFace<P>| face.has_normal() && face.normal.dot(point) - face.offset > above;
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
            let beyond = self
                .faces
                .iter()
                .find(|face| face.ridges().any(|ridge| ridge == [to, from]));
            let in_plane = beyond.filter(|beyond| {
                (beyond.normal - face.normal).length() <= tolerances::CELL_ROUNDING
            });
            self.faces.push(match in_plane {
                Some(other) => CutFace { corners, ..*other },
                None => face,
            });
        }
        true
    }

    fn face(&self, corners: [u8; 3]) -> CutFace<P> {
        let [base, cross, edges] = self.cross(corners);
        let length = cross.length();
        let normal = if length > tolerances::SLIVER * edges.x {
            P::from_space(cross / length)
        } else {
            P::ZERO
        };
        CutFace {
            corners,
            normal,
            offset: normal.dot(P::from_space(base)),
            born: self.points.len(),
        }
    }

    /// A corner of a face, the cross product of its edges there, and, as x, the product of their lengths: at the corner
    /// beside the two shorter edges, where rounding counts least.
    fn cross(&self, corners: [u8; 3]) -> [DVec3; 3] {
        let point = |corner: u8| self.points[usize::from(corner)].in_space();
        if const { P::DIM == 2 } {
            let base = point(corners[0]);
            let along = point(corners[1]) - base;
            return [base, along.cross(DVec3::Z), DVec3::splat(along.length())];
        }
        let [a, b, c] = corners.map_each(point);
        let longest = |[a, b, c]: [DVec3; 3]| [a, b, c, b - c];
        let all = [[a, b, c], [b, c, a], [c, a, b]].map_each(longest);
        let best = all.into_iter().reduce(|one, other| {
            if other[3].length_squared() > one[3].length_squared() {
                other
            } else {
                one
            }
        });
        let [base, first, second, _] = best.unwrap_or_default();
        let edges = [first - base, second - base];
        let product = edges[0].length() * edges[1].length();
        [base, edges[0].cross(edges[1]), DVec3::splat(product)]
    }
}
