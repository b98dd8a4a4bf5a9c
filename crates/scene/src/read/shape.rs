//! Shapes.

use clearance_shapes::Requirement;

use super::{Cursor, Fields};
use crate::{FileVector, SceneShape, ShapeRecord};

/// Reads a shape and builds it, which finds numbers out of range.
pub(crate) fn read_shape<V: FileVector>(cursor: &Cursor) -> Option<SceneShape<V>> {
    let record = read_record(cursor)?;
    match SceneShape::new(record) {
        Ok(shape) => Some(shape),
        Err(problem) => {
            cursor.note(problem);
            None
        }
    }
}

fn read_record<V: FileVector>(cursor: &Cursor) -> Option<ShapeRecord<V>> {
    let type_cursor = cursor.open_object(&[])?.required("type")?;
    let name = type_cursor.string()?;
    let Some(known) = fields_of(name) else {
        type_cursor.refuse(refusal(name));
        return None;
    };
    let fields = cursor.object(known)?;
    read_fields(name, &fields)
}

/// The fields of the types that can be built.
fn fields_of(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "ball" => &["type", "radius"],
        "cuboid" => &["type", "half_extents"],
        "capsule" => &["type", "half_length", "radius"],
        "segment" => &["type", "a", "b"],
        "triangle" => &["type", "a", "b", "c"],
        "hull" => &["type", "points"],
        "cylinder" | "cone" => &["type", "half_height", "radius"],
        "ellipsoid" => &["type", "radii"],
        "half_space" => &["type", "normal"],
        "rounded" => &["type", "shape", "radius"],
        _ => return None,
    })
}

fn refusal(name: &str) -> String {
    match name {
        "mesh" | "polyline" | "height_field" | "compound" => {
            format!("{name}: composite shapes are not supported by this version yet")
        }
        _ => format!(
            "unknown type {name:?}, known are ball, cuboid, capsule, segment, triangle, hull, \
             cylinder, cone, ellipsoid, half_space, rounded"
        ),
    }
}

/// Reads every field before giving up, so that all problems are found.
fn read_fields<V: FileVector>(name: &str, fields: &Fields) -> Option<ShapeRecord<V>> {
    let positive = |key| fields.number(key, Requirement::Positive);
    let positive_vector = |key| fields.required(key)?.vector_that_is(Requirement::Positive);
    let vector = |key| fields.vector::<V>(key);
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
        "hull" => ShapeRecord::Hull {
            points: read_points(&fields.required("points")?)?,
        },
        "cylinder" | "cone" => read_upright(name, fields)?,
        "ellipsoid" => ShapeRecord::Ellipsoid {
            radii: positive_vector("radii")?,
        },
        "half_space" => ShapeRecord::HalfSpace {
            normal: vector("normal")?,
        },
        _ => {
            let shape = fields.required("shape").and_then(|s| read_record(&s));
            let radius = positive("radius");
            ShapeRecord::Rounded {
                shape: Box::new(shape?),
                radius: radius?,
            }
        }
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

fn read_points<V: FileVector>(cursor: &Cursor) -> Option<Vec<V>> {
    let nodes = cursor.list()?;
    if nodes.is_empty() {
        cursor.refuse("is empty, must have at least one point");
        return None;
    }
    let mut points = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        points.extend(cursor.element(index, node).vector::<V>());
    }
    (points.len() == nodes.len()).then_some(points)
}
