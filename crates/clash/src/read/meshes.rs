//! OBJ and STL files.

use std::path::Path;

use clearance_math::DVec3;
use clearance_scene::MeshParts;
use rayon::prelude::*;

use super::{Found, Refused, name_behind, of_file, rounding_by, step_of_single};
use crate::part::Part;

pub(super) fn read(path: &Path, prefix: &str) -> Result<Found, Refused> {
    let MeshParts { vertices, parts } =
        MeshParts::read(path).map_err(|problem| of_file(path, problem.to_string()))?;
    if vertices.is_empty() || parts.is_empty() {
        return Err(of_file(path, "has no triangles".to_owned()));
    }
    let rounding = rounding_of_file(path, &vertices);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let read = parts.par_iter().map(|part| {
        let mut name = name_behind(prefix, &part.name);
        if name.is_empty() {
            name = stem.to_string();
        }
        let built = Part::of_mesh(name.clone(), &vertices, &part.triangles);
        let built = built.map(|part| {
            let stored = part.rounding();
            part.rounded_by(stored + rounding)
        });
        (name, built.map_err(|error| error.to_string()))
    });
    let mut found = Found::default();
    for part in read.collect::<Vec<_>>() {
        found.add(path, part);
    }
    Ok(found)
}

/// How far the vertices are at most from where the program that wrote the file had them. Those of STL files have single precision, and come to be
/// where another one within a step of that is.
fn rounding_of_file(path: &Path, vertices: &[DVec3]) -> f64 {
    let is_stl = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("stl"));
    if !is_stl {
        return 0.0;
    }
    let sizes = vertices.iter().map(|vertex| vertex.abs().max_element());
    3.0 * rounding_by(step_of_single(sizes.fold(0.0, f64::max)))
}
