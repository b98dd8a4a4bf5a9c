//! Which clashes belong together: those of one kind that share a part and are near each other.

use std::collections::BTreeMap;

use clearance_math::DVec3;

use crate::kind::Kind;

/// How near clashes of a group are, relative to the size of the smallest of their parts.
const NEARNESS: f64 = 0.25;

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
/// size of the smallest of their parts; and so do chains of them. Costs O(n log n) for n clashes, unless many of a part are near each other.
#[must_use]
pub fn groups(clashes: &[Grouped]) -> Vec<u32> {
    let mut leaders: Vec<u32> = (0..clashes.len() as u32).collect();
    let mut of_parts: BTreeMap<(Kind, u32), Vec<u32>> = BTreeMap::new();
    for (clash, number) in clashes.iter().zip(0..) {
        for part in clash.parts {
            of_parts.entry((clash.kind, part)).or_default().push(number);
        }
    }
    for mut numbers in of_parts.into_values() {
        let at = |number: u32| &clashes[number as usize];
        numbers.sort_by(|&one, &other| at(one).point.x.total_cmp(&at(other).point.x));
        for (place, &number) in numbers.iter().enumerate() {
            let one = at(number);
            let reach = NEARNESS * one.size;
            for &later in &numbers[place + 1..] {
                let other = at(later);
                if !(other.point.x - one.point.x <= reach) {
                    break;
                }
                let reach = reach.min(NEARNESS * other.size);
                if (other.point - one.point).length() <= reach {
                    join(&mut leaders, number, later);
                }
            }
        }
    }
    (0..clashes.len() as u32)
        .map(|number| leader_of(&mut leaders, number))
        .collect()
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
