//! What four bits say, looked up: which are set cannot be predicted.

use clearance_math::lanes::LANES;

/// Which bits of a mask are set, one after the other, and how many they are.
pub(super) const LANES_OF_MASK: [([u16; LANES], usize); 16] = lanes_of_masks();
/// The bits of a mask, one by one.
pub(super) const BITS_OF_MASK: [[bool; LANES]; 16] = bits_of_masks();

const fn lanes_of_masks() -> [([u16; LANES], usize); 16] {
    let mut table = [([0; LANES], 0); 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut lanes, mut count) = ([0; LANES], 0);
        let mut lane = 0;
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                lanes[count] = lane as u16;
                count += 1;
            }
            lane += 1;
        }
        table[mask] = (lanes, count);
        mask += 1;
    }
    table
}

const fn bits_of_masks() -> [[bool; LANES]; 16] {
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
