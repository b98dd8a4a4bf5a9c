//! The translations of a at which a convex piece of it overlaps one of b.

use clearance_math::{PreciseVector, Vector, tolerances};

use super::cell::Corners;
use super::polytope::{CutFace, CutPolytope};
use super::ways::Exit;
use crate::parts::SurfacePart;

/// A convex piece of a shape.
pub(super) enum Piece<V: Vector> {
    /// A part of it.
    Part(SurfacePart<V>),
    /// A cell within a solid, by its corners.
    Cell(Corners<V::Precise>),
}

impl<V: Vector> Piece<V> {
    /// The point that is farthest along a direction of unit length.
    fn farthest(&self, direction: V::Precise) -> V::Precise {
        match self {
            Self::Part(part) => part.farthest(direction).unwrap_or(V::Precise::ZERO),
            Self::Cell(corners) => {
                let along = |corner: &V::Precise| corner.dot(direction);
                let farther = |best, corner| {
                    if along(&best) >= along(&corner) {
                        best
                    } else {
                        corner
                    }
                };
                let farthest = corners.iter().copied().reduce(farther);
                farthest.unwrap_or(V::Precise::ZERO)
            }
        }
    }
}

/// The difference of a piece of b and a piece of a: their translations that lead out of it make the pieces be apart.
///
/// It is known by a polytope inside of it, which grows where that is asked for. Source: van den Bergen, "Proximity Queries
/// and Penetration Depth Computation on 3D Game Objects" (2001), for the expanding polytope.
pub(super) struct Obstacle<V: Vector> {
    pieces: [Piece<V>; 2],
    polytope: CutPolytope<V::Precise>,
    /// How far beyond the polytope the difference may reach, in units of length.
    gap: f64,
}

impl<V: Vector> Obstacle<V> {
    /// `None` if the difference is flat.
    pub(super) fn new(pieces: [Piece<V>; 2], gap: f64) -> Option<Self> {
        let support = |direction| farthest(&pieces, direction);
        let axis = V::Precise::axis(0);
        let ends = [support(axis), support(-axis)];
        let across = (ends[1] - ends[0]).direction()?.perpendicular();
        let sides = [support(across), support(-across)];
        let reach = |point: V::Precise| (point - ends[0]).dot(across).abs();
        let side = if reach(sides[0]) >= reach(sides[1]) {
            sides[0]
        } else {
            sides[1]
        };
        let mut obstacle = Self {
            polytope: CutPolytope::flat(&[ends[0], ends[1], side]),
            pieces,
            gap,
        };
        let flat = obstacle.polytope.faces()[0];
        for normal in [flat.normal, -flat.normal] {
            let point = obstacle.farthest(normal);
            obstacle.polytope.add(point);
        }
        (flat.has_normal() && obstacle.polytope.faces().len() > 2).then_some(obstacle)
    }

    fn farthest(&self, direction: V::Precise) -> V::Precise {
        farthest(&self.pieces, direction)
    }

    /// Faces of a polytope within the difference: a translation that is behind all of them is in it.
    pub(super) fn faces(&self) -> impl Iterator<Item = &CutFace<V::Precise>> {
        let faces = self.polytope.faces().iter();
        faces.filter(|face| face.has_normal())
    }

    /// Faces that the polytope gets from now on are not born earlier.
    pub(super) fn time(&self) -> usize {
        self.polytope.time()
    }

    /// How far the difference reaches along a direction of unit length.
    pub(super) fn reach(&self, direction: V::Precise) -> f64 {
        self.farthest(direction).dot(direction)
    }

    /// How far the difference reaches along the normal of an exit. Where that is much more than was known, the polytope
    /// grows there instead: then the answer is `None`.
    pub(super) fn settle(&mut self, exit: Exit<V::Precise>) -> Option<f64> {
        let point = self.farthest(exit.normal);
        let reach = point.dot(exit.normal);
        let is_there = |face: &CutFace<V::Precise>| {
            (face.normal - exit.normal).length() <= tolerances::CELL_ROUNDING
        };
        let has_face = |obstacle: &Self| obstacle.faces().any(is_there);
        if reach > exit.least + self.gap {
            let _ = has_face(self) && self.polytope.add(point);
            if !has_face(self) {
                return None;
            }
        }
        Some(reach)
    }

    /// Whether a translation is inside by a margin.
    pub(super) fn contains(&mut self, translation: V::Precise, margin: f64) -> bool {
        loop {
            let height = |face: &CutFace<V::Precise>| face.normal.dot(translation) - face.offset;
            let highest = self
                .faces()
                .max_by(|a, b| height(a).total_cmp(&height(b)))
                .copied();
            let Some(face) = highest.filter(|face| height(face) >= -margin) else {
                return true;
            };
            let point = self.farthest(face.normal);
            let is_settled = point.dot(face.normal) <= face.offset + self.gap;
            if is_settled || !self.polytope.add(point) {
                return false;
            }
        }
    }
}

fn farthest<V: Vector>(pieces: &[Piece<V>; 2], direction: V::Precise) -> V::Precise {
    pieces[1].farthest(direction) - pieces[0].farthest(-direction)
}
