//! The contacts of a world as pairs with hashes.

use clearance_gjk::Separation;
use clearance_math::{PreciseVector, Real, Vector};
use clearance_world::{BodyId, Contact, World};
use twox_hash::XxHash64;

use crate::pairs::{Pair, ShortHash};

/// Words of a contact, and of its impact: three of the distance, the normal, two points in double precision, parts, status;
/// three of the time, status.
const WORDS: usize = 3 + 3 + 12 + 3 + 4;

/// Lists the contacts of a world. The hash of a pair is of all that was measured of it: its contact, the contacts
/// of its parts, which of these are surface contacts, and its impact.
pub(crate) fn list<V: Vector>(world: &World<V>, pairs: &mut Vec<Pair>) {
    pairs.clear();
    let mut parts = Part::all(world.part_contacts().iter());
    let mut surface = Part::all(world.surface_contacts());
    let mut impacts = world.impacts().peekable();
    for contact in world.contacts() {
        let slots = slots(contact.a, contact.b);
        let mut words = Words::default();
        words.separation(&contact.separation);
        while let Some(impact) = impacts.next_if(|impact| self::slots(impact.a, impact.b) <= slots)
        {
            words.separation(&impact.hit.separation);
            let hit = &impact.hit;
            for time in [hit.time, hit.time_lower, hit.time_upper] {
                words.push(time.to_bits());
            }
            words.push(hit.status as u32);
        }
        let hash = surface.fold(slots, parts.fold(slots, words.hash(0)));
        let hash = hash as ShortHash;
        pairs.push(Pair { slots, hash });
    }
}

fn slots(a: BodyId, b: BodyId) -> [u32; 2] {
    [a.index(), b.index()]
}

/// Contacts of parts, sorted by bodies, of which those of each pair are taken in turn.
struct Part<'w, V: Vector, I: Iterator<Item = &'w Contact<V>>> {
    contacts: core::iter::Peekable<I>,
}

impl<'w, V: Vector, I: Iterator<Item = &'w Contact<V>>> Part<'w, V, I> {
    fn all(contacts: I) -> Self {
        let contacts = contacts.peekable();
        Self { contacts }
    }

    /// The hash with the contacts of a pair in it.
    fn fold(&mut self, pair: [u32; 2], hash: u64) -> u64 {
        let mut hash = hash;
        let is_of_pair = |contact: &&Contact<V>| slots(contact.a, contact.b) <= pair;
        while let Some(contact) = self.contacts.next_if(is_of_pair) {
            let mut words = Words::default();
            words.separation(&contact.separation);
            hash = words.hash(hash.wrapping_add(1));
        }
        hash
    }
}

/// Numbers to be hashed.
struct Words {
    bytes: [u8; 2 * 4 * WORDS],
    length: usize,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            bytes: [0; 2 * 4 * WORDS],
            length: 0,
        }
    }
}

impl Words {
    fn push(&mut self, word: u32) {
        if let Some(place) = self.bytes[self.length..].first_chunk_mut() {
            *place = word.to_le_bytes();
            self.length += 4;
        }
    }

    fn separation<V: Vector>(&mut self, separation: &Separation<V>) {
        for number in [separation.distance, separation.lower, separation.upper] {
            self.push(number.to_bits());
        }
        (0..V::DIM).for_each(|axis| self.push(Real::to_bits(separation.normal.component(axis))));
        for position in [separation.position_a, separation.position_b] {
            for axis in 0..V::DIM {
                let bits = position.component(axis).to_bits();
                self.push(bits as u32);
                self.push((bits >> 32) as u32);
            }
        }
        for word in [
            separation.part_a,
            separation.part_b,
            separation.status as u32,
        ] {
            self.push(word);
        }
    }

    /// XXH64 (Collet, "xxHash", 2012).
    fn hash(&self, seed: u64) -> u64 {
        XxHash64::oneshot(seed, &self.bytes[..self.length])
    }
}
