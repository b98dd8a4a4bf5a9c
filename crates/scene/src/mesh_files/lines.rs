//! The lines of a text that holds a mesh, and the numbers in them.

use std::borrow::Cow;

use clearance_math::{DVec3, Real, Vec3};

/// Whether the bytes begin as a text in UTF-16 does: with its byte order mark, or with two characters
/// of which each has a byte that is zero.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    let Some(&[a, b, c, d]) = bytes.first_chunk() else {
        return false;
    };
    let is_zero = [a, b, c, d].map(|byte| byte == 0);
    matches!([a, b], [0xff, 0xfe] | [0xfe, 0xff])
        || is_zero == [false, true, false, true]
        || is_zero == [true, false, true, false]
}

/// The lines of a text without their ends, and without comments, which begin with `#`.
///
/// Lines end with a line feed, a carriage return, or both. The byte order mark that some editors put before
/// a text belongs to no line.
pub(super) struct Lines<'t> {
    rest: &'t [u8],
    number: u32,
}

/// A line of a text.
pub(super) struct TextLine<'t> {
    /// Counted from 1.
    pub(super) number: u32,
    pub(super) text: Cow<'t, str>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t [u8]) -> Self {
        Self {
            rest: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text),
            number: 0,
        }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = TextLine<'t>;

    fn next(&mut self) -> Option<TextLine<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        self.number = self.number.saturating_add(1);
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let end = self.rest.iter().position(is_end);
        let (line, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let end = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        self.rest = rest.get(end..).unwrap_or_default();
        let comment = line.iter().position(|&byte| byte == b'#');
        Some(TextLine {
            number: self.number,
            // Names may be in any encoding.
            text: String::from_utf8_lossy(&line[..comment.unwrap_or(line.len())]),
        })
    }
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub(super) enum Wrong {
    #[error("has {count} coordinates, must have 3")]
    Coordinates { count: usize },
    #[error("{word:?} is not a finite number of single precision")]
    Number { word: String },
    #[error("{word:?} is not the number of a vertex")]
    Corner { word: String },
    #[error("there is no vertex {number}")]
    NoVertex { number: i64 },
    #[error("a polygon without corners")]
    NoCorners,
    #[error("a polygon of {corners} corners that is not convex, may have at most {most}")]
    TooManyCorners { corners: usize, most: usize },
    #[error("the facet has {count} corners, must have 3")]
    Facet { count: usize },
    #[error("the last line, but a solid is not ended: the file was cut short")]
    CutShort,
    #[error("the last line, but it is to be continued")]
    Continued,
}

impl Wrong {
    /// The word that is shown: a long one is not, since a message is one line.
    pub(super) fn word(word: &str) -> String {
        const SHOWN: usize = 24;
        word.chars().take(SHOWN).collect()
    }
}

/// The place that the first three of the words say.
pub(super) fn place<'w>(words: &mut impl Iterator<Item = &'w str>) -> Result<Vec3, Wrong> {
    let mut place = [0.0; 3];
    for (count, number) in place.iter_mut().enumerate() {
        let word = words.next().ok_or(Wrong::Coordinates { count })?;
        let read = word.parse().ok().filter(|number: &Real| number.is_finite());
        *number = read.ok_or_else(|| Wrong::Number {
            word: Wrong::word(word),
        })?;
    }
    Ok(Vec3::from_array(place))
}

/// The same place in double precision, of words that are known to say one.
pub(super) fn place_precisely<'w>(words: impl Iterator<Item = &'w str>) -> DVec3 {
    let mut place = DVec3::ZERO;
    for (axis, word) in words.take(3).enumerate() {
        place[axis] = word.parse().unwrap_or(f64::NAN);
    }
    place
}
