//! Triangle meshes from OBJ and STL files.

mod lines;
mod obj;
mod stl;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clearance_math::Vec3;
use clearance_shapes::{Shape, ShapeError};

use crate::problem::Problem;

/// The longest mesh file that is read, in bytes: 1 GiB.
pub const MOST_MESH_BYTES: u64 = 1 << 30;

/// The mesh files that shapes name by their paths. Each is read once, however many shapes name it,
/// and all these shapes share one mesh.
///
/// ```
/// use clearance_scene::{MeshFiles, read_scene_with_files};
///
/// let files = MeshFiles::in_folder("levels");
/// let text = r#"{"dimension": 3, "bodies": [{"shape": {"type": "mesh", "path": "no.obj"}}]}"#;
/// let problems = read_scene_with_files(text, &files).unwrap_err();
/// assert_eq!(problems.list()[0].path, "bodies[0].shape.path");
/// ```
#[derive(Debug, Default)]
pub struct MeshFiles {
    folder: Option<PathBuf>,
    read: RefCell<BTreeMap<PathBuf, Result<Shape<Vec3>, String>>>,
}

impl MeshFiles {
    /// No files: every mesh that is named by its path is refused.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The files that paths relative to `folder` name: that of the scene or pair file.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: Some(folder.into()),
            read: RefCell::default(),
        }
    }

    /// The mesh in the OBJ or STL file at `path`, for programs that need no scene.
    ///
    /// # Errors
    /// A file that cannot be read or is not a mesh, and [`MeshFiles::none`].
    pub fn mesh(&self, path: &str) -> Result<Shape<Vec3>, Problem> {
        self.read(path).map_err(|text| Problem::new(0, "", text))
    }

    /// The mesh in the file, or what is wrong with it.
    pub(crate) fn read(&self, path: &str) -> Result<Shape<Vec3>, String> {
        let Some(folder) = &self.folder else {
            return Err("names a file, but no files are read here".to_owned());
        };
        let path = folder.join(path);
        if let Some(known) = self.read.borrow().get(&path) {
            return known.clone();
        }
        let read = read_file(&path).map_err(|error| format!("{}: {error}", path.display()));
        self.read.borrow_mut().insert(path, read.clone());
        read
    }
}

/// Why a mesh file is not a mesh.
#[derive(Debug, thiserror::Error)]
enum MeshFileError {
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
    #[error("triangle {triangle}: {error}")]
    Stl { triangle: usize, error: io::Error },
    #[error("line {line}: {error}")]
    ObjLine { line: u32, error: tobj::LoadError },
    #[error("{0}")]
    Obj(tobj::LoadError),
    #[error("ends in a line that is to be continued")]
    ObjContinued,
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

fn read_file(path: &Path) -> Result<Shape<Vec3>, MeshFileError> {
    let ending = path.extension().unwrap_or_default();
    if ending.eq_ignore_ascii_case("obj") {
        obj::read(&read_bytes(path)?)
    } else if ending.eq_ignore_ascii_case("stl") {
        stl::read(read_bytes(path)?)
    } else {
        Err(MeshFileError::Ending)
    }
}

/// Looks at the size of the file before it reads it.
fn read_bytes(path: &Path) -> Result<Vec<u8>, MeshFileError> {
    // Before opening, since to open a pipe could wait for ever.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(MeshFileError::NotAFile);
    }
    let length = metadata.len();
    if length > MOST_MESH_BYTES {
        return Err(MeshFileError::TooLong { length });
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    File::open(path)?
        .take(MOST_MESH_BYTES)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
