//! Clash checks: which parts of a building or a machine are where others are, or nearer than a rule allows.
//!
//! An [`Assembly`] holds named [`Part`]s. [`Rules`] say which are checked against which, and what is allowed. A [`Check`] of them has
//! [`blocks`](Check::blocks) of pairs whose boxes are near; each block is [measured](Check::measure) by itself, on any thread or machine,
//! and gives its [`Clash`]es with proven bounds.
//!
//! Lengths and points are in the unit and the axes of the files, in double precision: buildings may stand a million units from the origin.
//!
//! ```
//! use clearance_clash::{Assembly, Check, Kind, Part, Rules};
//! use clearance_math::{DVec3, Pose, Vec3};
//! use clearance_shapes::Shape;
//!
//! // A pipe along x through a wall, and another one 2 cm beside it.
//! let at = |x, y, z| Pose::from_translation(DVec3::new(1e6 + x, y, z));
//! let pipe = Shape::cuboid(Vec3::new(3.0, 0.05, 0.05))?;
//! let assembly = Assembly::new(vec![
//!     Part::new("wall", Shape::cuboid(Vec3::new(0.1, 2.0, 1.5))?, at(0.0, 0.0, 0.0))?,
//!     Part::new("pipe 1", pipe.clone(), at(0.5, 0.0, 0.0))?,
//!     Part::new("pipe 2", pipe, at(0.5, 0.12, 0.0))?,
//! ]);
//! let rules = Rules::from_json(r#"{"rules": [
//!     {"between": ["pipe*", "pipe*"], "clearance": 0.05, "tolerance": 0.001},
//!     {"between": ["pipe 2", "wall"], "ignore": true},
//!     {"between": ["*", "*"]}
//! ]}"#)?;
//! let check = Check::within(assembly, rules)?;
//! let clashes: Vec<_> = check.blocks().iter().flat_map(|block| check.measure(block)).collect();
//! assert_eq!(clashes.iter().map(|clash| clash.kind).collect::<Vec<_>>(), [Kind::Clearance, Kind::Overlap]);
//! assert!((clashes[0].distance - 0.02).abs() < 1e-6 && clashes.iter().all(|clash| clash.is_proven));
//! // The shortest way of pipe 1 out of the wall is along z: half of the wall, 1.5 m, and half of the pipe.
//! assert!((clashes[1].distance + 1.55).abs() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod assembly;
mod bcf;
mod check;
mod clash;
mod files;
mod firm;
mod groups;
mod kind;
mod measured;
mod nesting;
mod part;
mod read;
mod report;
mod rules;

pub use assembly::Assembly;
pub use bcf::{BcfError, Issues};
pub use check::{Block, Check, CheckError};
pub use clash::{Clash, Side};
pub use files::{OutputError, Outputs, ends_in};
pub use groups::{Grouped, groups, groups_while};
pub use kind::{Classified, Kind, Limits, Range, classify};
pub use part::{Form, Part, PartError};
pub use read::{ReadAssembly, Refused, read_assembly};
pub use report::{
    Change, Changes, Earlier, EarlierClash, EarlierError, Header, KindCount, ReadEarlier,
    ReportError, ReportOptions, ReportWriter, RuleCount, Source, SourceOfParts, Sources, Summary,
    shard_of,
};
pub use rules::{Allowed, Rules, RulesError};
