//! What the lines of pair files and the questions to a scene have in common.

mod asks;
mod fields;

use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use crate::MeshFiles;
use crate::json::parser::Document;
use crate::json::{Node, Value};
use crate::problem::{Problem, Problems};
use crate::read::{Cursor, Fields, Reading};

pub(crate) use asks::{Ask, Asks, OF_PAIRS, OF_SCENES};
pub use fields::{AimedRay, Side};
pub(crate) use fields::{read_cast_options, read_motion, read_ray, read_side, read_within};

/// Fields of scenes, and names that are easily mistaken for others.
///
/// Whoever writes one of them into a line expects it to have an effect.
const FIELDS_OF_OTHERS: &[&str] = &[
    "bounds",
    "extra_margin",
    "frame",
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

/// A line with a question: its id, and its question or what is wrong with it.
#[derive(Clone, Debug)]
pub struct QuestionLine<Q> {
    /// The id as written, quotes included; `None` if the line has none that could be found.
    pub id: Option<Box<RawValue>>,
    /// The name of the question. If it is not known, that of the question of lines that do not say,
    /// or nothing if there is no such question.
    pub ask: &'static str,
    /// The question, or what is wrong with the line.
    pub question: Result<Q, Problems>,
    /// Fields that are ignored although their names have a meaning elsewhere in the formats, such
    /// as `margin`, or in other questions, or differ only in case from those of this question.
    pub ignored_fields: Vec<String>,
}

impl<Q> QuestionLine<Q> {
    /// Reads one line, with or without its end, of which `read` reads the fields of the question.
    pub(crate) fn read_with(
        line: &[u8],
        asks: &Asks,
        files: &MeshFiles,
        read: impl FnOnce(&'static Ask, &Fields) -> Option<Q>,
    ) -> Self {
        let unknown = asks.default.map_or("", |ask| ask.name);
        let Ok(text) = str::from_utf8(line) else {
            let problem = Problem::new(1, "", "the line is not UTF-8");
            return Self {
                id: None,
                ask: unknown,
                question: Err(problem.into()),
                ignored_fields: Vec::new(),
            };
        };
        let document = Document::read(text, None);
        let node = &document.node;
        let id = find_id(node);
        let ask = asks.find(node);
        let question = match document.fault {
            Some(fault) => Err(fault.into()),
            None => read_question(node, asks, files, read),
        };
        Self {
            id,
            ask: ask.map_or(unknown, |ask| ask.name),
            question,
            ignored_fields: ask.map_or(Vec::new(), |ask| find_ignored(node, ask)),
        }
    }
}

fn read_question<Q>(
    node: &Node,
    asks: &Asks,
    files: &MeshFiles,
    read: impl FnOnce(&'static Ask, &Fields) -> Option<Q>,
) -> Result<Q, Problems> {
    let reading = Reading::new(files);
    let question = read_line(&Cursor::root(node, &reading), asks, read);
    Problems::all(reading.into_problems())?;
    question.ok_or_else(|| Problem::new(1, "", "cannot be read").into())
}

fn read_line<Q>(
    cursor: &Cursor,
    asks: &Asks,
    read: impl FnOnce(&'static Ask, &Fields) -> Option<Q>,
) -> Option<Q> {
    let head = cursor.open_object(&["id", "ask"])?;
    if let Some(id) = head.optional("id")
        && !is_id(id.node())
    {
        id.refuse("must be a string or a finite number");
    }
    let ask = match (head.optional("ask"), asks.default) {
        (Some(ask), _) => asks.read(&ask)?,
        (None, Some(ask)) => ask,
        (None, None) => {
            head.required("ask")?;
            return None;
        }
    };
    // Other fields belong to whoever wrote the file. The first two have been looked at.
    let fields = cursor.open_object(&ask.fields[2..])?;
    read(ask, &fields)
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

/// Whether a value can be an id. Numbers must be finite, since the answer repeats the id.
fn is_id(node: &Node) -> bool {
    match node.value {
        Value::String(_) => true,
        Value::Number => node.text.parse::<f64>().is_ok_and(f64::is_finite),
        _ => false,
    }
}

/// Ignored fields whose names suggest that they were meant to have an effect.
fn find_ignored(node: &Node, ask: &Ask) -> Vec<String> {
    let Value::Object(members) = &node.value else {
        return Vec::new();
    };
    let asks = OF_PAIRS.known.iter().chain(OF_SCENES.known);
    let of_questions: Vec<&str> = asks.flat_map(|ask| ask.fields).copied().collect();
    let is_meant = |key: &str| {
        let lower = key.to_ascii_lowercase();
        FIELDS_OF_OTHERS.contains(&&*lower) || of_questions.contains(&&*lower)
    };
    let keys = members.iter().map(|member| &*member.key);
    keys.filter(|key| !ask.fields.contains(key) && is_meant(key))
        .map(str::to_owned)
        .collect()
}

/// What is known of a line that is answered or refused.
pub(crate) struct Answered<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) line: Option<u64>,
    pub(crate) is_refused: bool,
}

impl Answered<'_> {
    /// Writes the id, or the number of a line that is refused and has none.
    pub(crate) fn write_head<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if let Some(id) = self.id {
            return map.serialize_entry("id", id);
        }
        match self.line {
            Some(line) if self.is_refused => map.serialize_entry("line", &line),
            _ => Ok(()),
        }
    }
}
