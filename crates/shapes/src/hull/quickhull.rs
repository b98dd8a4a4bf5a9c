//! The boundary of a polyhedron as triangles, by Quickhull with exact predicates.
//!
//! Source: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls",
//! 1996, with one change: as the side of a plane is known exactly, no face is thick.
//! A point sees a triangle only if it lies strictly above. Points in the plane of a facet then
//! never touch its triangles, they add triangles in the same plane next to it; none of these is
//! degenerate, because the triangle that they replace was seen, hence not in line with the point.

use clearance_math::DVec3;

use super::exact::height;

/// A triangle of the boundary.
struct Face {
    /// Counter-clockwise seen from outside.
    vertices: [u32; 3],
    /// The face across the edge from `vertices[k]` to `vertices[k + 1]`.
    neighbours: [u32; 3],
    /// Points strictly above, each in the list of one face only; the farthest comes last.
    outside: Vec<u32>,
    /// The height of the farthest point.
    farthest: f64,
    alive: bool,
}

/// An edge between a face that the new point sees and one that it does not.
struct Horizon {
    /// As the face that goes away runs through it.
    edge: [u32; 2],
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
pub(super) struct Quickhull<'a> {
    points: &'a [DVec3],
    faces: Vec<Face>,
    /// Faces that may have points outside.
    pending: Vec<u32>,
    /// For each point on the horizon the new face whose edge on the horizon starts there.
    face_from: Vec<u32>,
}

impl<'a> Quickhull<'a> {
    /// Starts with a tetrahedron, whose last corner lies strictly below the first three.
    pub(super) fn new(points: &'a [DVec3], [a, b, c, d]: [u32; 4]) -> Self {
        let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let neighbours = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        let mut hull = Self {
            points,
            faces: Vec::new(),
            pending: Vec::new(),
            face_from: vec![0; points.len()],
        };
        for (vertices, neighbours) in corners.into_iter().zip(neighbours) {
            hull.add_face(vertices, neighbours);
        }
        for point in 0..points.len() as u32 {
            hull.assign(point, 0);
        }
        hull
    }

    /// Takes in all points and hands out the boundary.
    pub(super) fn run(mut self) -> Vec<Triangle> {
        while let Some(face) = self.pending.pop() {
            if let Some(point) = self.faces[face as usize].outside.pop() {
                self.add_point(point, face);
            }
        }
        self.finish()
    }

    /// Adds a face and returns its number.
    fn add_face(&mut self, vertices: [u32; 3], neighbours: [u32; 3]) -> u32 {
        let number = self.faces.len() as u32;
        self.faces.push(Face {
            vertices,
            neighbours,
            outside: Vec::new(),
            farthest: 0.0,
            alive: true,
        });
        self.pending.push(number);
        number
    }

    /// How far `point` is above face `face`, up to a factor of the face; the sign is exact.
    fn height(&self, face: u32, point: u32) -> f64 {
        let corners = self.faces[face as usize]
            .vertices
            .map(|vertex| self.points[vertex as usize]);
        height(corners, self.points[point as usize])
    }

    /// Puts `point` on the list of the first face from number `first` on that it sees, if any.
    fn assign(&mut self, point: u32, first: u32) {
        for number in first..self.faces.len() as u32 {
            let height = self.height(number, point);
            if height > 0.0 {
                let face = &mut self.faces[number as usize];
                face.outside.push(point);
                if height > face.farthest {
                    face.farthest = height;
                } else {
                    let last = face.outside.len() - 1;
                    face.outside.swap(last - 1, last);
                }
                return;
            }
        }
    }

    /// Replaces what `point` sees, `seen` among it, by triangles from it to the horizon.
    fn add_point(&mut self, point: u32, seen: u32) {
        let (horizon, orphans) = self.remove_seen(point, seen);
        let first = self.faces.len() as u32;
        for Horizon {
            edge: [a, b],
            beyond,
        } in horizon
        {
            let number = self.add_face([a, b, point], [beyond, 0, 0]);
            self.face_from[a as usize] = number;
            let beyond = &mut self.faces[beyond as usize];
            for k in 0..3 {
                if beyond.vertices[k] == b {
                    beyond.neighbours[k] = number;
                }
            }
        }
        for number in first..self.faces.len() as u32 {
            let end = self.faces[number as usize].vertices[1];
            let next = self.face_from[end as usize];
            self.faces[number as usize].neighbours[1] = next;
            self.faces[next as usize].neighbours[2] = number;
        }
        // A point above a face that went away sees one of the new ones or lies within.
        for orphan in orphans {
            self.assign(orphan, first);
        }
    }

    /// Removes all faces that `point` sees, of which `seen` is one; returns the edges around them
    /// and the points of their lists.
    fn remove_seen(&mut self, point: u32, seen: u32) -> (Vec<Horizon>, Vec<u32>) {
        let (mut horizon, mut orphans) = (Vec::new(), Vec::new());
        let mut stack = vec![seen];
        self.faces[seen as usize].alive = false;
        while let Some(number) = stack.pop() {
            let face = &mut self.faces[number as usize];
            orphans.append(&mut face.outside);
            let (vertices, neighbours) = (face.vertices, face.neighbours);
            for k in 0..3 {
                let beyond = neighbours[k];
                if !self.faces[beyond as usize].alive {
                    continue;
                }
                if self.height(beyond, point) > 0.0 {
                    self.faces[beyond as usize].alive = false;
                    stack.push(beyond);
                } else {
                    let edge = [vertices[k], vertices[(k + 1) % 3]];
                    horizon.push(Horizon { edge, beyond });
                }
            }
        }
        (horizon, orphans)
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
