//! The check itself.
//!
//! | file | what |
//! | --- | --- |
//! | `pairs.rs` | pairs of parts whose boxes are near, in blocks |
//! | `pair.rs` | what is measured of a pair |

mod pair;
mod pairs;

use core::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use clearance_math::{Aabb, DVec3, Vec3};
use clearance_tree::{BuildError, BuildScratch, BuildTools, Tree, Workers};
use rayon::prelude::*;

use self::pairs::{Boxed, Candidate, TOLERANCE};
use crate::assembly::Assembly;
use crate::clash::Clash;
use crate::groups::Grouped;
use crate::measured::Hull;
use crate::part::Part;
use crate::rules::{Rules, Traits};

pub use self::pairs::Block;

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
        let second = if b.is_some() { &boxes_b } else { &boxes_a };
        if let Some(rule) = unused(&rules, [&boxes_a, second]) {
            return Err(CheckError::Unused {
                rule,
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
}

/// The name of a rule that is for no two of the parts.
fn unused(rules: &Rules, boxes: [&[Boxed]; 2]) -> Option<String> {
    let any = |boxes: &[Boxed]| Traits::of_any(boxes.iter().map(|boxed| &boxed.traits));
    let [a, b] = boxes.map(any);
    rules.unused([&a?, &b?]).map(str::to_owned)
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
