//! Vertices that are at one place up to rounding.

use clearance_math::{Real, Vec3};

/// Moves vertices that are as near to each other as a step of single precision to the place of the first
/// of them. The step is that of the largest coordinate: writers compute corners of several
/// triangles several times, each of which rounds differently, by up to a step of the numbers that they
/// computed with.
///
/// Vertices less than a step apart along all axes come to be at one place, and so do chains of them;
/// those two steps apart along an axis or more are not joined. Costs O(n log n), whatever the vertices are.
pub(super) fn snap(vertices: &mut [Vec3]) {
    let largest = vertices.iter().fold(0.0, |largest: Real, vertex| {
        largest.max(vertex.abs().max_element())
    });
    // Where a coordinate is not a number, the mesh will be refused.
    if !largest.is_finite() || vertices.iter().any(|vertex| vertex.is_nan()) {
        return;
    }
    let step = f64::from(largest) - f64::from(largest.next_down());
    let cell = |vertex: &Vec3| {
        // At most 2^24, and exact but for the rounding down.
        vertex
            .to_array()
            .map(|x| (f64::from(x) / step).floor() as i32)
    };
    let numbered = vertices.iter().zip(0..);
    let mut cells: Vec<([i32; 3], u32)> = numbered.map(|(v, number)| (cell(v), number)).collect();
    cells.sort_unstable();
    let mut groups = Groups::of(vertices.len());
    for pair in cells.windows(2) {
        if pair[0].0 == pair[1].0 {
            groups.join(pair[0].1, pair[1].1);
        }
    }
    cells.dedup_by_key(|(cell, _)| *cell);
    join_neighbours(&cells, &mut groups);
    for number in 0..vertices.len() {
        vertices[number] = vertices[groups.first(number as u32) as usize];
    }
}

/// Joins the vertices of all cells that touch. The cells are sorted, none twice.
fn join_neighbours(cells: &[([i32; 3], u32)], groups: &mut Groups) {
    // Of two cells that touch, the lesser one looks for the other.
    for [dx, dy] in [[0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] {
        let mut begin = 0;
        for ([x, y, z], vertex) in cells {
            let (least, greatest) = ([x + dx, y + dy, z - 1], [x + dx, y + dy, z + 1]);
            while cells.get(begin).is_some_and(|(cell, _)| *cell < least) {
                begin += 1;
            }
            let touching = cells[begin..]
                .iter()
                .take_while(|(cell, _)| *cell <= greatest);
            for (_, other) in touching {
                groups.join(*vertex, *other);
            }
        }
    }
}

/// Groups of vertices, each named by the first of its members.
struct Groups(Vec<u32>);

impl Groups {
    fn of(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn first(&mut self, vertex: u32) -> u32 {
        let Self(nearer) = self;
        let mut at = vertex;
        while nearer[at as usize] != at {
            let next = nearer[at as usize];
            // Halves the way for those that come after.
            nearer[at as usize] = nearer[next as usize];
            at = next;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        let Self(nearer) = self;
        nearer[a.max(b) as usize] = a.min(b);
    }
}
