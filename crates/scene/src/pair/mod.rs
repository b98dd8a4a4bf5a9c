//! The lines of pair files: questions, and their answers.

mod answer;
mod question;
mod read;
mod write;

use serde_json::value::RawValue;

use crate::MeshFiles;
use crate::json::{Document, Node, Value};
use crate::problem::{Problem, Problems};
use question::{ASKS, Ask};

pub use answer::{Answer, PairAnswer, PairOutcome};
pub use question::{AnyQuestion, Pair, Question, Side};
pub use write::status_name;
pub(crate) use write::write_distance;

/// Fields of scenes and of questions that are not answered here.
///
/// Whoever writes one of them into a pair line expects it to have an effect.
const FIELDS_OF_OTHERS: &[&str] = &[
    "all",
    "bounds",
    "count",
    "exclude",
    "extra_margin",
    "frame",
    "groups",
    "kind",
    "margin",
    "motion",
    "motion_a",
    "motion_b",
    "pose",
    "pose_a",
    "pose_b",
    "shape",
    "shape_a",
    "shape_b",
    "shapes",
    "velocity",
];

/// A line of a pair file: its id, and its question or what is wrong with it.
#[derive(Clone, Debug)]
pub struct PairLine {
    /// The id as written, quotes included; `None` if the line has none that could be found.
    pub id: Option<Box<RawValue>>,
    /// The name of the question; `"distance"` if it is not known.
    pub ask: &'static str,
    /// The question, or what is wrong with the line.
    pub question: Result<AnyQuestion, Problems>,
    /// Fields that are ignored although their names have a meaning elsewhere in the formats, such
    /// as `margin`, or in other questions, or differ only in case from those of this question.
    pub ignored_fields: Vec<String>,
}

impl PairLine {
    /// Reads one line, with or without its end. Meshes that are named by their paths are taken from
    /// `files`.
    #[must_use]
    pub fn read(line: &[u8], files: &MeshFiles) -> Self {
        let Ok(text) = str::from_utf8(line) else {
            let problem = Problem::new(1, "", "the line is not UTF-8");
            return Self {
                id: None,
                ask: question::DISTANCE.name,
                question: Err(problem.into()),
                ignored_fields: Vec::new(),
            };
        };
        let document = Document::read(text, None);
        let id = find_id(&document.node);
        let ask = read::find_ask(&document.node);
        let question = match document.fault {
            Some(fault) => Err(fault.into()),
            None => read::read_question(&document.node, files),
        };
        Self {
            id,
            ask: ask.unwrap_or(question::DISTANCE).name,
            question,
            ignored_fields: ask.map_or(Vec::new(), |ask| find_ignored(&document.node, ask)),
        }
    }

    /// Answers the question.
    #[must_use]
    pub fn answer(self) -> PairAnswer {
        let outcome = match self.question {
            Ok(AnyQuestion::Plane(question)) => question.answer().map(PairOutcome::Plane),
            Ok(AnyQuestion::Space(question)) => question.answer().map(PairOutcome::Space),
            Err(problems) => Err(problems.to_string()),
        };
        PairAnswer {
            id: self.id,
            line: None,
            outcome: outcome.unwrap_or_else(PairOutcome::Refused),
        }
    }
}

/// Answers one line of a pair file. No other file is read: a mesh that is named by its path is
/// refused.
///
/// ```
/// let line = r#"{"id": "t1", "dimension": 3, "a": {"shape": {"type": "ball"}}}"#;
/// let answer = clearance_scene::answer_line(line.as_bytes());
/// assert!(answer.is_refused());
/// assert_eq!(
///     answer.to_string(),
///     r#"{"id":"t1","error":"a.shape.radius: missing; b: missing"}"#
/// );
/// ```
#[must_use]
pub fn answer_line(line: &[u8]) -> PairAnswer {
    PairLine::read(line, &MeshFiles::none()).answer()
}

/// The id of a line, even if the line is not valid after it.
fn find_id(node: &Node) -> Option<Box<RawValue>> {
    let Value::Object(members) = &node.value else {
        return None;
    };
    let id = members.iter().find(|member| member.key == "id")?;
    if !is_id(&id.node) {
        return None;
    }
    RawValue::from_string(id.node.text.to_owned()).ok()
}

/// Ignored fields whose names suggest that they were meant to have an effect.
fn find_ignored(node: &Node, ask: &Ask) -> Vec<String> {
    let Value::Object(members) = &node.value else {
        return Vec::new();
    };
    let is_meant = |key: &str| {
        let lower = key.to_ascii_lowercase();
        let lower = &&*lower;
        FIELDS_OF_OTHERS.contains(lower) || ASKS.iter().any(|ask| ask.fields.contains(lower))
    };
    let keys = members.iter().map(|member| &*member.key);
    keys.filter(|key| !ask.fields.contains(key) && is_meant(key))
        .map(str::to_owned)
        .collect()
}

/// Whether a value can be an id. Numbers must be finite, since the answer repeats the id.
fn is_id(node: &Node) -> bool {
    match node.value {
        Value::String(_) => true,
        Value::Number => node.text.parse::<f64>().is_ok_and(f64::is_finite),
        _ => false,
    }
}
