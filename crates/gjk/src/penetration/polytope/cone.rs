//! How the polytope grows by a vertex: the faces that see it give way to a cone.

use clearance_math::DVec3;
use clearance_math::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4};
use clearance_math::tolerances::LEVEL;

use super::*;

impl<const VERTICES: usize, const BLOCKS: usize> Polytope<VERTICES, BLOCKS> {
    /// Replaces the patch of faces around `face` that see `vertex` by the cone from its rim.
    ///
    /// Returns false, and the surface is of no more use, where that fails: the face does not see
    /// it, there is no more space, or rounding has left a patch with a hole.
    #[inline(always)]
    pub(in crate::penetration) fn add<S: Simd>(
        &mut self,
        simd: S,
        (face, vertex): (&Face, Vertex<DVec3>),
        visible_above: f64,
    ) -> bool {
        self.look_from(simd, vertex.point, visible_above);
        let (mut rim, mut start) = self.find_rim();
        // A patch of k triangles without holes has k + 2 edges around it. More means that faces
        // elsewhere, all but level with the vertex, count as seen by a rounding error.
        if rim != self.seen_count + 2 {
            self.keep_connected(face.index);
            self.fill_holes(vertex.point, visible_above);
            self.nearest = self.nearest_of_kept();
            (rim, start) = self.find_rim();
        }
        if self.seen_count == 0 || rim != self.seen_count + 2 {
            return false;
        }
        self.vertices.push(vertex);
        self.make_room();
        self.add_cone(start)
    }

    /// Lists two places more than those of the faces seen: a closed surface has two faces more for
    /// each vertex more. All are taken by the faces of the cone.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.face_count.is_multiple_of(LANES) {
            self.planes.push(Planes::VACANT);
            self.links.push([Links::default(); LANES]);
        }
        let seen = self.seen.as_flattened_mut();
        seen[self.seen_count] = self.face_count as Index;
        seen[self.seen_count + 1] = self.face_count as Index + 1;
        self.seen_count += 2;
        self.face_count += 2;
    }

    /// Puts the faces between the rim and the newest vertex in the places that are listed.
    ///
    /// Goes around the rim once: each edge begins where the one before ended. False where the rim
    /// crosses itself.
    #[inline(always)]
    fn add_cone(&mut self, start: Index) -> bool {
        let apex = (self.vertices.len() - 1) as Index;
        let top = self.vertices[usize::from(apex)].point;
        let count = self.seen_count;
        // So that the last one has the first after it.
        self.seen.as_flattened_mut()[count] = self.seen.as_flattened()[0];
        let mut before = self.seen.as_flattened()[count - 1];
        let mut from = start;
        let mut spoke = self.vertices[usize::from(from)].point - top;
        for step in 0..count {
            let RimEdge { to, outer } = self.rim[usize::from(from) % VERTICES];
            let next = self.vertices[usize::from(to)].point - top;
            let corners = [from, to, apex];
            let plane = self.plane(&Plane::between(top, [spoke, next]), corners);
            let face = self.seen.as_flattened()[step];
            let after = self.seen.as_flattened()[step + 1];
            self.nearest = self.nearest.or(plane.1, face);
            self.planes[usize::from(face) / LANES].set(usize::from(face) % LANES, plane);
            self.links.as_flattened_mut()[usize::from(face)] = Links {
                corners,
                neighbours: [outer, edge_of(after, 2), edge_of(before, 1)],
            };
            let (beyond, edge) = face_of(outer);
            self.links.as_flattened_mut()[beyond].neighbours[edge] = edge_of(face, 0);
            if (to == start) != (step + 1 == count) {
                return false;
            }
            (from, spoke, before) = (to, next, face);
        }
        true
    }

    /// Finds the faces that have `point` in front of them, and the nearest of the others.
    ///
    /// What is seen cannot be predicted, so everything is written and only what counts is counted.
    #[inline(always)]
    fn look_from<S: Simd>(&mut self, simd: S, point: DVec3, visible_above: f64) {
        let x = f64x4::splat(simd, point.x);
        let y = f64x4::splat(simd, point.y);
        let z = f64x4::splat(simd, point.z);
        let infinity = f64x4::splat(simd, f64::INFINITY);
        let visible_above = f64x4::splat(simd, visible_above);
        let seen = self.seen.as_flattened_mut();
        let mut count = 0;
        let mut least = infinity;
        let mut found_in = f64x4::splat(simd, 0.0);
        let mut number = found_in;
        let mut first = 0;
        for (planes, is_seen) in self.planes.iter().zip(&mut self.is_seen) {
            let distances = f64x4::load_array_ref(simd, &planes.distances);
            let [normal_x, normal_y, normal_z] = &planes.normals;
            let above = f64x4::load_array_ref(simd, normal_x) * x
                + f64x4::load_array_ref(simd, normal_y) * y
                + f64x4::load_array_ref(simd, normal_z) * z
                - distances;
            let mask = above.simd_gt(visible_above);
            let left = mask.select(infinity, distances);
            let is_nearer = left.simd_lt(least);
            least = is_nearer.select(left, least);
            found_in = is_nearer.select(number, found_in);
            number += 1.0;
            let bits = mask.to_bitmask() as usize & 0xF;
            *is_seen = BITS_OF_MASK[bits];
            let (lanes, more) = LANES_OF_MASK[bits];
            let faces = &mut seen[count..count + LANES];
            for (face, lane) in faces.iter_mut().zip(lanes) {
                *face = first + lane;
            }
            first += LANES as Index;
            count += more;
        }
        self.seen_count = count;
        self.nearest = (0..LANES).fold(Nearest::NONE, |nearest, lane| {
            let block = found_in[lane] as Index;
            nearest.or(least[lane], block * LANES as Index + lane as Index)
        });
    }

    /// The nearest of the faces that are not seen.
    #[cold]
    pub(super) fn nearest_of_kept(&self) -> Nearest {
        let kept = self.faces().filter(|&face| !self.sees(face));
        kept.fold(Nearest::NONE, |nearest, face| {
            nearest.or(self.plane_of(face).1, face)
        })
    }

    /// Of the faces seen, keeps those that hang together with the one at `first`.
    #[cold]
    fn keep_connected(&mut self, first: Index) {
        let was_seen = self.is_seen;
        let was_seen = |face: Index| was_seen.as_flattened()[usize::from(face)];
        self.is_seen = [[false; LANES]; BLOCKS];
        self.seen_count = 0;
        if was_seen(first) {
            self.take(first);
        }
        let mut next = 0;
        while next < self.seen_count {
            let face = self.seen.as_flattened()[next];
            for edge in self.links(face).neighbours {
                let neighbour = edge >> 2;
                if was_seen(neighbour) && !self.sees(neighbour) {
                    self.take(neighbour);
                }
            }
            next += 1;
        }
    }

    /// Counts a face as seen.
    fn take(&mut self, face: Index) {
        self.is_seen.as_flattened_mut()[usize::from(face)] = true;
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
                let count = beside.iter().filter(|&&edge| self.sees(edge >> 2)).count();
                let (normal, distance) = self.plane_of(face);
                let is_level = normal == DVec3::ZERO || normal.dot(point) - distance > level;
                if count >= 2 && is_level && !self.sees(face) {
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
    #[inline(always)]
    fn find_rim(&mut self) -> (usize, Index) {
        let (mut count, mut start) = (0, 0);
        let is_seen = self.is_seen.as_flattened();
        for &face in &self.seen.as_flattened()[..self.seen_count] {
            let links = &self.links.as_flattened()[usize::from(face)];
            let [a, b, c] = links.corners;
            for (outer, [from, to]) in links.neighbours.into_iter().zip([[a, b], [b, c], [c, a]]) {
                let is_inner = Index::from(is_seen[usize::from(outer >> 2)]);
                // Whether it is one cannot be predicted: written anyway, if not where nobody looks: at
                // the last vertex, which fills the polytope, so that no rim goes through it.
                let inner = is_inner.wrapping_neg();
                let place = usize::from(from | inner) % VERTICES;
                self.rim[place] = RimEdge { to, outer };
                start ^= (start ^ from) & !inner;
                count += usize::from(1 - is_inner);
            }
        }
        (count, start)
    }
}
