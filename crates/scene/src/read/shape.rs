//! Shapes.

use clearance_shapes::MOST_NESTED;

use super::composite::{mesh_file, read_composite};
use super::value::{filled_list, not_negative, positive, positive_vector, string, vector};
use super::{Cursor, Fields, Read, Reading};
use crate::json::Document;
use crate::problem::Problems;
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
/// What is wrong first, with the field where it is.
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
    let document = Document::read(text);
    if let Some(fault) = document.fault {
        return Err(fault.into());
    }
    let reading = Reading::new(document.text, files);
    Ok(read_shape(&Cursor::root(&reading))?)
}

/// Reads a shape and builds it, which finds what no field shows by itself.
pub(crate) fn read_shape<V: FileVector>(cursor: &Cursor) -> Read<SceneShape<V>> {
    let record = read_record(cursor, Nesting::default())?;
    SceneShape::with_files(record, cursor.files()).map_err(|problem| cursor.placed(problem))
}

pub(super) fn read_record<V: FileVector>(
    cursor: &Cursor,
    nesting: Nesting,
) -> Read<ShapeRecord<V>> {
    let fields = cursor.fields()?;
    let name = fields.get("type", |name| {
        let word = string(name)?;
        let dimension = match &*word {
            word if V::DIM == 2 && ONLY_IN_SPACE.contains(&word) => "3D",
            "polygon" if V::DIM == 3 => "2D",
            _ => return Ok(word),
        };
        Err(name.refused(only_in(dimension, &word)))
    })?;
    let record = match &*name {
        "mesh" | "polyline" | "polygon" | "height_field" | "points" | "voxels" | "compound" => {
            read_composite(&name, &fields, nesting)
        }
        _ => read_convex(&name, &fields, nesting),
    };
    let record = record?;
    fields.no_others()?;
    Ok(record)
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

fn unknown_type(name: &str) -> String {
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

fn read_convex<V: FileVector>(
    name: &str,
    fields: &Fields,
    nesting: Nesting,
) -> Read<ShapeRecord<V>> {
    let positive = |key| fields.get(key, positive);
    let not_negative = |key| fields.get(key, not_negative);
    let vector = |key| fields.get(key, vector);
    Ok(match name {
        "ball" => ShapeRecord::Ball {
            radius: positive("radius")?,
        },
        "cuboid" => ShapeRecord::Cuboid {
            half_extents: fields.get("half_extents", positive_vector)?,
        },
        "capsule" => ShapeRecord::Capsule {
            half_length: not_negative("half_length")?,
            radius: positive("radius")?,
        },
        "segment" => ShapeRecord::Segment {
            a: vector("a")?,
            b: vector("b")?,
        },
        "triangle" => ShapeRecord::Triangle {
            a: vector("a")?,
            b: vector("b")?,
            c: vector("c")?,
        },
        "hull" => return read_hull(fields),
        "ellipsoid" => ShapeRecord::Ellipsoid {
            radii: fields.get("radii", positive_vector)?,
        },
        "half_space" => ShapeRecord::HalfSpace {
            normal: vector("normal")?,
        },
        "rounded" => ShapeRecord::Rounded {
            shape: Box::new(fields.get("shape", |shape| read_inner(shape, nesting))?),
            radius: positive("radius")?,
        },
        _ => return read_upright(name, fields),
    })
}

/// A shape that is about the y axis.
fn read_upright<V: FileVector>(name: &str, fields: &Fields) -> Read<ShapeRecord<V>> {
    let positive = |key| fields.get(key, positive);
    let not_negative = |key| fields.get(key, not_negative);
    Ok(match name {
        "cylinder" => ShapeRecord::Cylinder {
            half_height: positive("half_height")?,
            radius: positive("radius")?,
        },
        "cone" => ShapeRecord::Cone {
            half_height: positive("half_height")?,
            radius: positive("radius")?,
        },
        "tapered_capsule" => ShapeRecord::TaperedCapsule {
            half_length: not_negative("half_length")?,
            radius_top: positive("radius_top")?,
            radius_bottom: positive("radius_bottom")?,
        },
        "tapered_cylinder" => ShapeRecord::TaperedCylinder {
            half_height: positive("half_height")?,
            radius_top: not_negative("radius_top")?,
            radius_bottom: not_negative("radius_bottom")?,
        },
        _ => {
            return fields.get("type", |name| {
                Err(name.refused(unknown_type(&string(name)?)))
            });
        }
    })
}

fn read_hull<V: FileVector>(fields: &Fields) -> Read<ShapeRecord<V>> {
    if V::DIM == 2 {
        fields.refuse("path", "a hull by `path` exists in 3D only")?;
    }
    if let Some(file) = mesh_file(fields, &["points"])? {
        return Ok(ShapeRecord::HullOfFile { file });
    }
    let points = fields.get("points", |list| filled_list(list, "point", vector))?;
    Ok(ShapeRecord::Hull { points })
}

/// The shape inside of a rounded one.
fn read_inner<V: FileVector>(cursor: &Cursor, nesting: Nesting) -> Read<ShapeRecord<V>> {
    let record = read_record(cursor, nesting)?;
    if record.is_composite() {
        let name = record.type_name();
        return Err(cursor.refused(format!("a {name} cannot be rounded, round its parts")));
    }
    Ok(record)
}
