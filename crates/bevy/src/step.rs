//! The step of the worlds, and the transforms that it writes.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use clearance::generic::World;
use clearance::{BodyId, Kind, WorldError};

use crate::problem::{Cause, ColliderProblem};
use crate::{CollisionWorld, InWorld, Space, Velocity};

/// What the step moves.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Mover {
    entity: Entity,
    transform: &'static mut Transform,
    global: &'static GlobalTransform,
    parent: Option<&'static ChildOf>,
}

/// Steps all worlds by the time of the schedule.
pub(crate) fn step<V: Space>(mut world: ResMut<CollisionWorld<V>>, time: Option<Res<Time>>) {
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    let world = &mut *world;
    // Another step of what rests would find what the last one found.
    if !world.needs_step() {
        return;
    }
    for number in 0..world.worlds_mut().len() {
        // A body that would leave the range of numbers is taken out, and then the others can move.
        while let Err((body, error)) = try_step(&mut world.worlds_mut()[number], seconds) {
            let entity = world.entity(InWorld(number as u8), body);
            let Some(entity) = entity.filter(|&entity| world.records.get(entity).is_some()) else {
                log::error!("collision world {number}: {error}");
                break;
            };
            world.refuse(
                entity,
                ColliderProblem {
                    entity,
                    cause: Cause::World(error),
                },
            );
        }
    }
}

/// Steps, or says which body is in the way.
fn try_step<V: Space>(world: &mut World<V>, seconds: f32) -> Result<(), (BodyId, WorldError)> {
    match world.step(seconds) {
        Err(WorldError::OutOfRange { id, axis, value }) => {
            Err((id, WorldError::OutOfRange { id, axis, value }))
        }
        Err(error) => {
            log::error!("a collision step was refused: {error}");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// Writes the transforms of bodies that the step moved.
pub(crate) fn write_back<V: Space>(
    world: Res<CollisionWorld<V>>,
    mut movers: Query<Mover, With<Velocity<V>>>,
    parents: Query<&GlobalTransform>,
) {
    for mover in &mut movers {
        let Some(record) = world.records.get(mover.entity) else {
            continue;
        };
        let body = world
            .get(record.world)
            .and_then(|world| world.get(record.body));
        let Some(body) = body.filter(|body| body.kind() == Kind::Moving) else {
            continue;
        };
        if body.velocity() == clearance::generic::Velocity::default() {
            continue;
        }
        let (place, rotation) = (world.local(body.pose().position()), body.pose().rotation);
        let parent = mover
            .parent
            .and_then(|parent| parents.get(parent.parent()).ok());
        write(mover, (place, rotation), parent);
    }
}

fn write<V: Space>(
    mut mover: MoverItem<'_, '_>,
    (place, rotation): (V, V::Rotation),
    parent: Option<&GlobalTransform>,
) {
    let global = mover.global;
    let Ok(before) = (match parent {
        None => V::place(&mover.transform),
        Some(_) => V::place_affine(&global.affine()),
    }) else {
        return;
    };
    let depth = global.translation().z;
    let to_parent = parent.map(|parent| parent.affine().inverse());
    let translation = match to_parent {
        None => place.with_depth(mover.transform.translation.z),
        Some(to_parent) => to_parent.transform_point3(place.with_depth(depth)),
    };
    if mover.transform.translation != translation {
        mover.transform.translation = translation;
    }
    if !V::is_same_turn(before.rotation, rotation) {
        let turn = V::quaternion(rotation) * V::quaternion(before.rotation).inverse();
        let turn = parent.map_or(turn, |parent| {
            let parent = parent.rotation();
            parent.inverse() * turn * parent
        });
        mover.transform.rotation = (turn * mover.transform.rotation).normalize();
    }
}
