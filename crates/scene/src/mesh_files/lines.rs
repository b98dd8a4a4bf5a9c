//! The lines of a text that a mesh reader gets to see.

use std::io::{self, BufRead, Read};

/// What becomes of a line: it is looked at, and what the reader is to get is added to the output, with
/// line feeds. Nothing added leaves the line out.
pub(super) trait Rewrite {
    /// Rewrites a line, which comes without its end.
    fn rewrite(&mut self, line: &str, out: &mut String);
}

/// The text without the byte order mark that some editors put before it.
pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// A text of which each line is rewritten when it is read.
pub(super) struct Rewritten<'t, R> {
    rest: &'t [u8],
    rewrite: R,
    /// The number of the last line that was read, counted from 1.
    line: u32,
    out: String,
    given: usize,
}

impl<'t, R: Rewrite> Rewritten<'t, R> {
    /// A byte order mark at the beginning belongs to no line.
    pub(super) fn new(text: &'t [u8], rewrite: R) -> Self {
        Self {
            rest: without_mark(text),
            rewrite,
            line: 0,
            out: String::new(),
            given: 0,
        }
    }

    /// The number of the last line that was read, counted from 1, and what rewrites the lines.
    pub(super) fn into_parts(self) -> (u32, R) {
        (self.line, self.rewrite)
    }

    /// Takes a line off the text. Lines end with a line feed, a carriage return, or both.
    fn next_line(&mut self) -> Option<&'t [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line = self.line.saturating_add(1);
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let Some(end) = self.rest.iter().position(is_end) else {
            return Some(std::mem::take(&mut self.rest));
        };
        let (line, rest) = self.rest.split_at(end);
        let end = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        self.rest = &rest[end..];
        Some(line)
    }
}

impl<R: Rewrite> BufRead for Rewritten<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.given == self.out.len() {
            self.out.clear();
            self.given = 0;
            while self.out.is_empty()
                && let Some(line) = self.next_line()
            {
                // Names and comments may be in any encoding.
                let line = String::from_utf8_lossy(line);
                self.rewrite.rewrite(&line, &mut self.out);
            }
        }
        Ok(&self.out.as_bytes()[self.given..])
    }

    fn consume(&mut self, count: usize) {
        self.given += count;
    }
}

impl<R: Rewrite> Read for Rewritten<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
