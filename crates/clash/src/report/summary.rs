//! The last line of a report.

use core::fmt;

use serde::Serialize;

use super::lines::ClashLine;
use super::{Changes, Header};
use crate::assembly::Assembly;
use crate::check::Check;
use crate::kind::Kind;
use crate::part::Form;

/// How much of its size a part may be rounded by without a warning: as much as the usual tolerance.
const COARSE: f64 = 1e-5;

/// The last line of a report: how much was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "summary")]
pub struct Summary {
    /// How many parts were checked.
    pub parts: usize,
    /// How many of them have no inside.
    pub surfaces: usize,
    /// How many parts and files were refused.
    pub refused: usize,
    /// How many pairs were measured.
    pub pairs: u64,
    /// How many clashes there are.
    pub clashes: u64,
    /// How many of them the rules do not allow, by their bounds.
    pub faults: u64,
    /// How many may be faults, since they are not proven to be what is allowed.
    pub doubtful: u64,
    /// How many are not proven to be of their kind.
    pub not_proven: u64,
    /// How many groups they make.
    pub groups: u64,
    /// What became of the faults of an earlier run, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    /// How many there are of each kind.
    pub kinds: Vec<KindCount>,
    /// How many there are by each rule, in the order of the rules.
    pub rules: Vec<RuleCount>,
    /// Patterns of the rules that match no part.
    pub unmatched_patterns: Vec<String>,
    /// The same, what else in the rules most often is a mistake, and what is not found in parts without an inside.
    pub warnings: Vec<String>,
}

/// How many clashes there are of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// The kind.
    pub kind: Kind,
    /// How many clashes.
    pub clashes: u64,
}

/// How many clashes there are by a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleCount {
    /// The name of the rule.
    pub rule: String,
    /// How many clashes.
    pub clashes: u64,
}

impl Summary {
    pub(super) fn of(header: &Header, check: &Check) -> Self {
        let sources = || [Some(&header.a), header.b.as_ref()].into_iter().flatten();
        let rules = check.rules().names();
        Self {
            parts: sources().map(|source| source.parts).sum(),
            surfaces: sources().map(|source| source.parts - source.solids).sum(),
            refused: sources().map(|source| source.refused).sum(),
            pairs: header.pairs,
            clashes: 0,
            faults: 0,
            doubtful: 0,
            not_proven: 0,
            groups: 0,
            changes: None,
            kinds: Kind::ALL
                .map(|kind| KindCount { kind, clashes: 0 })
                .to_vec(),
            rules: rules
                .into_iter()
                .map(|rule| RuleCount {
                    rule: rule.to_owned(),
                    clashes: 0,
                })
                .collect(),
            unmatched_patterns: check.unmatched().to_vec(),
            warnings: warnings(header, check),
        }
    }

    pub(super) fn count(&mut self, line: &ClashLine<'_>, rule: Option<u32>) {
        self.clashes += 1;
        self.faults += u64::from(!line.allowed);
        self.doubtful += u64::from(line.allowed && !line.proven);
        self.not_proven += u64::from(!line.proven);
        self.groups += u64::from(line.is_first_of_group());
        self.kinds[line.kind as usize].clashes += 1;
        if let (Some(changes), Some(change)) = (&mut self.changes, line.change) {
            changes.count(change);
        }
        if let Some(rule) = rule.and_then(|rule| self.rules.get_mut(rule as usize)) {
            rule.clashes += 1;
        }
    }
}

fn warnings(header: &Header, check: &Check) -> Vec<String> {
    let unmatched = check.unmatched().iter();
    let mut warnings: Vec<String> = unmatched
        .map(|pattern| format!("the pattern {pattern:?} matches no part"))
        .collect();
    warnings.extend_from_slice(check.rules().warnings());
    let sources = [Some(&header.a), header.b.as_ref()].into_iter().flatten();
    let passed_over: usize = sources.map(|source| source.passed_over).sum();
    if passed_over > 0 {
        warnings.push(format!(
            "{passed_over} passed over: nodes with points or lines alone"
        ));
    }
    let parts = check.a().parts().iter();
    let all = || {
        parts
            .clone()
            .chain(check.b().into_iter().flat_map(Assembly::parts))
    };
    let surfaces = all().filter_map(|part| match part.form() {
        Form::Surface { reason } => Some((part.name(), reason.clone())),
        Form::Solid => None,
    });
    let text = |reason| {
        format!(
            "without an inside: what lies within and crosses no triangle is not found ({reason})"
        )
    };
    warnings.extend(first_of(surfaces, text));
    let coarse = all().filter(|part| part.rounding() > COARSE * part.diagonal());
    let text = |rounding| {
        format!(
            "with coordinates that the file has up to {rounding:.0e} only: move the model to the origin before it is written"
        )
    };
    warnings.extend(first_of(
        coarse.map(|part| (part.name(), part.rounding())),
        text,
    ));
    warnings
}

/// A warning of the first part, which counts the others.
fn first_of<'p, T>(
    mut parts: impl Iterator<Item = (&'p str, T)>,
    text: impl Fn(T) -> String,
) -> Option<String> {
    let (name, what) = parts.next()?;
    let others = match parts.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    Some(format!("{name:?}{others} {}", text(what)))
}

/// A table for people.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, count: u64| writeln!(f, "{name:<24}{count:>12}");
        row("parts", self.parts as u64)?;
        row("  without an inside", self.surfaces as u64)?;
        row("  refused", self.refused as u64)?;
        row("pairs measured", self.pairs)?;
        row("clashes", self.clashes)?;
        for count in &self.kinds {
            row(&format!("  {}", count.kind.name()), count.clashes)?;
        }
        row("  not allowed", self.faults)?;
        row("  doubtful", self.doubtful)?;
        row("  not proven", self.not_proven)?;
        row("groups", self.groups)?;
        if let Some(Changes {
            new,
            known,
            moved,
            solved,
        }) = self.changes
        {
            row("new faults", new)?;
            row("known", known)?;
            row("moved", moved)?;
            row("solved", solved)?;
        }
        for count in &self.rules {
            row(&format!("rule {:?}", count.rule), count.clashes)?;
        }
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        Ok(())
    }
}
