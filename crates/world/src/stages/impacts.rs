//! The second half of the fourth stage, where a body of the world is swept: pairs that met on their ways.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_broadphase::Key;
use clearance_gjk::{
    Cast, CastHit, CastOptions, Leaving, Placed, Separation, Status, hit_by_cast, measure,
};
use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};
use clearance_shapes::Shape;

use super::sweep::Sweeps;
use crate::event::Nearness;
use crate::pair_key::PairKey;
use crate::report::changes::Found;
use crate::report::lists::Report;
use crate::report::splice::{Insertion, put_in};
use crate::reserve::{Need, bytes, cut_down};
use crate::threads::{OrderedResults, Threads};
use crate::{BodyId, Contact, Impact};

/// How many pairs a thread takes at a time: each is a cast.
const IN_CHUNKS_OF: usize = 16;

/// What the search for impacts needs; kept between steps for its memory.
#[derive(Clone)]
pub(crate) struct ImpactBuffers<V: Vector> {
    /// The pairs that may have met on their ways.
    pairs: Vec<(Key, Key)>,
    /// The impacts of those.
    found: OrderedResults<Impact<V>, ()>,
    /// For how many pairs it was left open whether they met.
    open: usize,
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
            open: 0,
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
        ways: &Ways<'_, V>,
        threads: &Threads,
        pairs: &[(Key, Key)],
        contacts: &mut Found<V>,
    ) {
        let sweeps = ways.sweeps;
        self.pairs.clear();
        self.found.clear();
        self.open = 0;
        if sweeps.are_none() {
            return;
        }
        let concerned = pairs.iter().copied();
        let concerned = concerned.filter(|&(a, b)| sweeps.concern(a as usize, b as usize));
        self.pairs.extend(concerned);
        let open = AtomicUsize::new(0);
        let Self { pairs, found, .. } = self;
        let work = |chunk: Range<usize>, found: &mut Vec<Impact<V>>| {
            for &pair in &pairs[chunk] {
                let at_end = place_of(contacts, pair).ok();
                let at_end = at_end.map(|place| contacts.keys[place].nearness());
                match ways.impact(pair, at_end) {
                    Met::Surely(impact) => found.push(impact),
                    Met::Perhaps => _ = open.fetch_add(1, Ordering::Relaxed),
                    Met::Not => {}
                }
            }
        };
        threads.gather(pairs.len(), found, &work, |_| ());
        self.open = open.into_inner();
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

    /// For how many of them it was left open whether they met.
    pub(crate) fn open(&self) -> usize {
        self.open
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
fn place_of<V: Vector>(contacts: &Found<V>, pair: (Key, Key)) -> Result<usize, usize> {
    let number = PairKey::number(pair);
    contacts
        .keys
        .binary_search_by_key(&number, |key| key.pair())
}

/// What is known of a pair on its way.
enum Met<T> {
    Not,
    /// The cast ended at a limit, and nothing shows that they met.
    Perhaps,
    Surely(T),
}

/// What decides whether a pair has an impact.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'a, V: Vector> {
    pub(crate) sweeps: Sweeps<'a, V>,
    /// What the step before reported.
    pub(crate) before: &'a Report<V>,
}

impl<V: Vector> Ways<'_, V> {
    /// The impact of a pair that is so near at the end of the step.
    ///
    /// | at the beginning | at the end | |
    /// | --- | --- | --- |
    /// | apart | | when they met, if they did |
    /// | they overlapped, and nobody was told | | an impact at time 0 |
    /// | they touched | they touch | no impact: the contact says it all |
    /// | they touched | apart | an impact at time 0, unless they moved apart |
    ///
    /// Of composites this holds for each pair of parts, and an impact with other parts than those that touched comes
    /// first: a ball that rolls over one triangle of a level may meet a wall of the same level.
    fn impact(&self, (a, b): (Key, Key), at_end: Option<Nearness>) -> Met<Impact<V>> {
        let [a, b] = [a, b].map_each(|slot| slot as usize);
        let sweeps = self.sweeps;
        let (Some(cast_a), Some(cast_b)) = (sweeps.cast(a), sweeps.cast(b)) else {
            return Met::Not;
        };
        let ids = [a, b].map_each(|slot| sweeps.bodies.id(slot));
        let met = |leaving| {
            let within = 0.0;
            hit_by_cast(cast_a, cast_b, CastOptions { within, leaving }, 1.0)
        };
        let mut hit = None;
        if !self.is_told(ids) {
            // Where both are apart at the start, what the other ways say is the answer, whether they touched before or not.
            let Some(first) = met(Leaving::Hit) else {
                return Met::Not;
            };
            hit = Some(first).filter(|hit| hit.time == 0.0 && hit.separation.upper < 0.0);
        }
        hit = hit.or_else(|| met(Leaving::Ignore));
        if at_end != Some(Nearness::Touching) {
            hit = hit.or_else(|| met(Leaving::Pass));
        }
        let Some(hit) = hit else {
            return Met::Not;
        };
        let [a, b] = ids;
        surely_met([cast_a, cast_b], hit)
            .map_or(Met::Perhaps, |hit| Met::Surely(Impact { a, b, hit }))
    }

    /// Whether the step before reported that two bodies touch.
    fn is_told(&self, [a, b]: [BodyId; 2]) -> bool {
        let slots = |contact: &Contact<V>| [contact.a, contact.b].map_each(|id| id.index());
        let before = &self.before.contacts;
        let place = before.binary_search_by_key(&[a.index(), b.index()], slots);
        let told = place.ok().and_then(|place| before.get(place));
        told.is_some_and(|told| (told.a, told.b) == (a, b) && told.distance() <= 0.0)
    }
}

/// A hit at a time when the bodies have met. A cast that ended at a limit tells the time from which on they may: then it
/// is that by which they have, if any is known.
fn surely_met<V: Vector>(casts: [Cast<V>; 2], hit: CastHit<V>) -> Option<CastHit<V>> {
    let time = hit.time_upper;
    if hit.status != Status::IterationLimit || time <= hit.time.next_up() {
        return Some(hit);
    }
    if time >= 1.0 {
        // A cast of two convex shapes ends at its limit only where they are near each other: it counts as a hit.
        let is_composite = |cast: &Cast<V>| matches!(cast.placed.shape, Shape::Composite(_));
        return (!casts.iter().any(is_composite)).then_some(hit);
    }
    let poses = casts.map_each(|cast| cast.motion.pose_at(cast.placed.pose, time.into()));
    let [a, b] = [0, 1].map_each(|side| Placed {
        pose: &poses[side],
        ..casts[side].placed
    });
    let separation = measure(a, b, Real::INFINITY).near()?;
    Some(CastHit {
        time,
        separation,
        ..hit
    })
}

/// Whether a contact is that of an impact: then the bodies may be out of range by the end of the step.
pub(crate) fn is_of_impact<V: Vector>(contact: &Contact<V>, impacts: &[Impact<V>]) -> bool {
    let pair = |impact: &Impact<V>| (impact.a, impact.b);
    let place = impacts.binary_search_by_key(&(contact.a, contact.b), pair);
    place.is_ok_and(|place| contact_of(&impacts[place]).separation == contact.separation)
}

/// An impact as a contact: at the time when the bodies meet their distance is 0. The bounds tell how near they
/// are proven to be then, since the time is rounded.
fn contact_of<V: Vector>(impact: &Impact<V>) -> Contact<V> {
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
