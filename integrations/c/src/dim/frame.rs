//! A frame: the step, and what it found.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::access::{ask, change, known};
use super::{
    ConstWorldHandle, Contact, ContactList, Contacts, Event, Events, Impact, ImpactList, Impacts,
    Manifold, ManifoldList, Manifolds, WorldHandle,
};
use crate::border::{In, Out, Problem, Status, calls, zero};
use crate::callbacks::{Context, HashedData};
use crate::common::{Profile, number_of};

/// A list that is made when it is first asked for, and kept until the world changes.
struct List<T> {
    made: OnceLock<Vec<T>>,
    /// The memory of the list before.
    room: Mutex<Vec<T>>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            made: OnceLock::new(),
            room: Mutex::default(),
        }
    }
}

impl<T: Copy> List<T> {
    fn get(&self, add: impl FnOnce(&mut Vec<T>)) -> (In<T>, usize) {
        let list = self.made.get_or_init(|| {
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            let mut list = std::mem::take(&mut *room);
            list.clear();
            add(&mut list);
            list
        });
        (In::of(list), list.len())
    }

    fn forget(&mut self) {
        if let Some(list) = self.made.take() {
            *self.room.get_mut().unwrap_or_else(PoisonError::into_inner) = list;
        }
    }
}

macro_rules! kept {
    ($($name:ident: $kind:ident,)*) => {
        /// What a world keeps for C to look at.
        #[derive(Default)]
        pub(crate) struct Kept {
            $($name: List<$kind>,)*
        }

        impl Kept {
            /// Forgets all, since the world changes.
            pub(crate) fn forget(&mut self) {
                $(self.$name.forget();)*
            }
        }
    };
}

kept! {
    contacts: Contact,
    part_contacts: Contact,
    surface_contacts: Contact,
    events: Event,
    impacts: Impact,
    manifolds: Manifold,
}

calls! {
    /// A frame: moves each moving body by its velocity for `dt` seconds, >= 0, and finds contacts and events.
    change world_step(dt: f32) |inner| { Ok(inner.world.step(dt)?) }

    /// Brings what finds bodies up to date after many changes, so that the questions before the next step are fast. No answer depends on it.
    change world_refresh() |inner| {
        inner.world.refresh();
        Ok(())
    }

    /// The pairs of bodies that the last step found within the margin, sorted by their ids. Borrowed until the world changes.
    lend world_contacts(contacts: Out<Contacts>) contacts |world, list| { list.extend(world.contacts().iter().map(Contact::of_bodies)) }

    /// The contacts of the last step that a body takes part in.
    ask world_contacts_of(body: u64, list: Out<ContactList>) |inner| {
        let contacts = inner.world.contacts_of(known(inner, body)?);
        ContactList::fill(list, contacts.map(Contact::of_bodies))
    }

    /// The contact of two bodies in the last step, in whichever order they are named. Its `a` and `b` are 0 if they made none.
    ask world_contact(a: u64, b: u64, contact: Out<Contact>) |inner| {
        let [a, b] = [known(inner, a)?, known(inner, b)?];
        let found = inner.world.contact_between(a, b);
        contact.set(found.map_or_else(zero, Contact::of_bodies), "contact")
    }

    /// The contacts of parts, such as the triangles of a mesh, of all pairs that want them: see `part_contacts` of options and bodies.
    /// Borrowed until the world changes.
    lend world_part_contacts(contacts: Out<Contacts>) part_contacts |world, list| {
        list.extend(world.part_contacts().iter().map(Contact::of_bodies))
    }

    /// The contacts of the parts of two bodies, in whichever order they are named.
    ask world_part_contacts_between(a: u64, b: u64, list: Out<ContactList>) |inner| {
        let [a, b] = [known(inner, a)?, known(inner, b)?];
        let contacts = inner.world.part_contacts_between(a, b).iter();
        ContactList::fill(list, contacts.map(Contact::of_bodies))
    }

    /// Those of the part contacts that are of the surface which neighbouring parts and bodies make together, without those of its seams:
    /// see `surface_contacts` of options. Borrowed until the world changes.
    lend world_surface_contacts(contacts: Out<Contacts>) surface_contacts |world, list| {
        list.extend(world.surface_contacts().map(Contact::of_bodies))
    }

    /// The surface contacts of two bodies, in whichever order they are named.
    ask world_surface_contacts_between(a: u64, b: u64, list: Out<ContactList>) |inner| {
        let [a, b] = [known(inner, a)?, known(inner, b)?];
        let contacts = inner.world.surface_contacts_between(a, b);
        ContactList::fill(list, contacts.map(Contact::of_bodies))
    }

    /// What changed for pairs of bodies in the last step, sorted by their ids. Borrowed until the world changes.
    lend world_events(events: Out<Events>) events |world, list| {
        list.extend(world.events().map(|event| Event::of_event(&event)))
    }

    /// Where and when swept bodies met others within the last step, sorted by their ids. Borrowed until the world changes.
    lend world_impacts(impacts: Out<Impacts>) impacts |world, list| { list.extend(world.impacts().map(Impact::of_impact)) }

    /// The impacts of the last step that a body takes part in, in order of time.
    ask world_impacts_of(body: u64, list: Out<ImpactList>) |inner| {
        let impacts = inner.world.impacts_of(known(inner, body)?);
        ImpactList::fill(list, impacts.map(Impact::of_impact))
    }

    /// The impact of two bodies in the last step, in whichever order they are named. Its `hit` is 0 if they made none.
    ask world_impact(a: u64, b: u64, impact: Out<Impact>) |inner| {
        let [a, b] = [known(inner, a)?, known(inner, b)?];
        let found = inner.world.impact_between(a, b);
        impact.set(found.map_or_else(zero, Impact::of_impact), "impact")
    }

    /// The contact manifolds that the last step found, of the pairs that want them: see `manifolds` of options and bodies. Each point says
    /// which one of the step before it goes on from. Borrowed until the world changes.
    lend world_manifolds(manifolds: Out<Manifolds>) manifolds |world, list| {
        list.extend(world.manifolds().map(Manifold::of_bodies))
    }

    /// The contact manifolds of all contacts at the current poses, whether or not steps find them.
    ask world_find_manifolds(list: Out<ManifoldList>) |inner| {
        let mut found = Vec::new();
        inner.world.query().manifolds_into(&mut found);
        ManifoldList::fill(list, found.iter().map(Manifold::of_bodies))
    }

    /// The contact manifold of the contact that two bodies made in the last step, at their current poses. Its `a` and `b` are 0 if they made
    /// none, or are not in range any more.
    ask world_manifold(a: u64, b: u64, manifold: Out<Manifold>) |inner| {
        let [a, b] = [known(inner, a)?, known(inner, b)?];
        let contact = inner.world.contact_between(a, b);
        let found = contact.and_then(|contact| {
            let points = inner.world.query().manifold_of(contact)?;
            Some(Manifold { a: number_of(contact.a), b: number_of(contact.b), ..Manifold::of_points(&points, [None; 4]) })
        });
        manifold.set(found.unwrap_or_else(zero), "manifold")
    }

    /// A number that is equal for equal contacts, on every platform and with any number of threads: to find out where two games part.
    ask world_contacts_hash(hash: Out<u64>) |inner| { hash.set(inner.world.contacts_hash(), "hash") }

    /// A number that is equal for equal worlds, with all that their futures depend on.
    ask world_state_hash(hash: Out<u64>) |inner| { hash.set(inner.world.state_hash(), "hash") }

    /// As `clrN_world_state_hash`, with what a function tells in place of the user data of each body: where peers give bodies other numbers.
    call world_state_hash_by(world: ConstWorldHandle, data: HashedData, context: Context, hash: Out<u64>) -> Status {
        ask(world, |inner| {
            let missing = || Problem::new(Status::NULL_POINTER, "data is NULL, must be a function");
            let data = data.ok_or_else(missing)?;
            hash.set(inner.world.state_hash_by(&|user_data| data(context, user_data)), "hash")
        })
    }

    /// Times and counts of the last step.
    ask world_profile(profile: Out<Profile>) |inner| { profile.set(Profile::of(&inner.world.profile()), "profile") }

    /// Switches the measuring of times on or off; it is off at first.
    change world_set_profiling(is_profiling: bool) |inner| {
        inner.world.set_profiling(is_profiling.then_some(clearance::Profile::standard_clock));
        Ok(())
    }
}
