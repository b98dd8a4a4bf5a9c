//! OBJ and STL files.

use std::path::Path;

use clearance_scene::MeshParts;
use rayon::prelude::*;

use super::{Found, Refused, name_behind, of_file};
use crate::part::Part;

pub(super) fn read(path: &Path, prefix: &str) -> Result<Found, Refused> {
    let MeshParts { vertices, parts } =
        MeshParts::read(path).map_err(|problem| of_file(path, problem.to_string()))?;
    if vertices.is_empty() || parts.is_empty() {
        return Err(of_file(path, "has no triangles".to_owned()));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let read = parts.par_iter().map(|part| {
        let mut name = name_behind(prefix, &part.name);
        if name.is_empty() {
            name = stem.to_string();
        }
        let built = Part::of_mesh(name.clone(), &vertices, &part.triangles);
        (name, built.map_err(|error| error.to_string()))
    });
    let mut found = Found::default();
    for part in read.collect::<Vec<_>>() {
        found.add(path, part);
    }
    Ok(found)
}
