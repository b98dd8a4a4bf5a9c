//! STL files, binary and ASCII.

use std::io::{Cursor, Read};

use clearance_math::Vec3;
use clearance_shapes::Shape;

use super::MeshFileError;
use super::lines::{Rewrite, Rewritten, without_mark};

/// A text that says nothing, then the number of triangles.
const HEADER: usize = 80;
/// Where the triangles begin.
const TRIANGLES: usize = HEADER + 4;
/// The length of a triangle: a normal, three corners, and two bytes for other uses.
const TRIANGLE: u64 = 50;
/// How many bytes are searched for a zero, which a text does not have.
const SEARCHED: usize = 1024;

/// Reads an STL file. Its equal vertices are made one.
pub(super) fn read(mut bytes: Vec<u8>) -> Result<Shape<Vec3>, MeshFileError> {
    if is_binary(&bytes)? {
        // The reader takes a header that begins with "solid" for a text.
        bytes[..HEADER].fill(b'\n');
        return collect(bytes);
    }
    let mut text = b"solid \n".to_vec();
    let mut lines = Rewritten::new(&bytes, Plain::default());
    lines.read_to_end(&mut text)?;
    let (_, Plain { is_open }) = lines.into_parts();
    // The reader misses this in a file that is cut short.
    if !is_open {
        text.extend(b"endsolid\n");
    }
    drop(bytes);
    collect(text)
}

/// Whether the file is binary. The length decides: some binary files begin like a text.
fn is_binary(bytes: &[u8]) -> Result<bool, MeshFileError> {
    let length = bytes.len();
    let triangles = bytes
        .get(HEADER..TRIANGLES)
        .and_then(|count| count.try_into().ok())
        .map(u32::from_le_bytes);
    let expected = |triangles: u32| TRIANGLES as u64 + TRIANGLE * u64::from(triangles);
    if triangles.map(expected) == Some(length as u64) {
        return Ok(true);
    }
    let start = without_mark(bytes).trim_ascii_start();
    let begins_as_text = start
        .get(..5)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    if begins_as_text && !bytes[..length.min(SEARCHED)].contains(&0) {
        return Ok(false);
    }
    Err(match triangles {
        Some(triangles) => MeshFileError::StlLength {
            length,
            triangles,
            expected: expected(triangles),
        },
        None => MeshFileError::StlTooShort { length },
    })
}

fn collect(bytes: Vec<u8>) -> Result<Shape<Vec3>, MeshFileError> {
    let mut source = Cursor::new(bytes);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (number, triangle) in stl_io::create_stl_reader(&mut source)?.enumerate() {
        let triangle = triangle.map_err(|error| MeshFileError::Stl {
            triangle: number,
            error,
        })?;
        let first = vertices.len() as u32;
        triangles.push([first, first + 1, first + 2]);
        vertices.extend(triangle.vertices.map(|vertex| Vec3::from_array(vertex.0)));
    }
    Ok(Shape::mesh_welded(&vertices, &triangles)?)
}

/// Words in small letters, one solid after the other without their names, and without the normals:
/// writers make mistakes in them, and nobody here needs them.
#[derive(Default)]
struct Plain {
    is_open: bool,
}

impl Rewrite for Plain {
    fn rewrite(&mut self, line: &str, out: &mut String) {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else {
            return;
        };
        match &*key.to_ascii_lowercase() {
            "solid" => self.is_open = true,
            "endsolid" => self.is_open = false,
            "facet" => out.push_str("facet normal 0 0 0\n"),
            key => {
                out.push_str(key);
                for word in words {
                    out.push(' ');
                    out.push_str(&word.to_ascii_lowercase());
                }
                out.push('\n');
            }
        }
    }
}
