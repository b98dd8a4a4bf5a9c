//! Assemblies from files: folders of meshes, single meshes, glTF and scenes.

mod folder;
mod gltf;
mod meshes;
mod scene;

use core::fmt;
use std::fs;
use std::path::Path;

use crate::assembly::Assembly;
use crate::part::Part;

/// A part, or a whole file, that was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refused {
    /// The path of the file.
    pub file: String,
    /// The name of the part; `None` if it is the whole file.
    pub part: Option<String>,
    /// What is wrong, and what would be right.
    pub reason: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            Some(part) => write!(f, "{}: part {part:?}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}

/// What was read of an assembly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadAssembly {
    /// The parts that can be checked.
    pub assembly: Assembly,
    /// What was left out, in the order of the files.
    pub refused: Vec<Refused>,
    /// How many nodes have points or lines alone, which are annotations: they were passed over.
    pub passed_over: usize,
}

/// Reads the parts of a folder, or of a file that ends in `.stl`, `.obj`, `.glb`, `.gltf` or `.json`.
///
/// * Of a folder all STL, OBJ and glTF files are read, those of folders in it as well. The name of a part is the path in the folder
///   without the ending, with slashes, and behind it the name in the file if there is one.
/// * Of an OBJ file each object and each group in it is a part.
/// * Of a glTF file each node with triangles is a part. Its name is made of those of the nodes from the scene down, with slashes.
/// * Of a [scene file](clearance_scene::read_scene) each body is a part. Its name is its number, counted from 0.
///
/// Work is shared among the threads of the rayon pool that this is called in. The result does not depend on them.
///
/// # Errors
/// What cannot be read at all, or has no parts. Parts that are not valid are listed in [`ReadAssembly::refused`].
pub fn read_assembly(path: &Path) -> Result<ReadAssembly, Refused> {
    let metadata = fs::metadata(path).map_err(|error| of_file(path, cannot_read(&error)))?;
    let found = if metadata.is_dir() {
        folder::read(path)?
    } else {
        read_file(path, "")?
    };
    if found.parts.is_empty() && found.refused.is_empty() {
        return Err(of_file(
            path,
            "has no parts, must have at least one".to_owned(),
        ));
    }
    Ok(ReadAssembly {
        assembly: Assembly::new(found.parts),
        refused: found.refused,
        passed_over: found.passed_over,
    })
}

/// Parts and what was refused, in the order of a file.
#[derive(Default)]
struct Found {
    parts: Vec<Part>,
    refused: Vec<Refused>,
    passed_over: usize,
}

impl Found {
    fn add(&mut self, file: &Path, (name, part): (String, Result<Part, String>)) {
        match part {
            Ok(part) => self.parts.push(part),
            Err(reason) => self.refused.push(Refused {
                part: Some(name),
                ..of_file(file, reason)
            }),
        }
    }
}

/// The greatest step between numbers of single precision up to a size.
fn step_of_single(largest: f64) -> f64 {
    largest * f64::from(f32::EPSILON)
}

/// How far points are at most from those that a program had, which wrote the nearest numbers that a file can have: half the diagonal of a cube.
fn rounding_by(step: f64) -> f64 {
    const HALF_DIAGONAL: f64 = 0.866_025_403_784_438_7;
    HALF_DIAGONAL * step
}

/// The formats that endings tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Meshes,
    Gltf,
    Scene,
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "stl" | "obj" => Some(Self::Meshes),
            "glb" | "gltf" => Some(Self::Gltf),
            "json" => Some(Self::Scene),
            _ => None,
        }
    }
}

/// Reads a file. The names of its parts begin with a prefix; a part without a name has that of the file if there is no prefix.
fn read_file(path: &Path, prefix: &str) -> Result<Found, Refused> {
    match Format::of(path) {
        Some(Format::Meshes) => meshes::read(path, prefix),
        Some(Format::Gltf) => gltf::read(path, prefix),
        Some(Format::Scene) => scene::read(path),
        None => Err(of_file(
            path,
            "must be a folder, or end in .stl, .obj, .glb, .gltf or .json".to_owned(),
        )),
    }
}

fn of_file(path: &Path, reason: String) -> Refused {
    Refused {
        file: path.display().to_string(),
        part: None,
        reason,
    }
}

fn cannot_read(error: &std::io::Error) -> String {
    format!("cannot be read: {error}; check the path and its permissions")
}

/// A name in a file behind a prefix.
fn name_behind(prefix: &str, name: &str) -> String {
    match (prefix, name) {
        ("", name) => name.to_owned(),
        (prefix, "") => prefix.to_owned(),
        (prefix, name) => format!("{prefix}/{name}"),
    }
}
