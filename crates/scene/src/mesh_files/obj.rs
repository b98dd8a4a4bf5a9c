//! OBJ files: vertices and faces; everything else in them is passed over.

use clearance_math::Vec3;
use clearance_shapes::Shape;
use tobj::{LoadError, LoadOptions};

use super::MeshFileError;
use super::lines::{Rewrite, Rewritten};

/// Faces of more than three corners become fans around their first corner, faces of fewer are passed
/// over.
const OPTIONS: LoadOptions = LoadOptions {
    triangulate: true,
    ignore_points: true,
    ignore_lines: true,
    single_index: false,
};

/// Reads an OBJ file.
pub(super) fn read(text: &[u8]) -> Result<Shape<Vec3>, MeshFileError> {
    let mut lines = Rewritten::new(text, VerticesAndFaces::default());
    let read = tobj::load_obj_buf(&mut lines, &OPTIONS, |_| Err(LoadError::OpenFileFailed));
    let (line, VerticesAndFaces { begun }) = lines.into_parts();
    let (models, _) = read.map_err(|error| match error {
        LoadError::PositionParseError | LoadError::FaceParseError => {
            MeshFileError::ObjLine { line, error }
        }
        // Found when all lines have been read.
        error => MeshFileError::Obj(error),
    })?;
    if !begun.is_empty() {
        return Err(MeshFileError::ObjContinued);
    }
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    // Without the lines that begin objects and groups, there is one model.
    for model in models {
        let first = vertices.len() as u32;
        let positions = model.mesh.positions.as_chunks::<3>().0;
        vertices.extend(positions.iter().map(|place| Vec3::from_array(*place)));
        let corners = model.mesh.indices.as_chunks::<3>().0;
        triangles.extend(
            corners
                .iter()
                .map(|corners| corners.map(|index| first + index)),
        );
    }
    Ok(Shape::mesh(vertices, triangles)?)
}

/// Joins lines that are continued, and leaves of them the places of vertices and the vertices of
/// faces: neither weights nor colours, nor the numbers of normals and texture coordinates, which need
/// not exist.
#[derive(Default)]
struct VerticesAndFaces {
    /// A line that is to be continued.
    begun: String,
}

impl Rewrite for VerticesAndFaces {
    fn rewrite(&mut self, line: &str, out: &mut String) {
        if let Some(begun) = line.strip_suffix('\\') {
            self.begun.push_str(begun);
            self.begun.push(' ');
        } else if self.begun.is_empty() {
            keep(line, out);
        } else {
            self.begun.push_str(line);
            keep(&self.begun, out);
            self.begun.clear();
        }
    }
}

fn keep(line: &str, out: &mut String) {
    let mut words = line.split_whitespace();
    let key = words.next();
    match key {
        Some("v") => {
            out.push('v');
            for word in words.take(3) {
                out.extend([" ", word]);
            }
        }
        Some("f") => {
            out.push('f');
            for word in words.take_while(|word| !word.starts_with('#')) {
                let vertex = word.split('/').next().filter(|vertex| !vertex.is_empty());
                // A corner without a vertex stays one, so that it is refused.
                out.extend([" ", vertex.unwrap_or("/")]);
            }
        }
        _ => return,
    }
    out.push('\n');
}
