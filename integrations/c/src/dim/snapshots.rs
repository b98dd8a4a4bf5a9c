//! Snapshots: the state of a world, to return to it or to store it.

use std::sync::{PoisonError, RwLock};

use super::access::{ask, change};
use super::only::{DIM, FIRST_KIND, engine};
use super::{ConstWorldHandle, WorldHandle};
use crate::border::{In, Out, Outcome, Problem, Status, calls, guard};
use crate::common::ByteList;
use crate::handles::{Handle, Table};

/// A snapshot behind a handle.
pub struct Snapshot {
    state: RwLock<engine::Snapshot>,
}

/// A snapshot that a call may change.
pub type SnapshotHandle = Handle<Snapshot>;
/// A snapshot that a call reads.
pub type ConstSnapshotHandle = Handle<Snapshot>;

static SNAPSHOTS: Table<Snapshot> = Table::new(FIRST_KIND + 2, "snapshot");

fn insert(state: engine::Snapshot) -> Outcome<SnapshotHandle> {
    let state = RwLock::new(state);
    SNAPSHOTS.insert(Snapshot { state })
}

calls! {
    /// Keeps the state of a world: bodies, contacts, ids, user data. It belongs to the caller, who ends it with `clrN_snapshot_destroy`.
    ask world_snapshot(snapshot: Out<SnapshotHandle>) |inner| { snapshot.fill("snapshot", || insert(inner.world.snapshot())) }

    /// As `clrN_world_snapshot`, without the contacts that follow from the bodies: smaller, and slower to return to.
    ask world_snapshot_without_contacts(snapshot: Out<SnapshotHandle>) |inner| {
        snapshot.fill("snapshot", || insert(inner.world.snapshot().without_contacts()))
    }

    /// Replaces a snapshot by the state of a world, in its memory: for games that keep the last frames.
    ask world_snapshot_into(snapshot: SnapshotHandle) |inner| {
        let state = &SNAPSHOTS.get(snapshot)?.state;
        let mut state = state.write().unwrap_or_else(PoisonError::into_inner);
        inner.world.snapshot_into(&mut state);
        Ok(())
    }

    /// Returns to a snapshot. All steps that follow have the bits that they had after it was taken; the functions that a world was given stay.
    change world_restore(snapshot: ConstSnapshotHandle) |inner| {
        let state = &SNAPSHOTS.get(snapshot)?.state;
        let state = state.read().unwrap_or_else(PoisonError::into_inner);
        inner.world.restore(&state);
        Ok(())
    }
}

/// What stored snapshots and shapes begin with: their bytes are read by the version that wrote them only.
pub(crate) fn heading(kind: &str) -> String {
    format!("clearance.dim{DIM}.{kind} {}\n", env!("CARGO_PKG_VERSION"))
}

/// What stands behind the heading.
pub(crate) fn without_heading<'a>(stored: &'a [u8], kind: &str) -> Outcome<&'a [u8]> {
    let heading = heading(kind);
    let rest = stored.strip_prefix(heading.as_bytes());
    rest.ok_or_else(|| {
        let text = format!(
            "the bytes must begin with {:?}, of this version and dimension",
            heading.trim_end()
        );
        Problem::new(Status::STORED, text)
    })
}

calls! {
    /// Writes a snapshot as bytes, which `clrN_snapshot_read` of the same version reads on any platform.
    guard snapshot_write(snapshot: ConstSnapshotHandle, list: Out<ByteList>) {
        let state = &SNAPSHOTS.get(snapshot)?.state;
        let state = state.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = postcard::to_extend(&*state, heading("Snapshot").into_bytes());
        let bytes = bytes.map_err(|error| Problem::new(Status::STORED, error))?;
        ByteList::fill(list, bytes.into_iter())
    }

    /// The snapshot of bytes; damaged ones are refused. It belongs to the caller, who ends it with `clrN_snapshot_destroy`.
    guard snapshot_read(bytes: In<u8>, count: usize, snapshot: Out<SnapshotHandle>) {
        let bytes = without_heading(bytes.array(count, "bytes")?, "Snapshot")?;
        let state = postcard::from_bytes(bytes);
        let state = state.map_err(|error| Problem::new(Status::STORED, error))?;
        snapshot.fill("snapshot", || insert(state))
    }

    /// The bytes that a snapshot holds.
    guard snapshot_memory(snapshot: ConstSnapshotHandle, bytes: Out<usize>) {
        let state = &SNAPSHOTS.get(snapshot)?.state;
        bytes.set(state.read().unwrap_or_else(PoisonError::into_inner).memory(), "bytes")
    }

    /// Ends a snapshot; the library refuses its handle then. NULL is CLR_OK.
    guard snapshot_destroy(snapshot: SnapshotHandle) {
        match snapshot.is_null() {
            true => Ok(()),
            false => SNAPSHOTS.take(snapshot).map(drop),
        }
    }
}
