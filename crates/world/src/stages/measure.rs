//! The fourth stage: how far apart the pairs are.

use clearance_broadphase::Key;
use clearance_gjk::Proximity;
use clearance_math::{Real, Vector};

use super::Buffers;
use crate::bodies::Bodies;
use crate::range::range;
use crate::threads::Threads;
use crate::{Contact, contact};

/// Fills `buffers.found` with the contacts among `buffers.pairs`, in their order.
///
/// Each pair is measured from its shapes and poses alone: neither earlier frames nor other pairs
/// can change a bit of the answer.
pub(crate) fn measure<V: Vector>(
    bodies: &Bodies<V>,
    margin: Real,
    threads: &Threads,
    buffers: &mut Buffers<V>,
) {
    threads.gather(&buffers.pairs, &mut buffers.found, |pairs, found| {
        found.extend(
            pairs
                .iter()
                .filter_map(|&pair| measured(bodies, margin, pair)),
        );
    });
}

/// The contact of a pair, or `None` if it is out of range.
fn measured<V: Vector>(bodies: &Bodies<V>, margin: Real, (a, b): (Key, Key)) -> Option<Contact<V>> {
    let (a, b) = (a as usize, b as usize);
    let range = range(
        margin,
        bodies.columns.extra_margins[a],
        bodies.columns.extra_margins[b],
    );
    let (placed_a, placed_b) = (bodies.placed(a)?, bodies.placed(b)?);
    let separation = match clearance_gjk::measure(placed_a, placed_b, range) {
        Proximity::Near(separation) if separation.distance <= range => separation,
        Proximity::Near(_) | Proximity::Farther { .. } => return None,
        Proximity::Unbounded => contact::unbounded(placed_a, placed_b),
    };
    Some(Contact {
        a: bodies.id(a),
        b: bodies.id(b),
        separation,
    })
}
