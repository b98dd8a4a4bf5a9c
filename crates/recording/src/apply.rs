//! What was read, done to a world.

use std::collections::BTreeMap;

use clearance_math::{PoseResidual, Real, Vector};
use clearance_world::{Body, BodyId, World, WorldError};
use clearance_world::{
    Options,
    internal::{SlotContent, put_slots, set_motion, slots},
};

use crate::bytes::Unreadable;
use crate::edits::Read;
use crate::edits::properties::Touched;
use crate::observe::{motion_of, pose_of, velocity_of};
use crate::row::Row;
use crate::rows::Rows;
use crate::settings::Settings;
use crate::shapes::Recorded;
use crate::state::State;

/// The shapes that a reader knows, by number.
pub(crate) type Shapes<V> = BTreeMap<u32, Recorded<V>>;

impl From<WorldError> for Unreadable {
    fn from(error: WorldError) -> Self {
        Self(error.to_string())
    }
}

/// Makes the world that of a keyframe: it must have no bodies.
pub(crate) fn fill<V: Vector>(
    world: &mut World<V>,
    state: &State,
    shapes: &Shapes<V>,
) -> Result<(), Unreadable> {
    settings(world, state.settings)?;
    let rows = (0..).zip(state.rows.all());
    let contents = rows.map(|(slot, row)| content(slot, row, shapes));
    put_slots(world, contents.collect::<Result<_, _>>()?)?;
    ignore(world, &state.ignored, &state.rows)
}

/// Does what was read of a frame.
pub(crate) fn edit<V: Vector>(
    world: &mut World<V>,
    read: &Read,
    rows: &Rows,
    shapes: &Shapes<V>,
) -> Result<(), Unreadable> {
    if let Some(read) = read.settings {
        settings(world, read)?;
    }
    let others = read.touched.iter().filter(|touched| touched.is_other_body);
    let contents: Vec<_> = others
        .map(|touched| content(touched.slot, &rows.row(touched.slot), shapes))
        .collect::<Result<_, _>>()?;
    if !contents.is_empty() {
        put_slots(world, contents)?;
    }
    for touched in &read.touched {
        properties(world, *touched, rows, shapes)?;
    }
    for &slot in &read.moved {
        motion(world, slot, &rows.row(slot))?;
    }
    match &read.ignored {
        Some(ignored) => ignore(world, ignored, rows),
        None => Ok(()),
    }
}

/// Copies where the bodies are that the step moved.
pub(crate) fn follow<V: Vector>(world: &World<V>, rows: &mut Rows) {
    for slot in slots(world) {
        let moves = |row: &&Row| row.moves() && row.motion.has_velocity();
        let Some(body) = slot
            .body()
            .filter(|_| rows.get(slot.index()).is_some_and(|row| moves(&row)))
        else {
            continue;
        };
        if let Ok(row) = rows.taken(slot.index()) {
            row.motion = motion_of(&body);
        }
    }
}

fn settings<V: Vector>(world: &mut World<V>, settings: Settings) -> Result<(), Unreadable> {
    world.set_options(Options {
        margin: Real::from_bits(settings.margin),
        part_contacts: settings.part_contacts,
        surface_contacts: settings.surface_contacts,
        manifolds: settings.manifolds,
        ..world.options()
    })?;
    Ok(())
}

fn content<V: Vector>(
    index: u32,
    row: &Row,
    shapes: &Shapes<V>,
) -> Result<SlotContent<V>, Unreadable> {
    let body = row.is_taken.then(|| body(index, row, shapes)).transpose()?;
    Ok(SlotContent {
        index,
        generation: row.generation,
        body,
    })
}

fn body<V: Vector>(slot: u32, row: &Row, shapes: &Shapes<V>) -> Result<Body<V>, Unreadable> {
    let properties = &row.properties;
    let shape = shape(properties.shape, shapes)?;
    let pose = pose_of(&row.motion);
    let pose = pose.map_err(|error| Unreadable(format!("slot {slot}: pose.{error}")))?;
    let body = Body::moving(shape.shape.clone(), pose);
    Ok(Body {
        residual: PoseResidual::decode(row.motion.residual),
        velocity: velocity_of(&row.motion),
        kind: properties.kind,
        groups: properties.groups,
        extra_margin: Real::from_bits(properties.extra_margin),
        part_contacts: properties.part_contacts,
        manifolds: properties.manifolds,
        swept: properties.is_swept,
        user_data: properties.user_data,
        ..body
    })
}

fn shape<V: Vector>(number: u32, shapes: &Shapes<V>) -> Result<&Recorded<V>, Unreadable> {
    let shape = shapes.get(&number);
    shape.ok_or_else(|| {
        Unreadable(format!(
            "shape {number} is named, but was not written before"
        ))
    })
}

fn id(slot: u32, row: &Row) -> BodyId {
    BodyId::from_parts(slot, row.generation)
}

fn properties<V: Vector>(
    world: &mut World<V>,
    touched: Touched,
    rows: &Rows,
    shapes: &Shapes<V>,
) -> Result<(), Unreadable> {
    if touched.is_other_body {
        return Ok(());
    }
    let row = rows.row(touched.slot);
    let (id, properties) = (id(touched.slot, &row), row.properties);
    let shape = shape(properties.shape, shapes)?.shape.clone();
    let mut body = world.body_mut(id)?;
    body.set_shape(shape);
    body.set_kind(properties.kind);
    body.set_groups(properties.groups);
    body.set_extra_margin(Real::from_bits(properties.extra_margin))?;
    body.set_part_contacts(properties.part_contacts);
    body.set_manifolds(properties.manifolds);
    body.set_swept(properties.is_swept);
    body.set_user_data(properties.user_data);
    Ok(())
}

fn motion<V: Vector>(world: &mut World<V>, slot: u32, row: &Row) -> Result<(), Unreadable> {
    let id = id(slot, row);
    let pose = pose_of(&row.motion);
    let pose = pose.map_err(|error| Unreadable(format!("slot {slot}: pose.{error}")))?;
    world.body_mut(id)?.set_pose(pose)?;
    let residual = PoseResidual::decode(row.motion.residual);
    set_motion(world, id, velocity_of(&row.motion), &residual)?;
    Ok(())
}

/// Makes the ignored pairs those of the list.
fn ignore<V: Vector>(
    world: &mut World<V>,
    pairs: &[[u32; 2]],
    rows: &Rows,
) -> Result<(), Unreadable> {
    let before: Vec<_> = world.ignored_pairs().collect();
    for pair in before {
        let slots = [pair.a.index(), pair.b.index()];
        if pairs.binary_search(&slots).is_err() {
            world.unignore_pair(pair.a, pair.b)?;
        }
    }
    for &[a, b] in pairs {
        let [a, b] = [a, b].map(|slot| id(slot, &rows.row(slot)));
        world.ignore_pair(a, b)?;
    }
    Ok(())
}
