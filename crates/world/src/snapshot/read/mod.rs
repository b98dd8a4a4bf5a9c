//! From a stored record to a snapshot: every field is checked.

pub(super) mod bodies;
pub(super) mod contacts;
mod pairs;
#[cfg(test)]
mod tests;

use clearance_math::Vector;

use super::Snapshot;
use super::record::{FORMAT, Record, SnapshotError, VERSION};
use crate::pair_filter::PairFilter;
use crate::world::check_margin;

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
            wants_manifolds: record.wants_manifolds,
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
