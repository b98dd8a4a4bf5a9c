//! The ignored pairs of a stored snapshot.

use clearance_math::Vector;

use crate::columns::Columns;
use crate::ignored::IgnoredPairs;
use crate::snapshot::record::SnapshotError;

/// They must be sorted, and both slots of each taken.
pub(super) fn ignored<V: Vector>(
    pairs: &[[u32; 2]],
    columns: &Columns<V>,
) -> Result<IgnoredPairs, SnapshotError> {
    let mut ignored = IgnoredPairs::default();
    let is_taken = |slot: u32| {
        let occupancy = columns.occupancies.get(slot as usize);
        occupancy.is_some_and(|occupancy| occupancy.kind().is_some())
    };
    for (place, &[a, b]) in pairs.iter().enumerate() {
        let is_sorted = a < b && (place == 0 || pairs[place - 1] < [a, b]);
        if !is_sorted || !is_taken(a) || !is_taken(b) {
            let reason = format!("[{a}, {b}] must be two slots with bodies, sorted");
            return Err(SnapshotError::entry("ignored", place, reason));
        }
        ignored.insert(a, b);
    }
    Ok(ignored)
}
