//! The room "Compare": two recordings beside each other, and the first frame in which they differ.

use std::collections::BTreeMap;

use clearance_world::{BodyId, Clock};
use serde::Serialize;

use crate::binary::Binary;
use crate::failure::Failure;
use crate::request::Side;
use crate::world::{self, ContactOf, Frame, Hashes, SeparationDetails, Shapes, WorldRoom};

/// Two recordings, each open as a room of its own.
#[derive(Default)]
pub(crate) struct Compare {
    left: Option<Box<dyn WorldRoom>>,
    right: Option<Box<dyn WorldRoom>>,
}

/// The answer to `compare.load`.
#[derive(Serialize)]
pub(crate) struct Recording {
    dimension: usize,
    frames: u64,
    first: u64,
    last: u64,
    damage: Option<String>,
}

/// The answer to `compare.find`.
#[derive(Serialize)]
pub(crate) struct Finding {
    /// None if the recordings have the same contacts.
    frame: Option<u64>,
    reason: String,
    contacts: Vec<DifferentContact>,
}

/// A pair of bodies whose contacts differ.
#[derive(Serialize)]
struct DifferentContact {
    a: Option<usize>,
    b: Option<usize>,
    id_a: String,
    id_b: String,
    left: Option<SeparationDetails>,
    right: Option<SeparationDetails>,
}

impl Compare {
    pub(crate) fn load(
        &mut self,
        side: Side,
        bytes: &[u8],
        clock: Clock,
    ) -> Result<Recording, Failure> {
        let room = world::play(bytes, clock)?;
        let loaded = room.loaded();
        let [first, last] = [loaded.first, loaded.last];
        let recording = Recording {
            dimension: loaded.dimension,
            frames: last.saturating_sub(first).saturating_add(1),
            first,
            last,
            damage: loaded.damage,
        };
        match side {
            Side::Left => self.left = Some(room),
            Side::Right => self.right = Some(room),
        }
        Ok(recording)
    }

    pub(crate) fn find(&mut self) -> Result<Finding, Failure> {
        let (Some(left), Some(right)) = (&mut self.left, &mut self.right) else {
            return Err(Failure::new("load a left and a right recording first"));
        };
        let (left, right) = (left.as_mut(), right.as_mut());
        let (of_left, of_right) = (left.loaded(), right.loaded());
        if of_left.dimension != of_right.dimension {
            return Ok(Finding::nothing(
                "one recording is of the plane, the other of space",
            ));
        }
        let first = of_left.first.max(of_right.first);
        let last = of_left.last.min(of_right.last);
        if first > last {
            return Ok(Finding::nothing("the recordings have no frame in common"));
        }
        for frame in first..=last {
            left.seek(frame)?;
            right.seek(frame)?;
            let (of_left, of_right) = (left.hashes(), right.hashes());
            if of_left != of_right {
                return Ok(Finding {
                    frame: Some(frame),
                    reason: reason(frame, of_left, of_right),
                    contacts: different(left, right),
                });
            }
        }
        let count = (last - first).saturating_add(1);
        let mut reason = format!("the contacts of {count} frames, {first} to {last}, are the same");
        if of_left.last != of_right.last {
            let more = of_left.last.max(of_right.last) - last;
            reason += &format!("; one recording has {more} frames more");
        }
        Ok(Finding::nothing(&reason))
    }

    pub(crate) fn shapes(&mut self, side: Side, binary: &mut Binary) -> Result<Shapes, Failure> {
        Ok(self.room(side)?.shapes(binary))
    }

    pub(crate) fn frame(
        &mut self,
        side: Side,
        frame: u64,
        binary: &mut Binary,
    ) -> Result<Frame, Failure> {
        let room = self.room(side)?;
        room.seek(frame)?;
        Ok(room.frame(true, binary))
    }

    fn room(&mut self, side: Side) -> Result<&mut dyn WorldRoom, Failure> {
        let (name, room) = match side {
            Side::Left => ("left", &mut self.left),
            Side::Right => ("right", &mut self.right),
        };
        match room {
            Some(room) => Ok(room.as_mut()),
            None => Err(Failure::new(format!("load a {name} recording first"))),
        }
    }
}

impl Finding {
    fn nothing(reason: &str) -> Self {
        Self {
            frame: None,
            reason: reason.to_owned(),
            contacts: Vec::new(),
        }
    }
}

fn reason(frame: u64, left: Hashes, right: Hashes) -> String {
    if left.computed != right.computed {
        return format!("the contacts of frame {frame} differ");
    }
    format!(
        "the recorded hashes of frame {frame} differ, though this engine finds the same contacts for both: the \
         recordings come from engines that do not agree"
    )
}

/// The contacts that only one of two worlds has, or that differ, in the order of the ids.
fn different(left: &dyn WorldRoom, right: &dyn WorldRoom) -> Vec<DifferentContact> {
    let mut pairs: BTreeMap<[BodyId; 2], [Option<ContactOf>; 2]> = BTreeMap::new();
    for (side, room) in [left, right].into_iter().enumerate() {
        for contact in room.contacts() {
            let ids = contact.ids;
            pairs.entry(ids).or_default()[side] = Some(contact);
        }
    }
    let differ = |sides: &[Option<ContactOf>; 2]| {
        let [left, right] = sides.each_ref().map(|side| side.as_ref());
        left.map(|contact| &contact.separation) != right.map(|contact| &contact.separation)
    };
    let different = pairs.into_iter().filter(|(_, sides)| differ(sides));
    let contacts = different.map(|([a, b], [left, right])| {
        let indices = left
            .as_ref()
            .or(right.as_ref())
            .map(|contact| contact.indices);
        let [index_a, index_b] = indices.unwrap_or([None; 2]);
        DifferentContact {
            a: index_a,
            b: index_b,
            id_a: a.to_string(),
            id_b: b.to_string(),
            left: left.map(|contact| contact.separation),
            right: right.map(|contact| contact.separation),
        }
    });
    contacts.collect()
}
