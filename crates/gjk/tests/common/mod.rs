//! What the tests share: numbers, shapes, placements, and heights along directions.

mod kind;
mod placing;
mod proofs;
mod random;
mod recipe;
mod sampling;
mod solid;
mod truth;
mod wolfe;

pub(crate) use kind::{Kind, Space, unturned};
pub(crate) use placing::{
    Body, Placement, beside, body, height, kind_pairs, normal_for, size_of, turned,
};
pub(crate) use proofs::{
    Fault, agreement, bounds, ensure, kept, lower_by_plane, points_along_the_normal,
    points_on_the_shapes, soundness, translation, upper_by_points,
};
pub(crate) use random::{Pcg, iterations};
pub(crate) use recipe::Recipe;
pub(crate) use sampling::directions;
pub(crate) use solid::{Pair, Solid};
pub(crate) use truth::distance_to;
pub(crate) use wolfe::{Nearest, length_to_hull, nearest};

/// Makes a test in the plane and one in space of each function that is generic over the vector.
macro_rules! in_both_dimensions {
    ($($name:ident),+ $(,)?) => {
        mod plane {
            $(#[test]
            fn $name() {
                super::$name::<clearance_math::Vec2>();
            })+
        }
        mod space {
            $(#[test]
            fn $name() {
                super::$name::<clearance_math::Vec3>();
            })+
        }
    };
}
pub(crate) use in_both_dimensions;
