//! Files, or standard input under the name `-`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use clearance_scene::{AnyScene, MeshFiles, Problems, read_scene_with_files};

use crate::failure::Failure;
use crate::progress;

/// Whether `path` stands for standard input, or for standard output where something is written.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of the file in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if is_standard(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    Ok(Box::new(file))
}

/// The length of the file in bytes, if it is one.
pub(crate) fn length(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok();
    let file = metadata.filter(|metadata| metadata.is_file() && !is_standard(path));
    file.map(|metadata| metadata.len())
}

pub(crate) fn unreadable(path: &Path, error: io::Error) -> Failure {
    let name = name_of(path);
    Failure::Read { name, error }
}

/// The mesh files that the file at `path` may name: their paths are relative to its folder, those of
/// standard input to the current one.
pub(crate) fn mesh_files(path: &Path) -> MeshFiles {
    let folder = if is_standard(path) {
        None
    } else {
        path.parent()
    };
    MeshFiles::in_folder(folder.unwrap_or(Path::new("")))
}

/// Reads a scene; the inner result says whether it is valid.
pub(crate) fn scene(path: &Path) -> Result<Result<AnyScene, Problems>, Failure> {
    let name = name_of(path);
    // What is typed in is not drawn over.
    let progress = (!is_standard(path)).then(|| progress::of_work(format!("reading {name}")));
    let mut bytes = Vec::new();
    open(path)?
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(path, error))?;
    let text = String::from_utf8(bytes).map_err(|error| Failure::NotUtf8 {
        name,
        offset: error.utf8_error().valid_up_to(),
    })?;
    let scene = read_scene_with_files(&text, &mesh_files(path));
    drop(progress);
    Ok(scene)
}

/// Reads a scene that must be valid.
pub(crate) fn valid_scene(path: &Path) -> Result<AnyScene, Failure> {
    scene(path)?.map_err(|problems| Failure::scene(name_of(path), &problems))
}
