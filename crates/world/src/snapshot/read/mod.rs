//! From a stored record to a snapshot: every field is checked.

mod bodies;
mod contacts;
mod pairs;
#[cfg(test)]
mod tests;

use clearance_math::{Real, Vector};
use clearance_shapes::ShapeError;

use super::Snapshot;
use super::record::{FORMAT, Record, VERSION};
use crate::WorldError;
use crate::pair_filter::PairFilter;
use crate::world::check_margin;

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

impl<V: Vector> TryFrom<Record> for Snapshot<V> {
    type Error = SnapshotError;

    fn try_from(record: Record) -> Result<Self, SnapshotError> {
        check_header::<V>(&record)?;
        let margin = check_margin(record.margin).map_err(SnapshotError::Margin)?;
        let shapes = bodies::shapes(&record.shapes)?;
        let mut columns = bodies::columns(&record.slots, &shapes)?;
        columns.removed = contacts::removed(&record.removed, &columns)?;
        columns.ignored = pairs::ignored(&record.ignored, &columns)?;
        let report = contacts::report(&record, &columns)?;
        // Nothing proves that the contacts were measured by this version of the engine: the next
        // step measures all pairs, unless a restored world does.
        let changed = if record.lacks_contacts {
            Vec::new()
        } else {
            (0..columns.len() as u32).collect()
        };
        Ok(Self {
            tag: None,
            margin,
            wants_part_contacts: record.wants_part_contacts,
            wants_surface_contacts: record.wants_surface_contacts,
            prefers_no_contacts: record.lacks_contacts,
            lacks_contacts: record.lacks_contacts,
            columns,
            pair_filter: PairFilter::NONE,
            report,
            changed,
        })
    }
}

fn check_header<V: Vector>(record: &Record) -> Result<(), SnapshotError> {
    if record.format != FORMAT {
        let found = record.format.clone();
        return Err(SnapshotError::Format { found });
    }
    if record.version != VERSION {
        let found = record.version;
        return Err(SnapshotError::Version { found });
    }
    if record.dimension as usize != V::DIM {
        return Err(SnapshotError::Dimension {
            found: record.dimension,
            expected: V::DIM,
        });
    }
    let (found, expected) = (record.checksum, record.digest());
    if found == expected {
        Ok(())
    } else {
        Err(SnapshotError::Checksum { found, expected })
    }
}

/// One number for each axis; `None` if there are more or fewer.
fn vector<V: Vector>(numbers: &[Real]) -> Option<V> {
    let components = numbers.iter().zip(0..V::DIM);
    (numbers.len() == V::DIM).then(|| {
        components.fold(V::ZERO, |vector, (&number, axis)| {
            vector.with_component(axis, number)
        })
    })
}
