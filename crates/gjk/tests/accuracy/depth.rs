//! The depth of overlapping cores, certified: branch and bound over all directions.
//!
//! The depth is the least height h(n) of the difference over unit vectors n. A point q of the
//! difference bounds h(n) >= n . q from below for every n, and over a cell of directions n . q is
//! least at a corner. With q a convex sum of the support points at the corners, the best q is that of
//! a matrix game. Cells whose bound is below the best height by more than the gap are halved.

use clearance_math::DVec3;

use super::pair::{Pair, Sample};
use super::truth::Truth;

/// The most cells that are halved.
const LIMIT: usize = 1_000_000;

/// Brackets the depth to `gap`, or as near as [`LIMIT`] allows.
pub(crate) fn depth(pair: &Pair, gap: f64) -> Truth {
    let axes = [0, 1, 2].map(|k| pair.a.turn.col(k));
    let cells = if pair.dimension == 2 {
        let [x, y, _] = axes;
        arcs(pair, &[x, y, -x, -y, x])
    } else if let Some(axis) = pair.common_axis() {
        // The difference of coaxial bodies of revolution is one: a half circle of directions.
        let across = axis.any_orthonormal_vector();
        arcs(pair, &[axis, across, -axis])
    } else {
        triangles(pair, axes)
    };
    let mut search = Search {
        pair,
        best: cells[0].corners()[0],
        low: f64::INFINITY,
        gap,
    };
    search.start(&cells);
    search.run(cells);
    Truth {
        low: search.low.min(search.best.height),
        high: search.best.height,
    }
}

/// An arc or a triangle of directions.
#[derive(Clone, Copy)]
enum Cell {
    Arc([Sample; 2]),
    Triangle([Sample; 3]),
}

impl Cell {
    fn corners(&self) -> &[Sample] {
        match self {
            Self::Arc(corners) => corners,
            Self::Triangle(corners) => corners,
        }
    }

    /// Halved across its longest side.
    fn halves(&self, pair: &Pair) -> [Self; 2] {
        match *self {
            Self::Arc([a, b]) => {
                let middle = between(pair, &a, &b);
                [Self::Arc([a, middle]), Self::Arc([middle, b])]
            }
            Self::Triangle(corners) => {
                let side = |k: usize| {
                    let (from, to) = (corners[k].normal, corners[(k + 1) % 3].normal);
                    from.distance_squared(to)
                };
                let longest = (0..3).fold(0, |at, k| if side(k) > side(at) { k } else { at });
                let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
                let middle = between(pair, &a, &b);
                [
                    Self::Triangle([a, middle, c]),
                    Self::Triangle([middle, b, c]),
                ]
            }
        }
    }

    /// A lower bound of the height over all directions of the cell.
    fn floor(&self) -> f64 {
        let corners = self.corners();
        let count = corners.len();
        let mut game = [[0.0; 3]; 3];
        let mut side: f64 = 0.0;
        for (i, one) in corners.iter().enumerate() {
            for (j, other) in corners.iter().enumerate() {
                game[i][j] = one.point.dot(other.normal);
                side = side.max(one.normal.distance_squared(other.normal));
            }
        }
        let value = value_of(&game, count);
        if value >= 0.0 {
            return value;
        }
        // Convex sums of the corners are shorter than one, which a negative bound feels: by no more
        // than a third of the squared side.
        value / (1.0 - side / 3.0).max(0.1).sqrt()
    }
}

fn between(pair: &Pair, a: &Sample, b: &Sample) -> Sample {
    pair.sample((a.normal + b.normal).normalize())
}

fn arcs(pair: &Pair, directions: &[DVec3]) -> Vec<Cell> {
    let samples: Vec<Sample> = directions.iter().map(|&n| pair.sample(n)).collect();
    let pairs = samples.windows(2);
    pairs.map(|ends| Cell::Arc([ends[0], ends[1]])).collect()
}

/// The faces of an octahedron.
fn triangles(pair: &Pair, [x, y, z]: [DVec3; 3]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for k in 0..8 {
        let sign = |bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let corners = [x * sign(0), y * sign(1), z * sign(2)];
        cells.push(Cell::Triangle(corners.map(|n| pair.sample(n))));
    }
    cells
}

struct Search<'a> {
    pair: &'a Pair,
    best: Sample,
    low: f64,
    gap: f64,
}

impl Search<'_> {
    /// A good height to begin with: the better it is, the less is looked at.
    fn start(&mut self, cells: &[Cell]) {
        let mut fine = cells.to_vec();
        for _ in 0..5 {
            fine = fine.iter().flat_map(|c| c.halves(self.pair)).collect();
        }
        let mut samples: Vec<Sample> = fine.iter().flat_map(|c| c.corners().to_vec()).collect();
        if self.pair.dimension == 3 && self.pair.common_axis().is_none() {
            for solid in [&self.pair.a, &self.pair.b] {
                let axes = (0..3).map(|k| solid.turn.col(k));
                let both = axes.flat_map(|axis| [axis, -axis]);
                samples.extend(both.map(|n| self.pair.sample(n)));
            }
        }
        samples.sort_by(|a, b| a.height.total_cmp(&b.height));
        let mut starts: Vec<Sample> = Vec::new();
        for sample in samples {
            let is_apart = |other: &Sample| other.normal.dot(sample.normal) < 0.9;
            if starts.len() < 3 && starts.iter().all(is_apart) {
                starts.push(sample);
            }
        }
        for start in starts {
            let found = self.downhill(start, 0.1);
            self.offer(found);
        }
    }

    fn offer(&mut self, sample: Sample) {
        if sample.height < self.best.height {
            self.best = sample;
        }
    }

    /// Steps to all sides, halved where none leads down.
    fn downhill(&self, mut best: Sample, mut step: f64) -> Sample {
        // Along a bent valley it creeps: what is left is for the search itself.
        for _ in 0..100 {
            if step < 1e-9 {
                break;
            }
            let across = best.normal.any_orthonormal_vector();
            let up = best.normal.cross(across);
            let (across, up) = if self.pair.dimension == 2 {
                (DVec3::new(-best.normal.y, best.normal.x, 0.0), DVec3::ZERO)
            } else {
                (across, up)
            };
            let before = best.height;
            for side in [across, -across, up, -up] {
                let sample = self.pair.sample((best.normal + side * step).normalize());
                if sample.height < best.height {
                    best = sample;
                }
            }
            if !(best.height < before) {
                step *= 0.4;
            }
        }
        best
    }

    fn run(&mut self, cells: Vec<Cell>) {
        let mut open: Vec<(f64, Cell)> = cells.into_iter().map(|c| (c.floor(), c)).collect();
        let mut count = 0;
        while let Some((floor, cell)) = open.pop() {
            if floor >= self.best.height - self.gap || count >= LIMIT {
                self.low = self.low.min(floor);
                continue;
            }
            count += 1;
            let halves = cell.halves(self.pair);
            for half in halves {
                for corner in half.corners() {
                    if corner.height < self.best.height - 0.1 * self.gap {
                        let polished = self.downhill(*corner, 1e-3);
                        self.offer(polished);
                    }
                }
                // A half holds what the whole did.
                open.push((half.floor().max(floor), half));
            }
        }
    }
}

/// The value of the game in which one picks rows of `game` to make the least column great.
///
/// Any mix of rows gives a lower bound of it; the best one is among those tried up to rounding.
fn value_of(game: &[[f64; 3]; 3], count: usize) -> f64 {
    let mut value = f64::NEG_INFINITY;
    for row in &game[..count] {
        value = value.max(least(&row[..count]));
    }
    for i in 0..count {
        for k in i + 1..count {
            value = value.max(mix_of_two(&game[i][..count], &game[k][..count]));
        }
    }
    if count == 3 {
        value = value.max(mix_of_three(game));
    }
    value
}

fn least(columns: &[f64]) -> f64 {
    columns.iter().copied().fold(f64::INFINITY, f64::min)
}

fn mix_of_two(row: &[f64], other: &[f64]) -> f64 {
    let mut value = f64::NEG_INFINITY;
    for j in 0..row.len() {
        for l in j + 1..row.len() {
            let (from, to) = (row[j] - row[l], other[j] - other[l]);
            let share = from / (from - to);
            if (0.0..=1.0).contains(&share) {
                let mixed = (0..row.len()).map(|c| row[c] + share * (other[c] - row[c]));
                value = value.max(mixed.fold(f64::INFINITY, f64::min));
            }
        }
    }
    value
}

/// The mix that makes all columns equal, where there is one.
fn mix_of_three(game: &[[f64; 3]; 3]) -> f64 {
    let rows = game.map(DVec3::from_array);
    // Differences of columns must vanish: weights at right angles to two of them.
    let across = |j: usize, l: usize| {
        DVec3::new(
            rows[0][j] - rows[0][l],
            rows[1][j] - rows[1][l],
            rows[2][j] - rows[2][l],
        )
    };
    let weights = across(0, 1).cross(across(0, 2));
    let weights = weights / weights.element_sum();
    if !(weights.min_element() >= 0.0) {
        return f64::NEG_INFINITY;
    }
    let mixed = rows[0] * weights.x + rows[1] * weights.y + rows[2] * weights.z;
    mixed.min_element()
}
