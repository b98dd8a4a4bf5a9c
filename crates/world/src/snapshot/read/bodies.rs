//! The bodies of a stored snapshot.

use clearance_math::{Pose, PoseResidual, PreciseVector, Real, Rotation, Vec3, Vector};
use clearance_shapes::{Shape, ShapeEncoding};

use crate::columns::{Columns, Occupancy};
use crate::error::check_body;
use crate::id::MAX_GENERATION;
use crate::snapshot::first_angular;
use crate::snapshot::record::{BodyRecord, SlotRecord, SnapshotError};
use crate::{Body, BodyId, BodyKind, Groups, Subject, Velocity, WorldError};

pub(super) fn shapes<V: Vector>(
    encodings: &[ShapeEncoding],
) -> Result<Vec<Shape<V>>, SnapshotError> {
    let shape = |(place, encoding): (usize, &ShapeEncoding)| {
        Shape::from_encoding(encoding).map_err(|error| SnapshotError::Shape { place, error })
    };
    encodings.iter().enumerate().map(shape).collect()
}

pub(super) fn columns<V: Vector>(
    slots: &[SlotRecord],
    shapes: &[Shape<V>],
) -> Result<Columns<V>, SnapshotError> {
    let mut columns = Columns::new();
    if slots.len() > clearance_broadphase::MAX_KEY as usize + 1 {
        return Err(SnapshotError::Slot {
            slot: slots.len(),
            reason: WorldError::Full.to_string(),
        });
    }
    for (slot, record) in slots.iter().enumerate() {
        columns.push();
        let generation = match record {
            SlotRecord::Vacant { generation } => *generation,
            SlotRecord::Retired { generation } => {
                columns.occupancies[slot] = Occupancy::Retired;
                *generation
            }
            SlotRecord::Taken { generation, body } => {
                let id = BodyId::from_parts(slot as u32, *generation);
                let body = body_of(Subject::Body(id), body, shapes);
                let body = body.map_err(|reason| SnapshotError::Slot { slot, reason })?;
                columns.set(slot, body);
                *generation
            }
        };
        if generation > MAX_GENERATION {
            return Err(SnapshotError::Slot {
                slot,
                reason: format!("generation is {generation}, must be at most {MAX_GENERATION}"),
            });
        }
        columns.generations[slot] = generation;
    }
    Ok(columns)
}

fn body_of<V: Vector>(
    subject: Subject,
    record: &BodyRecord,
    shapes: &[Shape<V>],
) -> Result<Body<V>, String> {
    let shape = shapes.get(record.shape as usize);
    let shape = shape.ok_or_else(|| format!("there is no shape {}", record.shape))?;
    let translation =
        position::<V>(&record.translation).ok_or("translation has not one number an axis")?;
    let rotation = V::Rotation::from_bits(record.rotation).map_err(|e| e.to_string())?;
    let pose = Pose::new(translation, rotation);
    let words = record.residual.unwrap_or_default();
    let residual = PoseResidual::decode(words);
    if residual.encode() != words || pose.residual_or_none(&residual) != residual {
        return Err("residual is not one of the pose".to_owned());
    }
    let body = Body {
        shape: shape.clone(),
        pose,
        residual,
        velocity: velocity(record.velocity.as_deref())?,
        kind: if record.is_moving {
            BodyKind::Moving
        } else {
            BodyKind::Fixed
        },
        groups: record
            .groups
            .map_or(Groups::ALL, |[memberships, filter]| Groups {
                memberships,
                filter,
            }),
        extra_margin: record.extra_margin,
        part_contacts: record.wants_part_contacts,
        manifolds: record.wants_manifolds,
        swept: record.is_swept,
        user_data: record.user_data,
    };
    check_body(subject, body).map_err(|error| error.to_string())
}

fn velocity<V: Vector>(numbers: Option<&[Real]>) -> Result<Velocity<V>, String> {
    let Some(numbers) = numbers else {
        return Ok(Velocity::default());
    };
    let first = first_angular::<V>();
    let count = V::DIM + 3 - first;
    if numbers.len() != count {
        return Err(format!(
            "velocity has {} numbers, must have {count}",
            numbers.len()
        ));
    }
    let (linear, angular) = numbers.split_at(V::DIM);
    let mut in_space = Vec3::ZERO;
    for (axis, &number) in (first..3).zip(angular) {
        in_space[axis] = number;
    }
    let linear = vector(linear).ok_or("velocity is cut short")?;
    Ok(Velocity::new(
        linear,
        V::Rotation::angular_from_space(in_space),
    ))
}

/// One number for each axis; `None` if there are more or fewer.
pub(in crate::snapshot) fn position<V: Vector>(numbers: &[f64]) -> Option<V::Precise> {
    (numbers.len() == V::DIM).then(|| V::Precise::from_fn(|axis| numbers[axis]))
}

pub(super) fn vector<V: Vector>(numbers: &[Real]) -> Option<V> {
    (numbers.len() == V::DIM).then(|| V::from_fn(|axis| numbers[axis]))
}
