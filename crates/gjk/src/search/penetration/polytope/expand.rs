//! How the polytope grows by one vertex: the faces that are visible from the vertex are replaced by
//! new faces between the vertex and the horizon edges.

use clearance_math::DVec3;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4};
use clearance_math::tolerances::LEVEL;

use super::*;

/// From here on the last bits of a number are a count of ones that were added.
const COUNT_FROM: f64 = (1_u64 << 52) as f64;

impl<const VERTICES: usize, const BLOCKS: usize> ExpandingPolytope<VERTICES, BLOCKS> {
    /// Adds `vertex`, which must be in front of `face`: replaces all faces that are visible from it by
    /// new faces between it and the horizon.
    ///
    /// A face is visible if the vertex is more than `visible_above` in front of it.
    ///
    /// Returns false if that fails, because `face` is not visible, because there is no more space, or
    /// because rounding errors have left a hole in the visible region. The surface must not be used any
    /// more then.
    #[inline(always)]
    pub(in crate::search::penetration) fn add<S: Simd>(
        &mut self,
        simd: S,
        face: &Face,
        vertex: &Vertex<DVec3>,
        visible_above: f64,
    ) -> bool {
        self.find_visible(simd, vertex.point, visible_above);
        let mut horizon = self.find_horizon();
        // A connected region of k triangles without holes has k + 2 edges around it. If there are
        // more, rounding errors made other faces visible whose planes almost contain the vertex.
        if horizon.edge_count != self.visible_count + 2 {
            self.keep_connected(face.index);
            self.fill_holes(vertex.point, visible_above);
            self.nearest = self.nearest_of_hidden();
            horizon = self.find_horizon();
        }
        if self.visible_count == 0 || horizon.edge_count != self.visible_count + 2 {
            return false;
        }
        self.push(vertex);
        self.add_two_slots();
        self.connect_horizon(horizon.start)
    }

    /// Adds two slots for faces to those of the visible faces, which are about to be replaced.
    ///
    /// A closed triangle mesh has two more faces for each additional vertex, so the new faces take
    /// all of these slots.
    #[inline(always)]
    fn add_two_slots(&mut self) {
        if self.face_count.is_multiple_of(LANES) {
            self.planes.push(PlaneBlock::EMPTY);
            self.links.push([Links::default(); LANES]);
        }
        let slots = self.visible.as_flattened_mut();
        slots[self.visible_count] = self.face_count as Index;
        slots[self.visible_count + 1] = self.face_count as Index + 1;
        self.visible_count += 2;
        self.face_count += 2;
    }

    /// Writes the faces between the horizon and the newest vertex into the slots of the visible faces.
    ///
    /// Goes around the horizon once, from the vertex `start`; each edge begins where the edge before
    /// it ended. Returns false if the horizon crosses itself.
    #[inline(always)]
    fn connect_horizon(&mut self, start: Index) -> bool {
        let apex = (self.points.len() - 1) as Index;
        let apex_point = self.points[usize::from(apex)];
        let count = self.visible_count;
        // The face after the last one is the first one.
        self.visible.as_flattened_mut()[count] = self.visible.as_flattened()[0];
        let mut before = self.visible.as_flattened()[count - 1];
        let mut from = start;
        // In registers, because each face would wait for what the one before it has stored.
        let mut nearest = self.nearest;
        let mut to_from = self.points[usize::from(from)] - apex_point;
        for step in 0..count {
            let HorizonEdge { to, outer } = self.horizon[usize::from(from) % VERTICES];
            let to_next = self.points[usize::from(to)] - apex_point;
            let corners = [from, to, apex];
            let plane = self.plane(
                &EdgeCross::of_edges(apex_point, [to_from, to_next]),
                corners,
            );
            let face = self.visible.as_flattened()[step];
            let after = self.visible.as_flattened()[step + 1];
            nearest = nearest.or(plane.distance, face);
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
            (from, to_from, before) = (to, to_next, face);
        }
        self.nearest = nearest;
        true
    }

    /// Finds the faces that are visible from `point`, and the nearest of the hidden faces.
    ///
    /// Which faces are visible is hard to predict, so there is no branch: the list is written for every
    /// face, and the count only advances past visible ones.
    #[inline(always)]
    fn find_visible<S: Simd>(&mut self, simd: S, point: DVec3, visible_above: f64) {
        let x = f64x4::splat(simd, point.x);
        let y = f64x4::splat(simd, point.y);
        let z = f64x4::splat(simd, point.z);
        let infinity = f64x4::splat(simd, f64::INFINITY);
        let visible_above = f64x4::splat(simd, visible_above);
        let visible = self.visible.as_flattened_mut();
        let mut count = 0;
        let mut least = infinity;
        let mut least_block = f64x4::splat(simd, COUNT_FROM);
        let mut block = least_block;
        let mut first = 0;
        for (planes, is_visible) in self.planes.iter().zip(&mut self.is_visible) {
            let distances = f64x4::load_array_ref(simd, &planes.distances);
            let [normal_x, normal_y, normal_z] = &planes.normals;
            let above = f64x4::load_array_ref(simd, normal_x) * x
                + f64x4::load_array_ref(simd, normal_y) * y
                + f64x4::load_array_ref(simd, normal_z) * z
                - distances;
            let mask = above.simd_gt(visible_above);
            let hidden_distances = mask.select(infinity, distances);
            let is_nearer = hidden_distances.simd_lt(least);
            least = is_nearer.select(hidden_distances, least);
            least_block = is_nearer.select(block, least_block);
            block += 1.0;
            let bits = mask.to_bitmask() as usize & 0xF;
            let SetLanes {
                is_set,
                lanes,
                count: more,
            } = SET_LANES[bits];
            *is_visible = is_set;
            let faces = &mut visible[count..count + LANES];
            for (face, lane) in faces.iter_mut().zip(lanes) {
                *face = first + lane;
            }
            first += LANES as Index;
            count += more;
        }
        self.visible_count = count;
        self.nearest = (0..LANES).fold(NearestFace::NONE, |nearest, lane| {
            let block = least_block[lane].to_bits() as Index;
            nearest.or(least[lane], block * LANES as Index + lane as Index)
        });
    }

    /// The nearest of the faces that are not visible.
    #[cold]
    pub(super) fn nearest_of_hidden(&self) -> NearestFace {
        let hidden = self.faces().filter(|&face| !self.is_visible(face));
        hidden.fold(NearestFace::NONE, |nearest, face| {
            nearest.or(self.plane_of(face).distance, face)
        })
    }

    /// Marks all faces as hidden but those that can be reached from the visible face `first` across
    /// edges between visible faces.
    #[cold]
    fn keep_connected(&mut self, first: Index) {
        let was_visible = self.is_visible;
        let was_visible = |face: Index| was_visible.as_flattened()[usize::from(face)];
        self.is_visible = [[false; LANES]; BLOCKS];
        self.visible_count = 0;
        if was_visible(first) {
            self.mark_visible(first);
        }
        let mut next = 0;
        while next < self.visible_count {
            let face = self.visible.as_flattened()[next];
            for edge in self.links(face).neighbours {
                let neighbour = edge >> 2;
                if was_visible(neighbour) && !self.is_visible(neighbour) {
                    self.mark_visible(neighbour);
                }
            }
            next += 1;
        }
    }

    /// Adds a face to the visible ones.
    fn mark_visible(&mut self, face: Index) {
        self.is_visible.as_flattened_mut()[usize::from(face)] = true;
        self.visible.as_flattened_mut()[self.visible_count] = face;
        self.visible_count += 1;
    }

    /// Marks hidden faces as visible that have at least two visible neighbours and might be visible up
    /// to rounding: slivers, whose normals are unknown, and faces whose planes almost contain `point`.
    #[cold]
    fn fill_holes(&mut self, point: DVec3, visible_above: f64) {
        let level = -LEVEL * visible_above;
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for face in self.faces() {
                let neighbours = self.links(face).neighbours;
                let is_visible = |&&edge: &&Index| self.is_visible(edge >> 2);
                let count = neighbours.iter().filter(is_visible).count();
                let FacePlane { normal, distance } = self.plane_of(face);
                let is_level = normal == DVec3::ZERO || normal.dot(point) - distance > level;
                if count >= 2 && is_level && !self.is_visible(face) {
                    self.mark_visible(face);
                    // The new surface may lie below this face by as much, which bounds must include.
                    self.level_error = -level;
                    has_grown = true;
                }
            }
        }
    }

    /// Finds the horizon: the edges between visible and hidden faces.
    ///
    /// If the horizon passes through a vertex twice, only one of the edges that begin there is stored.
    /// Going around then takes too few steps, which [`Self::connect_horizon`] notices.
    #[inline(always)]
    fn find_horizon(&mut self) -> Horizon {
        let mut horizon = Horizon {
            edge_count: 0,
            start: 0,
        };
        let is_visible = self.is_visible.as_flattened();
        for &face in &self.visible.as_flattened()[..self.visible_count] {
            let links = &self.links.as_flattened()[usize::from(face)];
            let [a, b, c] = links.corners;
            for (outer, [from, to]) in links.neighbours.into_iter().zip([[a, b], [b, c], [c, a]]) {
                let is_inner = Index::from(is_visible[usize::from(outer >> 2)]);
                // Whether an edge is on the horizon is hard to predict, so every edge is written.
                // Inner edges go to the entry of the last vertex, which is never read: the last
                // vertex fills the polytope, so no later horizon passes through it.
                let inner = is_inner.wrapping_neg();
                let place = usize::from(from | inner) % VERTICES;
                self.horizon[place] = HorizonEdge { to, outer };
                horizon.start ^= (horizon.start ^ from) & !inner;
                horizon.edge_count += usize::from(1 - is_inner);
            }
        }
        horizon
    }
}
