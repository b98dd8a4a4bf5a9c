//! The triangles of a 3D convex hull by randomized incremental insertion with exact predicates.
//!
//! The points are inserted one after the other. A point inside of the hull so far is skipped. For a
//! point outside, the faces that are visible from it are visible by triangles between the point and
//! the horizon, which is the loop of edges around the visible faces.
//!
//! Each point that is still outside is on the conflict list of one face that is visible from it. So when
//! its turn comes, one visible face is known, and its neighbours lead to the others.
//!
//! The first few points are the farthest ones, as in Quickhull: that leaves most points of a solid
//! cloud inside. The other points come in a shuffled order. The expected cost is then O(n log n) for
//! all inputs, also for points on curves, for which the order of Quickhull takes quadratic time. The
//! shuffle has a fixed seed, and the finished hull does not depend on the order at all.
//!
//! A face is visible only from points strictly above its plane, which is decided exactly. So there are
//! no thick faces as in Quickhull. The faces of a facet are not visible from points in its plane; such
//! points add more triangles in that plane next to it. None of these is degenerate: the triangle that
//! was visible on the other side of the edge was visible, so the point is not collinear with the edge.
//!
//! Sources: K. L. Clarkson, P. W. Shor, "Applications of Random Sampling in Computational Geometry,
//! II", 1989, for the random order and its analysis; C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The
//! Quickhull Algorithm for Convex Hulls", 1996, for the conflict lists and the choice of the first
//! points.

use std::collections::VecDeque;

use clearance_math::DVec3;
use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;

use super::predicates::height;

/// The number of points that are inserted first because they are far from a face.
const FARTHEST_POINTS: usize = 24;

/// If there are at most this many new faces, a point whose face was replaced is tested against each.
const FEW_NEW_FACES: usize = 8;

/// Instead of the index of a point or a face: none.
const NONE: u32 = u32::MAX;

/// A face of the hull so far, or one that was replaced.
struct HullFace {
    /// The corners, counter-clockwise seen from outside.
    vertices: [u32; 3],
    /// The face across the edge from `vertices[k]` to `vertices[k + 1]`.
    ///
    /// While a point is inserted, a replaced face has the new faces as neighbours across horizon edges.
    neighbours: [u32; 3],
    /// The first point of the conflict list: the points that have been assigned to this face.
    first_conflict: u32,
    /// The last point that was tested against this face after it was replaced.
    tested: u32,
    is_alive: bool,
}

/// A horizon edge, which separates the faces that are visible from the new point from the hidden ones.
struct HorizonEdge {
    /// The visible face, which is going to be replaced.
    visible: u32,
    /// Which edge of the visible face it is.
    edge: usize,
    /// The hidden face on the other side.
    hidden: u32,
}

/// A triangle of the finished hull.
pub(super) struct HullTriangle {
    /// The indices of its points, counter-clockwise seen from outside.
    pub(super) vertices: [u32; 3],
    /// The index of the triangle across the edge from `vertices[k]` to `vertices[k + 1]`.
    pub(super) neighbours: [u32; 3],
}

/// A convex hull under construction.
pub(super) struct IncrementalHull<'a> {
    points: &'a [DVec3],
    faces: Vec<HullFace>,
    /// The indices of replaced faces, to be used again.
    free: Vec<u32>,
    /// For each point outside of the hull, the visible face to which it is assigned; [`NONE`] for other
    /// points.
    visible_face: Vec<u32>,
    /// For each point, the next point in the conflict list of its face.
    next_conflict: Vec<u32>,
    /// For each point on the horizon, the new face at the horizon edge that starts there.
    new_face_from: Vec<u32>,
    // The following lists are used by one insertion at a time, and kept to avoid allocations.
    /// The faces that are visible from the new point, which are going to be replaced.
    visible: Vec<u32>,
    horizon: Vec<HorizonEdge>,
    /// The faces between the new point and the horizon.
    new_faces: Vec<u32>,
    stack: Vec<u32>,
}

impl<'a> IncrementalHull<'a> {
    /// Starts with a tetrahedron. The last corner must be strictly below the plane of the other three,
    /// seen from where these are in counter-clockwise order.
    pub(super) fn new(points: &'a [DVec3], [a, b, c, d]: [u32; 4]) -> Self {
        let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let neighbours = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        let mut hull = Self {
            points,
            faces: Vec::new(),
            free: Vec::new(),
            visible_face: vec![NONE; points.len()],
            next_conflict: vec![NONE; points.len()],
            new_face_from: vec![NONE; points.len()],
            visible: Vec::new(),
            horizon: Vec::new(),
            new_faces: Vec::new(),
            stack: Vec::new(),
        };
        for (vertices, neighbours) in corners.into_iter().zip(neighbours) {
            let face = hull.add_face(vertices, neighbours);
            hull.new_faces.push(face);
        }
        for point in 0..points.len() as u32 {
            hull.assign_to_new_face(point);
        }
        hull
    }

    /// Inserts all points, and returns the triangles of the finished hull.
    pub(super) fn run(mut self) -> Vec<HullTriangle> {
        self.insert_farthest();
        for point in shuffled(self.points.len() as u32) {
            self.insert(point);
        }
        self.finish()
    }

    /// Inserts the points farthest from the first few faces.
    fn insert_farthest(&mut self) {
        let mut queue: VecDeque<u32> = self.new_faces.iter().copied().collect();
        let mut left = FARTHEST_POINTS;
        while left > 0
            && let Some(face) = queue.pop_front()
        {
            // If the index was used again, it is that of a newer face, which will do as well.
            if self.faces[face as usize].is_alive
                && let Some(point) = self.farthest_conflict(face)
            {
                self.insert(point);
                queue.extend(&self.new_faces);
                left -= 1;
            }
        }
    }

    /// The point on the conflict list of a face that is farthest from its plane.
    fn farthest_conflict(&self, face: u32) -> Option<u32> {
        let mut farthest = None;
        let mut greatest = 0.0;
        let mut point = self.faces[face as usize].first_conflict;
        while point != NONE {
            let height = self.height(face, point);
            if height > greatest {
                (farthest, greatest) = (Some(point), height);
            }
            point = self.next_conflict[point as usize];
        }
        farthest
    }

    /// Adds a face and returns its index.
    fn add_face(&mut self, vertices: [u32; 3], neighbours: [u32; 3]) -> u32 {
        let face = HullFace {
            vertices,
            neighbours,
            first_conflict: NONE,
            tested: NONE,
            is_alive: true,
        };
        if let Some(number) = self.free.pop() {
            self.faces[number as usize] = face;
            number
        } else {
            self.faces.push(face);
            self.faces.len() as u32 - 1
        }
    }

    /// The height of `point` above a face, times twice the area of the face; the sign is exact.
    fn height(&self, face: u32, point: u32) -> f64 {
        let corners = self.faces[face as usize]
            .vertices
            .map_each(|vertex| self.points[vertex as usize]);
        height(corners, self.points[point as usize])
    }

    /// Whether a face is visible from `point`, that is whether the point is strictly above its plane.
    fn is_visible(&self, face: u32, point: u32) -> bool {
        self.height(face, point) > 0.0
    }

    /// Puts `point` on the conflict list of a face that is visible from it.
    fn assign(&mut self, point: u32, face: u32) {
        self.visible_face[point as usize] = face;
        let first = &mut self.faces[face as usize].first_conflict;
        self.next_conflict[point as usize] = *first;
        *first = point;
    }

    /// Puts `point` on the conflict list of the first new face that is visible from it, if there is one.
    fn assign_to_new_face(&mut self, point: u32) {
        let visible = self
            .new_faces
            .iter()
            .find(|&&face| self.is_visible(face, point));
        match visible.copied() {
            Some(face) => self.assign(point, face),
            None => self.visible_face[point as usize] = NONE,
        }
    }

    /// Replaces the faces that are visible from `point` by triangles between it and the horizon. Does
    /// nothing for a point that is not outside of the hull.
    fn insert(&mut self, point: u32) {
        let first = self.visible_face[point as usize];
        if first == NONE {
            return;
        }
        self.find_horizon(point, first);
        self.add_new_faces(point);
        self.visible_face[point as usize] = NONE;
        let visible = core::mem::take(&mut self.visible);
        for &face in &visible {
            let mut conflict = self.faces[face as usize].first_conflict;
            while conflict != NONE {
                let next = self.next_conflict[conflict as usize];
                if conflict != point {
                    self.reassign(conflict, face);
                }
                conflict = next;
            }
        }
        self.free.extend(&visible);
        self.visible = visible;
    }

    /// Finds all faces that are visible from `point` and the horizon around them. `first` is one of the
    /// visible faces.
    fn find_horizon(&mut self, point: u32, first: u32) {
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(first);
        self.faces[first as usize].is_alive = false;
        let mut next = 0;
        while let Some(&visible) = self.visible.get(next) {
            next += 1;
            for edge in 0..3 {
                let other = self.faces[visible as usize].neighbours[edge];
                if !self.faces[other as usize].is_alive {
                    continue;
                }
                if self.is_visible(other, point) {
                    self.faces[other as usize].is_alive = false;
                    self.visible.push(other);
                } else {
                    self.horizon.push(HorizonEdge {
                        visible,
                        edge,
                        hidden: other,
                    });
                }
            }
        }
    }

    /// Adds a triangle between `point` and each horizon edge.
    fn add_new_faces(&mut self, point: u32) {
        self.new_faces.clear();
        let horizon = core::mem::take(&mut self.horizon);
        for &HorizonEdge {
            visible,
            edge,
            hidden,
        } in &horizon
        {
            let corners = self.faces[visible as usize].vertices;
            let [a, b] = [corners[edge], corners[(edge + 1) % 3]];
            let number = self.add_face([a, b, point], [hidden, NONE, NONE]);
            self.new_faces.push(number);
            self.new_face_from[a as usize] = number;
            self.faces[visible as usize].neighbours[edge] = number;
            let hidden = &mut self.faces[hidden as usize];
            for k in 0..3 {
                if hidden.vertices[k] == b {
                    hidden.neighbours[k] = number;
                }
            }
        }
        self.horizon = horizon;
        for &number in &self.new_faces {
            let end = self.faces[number as usize].vertices[1];
            let next = self.new_face_from[end as usize];
            self.faces[number as usize].neighbours[1] = next;
            self.faces[next as usize].neighbours[2] = number;
        }
    }

    /// Moves a point from the conflict list of `face`, which was replaced, to that of a new face that is
    /// visible from it, if there is one.
    ///
    /// Only some new faces need to be tested. Take the replaced faces that are visible from the point, and
    /// of these the connected region around `face`: only new faces next to this region matter. All faces visible from the point are connected,
    /// so either the region contains all replaced faces visible from it, or the region ends at a
    /// horizon edge with visible faces on both sides. A new face lies between the two faces that met at
    /// its horizon edge: it is visible wherever both are, and hidden wherever both are
    /// hidden.
    fn reassign(&mut self, point: u32, face: u32) {
        if self.new_faces.len() <= FEW_NEW_FACES {
            return self.assign_to_new_face(point);
        }
        let mut stack = core::mem::take(&mut self.stack);
        stack.clear();
        stack.push(face);
        self.faces[face as usize].tested = point;
        let found = self.new_face_around(point, &mut stack);
        self.stack = stack;
        match found {
            Some(new) => self.assign(point, new),
            None => self.visible_face[point as usize] = NONE,
        }
    }

    /// The first new face that is visible from `point`, next to the region of replaced faces visible from
    /// it. The region is searched from the faces on `stack`.
    fn new_face_around(&mut self, point: u32, stack: &mut Vec<u32>) -> Option<u32> {
        while let Some(face) = stack.pop() {
            for other in self.faces[face as usize].neighbours {
                let HullFace {
                    tested, is_alive, ..
                } = self.faces[other as usize];
                if tested == point {
                    continue;
                }
                self.faces[other as usize].tested = point;
                if self.is_visible(other, point) {
                    if is_alive {
                        return Some(other);
                    }
                    stack.push(other);
                }
            }
        }
        None
    }

    /// The faces that were not replaced, with consecutive indices.
    fn finish(self) -> Vec<HullTriangle> {
        let mut number = 0;
        let renumbered: Vec<u32> = self
            .faces
            .iter()
            .map(|face| {
                number += u32::from(face.is_alive);
                number.wrapping_sub(1)
            })
            .collect();
        self.faces
            .iter()
            .filter(|face| face.is_alive)
            .map(|face| HullTriangle {
                vertices: face.vertices,
                neighbours: face.neighbours.map_each(|old| renumbered[old as usize]),
            })
            .collect()
    }
}

/// The numbers from 0 to `count - 1` in a biased randomized insertion order, which is always the same.
///
/// A random half of the numbers is at the end, a random half of the others before it, and so on. Within
/// each of these rounds the numbers ascend. This is random enough for the expected cost. Points that
/// are neighbours along the first axis, which often have faces in common, mostly come one after the
/// other, so their faces are often still in the processor's cache. For 100,000 points on a sphere it takes two thirds
/// of the time of a full shuffle.
///
/// Sources: N. Amenta, S. Choi, G. Rote, "Incremental Constructions con BRIO", 2003, for the order; G. L.
/// Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", 2014, for the generator
/// SplitMix64.
fn shuffled(count: u32) -> Vec<u32> {
    let mut state = 0_u64;
    let mut round = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31).leading_zeros()
    };
    let mut order: Vec<(u32, u32)> = (0..count).map(|point| (round(), point)).collect();
    heap_sort(&mut order, |one, other| (other.0, one.1) < (one.0, other.1));
    order.into_iter().map(|(_, point)| point).collect()
}
