//! OBJ files: vertices and faces; everything else in them is passed over.

use std::collections::BTreeMap;

use clearance_math::{DVec3, Vec3};

use super::lines::{Lines, TextLine, Wrong, place, place_precisely};
use super::parts::{MeshPart, MeshParts};
use super::polygon::Triangulator;
use super::surface::{FileSurface, MeshFileError, Welding};

/// Reads an OBJ file.
pub(super) fn read(text: &[u8]) -> Result<FileSurface, MeshFileError> {
    let read = read_statements(text, Read::default())?;
    let mut triangles = Vec::new();
    read.triangulate(|_, found| triangles.extend_from_slice(found))?;
    Ok(FileSurface {
        vertices: read.vertices,
        triangles,
        // Corners are named by their numbers.
        welding: Welding::Exact,
    })
}

/// Reads an OBJ file with the names of its parts, in double precision.
pub(super) fn read_parts(text: &[u8]) -> Result<MeshParts, MeshFileError> {
    let begun = Read {
        named: Some(Named::default()),
        ..Read::default()
    };
    let read = read_statements(text, begun)?;
    let named = read.named.as_ref();
    let mut parts = Vec::<MeshPart>::new();
    let mut numbers = BTreeMap::<String, usize>::new();
    // The place of the last face in the list of names, and its part.
    let mut last = None;
    read.triangulate(|face, found| {
        let place = named.map_or(usize::MAX, |named| named.name_of(face));
        let part = match last {
            Some((known, part)) if known == place => part,
            _ => {
                let name = named.and_then(|named| named.names.get(place));
                let name = name.map_or_else(String::new, |(_, name)| name.clone());
                *numbers.entry(name.clone()).or_insert_with(|| {
                    let triangles = Vec::new();
                    parts.push(MeshPart { name, triangles });
                    parts.len() - 1
                })
            }
        };
        last = Some((place, part));
        parts[part].triangles.extend_from_slice(found);
    })?;
    Ok(MeshParts {
        vertices: read.named.map_or_else(Vec::new, |named| named.vertices),
        parts,
    })
}

fn read_statements(text: &[u8], mut read: Read) -> Result<Read, MeshFileError> {
    // The beginning of a line that goes on, and its number.
    let mut begun = String::new();
    let mut first = 0;
    for TextLine { number, text } in Lines::of(text) {
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
    Ok(read)
}

/// What was read so far.
#[derive(Default)]
struct Read {
    vertices: Vec<Vec3>,
    /// The corners of all faces, one face after the other.
    corners: Vec<u32>,
    faces: Vec<Face>,
    /// What only readers of parts want to know.
    named: Option<Named>,
}

/// Names of parts, and vertices in double precision.
#[derive(Default)]
struct Named {
    vertices: Vec<DVec3>,
    object: String,
    /// The number of the first face of each name, and the name.
    names: Vec<(usize, String)>,
}

impl Named {
    /// The place in the list of names of that of a face; one beyond if it has none.
    fn name_of(&self, face: usize) -> usize {
        let place = self.names.partition_point(|&(first, _)| first <= face);
        place.checked_sub(1).unwrap_or(usize::MAX)
    }

    /// Names the faces from a number on: by an object, or by a group in the object.
    fn name(&mut self, first: usize, keyword: &str, name: &str) {
        let name = if keyword == "o" {
            self.object = name.to_owned();
            self.object.clone()
        } else if self.object.is_empty() || name.is_empty() {
            format!("{}{name}", self.object)
        } else {
            format!("{}/{name}", self.object)
        };
        self.names.push((first, name));
    }
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
            Some("v") => self.vertex_at(words),
            Some("f") => self.face(line, words),
            Some(keyword @ ("o" | "g")) => {
                if let Some(named) = &mut self.named {
                    let name = words.collect::<Vec<_>>().join(" ");
                    named.name(self.faces.len(), keyword, &name);
                }
                Ok(())
            }
            _ => Ok(()),
        };
        done.map_err(|wrong| wrong.at(line))
    }

    fn vertex_at<'w>(&mut self, words: impl Iterator<Item = &'w str> + Clone) -> Result<(), Wrong> {
        self.vertices.push(place(&mut words.clone())?);
        if let Some(named) = &mut self.named {
            named.vertices.push(place_precisely(words));
        }
        Ok(())
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

    /// Hands over the triangles of each face, with its number.
    fn triangulate(&self, mut found: impl FnMut(usize, &[[u32; 3]])) -> Result<(), MeshFileError> {
        let mut triangles = Vec::new();
        let mut triangulator = Triangulator::new(&self.vertices);
        let mut begin = 0;
        for (number, &Face { line, end }) in self.faces.iter().enumerate() {
            let corners = &self.corners[begin..end];
            let missing = |corner: &&u32| **corner as usize >= self.vertices.len();
            if let Some(&corner) = corners.iter().find(missing) {
                let number = i64::from(corner) + 1;
                return Err(Wrong::NoVertex { number }.at(line));
            }
            triangles.clear();
            let added = triangulator.triangulate(corners, &mut triangles);
            added.map_err(|wrong| wrong.at(line))?;
            found(number, &triangles);
            begin = end;
        }
        Ok(())
    }
}
