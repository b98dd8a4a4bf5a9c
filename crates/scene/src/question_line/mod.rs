//! What the lines of pair files and the questions to a scene have in common.

mod asks;
mod fields;

use serde::ser::SerializeMap;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::MeshFiles;
use crate::json::Document;
use crate::problem::{Problem, Problems};
use crate::read::{Cursor, Fields, Read, Reading};

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
        read: impl FnOnce(&'static Ask, &Fields) -> Read<Q>,
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
        let mut document = Document::read(text);
        let ask = asks.find(&document);
        let question = match document.fault.take() {
            Some(fault) => Err(fault),
            None => read_question(&document, asks, files, read),
        };
        Self {
            id: document.find("id").and_then(read_id),
            ask: ask.map_or(unknown, |ask| ask.name),
            question: question.map_err(Problems::from),
            ignored_fields: ask.map_or(Vec::new(), |ask| find_ignored(&document, ask)),
        }
    }
}

fn read_question<Q>(
    document: &Document,
    asks: &Asks,
    files: &MeshFiles,
    read: impl FnOnce(&'static Ask, &Fields) -> Read<Q>,
) -> Read<Q> {
    let reading = Reading::new(document.text, files);
    let root = Cursor::root(&reading);
    let fields = Fields::of(document, &root);
    fields.get_if("id", |id| match read_id(id.text()) {
        Some(_) => Ok(()),
        None => Err(id.refused("must be a string or a finite number")),
    })?;
    let ask = match asks.default {
        Some(default) => fields.get_or("ask", default, |ask| asks.read(ask))?,
        None => fields.get("ask", |ask| asks.read(ask))?,
    };
    // Other fields belong to whoever wrote the file.
    read(ask, &fields)
}

/// The id as written. A number must be finite, since the answer repeats the id.
fn read_id(text: &str) -> Option<Box<RawValue>> {
    let is_id = match serde_json::from_str(text) {
        Ok(Value::Number(number)) => number.as_f64().is_some_and(f64::is_finite),
        Ok(value) => value.is_string(),
        Err(_) => false,
    };
    is_id.then(|| RawValue::from_string(text.to_owned()).ok())?
}

/// Ignored fields whose names suggest that they were meant to have an effect.
fn find_ignored(document: &Document, ask: &Ask) -> Vec<String> {
    let asks = OF_PAIRS.known.iter().chain(OF_SCENES.known);
    let of_questions: Vec<&str> = asks.flat_map(|ask| ask.fields()).collect();
    let is_meant = |key: &str| {
        let lower = key.to_ascii_lowercase();
        FIELDS_OF_OTHERS.contains(&&*lower) || of_questions.contains(&&*lower)
    };
    let keys = document.members.iter().map(|member| &*member.key);
    keys.filter(|key| ask.fields().all(|field| field != *key) && is_meant(key))
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
