//! The boundary of a polyhedron as triangles, by incremental insertion with exact predicates.
//!
//! The points are inserted one after the other; a point outside replaces the triangles that it sees
//! by triangles from it to their border. Each point that is still outside remembers one triangle
//! that it sees, so that nothing has to be searched when its turn comes.
//!
//! The first few points are the farthest ones, which leaves most points of a solid cloud inside.
//! The others come in a shuffled order, which makes the expected cost O(n log n) for any points,
//! also for those on curves, where the order of Quickhull takes quadratic time.
//! The shuffle has a fixed seed, and the finished hull does not depend on the order at all.
//!
//! Sources: K. L. Clarkson, P. W. Shor, "Applications of Random Sampling in Computational Geometry,
//! II", 1989, for the random order and its analysis; C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The
//! Quickhull Algorithm for Convex Hulls", 1996, for the lists of points and the first few. Unlike
//! there, no face is thick, because the side of a plane is known exactly: a point sees a triangle only if it
//! lies strictly above. Points in the plane of a facet then never see its triangles, they add
//! triangles in the same plane next to it; none of these is degenerate, because the triangle that
//! they replace was seen, hence not in line with the point.

use core::cmp::Reverse;
use std::collections::VecDeque;

use clearance_math::DVec3;

use super::exact::height;

/// How many of the first points are the farthest from a face, not shuffled ones.
const FARTHEST_POINTS: usize = 24;

/// Up to so many new faces, a point that lost its face is tested against each of them.
const FEW_FACES: usize = 8;

/// No point, no face.
const NONE: u32 = u32::MAX;

/// A triangle of the boundary, or one that was replaced.
struct Face {
    /// Counter-clockwise seen from outside.
    vertices: [u32; 3],
    /// The face across the edge from `vertices[k]` to `vertices[k + 1]`.
    ///
    /// Of a face that was just replaced, across an edge of the border: the new face there.
    neighbours: [u32; 3],
    /// The first point of the list of points that remember this face.
    first_outside: u32,
    /// The last point that was tested against this face after it was replaced.
    tested: u32,
    alive: bool,
}

/// An edge of the border between the faces that the new point sees and the others.
struct BorderEdge {
    /// The face that goes away, and which of its edges.
    inside: (u32, usize),
    /// The face that stays.
    beyond: u32,
}

/// A triangle of the finished boundary.
pub(super) struct Triangle {
    /// Positions of the points, counter-clockwise seen from outside.
    pub(super) vertices: [u32; 3],
    /// The position of the triangle across the edge from `vertices[k]` to `vertices[k + 1]`.
    pub(super) neighbours: [u32; 3],
}

/// The state of the construction.
pub(super) struct Insertion<'a> {
    points: &'a [DVec3],
    faces: Vec<Face>,
    /// The numbers of faces that were replaced, to be used again.
    free: Vec<u32>,
    /// For each point a face that it sees, [`NONE`] if it is not outside.
    sees: Vec<u32>,
    /// For each point the next one in the list of its face.
    next_outside: Vec<u32>,
    /// For each point on the border the new face whose border edge starts there.
    face_from: Vec<u32>,
    // What one insertion uses, kept to save allocations.
    replaced: Vec<u32>,
    border: Vec<BorderEdge>,
    new: Vec<u32>,
    stack: Vec<u32>,
}

impl<'a> Insertion<'a> {
    /// Starts with a tetrahedron, whose last corner lies strictly below the first three.
    pub(super) fn new(points: &'a [DVec3], [a, b, c, d]: [u32; 4]) -> Self {
        let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let neighbours = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        let mut hull = Self {
            points,
            faces: Vec::new(),
            free: Vec::new(),
            sees: vec![NONE; points.len()],
            next_outside: vec![NONE; points.len()],
            face_from: vec![NONE; points.len()],
            replaced: Vec::new(),
            border: Vec::new(),
            new: Vec::new(),
            stack: Vec::new(),
        };
        for (vertices, neighbours) in corners.into_iter().zip(neighbours) {
            let face = hull.add_face(vertices, neighbours);
            hull.new.push(face);
        }
        for point in 0..points.len() as u32 {
            hull.assign_to_new(point);
        }
        hull
    }

    /// Takes in all points and hands out the boundary.
    pub(super) fn run(mut self) -> Vec<Triangle> {
        self.insert_farthest();
        for point in shuffled(self.points.len() as u32) {
            self.insert(point);
        }
        self.finish()
    }

    /// Inserts the farthest points of the first few faces.
    fn insert_farthest(&mut self) {
        let mut queue: VecDeque<u32> = self.new.iter().copied().collect();
        let mut left = FARTHEST_POINTS;
        while left > 0
            && let Some(face) = queue.pop_front()
        {
            // A number that was used again stands for the newer face, which is as good.
            if self.faces[face as usize].alive
                && let Some(point) = self.farthest_outside(face)
            {
                self.insert(point);
                queue.extend(&self.new);
                left -= 1;
            }
        }
    }

    /// The farthest point of the list of a face.
    fn farthest_outside(&self, face: u32) -> Option<u32> {
        let mut farthest = None;
        let mut greatest = 0.0;
        let mut point = self.faces[face as usize].first_outside;
        while point != NONE {
            let height = self.height(face, point);
            if height > greatest {
                (farthest, greatest) = (Some(point), height);
            }
            point = self.next_outside[point as usize];
        }
        farthest
    }

    /// Adds a face and returns its number.
    fn add_face(&mut self, vertices: [u32; 3], neighbours: [u32; 3]) -> u32 {
        let face = Face {
            vertices,
            neighbours,
            first_outside: NONE,
            tested: NONE,
            alive: true,
        };
        if let Some(number) = self.free.pop() {
            self.faces[number as usize] = face;
            number
        } else {
            self.faces.push(face);
            self.faces.len() as u32 - 1
        }
    }

    /// How far `point` is above face `face`, up to a factor of the face; the sign is exact.
    fn height(&self, face: u32, point: u32) -> f64 {
        let corners = self.faces[face as usize]
            .vertices
            .map(|vertex| self.points[vertex as usize]);
        height(corners, self.points[point as usize])
    }

    /// Whether `point` lies strictly above face `face`.
    fn is_above(&self, face: u32, point: u32) -> bool {
        self.height(face, point) > 0.0
    }

    /// Puts `point` on the list of a face that it sees.
    fn assign(&mut self, point: u32, face: u32) {
        self.sees[point as usize] = face;
        let first = &mut self.faces[face as usize].first_outside;
        self.next_outside[point as usize] = *first;
        *first = point;
    }

    /// Assigns `point` to the first new face that it sees, or to none.
    fn assign_to_new(&mut self, point: u32) {
        let seen = self.new.iter().find(|&&face| self.is_above(face, point));
        match seen.copied() {
            Some(face) => self.assign(point, face),
            None => self.sees[point as usize] = NONE,
        }
    }

    /// Replaces what `point` sees by triangles from it to the border of that; nothing for a point
    /// that is not outside.
    fn insert(&mut self, point: u32) {
        let seen = self.sees[point as usize];
        if seen == NONE {
            return;
        }
        self.collect_seen(point, seen);
        self.add_cone(point);
        self.sees[point as usize] = NONE;
        let replaced = core::mem::take(&mut self.replaced);
        for &face in &replaced {
            let mut orphan = self.faces[face as usize].first_outside;
            while orphan != NONE {
                let next = self.next_outside[orphan as usize];
                if orphan != point {
                    self.reassign(orphan, face);
                }
                orphan = next;
            }
        }
        self.free.extend(&replaced);
        self.replaced = replaced;
    }

    /// Finds all faces that `point` sees, of which `seen` is one, and the edges around them.
    fn collect_seen(&mut self, point: u32, seen: u32) {
        self.replaced.clear();
        self.border.clear();
        self.replaced.push(seen);
        self.faces[seen as usize].alive = false;
        let mut next = 0;
        while let Some(&number) = self.replaced.get(next) {
            next += 1;
            for k in 0..3 {
                let beyond = self.faces[number as usize].neighbours[k];
                if !self.faces[beyond as usize].alive {
                    continue;
                }
                if self.is_above(beyond, point) {
                    self.faces[beyond as usize].alive = false;
                    self.replaced.push(beyond);
                } else {
                    let inside = (number, k);
                    self.border.push(BorderEdge { inside, beyond });
                }
            }
        }
    }

    /// Adds the triangles from `point` to the border.
    fn add_cone(&mut self, point: u32) {
        self.new.clear();
        let border = core::mem::take(&mut self.border);
        for &BorderEdge {
            inside: (inside, k),
            beyond,
        } in &border
        {
            let corners = self.faces[inside as usize].vertices;
            let [a, b] = [corners[k], corners[(k + 1) % 3]];
            let number = self.add_face([a, b, point], [beyond, NONE, NONE]);
            self.new.push(number);
            self.face_from[a as usize] = number;
            self.faces[inside as usize].neighbours[k] = number;
            let beyond = &mut self.faces[beyond as usize];
            for k in 0..3 {
                if beyond.vertices[k] == b {
                    beyond.neighbours[k] = number;
                }
            }
        }
        self.border = border;
        for &number in &self.new {
            let end = self.faces[number as usize].vertices[1];
            let next = self.face_from[end as usize];
            self.faces[number as usize].neighbours[1] = next;
            self.faces[next as usize].neighbours[2] = number;
        }
    }

    /// Finds a new face for a point that saw `face`, which was replaced.
    ///
    /// Only new faces next to the region of replaced faces that the point saw around `face` need to be
    /// tested. The faces that the point saw are connected. So this region either holds all replaced
    /// faces that it saw, or ends at an edge of the border with seen faces on both sides. A new face
    /// lies between the two faces that met at its border edge: whoever sees both sees the new face, and whoever sees
    /// neither does not see it.
    fn reassign(&mut self, point: u32, face: u32) {
        if self.new.len() <= FEW_FACES {
            return self.assign_to_new(point);
        }
        let mut stack = core::mem::take(&mut self.stack);
        stack.clear();
        stack.push(face);
        self.faces[face as usize].tested = point;
        let found = self.new_face_around(point, &mut stack);
        self.stack = stack;
        match found {
            Some(new) => self.assign(point, new),
            None => self.sees[point as usize] = NONE,
        }
    }

    /// The first new face that `point` sees, next to a region of replaced faces that it sees.
    fn new_face_around(&mut self, point: u32, stack: &mut Vec<u32>) -> Option<u32> {
        while let Some(inside) = stack.pop() {
            for other in self.faces[inside as usize].neighbours {
                let Face { tested, alive, .. } = self.faces[other as usize];
                if tested == point {
                    continue;
                }
                self.faces[other as usize].tested = point;
                if self.is_above(other, point) {
                    if alive {
                        return Some(other);
                    }
                    stack.push(other);
                }
            }
        }
        None
    }

    /// The faces that are left, numbered anew.
    fn finish(self) -> Vec<Triangle> {
        let mut number = 0;
        let renumbered: Vec<u32> = self
            .faces
            .iter()
            .map(|face| {
                number += u32::from(face.alive);
                number.wrapping_sub(1)
            })
            .collect();
        self.faces
            .iter()
            .filter(|face| face.alive)
            .map(|face| Triangle {
                vertices: face.vertices,
                neighbours: face.neighbours.map(|old| renumbered[old as usize]),
            })
            .collect()
    }
}

/// The numbers from 0 to `count - 1`: a random half of them in ascending order at the end, half of the
/// rest before it, and so on; always the same order.
///
/// This is random enough for the expected cost, and points that are neighbours along the first axis,
/// which share faces, mostly come one after the other: two thirds of the time of
/// a full shuffle for 100,000 points on a sphere (N. Amenta, S. Choi, G. Rote, "Incremental Constructions con BRIO", 2003). The generator
/// is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
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
    order.sort_by_key(|&(round, _)| Reverse(round));
    order.into_iter().map(|(_, point)| point).collect()
}
