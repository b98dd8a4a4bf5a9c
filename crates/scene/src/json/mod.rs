//! JSON as a tree of values that know their line and their text.
//!
//! Not serde_json's `Value`, because a reader of files that people write needs more than the value:
//! the line of every problem, the field that holds NaN or 1e400 (where serde_json stops), fields
//! given twice, and what came before a mistake (the id of a line that is cut short).

pub(crate) mod parser;
mod string;

use std::borrow::Cow;

/// A value with its place in the text.
#[derive(Debug)]
pub(crate) struct Node<'t> {
    /// Counted from 1.
    pub(crate) line: u32,
    /// The value as written.
    pub(crate) text: &'t str,
    pub(crate) value: Value<'t>,
}

/// What a value is; a number's digits are in the text of its node.
#[derive(Debug)]
pub(crate) enum Value<'t> {
    Null,
    Boolean,
    Number,
    /// NaN, Infinity or -Infinity: not JSON, but what some writers write.
    NotFinite,
    String(Cow<'t, str>),
    List(Vec<Node<'t>>),
    /// A well-formed list that is read an element at a time by [`parser::Elements`].
    UnreadList,
    Object(Vec<Member<'t>>),
}

/// A field of an object.
#[derive(Debug)]
pub(crate) struct Member<'t> {
    pub(crate) key: Cow<'t, str>,
    pub(crate) node: Node<'t>,
}

#[cfg(test)]
mod tests;
