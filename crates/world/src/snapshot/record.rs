//! Snapshots as serde sees them: numbers that come back through every format.

use clearance_math::internal::exact_numbers;
use clearance_math::{Real, Vector, compile_once};
use clearance_shapes::{ShapeEncoding, ShapeError};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::Snapshot;
use super::manifolds::{ManifoldRecord, PointsRecord};
use crate::digest::{Digest, Digested, digested};
use crate::{Subject, WorldError};

/// What stands first in every stored snapshot.
pub(super) const FORMAT: &str = "clearance snapshot";

/// Counts changes of this file that older readers would misread.
pub(super) const VERSION: u32 = 10;

/// Why a snapshot cannot be stored: the shape of a body cannot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{body}: shape: {error}")]
pub(in crate::snapshot) struct StoreError {
    pub(super) body: Subject,
    pub(super) error: ShapeError,
}

/// Why a stored snapshot was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(in crate::snapshot) enum SnapshotError {
    #[error("format is {found:?}, must be {FORMAT:?}")]
    Format { found: String },
    #[error("version is {found}, must be {VERSION}")]
    Version { found: u32 },
    #[error("dimension is {found}, must be {expected}")]
    Dimension { found: u32, expected: usize },
    #[error("the snapshot is damaged: its checksum is {found:#x}, must be {expected:#x}")]
    Checksum { found: u64, expected: u64 },
    #[error("{0}")]
    Margin(WorldError),
    #[error("shapes[{place}]: {error}")]
    Shape { place: usize, error: ShapeError },
    #[error("slots[{slot}]: {reason}")]
    Slot { slot: usize, reason: String },
    #[error("{list}[{place}]: {reason}")]
    Contact {
        list: &'static str,
        place: usize,
        reason: String,
    },
    #[error("{0}")]
    Order(String),
}

impl SnapshotError {
    /// What is wrong with an entry of a list, which may be no list of contacts.
    pub(super) fn entry(list: &'static str, place: usize, reason: String) -> Self {
        Self::Contact {
            list,
            place,
            reason,
        }
    }
}

/// A stored snapshot. Numbers that may be infinite are stored as their bits.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) dimension: u32,
    pub(super) checksum: u64,
    pub(super) margin: Real,
    /// Whether all pairs have part contacts.
    pub(super) wants_part_contacts: bool,
    /// Whether ghosts are told from the other part contacts.
    pub(super) wants_surface_contacts: bool,
    /// Whether all pairs have manifolds.
    pub(super) wants_manifolds: bool,
    /// Whether the contacts were left out, since they follow from the bodies.
    pub(super) lacks_contacts: bool,
    /// Bodies name a shape by its place.
    pub(super) shapes: Vec<ShapeEncoding>,
    pub(super) slots: Vec<SlotRecord>,
    pub(super) contacts: Vec<ContactRecord>,
    /// The contacts whose bodies were not as near one step earlier.
    pub(super) transitions: Vec<TransitionRecord>,
    /// The contacts of one step earlier that ended in the last step.
    pub(super) departures: Vec<ContactRecord>,
    /// The contacts of parts.
    pub(super) part_contacts: Vec<ContactRecord>,
    /// For each of them whether it is a ghost; empty if nobody wants to know.
    pub(super) ghosts: Vec<bool>,
    /// What takes the places of some of the ghosts.
    pub(super) instead_of_ghosts: Vec<ContactRecord>,
    /// Where swept bodies met others.
    pub(super) impacts: Vec<ImpactRecord>,
    /// Whether the last step found the manifolds of all pairs.
    pub(super) has_all_manifolds: bool,
    pub(super) manifolds: Vec<ManifoldRecord>,
    /// Where the contacts were left out, which points those of each manifold go on from.
    pub(super) points_before: Vec<PointsRecord>,
    /// Bodies that are gone and that events may still name, sorted.
    pub(super) removed: Vec<RemovedRecord>,
    /// The slots of ignored pairs, the lesser first, sorted.
    pub(super) ignored: Vec<[u32; 2]>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum SlotRecord {
    Vacant { generation: u32 },
    Retired { generation: u32 },
    Taken { generation: u32, body: BodyRecord },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyRecord {
    pub(super) shape: u32,
    pub(super) is_moving: bool,
    #[serde(with = "exact_numbers")]
    pub(super) translation: Vec<f64>,
    pub(super) rotation: [u32; 4],
    /// What rounding left over of the rotation; left out if it is none.
    pub(super) residual: Option<[u32; 4]>,
    /// Linear, then angular; left out at rest.
    pub(super) velocity: Option<Vec<Real>>,
    /// Memberships and filter; left out for [`Groups::ALL`].
    pub(super) groups: Option<[u32; 2]>,
    pub(super) extra_margin: Real,
    pub(super) wants_part_contacts: bool,
    pub(super) wants_manifolds: bool,
    pub(super) is_swept: bool,
    pub(super) user_data: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RemovedRecord {
    /// Slot and generation.
    pub(super) id: [u32; 2],
    pub(super) user_data: u64,
    /// Whether it was removed before the last step.
    pub(super) before_step: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContactRecord {
    /// Slot and generation.
    pub(super) a: [u32; 2],
    pub(super) b: [u32; 2],
    /// The bits of distance, lower and upper.
    pub(super) distances: [u32; 3],
    pub(super) normal: Vec<Real>,
    /// Point on a, point on b.
    #[serde(with = "exact_numbers")]
    pub(super) points: Vec<f64>,
    /// The numbers of the part of a and of the part of b.
    pub(super) parts: [u32; 2],
    pub(super) status: u8,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImpactRecord {
    /// The two bodies, and what is measured of them when they meet.
    pub(super) contact: ContactRecord,
    /// The bits of the time, its lower and its upper bound.
    pub(super) times: [u32; 3],
    /// How the time was found.
    pub(super) status: u8,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TransitionRecord {
    /// The place of the contact in the list.
    pub(super) contact: u64,
    /// How near the bodies were one step earlier.
    pub(super) before: u8,
}

impl Record {
    /// A number that changes when anything else in the record does; the format is compared by itself.
    pub(super) fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        self.digest_into(&mut digest);
        digest.finish()
    }
}

digested!(
    Record: version, dimension, margin, wants_part_contacts, wants_surface_contacts, wants_manifolds,
    lacks_contacts, shapes, slots, contacts, transitions, departures, part_contacts, ghosts, instead_of_ghosts, impacts,
    has_all_manifolds, manifolds, points_before, removed, ignored; without format, checksum
);
digested!(ShapeEncoding: kind, numbers, radius);
digested!(
    BodyRecord: shape, is_moving, translation, rotation, residual, velocity, groups, extra_margin, wants_part_contacts,
    wants_manifolds, is_swept, user_data
);
digested!(RemovedRecord: id, user_data, before_step);
digested!(ContactRecord: a, b, distances, normal, points, parts, status);
digested!(ImpactRecord: contact, times, status);
digested!(TransitionRecord: contact, before);

impl Digested for SlotRecord {
    fn digest_into(&self, digest: &mut Digest) {
        let (tag, generation, body) = match self {
            Self::Vacant { generation } => (0, generation, None),
            Self::Retired { generation } => (1, generation, None),
            Self::Taken { generation, body } => (2, generation, Some(body)),
        };
        digest.word(tag);
        digest.word(*generation);
        if let Some(body) = body {
            body.digest_into(digest);
        }
    }
}

impl<V: Vector> Serialize for Snapshot<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = record_of(self).map_err(ser::Error::custom)?;
        record.serialize(serializer)
    }
}

impl<'de, V: Vector> Deserialize<'de> for Snapshot<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let record = Record::deserialize(deserializer)?;
        snapshot_of(record).map_err(de::Error::custom)
    }
}

compile_once! {
    fn record_of<'a, V>(snapshot: &'a Snapshot<V>) -> Result<Record, StoreError> {
        Record::try_from(snapshot)
    }
}

compile_once! {
    fn snapshot_of<V>(record: Record) -> Result<Snapshot<V>, SnapshotError> {
        Snapshot::try_from(record)
    }
}
