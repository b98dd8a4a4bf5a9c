//! What is in a mesh file, or why it is none.

use std::io;

use clearance_math::Vec3;
use clearance_shapes::ShapeError;

use super::lines::Wrong;

/// The longest mesh file that is read, in bytes: 1 GiB.
pub const MOST_MESH_BYTES: u64 = 1 << 30;

/// Which corners of the triangles of a file are one vertex. The others may leave cracks between triangles,
/// through which rays pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Welding {
    /// `"exact"`: those with equal coordinates.
    Exact,
    /// `"near"`: those that are nearer to each other along each axis than a step of single precision of the largest
    /// coordinate of the file, about 1e-7 of it. They come to be where the first of them is.
    Near,
}

impl Welding {
    /// The words that a file may use.
    pub(crate) const NAMES: [(&'static str, Self); 2] =
        [("exact", Self::Exact), ("near", Self::Near)];
}

/// What is in a mesh file.
#[derive(Debug)]
pub(super) struct FileSurface {
    pub(super) vertices: Vec<Vec3>,
    /// None in a file of vertices alone.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Unless the shape says otherwise.
    pub(super) welding: Welding,
}

/// Why a mesh file is not a mesh.
#[derive(Debug, thiserror::Error)]
pub(super) enum MeshFileError {
    #[error("must end in .obj or .stl")]
    Ending,
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("is not a file")]
    NotAFile,
    #[error("has {length} bytes, must have at most {MOST_MESH_BYTES}")]
    TooLong { length: u64 },
    #[error(
        "has {length} bytes, but says that it has {triangles} triangles, which take {expected} bytes"
    )]
    StlLength {
        length: usize,
        triangles: u32,
        expected: u64,
    },
    #[error("has {length} bytes, too few for an STL file")]
    StlTooShort { length: usize },
    #[error("is a text in UTF-16, must be in UTF-8 or ASCII")]
    Utf16,
    #[error("line {line}: {wrong}")]
    Line { line: u32, wrong: Wrong },
    #[error("has vertices, but no triangles; a `hull` can be made of it, but no `mesh`")]
    NoTriangles,
    #[error("coordinates times the scale {scale} are beyond single precision")]
    Scale { scale: Vec3 },
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl Wrong {
    /// What is wrong with the file: this, with the line.
    pub(super) fn at(self, line: u32) -> MeshFileError {
        MeshFileError::Line { line, wrong: self }
    }
}
