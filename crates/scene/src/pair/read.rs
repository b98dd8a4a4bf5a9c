//! Reads the questions of pair files.

use clearance_shapes::Shape;

use super::question::{AnyQuestion, Motions, Pair, Question};
use crate::FileVector;
use crate::question_line::{Ask, read_cast_options, read_motion, read_ray, read_side, read_within};
use crate::read::{Dimension, Fields, Read, position};

pub(super) fn read_question(ask: &Ask, fields: &Fields) -> Read<AnyQuestion> {
    Ok(match fields.get("dimension", Dimension::read)? {
        Dimension::Plane => AnyQuestion::Plane(read_fields(ask, fields)?),
        Dimension::Space => AnyQuestion::Space(read_fields(ask, fields)?),
    })
}

fn read_fields<V: FileVector>(ask: &Ask, fields: &Fields) -> Read<Question<V>> {
    Ok(match ask.name {
        "contacts" => Question::Contacts {
            pair: read_pair(fields)?,
            within: read_within(fields, 0.0)?,
        },
        "manifold" => {
            let pair = read_pair(fields)?;
            for (key, side) in [("a", &pair.a), ("b", &pair.b)] {
                if let Shape::Composite(composite) = &side.shape {
                    let kind = composite.kind_name();
                    fields.refuse(key, &format!("is a {kind}, must be a convex shape"))?;
                }
            }
            Question::Manifold {
                pair,
                within: read_within(fields, 0.0)?,
            }
        }
        "ray" => Question::Ray {
            ray: read_ray(fields)?,
            b: read_side(fields, "b")?,
        },
        "cast" => Question::Cast {
            pair: read_pair(fields)?,
            motions: Motions {
                a: read_motion(fields, "motion_a")?,
                b: read_motion(fields, "motion_b")?,
            },
            options: read_cast_options(fields)?,
        },
        "point" => Question::Point {
            point: fields.get("point", position::<V>)?,
            b: read_side(fields, "b")?,
        },
        _ => Question::Distance(read_pair(fields)?),
    })
}

fn read_pair<V: FileVector>(fields: &Fields) -> Read<Pair<V>> {
    Ok(Pair {
        a: read_side(fields, "a")?,
        b: read_side(fields, "b")?,
    })
}
