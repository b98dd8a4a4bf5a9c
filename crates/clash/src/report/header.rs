//! The first line of a report.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{SourceOfParts, Sources};
use crate::assembly::Assembly;
use crate::check::{Block, Check};
use crate::files::ends_in;

/// What all reports say they are.
pub(super) const FORMAT: &str = "clearance clash report";

/// The first line of a report: what was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "header")]
pub struct Header {
    /// `clearance clash report`.
    pub format: String,
    /// The version of the format, 1.
    pub version: u32,
    /// The version of this library.
    pub clearance: String,
    /// The unit of lengths: `metre` if each side was read from one glTF file, of which it is the unit, and else that of the files.
    pub unit: String,
    /// The first assembly.
    pub a: Source,
    /// The second assembly; `None` if the parts of the first one were checked among themselves.
    pub b: Option<Source>,
    /// The name of the file with the rules, or `of the program` where they came from none; `None` if everything is checked
    /// against everything.
    pub rules: Option<String>,
    /// The fingerprint of the rules, in hexadecimal.
    pub rules_fingerprint: String,
    /// How many pairs were measured.
    pub pairs: u64,
    /// In how many blocks.
    pub blocks: usize,
    /// Of a shard, the numbers of its first block and of the one behind its last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<[usize; 2]>,
}

/// What a report says of an assembly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The name of the file or folder.
    pub name: String,
    /// How many parts were checked.
    pub parts: usize,
    /// How many of them have an inside.
    pub solids: usize,
    /// How many triangles and other convex shapes they are made of.
    pub triangles: u64,
    /// How many parts and files were refused.
    pub refused: usize,
    /// How many nodes have points or lines alone, and were passed over.
    #[serde(default)]
    pub passed_over: usize,
    /// A number that is equal for equal contents, in hexadecimal.
    pub fingerprint: String,
}

impl Source {
    fn of(assembly: &Assembly, source: &SourceOfParts) -> Self {
        let triangles = assembly
            .parts()
            .iter()
            .map(|part| u64::from(part.triangles()));
        Self {
            name: source.name.clone(),
            parts: assembly.parts().len(),
            solids: assembly.solids(),
            triangles: triangles.sum(),
            refused: source.refused.len(),
            passed_over: source.passed_over,
            fingerprint: format!("{:016x}", assembly.fingerprint()),
        }
    }
}

impl Header {
    pub(super) fn of(check: &Check, blocks: &[Block], sources: &Sources) -> Self {
        let unnamed = SourceOfParts::default();
        let of_b = sources.b.as_ref().unwrap_or(&unnamed);
        let of_program = || {
            check
                .rules()
                .are_given()
                .then(|| "of the program".to_owned())
        };
        let is_gltf = |source: &SourceOfParts| ends_in(Path::new(&source.name), &["gltf", "glb"]);
        let unit = match is_gltf(&sources.a) && check.b().is_none_or(|_| is_gltf(of_b)) {
            true => "metre",
            false => "that of the files",
        };
        Self {
            format: FORMAT.to_owned(),
            version: 1,
            clearance: env!("CARGO_PKG_VERSION").to_owned(),
            unit: unit.to_owned(),
            a: Source::of(check.a(), &sources.a),
            b: check.b().map(|assembly| Source::of(assembly, of_b)),
            rules: sources.rules.clone().or_else(of_program),
            rules_fingerprint: format!("{:016x}", check.rules().fingerprint()),
            pairs: blocks.iter().map(|block| u64::from(block.pairs)).sum(),
            blocks: blocks.len(),
            shard: None,
        }
    }

    /// What is different in another one, if anything is that a partial report depends on.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        let of_b = |header: &Self| header.b.as_ref().map(|source| source.fingerprint.clone());
        let differs = [
            (self.version != other.version, "the format of reports"),
            (
                self.clearance != other.clearance,
                "the version of clearance",
            ),
            (
                self.a.fingerprint != other.a.fingerprint,
                "the first assembly",
            ),
            (of_b(self) != of_b(other), "the second assembly"),
            (
                self.rules_fingerprint != other.rules_fingerprint,
                "the rules",
            ),
            (
                (self.pairs, self.blocks) != (other.pairs, other.blocks),
                "the division into blocks",
            ),
            (self.shard != other.shard, "the shard"),
        ];
        differs
            .into_iter()
            .find_map(|(differs, what)| differs.then_some(what))
    }
}
