//! Reads questions to a scene.

use clearance_math::Real;
use clearance_world::{Groups, Nearest};

use super::question::{AskedBodies, Hits, Looker, SceneAsk, SceneQuestion};
use crate::FileVector;
use crate::question_line::{Ask, read_cast_options, read_motion, read_ray, read_side, read_within};
use crate::read::{Cursor, Fields, Read, boolean, groups, list, position, whole};

/// Reads the question of a line to a scene of `bodies` bodies.
pub(super) fn read_question<V: FileVector>(
    ask: &Ask,
    fields: &Fields,
    bodies: usize,
) -> Read<SceneQuestion<V>> {
    // The scene decides the dimension, so a line may leave it out, but not name another one.
    fields.get_if("dimension", |dimension| {
        match dimension.text().parse::<Real>() {
            Ok(number) if number == V::DIM as Real => Ok(()),
            _ => Err(dimension.expected(&format!("{}, the dimension of the scene", V::DIM))),
        }
    })?;
    Ok(SceneQuestion {
        ask: read_ask(ask, fields)?,
        bodies: AskedBodies {
            groups: fields.get_or("groups", Groups::ALL, groups)?,
            exclude: fields.get_or("exclude", Vec::new(), |exclude| {
                read_exclude(exclude, bodies)
            })?,
        },
    })
}

fn read_ask<V: FileVector>(ask: &Ask, fields: &Fields) -> Read<SceneAsk<V>> {
    Ok(match ask.name {
        "ray" => SceneAsk::Ray {
            ray: read_ray(fields)?,
            wanted: read_wanted(fields)?,
        },
        "cast" => SceneAsk::Cast {
            a: read_side(fields, "a")?,
            motion: read_motion(fields, "motion_a")?,
            options: read_cast_options(fields)?,
            wanted: read_wanted(fields)?,
        },
        "point" => SceneAsk::Point {
            point: fields.get("point", position::<V>)?,
            within: read_within(fields, 0.0)?,
        },
        "overlap" => SceneAsk::Overlap {
            a: read_side(fields, "a")?,
            within: read_within(fields, 0.0)?,
        },
        _ => SceneAsk::Nearest {
            to: read_looker(fields)?,
            nearest: Nearest {
                count: fields.get_or("count", 1, |count| whole(count, u32::MAX))? as usize,
                within: read_within(fields, Real::INFINITY)?,
            },
        },
    })
}

fn read_wanted(fields: &Fields) -> Read<Hits> {
    Ok(match fields.get_or("all", false, boolean)? {
        true => Hits::All,
        false => Hits::First,
    })
}

fn read_looker<V: FileVector>(fields: &Fields) -> Read<Looker<V>> {
    let has_shape = fields.find("a")?.is_some();
    if has_shape {
        fields.refuse("point", "cannot be given beside `a`")?;
        return read_side(fields, "a").map(Looker::Shape);
    }
    match fields.get_if("point", position::<V>)? {
        Some(point) => Ok(Looker::Point(point)),
        None => Err(fields.missing("point", "missing, give `point` or `a`")),
    }
}

/// The numbers of bodies that are passed over, sorted.
fn read_exclude(cursor: &Cursor, bodies: usize) -> Read<Vec<u32>> {
    let last = u32::try_from(bodies.saturating_sub(1)).unwrap_or(u32::MAX);
    let mut numbers = list(cursor, |body| match bodies {
        0 => Err(body.refused("names a body, but the scene has none")),
        _ => whole(body, last),
    })?;
    numbers.sort_unstable();
    Ok(numbers)
}
