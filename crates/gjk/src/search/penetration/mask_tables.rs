//! Lookup tables for masks of four bits, one bit for each lane of a SIMD comparison.
//!
//! Which bits are set is hard to predict, so reading a table is faster than branching on each bit.

use clearance_math::internal::lanes::LANES;

/// The lanes whose bits are set in a mask.
#[derive(Clone, Copy)]
pub(super) struct SetLanes {
    /// The lanes in ascending order; only the first `count` entries are valid.
    pub(super) lanes: [u16; LANES],
    pub(super) count: usize,
}

/// For each mask, the lanes whose bits are set.
pub(super) const SET_LANES: [SetLanes; 16] = set_lanes();
/// For each mask, its bits as one bool for each lane.
pub(super) const MASK_BITS: [[bool; LANES]; 16] = mask_bits();

const fn set_lanes() -> [SetLanes; 16] {
    let none = SetLanes {
        lanes: [0; LANES],
        count: 0,
    };
    let mut table = [none; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut lane = 0;
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                let count = table[mask].count;
                table[mask].lanes[count] = lane as u16;
                table[mask].count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
}

const fn mask_bits() -> [[bool; LANES]; 16] {
    let mut table = [[false; LANES]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut lane = 0;
        while lane < LANES {
            table[mask][lane] = mask >> lane & 1 == 1;
            lane += 1;
        }
        mask += 1;
    }
    table
}
