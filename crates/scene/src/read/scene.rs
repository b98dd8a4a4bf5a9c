//! Scenes.

use std::collections::{BTreeMap, BTreeSet};

use clearance_math::{Pose, PreciseVector};
use clearance_shapes::Shape;
use clearance_world::{BodyKind, Groups, Velocity};

use super::composite::element;
use super::value::{boolean, list, motion, not_negative, position, word};
use super::{Cursor, Dimension, Fields, Read, Reading, groups, pose, read_shape};
use crate::json::Document;
use crate::problem::{Problem, Problems};
use crate::scene::{AnyScene, BODY_KINDS, BodyShape, Scene, SceneBody, SceneBounds};
use crate::{FileVector, MeshFiles};

type Shapes<V> = BTreeMap<String, Shape<V>>;

/// Reads a scene file.
///
/// No other file is read: meshes that are named by their paths need [`read_scene_with_files`].
///
/// # Errors
/// What is wrong with the text: of each shape, each field of a body and each other field the first thing; of text
/// that is not JSON, where it stops being so.
///
/// ```
/// use clearance_scene::{AnyScene, read_scene};
///
/// let text = r#"{"dimension": 2, "bodies": [{"shape": {"type": "ball", "radius": 1}}]}"#;
/// let AnyScene::Plane(scene) = read_scene(text)? else { unreachable!() };
/// assert_eq!(scene.bodies.len(), 1);
///
/// let problems = read_scene(r#"{"dimension": 2, "bodies": [{}, 5]}"#).unwrap_err();
/// assert_eq!(problems.list()[0].to_string(), "bodies[0].shape: missing");
/// assert_eq!(problems.list().len(), 2);
/// # Ok::<(), clearance_scene::Problems>(())
/// ```
pub fn read_scene(text: &str) -> Result<AnyScene, Problems> {
    read_scene_with_files(text, &MeshFiles::none())
}

/// Reads a scene file whose shapes may name mesh files.
///
/// # Errors
/// As [`read_scene`], and mesh files that cannot be read.
pub fn read_scene_with_files(text: &str, files: &MeshFiles) -> Result<AnyScene, Problems> {
    let document = Document::read(text);
    if document.find("a").is_some() && document.find("bodies").is_none() {
        let text = "has the fields of a pair: `clearance query` answers questions about pairs";
        return Err(Problem::new(1, "", text).into());
    }
    if let Some(fault) = document.fault {
        return Err(fault.into());
    }
    let reading = Reading::new(document.text, files);
    let root = Cursor::root(&reading);
    let scene = read_document(&Fields::of(&document, &root));
    let mut problems = reading.into_problems();
    // Fields are read in an order of their own; people fix a file from top to bottom.
    problems.sort_by_key(|problem| problem.line);
    Problems::all(problems)?;
    scene.ok_or_else(|| Problem::new(1, "", "cannot be read").into())
}

fn read_document(fields: &Fields) -> Option<AnyScene> {
    match fields
        .cursor()
        .note(fields.get("dimension", Dimension::read))?
    {
        Dimension::Plane => Some(AnyScene::Plane(read_scene_fields(fields)?)),
        Dimension::Space => Some(AnyScene::Space(read_scene_fields(fields)?)),
    }
}

fn read_scene_fields<V: FileVector>(fields: &Fields) -> Option<Scene<V>> {
    let cursor = fields.cursor();
    let margin = cursor.note(fields.get_or("margin", 0.0, not_negative));
    let bounds = cursor.note(fields.get_if("bounds", read_bounds));
    // A shape that is wrong still has its name, so that its bodies are not reported too.
    let mut names = BTreeSet::new();
    let shapes = cursor.note(fields.get_or("shapes", Shapes::new(), |library| {
        read_library(library, &mut names)
    }));
    let bodies = cursor.note(fields.get("bodies", |bodies| {
        let read = |body: &Cursor| Ok(read_body(body, &names));
        let read: Vec<Option<SceneBody<V>>> = list(bodies, read)?;
        Ok((read.len(), read.into_iter().collect::<Option<Vec<_>>>()))
    }));
    let count = bodies.as_ref().map_or(usize::MAX, |(count, _)| *count);
    let ignored_pairs = cursor.note(fields.get_or("ignored_pairs", Vec::new(), |pairs| {
        let mut pairs = list(pairs, |pair| read_pair(pair, count))?;
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }));
    cursor.note(fields.no_others())?;
    Some(Scene {
        margin: margin?,
        bounds: bounds?,
        shapes: shapes?,
        bodies: bodies?.1?,
        ignored_pairs: ignored_pairs?,
    })
}

/// Reads the numbers of two of `count` bodies.
fn read_pair(cursor: &Cursor, count: usize) -> Read<[u32; 2]> {
    let [a, b] = element(cursor, count)?;
    if a == b {
        return Err(cursor.refused(format!("names body {a} twice")));
    }
    Ok([a.min(b), a.max(b)])
}

fn read_bounds<V: FileVector>(cursor: &Cursor) -> Read<SceneBounds<V>> {
    let fields = cursor.fields()?;
    let min = fields.get("min", position::<V>)?;
    let max = fields.get("max", position::<V>)?;
    fields.no_others()?;
    if (0..V::DIM).any(|axis| min.component(axis) > max.component(axis)) {
        return Err(cursor.refused("min exceeds max"));
    }
    Ok(SceneBounds { min, max })
}

fn read_library<V: FileVector>(library: &Cursor, names: &mut BTreeSet<String>) -> Read<Shapes<V>> {
    let mut shapes = Shapes::new();
    for (name, cursor) in library.fields()?.each() {
        if !names.insert(name.to_owned()) {
            cursor.note(Err::<(), _>(cursor.refused("given twice")));
        }
        let shape = cursor.note(read_shape(&cursor));
        shapes.extend(shape.map(|shape| (name.to_owned(), shape)));
    }
    Ok(shapes)
}

/// Reads a body; notes what is wrong first in each of its fields.
fn read_body<V: FileVector>(cursor: &Cursor, names: &BTreeSet<String>) -> Option<SceneBody<V>> {
    let fields = cursor.note(cursor.fields())?;
    let shape = cursor.note(fields.get("shape", |shape| read_body_shape(shape, names)));
    let pose = cursor.note(fields.get_or("pose", Pose::IDENTITY, pose));
    let velocity = cursor.note(fields.get_or("velocity", Velocity::default(), |velocity| {
        motion(velocity, Velocity::new)
    }));
    let kind = cursor.note(fields.get_or("kind", BodyKind::default(), |kind| {
        word(kind, &BODY_KINDS, "\"moving\" or \"fixed\"")
    }));
    let groups = cursor.note(fields.get_or("groups", Groups::ALL, groups));
    let extra_margin = cursor.note(fields.get_or("extra_margin", 0.0, not_negative));
    let swept = cursor.note(fields.get_or("swept", false, boolean));
    cursor.note(fields.no_others())?;
    Some(SceneBody {
        shape: shape?,
        pose: pose?,
        velocity: velocity?,
        kind: kind?,
        groups: groups?,
        extra_margin: extra_margin?,
        swept: swept?,
    })
}

fn read_body_shape<V: FileVector>(cursor: &Cursor, names: &BTreeSet<String>) -> Read<BodyShape<V>> {
    match cursor.text().as_bytes().first() {
        Some(b'{') => Ok(BodyShape::Own(Box::new(read_shape(cursor)?))),
        Some(b'"') => match cursor.string()? {
            name if names.contains(&*name) => Ok(BodyShape::Named(name.into_owned())),
            name => Err(cursor.refused(format!("no shape is named {name:?} under `shapes`"))),
        },
        _ => Err(cursor.expected("the name of a shape or an object")),
    }
}
