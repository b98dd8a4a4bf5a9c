//! For each cell of directions, the vertices that can be the farthest along one of them.
//!
//! The vertex farthest along a direction is the one whose normal cone holds it. A table of cells
//! finer than the cones leaves two or three vertices to compare, however many there are.
//! The answer depends on the direction alone, not on earlier questions: the same question
//! always has the same answer, in every order and on every thread.

use clearance_math::{PreciseVector, Vector, tolerances};

use super::climb::Uphill;

/// How many vertices a cell lists.
pub(super) const CANDIDATES: usize = 4;

/// Stands in the last place of a cell that would need a longer list.
const MORE: u32 = u32::MAX;

/// From how many vertices on a table is faster than looking at all of them.
const FEWEST_VERTICES: usize = 65;

/// How many cells there are for each vertex, about: with fewer many lists are too long.
const CELLS_PER_VERTEX: f64 = 6.0;

/// How much a cell reaches over its neighbours, of its own size: rounding may put a direction next
/// door.
const OVERLAP: f64 = 1e-6;

/// The least side of the box around the vertices, relative to the greatest, for which cells are made
/// as long as the box is thin.
const THINNEST: f64 = 1e-6;

/// What is known of a direction's farthest vertex.
pub(super) enum Candidates<'a> {
    /// One of these, ascending; the last may be repeated.
    Few(&'a [u32; CANDIDATES]),
    /// One of many, this among them.
    Many(u32),
}

/// The cells are those of a grid on the faces of the box around the vertices, stretched to a cube
/// so that the tips of a needle do not take nearly all cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells<P> {
    /// Half the sides of the box.
    half_extents: P,
    /// Cells along each side of a face of the cube.
    resolution: usize,
    lists: Vec<[u32; CANDIDATES]>,
}

impl<P: PreciseVector> Cells<P> {
    /// The table for a hull, or `None` where looking at all vertices is faster; O(n) for about as many
    /// neighbours a vertex.
    pub(super) fn new<V: Vector<Precise = P>>(hull: &Uphill<V>) -> Option<Self> {
        let count = hull.vertices.len();
        if count < FEWEST_VERTICES {
            return None;
        }
        let faces = 2 * P::DIM;
        let cells = CELLS_PER_VERTEX * count as f64 / faces as f64;
        let resolution = if P::DIM == 2 { cells } else { cells.sqrt() }.ceil() as usize;
        let mut table = Self {
            half_extents: half_extents(hull.vertices),
            resolution,
            lists: Vec::new(),
        };
        let mut finder = Finder::new(hull);
        for cell in 0..faces * resolution.pow(P::DIM as u32 - 1) {
            let list = finder.list(&table.corners(cell));
            table.lists.push(list);
        }
        Some(table)
    }

    /// The vertices that can be the farthest along `direction`, which need not be of unit length.
    #[inline]
    pub(super) fn candidates(&self, direction: P) -> Candidates<'_> {
        let stretched = direction.scaled_by(self.half_extents).in_space().to_array();
        let major = (1..P::DIM).fold(0, |best, k| {
            if stretched[k].abs() > stretched[best].abs() {
                k
            } else {
                best
            }
        });
        let length = stretched[major];
        let half = 0.5 * self.resolution as f64;
        let scale = half / length.abs();
        let mut cell = 2 * major + usize::from(length < 0.0);
        for step in 1..P::DIM {
            let across = stretched[(major + step) % P::DIM];
            // Out of range or not a number becomes the first or the last cell.
            let place = (across * scale + half) as i32;
            cell = cell * self.resolution + (place.max(0) as usize).min(self.resolution - 1);
        }
        let list = &self.lists[cell];
        if list[CANDIDATES - 1] == MORE {
            Candidates::Many(list[0])
        } else {
            Candidates::Few(list)
        }
    }

    /// The directions of the corners of a cell, as `candidates` counts them: four, or twice two in the
    /// plane.
    fn corners(&self, cell: usize) -> [P; 4] {
        let mut rest = cell;
        let mut places = [0.0; 2];
        for step in (1..P::DIM).rev() {
            places[step - 1] = (rest % self.resolution) as f64 + 0.5;
            rest /= self.resolution;
        }
        let sign = if rest.is_multiple_of(2) { 1.0 } else { -1.0 };
        core::array::from_fn(|corner| {
            let mut cube = P::ZERO.with_component(rest / 2, sign);
            for step in 1..P::DIM {
                let side = if corner >> (step - 1) & 1 == 0 {
                    -1.0
                } else {
                    1.0
                };
                let place = places[step - 1] + side * (0.5 + OVERLAP);
                let across = place / (0.5 * self.resolution as f64) - 1.0;
                cube = cube.with_component((rest / 2 + step) % P::DIM, across);
            }
            (0..P::DIM).fold(cube, |direction, k| {
                direction.with_component(k, cube.component(k) / self.half_extents.component(k))
            })
        })
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        self.lists.capacity() * size_of::<[u32; CANDIDATES]>()
    }
}

/// Half the sides of the box around the vertices, none of them nothing beside the longest.
fn half_extents<V: Vector>(vertices: &[V]) -> V::Precise {
    let (low, high) = vertices
        .iter()
        .fold((vertices[0], vertices[0]), |(low, high), &vertex| {
            (low.min(vertex), high.max(vertex))
        });
    let sides = (high.to_precise() - low.to_precise()) * 0.5;
    let greatest = (0..V::DIM).fold(f64::MIN_POSITIVE, |most, k| sides.component(k).max(most));
    sides.max(V::Precise::splat(THINNEST * greatest))
}

/// Finds the vertices of cells.
struct Finder<'a, V> {
    hull: &'a Uphill<'a, V>,
    /// The sum of the coordinates of a vertex, at most.
    reach: f64,
    /// The vertex farthest along the last corner.
    start: u32,
    found: Vec<u32>,
}

impl<'a, V: Vector> Finder<'a, V> {
    fn new(hull: &'a Uphill<'a, V>) -> Self {
        let sum = |vertex: &V| {
            (0..V::DIM)
                .map(|k| f64::from(vertex.component(k).abs()))
                .sum()
        };
        let reach = hull.vertices.iter().map(sum).fold(0.0, f64::max);
        Self {
            hull,
            reach,
            start: 0,
            found: Vec::new(),
        }
    }

    /// The vertices that can be farthest in the cone of the corners.
    ///
    /// A vertex is left out if another is higher along all corners: then it is higher along all
    /// sums of them. The cones of the vertices that are left touch each other within the cell, so
    /// going from neighbour to neighbour finds all of them.
    fn list(&mut self, corners: &[V::Precise; 4]) -> [u32; CANDIDATES] {
        self.found.clear();
        for &corner in corners {
            self.start = self.hull.farthest(corner, self.start);
            if !self.found.contains(&self.start) {
                self.found.push(self.start);
            }
        }
        let winners = self.found.len();
        let mut next = 0;
        while next < self.found.len() && self.found.len() <= CANDIDATES {
            for &neighbour in self.hull.neighbours.get(self.found[next] as usize) {
                let is_new = !self.found.contains(&neighbour);
                if is_new && !self.is_beaten(neighbour, &self.found[..winners], corners) {
                    self.found.push(neighbour);
                }
            }
            next += 1;
        }
        if self.found.len() > CANDIDATES {
            return [self.found[0], MORE, MORE, MORE];
        }
        self.found.sort_unstable();
        core::array::from_fn(|k| self.found[k.min(self.found.len() - 1)])
    }

    /// Whether one of the winners is surely higher along all corners.
    fn is_beaten(&self, vertex: u32, winners: &[u32], corners: &[V::Precise; 4]) -> bool {
        let position = |vertex: u32| self.hull.vertices[vertex as usize].to_precise();
        let place = position(vertex);
        winners.iter().any(|&winner| {
            let ahead = position(winner) - place;
            corners.iter().all(|corner| {
                let rounding = tolerances::CELL_ROUNDING * self.reach * corner.length();
                ahead.dot(*corner) > rounding
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Vec3, Vector};
    use rand::{RngExt, SeedableRng};

    use super::Candidates;
    use crate::Hull;

    fn directions(count: usize) -> impl Iterator<Item = DVec3> {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        let mut number = move || random.random_range(-1.0..1.0_f64);
        // Some lie on the planes between cells, some along an axis, some have tiny parts.
        (0..count).map(move |k| {
            let [x, y, z] = [number(), number(), number()];
            match k % 6 {
                0 => DVec3::new(x.signum(), x.signum(), z),
                1 => DVec3::new(0.0, y, 0.0),
                2 => DVec3::new(1e-12 * x, y, 1e-9 * z),
                _ => DVec3::new(x, y, z),
            }
        })
    }

    fn check(points: &[Vec3]) -> (usize, usize) {
        let hull = Hull::from_points(points).unwrap();
        let cells = hull.cells.as_ref().unwrap();
        let (mut few, mut many) = (0, 0);
        for direction in directions(3000) {
            let product = |k: u32| hull.vertices()[k as usize].to_precise().dot(direction);
            let greatest = (0..hull.vertices().len() as u32)
                .map(product)
                .fold(f64::MIN, f64::max);
            let found = hull.support_index(direction);
            if let Candidates::Few(list) = cells.candidates(direction) {
                few += 1;
                assert!(
                    product(found) == greatest,
                    "{direction} {found} of {list:?}"
                );
            } else {
                many += 1;
                let rounding = 1e-14 * direction.length() * 4.0;
                assert!(product(found) >= greatest - rounding, "{direction} {found}");
            }
        }
        (few, many)
    }

    #[test]
    fn the_farthest_vertex_is_in_the_list() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(6);
        let mut number = move || random.random_range(-1.0..1.0_f32);
        for count in [70, 128, 300] {
            for squeeze in [
                Vec3::ONE,
                Vec3::new(1.0, 1e-3, 1.0),
                Vec3::new(1e-5, 1e-5, 1.0),
            ] {
                let mut point = || {
                    let direction = Vec3::new(number(), number(), number());
                    direction.normalize_or(Vec3::X) * squeeze
                };
                let points: Vec<Vec3> = (0..count).map(|_| point()).collect();
                let (few, many) = check(&points);
                assert!(few > many, "{count} {squeeze}: {few} {many}");
            }
        }
    }

    #[test]
    fn rims_grids_and_flat_hulls_have_their_farthest_vertex_too() {
        let rim = |k: u16, y: f32| {
            let (sin, cos) = (0.07 * f32::from(k)).sin_cos();
            Vec3::new(cos, y, sin)
        };
        let cylinder: Vec<Vec3> = (0..89).flat_map(|k| [rim(k, -1.0), rim(k, 1.0)]).collect();
        check(&cylinder);
        let disc: Vec<Vec3> = (0..89).map(|k| rim(k, 0.0)).collect();
        check(&disc);
        let nearly_flat: Vec<Vec3> = (0..89).map(|k| rim(k, 1e-7 * f32::from(k % 7))).collect();
        check(&nearly_flat);
    }
}
