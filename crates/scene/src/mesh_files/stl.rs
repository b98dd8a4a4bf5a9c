//! STL files, binary and ASCII.

use clearance_math::{Real, Vec3};

use super::lines::{Lines, TextLine, Wrong, place};
use super::surface::{FileSurface, MeshFileError, Welding};

/// A text that says nothing, then the number of triangles.
const HEADER: usize = 80;
/// Where the triangles begin.
const TRIANGLES: usize = HEADER + 4;
/// The length of a triangle: a normal, three corners, and two bytes for other uses.
const TRIANGLE: usize = 50;
/// Where the corners of a triangle begin, and where they end.
const CORNERS: core::ops::Range<usize> = 12..48;
/// How many bytes are searched for a zero, which a text does not have.
const SEARCHED: usize = 1024;

/// Reads an STL file.
pub(super) fn read(bytes: &[u8]) -> Result<FileSurface, MeshFileError> {
    let corners = match triangles(bytes)? {
        Some(triangles) => triangles.iter().flat_map(corners_of).collect(),
        None => corners_in_text(bytes)?,
    };
    let numbers = 0..corners.len() as u32 / 3;
    Ok(FileSurface {
        vertices: corners,
        triangles: numbers
            .map(|number| [0, 1, 2].map(|corner| 3 * number + corner))
            .collect(),
        welding: Welding::Near,
    })
}

/// The triangles of a binary file; `None` for a text. The length decides: some binary files begin like a
/// text.
fn triangles(bytes: &[u8]) -> Result<Option<&[[u8; TRIANGLE]]>, MeshFileError> {
    let length = bytes.len();
    let Some((header, rest)) = bytes.split_at_checked(TRIANGLES) else {
        let too_short = MeshFileError::StlTooShort { length };
        return if begins_as_text(bytes) {
            Ok(None)
        } else {
            Err(too_short)
        };
    };
    let count = header[HEADER..].try_into().map_or(0, u32::from_le_bytes);
    let expected = TRIANGLES as u64 + TRIANGLE as u64 * u64::from(count);
    if expected != length as u64 && begins_as_text(bytes) {
        return Ok(None);
    }
    // Some writers add bytes behind the last triangle.
    let triangles = rest.as_chunks().0.get(..count as usize);
    triangles.map(Some).ok_or(MeshFileError::StlLength {
        length,
        triangles: count,
        expected,
    })
}

/// Whether the first word is `solid`; comments may come before it.
fn begins_as_text(bytes: &[u8]) -> bool {
    let text = without_padding(bytes);
    let start = &text[..text.len().min(SEARCHED)];
    let is_solid = |word: &str| word.eq_ignore_ascii_case("solid");
    let mut lines = Lines::of(start);
    let first = lines.find_map(|line| line.text.split_whitespace().next().map(is_solid));
    first == Some(true) && !start.contains(&0)
}

/// The bytes without those at the end that some writers fill up a text with.
fn without_padding(bytes: &[u8]) -> &[u8] {
    const END_OF_TEXT: u8 = 0x1a;
    let is_padding = |byte: &u8| matches!(*byte, 0 | END_OF_TEXT);
    let end = bytes.iter().rposition(|byte| !is_padding(byte));
    end.map_or(&[], |end| &bytes[..=end])
}

fn corners_of(triangle: &[u8; TRIANGLE]) -> [Vec3; 3] {
    let mut numbers = [0.0; 9];
    let bytes = triangle[CORNERS].as_chunks().0;
    for (number, &bytes) in numbers.iter_mut().zip(bytes) {
        *number = Real::from_le_bytes(bytes);
    }
    let [a, b, c] = [0, 3, 6].map(|first| Vec3::from_slice(&numbers[first..]));
    [a, b, c]
}

/// The corners of all triangles of a text. Words that say nothing about them are passed over, normals
/// too: writers make mistakes in them, and nobody here needs them.
fn corners_in_text(bytes: &[u8]) -> Result<Vec<Vec3>, MeshFileError> {
    let mut read = StlText::default();
    let mut last = 1;
    for TextLine { number, text } in Lines::of(without_padding(bytes)) {
        last = number;
        read.line(&text).map_err(|wrong| wrong.at(number))?;
    }
    if read.is_open {
        return Err(Wrong::CutShort.at(last));
    }
    Ok(read.corners)
}

/// What was read of a text so far.
#[derive(Default)]
struct StlText {
    corners: Vec<Vec3>,
    /// Where the corners of the facet begin.
    facet: usize,
    /// Whether a solid was begun and not ended.
    is_open: bool,
}

impl StlText {
    fn line(&mut self, text: &str) -> Result<(), Wrong> {
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let is = |keyword| word.eq_ignore_ascii_case(keyword);
            if is("vertex") {
                self.corners.push(place(&mut words)?);
            } else if is("facet") {
                self.begin_facet(0)?;
            } else if is("endfacet") {
                self.begin_facet(3)?;
            } else if is("solid") || is("endsolid") {
                self.begin_facet(0)?;
                self.is_open = is("solid");
                // The rest is its name.
                break;
            }
        }
        Ok(())
    }

    /// Begins a facet after one that must have `expected` corners: none if it was ended before.
    fn begin_facet(&mut self, expected: usize) -> Result<(), Wrong> {
        let count = self.corners.len() - self.facet;
        self.facet = self.corners.len();
        if count == expected {
            Ok(())
        } else {
            Err(Wrong::Facet { count })
        }
    }
}
