//! Which clashes belong together: those of one kind that share a part and are near each other.

use core::ops::Bound;
use std::collections::BTreeMap;

use clearance_math::DVec3;

use crate::kind::Kind;

/// How near clashes of a group are, relative to the size of the smallest of their parts.
pub(crate) const NEARNESS: f64 = 0.25;

/// What of a clash decides about its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grouped {
    /// Its kind.
    pub kind: Kind,
    /// Its parts: any two numbers by which parts differ, those of a from those of another assembly b as well.
    pub parts: [u32; 2],
    /// The middle between its points.
    pub point: DVec3,
    /// The diagonal of the box of the smaller part, in the unit of the assembly.
    pub size: f64,
}

/// The number of the group of each clash: that of its first clash, counted from 0.
///
/// Two clashes belong together if they are of one kind, share a part, and if their points are no farther apart than a quarter of the
/// size of the smallest of their parts; and so do chains of them. Costs O(k n log n) for n clashes of parts of k orders of magnitude, powers of
/// two, and besides the product of the numbers of clashes of a part in two clusters that are nearly as near as that.
#[must_use]
pub fn groups(clashes: &[Grouped]) -> Vec<u32> {
    groups_while(clashes, || true).unwrap_or_default()
}

/// [`groups`] for as long as it `goes_on`, which is asked before the clashes of each part; `None` if it did not go on to the end.
#[must_use]
pub fn groups_while(clashes: &[Grouped], mut goes_on: impl FnMut() -> bool) -> Option<Vec<u32>> {
    let mut leaders: Vec<u32> = (0..clashes.len() as u32).collect();
    let mut of_parts: BTreeMap<(Kind, u32), Vec<u32>> = BTreeMap::new();
    for (clash, number) in clashes.iter().zip(0..) {
        // What has no place or no size is near nothing.
        if clash.point.is_finite() && reach_of(clash) > 0.0 {
            for part in clash.parts {
                of_parts.entry((clash.kind, part)).or_default().push(number);
            }
        }
    }
    for numbers in of_parts.into_values() {
        if !goes_on() {
            return None;
        }
        let mut orders: Vec<i64> = numbers
            .iter()
            .map(|&number| order_of(&clashes[number as usize]))
            .collect();
        orders.sort_unstable();
        orders.dedup();
        for order in orders {
            // The others are larger: how near one of this order must be does not depend on them.
            let larger = numbers
                .iter()
                .filter(|&&number| order_of(&clashes[number as usize]) >= order);
            let cells = Cells::new(clashes, larger.copied(), order);
            cells.join_near(clashes, &mut leaders);
        }
    }
    let numbers = 0..clashes.len() as u32;
    Some(
        numbers
            .map(|number| leader_of(&mut leaders, number))
            .collect(),
    )
}

fn reach_of(clash: &Grouped) -> f64 {
    NEARNESS * clash.size
}

/// The power of two that is at most the reach of a clash and more than half of it.
fn order_of(clash: &Grouped) -> i64 {
    let exponent = (reach_of(clash).to_bits() >> 52) as i64 - 1023;
    exponent.clamp(-MOST, MOST)
}

/// The greatest order: coordinates in cells of any order are finite.
const MOST: i64 = 900;

/// How many cells a reach takes at most along each axis: clashes of one cell are all near each other.
const CELLS: f64 = 4.0;

/// Few cells are quicker compared with each other than sought.
const FEW: usize = 32;

/// Clashes by the cells of a grid, each with the coordinates of its cell.
struct Cells(BTreeMap<[i64; 3], (DVec3, Vec<u32>)>);

impl Cells {
    fn new(clashes: &[Grouped], numbers: impl Iterator<Item = u32>, order: i64) -> Self {
        // The reach is less than twice the power of two, which makes the cells half as long as that.
        let side = f64::from_bits(((order - 1 + 1023) as u64) << 52);
        let mut cells = BTreeMap::new();
        for number in numbers {
            let cell = (clashes[number as usize].point / side).floor();
            let (_, own) = cells.entry(key_of(cell)).or_insert((cell, Vec::new()));
            own.push(number);
        }
        Self(cells)
    }

    fn join_near(&self, clashes: &[Grouped], leaders: &mut [u32]) {
        let Self(cells) = self;
        for (_, own) in cells.values() {
            own.iter().for_each(|&number| join(leaders, own[0], number));
        }
        for (key, (cell, own)) in cells {
            let mut join_all = |others: &[u32]| {
                if leader_of(leaders, own[0]) != leader_of(leaders, others[0])
                    && are_near(clashes, [own, others])
                {
                    join(leaders, own[0], others[0]);
                }
            };
            let later = (Bound::Excluded(*key), Bound::Unbounded);
            if cells.len() <= FEW {
                cells
                    .range(later)
                    .for_each(|(_, (_, others))| join_all(others));
                continue;
            }
            for row in 0..45 {
                let [x, y] = [row / 9, row % 9].map(f64::from);
                let [from, to] =
                    [-CELLS, CELLS].map(|z| key_of(*cell + DVec3::new(x, y - CELLS, z)));
                let near = cells.range(from.max(*key)..=to.max(*key));
                near.for_each(|(_, (_, others))| join_all(others));
            }
        }
    }
}

/// Numbers in the order of coordinates.
fn key_of(cell: DVec3) -> [i64; 3] {
    // As `f64::total_cmp` does it; zero has one sign.
    (cell + 0.0).to_array().map(|x| {
        let bits = x.to_bits() as i64;
        bits ^ ((bits >> 63) as u64 >> 1) as i64
    })
}

/// Whether a clash of one cell is near one of another cell.
fn are_near(clashes: &[Grouped], [some, others]: [&[u32]; 2]) -> bool {
    let at = |number: &u32| &clashes[*number as usize];
    some.iter().map(at).any(|one| {
        others.iter().map(at).any(|other| {
            let reach = reach_of(one).min(reach_of(other));
            (other.point - one.point).length() <= reach
        })
    })
}

fn leader_of(leaders: &mut [u32], mut number: u32) -> u32 {
    while leaders[number as usize] != number {
        let next = leaders[leaders[number as usize] as usize];
        // Halves the way for those that come after.
        leaders[number as usize] = next;
        number = next;
    }
    number
}

fn join(leaders: &mut [u32], one: u32, other: u32) {
    let (one, other) = (leader_of(leaders, one), leader_of(leaders, other));
    leaders[one.max(other) as usize] = one.min(other);
}
