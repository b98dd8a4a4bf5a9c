//! A check that the parts of a world agree with each other, for tests.

use clearance_broadphase::BroadPhase;
use clearance_gjk::Completeness;
use clearance_gjk::internal::each_contact;
use clearance_math::Inconsistent;
use clearance_math::internal::MapEach;
use clearance_math::{Vector, compile_once};

use crate::range::range;
use crate::{BodyPair, Contact, World};

impl<V: Vector> World<V> {
    /// Checks that the parts of the world agree: lists of bodies, broad phase, order and ids of contacts.
    ///
    /// For tests and fuzzing: it is slow for large worlds.
    ///
    /// # Errors
    /// Says what does not agree. If that ever happens, it is a bug of this crate.
    pub fn validate(&self) -> Result<(), Inconsistent> {
        validate(self)
    }

    fn is_solid(&self, slot: usize) -> bool {
        let placed = self.bodies.placed(slot);
        placed.is_some_and(|placed| placed.shape.has_solid())
    }

    /// Whether the effort of the world is enough to find the contacts of all parts of two bodies.
    fn finds_all_parts(&self, [slot_a, slot_b]: [usize; 2]) -> bool {
        let sides = [slot_a, slot_b].map_each(|slot| self.bodies.placed(slot));
        let [Some(a), Some(b)] = sides else {
            return false;
        };
        let extra = &self.bodies.columns.extra_margins;
        let within = range(self.margin, extra[slot_a], extra[slot_b]);
        each_contact(a, b, within, &mut |_| {}).completeness == Completeness::Complete
    }

    /// Checks that a contact has part contacts if they are wanted, and else none; and that the nearest of
    /// them is as near as the bodies are, as far as the bounds of both tell: a search for the depth of a curved shape may
    /// end elsewhere for one pair of parts than for all of them. Where the effort ended, the nearest may not be listed.
    fn validate_parts(&self, BodyPair { a, b }: BodyPair) -> Result<(), String> {
        let slots = [a, b].map_each(|id| id.index() as usize);
        if slots
            .iter()
            .any(|&slot| self.bodies.states[slot].is_changed)
        {
            return Ok(());
        }
        // The contact is of the time when they met, those of the parts are of the end of the step.
        if self.impact_between(a, b).is_some() {
            return Ok(());
        }
        let wishes = &self.bodies.columns.part_contacts;
        let are_wanted = self.wants_part_contacts
            || self.wants_surface_contacts
            || slots.iter().any(|&slot| wishes[slot]);
        let parts = self.part_contacts_between(a, b);
        let bounds = |contact: &Contact<V>| [contact.separation.lower, contact.separation.upper];
        let nearest = parts.iter().map(bounds);
        let nearest = nearest.reduce(|[p, q], [r, s]| [p.min(r), q.min(s)]);
        let whole = self
            .contact_between(a, b)
            .map(bounds)
            .filter(|_| are_wanted);
        let agree = match (nearest, whole) {
            // How deep a solid is overlapped does not follow from its parts.
            (Some(_), Some(_)) if slots.iter().any(|&slot| self.is_solid(slot)) => true,
            (Some([lower, upper]), Some([least, most])) => {
                least <= upper && (lower <= most || !self.finds_all_parts(slots))
            }
            (None, None) => true,
            _ => false,
        };
        if agree {
            Ok(())
        } else {
            Err(format!(
                "contact {a} {b} is {whole:?} apart, its parts {nearest:?}"
            ))
        }
    }
}

compile_once! {
    fn validate<'a, V>(world: &'a World<V>) -> Result<(), Inconsistent> {
        world.bodies.validate()?;
        world.broad_phase.validate()?;
        let known = world.bodies.states.iter();
        let known = known.filter(|state| state.in_broad_phase.is_some()).count();
        if known != world.broad_phase.len() {
            let len = world.broad_phase.len();
            return Err(format!("the broad phase holds {len} boxes, not {known}").into());
        }
        world.report.validate()?;
        world.report.validate_index()?;
        for BodyPair { a, b } in world.contacts().iter().map(Contact::pair) {
            if !world.contains(a) || !world.contains(b) {
                return Err(format!("contact {a} {b} names no body").into());
            }
            world.validate_parts(BodyPair { a, b })?;
        }
        Ok(())
    }
}
