//! Bodies: in and out, moved, changed, asked.

use clearance::WorldError;
use clearance::math::Rotation;

use super::access::{Inner, ask, change, insert_shape, known, shape};
use super::only::{Cell, DIM, V, engine};
use super::rows::kind;
use super::{
    Body, Bounds, ConstShapeHandle, ConstWorldHandle, Pose, ShapeHandle, Velocity, WorldHandle,
};
use crate::border::{In, Out, Outcome, Problem, Status, calls};
use crate::common::{BodyKind, Groups, IdList, id_of, number_of};

calls! {
    /// A pose at the origin, not turned.
    call pose_identity() -> Pose { Pose::IDENTITY }

    /// The description of a body that steps leave where it is, at the origin until its pose is set. The shape is not counted: it must live
    /// until the body is inserted.
    call body_fixed(shape: ConstShapeHandle) -> Body { Body::of_shape(shape, BodyKind::FIXED) }

    /// The description of a body that steps move by its velocity, all else as `clrN_body_fixed`.
    call body_moving(shape: ConstShapeHandle) -> Body { Body::of_shape(shape, BodyKind::MOVING) }

    /// Inserts bodies, and writes the id of each to `ids`, which has room for `count`. If one is refused, none is inserted.
    change world_insert(bodies: In<Body>, count: usize, ids: Out<u64>) |inner| {
        let ids = ids.array(count, "ids")?;
        let bodies = bodies.array(count, "bodies")?.iter().enumerate();
        let bodies = bodies.map(|(place, body)| {
            let body = body.read().and_then(checked);
            body.map_err(|problem| problem.of_item("bodies", place))
        });
        let bodies: Vec<engine::Body> = bodies.collect::<Outcome<_>>()?;
        for (place, id) in inner.world.insert_many(bodies)?.into_iter().enumerate() {
            ids.put(place, number_of(id));
        }
        Ok(())
    }
}

/// Refuses what a world refuses of a body alone, so that the sentence can name its place among others.
fn checked(body: engine::Body) -> Outcome<engine::Body> {
    let is_turning = !is_finite(&body.velocity);
    let margin = body.extra_margin;
    if body.pose.checked().is_err() || is_turning || !(0.0..=f32::MAX).contains(&margin) {
        engine::World::default().insert(body.clone())?;
    }
    Ok(body)
}

fn is_finite(velocity: &engine::Velocity) -> bool {
    velocity.linear.is_finite()
        && <engine::Rotation as Rotation<V>>::is_finite_angular(velocity.angular)
}

calls! {
    /// Removes bodies, or none if one is not in the world.
    change world_remove(ids: In<u64>, count: usize) |inner| {
        let ids = ids.array(count, "ids")?;
        let ids: Vec<_> = ids.iter().copied().map(id_of).collect();
        Ok(inner.world.remove_many(&ids)?)
    }

    /// Puts bodies where they are to be, or none of them if one is refused: `poses` has one for each id.
    change world_set_poses(ids: In<u64>, poses: In<Pose>, count: usize) |inner| {
        let (ids, poses) = (ids.array(count, "ids")?, poses.array(count, "poses")?);
        set_poses(inner, count, |place| (ids[place], poses[place]))
    }
}

fn set_poses(inner: &mut Inner, count: usize, item: impl Fn(usize) -> (u64, Pose)) -> Outcome {
    let Inner { world, poses, .. } = inner;
    poses.clear();
    for place in 0..count {
        let (id, pose) = item(place);
        let pose = pose.read();
        poses.push(engine::BodyPose {
            body: id_of(id),
            pose: pose.map_err(|problem| problem.of_item("poses", place))?,
        });
    }
    Ok(world.set_poses(poses)?)
}

calls! {
    /// As `clrN_world_set_poses`, of ids and poses that lie in structs of the caller's: `id_stride` and `pose_stride` are the bytes from
    /// one to the next.
    change world_set_poses_strided(ids: In<u64>, id_stride: usize, poses: In<Pose>, pose_stride: usize, count: usize) |inner| {
        let ids = ids.strided([count, id_stride], "ids")?;
        let poses = poses.strided([count, pose_stride], "poses")?;
        set_poses(inner, count, |place| (ids(place), poses(place)))
    }
}

/// Sets what bodies have, after it was checked that the world has all of them and takes all that is set; or sets nothing.
fn set_each(
    inner: &mut Inner,
    ids: &[u64],
    is_right: impl Fn(usize) -> bool,
    set: impl Fn(&mut engine::World, engine::BodyId, usize) -> Result<(), WorldError>,
) -> Outcome {
    let world = &mut inner.world;
    let is_wrong = |place: &usize| !world.contains(id_of(ids[*place])) || !is_right(*place);
    // What is wrong is set first: that changes nothing, and says why.
    let order = (0..ids.len()).find(is_wrong).into_iter();
    for place in order.chain(0..ids.len()) {
        let done = set(world, id_of(ids[place]), place);
        done.map_err(|error| Problem::from(error).of_item("ids", place))?;
    }
    Ok(())
}

calls! {
    /// Changes the velocities of bodies, or of none of them if one is refused: `velocities` has one for each id.
    change world_set_velocities(ids: In<u64>, velocities: In<Velocity>, count: usize) |inner| {
        let ids = ids.array(count, "ids")?;
        let velocities = velocities.array(count, "velocities")?;
        let of_body = |(&id, velocity): (&u64, &Velocity)| engine::BodyVelocity {
            body: id_of(id),
            velocity: velocity.read(),
        };
        let velocities: Vec<_> = ids.iter().zip(velocities).map(of_body).collect();
        Ok(inner.world.set_velocities(&velocities)?)
    }

    /// Gives bodies numbers of the caller's: `user_data` has one for each id.
    change world_set_user_data(ids: In<u64>, user_data: In<u64>, count: usize) |inner| {
        let ids = ids.array(count, "ids")?;
        let user_data = user_data.array(count, "user_data")?;
        set_each(inner, ids, |_| true, |world, id, place| {
            world.body_mut(id)?.set_user_data(user_data[place]);
            Ok(())
        })
    }

    /// Gives bodies another shape. The next step has the contacts.
    change world_set_shape(ids: In<u64>, count: usize, new_shape: ConstShapeHandle) |inner| {
        let ids = ids.array(count, "ids")?;
        let new_shape = shape(new_shape)?;
        set_each(inner, ids, |_| true, |world, id, _| {
            world.body_mut(id)?.set_shape(new_shape.clone());
            Ok(())
        })
    }

    /// Changes the groups of bodies.
    set world_set_groups(groups: Groups) |world, id| {
        world.body_mut(id)?.set_groups(groups.read());
        Ok(())
    }

    /// Makes bodies fixed or moving; their velocities are kept.
    change world_set_kind(ids: In<u64>, count: usize, new_kind: BodyKind) |inner| {
        let ids = ids.array(count, "ids")?;
        let new_kind = kind(new_kind)?;
        set_each(inner, ids, |_| true, |world, id, _| {
            world.body_mut(id)?.set_kind(new_kind);
            Ok(())
        })
    }

    /// Changes what is added to the margin of the world for the contacts of bodies, >= 0.
    change world_set_extra_margin(ids: In<u64>, count: usize, extra: f32) |inner| {
        let ids = ids.array(count, "ids")?;
        let is_right = |_| (0.0..=f32::MAX).contains(&extra);
        set_each(inner, ids, is_right, |world, id, _| world.body_mut(id)?.set_extra_margin(extra))
    }

    /// Changes whether the pairs of bodies give the contacts of their parts.
    set world_set_part_contacts(are_wanted: bool) |world, id| {
        world.body_mut(id)?.set_part_contacts(are_wanted);
        Ok(())
    }

    /// Changes whether steps find and keep the contact manifolds of bodies.
    set world_set_manifolds(are_wanted: bool) |world, id| {
        world.body_mut(id)?.set_manifolds(are_wanted);
        Ok(())
    }

    /// Changes whether steps look at the whole ways of bodies.
    set world_set_swept(are_swept: bool) |world, id| {
        world.body_mut(id)?.set_swept(are_swept);
        Ok(())
    }

    /// Fills or empties cells of a body whose shape is voxels: digs and builds. The next step has the contacts and events. Snapshots and other
    /// bodies with the same shape keep theirs.
    change world_set_cells(body: u64, cells: In<[i32; DIM]>, count: usize, filled: bool) |inner| {
        let cells = cells_of(cells.array(count, "cells")?);
        Ok(inner.world.body_mut(id_of(body))?.set_cells(cells, filled)?)
    }

    /// Fills cells of a body whose shape is tiles with an entry of the palette: k is tile k - 1, and 0 the whole cell.
    change world_set_tiles(body: u64, cells: In<[i32; DIM]>, count: usize, entry: u8) |inner| {
        let cells = cells_of(cells.array(count, "cells")?);
        Ok(inner.world.body_mut(id_of(body))?.set_tiles(cells, entry)?)
    }
}

pub(crate) fn cells_of(cells: &[[i32; DIM]]) -> Vec<Cell> {
    cells.iter().copied().map(Cell::from_array).collect()
}

calls! {
    /// Writes where bodies are: `poses` has room for one for each id.
    call world_poses(world: ConstWorldHandle, ids: In<u64>, count: usize, poses: Out<Pose>) -> Status {
        world_poses_strided(world, ids, count, poses, size_of::<Pose>())
    }

    /// As `clrN_world_poses`, to poses that lie in structs of the caller's, `stride` bytes from one to the next.
    call world_poses_strided(world: ConstWorldHandle, ids: In<u64>, count: usize, poses: Out<Pose>, stride: usize) -> Status {
        of_each(world, ids, count, |inner, ids| {
            let room = poses.strided([count, stride], "poses")?;
            for (place, body) in bodies(inner, ids).enumerate() {
                room.put(place, Pose::of(body.pose()));
            }
            Ok(())
        })
    }

    /// Writes how fast bodies move: `velocities` has room for one for each id.
    call world_velocities(world: ConstWorldHandle, ids: In<u64>, count: usize, velocities: Out<Velocity>) -> Status {
        of_each(world, ids, count, |inner, ids| {
            let room = velocities.array(count, "velocities")?;
            room.fill(bodies(inner, ids).map(|body| Velocity::of(&body.velocity())));
            Ok(())
        })
    }

    /// Writes the descriptions of bodies, with NULL for their shapes, of which `clrN_world_shape` tells: `bodies` has room for one for each
    /// id.
    call world_bodies(world: ConstWorldHandle, ids: In<u64>, count: usize, descriptions: Out<Body>) -> Status {
        of_each(world, ids, count, |inner, ids| {
            let room = descriptions.array(count, "bodies")?;
            room.fill(bodies(inner, ids).map(|body| Body::of(&body)));
            Ok(())
        })
    }

    /// Writes the boxes around bodies, in single precision, rounded outwards: `bounds` has room for one for each id.
    call world_bounds(world: ConstWorldHandle, ids: In<u64>, count: usize, bounds: Out<Bounds>) -> Status {
        of_each(world, ids, count, |inner, ids| {
            let room = bounds.array(count, "bounds")?;
            room.fill(bodies(inner, ids).map(|body| Bounds::of(&body.bounds())));
            Ok(())
        })
    }
}

/// Asks for something of bodies of the world.
fn of_each(
    world: ConstWorldHandle,
    ids: In<u64>,
    count: usize,
    write: impl FnOnce(&Inner, &[u64]) -> Outcome,
) -> Status {
    ask(world, |inner| {
        let ids = ids.array(count, "ids")?;
        let mut numbered = ids.iter().enumerate();
        numbered.try_for_each(|(place, &id)| {
            let known = known(inner, id).map(|_| ());
            known.map_err(|problem| problem.of_item("ids", place))
        })?;
        write(inner, ids)
    })
}

/// The bodies of ids that the world knows.
fn bodies<'a>(inner: &'a Inner, ids: &'a [u64]) -> impl Iterator<Item = engine::BodyRef<'a>> {
    ids.iter()
        .filter_map(|&id| inner.world.body(id_of(id)).ok())
}

calls! {
    /// The shape of a body, as a new handle that the caller must release.
    ask world_shape(body: u64, shape: Out<ShapeHandle>) |inner| {
        let id = known(inner, body)?;
        let of_body = inner.world.body(id)?.shape().clone();
        shape.fill("shape", || insert_shape(of_body))
    }

    /// Whether a body is in the world.
    ask world_contains(body: u64, is_in: Out<bool>) |inner| { is_in.set(inner.world.contains(id_of(body)), "is_in") }

    /// The user data of a body, also of one that was removed and that events may still name.
    ask world_user_data(body: u64, user_data: Out<u64>) |inner| {
        let id = id_of(body);
        let found = inner.world.user_data(id);
        let found = found.ok_or_else(|| Problem::from(WorldError::NotInWorld { id }))?;
        user_data.set(found, "user_data")
    }

    /// How many bodies there are.
    ask world_body_count(count: Out<usize>) |inner| { count.set(inner.world.len(), "count") }

    /// The ids of all bodies, in order.
    ask world_ids(list: Out<IdList>) |inner| { IdList::fill(list, inner.world.bodies().ids().map(number_of)) }

    /// Removes all bodies.
    change world_clear() |inner| {
        inner.world.clear();
        Ok(())
    }
}
