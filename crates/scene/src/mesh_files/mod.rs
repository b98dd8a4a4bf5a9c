//! Triangle meshes from OBJ and STL files.

mod lines;
mod obj;
mod parts;
mod polygon;
mod stl;
mod surface;
mod weld;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clearance_math::{Real, Vec3};
use clearance_shapes::Shape;

use crate::problem::Problem;
use surface::{FileSurface, MeshFileError};

pub use parts::{MeshPart, MeshParts};
pub use surface::{MOST_MESH_BYTES, Welding};

/// A mesh file as a shape names it.
///
/// ```
/// use clearance_scene::MeshFile;
/// use clearance_math::Vec3;
///
/// let left = MeshFile { scale: Vec3::new(0.001, 0.001, 0.001), ..MeshFile::from("hand.stl") };
/// let right = MeshFile { scale: Vec3::new(-0.001, 0.001, 0.001), ..left.clone() };
/// assert_ne!(left, right);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFile {
    /// The path of an OBJ or STL file, relative to the file that holds the shape.
    pub path: String,
    /// What the coordinates are multiplied by, none of it zero; one if the shape does not say. Where the
    /// product is negative, which mirrors the mesh, the corners of its triangles change their order,
    /// so that their outer side stays the outer one.
    pub scale: Vec3,
    /// Which corners are one vertex; `None` for [`Welding::Near`] in STL files and
    /// [`Welding::Exact`] in OBJ files.
    pub welding: Option<Welding>,
}

impl From<&str> for MeshFile {
    fn from(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            scale: Vec3::ONE,
            welding: None,
        }
    }
}

/// The mesh files that shapes name by their paths. Each is read once, however many shapes name it,
/// and all shapes that name it in one way share one mesh.
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
    surfaces: RefCell<BTreeMap<PathBuf, Result<Arc<FileSurface>, String>>>,
    built: RefCell<BTreeMap<Key, Result<Shape<Vec3>, String>>>,
}

/// What a shape is made from.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    form: Form,
    path: PathBuf,
    scale: [u32; 3],
    welding: Option<Welding>,
}

/// What becomes of the vertices of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    Mesh,
    Hull,
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
            ..Self::default()
        }
    }

    /// The mesh in an OBJ or STL file, named by its path or by a [`MeshFile`], for programs that need no
    /// scene.
    ///
    /// # Errors
    /// A file that cannot be read or is not a mesh, a scale that is zero or not finite, and
    /// [`MeshFiles::none`].
    pub fn mesh(&self, file: impl Into<MeshFile>) -> Result<Shape<Vec3>, Problem> {
        self.shape(Form::Mesh, &file.into())
    }

    /// The convex hull of all vertices in an OBJ or STL file, which needs no faces.
    ///
    /// # Errors
    /// As [`MeshFiles::mesh`].
    pub fn hull(&self, file: impl Into<MeshFile>) -> Result<Shape<Vec3>, Problem> {
        self.shape(Form::Hull, &file.into())
    }

    /// The shape that the file is made into; a problem names the field that is wrong.
    pub(crate) fn shape(&self, form: Form, file: &MeshFile) -> Result<Shape<Vec3>, Problem> {
        let scale = file.scale.to_array();
        let is_wrong = |factor: &Real| !factor.is_finite() || *factor == 0.0;
        if let Some(axis) = scale.iter().position(is_wrong) {
            let text = format!("is {}, must be finite and not 0", scale[axis]);
            return Err(Problem::new(0, format!("scale[{axis}]"), text));
        }
        let at_path = |text| Problem::new(0, "path", text);
        let Some(folder) = &self.folder else {
            return Err(at_path(
                "names a file, but no files are read here".to_owned(),
            ));
        };
        let path = folder.join(&file.path);
        let key = Key {
            form,
            path: path.clone(),
            scale: scale.map(Real::to_bits),
            welding: file.welding,
        };
        if let Some(known) = self.built.borrow().get(&key) {
            return known.clone().map_err(at_path);
        }
        let named = |error| format!("{}: {error}", path.display());
        let surface = self
            .surfaces
            .borrow_mut()
            .entry(path.clone())
            .or_insert_with(|| read_surface(&path).map(Arc::new).map_err(&named))
            .clone();
        let built = surface.and_then(|surface| surface.build(form, file).map_err(named));
        self.built.borrow_mut().insert(key, built.clone());
        built.map_err(at_path)
    }
}

impl FileSurface {
    fn build(&self, form: Form, file: &MeshFile) -> Result<Shape<Vec3>, MeshFileError> {
        let mut vertices = self.vertices.clone();
        if form == Form::Mesh && file.welding.unwrap_or(self.welding) == Welding::Near {
            weld::snap(&mut vertices);
        }
        let scale = file.scale;
        for vertex in &mut vertices {
            let scaled = *vertex * scale;
            if vertex.is_finite() && !scaled.is_finite() {
                return Err(MeshFileError::Scale { scale });
            }
            *vertex = scaled;
        }
        if form == Form::Hull {
            return Ok(Shape::hull(&vertices)?);
        }
        if self.triangles.is_empty() && !vertices.is_empty() {
            return Err(MeshFileError::NoTriangles);
        }
        let is_mirrored = scale
            .to_array()
            .iter()
            .filter(|factor| **factor < 0.0)
            .count()
            % 2
            == 1;
        let mut triangles = self.triangles.clone();
        if is_mirrored {
            for [_, b, c] in &mut triangles {
                mem::swap(b, c);
            }
        }
        // Vertices that are at one place now, or were before, are made one.
        Ok(Shape::mesh_welded(&vertices, &triangles)?)
    }
}

/// The formats that are read, which endings tell.
#[derive(Clone, Copy)]
enum Kind {
    Obj,
    Stl,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, MeshFileError> {
        let ending = path.extension().unwrap_or_default();
        if ending.eq_ignore_ascii_case("obj") {
            Ok(Self::Obj)
        } else if ending.eq_ignore_ascii_case("stl") {
            Ok(Self::Stl)
        } else {
            Err(MeshFileError::Ending)
        }
    }
}

fn read_surface(path: &Path) -> Result<FileSurface, MeshFileError> {
    let read = |kind, bytes: &[u8]| match kind {
        Kind::Obj => obj::read(bytes),
        Kind::Stl => stl::read(bytes),
    };
    read_file(path, read, |surface| surface.vertices.is_empty())
}

fn read_file<T>(
    path: &Path,
    read: impl FnOnce(Kind, &[u8]) -> Result<T, MeshFileError>,
    is_empty: impl Fn(&T) -> bool,
) -> Result<T, MeshFileError> {
    let kind = Kind::of(path)?;
    let bytes = read_bytes(path)?;
    match read(kind, &bytes) {
        // It is a binary file, whatever it begins with.
        Ok(read) if !is_empty(&read) => Ok(read),
        _ if lines::is_utf16(&bytes) => Err(MeshFileError::Utf16),
        read => read,
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
