//! The expanding polytope in space: a closed surface of triangles inside the difference.

use arrayvec::ArrayVec;
use clearance_math::DVec3;
use clearance_math::tolerances::{COPLANAR, FOOT_SLACK, LEVEL, SLIVER, THIN};

use crate::difference::Vertex;

/// The number of a vertex or of a face.
type Index = u16;

/// How many faces are looked at together.
const LANES: usize = 4;

/// The plane of a triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Unit normal, outward; zero for a sliver.
    pub(super) normal: DVec3,
    /// `normal . vertex`, infinite for a sliver: it lies within its neighbours up to rounding.
    pub(super) distance: f64,
    index: Index,
}

/// How a triangle hangs together with others.
#[derive(Clone, Copy, Default)]
struct Links {
    /// The vertices, counter-clockwise seen from outside.
    corners: [Index; 3],
    /// The face across the edge from each corner to the next, and which of its edges that is.
    neighbours: [(Index, Index); 3],
}

/// Some faces beside each other, so that their planes can be looked at together.
#[derive(Clone, Copy)]
struct Block {
    /// The components of the normals: first all x, then all y, then all z.
    normals: [[f64; LANES]; 3],
    /// Infinite for slivers and for places that no face has taken yet.
    distances: [f64; LANES],
    links: [Links; LANES],
    /// Whether the vertex that is being added is in front of the face.
    is_seen: [bool; LANES],
}

impl Block {
    const VACANT: Self = Self {
        normals: [[0.0; LANES]; 3],
        distances: [f64::INFINITY; LANES],
        links: [Links {
            corners: [0; 3],
            neighbours: [(0, 0); 3],
        }; LANES],
        is_seen: [false; LANES],
    };

    #[inline]
    fn plane(&self, lane: usize) -> (DVec3, f64) {
        let [x, y, z] = self.normals.map(|row| row[lane]);
        (DVec3::new(x, y, z), self.distances[lane])
    }

    #[inline]
    fn set_plane(&mut self, lane: usize, (normal, distance): (DVec3, f64)) {
        for (row, component) in self.normals.iter_mut().zip(normal.to_array()) {
            row[lane] = component;
        }
        self.distances[lane] = distance;
    }
}

/// An edge between a face that is seen, on its left, and one that is not.
#[derive(Clone, Copy, Default)]
struct RimEdge {
    to: Index,
    /// The face that stays, and which of its edges this is.
    outer: (Index, Index),
}

/// A closed surface of at most VERTICES vertices that grows outwards.
///
/// BLOCKS is half as many: a closed surface of n vertices has 2 n - 4 triangles, four to a block.
///
/// Replacing a patch of faces by the cone from its rim keeps the surface closed whatever rounding
/// decides about single faces, so once every face has the origin behind it, a ball about
/// the origin that reaches no face lies inside the difference.
pub(super) struct Polytope<const VERTICES: usize, const BLOCKS: usize> {
    vertices: ArrayVec<Vertex<DVec3>, VERTICES>,
    blocks: ArrayVec<Block, BLOCKS>,
    face_count: usize,
    /// The faces that have the vertex that is being added in front of them.
    seen: [[Index; LANES]; BLOCKS],
    seen_count: usize,
    /// For each vertex of the rim the edge that begins there.
    rim: [RimEdge; VERTICES],
    /// The square of the worst ratio of the product of two edges to the area between them.
    worst_ratio: f64,
    /// How far a vertex was behind a face that was taken with the patch around it, at most.
    blur: f64,
    /// How wide all slivers were together.
    sliver_width: f64,
}

/// The block and the lane of a face.
#[inline]
fn place(face: Index) -> (usize, usize) {
    let face = usize::from(face);
    (face / LANES, face % LANES)
}

impl<const VERTICES: usize, const BLOCKS: usize> Polytope<VERTICES, BLOCKS> {
    /// No surface yet.
    ///
    /// Twenty kilobytes or a hundred that must stay where they are made: hand them on by reference.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            vertices: ArrayVec::new(),
            blocks: ArrayVec::new(),
            face_count: 0,
            seen: [[0; LANES]; BLOCKS],
            seen_count: 0,
            rim: [RimEdge::default(); VERTICES],
            worst_ratio: 1.0,
            blur: 0.0,
            sliver_width: 0.0,
        }
    }

    /// Begins with the surface of a tetrahedron, in either orientation.
    pub(super) fn start(&mut self, mut corners: [Vertex<DVec3>; 4]) {
        let [a, b, c, d] = corners.map(|v| v.point);
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            corners.swap(1, 2);
        }
        self.vertices.extend(corners);
        self.blocks.push(Block::VACANT);
        self.face_count = LANES;
        const FACES: [Links; LANES] = [
            Links {
                corners: [0, 1, 2],
                neighbours: [(1, 0), (2, 0), (3, 0)],
            },
            Links {
                corners: [1, 0, 3],
                neighbours: [(0, 0), (3, 2), (2, 1)],
            },
            Links {
                corners: [2, 1, 3],
                neighbours: [(0, 1), (1, 2), (3, 1)],
            },
            Links {
                corners: [0, 2, 3],
                neighbours: [(0, 2), (2, 2), (1, 1)],
            },
        ];
        for (lane, links) in FACES.into_iter().enumerate() {
            let plane = self.plane_across(links.corners);
            self.blocks[0].links[lane] = links;
            self.blocks[0].set_plane(lane, plane);
        }
    }

    fn links(&self, face: Index) -> &Links {
        let (block, lane) = place(face);
        &self.blocks[block].links[lane]
    }

    fn is_seen(&self, face: Index) -> bool {
        let (block, lane) = place(face);
        self.blocks[block].is_seen[lane]
    }

    fn plane(&self, face: Index) -> (DVec3, f64) {
        let (block, lane) = place(face);
        self.blocks[block].plane(lane)
    }

    fn faces(&self) -> impl Iterator<Item = Index> + use<VERTICES, BLOCKS> {
        0..self.face_count as Index
    }

    pub(super) fn is_full(&self) -> bool {
        self.vertices.is_full()
    }

    /// How wide all faces together were whose planes are not known.
    pub(super) fn sliver_width(&self) -> f64 {
        self.sliver_width
    }

    pub(super) fn contains(&self, vertex: &Vertex<DVec3>) -> bool {
        self.vertices.iter().any(|v| v.point == vertex.point)
    }

    /// The face whose plane is nearest the origin.
    pub(super) fn nearest_face(&self) -> Face {
        // A running minimum a lane, and selections instead of branches.
        let mut least = [f64::INFINITY; LANES];
        let mut found_in = [0u64; LANES];
        for (number, block) in self.blocks.iter().enumerate() {
            for lane in 0..LANES {
                let distance = block.distances[lane];
                let is_nearer = distance < least[lane];
                least[lane] = if is_nearer { distance } else { least[lane] };
                found_in[lane] = if is_nearer { number as u64 } else { found_in[lane] };
            }
        }
        let nearest = (1..LANES).fold(0, |nearest, lane| {
            if least[lane] < least[nearest] { lane } else { nearest }
        });
        let block = found_in[nearest] as usize;
        let (normal, distance) = self.blocks[block].plane(nearest);
        Face {
            normal,
            distance,
            index: (block * LANES + nearest) as Index,
        }
    }

    /// How far rounding can have moved the plane of any face so far, of vertices within `scale`.
    ///
    /// A cross product is off by a few units in the last place of the product of its edges: the
    /// direction by that over the area, the distance by that times the scale.
    pub(super) fn slack(&self, scale: f64) -> f64 {
        8.0 * f64::EPSILON * scale * self.worst_ratio.sqrt() + self.blur + self.sliver_width
    }

    /// The witness points at the foot of the perpendicular from the origin to a face, or to one that
    /// continues it: as near up to `gap`, its normal the same up to [`COPLANAR`].
    ///
    /// Where a flat end of the difference is cut into triangles, all of them are equally near, and
    /// one of them holds the foot.
    pub(super) fn foot(&self, face: &Face, gap: f64) -> Option<(DVec3, DVec3)> {
        let continues = |&other: &Index| {
            let (normal, distance) = self.plane(other);
            distance <= face.distance + gap && normal.dot(face.normal) >= 1.0 - COPLANAR
        };
        (self.faces().filter(continues)).find_map(|other| self.foot_on_face(other))
    }

    fn foot_on_face(&self, face: Index) -> Option<(DVec3, DVec3)> {
        let (normal, distance) = self.plane(face);
        let corners = self.links(face).corners;
        let corners = corners.map(|k| &self.vertices[usize::from(k)]);
        let [a, b, c] = corners.map(|v| v.point - normal * distance);
        let areas = [b.cross(c), c.cross(a), a.cross(b)].map(|cross| cross.dot(normal));
        let whole: f64 = areas.iter().sum();
        if !(whole > 0.0) || areas.iter().any(|area| *area < -FOOT_SLACK * whole) {
            return None;
        }
        // Held to the face: outside of it the points would not lie on the shapes.
        let areas = areas.map(|area| area.max(0.0));
        let whole: f64 = areas.iter().sum();
        let mut points = (DVec3::ZERO, DVec3::ZERO);
        for (corner, area) in corners.into_iter().zip(areas) {
            points.0 += corner.on_a * (area / whole);
            points.1 += corner.on_b * (area / whole);
        }
        Some(points)
    }

    /// Replaces the patch of faces around `face` that see `vertex` by the cone from its rim.
    ///
    /// Returns false, and the surface is of no more use, where that fails: the face does not see
    /// it, there is no more room, or rounding has left a patch with a hole.
    pub(super) fn add(&mut self, face: &Face, vertex: Vertex<DVec3>, visible_above: f64) -> bool {
        self.look_from(vertex.point, visible_above);
        let (mut rim, mut start) = self.find_rim();
        // A patch of k triangles without holes has k + 2 edges around it. More means that faces
        // elsewhere, all but level with the vertex, count as seen by a rounding error.
        if rim != self.seen_count + 2 {
            self.keep_connected(face.index);
            self.fill_holes(vertex.point, visible_above);
            (rim, start) = self.find_rim();
        }
        if self.seen_count == 0 || rim != self.seen_count + 2 {
            return false;
        }
        let mut spokes = ArrayVec::<DVec3, VERTICES>::new();
        let mut at = start;
        for step in 0..rim {
            spokes.push(self.vertices[usize::from(at)].point - vertex.point);
            at = self.rim[usize::from(at)].to;
            // Once around, and not before: otherwise the rim crosses itself.
            if (at == start) != (step + 1 == rim) || spokes.is_full() {
                return false;
            }
        }
        spokes.push(spokes[0]);
        self.vertices.push(vertex);
        self.replace_patch(start, rim);
        self.set_planes(&spokes);
        true
    }

    /// Puts the faces of the cone in the places of those seen, and two more: a closed surface has
    /// two faces more for each vertex more.
    fn replace_patch(&mut self, start: Index, rim: usize) {
        let apex = (self.vertices.len() - 1) as Index;
        for face in self.face_count..self.face_count + 2 {
            if face.is_multiple_of(LANES) {
                self.blocks.push(Block::VACANT);
            }
            self.seen.as_flattened_mut()[self.seen_count] = face as Index;
            self.seen_count += 1;
        }
        self.face_count += 2;
        let seen = &self.seen.as_flattened()[..rim];
        let (mut from, mut before) = (start, seen[rim - 1]);
        for (step, &face) in seen.iter().enumerate() {
            let RimEdge { to, outer } = self.rim[usize::from(from)];
            let after = if step + 1 == rim { seen[0] } else { seen[step + 1] };
            let (block, lane) = place(face);
            self.blocks[block].links[lane] = Links {
                corners: [from, to, apex],
                neighbours: [outer, (after, 2), (before, 1)],
            };
            let (block, lane) = place(outer.0);
            self.blocks[block].links[lane].neighbours[usize::from(outer.1)] = (face, 0);
            (from, before) = (to, face);
        }
    }

    /// The planes of the faces of the cone: each lies between two spokes, the edges from the apex to
    /// the rim; the last spoke is the first again.
    fn set_planes(&mut self, spokes: &[DVec3]) {
        let rim = spokes.len() - 1;
        let apex = self.vertices[self.vertices.len() - 1].point;
        for first in (0..rim).step_by(LANES) {
            let mut fan = Fan::default();
            for lane in 0..LANES {
                let k = (first + lane).min(rim - 1);
                fan.set_spokes(lane, [spokes[k], spokes[k + 1]]);
            }
            let planes = fan.planes();
            for lane in 0..LANES.min(rim - first) {
                let face = self.seen.as_flattened()[first + lane];
                let (block, in_block) = place(face);
                let plane = if planes.product[lane] < THIN * planes.area[lane] {
                    if planes.product[lane] > self.worst_ratio * planes.area[lane] {
                        self.worst_ratio = planes.product[lane] / planes.area[lane];
                    }
                    let [x, y, z] = planes.normals.map(|row| row[lane]);
                    let normal = DVec3::new(x, y, z);
                    (normal, normal.dot(apex))
                } else {
                    let corners = self.links(face).corners;
                    self.thin_face(corners)
                };
                self.blocks[block].set_plane(in_block, plane);
            }
        }
    }

    /// Finds the faces that have `point` in front of them.
    ///
    /// What is seen cannot be predicted, so everything is written and only what counts is counted.
    fn look_from(&mut self, point: DVec3, visible_above: f64) {
        let seen = self.seen.as_flattened_mut();
        let mut count = 0;
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let [x, y, z] = &block.normals;
            let mut above = [0.0; LANES];
            for lane in 0..LANES {
                let height = x[lane] * point.x + y[lane] * point.y + z[lane] * point.z;
                above[lane] = height - block.distances[lane];
            }
            for lane in 0..LANES {
                let is_seen = above[lane] > visible_above;
                block.is_seen[lane] = is_seen;
                seen[count] = (number * LANES + lane) as Index;
                count += usize::from(is_seen);
            }
        }
        self.seen_count = count;
    }

    /// Of the faces seen, keeps those that hang together with the one at `first`.
    #[cold]
    fn keep_connected(&mut self, first: Index) {
        let mut all = [[false; LANES]; BLOCKS];
        for (was_seen, block) in all.iter_mut().zip(&mut self.blocks) {
            *was_seen = core::mem::take(&mut block.is_seen);
        }
        let was_seen = all.as_flattened();
        self.seen_count = 0;
        if was_seen[usize::from(first)] {
            self.take(first);
        }
        let mut next = 0;
        while next < self.seen_count {
            let face = self.seen.as_flattened()[next];
            for (neighbour, _) in self.links(face).neighbours {
                if was_seen[usize::from(neighbour)] && !self.is_seen(neighbour) {
                    self.take(neighbour);
                }
            }
            next += 1;
        }
    }

    /// Counts a face as seen.
    fn take(&mut self, face: Index) {
        let (block, lane) = place(face);
        self.blocks[block].is_seen[lane] = true;
        self.seen.as_flattened_mut()[self.seen_count] = face;
        self.seen_count += 1;
    }

    /// Adds the faces that have at least two of those seen beside them: a sliver in the middle of the
    /// patch, whose own normal says nothing, or a face all but level with the point.
    #[cold]
    fn fill_holes(&mut self, point: DVec3, visible_above: f64) {
        let level = -LEVEL * visible_above;
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for face in self.faces() {
                let beside = self.links(face).neighbours;
                let count = beside.iter().filter(|(n, _)| self.is_seen(*n)).count();
                let (normal, distance) = self.plane(face);
                let is_level = normal == DVec3::ZERO || normal.dot(point) - distance > level;
                if count >= 2 && is_level && !self.is_seen(face) {
                    self.take(face);
                    // The surface may now dip below the face by as much: the bounds must know.
                    self.blur = -level;
                    has_grown = true;
                }
            }
        }
    }

    /// Finds the edges between faces that are seen and faces that are not; returns how many there are
    /// and where one begins.
    ///
    /// Where the rim meets itself in a vertex only one of the edges there is kept: too few then, as
    /// going around shows.
    fn find_rim(&mut self) -> (usize, Index) {
        let (mut count, mut start) = (0, 0);
        for &face in &self.seen.as_flattened()[..self.seen_count] {
            let (block, lane) = place(face);
            let links = &self.blocks[block].links[lane];
            let [a, b, c] = links.corners;
            for (outer, [from, to]) in links.neighbours.into_iter().zip([[a, b], [b, c], [c, a]]) {
                let (block, lane) = place(outer.0);
                let is_rim = !self.blocks[block].is_seen[lane];
                let edge = &mut self.rim[usize::from(from)];
                *edge = if is_rim { RimEdge { to, outer } } else { *edge };
                start = if is_rim { from } else { start };
                count += usize::from(is_rim);
            }
        }
        (count, start)
    }

    /// Normal and distance of a triangle.
    fn plane_across(&mut self, corners: [Index; 3]) -> (DVec3, f64) {
        let points = corners.map(|k| self.vertices[usize::from(k)].point);
        let plane = Plane::across(points);
        if plane.product < THIN * plane.area {
            self.note_thinness(&plane);
            plane.through(points[0])
        } else {
            self.thin_face(corners)
        }
    }

    /// Normal and distance of a thin triangle: seen from its blunt corner it may be none.
    #[cold]
    #[inline(never)]
    fn thin_face(&mut self, corners: [Index; 3]) -> (DVec3, f64) {
        let corners = corners.map(|k| self.vertices[usize::from(k)].point);
        let corners = from_the_blunt_corner(corners);
        let plane = Plane::across(corners);
        if plane.area > SLIVER * SLIVER * plane.product {
            self.note_thinness(&plane);
            plane.through(corners[0])
        } else {
            // All of it lies within its width of its longest edge, which is the neighbour's, too.
            let [_, b, c] = corners;
            self.sliver_width +=
                (plane.area / (c - b).length_squared().max(f64::MIN_POSITIVE)).sqrt();
            (DVec3::ZERO, f64::INFINITY)
        }
    }

    fn note_thinness(&mut self, plane: &Plane) {
        self.worst_ratio = self.worst_ratio.max(plane.product / plane.area);
    }
}

/// Some faces of a cone, each between two spokes: the planes of all are computed together.
#[derive(Default)]
struct Fan {
    from: [[f64; LANES]; 3],
    to: [[f64; LANES]; 3],
}

/// The planes of some faces.
struct FanPlanes {
    /// The components of the unit normals: first all x, then all y, then all z.
    normals: [[f64; LANES]; 3],
    /// The square of twice the area.
    area: [f64; LANES],
    /// The product of the squared lengths of the two spokes.
    product: [f64; LANES],
}

impl Fan {
    #[inline]
    fn set_spokes(&mut self, lane: usize, [from, to]: [DVec3; 2]) {
        for axis in 0..3 {
            self.from[axis][lane] = from[axis];
            self.to[axis][lane] = to[axis];
        }
    }

    #[inline]
    fn planes(&self) -> FanPlanes {
        let ([ax, ay, az], [bx, by, bz]) = (&self.from, &self.to);
        let mut planes = FanPlanes {
            normals: [[0.0; LANES]; 3],
            area: [0.0; LANES],
            product: [0.0; LANES],
        };
        for k in 0..LANES {
            let x = ay[k] * bz[k] - az[k] * by[k];
            let y = az[k] * bx[k] - ax[k] * bz[k];
            let z = ax[k] * by[k] - ay[k] * bx[k];
            let area = x * x + y * y + z * z;
            let inverse = 1.0 / area.sqrt();
            planes.normals[0][k] = x * inverse;
            planes.normals[1][k] = y * inverse;
            planes.normals[2][k] = z * inverse;
            planes.area[k] = area;
            let a = ax[k] * ax[k] + ay[k] * ay[k] + az[k] * az[k];
            let b = bx[k] * bx[k] + by[k] * by[k] + bz[k] * bz[k];
            planes.product[k] = a * b;
        }
        planes
    }
}

/// What the plane of a triangle is made of.
struct Plane {
    /// The cross product of two edges.
    cross: DVec3,
    /// Its squared length: the square of twice the area.
    area: f64,
    /// The product of the squared lengths of the two edges.
    product: f64,
}

impl Plane {
    /// By the edges from the first corner.
    #[inline]
    fn across([a, b, c]: [DVec3; 3]) -> Self {
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        Self {
            cross,
            area: cross.length_squared(),
            product: ab.length_squared() * ac.length_squared(),
        }
    }

    /// Its unit normal and distance from the origin, through a point.
    #[inline]
    fn through(&self, point: DVec3) -> (DVec3, f64) {
        let normal = self.cross * self.area.sqrt().recip();
        (normal, normal.dot(point))
    }
}

/// The same triangle from the corner across from its longest edge.
///
/// Rounding in a cross product grows with the product of the edges. A needle is a sliver seen from
/// its point, and a proper face from its blunt end.
fn from_the_blunt_corner([a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
    let [ab, bc, ca] = [b - a, c - b, a - c].map(DVec3::length_squared);
    if bc >= ab && bc >= ca {
        [a, b, c]
    } else if ca >= ab {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
