//! The point of a convex set nearest the origin, for a set known by its lowest vertex along each vector.
//!
//! Wolfe, "Finding the nearest point in a polytope" (1976), which is not the algorithm of the engine. Whatever the search
//! does, its answer is certified from both sides: by the length of a convex sum of points of the set, and by a plane.

use clearance_math::{DVec3, PreciseVector};

/// The distance of the set from the origin lies between these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// How far the set lies beyond a plane through the origin: minus infinity or negative where none was found.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The unit normal of that plane.
    pub(crate) normal: DVec3,
}

/// Convex sums need no more points than this in space, one more while one is added.
const ROOM: usize = 5;

struct Corral {
    points: [DVec3; ROOM],
    weights: [f64; ROOM],
    count: usize,
}

impl Corral {
    fn sum(&self) -> DVec3 {
        (0..self.count).fold(DVec3::ZERO, |sum, k| sum + self.points[k] * self.weights[k])
    }

    fn remove(&mut self, index: usize) {
        self.count -= 1;
        self.points[index] = self.points[self.count];
        self.weights[index] = self.weights[self.count];
    }

    fn scale_to_one(&mut self) {
        let sum: f64 = self.weights[..self.count].iter().sum();
        for weight in &mut self.weights[..self.count] {
            *weight /= sum;
        }
    }

    /// The weights of the point of the affine hull that is nearest the origin; `None` where the
    /// points span less than they should.
    fn affine_weights(&self) -> Option<[f64; ROOM]> {
        let edges = self.count - 1;
        let base = self.points[0];
        let mut units = [DVec3::ZERO; ROOM];
        let mut triangular = [[0.0; ROOM]; ROOM];
        for k in 0..edges {
            let edge = self.points[k + 1] - base;
            let mut rest = edge;
            // Twice is enough (Kahan): the second pass removes what the first left by rounding.
            for _ in 0..2 {
                for j in 0..k {
                    let part = rest.dot(units[j]);
                    triangular[j][k] += part;
                    rest -= units[j] * part;
                }
            }
            let length = rest.length();
            if !(length > 1e-14 * edge.length()) {
                return None;
            }
            triangular[k][k] = length;
            units[k] = rest / length;
        }
        let mut weights = [0.0; ROOM];
        for k in (0..edges).rev() {
            let known: f64 = (k + 1..edges)
                .map(|j| triangular[k][j] * weights[j + 1])
                .sum();
            weights[k + 1] = (-base.dot(units[k]) - known) / triangular[k][k];
        }
        weights[0] = 1.0 - weights[1..self.count].iter().sum::<f64>();
        Some(weights)
    }

    /// Moves to the nearest point of the hull of the points and drops those that are idle.
    fn descend(&mut self) {
        while self.count > 1 {
            let Some(target) = self.affine_weights() else {
                self.drop_least();
                continue;
            };
            if target[..self.count].iter().all(|weight| *weight > 0.0) {
                self.weights = target;
                return;
            }
            let mut share: f64 = 1.0;
            let mut first = 0;
            for (k, &end) in target[..self.count].iter().enumerate() {
                let reached = self.weights[k] / (self.weights[k] - end);
                if end <= 0.0 && !(reached >= share) {
                    (share, first) = (reached.max(0.0), k);
                }
            }
            if share == 1.0 {
                first = least(&target[..self.count]);
            }
            for (weight, end) in self.weights.iter_mut().zip(target) {
                *weight += share * (end - *weight);
            }
            self.remove(first);
            self.scale_to_one();
        }
        self.weights[0] = 1.0;
    }

    fn drop_least(&mut self) {
        self.remove(least(&self.weights[..self.count]));
        self.scale_to_one();
    }
}

fn least(weights: &[f64]) -> usize {
    (0..weights.len()).fold(0, |at, k| if weights[k] < weights[at] { k } else { at })
}

/// Brackets the distance of a set to about `gap`; a length of `rounding` is none.
pub(crate) fn nearest(
    lowest: impl Fn(DVec3) -> DVec3,
    start: DVec3,
    [gap, rounding]: [f64; 2],
) -> Nearest {
    let start = start.direction().unwrap_or(DVec3::X);
    let mut corral = Corral {
        points: [lowest(start); ROOM],
        weights: [1.0, 0.0, 0.0, 0.0, 0.0],
        count: 1,
    };
    let mut found = Nearest {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        normal: start,
    };
    let mut stalled = 0;
    for _ in 0..400 {
        let nearest = corral.sum();
        let length = nearest.length();
        stalled = if length < found.high { 0 } else { stalled + 1 };
        found.high = found.high.min(length);
        let Some(unit) = nearest.direction() else {
            break;
        };
        if length <= rounding || stalled > 8 {
            break;
        }
        let vertex = lowest(unit);
        let low = unit.dot(vertex);
        if low > found.low {
            (found.low, found.normal) = (low, unit);
        }
        let is_known = corral.points[..corral.count].contains(&vertex);
        if found.high - found.low <= gap || is_known || corral.count == ROOM {
            break;
        }
        corral.points[corral.count] = vertex;
        corral.weights[corral.count] = 0.0;
        corral.count += 1;
        corral.descend();
    }
    found
}

/// How far the hull of some points is from the origin.
pub(crate) fn length_to_hull<P: PreciseVector>(points: &[P]) -> f64 {
    let lowest = |unit: DVec3| {
        let points = points.iter().map(|point| point.in_space());
        let lower = |p: &DVec3, q: &DVec3| p.dot(unit).total_cmp(&q.dot(unit));
        points.min_by(lower).expect("points")
    };
    nearest(lowest, points[0].in_space(), [0.0; 2]).high
}
