//! What changes from frame to frame: poses and contacts.

use core::time::Duration;

use clearance_gjk::Status;
use clearance_math::Aabb;
use clearance_world::internal::visit_tree;
use clearance_world::{BodyId, Contact, EventKind, World};
use serde::Serialize;

use super::room::{Loaded, Room};
use crate::binary::{Binary, Span};
use crate::dimension::{Dimension, seven, three};
use crate::request::BoxesOf;

/// The answer to whatever changes what is shown.
#[derive(Serialize)]
pub(crate) struct Frame {
    pub(crate) frame: u64,
    pub(crate) first: u64,
    pub(crate) last: u64,
    hash: String,
    pub(crate) recorded_hash: Option<String>,
    layout: u64,
    bodies: usize,
    poses: Span,
    contacts: Span,
    contact_count: usize,
    begun: usize,
    ended: usize,
    milliseconds: f64,
    stages: Vec<Stage>,
    candidates: usize,
    memory: usize,
    /// The world that this frame opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) opened: Option<Loaded>,
}

#[derive(Serialize)]
struct Stage {
    name: &'static str,
    milliseconds: f64,
}

/// A hash as it is printed.
pub(crate) fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

pub(super) fn of<V: Dimension>(room: &Room<V>, contacts: bool, binary: &mut Binary) -> Frame {
    let world = room.world();
    let [first, last] = room.driver.span();
    let profile = world.profile();
    let count = |kind| world.events().filter(|event| event.kind == kind).count();
    let stages = profile.stages().map(|stage| Stage {
        name: stage.name,
        milliseconds: milliseconds(stage.time),
    });
    Frame {
        frame: room.driver.frame(),
        first,
        last,
        hash: hash_text(world.contacts_hash()),
        recorded_hash: room.driver.recorded_hash().map(hash_text),
        layout: room.layout.number,
        bodies: world.len(),
        poses: write_poses(world, binary),
        contacts: if contacts {
            write_contacts(world.contacts(), &room.layout.indices(), binary)
        } else {
            Span::default()
        },
        contact_count: world.contacts().len(),
        begun: count(EventKind::Began),
        ended: count(EventKind::Ended),
        milliseconds: milliseconds(room.step_time),
        stages: stages.into(),
        candidates: profile.candidates,
        memory: world.memory(),
        opened: None,
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The numbers of the bodies, the status, the distance, both points, the normal.
const WORDS_OF_A_CONTACT: usize = 13;

fn write_contacts<V: Dimension>(
    contacts: &[Contact<V>],
    indices: &[u32],
    binary: &mut Binary,
) -> Span {
    let start = binary.here();
    binary.reserve(contacts.len() * WORDS_OF_A_CONTACT);
    let index_of = |id: BodyId| indices.get(id.index() as usize).copied();
    for contact in contacts {
        let separation = &contact.separation;
        let [ax, ay, az] = bits(separation.point_a());
        let [bx, by, bz] = bits(separation.point_b());
        let [nx, ny, nz] = bits(separation.normal);
        let row: [u32; WORDS_OF_A_CONTACT] = [
            index_of(contact.a).unwrap_or(u32::MAX),
            index_of(contact.b).unwrap_or(u32::MAX),
            status_number(separation.status),
            separation.distance.to_bits(),
            ax,
            ay,
            az,
            bx,
            by,
            bz,
            nx,
            ny,
            nz,
        ];
        binary.row(row);
    }
    binary.since(start)
}

fn write_poses<V: Dimension>(world: &World<V>, binary: &mut Binary) -> Span {
    let start = binary.here();
    binary.reserve(world.len() * 7);
    for body in world.bodies() {
        binary.row(seven(body.pose()).map(f32::to_bits));
    }
    binary.since(start)
}

fn bits<V: Dimension>(vector: V) -> [u32; 3] {
    three(vector).map(f32::to_bits)
}

fn status_number(status: Status) -> u32 {
    let place = Status::ALL.iter().position(|other| *other == status);
    place.map_or(u32::MAX, |place| place as u32)
}

/// The answer to `world.boxes`.
#[derive(Serialize)]
pub(crate) struct Boxes {
    boxes: Span,
    levels: usize,
}

pub(super) fn boxes<V: Dimension>(
    world: &World<V>,
    of: BoxesOf,
    wanted: usize,
    binary: &mut Binary,
) -> Boxes {
    let start = binary.here();
    let mut levels = 0;
    visit_tree(world, &mut |level, bounds| {
        levels = levels.max(level + 1);
        if of == BoxesOf::Tree && level == wanted {
            write_box(bounds, binary);
        }
    });
    if of == BoxesOf::Bodies {
        for body in world.bodies() {
            write_box(&body.bounds(), binary);
        }
    }
    Boxes {
        boxes: binary.since(start),
        levels,
    }
}

fn write_box<V: Dimension>(bounds: &Aabb<V>, binary: &mut Binary) {
    binary.row(bits(bounds.min));
    binary.row(bits(bounds.max));
}
