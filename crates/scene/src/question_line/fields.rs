//! Fields that several questions have.

use clearance_gjk::{Interior, RayOptions};
use clearance_math::{Pose, Ray, Real};
use clearance_shapes::Requirement;

use crate::FileVector;
use crate::pair::{AimedRay, Side};
use crate::read::{Fields, read_pose, read_shape};

pub(crate) fn read_ray<V: FileVector>(fields: &Fields) -> Option<AimedRay<V>> {
    let origin = fields.vector::<V>("origin");
    let direction = fields.required("direction").and_then(|direction| {
        let vector = direction.vector::<V>()?;
        if vector == V::ZERO {
            direction.refuse("is zero, must have a length");
            return None;
        }
        Some(vector)
    });
    let max_distance = match fields.optional("max_distance") {
        Some(distance) => distance.number_that_is(Requirement::NotNegative),
        None => Some(Real::INFINITY),
    };
    let interior = match fields.optional("solid") {
        Some(solid) => solid.boolean().map(|solid| {
            if solid {
                Interior::Solid
            } else {
                Interior::Hollow
            }
        }),
        None => Some(Interior::Solid),
    };
    Some(AimedRay {
        ray: Ray::new(origin?, direction?).ok()?,
        options: RayOptions {
            max_distance: max_distance?,
            interior: interior?,
        },
    })
}

/// The greatest distance of what is asked for; `default` if the line does not say.
pub(crate) fn read_within(fields: &Fields, default: Real) -> Option<Real> {
    match fields.optional("within") {
        Some(within) => within.number_that_is(Requirement::NotNegative),
        None => Some(default),
    }
}

pub(crate) fn read_side<V: FileVector>(fields: &Fields, key: &str) -> Option<Side<V>> {
    let cursor = fields.required(key)?;
    let fields = cursor.object(&["shape", "pose"])?;
    let shape = fields
        .required("shape")
        .and_then(|shape| read_shape::<V>(&shape));
    let pose = match fields.optional("pose") {
        Some(pose) => read_pose(&pose),
        None => Some(Pose::IDENTITY),
    };
    Some(Side {
        shape: shape?.shape().clone(),
        pose: pose?,
    })
}
