//! Worlds made anew from the bodies, and what a step says of surfaces.

use clearance_math::{Real, Vector};
use clearance_world::{Backend, BodyId, BodyPair, Contact, Options, World};

use super::measured::{PartContact, bits};
use super::twins::{Twins, new_world};
use super::ways::{Met, met};
use crate::dimension::Dimension;

/// A world made of the bodies that the model has, and their ids there.
pub(super) struct Rebuilt<V: Vector> {
    world: World<V>,
    ids: Vec<BodyId>,
}

/// The surface contacts of a world as plain numbers.
pub(super) fn surface_contacts<V: Vector>(world: &World<V>) -> Vec<PartContact> {
    let contacts = world.surface_contacts();
    contacts.map(part_contact).collect()
}

fn part_contact<V: Vector>(part: &Contact<V>) -> PartContact {
    (part.a, part.b, bits(&part.separation))
}

/// The bodies and the numbers of the parts, which come before the status.
fn parts_of((a, b, bits): &PartContact) -> (BodyId, BodyId, &[u64]) {
    (*a, *b, &bits[bits.len() - 3..bits.len() - 1])
}

impl<V: Dimension> Twins<V> {
    /// A world made from the same bodies, with the same wishes and rules.
    pub(super) fn rebuilt(&self) -> Rebuilt<V> {
        let mut fresh = new_world(self.model.margin, Backend::Bvh);
        for body in self.model.bodies().values() {
            let inserted = fresh.insert(body.clone());
            self.demand(inserted.is_ok(), || format!("{inserted:?}"));
        }
        self.model.rule.install(&mut fresh);
        let surface_contacts = self.model.surface_contacts;
        let options = Options {
            surface_contacts,
            ..fresh.options()
        };
        let set = fresh.set_options(options);
        self.demand(set.is_ok(), || format!("{set:?}"));
        let ids: Vec<BodyId> = self.model.bodies().keys().copied().collect();
        let place = |id| BodyId::from_parts(ids.binary_search(&id).unwrap_or(0) as u32, 0);
        for &BodyPair { a, b } in self.model.ignored() {
            let ignored = fresh.ignore_pair(place(a), place(b));
            self.demand(ignored.is_ok(), || format!("{ignored:?}"));
        }
        // It tells what overlaps.
        let stepped = fresh.step(0.0);
        self.demand(stepped.is_ok(), || format!("{stepped:?}"));
        Rebuilt { world: fresh, ids }
    }

    /// The step gave the new world the same contacts, impacts and surface contacts, but for the ids.
    pub(super) fn compare_rebuilt(&self, fresh: Rebuilt<V>, dt: Real) {
        let Rebuilt { mut world, ids } = fresh;
        let stepped = world.step(dt);
        self.demand(stepped.is_ok(), || format!("{stepped:?}"));
        let id = |place: BodyId| ids[place.index() as usize];
        let mut contacts = world.contacts().to_vec();
        for contact in &mut contacts {
            (contact.a, contact.b) = (id(contact.a), id(contact.b));
        }
        self.compare_contacts(&contacts, "a new world");
        let renamed = |(a, b, bits): (BodyId, BodyId, Vec<u64>)| (id(a), id(b), bits);
        let impacts = world.impacts().map(met).map(renamed).collect();
        let surface = surface_contacts(&world).into_iter().map(renamed).collect();
        self.compare_lists(impacts, surface, "a new world");
    }

    /// The impacts are those of the model, and the surface contacts those that the first world had after the step.
    pub(super) fn compare_impacts(&self, world: &World<V>) {
        let impacts = world.impacts().map(met).collect();
        self.compare_lists(
            impacts,
            surface_contacts(world),
            &format!("{:?}", world.options().backend),
        );
    }

    fn compare_lists(&self, impacts: Vec<Met>, surface: Vec<PartContact>, name: &str) {
        let expected = &self.model.impacts.list;
        self.demand(impacts == *expected, || {
            format!("{name} has the impacts {impacts:?}, expected {expected:?}")
        });
        let expected = &self.model.surface;
        self.demand(surface == *expected, || {
            format!("{name} has the surface contacts {surface:?}, the first {expected:?}")
        });
    }

    /// After a step the surface contacts are of the same parts as part contacts in the same order; none, if they are not
    /// wanted. A part contact is only left out where one of its bodies has others.
    pub(super) fn check_surface(&self) {
        let world = &self.worlds[0];
        let surface = &self.model.surface;
        let parts: Vec<PartContact> = world.part_contacts().iter().map(part_contact).collect();
        let mut rest = surface.iter().peekable();
        for part in &parts {
            let is_same = |kept: &&PartContact| parts_of(kept) == parts_of(part);
            if rest.next_if(is_same).is_some() || !self.model.surface_contacts {
                continue;
            }
            let shares = |(a, b, _): &&PartContact| {
                let ids = [part.0, part.1];
                ids.contains(a) || ids.contains(b)
            };
            let neighbours = parts.iter().filter(shares).count();
            self.demand(neighbours > 1 && !surface.is_empty(), || {
                format!("{part:?} is a ghost alone")
            });
        }
        let is_subset = rest.next().is_none();
        let is_wanted = self.model.surface_contacts || surface.is_empty();
        self.demand(is_subset && is_wanted, || {
            format!("surface contacts {surface:?} of {parts:?}")
        });
    }
}
