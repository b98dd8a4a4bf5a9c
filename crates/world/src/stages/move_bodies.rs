//! The first stage: bodies move by their velocities.

use clearance_math::{Pose, PoseResidual, PreciseVector, Real, Vector, VelocityStep};

use super::buffers::Buffers;
use crate::WorldError;
use crate::bodies::{Bodies, MovedPose};
use crate::threads::Threads;

/// Moves every moving body by `dt` seconds, or refuses and moves none.
///
/// The next poses are computed in the buffer of poses, checked, and only then given to the bodies. After that it
/// holds where the moving bodies were before, if any moved.
pub(crate) fn move_bodies<V: Vector>(
    bodies: &mut Bodies<V>,
    dt: Real,
    threads: &Threads,
    buffers: &mut Buffers<V>,
) -> Result<(), WorldError> {
    buffers.forget_starts();
    if dt == 0.0 {
        buffers.poses.clear();
        return Ok(());
    }
    let blank = MovedPose {
        pose: Pose::IDENTITY,
        residual: PoseResidual::none(),
    };
    let poses = &mut buffers.poses;
    threads.fill(bodies.moving(), poses, blank, |&slot, moved| {
        let slot = slot as usize;
        let columns = &bodies.columns;
        let motion = motion(bodies, slot, dt);
        let (pose, residual) = columns.poses[slot].moved(&columns.residuals[slot], &motion);
        *moved = MovedPose { pose, residual };
    });
    if poses
        .iter()
        .any(|moved| !moved.pose.translation.is_finite())
    {
        let refusal = refusal(bodies, dt, poses);
        buffers.forget_starts();
        return Err(refusal);
    }
    bodies.commit_moves(poses);
    buffers.stepped.extend_from_slice(bodies.moving());
    Ok(())
}

fn motion<V: Vector>(bodies: &Bodies<V>, slot: usize, dt: Real) -> VelocityStep<V> {
    let velocity = &bodies.columns.velocities[slot];
    VelocityStep {
        linear: velocity.linear,
        angular: velocity.angular,
        dt,
    }
}

/// Names the body that leaves the range of numbers, the one with the least id if there are several.
fn refusal<V: Vector>(bodies: &Bodies<V>, dt: Real, next: &[MovedPose<V>]) -> WorldError {
    let leaving = (bodies.moving().iter().zip(next))
        .map(|(&slot, moved)| (slot as usize, moved.pose.translation))
        .filter(|(_, translation)| !translation.is_finite())
        .min_by_key(|(slot, _)| *slot);
    let (slot, translation) = leaving.unwrap_or((0, V::ZERO));
    let is_lost = |axis: &usize| !translation.component(*axis).is_finite();
    let axis = (0..V::DIM).find(is_lost).unwrap_or(0);
    let columns = &bodies.columns;
    let motion = motion(bodies, slot, dt);
    let destination = columns.poses[slot].destination(&columns.residuals[slot], &motion);
    WorldError::OutOfRange {
        id: bodies.id(slot),
        axis,
        value: destination.component(axis),
    }
}
