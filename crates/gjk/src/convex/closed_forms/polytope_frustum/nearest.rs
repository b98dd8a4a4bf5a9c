//! The closest points of a polytope and a frustum that are apart.
//!
//! Some corners of the polytope span a part of it: a corner, an edge or a face, whose closest points are known. The corner
//! that is farthest along the way from there to the frustum is added, until it is no farther than the plane across that way:
//! the steps of GJK (see [`crate::search`]), but with all of the frustum at once in the place of its support points, so that
//! there are only as many steps as corners of the polytope are needed.
//!
//! The plane across the way between the points proves the lower bound, so that rounding may leave a pair to the search, but
//! not make an answer wrong. The upper bound holds since both points lie on the shapes up to rounding, for which the normal
//! of a face must be precise.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::{DVec3, greater_of, tolerances};

use super::edge_distance::EdgeInFrame;
use super::frustum::Frustum;
use super::polytope::Polytope;
use super::question::FrustumQuestion;
use crate::answer::Measured;
use crate::convex::closed_forms::axes::{AxisGap, ByAxes};

/// The most corners of a polytope that are added one by one. Nearly all pairs take two or three.
const MOST_CORNERS: usize = 12;

/// The distance of a polytope and a frustum, or that they are out of range. `None` if they overlap, or if no points are
/// proven to be the closest.
pub(super) fn measure(
    polytope: &(impl Polytope + ?Sized),
    frustum: &Frustum,
    question: &FrustumQuestion,
) -> Option<ByAxes<DVec3>> {
    let mut spanned = Spanned::start(polytope, frustum, question)?;
    for _ in 0..MOST_CORNERS {
        let points = &spanned.points;
        let corner = polytope.support(points.normal);
        let gap = -frustum.height(-points.normal) - points.normal.dot(corner);
        if !question.is_in_range(AxisGap(gap)) {
            return Some(ByAxes::Farther(gap - question.rounding));
        }
        if let Some(measured) = points.proven(gap, question.rounding) {
            return Some(ByAxes::Near(measured));
        }
        let next = spanned.with(corner, frustum, question)?;
        if !(next.points.squared() < spanned.points.squared()) {
            return None;
        }
        spanned = next;
    }
    None
}

/// A point of the polytope and the nearest point of the frustum.
#[derive(Clone, Copy, Debug)]
struct PolytopePoints {
    on_a: DVec3,
    on_b: DVec3,
    /// The unit vector from the first to the second.
    normal: DVec3,
}

impl PolytopePoints {
    fn squared(&self) -> f64 {
        self.on_a.distance_squared(self.on_b)
    }

    /// The distance, if the plane across the way between the points proves it, along whose normal there is the gap `lower`.
    fn proven(&self, lower: f64, rounding: f64) -> Option<Measured<DVec3>> {
        let distance = self.squared().sqrt();
        // What the two points and the gap round by; then the same and a reserve for both bounds.
        let allowed = tolerances::CLOSED_FORM_GAP * distance + 2.0 * rounding;
        let reserve = 3.0 * rounding;
        (distance - lower <= allowed && lower > reserve).then(|| Measured {
            lower: lower - reserve,
            ..Measured::exact(distance, self.normal, (self.on_a, self.on_b), reserve)
        })
    }
}

/// The closest points of a frustum and the hull of one to three corners of the polytope.
struct Spanned {
    /// No fewer corners have the point of the polytope between them.
    corners: ArrayVec<DVec3, 3>,
    points: PolytopePoints,
}

impl Spanned {
    /// Both ends of a segment, else the corner towards the frustum. `None` if they overlap.
    fn start(
        polytope: &(impl Polytope + ?Sized),
        frustum: &Frustum,
        question: &FrustumQuestion,
    ) -> Option<Self> {
        let ends = if polytope.corners() == 2 {
            [polytope.corner(0), polytope.corner(1)]
        } else {
            [polytope.support(question.toward_b); 2]
        };
        Self::edge(ends, frustum, question)
    }

    /// The same with one more corner, which is nearer to the frustum than the hull of the others, so that the closest point
    /// is on an edge or a face that has it. `None` if one of these overlaps the frustum.
    fn with(&self, corner: DVec3, frustum: &Frustum, question: &FrustumQuestion) -> Option<Self> {
        let mut best: Option<Self> = None;
        for (number, &first) in self.corners.iter().enumerate() {
            for &second in &self.corners[number + 1..] {
                if let Some(face) = Self::face([first, second, corner], frustum) {
                    best = Some(face.nearer_of(best));
                }
            }
        }
        // Where the nearest point of a face is inside of it, its edges are no nearer.
        if self.corners.len() == 2 && best.is_some() {
            return best;
        }
        for &first in &self.corners {
            best = Some(Self::edge([first, corner], frustum, question)?.nearer_of(best));
        }
        best
    }

    fn nearer_of(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.points.squared() <= self.points.squared() => other,
            _ => self,
        }
    }

    /// `None` if they overlap, or touch so that no direction is known.
    fn edge(
        [start, end]: [DVec3; 2],
        frustum: &Frustum,
        question: &FrustumQuestion,
    ) -> Option<Self> {
        let edge = EdgeInFrame::new([start, end], frustum, question.rounding);
        let nearest = edge.nearest()?;
        // Without those ends that the closest point is not between.
        let mut corners = ArrayVec::new();
        if nearest.share < 1.0 {
            corners.push(start);
        }
        if nearest.share > 0.0 {
            corners.push(end);
        }
        let normal = edge.toward_frustum(&nearest);
        let points = PolytopePoints {
            on_a: start + (end - start) * nearest.share,
            on_b: edge.foot(&nearest),
            normal,
        };
        (normal != DVec3::ZERO).then_some(Self { corners, points })
    }

    /// The point of a triangle below the point of the frustum that is nearest to its plane, if that is inside the triangle.
    /// `None` for thin triangles, too.
    fn face([a, b, c]: [DVec3; 3], frustum: &Frustum) -> Option<Self> {
        let sides = [b - a, c - b, a - c];
        let longest = sides.map_each(DVec3::length_squared);
        let longest = longest.into_iter().fold(0.0, greater_of);
        let cross = sides[0].cross(sides[1]);
        let area = cross.length();
        if !(area > tolerances::PRECISE_NORMAL * longest) {
            return None;
        }
        let is_turned = cross.dot(frustum.center - a) < 0.0;
        let normal = if is_turned { -cross } else { cross } / area;
        let on_b = frustum.support(-normal);
        let gap = normal.dot(on_b - a);
        let foot = on_b - normal * gap;
        let is_inside = |from: DVec3, side: DVec3| cross.dot(side.cross(foot - from)) >= 0.0;
        let is_above = gap > 0.0 && is_inside(a, sides[0]);
        (is_above && is_inside(b, sides[1]) && is_inside(c, sides[2])).then(|| Self {
            corners: ArrayVec::from([a, b, c]),
            points: PolytopePoints {
                on_a: foot,
                on_b,
                normal,
            },
        })
    }
}
