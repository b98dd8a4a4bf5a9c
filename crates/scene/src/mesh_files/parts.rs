//! Mesh files as named parts in double precision.

use std::path::Path;

use clearance_math::DVec3;

use super::surface::MeshFileError;
use super::{Kind, obj, read_file, stl, weld};
use crate::problem::Problem;

/// What is in a mesh file, as the objects and groups that it names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshParts {
    /// The vertices of all parts. Those of OBJ files have double precision; those of STL files that are the same up to rounding are
    /// at one place.
    pub vertices: Vec<DVec3>,
    /// The parts in the order in which the file names them first. An STL file is one, without a name.
    pub parts: Vec<MeshPart>,
}

/// A part of a mesh file.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPart {
    /// The name: of an OBJ file that of the object, of the group, or both with a slash between them. May be empty.
    pub name: String,
    /// The triangles: three numbers of vertices each.
    pub triangles: Vec<[u32; 3]>,
}

impl MeshParts {
    /// Reads an OBJ or STL file.
    ///
    /// # Errors
    /// A file that cannot be read, or is neither. The problem has no field; the path is for the caller to name.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        read(path).map_err(|error| Problem::new(0, "", error.to_string()))
    }
}

fn read(path: &Path) -> Result<MeshParts, MeshFileError> {
    let read = |kind, bytes: &[u8]| match kind {
        Kind::Obj => obj::read_parts(bytes),
        Kind::Stl => stl::read(bytes).map(|mut surface| {
            weld::snap(&mut surface.vertices);
            MeshParts {
                vertices: surface.vertices.iter().map(|v| v.as_dvec3()).collect(),
                parts: vec![MeshPart {
                    name: String::new(),
                    triangles: surface.triangles,
                }],
            }
        }),
    };
    read_file(path, read, |parts| parts.vertices.is_empty())
}
