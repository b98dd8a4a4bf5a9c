//! Reads questions to a scene.

use clearance_math::Real;
use clearance_world::{Groups, Nearest};

use super::question::{AskedBodies, Hits, Looker, SceneAsk, SceneQuestion};
use crate::FileVector;
use crate::question_line::{Ask, read_cast_options, read_motion, read_ray, read_side, read_within};
use crate::read::{Cursor, Fields, read_groups};

/// Reads the question of a line to a scene of `bodies` bodies.
pub(super) fn read_question<V: FileVector>(
    ask: &Ask,
    fields: &Fields,
    bodies: usize,
) -> Option<SceneQuestion<V>> {
    check_dimension::<V>(fields);
    let asked = read_ask(ask, fields);
    let groups = match fields.optional("groups") {
        Some(groups) => read_groups(&groups),
        None => Some(Groups::ALL),
    };
    let exclude = match fields.optional("exclude") {
        Some(exclude) => read_exclude(&exclude, bodies),
        None => Some(Vec::new()),
    };
    Some(SceneQuestion {
        ask: asked?,
        bodies: AskedBodies {
            groups: groups?,
            exclude: exclude?,
        },
    })
}

/// The scene decides the dimension, so a line may leave it out, but not name another one.
fn check_dimension<V: FileVector>(fields: &Fields) {
    if let Some(dimension) = fields.optional("dimension")
        && dimension.node().text.parse() != Ok(V::DIM as Real)
    {
        dimension.expected::<()>(&format!("{}, the dimension of the scene", V::DIM));
    }
}

fn read_ask<V: FileVector>(ask: &Ask, fields: &Fields) -> Option<SceneAsk<V>> {
    match ask.name {
        "ray" => {
            let (ray, wanted) = (read_ray(fields), read_wanted(fields));
            Some(SceneAsk::Ray {
                ray: ray?,
                wanted: wanted?,
            })
        }
        "cast" => {
            let (a, motion) = (read_side(fields, "a"), read_motion(fields, "motion_a"));
            let (options, wanted) = (read_cast_options(fields), read_wanted(fields));
            Some(SceneAsk::Cast {
                a: a?,
                motion: motion?,
                options: options?,
                wanted: wanted?,
            })
        }
        "point" => {
            let (point, within) = (fields.position::<V>("point"), read_within(fields, 0.0));
            Some(SceneAsk::Point {
                point: point?,
                within: within?,
            })
        }
        "overlap" => {
            let (a, within) = (read_side(fields, "a"), read_within(fields, 0.0));
            Some(SceneAsk::Overlap {
                a: a?,
                within: within?,
            })
        }
        _ => read_nearest(fields),
    }
}

fn read_wanted(fields: &Fields) -> Option<Hits> {
    let Some(all) = fields.optional("all") else {
        return Some(Hits::First);
    };
    let is_all = all.boolean()?;
    Some(if is_all { Hits::All } else { Hits::First })
}

fn read_nearest<V: FileVector>(fields: &Fields) -> Option<SceneAsk<V>> {
    let to = read_looker(fields);
    let count = match fields.optional("count") {
        Some(count) => count.whole(u32::MAX),
        None => Some(1),
    };
    let within = read_within(fields, Real::INFINITY);
    Some(SceneAsk::Nearest {
        to: to?,
        nearest: Nearest {
            count: count? as usize,
            within: within?,
        },
    })
}

fn read_looker<V: FileVector>(fields: &Fields) -> Option<Looker<V>> {
    let Some(point) = fields.optional("point") else {
        if fields.optional("a").is_none() {
            fields.missing("point", "missing, give `point` or `a`");
            return None;
        }
        return read_side(fields, "a").map(Looker::Shape);
    };
    if fields.optional("a").is_some() {
        point.refuse("cannot be given beside `a`");
        return None;
    }
    point.position::<V>().map(Looker::Point)
}

/// The numbers of bodies that are passed over, sorted.
fn read_exclude(cursor: &Cursor, bodies: usize) -> Option<Vec<u32>> {
    let nodes = cursor.list()?;
    let last = u32::try_from(bodies.saturating_sub(1)).unwrap_or(u32::MAX);
    let mut numbers = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let body = cursor.element(index, node);
        if bodies == 0 {
            body.refuse("names a body, but the scene has none");
        } else {
            numbers.extend(body.whole(last));
        }
    }
    let is_complete = numbers.len() == nodes.len();
    numbers.sort_unstable();
    is_complete.then_some(numbers)
}
