//! Reads the lines of pair files.

use clearance_gjk::{Interior, RayOptions};
use clearance_math::{Pose, Ray, Real};
use clearance_shapes::Requirement;

use super::is_id;
use super::question::{ASKS, AnyQuestion, Ask, DISTANCE, LATER, Pair, Question, Side};
use crate::json::{Node, Value};
use crate::problem::{Problem, Problems};
use crate::read::{Cursor, Dimension, Fields, Reading, read_pose, read_shape};
use crate::{FileVector, MeshFiles};

/// What the line asks, as far as that is known; for messages about its other fields.
pub(super) fn find_ask(node: &Node) -> Option<&'static Ask> {
    let Value::Object(members) = &node.value else {
        return None;
    };
    let Some(ask) = members.iter().find(|member| member.key == "ask") else {
        return Some(DISTANCE);
    };
    match &ask.node.value {
        Value::String(name) => ask_of(name),
        _ => None,
    }
}

fn ask_of(name: &str) -> Option<&'static Ask> {
    ASKS.iter().find(|ask| ask.name == name).copied()
}

pub(super) fn read_question(node: &Node, files: &MeshFiles) -> Result<AnyQuestion, Problems> {
    let reading = Reading::new(files);
    let question = read_line(&Cursor::root(node, &reading));
    Problems::all(reading.into_problems())?;
    question.ok_or_else(|| Problem::new(1, "", "cannot be read").into())
}

fn read_line(cursor: &Cursor) -> Option<AnyQuestion> {
    let head = cursor.open_object(&["id", "ask"])?;
    if let Some(id) = head.optional("id")
        && !is_id(id.node())
    {
        id.refuse("must be a string or a finite number");
    }
    let ask = match head.optional("ask") {
        Some(ask) => read_ask(&ask)?,
        None => DISTANCE,
    };
    // Other fields belong to whoever wrote the file. The first two have been looked at.
    let fields = cursor.open_object(&ask.fields[2..])?;
    match Dimension::read(&fields)? {
        Dimension::Plane => Some(AnyQuestion::Plane(read_fields(ask, &fields)?)),
        Dimension::Space => Some(AnyQuestion::Space(read_fields(ask, &fields)?)),
    }
}

fn read_ask(cursor: &Cursor) -> Option<&'static Ask> {
    let name = cursor.string()?;
    let found = ask_of(name);
    if found.is_none() {
        let known: Vec<&str> = ASKS.iter().map(|ask| ask.name).collect();
        let known = known.join(", ");
        cursor.refuse(if LATER.contains(&name) {
            format!("{name:?} is not answered by this version yet, known are {known}")
        } else {
            format!("unknown question {name:?}, known are {known}")
        });
    }
    found
}

fn read_fields<V: FileVector>(ask: &Ask, fields: &Fields) -> Option<Question<V>> {
    match ask.name {
        "contacts" => read_contacts(fields),
        "ray" => read_ray(fields),
        "point" => {
            let point = fields.vector("point");
            let b = read_side(fields, "b");
            Some(Question::Point {
                point: point?,
                b: b?,
            })
        }
        _ => read_pair(fields).map(Question::Distance),
    }
}

fn read_contacts<V: FileVector>(fields: &Fields) -> Option<Question<V>> {
    let pair = read_pair(fields);
    let within = match fields.optional("within") {
        Some(within) => within.number_that_is(Requirement::NotNegative),
        None => Some(0.0),
    };
    Some(Question::Contacts {
        pair: pair?,
        within: within?,
    })
}

fn read_ray<V: FileVector>(fields: &Fields) -> Option<Question<V>> {
    let origin = fields.vector::<V>("origin");
    let direction = fields.required("direction").and_then(|direction| {
        let vector = direction.vector::<V>()?;
        if vector == V::ZERO {
            direction.refuse("is zero, must have a length");
            return None;
        }
        Some(vector)
    });
    let max_distance = match fields.optional("max_distance") {
        Some(distance) => distance.number_that_is(Requirement::NotNegative),
        None => Some(Real::INFINITY),
    };
    let solid = match fields.optional("solid") {
        Some(solid) => solid.boolean(),
        None => Some(true),
    };
    let b = read_side(fields, "b");
    let interior = if solid? {
        Interior::Solid
    } else {
        Interior::Hollow
    };
    Some(Question::Ray {
        ray: Ray::new(origin?, direction?).ok()?,
        options: RayOptions {
            max_distance: max_distance?,
            interior,
        },
        b: b?,
    })
}

fn read_pair<V: FileVector>(fields: &Fields) -> Option<Pair<V>> {
    let [a, b] = ["a", "b"].map(|side| read_side(fields, side));
    Some(Pair { a: a?, b: b? })
}

fn read_side<V: FileVector>(fields: &Fields, key: &str) -> Option<Side<V>> {
    let cursor = fields.required(key)?;
    let fields = cursor.object(&["shape", "pose"])?;
    let shape = fields
        .required("shape")
        .and_then(|shape| read_shape::<V>(&shape));
    let pose = match fields.optional("pose") {
        Some(pose) => read_pose(&pose),
        None => Some(Pose::IDENTITY),
    };
    Some(Side {
        shape: shape?.shape().clone(),
        pose: pose?,
    })
}
