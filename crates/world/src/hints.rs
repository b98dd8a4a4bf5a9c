//! What was nearest of pairs when they were last measured.

use clearance_broadphase::Key;
use clearance_gjk::Hint;
use clearance_math::Vector;

use crate::reserve::{Need, bytes, is_far_more};

/// Places for each pair, so that few share one.
const PLACES_PER_PAIR: usize = 2;

/// For each pair a hint, in a table of which pairs may share places: the worst that comes of that is a search without one.
#[derive(Default)]
pub(crate) struct Hints(Vec<Hint>);

impl Hints {
    /// Makes room for so many pairs. Polygons need no hints.
    pub(crate) fn make_room<V: Vector>(&mut self, pairs: usize) {
        let places = (PLACES_PER_PAIR * pairs).next_power_of_two();
        if const { V::DIM == 3 } && places > self.0.len() {
            self.0.clear();
            self.0.resize_with(places, Hint::default);
        }
    }

    /// `None` without room.
    #[inline(always)]
    pub(crate) fn of(&self, (a, b): (Key, Key)) -> Option<&Hint> {
        // Multiplied by odd numbers, and of the product the upper bits: slots that follow each other are far apart.
        let mixed = a.wrapping_mul(0x9e37_79b1) ^ b.wrapping_mul(0x85eb_ca77);
        let place = (mixed ^ (mixed >> 15)) as usize & self.0.len().wrapping_sub(1);
        self.0.get(place)
    }

    /// Gives memory back that the last frames did not need.
    pub(crate) fn cut_down(&mut self, need: &Need) {
        let places = PLACES_PER_PAIR * need.pairs;
        if is_far_more(self.0.len(), places) {
            self.0.truncate(places.next_power_of_two());
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
