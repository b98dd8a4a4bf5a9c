//! JSON that serde_json found valid, split step by step: a value stays text until somebody reads it.
//!
//! So a number is read from its digits, a problem shows the value as it is written, and what came
//! before a mistake is known (the id of a line that is cut short).

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::problem::Problem;

/// How deep lists and objects may be nested: keeps hostile text from exhausting the stack.
const MAX_DEPTH: i32 = 128;

const WHITE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The bytes that split a text or begin a string.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut left: &[u8] = b"\"[]{},";
    while let [mark, rest @ ..] = left {
        marks[*mark as usize] = true;
        left = rest;
    }
    marks
};

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

/// What is between the commas of a list or an object.
#[derive(Default)]
struct Split<'t> {
    parts: Vec<&'t str>,
    /// The text ends before the list or the object does.
    is_open: bool,
    /// Where it is nested too deep.
    too_deep: Option<usize>,
}

/// Splits a text that is JSON, or JSON that ends too early: then the last part may be cut.
fn split(text: &str) -> Split<'_> {
    let mut split = Split::default();
    let (mut depth, mut start, mut next) = (0, 0, 0);
    let bytes = text.as_bytes();
    while let Some(step) = bytes[next..]
        .iter()
        .position(|&byte| MARKS[usize::from(byte)])
    {
        let at = next + step;
        next = at + 1;
        match bytes[at] {
            b'"' => next = end_of_string(bytes, next).map_or(bytes.len(), |end| end + 1),
            b'[' | b'{' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                } else if depth > MAX_DEPTH && split.too_deep.is_none() {
                    split.too_deep = Some(at);
                }
            }
            byte => {
                if depth == 1 {
                    split.parts.push(text[start..at].trim_matches(WHITE));
                    start = at + 1;
                }
                depth -= i32::from(byte != b',');
                if depth == 0 {
                    break;
                }
            }
        }
    }
    split.is_open = depth > 0;
    if split.is_open {
        split.parts.push(text[start..].trim_matches(WHITE));
    }
    if split.parts == [""] {
        split.parts.clear();
    }
    split
}

/// Where the string ends whose first quote is before `start`.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += bytes
            .get(at..)?
            .iter()
            .position(|byte| b"\"\\".contains(byte))?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// The fields of an object that is JSON; `None` if the text is none.
pub(crate) fn members(text: &str) -> Option<Vec<Member<'_>>> {
    text.starts_with('{').then(|| {
        let parts = split(text).parts;
        parts.into_iter().filter_map(member).collect()
    })
}

fn member(part: &str) -> Option<Member<'_>> {
    let (key, rest) = key(part)?;
    let text = rest.strip_prefix(':')?.trim_start_matches(WHITE);
    Some(Member { key, text })
}

/// The key of a field, and what follows it.
fn key(part: &str) -> Option<(Cow<'_, str>, &str)> {
    let (key, rest) = part.split_at(end_of_string(part.as_bytes(), 1)? + 1);
    let plain = Cow::Borrowed(key.strip_prefix('"')?.strip_suffix('"')?);
    let key = match plain.contains('\\') {
        // Half of a surrogate pair is no field that is known.
        true => serde_json::from_str(key).map_or(plain, |Text(key)| key),
        false => plain,
    };
    Some((key, rest.trim_start_matches(WHITE)))
}

/// The elements of a list that is JSON, as written; `None` if the text is none.
pub(crate) fn elements(text: &str) -> Option<Vec<&str>> {
    text.starts_with('[').then(|| split(text).parts)
}

/// The value in a few words, for a message.
pub(crate) fn described(text: &str) -> String {
    const SHOWN: usize = 24;
    match text.as_bytes().first() {
        Some(b'[') => "a list".to_owned(),
        Some(b'{') => "an object".to_owned(),
        _ => match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text.to_owned(),
        },
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
        let text = text.trim_end_matches(WHITE);
        let (fault, valid) = match Self::find_fault(text) {
            Some((offset, fault)) => (Some(fault), &text[..offset]),
            None => (None, text),
        };
        let mut members = members(valid.trim_start_matches(WHITE)).unwrap_or_default();
        if fault.is_some() {
            members.retain(|member| serde_json::from_str::<IgnoredAny>(member.text).is_ok());
        }
        Self {
            text,
            members,
            fault,
        }
    }

    /// The first mistake of a text, and its place.
    fn find_fault(text: &str) -> Option<(usize, Problem)> {
        let at_start = |text| Some((0, Problem::new(1, "", text)));
        match text.trim_start_matches(WHITE).chars().next() {
            Some('{') => {}
            Some(_) => return at_start("must be an object: {...}"),
            None => return at_start("empty, must be an object: {...}"),
        }
        let too_deep = split(text).too_deep;
        let too_deep = too_deep.map(|offset| (offset, "nested too deep".to_owned()));
        let error = serde_json::from_str::<IgnoredAny>(text).err();
        let stop = error.map(|error| {
            let (offset, message) = stop_of(text, &error);
            (offset, in_plain_words(&message, text.split_at(offset)))
        });
        // Up to the first of them the text is JSON that is nested no deeper than it may be.
        let faults = too_deep.into_iter().chain(stop);
        let (offset, message) = faults.min_by_key(|(offset, _)| *offset)?;
        Some((offset, fault_at(text, offset, &message)))
    }

    /// The text of the field `key` where it is first given.
    pub(crate) fn find(&self, key: &str) -> Option<&'t str> {
        let mut members = self.members.iter();
        members
            .find(|member| member.key == key)
            .map(|member| member.text)
    }
}

/// What serde_json says, in the words of who writes such files, and what would be right. The text is parted where it stopped.
fn in_plain_words(message: &str, (before, rest): (&str, &str)) -> String {
    if let Some(what) = message.strip_prefix("EOF while parsing ") {
        return format!("the text ends before the end of {what}");
    }
    match message {
        _ if rest.starts_with("//") || rest.starts_with("/*") => "JSON has no comments".to_owned(),
        "trailing comma" => "a comma too many".to_owned(),
        "expected value" if rest.starts_with([']', '}']) && before.trim_end().ends_with(',') => {
            "a comma too many".to_owned()
        }
        "trailing characters" => "more text behind the end of the object".to_owned(),
        "key must be a string" => "expected the name of a field in quotes".to_owned(),
        "expected value" => "expected a value; strings need quotes".to_owned(),
        _ => message.to_owned(),
    }
}

/// Where serde_json stopped, and why.
fn stop_of(text: &str, error: &serde_json::Error) -> (usize, String) {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    if error.is_eof() {
        return (text.len(), message.to_owned());
    }
    let lines = text.split_inclusive('\n').take(error.line() - 1);
    let offset = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    let offset = text.floor_char_boundary(offset);
    if !["expected value", "expected ident", "invalid number"].contains(&message) {
        return (offset, message.to_owned());
    }
    let is_of_word = |c: char| c.is_alphanumeric() || "+-._".contains(c);
    let start = text[..offset].trim_end_matches(is_of_word).len();
    let rest = &text[start..];
    let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    if end == 0 {
        return (start, message.to_owned());
    }
    let message = format!(
        "is {}, must be a finite number, a string in quotes, a list, an object, true, false or null",
        described(&rest[..end])
    );
    (start, message)
}

/// A mistake at `offset`, before which the text is JSON.
fn fault_at(text: &str, offset: usize, message: &str) -> Problem {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[line_start..].chars().count() + 1;
    let line = before.matches('\n').count() + 1;
    let problem = Problem::new(line as u32, "", format!("{message} (column {column})"));
    inside(problem, before.trim_start_matches(WHITE), &text[offset..])
}

/// The problem at the end of a text that is JSON up to there, inside of all that is still open; `rest` is what follows.
fn inside(problem: Problem, text: &str, rest: &str) -> Problem {
    let Split { parts, is_open, .. } = split(text);
    let last = parts.last().copied().unwrap_or_default();
    if !is_open {
        return problem;
    }
    if text.starts_with('[') {
        let goes_on = rest.starts_with(|next| !WHITE.contains(&next) && !",]}".contains(next));
        return match goes_on || !(last.is_empty() || is_closed(last)) {
            true => inside(problem, last, rest).inside_list(parts.len().max(1) - 1),
            // Between two elements.
            false => problem,
        };
    }
    let Some((key, value)) = key(last) else {
        return problem;
    };
    let value = value.strip_prefix(':').unwrap_or_default();
    let value = value.trim_start_matches(WHITE);
    match is_closed(value) {
        true => problem,
        false => inside(problem, value, rest).inside_field(&key),
    }
}

/// Whether a text is a list or an object, up to its end.
fn is_closed(text: &str) -> bool {
    text.starts_with(['[', '{']) && !split(text).is_open
}

#[cfg(test)]
mod tests;
