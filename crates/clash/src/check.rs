//! The check itself: pairs of parts whose boxes are near, in blocks, and what is measured of each pair.

use core::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use clearance_gjk::measure;
use clearance_math::{Aabb, DVec3, Vec3};
use clearance_tree::{BuildError, BuildScratch, BuildTools, Tree, Workers};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assembly::Assembly;
use crate::clash::Clash;
use crate::groups::Grouped;
use crate::kind::{Classified, Kind, Limits, classify};
use crate::measured::{Hull, Hulled, Measured, separation};
use crate::nesting::{Nesting, nesting, same};
use crate::part::{Form, Part};
use crate::rules::{Allowed, Rules, Traits};

/// The tolerance where a rule gives none, relative to the size of the larger part.
const TOLERANCE: f64 = 1e-5;

/// The greatest tolerance where a rule gives none, relative to the clearance if it gives one.
const TOLERANCE_OF_CLEARANCE: f64 = 0.1;

/// The cost of a block: some tens of milliseconds for most parts. Reports can be resumed behind each block.
const COST_OF_BLOCK: u64 = 1 << 16;

/// The cost of a pair besides that of its triangles.
const COST_OF_PAIR: u64 = 64;

/// How many partners are worth keeping for the next block.
const MANY: usize = 256;

/// How many blocks each thread takes before all are written.
const BLOCKS_AT_ONCE: usize = 8;

/// A check of an assembly in itself, or of two against each other, by rules.
///
/// ```
/// use clearance_clash::{Allowed, Assembly, Check, Kind, Part, Rules};
/// use clearance_math::{DVec3, Pose, Vec3};
/// use clearance_shapes::Shape;
///
/// let part = |name: &str, x: f64| Part::new(name, Shape::cuboid(Vec3::ONE)?, Pose::from_translation(DVec3::new(x, 0.0, 0.0)));
/// let assembly = Assembly::new(vec![part("wall", 0.0)?, part("slab", 2.0)?, part("duct", 3.5)?]);
/// let check = Check::within(assembly, Rules::everything(Allowed::default()))?;
/// let found: Vec<_> = check.blocks().iter().flat_map(|block| check.measure(block)).collect();
/// let named: Vec<_> = found.iter().map(|clash| (check.part_a(clash).name(), check.part_b(clash).name(), clash.kind)).collect();
/// assert_eq!(named, [("duct", "slab", Kind::Overlap), ("slab", "wall", Kind::Touch)]);
/// assert_eq!(found[0].distance, -0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Check {
    a: Assembly,
    /// `None` if the parts of a are checked among themselves.
    b: Option<Assembly>,
    rules: Rules,
    unmatched: Vec<String>,
    boxes_a: Vec<Boxed>,
    boxes_b: Vec<Boxed>,
    /// Hulls of parts that are not convex, made when they are first asked for.
    hulls_a: Vec<Hull>,
    hulls_b: Vec<Hull>,
    /// Over the boxes of b, or of a if there is no b.
    tree: Tree<Vec3>,
    /// What is subtracted from coordinates in the tree.
    origin: DVec3,
    /// The part of a whose partners were looked for last, and these.
    latest: Mutex<(u32, Arc<[Candidate]>)>,
}

/// What is known of a part before it is measured.
#[derive(Clone, Debug)]
struct Boxed {
    limits: [DVec3; 2],
    traits: Traits,
    /// How far away partners may be; `None` if no rule checks the part.
    reach: Option<f64>,
}

/// Why parts cannot be checked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Parts as near as the clearance would touch.
    #[error(
        "{}the tolerance is {tolerance}, must be below the clearance, {clearance}",
        rule.as_ref().map_or_else(String::new, |rule| format!("rule {rule:?}: "))
    )]
    Tolerance {
        /// The name of the rule; `None` where there are no rules.
        rule: Option<String>,
        /// How far apart it allows parts to be.
        clearance: f64,
        /// Its tolerance.
        tolerance: f64,
    },
    /// A rule is for no two of the parts: most likely a mistake in typing, by which pairs are not checked.
    #[error(
        "rule {rule:?} matches no pair of parts{}; mend it, or give it `\"optional\": true`",
        match patterns.as_slice() {
            [] => String::new(),
            patterns => format!(", and no part matches {}", patterns.join(", ")),
        }
    )]
    Unused {
        /// The name of the rule.
        rule: String,
        /// The patterns of all rules that match no part.
        patterns: Vec<String>,
    },
    /// There are too many parts, or they are too far apart for boxes in single precision.
    #[error("the boxes of the parts make no tree: {0}")]
    Boxes(#[from] BuildError),
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
struct Candidate {
    b: u32,
    rule: Option<u32>,
    limits: Limits,
}

impl Check {
    /// Checks the parts of one assembly among themselves.
    ///
    /// # Errors
    /// A rule with a clearance and a tolerance that is not below it, or that matches no pair of the parts and is not optional; more parts
    /// than a tree can hold, 2^31.
    pub fn within(assembly: Assembly, rules: Rules) -> Result<Self, CheckError> {
        Self::new(assembly, None, rules)
    }

    /// Checks the parts of one assembly against those of another.
    ///
    /// # Errors
    /// As [`Check::within`].
    pub fn between(a: Assembly, b: Assembly, rules: Rules) -> Result<Self, CheckError> {
        Self::new(a, Some(b), rules)
    }

    fn new(a: Assembly, b: Option<Assembly>, rules: Rules) -> Result<Self, CheckError> {
        refuse_wide_tolerances(&rules)?;
        let parts = || {
            let b = b.iter().flat_map(Assembly::parts);
            a.parts().iter().chain(b)
        };
        let unmatched = rules.unmatched(parts().map(Part::name));
        let (mut low, mut high, mut largest) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0_f64);
        for part in parts() {
            let limits = part.limits();
            (low, high) = (low.min(limits[0]), high.max(limits[1]));
            largest = largest.max(part.diagonal());
        }
        let boxed = |part: &Part| {
            let traits = rules.traits_of(part.name());
            Boxed {
                limits: part.limits(),
                reach: rules.reach_of(&traits, TOLERANCE * largest),
                traits,
            }
        };
        let boxes_of = |assembly: &Assembly| assembly.parts().iter().map(boxed).collect();
        let boxes_a: Vec<Boxed> = boxes_of(&a);
        let boxes_b: Vec<Boxed> = b.as_ref().map_or_else(Vec::new, boxes_of);
        let any = |boxes: &[Boxed]| Traits::of_any(boxes.iter().map(|boxed| &boxed.traits));
        let second = if b.is_some() { &boxes_b } else { &boxes_a };
        if let (Some(any_a), Some(any_b)) = (any(&boxes_a), any(second))
            && let Some(rule) = rules.unused([&any_a, &any_b])
        {
            return Err(CheckError::Unused {
                rule: rule.to_owned(),
                patterns: unmatched,
            });
        }
        let origin = if low.is_finite() {
            0.5 * (low + high)
        } else {
            DVec3::ZERO
        };
        let leaves: Vec<Aabb<Vec3>> = second
            .iter()
            .map(|target| Aabb::rounded_outwards(target.limits.map(|corner| corner - origin)))
            .collect();
        let tools = BuildTools {
            scratch: &mut BuildScratch::default(),
            workers: &Workers::alone(),
        };
        let tree = Tree::build(&leaves, tools)?;
        Ok(Self {
            hulls_a: vec![Hull::default(); boxes_a.len()],
            hulls_b: vec![Hull::default(); boxes_b.len()],
            a,
            b,
            rules,
            unmatched,
            boxes_a,
            boxes_b,
            tree,
            origin,
            latest: Mutex::new((u32::MAX, Arc::default())),
        })
    }

    /// The first assembly.
    #[must_use]
    pub fn a(&self) -> &Assembly {
        &self.a
    }

    /// The second assembly; `None` if the parts of the first one are checked among themselves.
    #[must_use]
    pub fn b(&self) -> Option<&Assembly> {
        self.b.as_ref()
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The patterns of the rules that match no part, sorted: mistakes in typing, most likely.
    #[must_use]
    pub fn unmatched(&self) -> &[String] {
        &self.unmatched
    }

    /// The first part of a clash.
    ///
    /// # Panics
    /// If the clash is not one of this check.
    #[must_use]
    pub fn part_a(&self, clash: &Clash) -> &Part {
        &self.a.parts()[clash.a as usize]
    }

    /// The second part of a clash.
    ///
    /// # Panics
    /// If the clash is not one of this check.
    #[must_use]
    pub fn part_b(&self, clash: &Clash) -> &Part {
        &self.second().parts()[clash.b as usize]
    }

    fn second(&self) -> &Assembly {
        self.b.as_ref().unwrap_or(&self.a)
    }

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

    /// The clashes of a block, sorted by the numbers of their parts. They depend on nothing but the check and the block.
    #[must_use]
    pub fn measure(&self, block: &Block) -> Vec<Clash> {
        self.measure_while(block, || true).unwrap_or_default()
    }

    /// [`Check::measure`] for as long as it `goes_on`, which is asked before each pair; `None` if it did not go on to the end. A pair
    /// takes milliseconds where solids overlap that are not convex.
    #[must_use]
    pub fn measure_while(
        &self,
        block: &Block,
        mut goes_on: impl FnMut() -> bool,
    ) -> Option<Vec<Clash>> {
        let mut clashes = Vec::new();
        let mut is_whole = true;
        self.each_candidate(block, |a, candidate| {
            is_whole = is_whole && goes_on();
            if is_whole {
                clashes.extend(self.clash_of(a, candidate));
            }
        });
        is_whole.then_some(clashes)
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

    /// What of a clash decides about its group: see [`groups`](crate::groups()).
    ///
    /// # Panics
    /// If the clash is not one of this check.
    #[must_use]
    pub fn grouped(&self, clash: &Clash) -> Grouped {
        let [a, b] = [clash.point_a, clash.point_b].map(DVec3::from_array);
        // Numbers of parts of another assembly follow those of the first one.
        let first_of_b = match &self.b {
            Some(_) => self.a.parts().len() as u32,
            None => 0,
        };
        Grouped {
            kind: clash.kind,
            parts: [clash.a, first_of_b + clash.b],
            point: 0.5 * (a + b),
            size: self
                .part_a(clash)
                .diagonal()
                .min(self.part_b(clash).diagonal()),
        }
    }

    /// Measures blocks on so many threads, and hands each over with its clashes, in their order, until the receiver breaks.
    pub fn measure_each<B>(
        &self,
        blocks: &[Block],
        threads: &rayon::ThreadPool,
        mut receive: impl FnMut(&Block, Vec<Clash>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for some in blocks.chunks(BLOCKS_AT_ONCE * threads.current_num_threads()) {
            let found: Vec<Vec<Clash>> = threads.install(|| {
                let each = some.par_iter().with_max_len(1);
                each.map(|block| self.measure(block)).collect()
            });
            for (block, clashes) in some.iter().zip(found) {
                receive(block, clashes)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the pairs of a block, in their order, with the first part of each.
    fn each_candidate(&self, block: &Block, mut visit: impl FnMut(u32, &Candidate)) {
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

    fn clash_of(&self, a: u32, candidate: &Candidate) -> Option<Clash> {
        let part_a = &self.a.parts()[a as usize];
        let part_b = &self.second().parts()[candidate.b as usize];
        let limits = candidate.limits;
        let hulls_of_b = match self.b {
            Some(_) => &self.hulls_b,
            None => &self.hulls_a,
        };
        let sides = [
            (part_a, &self.hulls_a[a as usize]),
            (part_b, &hulls_of_b[candidate.b as usize]),
        ]
        .map(|(part, hull)| Hulled { part, hull });
        let Measured { near, firm } = separation(sides, limits)?;
        let mut found = classify(firm, limits)?;
        let mut inner = None;
        if let Some(sharper) = nesting_of(sides, found.kind, limits.tolerance) {
            found.is_allowed = false;
            (found.kind, found.is_proven) = match sharper {
                Nesting::Both { is_proven } => (Kind::Duplicate, is_proven),
                Nesting::Inner(side) => {
                    inner = Some(side);
                    (Kind::Inside, true)
                }
            };
        }
        let Classified {
            kind,
            is_proven,
            is_allowed,
        } = found;
        Some(Clash {
            a,
            b: candidate.b,
            rule: candidate.rule,
            kind,
            inner,
            is_proven,
            is_allowed,
            distance: near.distance,
            lower: near.lower,
            upper: near.upper,
            point_a: near.position_a.to_array(),
            point_b: near.position_b.to_array(),
            normal: near.normal.to_array(),
        })
    }
}

fn refuse_wide_tolerances(rules: &Rules) -> Result<(), CheckError> {
    for (name, allowed) in rules.each_allowed() {
        let clearance = allowed.clearance;
        match allowed.tolerance {
            Some(tolerance) if 0.0 < clearance && clearance <= tolerance => {
                let rule = name.map(str::to_owned);
                return Err(CheckError::Tolerance {
                    rule,
                    clearance,
                    tolerance,
                });
            }
            _ => {}
        }
    }
    Ok(())
}

/// How parts lie in each other that overlap or touch: what is thinner than the tolerance overlaps no deeper.
fn nesting_of(sides: [Hulled<'_>; 2], kind: Kind, tolerance: f64) -> Option<Nesting> {
    let [a, b] = sides.map(|side| side.part);
    match kind {
        Kind::Overlap => nesting(a, b, tolerance),
        Kind::Touch => {
            let known = same(a, b, tolerance)?;
            if [a, b].iter().any(|part| *part.form() != Form::Solid) {
                return Some(known);
            }
            // Sheets that lie on each other are two, however thin they are: what is the same is moved by less than the depth in common,
            // which is that of the hulls here, since that of sheets with notches is left open.
            let [Some(hull_a), Some(hull_b)] = sides.map(|side| side.hull.of(side.part)) else {
                return Some(known);
            };
            let near = measure(hull_a, hull_b, 0.0).near()?;
            same(a, b, tolerance.min(-f64::from(near.upper)))
        }
        _ => None,
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
