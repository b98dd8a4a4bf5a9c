//! A sequence of operations on three worlds that differ in their broad phase alone, and on a plain
//! model of what a world is.

mod history;
mod measured;
mod model;
mod operation;
mod pair_rule;
mod rebuild;
mod twins;
mod ways;

use clearance_math::{Vec2, Vec3};

use crate::bytes::{Bytes, in_plane_or_space};
use crate::dimension::Dimension;
use operation::Operation;
use twins::Twins;

/// The most operations of a sequence.
const MOST_OPERATIONS: usize = 40;

/// Operations on worlds: bodies that come, go and change, steps, questions, and refused input.
///
/// The worlds agree with each other to the last bit, with a model of their bodies after every
/// operation, and with all pairs measured and, where a body is swept, cast one by one after every step. Refused calls change
/// nothing, ids that are gone never come back, events are the difference of two steps, and worlds that
/// return to a saved state are in every respect what they were.
///
/// # Panics
/// If the engine breaks one of these promises, with the operations.
pub fn world(data: &[u8]) {
    in_plane_or_space(data, run::<Vec2>, run::<Vec3>);
}

fn run<V: Dimension>(bytes: &mut Bytes) {
    let margin = bytes.pick(&[0.0, 0.0625, 0.5, 10.0]);
    let mut twins = Twins::<V>::new(margin);
    for _ in 0..MOST_OPERATIONS {
        if bytes.is_empty() {
            break;
        }
        let operation = Operation::decode(bytes, twins.model());
        twins.apply(operation);
        if twins.is_open() {
            return;
        }
    }
    twins.apply(Operation::Step(0.0));
}
