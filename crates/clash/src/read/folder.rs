//! Folders of files.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{Format, Found, Refused, cannot_read, of_file, read_file};

/// Reads all meshes in a folder and in those within it. Links to folders are not followed.
pub(super) fn read(folder: &Path) -> Result<Found, Refused> {
    let mut files = Vec::new();
    list(folder, "", &mut files)?;
    if files.is_empty() {
        return Err(of_file(
            folder,
            "holds no file that ends in .stl, .obj, .glb or .gltf".to_owned(),
        ));
    }
    files.sort();
    let read = files.par_iter().map(|(name, path)| read_file(path, name));
    let mut all = Found::default();
    for found in read.collect::<Vec<_>>() {
        match found {
            Ok(found) => {
                all.parts.extend(found.parts);
                all.refused.extend(found.refused);
                all.passed_over += found.passed_over;
            }
            Err(refused) => all.refused.push(refused),
        }
    }
    Ok(all)
}

/// Lists files with their names: paths in the outermost folder without endings, with slashes.
fn list(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> Result<(), Refused> {
    let unreadable = |error| of_file(folder, cannot_read(&error));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        let name = |text: Option<&std::ffi::OsStr>| {
            let text = text.unwrap_or_default().to_string_lossy();
            super::name_behind(prefix, &text)
        };
        if entry.file_type().map_err(unreadable)?.is_dir() {
            list(&path, &name(path.file_name()), files)?;
        } else if matches!(Format::of(&path), Some(Format::Meshes | Format::Gltf)) {
            files.push((name(path.file_stem()), path));
        }
    }
    Ok(())
}
