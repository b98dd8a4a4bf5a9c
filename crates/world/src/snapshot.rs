//! The state of a world, kept to come back to.

#[cfg(feature = "serde")]
mod read;
#[cfg(feature = "serde")]
mod record;
#[cfg(feature = "serde")]
mod write;

use clearance_broadphase::BroadPhase;
use clearance_math::{Real, Vector, compile_once};

use crate::columns::{Columns, bytes};
use crate::id::WorldTag;
use crate::pair_filter::PairFilter;
use crate::report::Report;
use crate::slots::LastStep;
use crate::{Impact, World};

/// The state of a world between two steps: bodies, contacts, events, ids in use and used up, margin,
/// and whether part contacts and surface contacts are wanted.
///
/// User data and ignored pairs are part of it; a filter of pairs is not ([`World::set_pair_filter`]).
/// What follows from these (the broad phase) and what no answer depends on (backend, threads,
/// profile) is not part of it. Shapes are shared with the world until one of the two changes its
/// own. Two snapshots are equal if the worlds were.
///
/// ```
/// use clearance::dim2::{Body, Options, Pose, Shape, World};
///
/// let mut world = World::new(Options::default())?;
/// let ball = world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
/// let before = world.snapshot();
/// world.remove(ball)?;
/// world.restore(&before);
/// assert!(world.contains(ball));
/// assert_eq!(world.snapshot(), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the cargo feature `serde` a snapshot can be written and read by any format that keeps
/// numbers exactly. What is read is checked: a damaged snapshot, one of another version or of
/// another dimension is refused whole. A body with a shape of your own cannot be written: the error names it.
pub struct Snapshot<V: Vector> {
    /// The world that it was taken of; none if it was read.
    pub(crate) tag: Option<WorldTag>,
    pub(crate) margin: Real,
    pub(crate) wants_part_contacts: bool,
    pub(crate) wants_surface_contacts: bool,
    pub(crate) columns: Columns<V>,
    /// With what filter its contacts were made, if it was not read.
    pub(crate) pair_filter: PairFilter<V>,
    pub(crate) report: Report<V>,
    /// The slots that had changed since the last step, for which the contacts were out of date.
    pub(crate) changed: Vec<u32>,
}

/// Neither which slots had changed (it only says what the next step has to measure) nor which world it was
/// taken of is state.
impl<V: Vector> PartialEq for Snapshot<V> {
    fn eq(&self, other: &Self) -> bool {
        self.margin == other.margin
            && self.wants_part_contacts == other.wants_part_contacts
            && self.wants_surface_contacts == other.wants_surface_contacts
            && self.columns == other.columns
            && self.report == other.report
    }
}

/// Shows what equality compares.
impl<V: Vector> core::fmt::Debug for Snapshot<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Snapshot")
            .field("margin", &self.margin)
            .field("wants_part_contacts", &self.wants_part_contacts)
            .field("wants_surface_contacts", &self.wants_surface_contacts)
            .field("columns", &self.columns)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// Copies reuse the memory of what they replace.
impl<V: Vector> Clone for Snapshot<V> {
    fn clone(&self) -> Self {
        Self {
            tag: self.tag,
            margin: self.margin,
            wants_part_contacts: self.wants_part_contacts,
            wants_surface_contacts: self.wants_surface_contacts,
            columns: self.columns.clone(),
            pair_filter: self.pair_filter.clone(),
            report: self.report.clone(),
            changed: self.changed.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.tag = source.tag;
        self.margin = source.margin;
        self.wants_part_contacts = source.wants_part_contacts;
        self.wants_surface_contacts = source.wants_surface_contacts;
        self.columns.clone_from(&source.columns);
        self.pair_filter.clone_from(&source.pair_filter);
        self.report.clone_from(&source.report);
        self.changed.clone_from(&source.changed);
    }
}

impl<V: Vector> Snapshot<V> {
    /// Bytes held, without the list of shapes.
    ///
    /// The list is shared with the world and with other snapshots until a shape comes, goes or changes;
    /// one that was read has its own, of the size of a [`clearance_shapes::Shape`] and 8 bytes a slot.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.columns.memory() + self.report.memory() + bytes(&self.changed)
    }
}

impl<V: Vector> World<V> {
    /// The present state, to come back to by [`World::restore`].
    ///
    /// Cost: a copy of poses, velocities and contacts. To take one each frame without allocating,
    /// see [`World::snapshot_into`].
    #[must_use]
    #[doc(alias("rollback", "save", "serialize"))]
    pub fn snapshot(&self) -> Snapshot<V> {
        take(self)
    }

    fn snapshot_generic(&self) -> Snapshot<V> {
        Snapshot {
            tag: Some(self.bodies.tag),
            margin: self.margin,
            wants_part_contacts: self.wants_part_contacts,
            wants_surface_contacts: self.wants_surface_contacts,
            columns: self.columns().clone(),
            pair_filter: self.pair_filter.clone(),
            report: self.report.clone(),
            changed: self.bodies.changed().to_vec(),
        }
    }

    /// Takes a snapshot in the memory of an older one: a ring of snapshots allocates nothing in steady frames.
    /// The older one keeps the memory that it has; [`World::snapshot`] takes no more than it needs.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot<V>) {
        copy(self, snapshot);
    }

    fn copy_into(&self, snapshot: &mut Snapshot<V>) {
        snapshot.tag = Some(self.bodies.tag);
        snapshot.margin = self.margin;
        snapshot.wants_part_contacts = self.wants_part_contacts;
        snapshot.wants_surface_contacts = self.wants_surface_contacts;
        snapshot.columns.clone_from(self.columns());
        snapshot.pair_filter.clone_from(&self.pair_filter);
        snapshot.report.clone_from(&self.report);
        snapshot.changed.clear();
        snapshot.changed.extend_from_slice(self.bodies.changed());
    }

    /// Comes back to `snapshot`, of this world or of any other.
    ///
    /// Bodies, ids, contacts and events are then those of the moment when it was taken, and every
    /// step from there has the same outcome, bit for bit, as it had or would have had then. Ids given
    /// out since do not resolve until they are given out again: they come in the same order, too.
    /// So do ids that were given out before the snapshot by the world that it was taken of; a world that
    /// is restored to the snapshot of another one refuses the ids that it gave out itself before. A
    /// snapshot that was read from storage does not know its world: it leaves the ids of the restored
    /// world valid, and ids that were stored with it, or made by [`crate::BodyId::from_parts`].
    ///
    /// Backend, threads and profiling stay as they are. Cost: that of the copy, and of a comparison of the
    /// shapes if any came, went or changed since; the next step updates the boxes of the bodies that
    /// changed places.
    pub fn restore(&mut self, snapshot: &Snapshot<V>) {
        restore(self, snapshot);
    }

    fn restore_generic(&mut self, snapshot: &Snapshot<V>) {
        self.forget_slots_from(snapshot.columns.len());
        self.buffers.forget_starts();
        self.last_step = LastStep {
            count: self.last_step.count + 1,
            dt: 0.0,
            is_restored: true,
        };
        self.bodies.restore(&snapshot.columns);
        // The contacts are those of the snapshot, so they are out of date for the bodies for which they
        // were out of date when it was taken.
        for &slot in &snapshot.changed {
            self.bodies.mark_changed(slot as usize);
        }
        self.report.clone_from(&snapshot.report);
        // Whoever met on the way is only a contact until the next step.
        for Impact { a, b, .. } in &self.report.impacts {
            for slot in [a, b].map(|id| id.index() as usize) {
                self.bodies.mark_changed(slot);
            }
        }
        // What is wanted goes with the part contacts of the snapshot: nothing has to be measured for it.
        self.wants_part_contacts = snapshot.wants_part_contacts;
        self.wants_surface_contacts = snapshot.wants_surface_contacts;
        match snapshot.tag {
            Some(tag) => self.bodies.tag = tag,
            None => self.report.set_tag(self.bodies.tag),
        }
        let has_other_rules =
            self.margin != snapshot.margin || !self.pair_filter.is_same(&snapshot.pair_filter);
        if has_other_rules {
            self.margin = snapshot.margin;
            self.bodies.mark_all_changed();
        }
    }

    /// Takes the slots from `first` on out of the broad phase.
    fn forget_slots_from(&mut self, first: usize) {
        let surplus = first..self.bodies.slots();
        if surplus.is_empty() {
            return;
        }
        for slot in surplus {
            self.broad_phase.remove(slot as u32);
        }
        self.broad_phase.refresh();
    }

    fn columns(&self) -> &Columns<V> {
        &self.bodies.columns
    }
}

compile_once! {
    fn take<'a, V>(world: &'a World<V>) -> Snapshot<V> {
        world.snapshot_generic()
    }
}

compile_once! {
    fn restore<'a, V>(world: &'a mut World<V>, snapshot: &'a Snapshot<V>) {
        world.restore_generic(snapshot);
    }
}

compile_once! {
    fn copy<'a, V>(world: &'a World<V>, snapshot: &'a mut Snapshot<V>) {
        world.copy_into(snapshot);
    }
}

/// The first axis in space that an angular velocity can have a part about: in 2D z alone.
#[cfg(feature = "serde")]
const fn first_angular<V: Vector>() -> usize {
    if V::DIM == 2 { 2 } else { 0 }
}
