//! Rules: which parts are checked against which, and what is allowed between them.

use core::fmt;
use core::hash::Hasher;
use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use twox_hash::XxHash64;

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
/// assert_eq!(refused.to_string(), "line 1, column 51: is -1, must be finite and at least 0");
/// # Ok::<(), clearance_clash::RulesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rules {
    /// `None` where everything is checked against everything.
    list: Option<Vec<Rule>>,
    /// What all rules name, each once, sorted.
    terms: Vec<Term>,
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
}

/// A name of a group, or a pattern.
#[derive(Clone, Debug)]
struct Term {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    text: String,
    matcher: GlobMatcher,
}

impl Pattern {
    /// Whether the pattern matches a name, or what is behind one of its slashes.
    fn matches(&self, name: &str) -> bool {
        let behind = |(slash, _)| self.matcher.is_match(&name[slash + 1..]);
        self.matcher.is_match(name) || name.match_indices('/').any(behind)
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let glob = GlobBuilder::new(&text)
            .backslash_escape(true)
            .build()
            .map_err(|error| format!("is {text:?}, no pattern: {}", error.kind()))?;
        Ok(Self {
            matcher: glob.compile_matcher(),
            text,
        })
    }
}

/// A length that a rule gives.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
struct Length(f64);

impl TryFrom<f64> for Length {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if (0.0..=f64::from(f32::MAX)).contains(&value) {
            Ok(Self(value))
        } else {
            Err(format!("is {value}, must be finite and at least 0"))
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesText {
    #[serde(default)]
    groups: Groups,
    rules: Vec<RuleText>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFields {
    between: [String; 2],
    clearance: Option<Length>,
    tolerance: Option<Length>,
    #[serde(default)]
    ignore: bool,
    name: Option<String>,
}

/// The fields of a rule that go together.
#[derive(Deserialize)]
#[serde(try_from = "RuleFields")]
struct RuleText {
    between: [String; 2],
    allowed: Option<Allowed>,
    name: Option<String>,
}

impl TryFrom<RuleFields> for RuleText {
    type Error = String;

    fn try_from(fields: RuleFields) -> Result<Self, String> {
        let RuleFields {
            between,
            clearance,
            tolerance,
            ignore,
            name,
        } = fields;
        if ignore && (clearance.is_some() || tolerance.is_some()) {
            return Err("a rule with `ignore` has neither `clearance` nor `tolerance`".to_owned());
        }
        let allowed = Allowed {
            clearance: clearance.map_or(0.0, |Length(length)| length),
            tolerance: tolerance.map(|Length(length)| length),
        };
        Ok(Self {
            between,
            allowed: (!ignore).then_some(allowed),
            name,
        })
    }
}

#[derive(Default)]
struct Groups(BTreeMap<String, Vec<Pattern>>);

impl<'de> Deserialize<'de> for Groups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(GroupsVisitor)
    }
}

struct GroupsVisitor;

impl<'de> Visitor<'de> for GroupsVisitor {
    type Value = Groups;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object that gives each group a list of patterns")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Groups, A::Error> {
        let mut groups = BTreeMap::new();
        while let Some((name, texts)) = map.next_entry::<String, Vec<String>>()? {
            let patterns: Result<Vec<Pattern>, String> =
                texts.into_iter().map(Pattern::try_from).collect();
            let patterns = patterns.map_err(A::Error::custom)?;
            if groups.contains_key(&name) {
                return Err(A::Error::custom(format!("group {name:?} is given twice")));
            }
            groups.insert(name, patterns);
        }
        Ok(Groups(groups))
    }
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
            all: allowed,
            fingerprint: hasher.finish(),
        }
    }

    /// Reads rules from JSON: see docs/file-formats.md.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn from_json(text: &str) -> Result<Self, RulesError> {
        let read: RulesText = serde_json::from_str(text).map_err(|error| refused(&error))?;
        let Groups(groups) = read.groups;
        let mut names: Vec<&String> = read.rules.iter().flat_map(|rule| &rule.between).collect();
        names.sort();
        names.dedup();
        let mut terms = Vec::with_capacity(names.len());
        for name in &names {
            let patterns = match groups.get(*name) {
                Some(patterns) => patterns.clone(),
                None => vec![
                    Pattern::try_from((*name).clone()).map_err(|text| RulesError {
                        line: 1,
                        column: 1,
                        text: format!("`between` {text}"),
                    })?,
                ],
            };
            terms.push(Term { patterns });
        }
        let number = |name: &String| names.binary_search(&name).unwrap_or_default();
        let rule = |rule: &RuleText| Rule {
            name: rule.name.clone().unwrap_or_else(|| rule.between.join(", ")),
            between: [number(&rule.between[0]), number(&rule.between[1])],
            allowed: rule.allowed,
        };
        let list = read.rules.iter().map(rule).collect();
        let mut hasher = XxHash64::with_seed(1);
        hasher.write(text.as_bytes());
        Ok(Self {
            list: Some(list),
            terms,
            all: Allowed::default(),
            fingerprint: hasher.finish(),
        })
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
        let matches = |rule: &Rule| {
            let [x, y] = rule.between;
            (a.has(x) && b.has(y)) || (a.has(y) && b.has(x))
        };
        let number = list.iter().position(matches)?;
        Some((Some(number as u32), list[number].allowed?))
    }
}

fn refused(error: &serde_json::Error) -> RulesError {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    RulesError {
        line: error.line(),
        column: error.column(),
        text: text.strip_suffix(&place).unwrap_or(&text).to_owned(),
    }
}

/// Which terms of the rules a part belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Traits(Box<[u64]>);

impl Traits {
    fn has(&self, term: usize) -> bool {
        self.0[term / 64] >> (term % 64) & 1 == 1
    }
}
