//! Bodies put into slots under given ids.

use std::cmp::Reverse;

use clearance_math::Vector;

use super::Bodies;
use crate::columns::Occupancy;
use crate::id::MAX_GENERATION;
use crate::{Body, BodyKind, WorldError};

impl<V: Vector> Bodies<V> {
    /// Makes a slot hold a body of this generation, or none; a generation beyond the last one retires it.
    ///
    /// The list of vacant slots is to be made anew after the last call: [`Bodies::list_vacant`].
    pub(crate) fn put(
        &mut self,
        slot: usize,
        generation: u32,
        body: Option<Body<V>>,
    ) -> Result<(), WorldError> {
        // Vacant slots at the end may have been given back.
        while self.slots() <= slot {
            self.add_slot()?;
        }
        self.take_out(slot);
        self.columns.generations[slot] = generation.min(MAX_GENERATION);
        match body {
            Some(body) => self.occupy(slot, body),
            None if generation > MAX_GENERATION => {
                self.columns.occupancies[slot] = Occupancy::Retired;
            }
            None => self.columns.occupancies[slot] = Occupancy::Vacant,
        }
        Ok(())
    }

    fn take_out(&mut self, slot: usize) {
        let Some(kind) = self.kind(slot) else {
            return;
        };
        if kind == BodyKind::Moving {
            self.unlist_as_moving(slot);
        }
        let user_data = self.columns.user_data.get(slot);
        self.columns.removed.add(self.id(slot), user_data);
        self.columns.set_blank(slot);
        self.mark_new_kind(slot);
        self.live -= 1;
    }

    /// Makes the list of vacant slots anew.
    pub(crate) fn list_vacant(&mut self) {
        let slots = (0..).zip(&self.columns.occupancies);
        let vacant = slots.filter(|(_, occupancy)| **occupancy == Occupancy::Vacant);
        self.vacant.clear();
        self.vacant.extend(vacant.map(|(slot, _)| Reverse(slot)));
    }
}
