//! Scenes.

use std::collections::{BTreeMap, BTreeSet};

use clearance_math::{Pose, PreciseVector, Real};
use clearance_shapes::Requirement;
use clearance_world::Groups;

use super::composite::read_element;
use super::{Cursor, Dimension, Fields, Reading, read_pose, read_shape};
use crate::json::parser::{Document, Elements};
use crate::json::{Node, Value};
use crate::problem::{Problem, Problems};
use crate::scene::{AnyScene, BodyKind, BodyShape, Scene, SceneBody, SceneBounds, SceneVelocity};
use crate::{FileVector, MeshFiles, SceneShape};

type Shapes<V> = BTreeMap<String, SceneShape<V>>;

/// Reads a scene file.
///
/// The list of bodies is read an element at a time, so that a million of them fit. No other file is
/// read: meshes that are named by their paths need [`read_scene_with_files`].
///
/// # Errors
/// Everything that is wrong with the text, not only the first thing; of text that is not JSON,
/// where it stops being so.
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
    let document = Document::read(text, Some("bodies"));
    if is_pair(&document.node) {
        let text = "has the fields of a pair: `clearance query` answers questions about pairs";
        return Err(Problem::new(1, "", text).into());
    }
    if let Some(fault) = document.fault {
        return Err(fault.into());
    }
    let reading = Reading::new(files);
    let scene = read_document(&Cursor::root(&document.node, &reading));
    let mut problems = reading.into_problems();
    // Fields are read in an order of their own; people fix a file from top to bottom.
    problems.sort_by_key(|problem| problem.line);
    Problems::all(problems)?;
    scene.ok_or_else(|| Problem::new(1, "", "cannot be read").into())
}

/// Whether a text begins with a pair line, as opposed to a scene.
fn is_pair(node: &Node) -> bool {
    let Value::Object(members) = &node.value else {
        return false;
    };
    let has = |key| members.iter().any(|member| member.key == key);
    has("a") && !has("bodies")
}

fn read_document(cursor: &Cursor) -> Option<AnyScene> {
    let fields = cursor.object(&[
        "dimension",
        "margin",
        "bounds",
        "shapes",
        "bodies",
        "ignored_pairs",
    ])?;
    match Dimension::read(&fields)? {
        Dimension::Plane => Some(AnyScene::Plane(read_fields(&fields)?)),
        Dimension::Space => Some(AnyScene::Space(read_fields(&fields)?)),
    }
}

fn read_fields<V: FileVector>(fields: &Fields) -> Option<Scene<V>> {
    let margin = match fields.optional("margin") {
        Some(margin) => margin.number_that_is(Requirement::NotNegative),
        None => Some(Real::default()),
    };
    let bounds = match fields.optional("bounds") {
        Some(bounds) => read_bounds(&bounds).map(Some),
        None => Some(None),
    };
    let mut shapes = Shapes::new();
    // A shape that is wrong still has its name, so that its bodies are not reported too.
    let library = fields.optional("shapes");
    let mut names = Vec::new();
    if let Some(library) = &library {
        read_library(library, &mut shapes, &mut names);
    }
    let bodies = fields
        .required("bodies")
        .and_then(|bodies| read_bodies(&bodies, &names));
    let ignored_pairs = match fields.optional("ignored_pairs") {
        Some(pairs) => read_pairs(&pairs, bodies.as_ref().map(Vec::len)),
        None => Some(Vec::new()),
    };
    Some(Scene {
        margin: margin?,
        bounds: bounds?,
        shapes,
        bodies: bodies?,
        ignored_pairs: ignored_pairs?,
    })
}

/// Reads pairs of numbers of bodies, of which there are `count`, if they could be read.
fn read_pairs(cursor: &Cursor, count: Option<usize>) -> Option<Vec<[u32; 2]>> {
    let nodes = cursor.list()?;
    let last = count.unwrap_or(usize::MAX).saturating_sub(1);
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    let mut pairs = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let cursor = cursor.element(index, node);
        match read_element(&cursor, last) {
            Some([a, b]) if a == b => cursor.refuse(format!("names body {a} twice")),
            Some([a, b]) => pairs.push([a.min(b), a.max(b)]),
            None => {}
        }
    }
    let is_complete = pairs.len() == nodes.len();
    pairs.sort_unstable();
    pairs.dedup();
    is_complete.then_some(pairs)
}

fn read_bounds<V: FileVector>(cursor: &Cursor) -> Option<SceneBounds<V>> {
    let fields = cursor.object(&["min", "max"])?;
    let (min, max) = (fields.position::<V>("min"), fields.position::<V>("max"));
    let (min, max) = (min?, max?);
    if (0..V::DIM).any(|axis| min.component(axis) > max.component(axis)) {
        cursor.refuse("min exceeds max");
        return None;
    }
    Some(SceneBounds { min, max })
}

fn read_library<'c, V: FileVector>(
    library: &'c Cursor<'c>,
    shapes: &mut Shapes<V>,
    names: &mut Vec<&'c str>,
) {
    let mut known = BTreeSet::new();
    for (name, cursor) in library.entries() {
        if !known.insert(name) {
            cursor.refuse("given twice");
        }
        if let Some(shape) = read_shape(&cursor) {
            shapes.insert(name.to_owned(), shape);
        }
    }
    names.extend(known);
}

fn read_bodies<V: FileVector>(cursor: &Cursor, names: &[&str]) -> Option<Vec<SceneBody<V>>> {
    if !matches!(cursor.node().value, Value::UnreadList) {
        cursor.list();
        return None;
    }
    let mut bodies = Vec::new();
    for (index, node) in Elements::new(cursor.node()).enumerate() {
        // A bad body leaves a gap, but then the scene is refused as a whole.
        bodies.extend(read_body(&cursor.element(index, &node), names));
    }
    Some(bodies)
}

const BODY_FIELDS: &[&str] = &[
    "shape",
    "pose",
    "velocity",
    "kind",
    "groups",
    "extra_margin",
    "swept",
];

fn read_body<V: FileVector>(cursor: &Cursor, names: &[&str]) -> Option<SceneBody<V>> {
    let fields = cursor.object(BODY_FIELDS)?;
    let shape = fields
        .required("shape")
        .and_then(|shape| read_body_shape(&shape, names));
    let pose = match fields.optional("pose") {
        Some(pose) => read_pose(&pose),
        None => Some(Pose::IDENTITY),
    };
    let velocity = match fields.optional("velocity") {
        Some(velocity) => read_velocity(&velocity),
        None => Some(SceneVelocity::default()),
    };
    let kind = match fields.optional("kind") {
        Some(kind) => read_kind(&kind),
        None => Some(BodyKind::default()),
    };
    let groups = match fields.optional("groups") {
        Some(groups) => read_groups(&groups),
        None => Some(Groups::ALL),
    };
    let extra_margin = match fields.optional("extra_margin") {
        Some(margin) => margin.number_that_is(Requirement::NotNegative),
        None => Some(0.0),
    };
    let swept = match fields.optional("swept") {
        Some(swept) => swept.boolean(),
        None => Some(false),
    };
    Some(SceneBody {
        swept: swept?,
        shape: shape?,
        pose: pose?,
        velocity: velocity?,
        kind: kind?,
        groups: groups?,
        extra_margin: extra_margin?,
    })
}

pub(crate) fn read_groups(cursor: &Cursor) -> Option<Groups> {
    let fields = cursor.object(&["memberships", "filter"])?;
    let bits = |key, default| match fields.optional(key) {
        Some(field) => field.whole(u32::MAX),
        None => Some(default),
    };
    let memberships = bits("memberships", Groups::ALL.memberships);
    let filter = bits("filter", Groups::ALL.filter);
    Some(Groups {
        memberships: memberships?,
        filter: filter?,
    })
}

fn read_body_shape<V: FileVector>(cursor: &Cursor, names: &[&str]) -> Option<BodyShape<V>> {
    match &cursor.node().value {
        Value::String(name) if names.binary_search(&&**name).is_ok() => {
            Some(BodyShape::Named(name.to_string()))
        }
        Value::String(name) => {
            cursor.refuse(format!("no shape is named {name:?} under `shapes`"));
            None
        }
        Value::Object(_) => Some(BodyShape::Own(Box::new(read_shape(cursor)?))),
        _ => {
            cursor.refuse("must be the name of a shape or an object");
            None
        }
    }
}

fn read_velocity<V: FileVector>(cursor: &Cursor) -> Option<SceneVelocity<V>> {
    let fields = cursor.object(&["linear", "angular"])?;
    let linear = match fields.optional("linear") {
        Some(linear) => linear.vector(),
        None => Some(V::ZERO),
    };
    let angular = match fields.optional("angular") {
        Some(angular) => angular.numbers(V::ANGULAR_NUMBERS),
        None => Some(V::angular_numbers(V::Angular::default())),
    };
    Some(SceneVelocity {
        linear: linear?,
        angular: V::angular_from_numbers(angular?.as_slice()),
    })
}

fn read_kind(cursor: &Cursor) -> Option<BodyKind> {
    let word = cursor.string()?;
    let found = BodyKind::NAMES.iter().find(|(name, _)| *name == word);
    if found.is_none() {
        cursor.refuse(format!("is {word:?}, must be \"moving\" or \"fixed\""));
    }
    found.map(|(_, kind)| *kind)
}
