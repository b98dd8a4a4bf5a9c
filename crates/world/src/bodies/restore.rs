//! Returning to the bodies of a snapshot.

use std::cmp::Reverse;

use clearance_math::Vector;

use super::{Bodies, SlotState};
use crate::BodyKind;
use crate::columns::{Columns, Occupancy};

impl<V: Vector> Bodies<V> {
    /// Makes the bodies those of `columns`, and lists every slot that looks different.
    ///
    /// Slots beyond those of `columns` vanish: the broad phase must have forgotten them before.
    pub(crate) fn restore(&mut self, columns: &Columns<V>) {
        let slots = columns.len();
        self.forget_told();
        self.changed.retain(|&slot| (slot as usize) < slots);
        let common = slots.min(self.slots());
        self.states.resize(slots, SlotState::default());
        for slot in 0..slots {
            if slot >= common || !self.columns.looks_alike(columns, slot) {
                self.mark_new_kind(slot);
            }
        }
        let now_ignored = self.columns.ignored.differences(&columns.ignored);
        let other_pairs: Vec<u32> = now_ignored
            .filter(|&slot| (slot as usize) < slots)
            .collect();
        for slot in other_pairs {
            self.mark_changed(slot as usize);
        }
        self.columns.clone_from(columns);
        self.moving.clear();
        self.vacant.clear();
        self.live = 0;
        for slot in 0..slots {
            match self.columns.occupancies[slot] {
                Occupancy::Vacant => self.vacant.push(Reverse(slot as u32)),
                Occupancy::Retired => {}
                Occupancy::Taken(kind) => {
                    self.live += 1;
                    if kind == BodyKind::Moving {
                        self.list_as_moving(slot);
                    }
                }
            }
        }
    }
}
