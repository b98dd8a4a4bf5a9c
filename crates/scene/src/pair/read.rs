//! Reads the questions of pair files.

use clearance_shapes::Shape;

use super::question::{AnyQuestion, Motions, Pair, Question};
use crate::FileVector;
use crate::question_line::{
    Ask, Side, read_cast_options, read_motion, read_ray, read_side, read_within,
};
use crate::read::{Dimension, Fields};

pub(super) fn read_question(ask: &Ask, fields: &Fields) -> Option<AnyQuestion> {
    match Dimension::read(fields)? {
        Dimension::Plane => Some(AnyQuestion::Plane(read_fields(ask, fields)?)),
        Dimension::Space => Some(AnyQuestion::Space(read_fields(ask, fields)?)),
    }
}

fn read_fields<V: FileVector>(ask: &Ask, fields: &Fields) -> Option<Question<V>> {
    match ask.name {
        "contacts" => {
            let (pair, within) = (read_pair(fields), read_within(fields, 0.0));
            Some(Question::Contacts {
                pair: pair?,
                within: within?,
            })
        }
        "manifold" => {
            let (pair, within) = (read_pair(fields), read_within(fields, 0.0));
            let pair = pair?;
            refuse_composite(fields, "a", &pair.a)?;
            refuse_composite(fields, "b", &pair.b)?;
            Some(Question::Manifold {
                pair,
                within: within?,
            })
        }
        "ray" => {
            let (ray, b) = (read_ray(fields), read_side(fields, "b"));
            Some(Question::Ray { ray: ray?, b: b? })
        }
        "cast" => {
            let pair = read_pair(fields);
            let [a, b] = ["motion_a", "motion_b"].map(|key| read_motion(fields, key));
            let options = read_cast_options(fields);
            Some(Question::Cast {
                pair: pair?,
                motions: Motions { a: a?, b: b? },
                options: options?,
            })
        }
        "point" => {
            let (point, b) = (fields.position::<V>("point"), read_side(fields, "b"));
            Some(Question::Point {
                point: point?,
                b: b?,
            })
        }
        _ => read_pair(fields).map(Question::Distance),
    }
}

/// Refuses a side that is a composite, where a convex shape is needed.
fn refuse_composite<V: FileVector>(fields: &Fields, key: &str, side: &Side<V>) -> Option<()> {
    if let Shape::Composite(composite) = &side.shape {
        let kind = composite.kind().name();
        fields
            .required(key)?
            .refuse(format!("is a {kind}, must be a convex shape"));
        return None;
    }
    Some(())
}

fn read_pair<V: FileVector>(fields: &Fields) -> Option<Pair<V>> {
    let [a, b] = ["a", "b"].map(|side| read_side(fields, side));
    Some(Pair { a: a?, b: b? })
}
