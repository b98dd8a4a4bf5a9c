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
    pub(crate) fn of(&self, pair: (Key, Key)) -> Option<Hint<'_>> {
        Hint::new(&self.0, pair)
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
