//! A value, the path that leads to it, and where its problems are noted.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use crate::MeshFiles;
use crate::json::{Document, Member, Text, described, elements, members};
use crate::problem::Problem;

/// What was read, or the first thing that is wrong with it.
pub(crate) type Read<T> = Result<T, Problem>;

/// The reading of one text: what was found wrong so far, and the files that the text may name.
pub(crate) struct Reading<'f> {
    text: &'f str,
    files: &'f MeshFiles,
    problems: RefCell<Vec<Problem>>,
    /// A place in the text, and its line.
    known: Cell<(usize, usize)>,
}

impl<'f> Reading<'f> {
    pub(crate) fn new(text: &'f str, files: &'f MeshFiles) -> Self {
        Self {
            text,
            files,
            problems: RefCell::default(),
            known: Cell::new((0, 1)),
        }
    }

    /// Everything that was noted, in the order in which it was found.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.problems.into_inner()
    }

    /// The line of a part of the text, counted from the last one that was asked for: it is near.
    fn line_of(&self, part: &str) -> u32 {
        let at = part.as_ptr().addr() - self.text.as_ptr().addr();
        let (known, line) = self.known.get();
        let between = &self.text.as_bytes()[at.min(known)..at.max(known)];
        let count = between.iter().filter(|byte| **byte == b'\n').count();
        let line = if at < known {
            line - count
        } else {
            line + count
        };
        self.known.set((at, line));
        line as u32
    }
}

/// A value in its place.
pub(crate) struct Cursor<'c> {
    text: &'c str,
    parent: Option<&'c Cursor<'c>>,
    step: Step<'c>,
    reading: &'c Reading<'c>,
}

#[derive(Clone, Copy)]
enum Step<'c> {
    Root,
    Field(&'c str),
    Index(usize),
}

impl<'c> Cursor<'c> {
    /// The cursor on the whole text.
    pub(crate) fn root(reading: &'c Reading<'c>) -> Self {
        Self {
            text: reading.text.trim_start(),
            parent: None,
            step: Step::Root,
            reading,
        }
    }

    fn child(&'c self, step: Step<'c>, text: &'c str) -> Self {
        Self {
            text,
            parent: Some(self),
            step,
            reading: self.reading,
        }
    }

    /// The value as written.
    pub(crate) fn text(&self) -> &'c str {
        self.text
    }

    /// The files that the text may name.
    pub(crate) fn files(&self) -> &'c MeshFiles {
        self.reading.files
    }

    /// A problem of this value.
    pub(crate) fn refused(&self, text: impl Into<String>) -> Problem {
        self.placed(Problem::new(0, "", text))
    }

    /// What this value is and what it must be.
    pub(crate) fn expected(&self, kind: &str) -> Problem {
        self.refused(format!("is {}, must be {kind}", described(self.text)))
    }

    /// A problem whose path starts at this value, with its whole path.
    pub(crate) fn placed(&self, mut problem: Problem) -> Problem {
        problem.line = self.reading.line_of(text_at(self.text, &problem.path));
        let mut cursor = Some(self);
        while let Some(at) = cursor {
            problem = match at.step {
                Step::Root => problem,
                Step::Field(key) => problem.inside_field(key),
                Step::Index(index) => problem.inside_list(index),
            };
            cursor = at.parent;
        }
        problem
    }

    /// Notes what is wrong, where the reading goes on.
    pub(crate) fn note<T>(&self, read: Read<T>) -> Option<T> {
        read.map_err(|problem| self.reading.problems.borrow_mut().push(problem))
            .ok()
    }

    pub(crate) fn string(&self) -> Read<Cow<'c, str>> {
        match serde_json::from_str(self.text) {
            Ok(Text(string)) => Ok(string),
            Err(_) => Err(self.expected("a string")),
        }
    }

    /// The elements of a list, each as written.
    pub(crate) fn elements(&self) -> Read<Vec<&'c str>> {
        elements(self.text).ok_or_else(|| self.expected("a list"))
    }

    /// What `read` makes of each element of a list, of which there are `texts`.
    pub(crate) fn read_each<T>(
        &self,
        texts: &[&str],
        read: impl Fn(&Cursor) -> Read<T>,
    ) -> Read<Vec<T>> {
        let texts = texts.iter().enumerate();
        texts
            .map(|(index, text)| read(&self.child(Step::Index(index), text)))
            .collect()
    }

    /// The fields of an object.
    pub(crate) fn fields(&'c self) -> Read<Fields<'c>> {
        let members = members(self.text).ok_or_else(|| self.expected("an object"))?;
        Ok(Fields::new(self, Cow::Owned(members)))
    }
}

/// The value at a path in a text, or the one around it that is there.
fn text_at<'t>(text: &'t str, path: &str) -> &'t str {
    let mut steps = path.split(['.', '[', ']']).filter(|step| !step.is_empty());
    let inside = |text: &'t str, step: &str| match step.parse::<usize>() {
        Ok(index) => elements(text)?.get(index).copied(),
        Err(_) => {
            let mut members = members(text)?.into_iter();
            Some(members.find(|member| member.key == step)?.text)
        }
    };
    let found = steps.try_fold(text, |text, step| inside(text, step).ok_or(text));
    found.unwrap_or_else(|around| around)
}

/// The fields of an object.
pub(crate) struct Fields<'c> {
    cursor: &'c Cursor<'c>,
    members: Cow<'c, [Member<'c>]>,
    /// The keys that were asked for: all that are allowed.
    known: RefCell<Vec<&'static str>>,
}

impl<'c> Fields<'c> {
    fn new(cursor: &'c Cursor<'c>, members: Cow<'c, [Member<'c>]>) -> Self {
        Self {
            cursor,
            members,
            known: RefCell::default(),
        }
    }

    /// The fields of a whole text.
    pub(crate) fn of(document: &'c Document, root: &'c Cursor<'c>) -> Self {
        Self::new(root, Cow::Borrowed(&document.members))
    }

    pub(crate) fn cursor(&self) -> &'c Cursor<'c> {
        self.cursor
    }

    /// The cursor on a field, if it is there.
    pub(crate) fn find<'f>(&'f self, key: &'static str) -> Read<Option<Cursor<'f>>> {
        self.known.borrow_mut().push(key);
        let mut found = self.members.iter().filter(|member| member.key == key);
        let first = found.next();
        if let Some(second) = found.next() {
            let second = self.cursor.child(Step::Field(key), second.text);
            return Err(second.refused("given twice"));
        }
        Ok(first.map(|member| self.cursor.child(Step::Field(key), member.text)))
    }

    /// What `read` makes of a field, if it is there.
    pub(crate) fn get_if<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Cursor) -> Read<T>,
    ) -> Read<Option<T>> {
        self.find(key)?.as_ref().map(read).transpose()
    }

    /// What `read` makes of a field, or `default`.
    pub(crate) fn get_or<T>(
        &self,
        key: &'static str,
        default: T,
        read: impl FnOnce(&Cursor) -> Read<T>,
    ) -> Read<T> {
        Ok(self.get_if(key, read)?.unwrap_or(default))
    }

    /// What `read` makes of a field that must be there.
    pub(crate) fn get<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Cursor) -> Read<T>,
    ) -> Read<T> {
        self.get_if(key, read)?
            .ok_or_else(|| self.missing(key, "missing"))
    }

    /// A field that is not there.
    pub(crate) fn missing(&self, key: &str, text: &str) -> Problem {
        self.cursor.placed(Problem::new(0, key, text))
    }

    /// Refuses a field that must not be there.
    pub(crate) fn refuse(&self, key: &'static str, text: &str) -> Read<()> {
        match self.find(key)? {
            Some(field) => Err(field.refused(text)),
            None => Ok(()),
        }
    }

    /// Refuses fields that were not asked for.
    pub(crate) fn no_others(&self) -> Read<()> {
        let mut known = self.known.borrow_mut();
        let is_other = |member: &&Member| !known.contains(&&*member.key);
        match self.members.iter().find(is_other) {
            Some(other) => {
                let other = self.cursor.child(Step::Field(&other.key), other.text);
                // Those that were asked for twice in a row.
                known.dedup();
                Err(other.refused(format!("unknown field, known are {}", known.join(", "))))
            }
            None => Ok(()),
        }
    }

    /// Each field of an object whose keys are free, in order.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&str, Cursor<'_>)> {
        self.members.iter().map(|member| {
            let cursor = self.cursor.child(Step::Field(&member.key), member.text);
            (&*member.key, cursor)
        })
    }
}
