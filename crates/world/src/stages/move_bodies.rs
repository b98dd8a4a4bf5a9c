//! The first stage: bodies move by their velocities.

use clearance_math::{Pose, PoseResidual, Real, Vector, VelocityStep};

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
        .any(|moved| moved.pose.lost_coordinate().is_some())
    {
        let refusal = refusal(bodies, poses);
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
fn refusal<V: Vector>(bodies: &Bodies<V>, next: &[MovedPose<V>]) -> WorldError {
    let leaving = (bodies.moving().iter().zip(next))
        .filter_map(|(&slot, moved)| Some((slot as usize, moved.pose.lost_coordinate()?)))
        .min_by_key(|(slot, _)| *slot);
    let (slot, (axis, value)) = leaving.unwrap_or((0, (0, f64::NAN)));
    WorldError::OutOfRange {
        id: bodies.id(slot),
        axis,
        value,
    }
}
