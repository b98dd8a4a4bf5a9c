//! Rules: which parts are checked against which, and what is allowed between them.

mod text;

use core::hash::Hasher;
use std::collections::BTreeMap;

use twox_hash::XxHash64;

use text::{Groups, Pattern, RuleText, RulesText};

/// Why a text holds no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {text}")]
pub struct RulesError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub text: String,
}

/// Which parts are checked against which, and what is allowed between them.
///
/// The first rule that matches a pair decides about it. Where there are rules, pairs that none matches are not checked.
///
/// ```
/// use clearance_clash::Rules;
///
/// let rules = Rules::from_json(r#"{
///   "groups": {"pipes": ["pipe*", "valve*"]},
///   "rules": [
///     {"between": ["pipes", "pipes"], "ignore": true},
///     {"between": ["pipes", "beam*"], "clearance": 0.05, "tolerance": 0.001, "name": "pipes keep off beams"}
///   ]
/// }"#)?;
/// assert_eq!(rules.names(), ["pipes, pipes", "pipes keep off beams"]);
/// let refused = Rules::from_json(r#"{"rules": [{"between": ["a", "b"], "clearance": -1}]}"#).unwrap_err();
/// assert_eq!(refused.to_string(), "line 1, column 52: `clearance` is -1.0, must be at least 0 and at most 3.4028235e38");
/// # Ok::<(), clearance_clash::RulesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rules {
    /// `None` where everything is checked against everything.
    list: Option<Vec<Rule>>,
    /// What all rules name and all groups, each once, sorted.
    terms: Vec<Term>,
    warnings: Vec<String>,
    /// For pairs where there are no rules.
    all: Allowed,
    fingerprint: u64,
}

/// What a rule allows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Allowed {
    /// How far apart parts must be, in the unit of their coordinates.
    pub clearance: f64,
    /// Up to which depth and gap they count as touching; `None` for 1e-5 of the size of the larger part, or a tenth of the
    /// clearance if that is less.
    pub tolerance: Option<f64>,
}

#[derive(Clone, Debug)]
struct Rule {
    name: String,
    /// The numbers of two terms.
    between: [usize; 2],
    /// `None` to ignore the pair.
    allowed: Option<Allowed>,
    /// Whether there may be no pair of parts for it.
    is_optional: bool,
}

impl Rule {
    fn is_between(&self, [a, b]: [&Traits; 2]) -> bool {
        let [x, y] = self.between;
        (a.has(x) && b.has(y)) || (a.has(y) && b.has(x))
    }
}

/// A name of a group, or a pattern.
#[derive(Clone, Debug)]
struct Term {
    patterns: Vec<Pattern>,
}

impl Rules {
    /// Everything is checked against everything.
    #[must_use]
    pub fn everything(allowed: Allowed) -> Self {
        let mut hasher = XxHash64::with_seed(0);
        hasher.write(&allowed.clearance.to_bits().to_le_bytes());
        hasher.write(
            &allowed
                .tolerance
                .map_or(u64::MAX, f64::to_bits)
                .to_le_bytes(),
        );
        Self {
            list: None,
            terms: Vec::new(),
            warnings: Vec::new(),
            all: allowed,
            fingerprint: hasher.finish(),
        }
    }

    /// Reads rules from JSON: see docs/file-formats.md.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn from_json(text: &str) -> Result<Self, RulesError> {
        // Some editors put a byte order mark first.
        let text = text.trim_start_matches('\u{feff}');
        let read: RulesText = serde_json::from_str(text).map_err(|error| refused(&error))?;
        let Groups(groups) = read.groups;
        let mut sides: BTreeMap<String, Vec<Pattern>> = groups.clone();
        for side in read.rules.iter().flat_map(|rule| &rule.between) {
            let own = || vec![side.clone()];
            sides.entry(side.text.clone()).or_insert_with(own);
        }
        let numbers: BTreeMap<String, usize> = sides.keys().cloned().zip(0..).collect();
        let rule = |rule: &RuleText| {
            let [a, b] = rule.between.each_ref().map(|side| &side.text);
            Rule {
                name: rule.name.clone().unwrap_or_else(|| format!("{a}, {b}")),
                between: [numbers[a], numbers[b]],
                allowed: rule.allowed,
                is_optional: rule.is_optional,
            }
        };
        let list: Vec<Rule> = read.rules.iter().map(rule).collect();
        let terms: Vec<Term> = sides
            .into_values()
            .map(|patterns| Term { patterns })
            .collect();
        let mut warnings = Vec::new();
        for (name, patterns) in &groups {
            let is_used = list
                .iter()
                .any(|rule| rule.between.contains(&numbers[name]));
            if !is_used {
                warnings.push(format!("no rule names the group {name:?}"));
            }
            if patterns.is_empty() {
                warnings.push(format!("the group {name:?} has no patterns"));
            }
        }
        warnings.extend(hidden(&list, &terms));
        let mut hasher = XxHash64::with_seed(1);
        hasher.write(text.as_bytes());
        Ok(Self {
            list: Some(list),
            terms,
            warnings,
            all: Allowed::default(),
            fingerprint: hasher.finish(),
        })
    }

    /// What most often is a mistake: groups that no rule names or that are empty, and rules that never decide.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether there are rules, of which there may be none that decides, rather than everything being checked against everything.
    pub(crate) fn are_given(&self) -> bool {
        self.list.is_some()
    }

    /// The names of the rules by their numbers: those that they were given, or what they are between.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let list = self.list.iter().flatten();
        list.map(|rule| rule.name.as_str()).collect()
    }

    /// The name of a rule by its number.
    #[must_use]
    pub fn name(&self, rule: u32) -> Option<&str> {
        let rule = self.list.as_ref()?.get(rule as usize)?;
        Some(&rule.name)
    }

    /// The same rules, where each may match no pair of parts: for a check of some parts of a whole.
    #[must_use]
    pub fn all_optional(mut self) -> Self {
        let rules = self.list.iter_mut().flatten();
        rules.for_each(|rule| rule.is_optional = true);
        self
    }

    /// A number that is equal for equal rules, on every platform, and most likely not for others.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// What the rules know a part of this name by.
    pub(crate) fn traits_of(&self, name: &str) -> Traits {
        let mut bits = vec![0_u64; self.terms.len().div_ceil(64)];
        for (number, term) in self.terms.iter().enumerate() {
            if term.patterns.iter().any(|pattern| pattern.matches(name)) {
                bits[number / 64] |= 1 << (number % 64);
            }
        }
        Traits(bits.into())
    }

    /// The patterns that match none of the names, each once, sorted.
    pub(crate) fn unmatched<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let all = self.terms.iter().flat_map(|term| &term.patterns);
        let mut left: Vec<&Pattern> = all.collect();
        left.sort_by(|one, other| one.text.cmp(&other.text));
        left.dedup_by(|one, other| one.text == other.text);
        for name in names {
            if left.is_empty() {
                break;
            }
            left.retain(|pattern| !pattern.matches(name));
        }
        left.iter().map(|pattern| pattern.text.clone()).collect()
    }

    /// The name of the first rule that matches no pair of a part of one list and one of the other, by all traits that parts of each
    /// have; `None` if there is none but optional ones.
    pub(crate) fn unused(&self, [a, b]: [&Traits; 2]) -> Option<&str> {
        let mut rules = self.list.iter().flatten();
        let unused = rules.find(|rule| !rule.is_optional && !rule.is_between([a, b]))?;
        Some(&unused.name)
    }

    /// The greatest clearance or tolerance that a rule for parts of these traits gives, if there is one; `tolerance` where a rule gives
    /// none.
    pub(crate) fn reach_of(&self, traits: &Traits, tolerance: f64) -> Option<f64> {
        let reach = |allowed: &Allowed| {
            let tolerance = allowed.tolerance.unwrap_or(tolerance);
            allowed.clearance.max(tolerance)
        };
        let Some(list) = &self.list else {
            return Some(reach(&self.all));
        };
        let own = list
            .iter()
            .filter(|rule| rule.between.iter().any(|&term| traits.has(term)));
        own.filter_map(|rule| rule.allowed.as_ref().map(reach))
            .reduce(f64::max)
    }

    /// What the rules allow that ignore nothing, with their names; without a name where there are no rules.
    pub(crate) fn each_allowed(&self) -> impl Iterator<Item = (Option<&str>, Allowed)> {
        let all = self.list.is_none().then_some((None, self.all));
        let list = self.list.iter().flatten();
        all.into_iter()
            .chain(list.filter_map(|rule| Some((Some(rule.name.as_str()), rule.allowed?))))
    }

    /// The rule that decides about two parts; `None` if they are not checked.
    pub(crate) fn between(&self, a: &Traits, b: &Traits) -> Option<(Option<u32>, Allowed)> {
        let Some(list) = &self.list else {
            return Some((None, self.all));
        };
        let number = list.iter().position(|rule| rule.is_between([a, b]))?;
        Some((Some(number as u32), list[number].allowed?))
    }
}

/// Names rules that never decide, since an earlier one matches all that they match.
fn hidden(list: &[Rule], terms: &[Term]) -> Vec<String> {
    let is_in = |inner: usize, outer: usize| {
        let mut patterns = terms[outer].patterns.iter();
        inner == outer || patterns.any(|pattern| pattern.is_all())
    };
    let hides = |earlier: &Rule, later: &Rule| {
        let ([a, b], [x, y]) = (earlier.between, later.between);
        (is_in(x, a) && is_in(y, b)) || (is_in(x, b) && is_in(y, a))
    };
    let mut found = Vec::new();
    for (number, later) in list.iter().enumerate() {
        if let Some(earlier) = list[..number].iter().find(|rule| hides(rule, later)) {
            let [later, earlier] = [&later.name, &earlier.name];
            found.push(format!(
                "the rule {later:?} never decides: {earlier:?} is before it"
            ));
        }
    }
    found
}

fn refused(error: &serde_json::Error) -> RulesError {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    RulesError {
        line: error.line(),
        column: error.column(),
        text: plain(text.strip_suffix(&place).unwrap_or(&text)),
    }
}

/// What serde says of a wrong type or name, in words of JSON rather than of Rust.
fn plain(text: &str) -> String {
    if let Some(what) = text.strip_prefix("EOF while parsing ") {
        return format!("the text ends before the end of {what}");
    }
    if let Some(field) = text.strip_prefix("missing field ") {
        return format!("{field} is missing");
    }
    // Patterns in errors of our own keep their letters.
    let is_of_serde = text.starts_with("invalid ") || text.starts_with("unknown field ");
    let parts = text.rsplit_once(", expected ");
    let Some((found, expected)) = parts.filter(|_| is_of_serde) else {
        return text.to_owned();
    };
    let found = match found {
        "invalid type: map" => "is an object".to_owned(),
        "invalid type: sequence" => "is a list".to_owned(),
        _ => match found.split_once(' ') {
            Some(("unknown", field)) => format!("{} is no field", &field["field ".len()..]),
            // Of a list where there must be an object.
            Some((_, what)) if what.starts_with("length") => "is a list".to_owned(),
            // The kind of a value, and the value.
            Some((_, what)) => match what.split_once(['`', '"']) {
                Some((_, value)) if what.ends_with('`') => {
                    format!("is {}", value.trim_end_matches('`'))
                }
                Some((_, value)) => format!("is \"{value}"),
                None => format!("is {}", what.trim_start_matches("type: ")),
            },
            None => found.to_owned(),
        },
    };
    let expected = match expected {
        "f64" => "a number",
        "a boolean" => "`true` or `false`",
        "a sequence" => "a list",
        other => other,
    };
    format!("{found}, must be {expected}")
}

/// Which terms of the rules a part belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Traits(Box<[u64]>);

impl Traits {
    /// Those that any of some parts have; `None` of no parts.
    pub(crate) fn of_any<'t>(all: impl Iterator<Item = &'t Self>) -> Option<Self> {
        all.cloned().reduce(|Self(mut some), Self(more)| {
            some.iter_mut()
                .zip(&more)
                .for_each(|(bits, more)| *bits |= more);
            Self(some)
        })
    }

    fn has(&self, term: usize) -> bool {
        self.0[term / 64] >> (term % 64) & 1 == 1
    }
}
