//! The first stage: bodies go on by their velocities.

use clearance_math::{Pose, PreciseVector, Real, Rotation, Vector};

use crate::bodies::Bodies;
use crate::threads::Threads;
use crate::{Velocity, WorldError};

/// Moves every moving body by `dt` seconds, or refuses and moves none.
///
/// The next poses are computed in `next`, checked, and only then given to the bodies.
pub(crate) fn move_bodies<V: Vector>(
    bodies: &mut Bodies<V>,
    dt: Real,
    threads: &Threads,
    next: &mut Vec<Pose<V>>,
) -> Result<(), WorldError> {
    if dt == 0.0 {
        return Ok(());
    }
    threads.fill(bodies.moving(), next, Pose::IDENTITY, |&slot, pose| {
        let slot = slot as usize;
        let columns = &bodies.columns;
        *pose = moved(&columns.poses[slot], &columns.velocities[slot], dt);
    });
    if next.iter().any(|pose| !pose.translation.is_finite()) {
        return Err(refusal(bodies, dt, next));
    }
    bodies.commit_poses(next);
    Ok(())
}

/// The pose after `dt` seconds; its translation is infinite where it leaves the range of numbers.
fn moved<V: Vector>(pose: &Pose<V>, velocity: &Velocity<V>, dt: Real) -> Pose<V> {
    let mut next = *pose;
    let destination = destination(pose, velocity, dt);
    for axis in 0..V::DIM {
        let value = destination.component(axis) as Real;
        next.translation = next.translation.with_component(axis, value);
    }
    // Turning by nothing would still round the rotation again.
    if velocity.angular != V::Angular::default() {
        next.rotation = pose.rotation.integrated(velocity.angular, dt);
    }
    next
}

fn destination<V: Vector>(pose: &Pose<V>, velocity: &Velocity<V>, dt: Real) -> V::Precise {
    pose.translation.to_precise() + velocity.linear.to_precise() * f64::from(dt)
}

/// Names the body that leaves the range of numbers, the one with the least id if there are several.
fn refusal<V: Vector>(bodies: &Bodies<V>, dt: Real, next: &[Pose<V>]) -> WorldError {
    let leaving = (bodies.moving().iter().zip(next))
        .filter(|(_, pose)| !pose.translation.is_finite())
        .map(|(&slot, pose)| (slot as usize, pose.translation))
        .min_by_key(|(slot, _)| *slot);
    let (slot, translation) = leaving.unwrap_or((0, V::ZERO));
    let is_lost = |axis: &usize| !translation.component(*axis).is_finite();
    let axis = (0..V::DIM).find(is_lost).unwrap_or(0);
    let destination = destination(
        &bodies.columns.poses[slot],
        &bodies.columns.velocities[slot],
        dt,
    );
    WorldError::OutOfRange {
        id: bodies.id(slot),
        axis,
        value: destination.component(axis),
    }
}
