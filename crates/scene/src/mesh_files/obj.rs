//! OBJ files: vertices and faces; everything else in them is passed over.

use clearance_math::Vec3;

use super::lines::{Line, Lines, Wrong, place};
use super::polygon::Triangulator;
use super::surface::{MeshFileError, Surface, Welding};

/// Reads an OBJ file.
pub(super) fn read(text: &[u8]) -> Result<Surface, MeshFileError> {
    let mut read = Read::default();
    // The beginning of a line that goes on, and its number.
    let mut begun = String::new();
    let mut first = 0;
    for Line { number, text } in Lines::of(text) {
        if begun.is_empty() {
            first = number;
        }
        let text = text.trim_end();
        if let Some(text) = text.strip_suffix('\\') {
            begun.push_str(text);
            begun.push(' ');
        } else if begun.is_empty() {
            read.statement(first, text)?;
        } else {
            begun.push_str(text);
            read.statement(first, &begun)?;
            begun.clear();
        }
    }
    if !begun.is_empty() {
        return Err(Wrong::Continued.at(first));
    }
    read.surface()
}

/// What was read so far.
#[derive(Default)]
struct Read {
    vertices: Vec<Vec3>,
    /// The corners of all faces, one face after the other.
    corners: Vec<u32>,
    faces: Vec<Face>,
}

struct Face {
    line: u32,
    /// Where its corners end.
    end: usize,
}

impl Read {
    /// Reads a line, the lines that it goes on in included.
    fn statement(&mut self, line: u32, text: &str) -> Result<(), MeshFileError> {
        let mut words = text.split_whitespace();
        let done = match words.next() {
            // Neither weights nor colours.
            Some("v") => place(&mut words).map(|place| self.vertices.push(place)),
            Some("f") => self.face(line, words),
            _ => Ok(()),
        };
        done.map_err(|wrong| wrong.at(line))
    }

    fn face<'w>(&mut self, line: u32, words: impl Iterator<Item = &'w str>) -> Result<(), Wrong> {
        let begin = self.corners.len();
        for word in words {
            self.corners.push(self.vertex(word)?);
        }
        let end = self.corners.len();
        if end == begin {
            return Err(Wrong::NoCorners);
        }
        self.faces.push(Face { line, end });
        Ok(())
    }

    /// The vertex of a corner, counted from 0; it may follow later in the file.
    fn vertex(&self, word: &str) -> Result<u32, Wrong> {
        // The numbers of normals and texture coordinates need not exist.
        let number = word.split('/').next().unwrap_or_default();
        let number: i64 = number.parse().map_err(|_| Wrong::Corner {
            word: Wrong::word(word),
        })?;
        let index = match number {
            1.. => number - 1,
            0 => -1,
            // Counts from the last vertex so far.
            _ => number.saturating_add_unsigned(self.vertices.len() as u64),
        };
        u32::try_from(index).map_err(|_| Wrong::NoVertex { number })
    }

    /// The faces as triangles.
    fn surface(self) -> Result<Surface, MeshFileError> {
        let mut triangles = Vec::new();
        let mut triangulator = Triangulator::new(&self.vertices);
        let mut begin = 0;
        for Face { line, end } in self.faces {
            let corners = &self.corners[begin..end];
            let missing = |corner: &&u32| **corner as usize >= self.vertices.len();
            if let Some(&corner) = corners.iter().find(missing) {
                let number = i64::from(corner) + 1;
                return Err(Wrong::NoVertex { number }.at(line));
            }
            let added = triangulator.triangulate(corners, &mut triangles);
            added.map_err(|wrong| wrong.at(line))?;
            begin = end;
        }
        Ok(Surface {
            vertices: self.vertices,
            triangles,
            // Corners are named by their numbers.
            welding: Welding::Exact,
        })
    }
}
