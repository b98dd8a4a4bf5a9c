//! Fields that several questions have.

use clearance_gjk::{BackFaces, CastOptions, Interior, Motion, RayOptions};
use clearance_math::{Pose, Ray, Real};
use clearance_shapes::{Requirement, Shape};

use crate::FileVector;
use crate::read::{Fields, read_pose, read_shape};

/// A shape and its pose: a side of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Side<V: FileVector> {
    /// The shape.
    pub shape: Shape<V>,
    /// Its pose.
    pub pose: Pose<V>,
}

/// A ray, how far it reaches, and whether shapes are solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimedRay<V: FileVector> {
    /// The ray.
    pub ray: Ray<V>,
    /// How far the ray reaches, and whether shapes are solid.
    pub options: RayOptions,
}

pub(crate) fn read_ray<V: FileVector>(fields: &Fields) -> Option<AimedRay<V>> {
    let origin = fields.position::<V>("origin");
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
    let word = |name: &str| match fields.optional(name) {
        Some(word) => word.boolean(),
        None => Some(true),
    };
    let (solid, back_faces) = (word("solid"), word("back_faces"));
    Some(AimedRay {
        ray: Ray::new(origin?, direction?).ok()?,
        options: RayOptions {
            max_distance: max_distance?,
            interior: if solid? {
                Interior::Solid
            } else {
                Interior::Hollow
            },
            back_faces: if back_faces? {
                BackFaces::Hit
            } else {
                BackFaces::Pass
            },
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

/// What counts as met in a cast: `within`, and the default for what a line cannot say.
pub(crate) fn read_cast_options(fields: &Fields) -> Option<CastOptions> {
    let within = read_within(fields, 0.0)?;
    Some(CastOptions {
        within,
        ..CastOptions::default()
    })
}

/// A motion; rest if the line does not have it.
pub(crate) fn read_motion<V: FileVector>(fields: &Fields, key: &str) -> Option<Motion<V>> {
    let Some(motion) = fields.optional(key) else {
        return Some(Motion::rest());
    };
    let fields = motion.object(&["linear", "angular"])?;
    let linear = match fields.optional("linear") {
        Some(linear) => linear.vector(),
        None => Some(V::ZERO),
    };
    let angular = match fields.optional("angular") {
        Some(angular) => {
            let numbers = angular.numbers(V::ANGULAR_NUMBERS);
            numbers.map(|numbers| V::angular_from_numbers(numbers.as_slice()))
        }
        None => Some(V::Angular::default()),
    };
    Some(Motion::new(linear?, angular?))
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
