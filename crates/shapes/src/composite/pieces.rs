//! The pieces that the parts of a composite make.

use std::collections::HashMap;
use std::sync::OnceLock;

use clearance_math::{Vector, compile_once};

use super::vertices::bits;
use super::{Composite, CompositeKind};

/// The numbers of one part of each connected piece, found when they are first asked for.
#[derive(Debug, Default)]
pub(crate) struct Pieces(OnceLock<Vec<u32>>);

/// They follow from the rest.
impl PartialEq for Pieces {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<V: Vector> Composite<V> {
    /// The number of one part of each connected piece: parts are connected that share a corner, by its coordinates.
    ///
    /// The first call costs O(n) for n parts, and memory for the answer. Those of a cloud of points are all of them.
    pub fn pieces(&self) -> impl Iterator<Item = u32> {
        let Pieces(pieces) = &self.pieces;
        let (all, listed) = match &self.kind {
            CompositeKind::Points(_) => (self.part_count(), &[][..]),
            _ => (0, &pieces.get_or_init(|| pieces_of(self))[..]),
        };
        (0..all).chain(listed.iter().copied())
    }
}

compile_once! {
    fn pieces_of<'a, V>(composite: &'a Composite<V>) -> Vec<u32> {
        match &composite.kind {
            CompositeKind::Compound(compound) => compound.pieces(),
            CompositeKind::Voxels(voxels) => voxels.pieces(),
            _ => connected_pieces(composite),
        }
    }
}

/// The first part of each set of parts that hang together.
fn connected_pieces<V: Vector>(composite: &Composite<V>) -> Vec<u32> {
    let count = composite.part_count();
    let mut leaders: Vec<u32> = (0..count).collect();
    let find = |leaders: &mut Vec<u32>, mut number: u32| {
        while leaders[number as usize] != number {
            leaders[number as usize] = leaders[leaders[number as usize] as usize];
            number = leaders[number as usize];
        }
        number
    };
    let mut at_corner = HashMap::with_capacity(count as usize);
    for number in 0..count {
        for corner in composite.facet(number).into_iter().flatten() {
            let other = *at_corner.entry(bits(corner)).or_insert(number);
            let (one, other) = (find(&mut leaders, number), find(&mut leaders, other));
            leaders[one.max(other) as usize] = one.min(other);
        }
    }
    let is_first =
        |&number: &u32| leaders[number as usize] == number && composite.facet(number).is_some();
    (0..count).filter(is_first).collect()
}
