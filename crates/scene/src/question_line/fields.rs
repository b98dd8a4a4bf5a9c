//! Fields that several questions have.

use clearance_gjk::{BackFaces, CastOptions, Interior, Motion, RayOptions};
use clearance_math::{Pose, Ray, Real};
use clearance_shapes::Shape;

use crate::FileVector;
use crate::read::{
    Fields, Read, boolean, motion, not_negative, pose, position, read_shape, vector,
};

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

pub(crate) fn read_ray<V: FileVector>(fields: &Fields) -> Read<AimedRay<V>> {
    let origin = fields.get("origin", position::<V>)?;
    let direction = fields.get("direction", |direction| match vector::<V>(direction)? {
        vector if vector == V::ZERO => Err(direction.refused("is zero, must have a length")),
        vector => Ok(vector),
    })?;
    let ray = Ray::new(origin, direction);
    Ok(AimedRay {
        ray: ray.map_err(|error| fields.cursor().refused(error.to_string()))?,
        options: RayOptions {
            max_distance: fields.get_or("max_distance", Real::INFINITY, not_negative)?,
            interior: match fields.get_or("solid", true, boolean)? {
                true => Interior::Solid,
                false => Interior::Hollow,
            },
            back_faces: match fields.get_or("back_faces", true, boolean)? {
                true => BackFaces::Hit,
                false => BackFaces::Pass,
            },
        },
    })
}

/// The greatest distance of what is asked for; `default` if the line does not say.
pub(crate) fn read_within(fields: &Fields, default: Real) -> Read<Real> {
    fields.get_or("within", default, not_negative)
}

/// What counts as met in a cast: `within`, and the default for what a line cannot say.
pub(crate) fn read_cast_options(fields: &Fields) -> Read<CastOptions> {
    Ok(CastOptions {
        within: read_within(fields, 0.0)?,
        ..CastOptions::default()
    })
}

/// A motion; rest if the line does not have it.
pub(crate) fn read_motion<V: FileVector>(fields: &Fields, key: &'static str) -> Read<Motion<V>> {
    fields.get_or(key, Motion::rest(), |cursor| motion(cursor, Motion::new))
}

pub(crate) fn read_side<V: FileVector>(fields: &Fields, key: &'static str) -> Read<Side<V>> {
    fields.get(key, |side| {
        let fields = side.fields()?;
        let side = Side {
            shape: fields.get("shape", read_shape)?,
            pose: fields.get_or("pose", Pose::IDENTITY, pose)?,
        };
        fields.no_others()?;
        Ok(side)
    })
}
