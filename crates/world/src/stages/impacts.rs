//! The second half of the fourth stage, where a body of the world is swept: pairs that met on their ways.

use clearance_broadphase::Key;
use clearance_gjk::{CastOptions, Leaving, Separation, hit_by_cast};
use clearance_math::Vector;

use super::Sweeps;
use crate::columns::bytes;
use crate::event::Nearness;
use crate::pair_key::PairKey;
use crate::report::{Found, Insertion, put_in};
use crate::reserve::{Need, cut_down};
use crate::threads::{Chunk, OrderedResults, Threads};
use crate::{Contact, Impact};

/// How many pairs a thread takes at a time: each is a cast.
const IN_CHUNKS_OF: usize = 16;

/// What the search for impacts needs; kept between steps for its memory.
#[derive(Clone)]
pub(crate) struct ImpactBuffers<V: Vector> {
    /// The pairs that may have met on their ways.
    pairs: Vec<(Key, Key)>,
    /// The impacts of those.
    found: OrderedResults<Impact<V>, ()>,
    /// The contacts of impacts whose bodies are out of range at the end.
    contacts: Vec<Contact<V>>,
    keys: Vec<PairKey>,
    insertions: Vec<Insertion>,
}

impl<V: Vector> Default for ImpactBuffers<V> {
    fn default() -> Self {
        Self {
            pairs: Vec::new(),
            found: OrderedResults::in_chunks_of(IN_CHUNKS_OF),
            contacts: Vec::new(),
            keys: Vec::new(),
            insertions: Vec::new(),
        }
    }
}

impl<V: Vector> ImpactBuffers<V> {
    /// Finds the impacts among `pairs`, and puts those of bodies that do not touch at the end of the step
    /// among the contacts that were found.
    pub(crate) fn measure(
        &mut self,
        sweeps: Sweeps<'_, V>,
        threads: &Threads,
        pairs: &[(Key, Key)],
        contacts: &mut Found<V>,
    ) {
        self.pairs.clear();
        self.found.clear();
        if sweeps.are_none() {
            return;
        }
        let concerned = pairs.iter().copied();
        let concerned = concerned.filter(|&(a, b)| sweeps.concern(a as usize, b as usize));
        self.pairs.extend(concerned);
        let work = |pairs: Chunk<(Key, Key)>, found: &mut Vec<Impact<V>>| {
            found.extend(pairs.items.iter().filter_map(|&pair| {
                let at_end = place_of(contacts, pair).ok();
                impact(
                    sweeps,
                    pair,
                    at_end.map(|place| contacts.keys[place].nearness()),
                )
            }));
        };
        threads.gather(&self.pairs, &mut self.found, work, |_| ());
        self.put_among(contacts);
    }

    /// Impacts whose bodies do not touch at the end become contacts, instead of those that they have there.
    fn put_among(&mut self, contacts: &mut Found<V>) {
        self.contacts.clear();
        self.keys.clear();
        self.insertions.clear();
        for impact in &self.found.items {
            let contact = contact_of(impact);
            let key = PairKey::of(&contact);
            match place_of(contacts, key.slots()) {
                Ok(place) if contacts.keys[place].nearness() == Nearness::Touching => {}
                Ok(place) => (contacts.items[place], contacts.keys[place]) = (contact, key),
                Err(before) => {
                    let from = self.contacts.len();
                    self.insertions.push(Insertion { before, from });
                    self.contacts.push(contact);
                    self.keys.push(key);
                }
            }
        }
        put_in(&mut contacts.items, &self.contacts, &self.insertions);
        put_in(&mut contacts.keys, &self.keys, &self.insertions);
    }

    /// Replaces `impacts` by those that were found.
    pub(crate) fn report(&mut self, impacts: &mut Vec<Impact<V>>) {
        core::mem::swap(&mut self.found.items, impacts);
    }

    /// How many pairs were looked at on their ways.
    pub(crate) fn swept_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.pairs, need.pairs);
        self.found.cut_down(need.contacts);
        cut_down(&mut self.contacts, need.contacts);
        cut_down(&mut self.keys, need.contacts);
        cut_down(&mut self.insertions, need.contacts);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.pairs)
            + self.found.memory()
            + bytes(&self.contacts)
            + bytes(&self.keys)
            + bytes(&self.insertions)
    }
}

/// The place of a pair among contacts, or where it would be.
fn place_of<V>(contacts: &Found<V>, pair: (Key, Key)) -> Result<usize, usize> {
    let number = PairKey::number(pair);
    contacts
        .keys
        .binary_search_by_key(&number, |key| key.pair())
}

/// The impact of a pair that is so near at the end of the step.
///
/// | at the beginning | at the end | |
/// | --- | --- | --- |
/// | apart | | when they met, if they did |
/// | they touched | they touch | no impact: the contact says it all |
/// | they touched | apart | an impact at time 0, unless they moved apart |
///
/// Of composites this holds for each pair of parts, and an impact with other parts than those that touched comes
/// first: a ball that rolls over one triangle of a level may meet a wall of the same level.
fn impact<V: Vector>(
    sweeps: Sweeps<'_, V>,
    (a, b): (Key, Key),
    at_end: Option<Nearness>,
) -> Option<Impact<V>> {
    let [a, b] = [a, b].map(|slot| slot as usize);
    let (cast_a, cast_b) = (sweeps.cast(a)?, sweeps.cast(b)?);
    let hit = |leaving| {
        let within = 0.0;
        hit_by_cast(cast_a, cast_b, CastOptions { within, leaving }, 1.0)
    };
    let of_others = hit(Leaving::Ignore);
    let is_apart = at_end != Some(Nearness::Touching);
    let hit = of_others.or_else(|| is_apart.then(|| hit(Leaving::Pass)).flatten())?;
    let [a, b] = [a, b].map(|slot| sweeps.bodies.id(slot));
    Some(Impact { a, b, hit })
}

/// An impact as a contact: at the time when the bodies meet their distance is 0. The bounds tell how near they
/// are proven to be then, since the time is rounded.
pub(super) fn contact_of<V: Vector>(impact: &Impact<V>) -> Contact<V> {
    let separation = &impact.hit.separation;
    let touching = Separation {
        distance: 0.0,
        lower: separation.lower.min(0.0),
        upper: separation.upper.max(0.0),
        ..*separation
    };
    let overlap = separation.distance <= 0.0;
    Contact {
        a: impact.a,
        b: impact.b,
        separation: if overlap { *separation } else { touching },
    }
}
