//! The faces and edges of the polytope: which of them have to be looked at.

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::{DVec3, greater_of, lesser_of, tolerances};

use super::frustum::Frustum;
use super::polytope::{Plane, Polytope};
use super::question::{MOST_EDGES, MOST_NORMALS};
use crate::convex::closed_forms::axes::{AxisGap, LeastHeight};

// They are numbered in one byte.
const _: () = assert!(MOST_EDGES <= 256 && MOST_NORMALS < 256);

/// Numbers of faces or edges. There is space for one more than the most, which is written but never counted.
struct List {
    items: [u8; MOST_EDGES],
    count: usize,
}

impl List {
    #[inline(always)]
    fn new() -> Self {
        Self {
            items: [0; MOST_EDGES],
            count: 0,
        }
    }

    /// Which items are needed is unpredictable, so there is no branch: each is written, and the count only advances past
    /// those that are.
    #[inline(always)]
    fn push_if(&mut self, is_needed: bool, item: usize) {
        self.items[self.count] = item as u8;
        self.count += usize::from(is_needed);
    }

    #[inline(always)]
    fn items(&self) -> impl Iterator<Item = usize> {
        self.items[..self.count]
            .iter()
            .map(|&item| usize::from(item))
    }
}

/// Edges along whose arcs the height may be less than the least so far.
#[derive(Default)]
pub(super) struct OpenEdges {
    /// What the heights of each are not below, and its number.
    edges: ArrayVec<(f64, usize), MOST_EDGES>,
}

impl OpenEdges {
    /// Takes the one with the least bound out of the list, if that is less than `limit`.
    #[inline(always)]
    pub(super) fn take_lowest(&mut self, limit: f64) -> Option<usize> {
        let mut lowest = (limit, None);
        for (place, &(bound, _)) in self.edges.iter().enumerate() {
            if bound < lowest.0 {
                lowest = (bound, Some(place));
            }
        }
        Some(self.edges.swap_remove(lowest.1?).1)
    }
}

/// The faces of the polytope, as far as they were looked at.
pub(super) struct Faces {
    /// How high each is over the centre of the ball in the frustum.
    over_ball: [f64; MOST_NORMALS],
    /// For each face one more than the place in `seen`, or zero.
    places: [u8; MOST_NORMALS],
    /// The farthest points of the frustum against the normals of faces.
    seen: ArrayVec<DVec3, MOST_NORMALS>,
    /// The rounding error of heights.
    rounding: f64,
}

impl Faces {
    #[inline(always)]
    pub(super) fn new(rounding: f64) -> Self {
        Self {
            over_ball: [0.0; MOST_NORMALS],
            places: [0; MOST_NORMALS],
            seen: ArrayVec::new(),
            rounding,
        }
    }

    /// Tests the normals of all faces, except where the ball in the frustum shows that they are no better.
    ///
    /// # Errors
    /// A direction that separates the shapes.
    #[inline(always)]
    pub(super) fn test(
        &mut self,
        polytope: &(impl Polytope + ?Sized),
        frustum: &Frustum,
        least: &mut LeastHeight,
    ) -> Result<(), AxisGap> {
        let ball = frustum.ball;
        let mut lowest = (f64::INFINITY, 0);
        for face in 0..polytope.faces() {
            let height = polytope.plane(face).height_over(ball.center);
            self.over_ball[face] = height;
            lowest = (
                lesser_of(height, lowest.0),
                select_unpredictable(height < lowest.0, face, lowest.1),
            );
        }
        // The one that is probably the best first, so that most of the others are not needed.
        self.test_face(lowest.1, polytope, frustum, least)?;
        let mut faces = List::new();
        for face in 0..polytope.faces() {
            faces.push_if(self.over_ball[face] + ball.radius < least.height, face);
        }
        for face in faces.items().filter(|&face| face != lowest.1) {
            if self.over_ball[face] + ball.radius < least.height {
                self.test_face(face, polytope, frustum, least)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn test_face(
        &mut self,
        face: usize,
        polytope: &(impl Polytope + ?Sized),
        frustum: &Frustum,
        least: &mut LeastHeight,
    ) -> Result<(), AxisGap> {
        let plane = polytope.plane(face);
        let point = self.seen_from(face, plane, frustum);
        least.test(plane.normal, plane.height_over(point))
    }

    /// The farthest point of the frustum against the normal of a face.
    #[inline(always)]
    fn seen_from(&mut self, face: usize, plane: Plane, frustum: &Frustum) -> DVec3 {
        let place = usize::from(self.places[face]);
        if place > 0 {
            return self.seen[place - 1];
        }
        let point = frustum.support(-plane.normal);
        self.seen.push(point);
        self.places[face] = self.seen.len() as u8;
        point
    }

    /// Fills the list with the edges along whose arcs the height may be less than `limit`.
    #[inline(always)]
    pub(super) fn list_open(
        &mut self,
        polytope: &(impl Polytope + ?Sized),
        frustum: &Frustum,
        limit: f64,
        open: &mut OpenEdges,
    ) {
        let ball = frustum.ball;
        let mut near = List::new();
        for edge in 0..polytope.edges() {
            let [first, second] = polytope.faces_at(edge);
            let over_ball = lesser_of(self.over_ball[first], self.over_ball[second]);
            // The height of the ball's centre is a sine wave along the arc, as in `bound_between`.
            let is_beyond = (over_ball >= 0.0) & (over_ball + ball.radius >= limit);
            near.push_if(!is_beyond, edge);
        }
        for edge in near.items() {
            let bound = self.bound_between(polytope, frustum, polytope.faces_at(edge), limit);
            if bound < limit {
                open.edges.push((bound, edge));
            }
        }
    }

    /// What the height is not below along the directions between the normals of the two faces of an edge. If that is at
    /// least `limit`, it need not be the best such bound.
    ///
    /// Along the edge, the difference of the shapes looks like a convex set of the plane. It contains the points that are
    /// the differences of the edge and what is seen of the frustum along either normal. The height of such a point is a
    /// sine wave along the arc, which is least at an end, as long as it is above zero there. The farther of the two points
    /// is first the one, then the other; between, where they are equally far, the height is the distance of the line
    /// through both. So the height along the arc is not below the least of that distance and of the heights along the two
    /// normals, and these are no less than `limit`: either they were tested, or the ball showed it.
    ///
    /// From the heights of the two points along the normals, which have an angle of cosine c, follow their cross product
    /// divided by the sine, and the squared length of the line multiplied by the squared sine. The quotient is the distance.
    #[inline(always)]
    fn bound_between(
        &mut self,
        polytope: &(impl Polytope + ?Sized),
        frustum: &Frustum,
        at: [usize; 2],
        limit: f64,
    ) -> f64 {
        let is_first_lower = self.over_ball[at[0]] <= self.over_ball[at[1]];
        let [lower, other] = if is_first_lower { at } else { [at[1], at[0]] };
        let [first, second] = [lower, other].map_each(|face| polytope.plane(face));
        let heights = |point: DVec3| [first.height_over(point), second.height_over(point)];
        let by_first = heights(self.seen_from(lower, first, frustum));
        let bound = lesser_of(by_first[0], by_first[1]);
        if bound >= limit {
            return bound;
        }
        let by_second = heights(self.seen_from(other, second, frustum));
        let bound = greater_of(bound, lesser_of(by_second[0], by_second[1]));
        let (x, y) = (by_first[0] - by_second[0], by_first[1] - by_second[1]);
        let squared = x * x + y * y - 2.0 * first.normal.dot(second.normal) * x * y;
        if !(squared > tolerances::CHORD_DIGITS * (x * x + y * y)) {
            // Nearly opposite normals: all digits cancel.
            return bound;
        }
        let [a, b, c, d] = [by_first[0], by_second[1], by_second[0], by_first[1]];
        let cross = a * b - c * d - self.rounding * (a.abs() + b.abs() + c.abs() + d.abs());
        greater_of(bound, cross / squared.sqrt())
    }
}
