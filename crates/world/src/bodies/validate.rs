//! A check that the lists about the bodies agree with their columns, for tests.

use clearance_math::Vector;

use super::Bodies;
use crate::BodyKind;
use crate::columns::Occupancy;

impl<V: Vector> Bodies<V> {
    /// Checks that lists and columns agree.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let slots = self.slots();
        if self.columns.len() != slots || self.columns.shapes.len() != slots {
            return Err(format!("{slots} slots, {} rows", self.columns.len()));
        }
        if self.columns.generations.len() < slots {
            return Err("a slot has no generation".to_owned());
        }
        let live = (0..slots).filter(|&slot| self.kind(slot).is_some()).count();
        if live != self.live {
            return Err(format!("{live} slots are taken, {} counted", self.live));
        }
        (0..slots).try_for_each(|slot| self.validate_slot(slot))?;
        self.columns.shapes.validate()?;
        self.columns.groups.validate()?;
        self.columns.extra_margins.validate()?;
        self.columns.part_contacts.validate()?;
        self.columns.manifolds.validate()?;
        self.columns.swept.validate()?;
        let moving = (0..slots).filter(|&slot| self.is_moving(slot)).count();
        if moving != self.moving.len() {
            let listed = self.moving.len();
            return Err(format!("{listed} listed as moving, not {moving}"));
        }
        let is_vacant = |&slot: &usize| self.columns.occupancies[slot] == Occupancy::Vacant;
        let vacant = (0..slots).filter(is_vacant).count();
        let mut listed = self.vacant.iter().map(|slot| slot.0 as usize);
        if vacant != self.vacant.len() || !listed.all(|slot| is_vacant(&slot)) {
            return Err("the list of vacant slots is wrong".to_owned());
        }
        Ok(())
    }

    fn validate_slot(&self, slot: usize) -> Result<(), String> {
        let (kind, state) = (self.kind(slot), self.states[slot]);
        if kind.is_some() != self.columns.shapes[slot].is_some() {
            return Err(format!("slot {slot}: life and shape disagree"));
        }
        let listed = self.moving.get(state.place as usize);
        if kind == Some(BodyKind::Moving) && listed != Some(&(slot as u32)) {
            return Err(format!("slot {slot} is not listed as moving"));
        }
        if state.is_changed != self.changed.contains(&(slot as u32)) {
            return Err(format!("slot {slot}: the list of changes is wrong"));
        }
        if state.is_stale() != self.stale().any(|stale| stale == slot) {
            return Err(format!("slot {slot}: the list of stale slots is wrong"));
        }
        if !(state.is_changed && self.has_new_kinds) && state.in_broad_phase != kind {
            return Err(format!("slot {slot}: the broad phase is out of date"));
        }
        Ok(())
    }
}
