//! Whether the rings of a polygon neither cross nor touch themselves or each other.
//!
//! A line sweeps over the plane, from left to right and at equal places from below to above. The sides that it meets are
//! kept from below to above. Before two of them meet they are neighbours, so only neighbours are compared (Shamos and Hoey,
//! "Geometric intersection problems", 1976): that takes O(n log n) for n sides. All signs are exact.

use core::cmp::Ordering;
use std::collections::BTreeSet;

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector};
use robust::{Coord, orient2d};

use super::polyline::Polyline;

type Place = [f64; 2];

/// A side with its end that the line meets first, and the other one.
#[derive(Clone, Copy, Debug)]
struct Side {
    number: u32,
    vertices: [u32; 2],
    ends: [Place; 2],
}

/// A number of the sign of the height of a point above the line through two others, seen along their way.
fn height([a, b]: [Place; 2], c: Place) -> f64 {
    let [a, b, c] = [a, b, c].map_each(|[x, y]| Coord { x, y });
    // Zeros have one sign.
    orient2d(a, b, c) + 0.0
}

/// From left to right, at equal places from below to above.
fn order(a: Place, b: Place) -> Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

impl Side {
    /// Whether this side is below another one, where a line meets both: told by where the later one begins.
    fn below(&self, other: &Self) -> Ordering {
        if order(self.ends[0], other.ends[0]).is_gt() {
            return other.below(self).reverse();
        }
        let above = other.ends.map_each(|end| height(self.ends, end));
        let begin = above[0].total_cmp(&0.0);
        let end = above[1].total_cmp(&0.0);
        begin
            .then(end)
            .then(self.number.cmp(&other.number))
            .reverse()
    }

    /// Whether two sides have more in common than a vertex.
    fn touches(&self, other: &Self) -> bool {
        let common = |k: usize| other.vertices.iter().position(|&v| v == self.vertices[k]);
        for (k, common) in [common(0), common(1)].into_iter().enumerate() {
            let Some(j) = common else { continue };
            // From the common vertex on, both lead the same way.
            let (own, others) = (self.ends[1 - k], other.ends[1 - j]);
            return height(self.ends, others) == 0.0
                && order(self.ends[k], own) == order(self.ends[k], others);
        }
        let one = other.ends.map_each(|end| height(self.ends, end));
        let two = self.ends.map_each(|end| height(other.ends, end));
        let are_apart = |[a, b]: [f64; 2]| (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
        !(are_apart(one) || are_apart(two))
    }
}

impl PartialEq for Side {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Side {}

impl PartialOrd for Side {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Side {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.number == other.number {
            Ordering::Equal
        } else {
            self.below(other)
        }
    }
}

/// Whether sides meet nowhere but where one begins that the one before it ends at, and no two vertices are at one place.
pub(super) fn are_simple<V: Vector>(polyline: &Polyline<V>) -> bool {
    let place = |vertex: u32| {
        let vertex = polyline.vertices()[vertex as usize].to_precise();
        // Zeros have one sign.
        [0, 1].map_each(|axis| vertex.component(axis) + 0.0)
    };
    let side = |(number, &[from, to]): (u32, &[u32; 2])| {
        let (own, mut vertices) = ([from, to].map_each(place), [from, to]);
        if order(own[0], own[1]).is_gt() {
            vertices.reverse();
        }
        Side {
            number,
            vertices,
            ends: vertices.map_each(place),
        }
    };
    let sides: Vec<Side> = (0..).zip(polyline.segments()).map(side).collect();
    let mut places: Vec<Place> = (0..polyline.vertices().len() as u32).map(place).collect();
    places.sort_unstable_by(|&a, &b| order(a, b));
    if places.windows(2).any(|pair| pair[0] == pair[1]) {
        return false;
    }
    // At one place sides end before others begin.
    let ends = sides
        .iter()
        .flat_map(|side| [(side.ends[0], true, side), (side.ends[1], false, side)]);
    let mut events: Vec<_> = ends.collect();
    events.sort_unstable_by(|a, b| order(a.0, b.0).then(a.1.cmp(&b.1)));
    let mut met = BTreeSet::<Side>::new();
    events.into_iter().all(|(_, begins, side)| {
        if !begins {
            met.remove(side);
        }
        let below = met.range(..*side).next_back();
        let above = met.range(*side..).next();
        let are_free = match (begins, below, above) {
            (false, Some(below), Some(above)) => !below.touches(above),
            (true, below, above) => [below, above]
                .into_iter()
                .flatten()
                .all(|other| !side.touches(other)),
            _ => true,
        };
        if begins {
            met.insert(*side);
        }
        are_free
    })
}

#[cfg(test)]
mod tests {
    use clearance_math::Vec2;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    use super::*;

    type Cell = [i64; 2];

    /// Twice the area of a triangle, in whole numbers.
    fn area(a: Cell, b: Cell, c: Cell) -> i64 {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    fn is_on([a, b]: [Cell; 2], c: Cell) -> bool {
        area(a, b, c) == 0 && (0..2).all(|k| (a[k].min(b[k])..=a[k].max(b[k])).contains(&c[k]))
    }

    fn do_cross([a, b]: [Cell; 2], [c, d]: [Cell; 2]) -> bool {
        let sides = |a, b, c, d| area(a, b, c).signum() * area(a, b, d).signum();
        sides(a, b, c, d) < 0 && sides(c, d, a, b) < 0
    }

    /// Every side with every other one.
    fn brute_force(corners: &[Cell], sides: &[[u32; 2]]) -> bool {
        let ends = |side: [u32; 2]| side.map(|k| corners[k as usize]);
        let pairs = (0..sides.len()).flat_map(|i| (0..i).map(move |j| [sides[i], sides[j]]));
        let mut touching = pairs.filter(|&[one, other]| {
            let is_touched = |side: [u32; 2], by: [u32; 2]| {
                by.iter()
                    .any(|k| !side.contains(k) && is_on(ends(side), corners[*k as usize]))
            };
            do_cross(ends(one), ends(other)) || is_touched(one, other) || is_touched(other, one)
        });
        let are_distinct = |k: usize| !corners[..k].contains(&corners[k]);
        touching.next().is_none() && (0..corners.len()).all(are_distinct)
    }

    #[test]
    fn rings_are_simple_where_no_two_sides_have_more_in_common_than_a_vertex() {
        let mut rng = Pcg64::seed_from_u64(8);
        let mut below = |count: u32| rng.next_u32() % count;
        let mut simple = 0;
        for _ in 0..20_000 {
            let (mut corners, mut sides) = (Vec::new(), Vec::new());
            for _ in 0..1 + below(2) {
                let (first, count) = (corners.len() as u32, 3 + below(4));
                let reach = 3 + below(12);
                corners.extend((0..count).map(|_| [(); 2].map(|()| i64::from(below(reach)))));
                sides.extend((0..count).map(|k| [first + k, first + (k + 1) % count]));
            }
            let places = corners.iter().map(|&[x, y]| Vec2::new(x as f32, y as f32));
            let polyline = Polyline::new(places.collect(), sides.clone()).expect("a polyline");
            let expected = brute_force(&corners, &sides);
            assert_eq!(are_simple(&polyline), expected, "{corners:?} {sides:?}");
            simple += usize::from(expected);
        }
        assert!((4000..16_000).contains(&simple), "{simple}");
    }
}
