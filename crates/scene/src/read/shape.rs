//! Shapes.

use clearance_math::Vec3;
use clearance_shapes::{Shape, ShapeError};

use super::composite::{mesh_file, read_composite};
use super::value::{filled_list, not_negative, positive, positive_vector, string, vector};
use super::{Cursor, Fields, Read, Reading};
use crate::json::Document;
use crate::mesh_files::Form;
use crate::problem::Problems;
use crate::shape_error::located;
use crate::{FileVector, MeshFile, MeshFiles};

/// The types that do not exist in 2D.
const ONLY_IN_SPACE: &[&str] = &[
    "cylinder",
    "cone",
    "tapered_cylinder",
    "mesh",
    "height_field",
];

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
/// assert_eq!(read(r#"{"type": "ball", "radius": 2}"#)?.bounding_radius(), 2.0);
/// let refused = read(r#"{"type": "ball", "radius": -1}"#).unwrap_err().to_string();
/// assert_eq!(refused, "radius: is -1, must be finite and > 0");
/// # Ok::<(), clearance_scene::Problems>(())
/// ```
pub fn read_shape_text<V: FileVector>(text: &str, files: &MeshFiles) -> Result<Shape<V>, Problems> {
    let document = Document::read(text);
    if let Some(fault) = document.fault {
        return Err(fault.into());
    }
    let reading = Reading::new(document.text, files);
    Ok(read_shape(&Cursor::root(&reading))?)
}

/// What the constructor of a shape says to numbers that are valid each by itself.
pub(super) type Built<V> = Result<Shape<V>, ShapeError>;

pub(crate) fn read_shape<V: FileVector>(cursor: &Cursor) -> Read<Shape<V>> {
    let fields = cursor.fields()?;
    let name = fields.get("type", |name| {
        let word = string(name)?;
        match &*word {
            word if V::DIM == 2 && ONLY_IN_SPACE.contains(&word) => Err(only_in(name, "3D", word)),
            "polygon" if V::DIM == 3 => Err(only_in(name, "2D", "polygon")),
            _ => Ok(word),
        }
    })?;
    let built = read_convex(&name, &fields)?;
    fields.no_others()?;
    built.map_err(|error| cursor.placed(located(&error)))
}

/// The refusal of a type in the other dimension.
fn only_in(cursor: &Cursor, dimension: &str, name: &str) -> crate::Problem {
    cursor.refused(format!("a {name} exists in {dimension} only"))
}

/// What was built for one dimension, in the other one refused.
pub(super) fn of_dimension<T>(built: Option<T>, fields: &Fields) -> Read<T> {
    built.ok_or_else(|| fields.missing("type", "does not exist in this dimension"))
}

fn of_space<V: FileVector>(built: Built<Vec3>, fields: &Fields) -> Read<Built<V>> {
    match built {
        Ok(shape) => of_dimension(V::shape_of_space(shape), fields).map(Ok),
        Err(error) => Ok(Err(error)),
    }
}

/// The shape that a mesh file is made into.
pub(super) fn of_file<V: FileVector>(
    form: Form,
    file: &MeshFile,
    fields: &Fields,
) -> Read<Built<V>> {
    let files = fields.cursor().files();
    let shape = files.shape(form, file);
    of_space(
        Ok(shape.map_err(|problem| fields.cursor().placed(problem))?),
        fields,
    )
}

fn read_convex<V: FileVector>(name: &str, fields: &Fields) -> Read<Built<V>> {
    let positive = |key| fields.get(key, positive);
    let not_negative = |key| fields.get(key, not_negative);
    let vector = |key| fields.get(key, vector);
    Ok(match name {
        "ball" => Shape::ball(positive("radius")?),
        "cuboid" => Shape::cuboid(fields.get("half_extents", positive_vector)?),
        "capsule" => Shape::capsule(not_negative("half_length")?, positive("radius")?),
        "segment" => Shape::segment(vector("a")?, vector("b")?),
        "triangle" => Shape::triangle(vector("a")?, vector("b")?, vector("c")?),
        "hull" => return read_hull(fields),
        "ellipsoid" => Shape::ellipsoid(fields.get("radii", positive_vector)?),
        "half_space" => Shape::half_space(vector("normal")?),
        "rounded" => {
            let shape: Shape<V> = fields.get("shape", read_shape)?;
            shape.rounded(positive("radius")?)
        }
        "tapered_capsule" => Shape::tapered_capsule(
            not_negative("half_length")?,
            positive("radius_top")?,
            positive("radius_bottom")?,
        ),
        "cylinder" => {
            let built = Shape::cylinder(positive("half_height")?, positive("radius")?);
            return of_space(built, fields);
        }
        "cone" => {
            let built = Shape::cone(positive("half_height")?, positive("radius")?);
            return of_space(built, fields);
        }
        "tapered_cylinder" => {
            let built = Shape::tapered_cylinder(
                positive("half_height")?,
                not_negative("radius_top")?,
                not_negative("radius_bottom")?,
            );
            return of_space(built, fields);
        }
        _ => return read_composite(name, fields),
    })
}

fn read_hull<V: FileVector>(fields: &Fields) -> Read<Built<V>> {
    if V::DIM == 2 {
        fields.refuse("path", "a hull by `path` exists in 3D only")?;
    }
    if let Some(file) = mesh_file(fields, &["points"])? {
        return of_file(Form::Hull, &file, fields);
    }
    let points = fields.get("points", |list| filled_list(list, "point", vector))?;
    Ok(Shape::hull(points))
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

pub(super) fn unknown_type(name: &str) -> String {
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
