//! Shapes.

use clearance_shapes::{MOST_NESTED, Requirement};

use super::composite::{read_composite, read_file, read_points, refuse_without_path};
use super::{Cursor, Fields, Reading};
use crate::json::parser::Document;
use crate::mesh_files::Form;
use crate::problem::{Problem, Problems};
use crate::shape_record::only_in;
use crate::{FileVector, MeshFiles, SceneShape, ShapeRecord};

/// The types that do not exist in 2D.
const ONLY_IN_SPACE: &[&str] = &[
    "cylinder",
    "cone",
    "tapered_cylinder",
    "mesh",
    "height_field",
];

/// How many compounds a shape is in.
#[derive(Clone, Copy, Default)]
pub(super) struct Nesting(u8);

impl Nesting {
    /// One compound more, if as many are allowed.
    pub(super) fn deeper(self) -> Option<Self> {
        let Self(depth) = self;
        (depth < MOST_NESTED).then_some(Self(depth + 1))
    }
}

/// Reads a shape that stands alone in a text, and builds it. Meshes that are named by their paths are taken from `files`.
///
/// # Errors
/// Everything that is wrong, with the field where it is.
///
/// ```
/// use clearance_math::Vec3;
/// use clearance_scene::{MeshFiles, read_shape_text};
///
/// let read = |text| read_shape_text::<Vec3>(text, &MeshFiles::none());
/// assert_eq!(read(r#"{"type": "ball", "radius": 2}"#)?.shape().bounding_radius(), 2.0);
/// let refused = read(r#"{"type": "ball", "radius": -1}"#).unwrap_err().to_string();
/// assert_eq!(refused, "radius: is -1, must be finite and > 0");
/// # Ok::<(), clearance_scene::Problems>(())
/// ```
pub fn read_shape_text<V: FileVector>(
    text: &str,
    files: &MeshFiles,
) -> Result<SceneShape<V>, Problems> {
    let document = Document::read(text, None);
    if let Some(fault) = document.fault {
        return Err(fault.into());
    }
    let reading = Reading::new(files);
    let shape = read_shape(&Cursor::root(&document.node, &reading));
    Problems::all(reading.into_problems())?;
    shape.ok_or_else(|| Problem::new(1, "", "cannot be read").into())
}

/// Reads a shape and builds it, which finds numbers out of range.
pub(crate) fn read_shape<V: FileVector>(cursor: &Cursor) -> Option<SceneShape<V>> {
    let record = read_record(cursor, Nesting::default())?;
    match SceneShape::with_files(record, cursor.files()) {
        Ok(shape) => Some(shape),
        Err(problem) => {
            cursor.note(problem);
            None
        }
    }
}

/// Reads every field before giving up, so that all problems are found.
pub(super) fn read_record<V: FileVector>(
    cursor: &Cursor,
    nesting: Nesting,
) -> Option<ShapeRecord<V>> {
    let type_cursor = cursor.open_object(&[])?.required("type")?;
    let name = type_cursor.string()?;
    let Some(known) = fields_of(name) else {
        type_cursor.refuse(refusal(name));
        return None;
    };
    if V::DIM == 2 && ONLY_IN_SPACE.contains(&name) {
        type_cursor.refuse(only_in("3D", name));
        return None;
    }
    if V::DIM == 3 && name == "polygon" {
        type_cursor.refuse(only_in("2D", name));
        return None;
    }
    let fields = cursor.object(known)?;
    match name {
        "rounded" => read_rounded(&fields, nesting),
        "mesh" | "polyline" | "polygon" | "height_field" | "points" | "voxels" | "compound" => {
            read_composite(name, &fields, nesting)
        }
        _ => read_fields(name, &fields),
    }
}

/// The fields of the types that can be built.
fn fields_of(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "ball" => &["type", "radius"],
        "cuboid" => &["type", "half_extents"],
        "capsule" => &["type", "half_length", "radius"],
        "segment" => &["type", "a", "b"],
        "triangle" => &["type", "a", "b", "c"],
        "hull" => &["type", "points", "path", "scale"],
        "cylinder" | "cone" => &["type", "half_height", "radius"],
        "tapered_capsule" => &["type", "half_length", "radius_top", "radius_bottom"],
        "tapered_cylinder" => &["type", "half_height", "radius_top", "radius_bottom"],
        "ellipsoid" => &["type", "radii"],
        "half_space" => &["type", "normal"],
        "rounded" => &["type", "shape", "radius"],
        "mesh" => &[
            "type",
            "vertices",
            "triangles",
            "path",
            "scale",
            "weld",
            "one_sided",
            "solid",
            "user",
        ],
        "polygon" => &["type", "vertices", "holes", "user"],
        "polyline" => &["type", "vertices", "segments", "one_sided", "user"],
        "height_field" => &["type", "heights", "scale", "one_sided", "user"],
        "points" => &["type", "points", "radius", "user"],
        "voxels" => &["type", "size", "cells", "palette", "tiles"],
        "compound" => &["type", "parts", "one_way", "user"],
        _ => return None,
    })
}

/// The names of types under which other programs know them.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("sphere", "ball"),
    ("circle", "ball"),
    ("box", "cuboid"),
    ("cube", "cuboid"),
    ("rectangle", "cuboid"),
    ("convex_hull", "hull"),
    ("plane", "half_space"),
    ("trimesh", "mesh"),
    ("heightfield", "height_field"),
    ("line", "segment"),
    ("point_cloud", "points"),
    ("tiles", "voxels"),
    ("tilemap", "voxels"),
];

fn refusal(name: &str) -> String {
    let other = OTHER_NAMES
        .iter()
        .find(|(other, _)| name.eq_ignore_ascii_case(other));
    let hint = other.map_or_else(String::new, |(_, meant)| format!(" ({meant:?} is meant?)"));
    format!(
        "unknown type {name:?}{hint}, known are ball, cuboid, capsule, segment, triangle, hull, \
         cylinder, cone, tapered_capsule, tapered_cylinder, ellipsoid, half_space, rounded, mesh, \
         polyline, polygon, height_field, points, voxels, compound"
    )
}

/// The fields of a convex shape that holds no other.
fn read_fields<V: FileVector>(name: &str, fields: &Fields) -> Option<ShapeRecord<V>> {
    let positive = |key| fields.number(key, Requirement::Positive);
    let positive_vector = |key| fields.required(key)?.vector_that_is(Requirement::Positive);
    let vector = |key| fields.required(key)?.vector::<V>();
    Some(match name {
        "ball" => ShapeRecord::Ball {
            radius: positive("radius")?,
        },
        "cuboid" => ShapeRecord::Cuboid {
            half_extents: positive_vector("half_extents")?,
        },
        "capsule" => {
            let (half_length, radius) = (
                fields.number("half_length", Requirement::NotNegative),
                positive("radius"),
            );
            ShapeRecord::Capsule {
                half_length: half_length?,
                radius: radius?,
            }
        }
        "segment" => {
            let (a, b) = (vector("a"), vector("b"));
            ShapeRecord::Segment { a: a?, b: b? }
        }
        "triangle" => {
            let (a, b, c) = (vector("a"), vector("b"), vector("c"));
            ShapeRecord::Triangle {
                a: a?,
                b: b?,
                c: c?,
            }
        }
        "hull" => return read_hull(fields),
        "cylinder" | "cone" => read_upright(name, fields)?,
        "tapered_capsule" | "tapered_cylinder" => read_tapered(name, fields)?,
        "ellipsoid" => ShapeRecord::Ellipsoid {
            radii: positive_vector("radii")?,
        },
        "half_space" => ShapeRecord::HalfSpace {
            normal: vector("normal")?,
        },
        _ => return None,
    })
}

fn read_hull<V: FileVector>(fields: &Fields) -> Option<ShapeRecord<V>> {
    let Some(path) = fields.optional("path") else {
        refuse_without_path(fields);
        let points = read_points(&fields.required("points")?, "point")?;
        return Some(ShapeRecord::Hull { points });
    };
    if V::DIM == 2 {
        path.refuse("a hull by `path` exists in 3D only");
        return None;
    }
    let file = read_file(fields, &path, Form::Hull)?;
    Some(ShapeRecord::HullOfFile { file })
}

fn read_rounded<V: FileVector>(fields: &Fields, nesting: Nesting) -> Option<ShapeRecord<V>> {
    let shape = fields.required("shape").and_then(|inner| {
        let record = read_record::<V>(&inner, nesting)?;
        if record.is_composite() {
            let name = record.type_name();
            inner.refuse(format!("a {name} cannot be rounded, round its parts"));
            return None;
        }
        Some(Box::new(record))
    });
    let radius = fields.number("radius", Requirement::Positive);
    Some(ShapeRecord::Rounded {
        shape: shape?,
        radius: radius?,
    })
}

fn read_upright<V: FileVector>(name: &str, fields: &Fields) -> Option<ShapeRecord<V>> {
    let half_height = fields.number("half_height", Requirement::Positive);
    let radius = fields.number("radius", Requirement::Positive);
    let (half_height, radius) = (half_height?, radius?);
    Some(if name == "cylinder" {
        ShapeRecord::Cylinder {
            half_height,
            radius,
        }
    } else {
        ShapeRecord::Cone {
            half_height,
            radius,
        }
    })
}

fn read_tapered<V: FileVector>(name: &str, fields: &Fields) -> Option<ShapeRecord<V>> {
    let [top, bottom] = ["radius_top", "radius_bottom"];
    if name == "tapered_capsule" {
        let half_length = fields.number("half_length", Requirement::NotNegative);
        let radii = [top, bottom].map(|key| fields.number(key, Requirement::Positive));
        return Some(ShapeRecord::TaperedCapsule {
            half_length: half_length?,
            radius_top: radii[0]?,
            radius_bottom: radii[1]?,
        });
    }
    let half_height = fields.number("half_height", Requirement::Positive);
    let radii = [top, bottom].map(|key| fields.number(key, Requirement::NotNegative));
    Some(ShapeRecord::TaperedCylinder {
        half_height: half_height?,
        radius_top: radii[0]?,
        radius_bottom: radii[1]?,
    })
}
