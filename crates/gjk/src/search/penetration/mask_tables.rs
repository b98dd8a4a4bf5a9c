//! Lookup tables for masks of four bits, one bit for each lane of a SIMD comparison.
//!
//! Which bits are set is hard to predict, so reading a table is faster than branching on each bit.

use clearance_math::internal::lanes::LANES;

/// The lanes whose bits are set in a mask.
#[derive(Clone, Copy)]
pub(super) struct SetLanes {
    /// Whether the bit of each lane is set.
    pub(super) is_set: [bool; LANES],
    /// The lanes in ascending order; only the first `count` entries are valid.
    pub(super) lanes: [u16; LANES],
    pub(super) count: usize,
}

/// For each mask, the lanes whose bits are set.
pub(super) const SET_LANES: [SetLanes; 16] = {
    let none = SetLanes {
        is_set: [false; LANES],
        lanes: [0; LANES],
        count: 0,
    };
    let mut table = [none; 16];
    let mut bit = 0;
    while bit < 16 * LANES {
        let (mask, lane) = (bit / LANES, bit % LANES);
        let set = &mut table[mask];
        if mask >> lane & 1 == 1 {
            set.is_set[lane] = true;
            set.lanes[set.count] = lane as u16;
            set.count += 1;
        }
        bit += 1;
    }
    table
};
