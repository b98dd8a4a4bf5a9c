//! Poses: a translation and a rotation, either of which may be left out.

use clearance_math::{Pose, PreciseVector, Rotation};

use super::Cursor;
use crate::FileVector;

pub(crate) fn read_pose<V: FileVector>(cursor: &Cursor) -> Option<Pose<V>> {
    let fields = cursor.object(&["translation", "rotation"])?;
    let translation = match fields.optional("translation") {
        Some(field) => field.position::<V>(),
        None => Some(V::Precise::ZERO),
    };
    let rotation = match fields.optional("rotation") {
        Some(field) => read_rotation::<V>(&field),
        None => Some(V::Rotation::IDENTITY),
    };
    Some(Pose::new(translation?, rotation?))
}

fn read_rotation<V: FileVector>(cursor: &Cursor) -> Option<V::Rotation> {
    let numbers = cursor.numbers(V::ROTATION_NUMBERS)?;
    match V::rotation_from_numbers(numbers.as_slice()) {
        Ok(rotation) => Some(rotation),
        Err(error) => {
            cursor.refuse(error.to_string());
            None
        }
    }
}
