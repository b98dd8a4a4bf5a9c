//! What files of rules say.

use core::fmt;
use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Allowed;

/// A pattern of names.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Pattern {
    pub(super) text: String,
    matcher: GlobSet,
}

/// How many bytes a pattern may have: globset builds nested alternatives by calls in calls.
const MOST_OF_PATTERN: usize = 1024;

impl Pattern {
    /// Whether the pattern matches every name.
    pub(super) fn is_all(&self) -> bool {
        !self.text.is_empty() && self.text.bytes().all(|byte| byte == b'*')
    }

    /// Whether the pattern matches a name, or what is behind one of its slashes.
    pub(super) fn matches(&self, name: &str) -> bool {
        let behind = |(slash, _)| self.matcher.is_match(&name[slash + 1..]);
        self.matcher.is_match(name) || name.match_indices('/').any(behind)
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len() > MOST_OF_PATTERN {
            let length = text.len();
            return Err(format!(
                "a pattern has {length} bytes, must have at most {MOST_OF_PATTERN}"
            ));
        }
        let glob = GlobBuilder::new(&text)
            .backslash_escape(true)
            .empty_alternates(true)
            .build();
        // A set says that a pattern is too large, where a single matcher panics.
        let matcher = glob.and_then(|glob| GlobSetBuilder::new().add(glob).build());
        match matcher {
            Ok(matcher) => Ok(Self { text, matcher }),
            Err(error) => Err(format!("{text:?} is no pattern: {}", error.kind())),
        }
    }
}

/// A length that a rule gives, which must be one.
fn length(name: &str, value: Option<f64>) -> Result<Option<f64>, String> {
    match value {
        Some(value) if !(0.0..=f64::from(f32::MAX)).contains(&value) => Err(format!(
            "`{name}` is {value:?}, must be at least 0 and at most {:?}",
            f32::MAX
        )),
        _ => Ok(value),
    }
}

/// The text of a file.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with `rules`, such as {\"rules\": [{\"between\": [\"pipe*\", \"*\"]}]}"
)]
pub(super) struct RulesText {
    #[serde(default)]
    pub(super) groups: Groups,
    pub(super) rules: Vec<RuleText>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with `between`, such as {\"between\": [\"pipe*\", \"*\"]}"
)]
struct RuleFields {
    between: Vec<Pattern>,
    clearance: Option<f64>,
    tolerance: Option<f64>,
    #[serde(default)]
    ignore: bool,
    #[serde(default)]
    optional: bool,
    name: Option<String>,
}

/// The fields of a rule that go together.
#[derive(Deserialize)]
#[serde(try_from = "RuleFields")]
pub(super) struct RuleText {
    pub(super) between: [Pattern; 2],
    pub(super) allowed: Option<Allowed>,
    pub(super) is_optional: bool,
    pub(super) name: Option<String>,
}

impl TryFrom<RuleFields> for RuleText {
    type Error = String;

    fn try_from(fields: RuleFields) -> Result<Self, String> {
        let RuleFields {
            between,
            clearance,
            tolerance,
            ignore,
            optional,
            name,
        } = fields;
        if ignore && (clearance.is_some() || tolerance.is_some()) {
            return Err("a rule with `ignore` has neither `clearance` nor `tolerance`".to_owned());
        }
        let allowed = Allowed {
            clearance: length("clearance", clearance)?.unwrap_or(0.0),
            tolerance: length("tolerance", tolerance)?,
        };
        let between = <[Pattern; 2]>::try_from(between)
            .map_err(|between| format!("`between` has {} sides, must have 2", between.len()))?;
        Ok(Self {
            between,
            allowed: (!ignore).then_some(allowed),
            is_optional: optional,
            name,
        })
    }
}

/// The patterns of each group by its name.
#[derive(Default)]
pub(super) struct Groups(pub(super) BTreeMap<String, Vec<Pattern>>);

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
        while let Some((name, patterns)) = map.next_entry::<String, Vec<Pattern>>()? {
            if groups.contains_key(&name) {
                return Err(A::Error::custom(format!("group {name:?} is given twice")));
            }
            groups.insert(name, patterns);
        }
        Ok(Groups(groups))
    }
}
