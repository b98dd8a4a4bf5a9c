//! Scene files of this engine.

use std::fs;
use std::path::Path;

use clearance_scene::{AnyScene, MeshFiles, read_scene_with_files};

use super::{Found, Refused, cannot_read, of_file};
use crate::part::Part;

pub(super) fn read(path: &Path) -> Result<Found, Refused> {
    let text = fs::read_to_string(path).map_err(|error| of_file(path, cannot_read(&error)))?;
    let files = MeshFiles::in_folder(path.parent().unwrap_or(Path::new("")));
    let scene = match read_scene_with_files(&text, &files) {
        Ok(AnyScene::Space(scene)) => scene,
        Ok(AnyScene::Plane(_)) => {
            return Err(of_file(path, "has dimension 2, must have 3".to_owned()));
        }
        Err(problems) => {
            let line = problems.list()[0].line;
            return Err(of_file(path, format!("line {line}: {problems}")));
        }
    };
    let mut found = Found::default();
    for (number, body) in scene.bodies.iter().enumerate() {
        let Some(shape) = scene.shape_of(body) else {
            continue;
        };
        let name = number.to_string();
        let part = Part::new(name.clone(), shape.clone(), body.pose);
        found.add(path, (name, part.map_err(|error| error.to_string())));
    }
    Ok(found)
}
