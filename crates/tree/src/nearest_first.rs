//! The order of a descent: the nearest child of a node first.

use clearance_math::Real;
use glam::Vec4;
use smallvec::SmallVec;

use crate::{Child, LANES};

/// How many subtrees fit without allocation. At most three remain for each level, so that this is
/// enough for every tree that was built at once.
const CAPACITY: usize = 64;

/// What a descent has still to visit: children of nodes, each with a measure, which is usually how far
/// away its box is. Among the children of a node the one with the least measure comes first.
///
/// A child and its measure are one number, so that sorting the four children of a node takes five
/// comparisons without branches.
#[derive(Clone, Debug)]
pub struct NearestFirst {
    pending: SmallVec<[i64; CAPACITY]>,
}

/// A child that a descent has arrived at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// The child, which is not empty.
    pub child: Child,
    /// Its measure.
    pub measure: Real,
}

impl NearestFirst {
    /// A descent that begins at the root.
    #[inline]
    #[must_use]
    pub fn from_root() -> Self {
        let mut pending = SmallVec::new();
        pending.push(key(Child::node(0), Real::NEG_INFINITY));
        Self { pending }
    }

    /// Takes the next child.
    #[inline(always)]
    #[must_use]
    pub fn pop(&mut self) -> Option<Arrival> {
        self.pending.pop().map(|key| Arrival {
            child: Child::from_code(key as u32),
            measure: from_ordered((key >> 32) as i32),
        })
    }

    /// Adds those of the children of a node that are in the lanes of `mask`, none of which may be empty. No measure may be
    /// NaN.
    #[inline(always)]
    pub fn push(&mut self, children: &[Child; LANES], mask: u32, measures: Vec4) {
        if mask == 0 {
            return;
        }
        let measures = measures.to_array();
        let mut keys = [i64::MIN; LANES];
        for (lane, place) in keys.iter_mut().enumerate() {
            let new = key(children[lane], measures[lane]);
            *place = if mask >> lane & 1 != 0 { new } else { i64::MIN };
        }
        for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            let (greater, less) = (keys[i].max(keys[j]), keys[i].min(keys[j]));
            (keys[i], keys[j]) = (greater, less);
        }
        let count = mask.count_ones() as usize;
        self.pending.extend_from_slice(&keys);
        self.pending.truncate(self.pending.len() + count - LANES);
    }
}

/// Orders by the measure, then by the child.
#[inline]
fn key(child: Child, measure: Real) -> i64 {
    i64::from(ordered(measure)) << 32 | i64::from(child.code())
}

/// A number as an integer with the same order.
#[inline]
fn ordered(x: Real) -> i32 {
    let bits = x.to_bits() as i32;
    bits ^ ((bits >> 31) & i32::MAX)
}

#[inline]
fn from_ordered(ordered: i32) -> Real {
    Real::from_bits((ordered ^ ((ordered >> 31) & i32::MAX)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_come_by_measure_and_then_by_number() {
        let children = [7, 3, 5, 4].map(Child::leaf);
        let mut descent = NearestFirst::from_root();
        assert_eq!(
            descent.pop().map(|arrival| arrival.child),
            Some(Child::node(0))
        );
        let measures = Vec4::new(0.5, -2.0, 0.5, Real::INFINITY);
        descent.push(&children, 0b0111, measures);
        let order = core::iter::from_fn(|| descent.pop());
        let order: Vec<_> = order.map(|a| (a.child.number(), a.measure)).collect();
        assert_eq!(order, [(Some(3), -2.0), (Some(5), 0.5), (Some(7), 0.5)]);
    }

    #[test]
    fn numbers_keep_their_order_and_their_bits() {
        let rising = [
            Real::NEG_INFINITY,
            -3.5,
            -1e-40,
            -0.0,
            0.0,
            1e-40,
            2.0,
            Real::INFINITY,
        ];
        for pair in rising.windows(2) {
            assert!(ordered(pair[0]) < ordered(pair[1]), "{pair:?}");
        }
        for x in rising {
            assert_eq!(from_ordered(ordered(x)).to_bits(), x.to_bits());
        }
    }
}
