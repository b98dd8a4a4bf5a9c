//! Two shapes at two poses: every question, and every promise of the answers.

mod bounds;
mod gap;
mod points;
mod questions;

use clearance_math::{Real, Vec2, Vec3};

use crate::body::Body;
use crate::bytes::{Bytes, in_plane_or_space};
use crate::dimension::Dimension;
use crate::placement::place;

/// Two shapes of any kind at two poses, in the plane or in space, and a range.
///
/// Errors are those documented, answers have their bounds in order and a unit normal, do not
/// depend on which shape is named first, agree with each other, and the bounds are those of the
/// shapes by their definitions.
///
/// # Panics
/// If the engine breaks one of these promises, with the shapes and poses.
pub fn pair(data: &[u8]) {
    in_plane_or_space(data, run::<Vec2>, run::<Vec3>);
}

fn run<V: Dimension>(bytes: &mut Bytes) {
    if let Some(case) = Case::<V>::decode(bytes) {
        questions::check(&case);
    }
}

/// What is asked.
#[derive(Clone, Debug)]
struct Case<V: Dimension> {
    a: Body<V>,
    b: Body<V>,
    within: Real,
}

impl<V: Dimension> Case<V> {
    fn decode(bytes: &mut Bytes) -> Option<Self> {
        let scale = match bytes.below(8) {
            0 => bytes.power_of_two(100),
            _ => 1.0,
        };
        let other_scale = match bytes.below(8) {
            0 => bytes.power_of_two(100),
            _ => scale,
        };
        let mut a = Body::decode(bytes, scale)?;
        let mut b = match bytes.below(16) {
            0 => a.clone(),
            1 => Body {
                pose: a.pose,
                ..Body::decode(bytes, other_scale)?
            },
            _ => Body::decode(bytes, other_scale)?,
        };
        place(bytes, &mut a, &mut b);
        let within = match bytes.below(4) {
            0 => 0.0,
            1 => bytes.number() * scale,
            2 => bytes.number(),
            _ => Real::INFINITY,
        };
        Some(Self { a, b, within })
    }
}
