//! The step of the worlds, and the transforms that it writes.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_math::{Affine3A, Quat};
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use clearance::{BodyKind, WorldError};

use crate::problem::ColliderProblem;
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
    world.stepped.clear();
    // Another step of what rests would find what the last one found.
    if !world.needs_step() {
        return;
    }
    world.steps += 1;
    world.carry(seconds);
    for number in 0..world.worlds().count() {
        let number = InWorld(number as u8);
        if step_one(world, number, seconds) {
            world.stepped.push(number);
        }
    }
}

/// Steps a world; `false` if it cannot.
fn step_one<V: Space>(world: &mut CollisionWorld<V>, number: InWorld, seconds: f32) -> bool {
    while let Err(error) = world.step_world(number, seconds) {
        // A body that would leave the range of numbers is taken out, and then the others can move.
        let body = match error {
            WorldError::OutOfRange { id, .. } => world.entity(number, id),
            _ => None,
        };
        let Some(entity) = body.filter(|&entity| world.records.get(entity).is_some()) else {
            log::error!("collision world {}: {error}", number.0);
            return false;
        };
        world.refuse(entity, ColliderProblem::new(entity, error));
    }
    true
}

/// The entities above those that the step moves.
#[derive(SystemParam)]
pub(crate) struct Ancestors<'w, 's, V: Space> {
    parents: Query<'w, 's, &'static ChildOf>,
    transforms: Query<'w, 's, &'static Transform, Without<Velocity<V>>>,
    globals: Query<'w, 's, &'static GlobalTransform>,
}

/// Writes the transforms of bodies that the step moved, parents before their children.
pub(crate) fn write_back<V: Space>(
    world: Res<CollisionWorld<V>>,
    mut movers: Query<Mover, With<Velocity<V>>>,
    ancestors: Ancestors<'_, '_, V>,
) {
    let mut children = Vec::new();
    for mut mover in &mut movers {
        if let Some(pose) = moved(&world, mover.entity) {
            match mover.parent {
                None => write_root(&mut mover, pose),
                Some(_) => {
                    let depth = ancestors.parents.iter_ancestors(mover.entity).count();
                    children.push((depth, mover.entity, pose));
                }
            }
        }
    }
    children.sort_unstable_by_key(|&(depth, entity, _)| (depth, entity));
    for (_, entity, pose) in children {
        let parent = ancestors.parents.get(entity).map(ChildOf::parent);
        let before = parent.and_then(|parent| ancestors.globals.get(parent));
        let Ok(&before) = before else {
            continue;
        };
        // From the root down, which gives the bits that propagation gives.
        let mut way: Vec<Entity> = ancestors.parents.iter_ancestors(entity).collect();
        way.reverse();
        let now = way.into_iter().fold(Affine3A::IDENTITY, |above, entity| {
            let mover = movers.get(entity).map(|mover| *mover.transform);
            let transform = mover.or_else(|_| ancestors.transforms.get(entity).copied());
            above * transform.unwrap_or_default().compute_affine()
        });
        if let Ok(mut mover) = movers.get_mut(entity) {
            let before = before.affine();
            write_child(&mut mover, pose, &Parent { before, now });
        }
    }
}

/// The pose of an entity in the frame of the transforms, if the step moved it.
fn moved<V: Space>(world: &CollisionWorld<V>, entity: Entity) -> Option<(V, V::Rotation)> {
    let record = world.records.get(entity)?;
    let body = world.get(record.world)?.body(record.body).ok()?;
    let moves = body.kind() == BodyKind::Moving && body.velocity() != Default::default();
    moves.then(|| (world.local(body.pose().position()), body.pose().rotation))
}

fn write_root<V: Space>(mover: &mut MoverItem<'_, '_>, (place, rotation): (V, V::Rotation)) {
    let Ok(before) = V::place(&mover.transform) else {
        return;
    };
    let translation = place.with_depth(mover.transform.translation.z);
    if mover.transform.translation != translation {
        mover.transform.translation = translation;
    }
    if !V::is_same_turn(before.rotation, rotation) {
        let turn = V::quaternion(rotation) * V::quaternion(before.rotation).inverse();
        mover.transform.rotation = (turn * mover.transform.rotation).normalize();
    }
}

/// The frame of a parent before the step and after it.
struct Parent {
    before: Affine3A,
    now: Affine3A,
}

fn write_child<V: Space>(
    mover: &mut MoverItem<'_, '_>,
    (place, rotation): (V, V::Rotation),
    parent: &Parent,
) {
    let Ok(before) = V::place_affine(&mover.global.affine()) else {
        return;
    };
    let place = place.with_depth(mover.global.translation().z);
    let translation = parent.now.inverse().transform_point3(place);
    // A parent may be flat along the axis that the plane does not have.
    if translation.is_finite() && mover.transform.translation != translation {
        mover.transform.translation = translation;
    }
    let [before_of_parent, of_parent] = [parent.before, parent.now].map(|frame| {
        let (_, rotation, _) = frame.to_scale_rotation_translation();
        rotation
    });
    let has_turned = !V::is_same_turn(before.rotation, rotation);
    if (has_turned || before_of_parent != of_parent) && of_parent.is_finite() {
        let turn = V::quaternion(rotation) * V::quaternion(before.rotation).inverse();
        let [x, y, z, w] = (of_parent.inverse() * turn * before_of_parent).to_array();
        // A parent that mirrors does so along x, in the way that its frame is taken apart here.
        let is_mirrored = parent.now.matrix3.determinant() < 0.0;
        let sign = if is_mirrored { -1.0 } else { 1.0 };
        let turn = Quat::from_xyzw(x, sign * y, sign * z, w);
        mover.transform.rotation = (turn * mover.transform.rotation).normalize();
    }
}
