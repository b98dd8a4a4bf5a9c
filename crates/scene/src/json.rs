//! JSON as serde_json splits it: a value stays text until somebody reads it.
//!
//! So a number is read from its digits, a problem shows the value as it is written, and what came
//! before a mistake is known (the id of a line that is cut short).

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::problem::Problem;

/// How deep lists and objects may be nested: keeps hostile text from exhausting the stack.
const MAX_DEPTH: i32 = 128;

/// A field of an object.
#[derive(Clone)]
pub(crate) struct Member<'t> {
    pub(crate) key: Cow<'t, str>,
    /// The value as written.
    pub(crate) text: &'t str,
}

/// A string, borrowed from its text where that has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'t>(#[serde(borrow)] pub(crate) Cow<'t, str>);

/// Appends the fields of the object `text` to `members`, up to the first mistake.
pub(crate) fn read_members<'t>(
    text: &'t str,
    members: &mut Vec<Member<'t>>,
) -> serde_json::Result<()> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.deserialize_map(Members(members))?;
    reader.end()
}

/// The elements of the list `text`, as written.
pub(crate) fn read_elements(text: &str) -> serde_json::Result<Vec<&str>> {
    let elements: Vec<&RawValue> = serde_json::from_str(text)?;
    Ok(elements.into_iter().map(RawValue::get).collect())
}

struct Members<'m, 't>(&'m mut Vec<Member<'t>>);

impl<'t> Visitor<'t> for Members<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((Text(key), value)) = map.next_entry::<Text, &RawValue>()? {
            let text = value.get();
            self.0.push(Member { key, text });
        }
        Ok(())
    }
}

/// A text that holds one object: its fields, and the mistake that ended the reading, if any.
pub(crate) struct Document<'t> {
    pub(crate) text: &'t str,
    pub(crate) members: Vec<Member<'t>>,
    pub(crate) fault: Option<Problem>,
}

impl<'t> Document<'t> {
    pub(crate) fn read(text: &'t str) -> Self {
        // Some editors put this mark in front of UTF-8.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A text that is cut short ends on its last line, not on the one behind.
        let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
        let mut members = Vec::new();
        let fault = match text.trim_start_matches([' ', '\t', '\r', '\n']).get(..1) {
            None if text.is_empty() => Some(Problem::new(1, "", "empty, must be an object: {...}")),
            Some("{") => match too_deep(text) {
                Some(offset) => Some(fault_at(text, offset, "nested too deep")),
                None => {
                    let read = read_members(text, &mut members);
                    read.err().map(|error| fault_of(text, &error))
                }
            },
            _ => Some(Problem::new(1, "", "must be an object: {...}")),
        };
        Self {
            text,
            members,
            fault,
        }
    }

    /// The text of the field `key` where it is first given.
    pub(crate) fn find(&self, key: &str) -> Option<&'t str> {
        let mut members = self.members.iter();
        members
            .find(|member| member.key == key)
            .map(|member| member.text)
    }
}

/// Where a text is nested too deep.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut is_string, mut is_escaped) = (0, false, false);
    text.bytes().position(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            b'[' | b'{' if !is_string => depth += 1,
            b']' | b'}' if !is_string => depth -= 1,
            _ => {}
        }
        depth > MAX_DEPTH
    })
}

/// The mistake at which serde_json stopped.
fn fault_of(text: &str, error: &serde_json::Error) -> Problem {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    if error.is_eof() {
        return fault_at(text, text.len(), message);
    }
    let lines = text.split_inclusive('\n').take(error.line() - 1);
    let offset = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    let offset = text.floor_char_boundary(offset);
    if !["expected value", "expected ident", "invalid number"].contains(&message) {
        return fault_at(text, offset, message);
    }
    let is_of_word = |c: char| c.is_alphanumeric() || "+-._".contains(c);
    let start = text[..offset].trim_end_matches(is_of_word).len();
    let rest = &text[start..];
    let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    if end == 0 {
        return fault_at(text, start, message);
    }
    let message = format!(
        "is {}, must be a finite number, a string in quotes, a list, an object, true, false or null",
        &rest[..end]
    );
    fault_at(text, start, &message)
}

/// A mistake at `offset`, before which the text is JSON.
fn fault_at(text: &str, offset: usize, message: &str) -> Problem {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[line_start..].chars().count() + 1;
    let line = before.matches('\n').count() + 1;
    let problem = Problem::new(line as u32, "", format!("{message} (column {column})"));
    let steps = open_steps(text, offset).into_iter().rev();
    steps.fold(problem, |problem, step| match step {
        Step::Field(Some(key)) => problem.inside_field(&key),
        Step::Element { index, is_open } if is_open => problem.inside_list(index),
        _ => problem,
    })
}

/// Where the text is in an object or a list.
enum Step {
    /// In the field of this name, or before its name.
    Field(Option<String>),
    Element {
        index: usize,
        is_open: bool,
    },
}

/// The steps from the whole text to `offset`, before which it is JSON.
fn open_steps(text: &str, offset: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if let (Some(Step::Element { is_open, .. }), false) =
            (steps.last_mut(), b" \t\r\n,]}".contains(&byte))
        {
            *is_open = true;
        }
        if at >= offset {
            break;
        }
        match byte {
            b'{' => steps.push(Step::Field(None)),
            b'[' => steps.push(Step::Element {
                index: 0,
                is_open: false,
            }),
            b',' | b']' | b'}' => {
                if byte != b',' {
                    steps.pop();
                }
                match steps.last_mut() {
                    Some(Step::Element { index, is_open }) => {
                        *index += usize::from(byte == b',');
                        *is_open = false;
                    }
                    Some(Step::Field(key)) => *key = None,
                    None => {}
                }
            }
            b'"' => {
                let mut is_escaped = false;
                let end = bytes.find(|&(_, byte)| {
                    let is_end = byte == b'"' && !is_escaped;
                    is_escaped = byte == b'\\' && !is_escaped;
                    is_end
                });
                if let (Some(Step::Field(key @ None)), Some((end, _))) = (steps.last_mut(), end) {
                    *key = serde_json::from_str(&text[at..=end]).ok();
                }
            }
            _ => {}
        }
    }
    steps
}

#[cfg(test)]
mod tests;
