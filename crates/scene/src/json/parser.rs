//! From text to the tree.

use std::borrow::Cow;

use super::{Member, Node, Value, string};
use crate::problem::Problem;

/// How deep lists and objects may be nested: keeps hostile text from exhausting the stack.
const MAX_DEPTH: u32 = 128;

/// A text that holds one object: its fields, and the mistake that ended the reading, if any.
pub(crate) struct Document<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) fault: Option<Problem>,
}

impl<'t> Document<'t> {
    /// Reads the whole of `text`; the list under the key `unread` is checked but not kept.
    pub(crate) fn read(text: &'t str, unread: Option<&str>) -> Self {
        // Some editors put this mark in front of UTF-8.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A text that is cut short ends on its last line, not on the one behind.
        let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
        let mut parser = Parser::new(text, 1);
        let mut members = Vec::new();
        let fault = parser.document(&mut members, unread).err();
        let value = Value::Object(members);
        let node = Node {
            line: 1,
            text,
            value,
        };
        Self { node, fault }
    }
}

/// The elements of a [`Value::UnreadList`], one at a time.
pub(crate) struct Elements<'t> {
    parser: Parser<'t>,
    first: bool,
}

impl<'t> Elements<'t> {
    pub(crate) fn new(list: &Node<'t>) -> Self {
        let mut parser = Parser::new(list.text, list.line);
        parser.at = 1;
        Self {
            parser,
            first: true,
        }
    }
}

impl<'t> Iterator for Elements<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        // The list has been read before, so a mistake can only be its end.
        let more = self.parser.another(b']', self.first).ok()?;
        self.first = false;
        if more { self.parser.value().ok() } else { None }
    }
}

type Read<T> = Result<T, Problem>;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, line: u32) -> Self {
        Self {
            text,
            at: 0,
            line,
            depth: 0,
        }
    }

    fn document(&mut self, members: &mut Vec<Member<'t>>, unread: Option<&str>) -> Read<()> {
        match self.next_byte() {
            Some(b'{') => self.members(members, unread)?,
            None => return Err(self.fault("empty, must be an object")),
            Some(_) => {
                self.value()?;
                return Err(Problem::new(1, "", "must be an object: {...}"));
            }
        }
        match self.next_byte() {
            None => Ok(()),
            Some(_) => Err(self.fault("more text behind the end of the object")),
        }
    }

    /// The first byte that is not white space, still unread.
    fn next_byte(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                _ => return Some(*byte),
            }
            self.at += 1;
        }
        None
    }

    fn value(&mut self) -> Read<Node<'t>> {
        let first = self.next_byte();
        let (start, line) = (self.at, self.line);
        let value = match first {
            Some(b'{') => {
                let mut members = Vec::new();
                self.members(&mut members, None)?;
                Value::Object(members)
            }
            Some(b'[') => Value::List(self.list()?),
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            Some(_) => return Err(self.fault("expected a value")),
            None => return Err(self.fault("the text ends where a value is expected")),
        };
        let text = &self.text[start..self.at];
        Ok(Node { line, text, value })
    }

    fn members(&mut self, members: &mut Vec<Member<'t>>, unread: Option<&str>) -> Read<()> {
        self.enter()?;
        let mut first = true;
        while self.another(b'}', first)? {
            first = false;
            if self.next_byte() != Some(b'"') {
                return Err(self.fault("expected the name of a field in quotes"));
            }
            let key = self.string()?;
            if self.next_byte() != Some(b':') {
                return Err(self.fault("expected `:`").inside_field(&key));
            }
            self.at += 1;
            let node = if unread == Some(&*key) && self.next_byte() == Some(b'[') {
                self.skim()
            } else {
                self.value()
            };
            let node = node.map_err(|problem| problem.inside_field(&key))?;
            members.push(Member { key, node });
        }
        self.depth -= 1;
        Ok(())
    }

    fn list(&mut self) -> Read<Vec<Node<'t>>> {
        let mut nodes = Vec::new();
        self.for_each(|node| nodes.push(node))?;
        Ok(nodes)
    }

    /// Checks a list without keeping it.
    fn skim(&mut self) -> Read<Node<'t>> {
        let (start, line) = (self.at, self.line);
        self.for_each(drop)?;
        Ok(Node {
            line,
            text: &self.text[start..self.at],
            value: Value::UnreadList,
        })
    }

    fn for_each(&mut self, mut visit: impl FnMut(Node<'t>)) -> Read<()> {
        self.enter()?;
        let mut index = 0;
        while self.another(b']', index == 0)? {
            let node = self.value();
            visit(node.map_err(|problem| problem.inside_list(index))?);
            index += 1;
        }
        self.depth -= 1;
        Ok(())
    }

    fn enter(&mut self) -> Read<()> {
        if self.depth == MAX_DEPTH {
            return Err(self.fault("nested too deep"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Whether another element follows; moves past the comma before it or past the end.
    fn another(&mut self, end: u8, first: bool) -> Read<bool> {
        match self.next_byte() {
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(false)
            }
            Some(_) if first => Ok(true),
            Some(b',') => {
                let comma = (self.at, self.line);
                self.at += 1;
                if self.next_byte() == Some(end) {
                    (self.at, self.line) = comma;
                    let end = char::from(end);
                    return Err(self.fault(&format!("a comma too many before `{end}`")));
                }
                Ok(true)
            }
            Some(_) => Err(self.fault(&format!("expected `,` or `{}`", char::from(end)))),
            None => Err(self.fault(&format!("the text ends before `{}`", char::from(end)))),
        }
    }

    fn string(&mut self) -> Read<Cow<'t, str>> {
        self.at += 1;
        match string::scan(&self.text[self.at..]) {
            Ok((string, length)) => {
                self.at += length + 1;
                Ok(string)
            }
            Err((offset, problem)) => {
                self.at += offset;
                Err(self.fault(problem))
            }
        }
    }

    fn number(&mut self) -> Read<Value<'t>> {
        let start = self.at;
        self.skip_if(|byte| byte == b'-');
        if self.text[self.at..].starts_with("Infinity") {
            return self.word();
        }
        let whole = self.digits();
        let leading_zero = whole > 1 && self.text.as_bytes()[self.at - whole] == b'0';
        let mut valid = whole > 0 && !leading_zero;
        if self.skip_if(|byte| byte == b'.') {
            valid &= self.digits() > 0;
        }
        if self.skip_if(|byte| byte == b'e' || byte == b'E') {
            self.skip_if(|byte| byte == b'+' || byte == b'-');
            valid &= self.digits() > 0;
        }
        if valid {
            return Ok(Value::Number);
        }
        self.at = start;
        Err(self.fault("a number that is not written as JSON wants it"))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.skip_if(|byte| byte.is_ascii_digit()) {}
        self.at - start
    }

    fn skip_if(&mut self, wanted: impl Fn(u8) -> bool) -> bool {
        let found = self
            .text
            .as_bytes()
            .get(self.at)
            .is_some_and(|byte| wanted(*byte));
        self.at += usize::from(found);
        found
    }

    fn word(&mut self) -> Read<Value<'t>> {
        let start = self.at;
        while self.skip_if(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {}
        match &self.text[start..self.at] {
            "null" => Ok(Value::Null),
            "true" | "false" => Ok(Value::Boolean),
            "NaN" | "Infinity" => Ok(Value::NotFinite),
            _ => {
                self.at = start;
                Err(self.fault("expected a value; strings need quotes"))
            }
        }
    }

    fn fault(&self, problem: &str) -> Problem {
        let before = &self.text[..self.at.min(self.text.len())];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[line_start..].chars().count() + 1;
        let is_comment = |mark| self.text[before.len()..].starts_with(mark);
        let hint = if ["//", "/*"].into_iter().any(is_comment) {
            "; JSON has no comments"
        } else {
            ""
        };
        let text = format!("{problem}{hint} (column {column})");
        Problem::new(self.line, "", text)
    }
}
