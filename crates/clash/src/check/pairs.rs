//! Which pairs of parts are measured: those that a rule has to do with, and whose boxes are near, in blocks.

use std::sync::{Arc, PoisonError};

use clearance_math::{Aabb, DVec3};
use serde::{Deserialize, Serialize};

use super::Check;
use crate::kind::Limits;
use crate::rules::{Allowed, Traits};

/// The tolerance where a rule gives none, relative to the size of the larger part.
pub(super) const TOLERANCE: f64 = 1e-5;

/// The greatest tolerance where a rule gives none, relative to the clearance if it gives one.
const TOLERANCE_OF_CLEARANCE: f64 = 0.1;

/// The cost of a block: some tens of milliseconds for most parts. Reports can be resumed behind each block.
const COST_OF_BLOCK: u64 = 1 << 16;

/// The cost of a pair besides that of its triangles.
const COST_OF_PAIR: u64 = 64;

/// How many partners are worth keeping for the next block.
const MANY: usize = 256;

/// What is known of a part before it is measured.
#[derive(Clone, Debug)]
pub(super) struct Boxed {
    pub(super) limits: [DVec3; 2],
    pub(super) traits: Traits,
    /// How far away partners may be; `None` if no rule checks the part.
    pub(super) reach: Option<f64>,
}

/// A range of pairs, in the order of their parts, that is measured as one. It is a plain value, which other machines can measure that
/// have the same check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    /// The first pair: the numbers of its parts in their assemblies.
    pub first: [u32; 2],
    /// The last pair.
    pub last: [u32; 2],
    /// How many pairs are to be measured.
    pub pairs: u32,
    /// About how long that takes, in triangles.
    pub cost: u64,
}

/// A pair that a rule has to do with, and whose boxes are near enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) b: u32,
    pub(super) rule: Option<u32>,
    pub(super) limits: Limits,
}

impl Check {
    /// All pairs that are to be measured, in blocks of about equal cost, sorted by the numbers of their parts.
    ///
    /// Costs O(log n) for each of n parts and each pair of near boxes; no list of pairs is kept.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (number, part) in self.a.parts().iter().enumerate() {
            let a = number as u32;
            for candidate in &self.candidates_of(a) {
                let pair = [a, candidate.b];
                let block = open.get_or_insert(Block {
                    first: pair,
                    last: pair,
                    pairs: 0,
                    cost: 0,
                });
                let other = &self.second().parts()[candidate.b as usize];
                block.last = pair;
                block.pairs += 1;
                // A descent meets about as many triangles of the other one.
                let fewer = part.triangles().min(other.triangles());
                block.cost += COST_OF_PAIR + 2 * u64::from(fewer);
                if block.cost >= COST_OF_BLOCK {
                    blocks.extend(open.take());
                }
            }
        }
        blocks.extend(open);
        blocks
    }

    /// The numbers of the parts that blocks measure, each once, sorted: those of the first assembly, and those of the second one.
    /// Without a second one all are in the first list.
    ///
    /// A check of these parts alone has the same pairs between the first and the last one of a block, and finds the same clashes, but
    /// for the numbers of the parts: a machine needs no others.
    #[must_use]
    pub fn parts_of(&self, blocks: &[Block]) -> [Vec<u32>; 2] {
        let mut numbers = [Vec::new(), Vec::new()];
        let second = usize::from(self.b.is_some());
        for block in blocks {
            self.each_candidate(block, |a, candidate| {
                numbers[0].push(a);
                numbers[second].push(candidate.b);
            });
        }
        for list in &mut numbers {
            list.sort_unstable();
            list.dedup();
        }
        numbers
    }

    /// Visits the pairs of a block, in their order, with the first part of each.
    pub(super) fn each_candidate(&self, block: &Block, mut visit: impl FnMut(u32, &Candidate)) {
        let count = self.boxes_a.len() as u32;
        for a in block.first[0]..block.last[0].saturating_add(1).min(count) {
            let candidates = self.latest_of(a);
            let begin = candidates.partition_point(|candidate| [a, candidate.b] < block.first);
            let own = candidates[begin..].iter();
            own.take_while(|candidate| [a, candidate.b] <= block.last)
                .for_each(|candidate| visit(a, candidate));
        }
    }

    /// The partners of a part, sorted. They are kept for the next block, which often begins with the same part: a slab may have partners
    /// for hundreds of blocks.
    fn latest_of(&self, a: u32) -> Arc<[Candidate]> {
        // Whoever panics does not while it writes.
        let latest = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let (number, known) = &*latest()
            && *number == a
        {
            return known.clone();
        }
        let found: Arc<[Candidate]> = self.candidates_of(a).into();
        if found.len() >= MANY {
            *latest() = (a, found.clone());
        }
        found
    }

    /// The partners of a part, sorted.
    fn candidates_of(&self, a: u32) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let own = &self.boxes_a[a as usize];
        let Some(reach) = own.reach else {
            return candidates;
        };
        let [low, high] = own.limits.map(|corner| corner - self.origin);
        let window = Aabb::rounded_outwards([low - reach, high + reach]);
        let is_one = self.b.is_none();
        let targets = if is_one { &self.boxes_a } else { &self.boxes_b };
        self.tree.query_box(&window, &mut |b| {
            if is_one && b <= a {
                return;
            }
            let other = &targets[b as usize];
            let Some((rule, allowed)) = self.rules.between(&own.traits, &other.traits) else {
                return;
            };
            let limits = limits_of(allowed, own, other);
            if gap_of(own, other) <= limits.clearance.max(limits.tolerance) {
                candidates.push(Candidate { b, rule, limits });
            }
        });
        candidates.sort_unstable_by_key(|candidate| candidate.b);
        candidates
    }
}

fn limits_of(allowed: Allowed, a: &Boxed, b: &Boxed) -> Limits {
    let size = |boxed: &Boxed| (boxed.limits[1] - boxed.limits[0]).length();
    let usual = || {
        let of_size = TOLERANCE * size(a).max(size(b));
        match allowed.clearance {
            0.0 => of_size,
            clearance => of_size.min(TOLERANCE_OF_CLEARANCE * clearance),
        }
    };
    Limits {
        clearance: allowed.clearance,
        tolerance: allowed.tolerance.unwrap_or_else(usual),
    }
}

/// A lower bound of the distance of two parts: that of their boxes, which rounding is taken off from.
fn gap_of(a: &Boxed, b: &Boxed) -> f64 {
    let (low, high) = (b.limits[0] - a.limits[1], a.limits[0] - b.limits[1]);
    let apart = low.max(high).max(DVec3::ZERO);
    apart.length() * (1.0 - 4.0 * f64::EPSILON)
}
