//! The contacts of a frame as one line of JSON.

use clearance_shapes::Shape;
use clearance_world::{Contact, World};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::FileVector;
use crate::pair::write_distance;

/// The contacts of the last step of a world, to be written as one line of JSON.
///
/// `{"frame": 1, "contacts": [{"a": 0, "b": 7, "distance": ..., ...}, ...]}`: `a` and `b` are the
/// numbers of the bodies in their scene, the rest is as in the answers to pairs: `part_a` and `part_b`
/// are only written where a composite takes part.
#[derive(Debug)]
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
        map.serialize_entry("contacts", &Contacts(self.world))?;
        map.end()
    }
}

struct Contacts<'w, V: FileVector>(&'w World<V>);

impl<V: FileVector> Serialize for Contacts<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(world) = self;
        let in_file = |contact| InFile {
            contact,
            has_parts: has_parts(world, contact),
        };
        serializer.collect_seq(world.contacts().iter().map(in_file))
    }
}

/// Whether a body of the contact is a composite, so that the contact names parts.
fn has_parts<V: FileVector>(world: &World<V>, contact: &Contact<V>) -> bool {
    let is_composite = |id| {
        let body = world.body(id);
        body.is_ok_and(|body| matches!(body.shape(), Shape::Composite(_)))
    };
    is_composite(contact.a) || is_composite(contact.b)
}

struct InFile<'w, V: FileVector> {
    contact: &'w Contact<V>,
    has_parts: bool,
}

impl<V: FileVector> Serialize for InFile<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { contact, has_parts } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("a", &contact.a.index())?;
        map.serialize_entry("b", &contact.b.index())?;
        if contact.is_unbounded() {
            map.serialize_entry("unbounded", &true)?;
        }
        // The infinite distance of an unbounded contact is written as null.
        write_distance(&mut map, &contact.separation, *has_parts)?;
        map.end()
    }
}
