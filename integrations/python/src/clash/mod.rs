//! Clash checks: assemblies, rules, checks with their reports, and the shards of a check that other machines measure.

mod assembly;
mod check;
mod rules;
mod shapes;
mod shard;

pub(crate) use assembly::ClashAssembly;
pub(crate) use check::{ClashCheck, refuse_outputs};
pub(crate) use rules::ClashRules;
pub(crate) use shard::{ClashShapes, ClashStore, measure_shard};
