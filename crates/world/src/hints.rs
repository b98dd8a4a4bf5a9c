//! What was nearest of pairs when they were last measured.

use clearance_broadphase::Key;
use clearance_gjk::internal::{Hint, HintPlace};
use clearance_math::Vector;

use crate::reserve::{Need, bytes, is_far_more};

/// For each pair a hint, in a table of which pairs may share places: the worst that comes of that is a search without one.
#[derive(Default)]
pub(crate) struct Hints(Vec<HintPlace>);

impl Hints {
    /// Makes room for so many pairs. Polygons need no hints.
    pub(crate) fn make_room<V: Vector>(&mut self, pairs: usize) {
        let places = pairs.next_power_of_two();
        if const { V::DIM == 3 } && places > self.0.len() {
            self.0.clear();
            self.0.resize_with(places, HintPlace::default);
        }
    }

    /// `None` without room.
    #[inline(always)]
    pub(crate) fn of(&self, (a, b): (Key, Key)) -> Option<Hint<'_>> {
        // Bits of a product from the 29th on depend on all bits of both slots.
        let mixed = u64::from(a) << 32 | u64::from(b);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (mixed >> 29) as usize & self.0.len().wrapping_sub(1);
        Some(self.0.get(place)?.hint((mixed >> 32) as u32))
    }

    /// Gives memory back that the last frames did not need.
    pub(crate) fn cut_down(&mut self, need: &Need) {
        if is_far_more(self.0.len(), need.pairs) {
            self.0.truncate(need.pairs.next_power_of_two());
            self.0.shrink_to_fit();
        }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.0)
    }
}

/// A copy begins without hints.
impl Clone for Hints {
    fn clone(&self) -> Self {
        Self::default()
    }
}
