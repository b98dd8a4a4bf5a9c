//! The contacts of a frame as one line of JSON.

use clearance_world::{Contact, World};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::FileVector;
use crate::pair::write_separation;

/// The contacts of the last step of a world, to be written as one line of JSON.
///
/// `{"frame": 1, "contacts": [{"a": 0, "b": 7, "distance": ..., ...}, ...]}`: `a` and `b` are the
/// numbers of the bodies in their scene, the rest is as in the answers to pairs.
pub struct ContactLine<'w, V: FileVector> {
    /// How many frames have been stepped.
    pub frame: u64,
    /// The world.
    pub world: &'w World<V>,
}

impl<V: FileVector> Serialize for ContactLine<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("frame", &self.frame)?;
        map.serialize_entry("contacts", &Contacts(self.world.contacts()))?;
        map.end()
    }
}

struct Contacts<'w, V: FileVector>(&'w [Contact<V>]);

impl<V: FileVector> Serialize for Contacts<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(InFile))
    }
}

struct InFile<'w, V: FileVector>(&'w Contact<V>);

impl<V: FileVector> Serialize for InFile<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(contact) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("a", &contact.a.index())?;
        map.serialize_entry("b", &contact.b.index())?;
        if contact.is_unbounded() {
            map.serialize_entry("unbounded", &true)?;
        }
        // The infinite distance of an unbounded contact is written as null.
        write_separation(&mut map, &contact.separation)?;
        map.end()
    }
}
