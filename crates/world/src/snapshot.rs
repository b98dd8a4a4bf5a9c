//! The state of a world, kept to come back to.

#[cfg(feature = "serde")]
mod manifolds;
#[cfg(feature = "serde")]
mod read;
#[cfg(feature = "serde")]
mod record;
#[cfg(feature = "serde")]
mod write;

use core::mem;

use clearance_broadphase::BroadPhase;
use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector, compile_once};

use crate::columns::Columns;
use crate::id::WorldTag;
use crate::pair_filter::PairFilter;
use crate::report::lists::Report;
use crate::reserve::{bytes, cloned_in_place};
use crate::world::LastStep;
use crate::{Impact, World};

/// The state of a world between two steps: bodies, contacts, events, ids in use and used up, margin,
/// and whether part contacts, surface contacts and manifolds are wanted.
///
/// User data and ignored pairs are part of it; a filter of pairs is not ([`World::set_pair_filter`]).
/// What follows from these (the broad phase) and what no answer depends on (backend, threads,
/// profile) is not part of it. Shapes are shared with the world until one of the two changes its
/// own. Two snapshots are equal if the worlds were and both have contacts, or both have none.
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
/// With the cargo feature `serde` a snapshot can be written and read by any format that keeps `f32` and
/// `u64`, such as plain JSON: places in double precision go as text where a format is for people. What is read is checked: a damaged snapshot, one of another version or of
/// another dimension is refused whole. A body with a shape of your own cannot be written: the error names it.
pub struct Snapshot<V: Vector> {
    /// The world that it was taken of; none if it was read.
    pub(crate) tag: Option<WorldTag>,
    pub(crate) margin: Real,
    pub(crate) wants_part_contacts: bool,
    pub(crate) wants_surface_contacts: bool,
    pub(crate) wants_manifolds: bool,
    /// Whether it is to do without contacts wherever they follow from the rest.
    pub(crate) prefers_no_contacts: bool,
    /// Whether it does, so that its report holds only what changed in the last step.
    pub(crate) lacks_contacts: bool,
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
            && self.wants_manifolds == other.wants_manifolds
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
            .field("wants_manifolds", &self.wants_manifolds)
            .field("lacks_contacts", &self.lacks_contacts)
            .field("columns", &self.columns)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

cloned_in_place!(
    Snapshot: tag, margin, wants_part_contacts, wants_surface_contacts, wants_manifolds, prefers_no_contacts,
    lacks_contacts, columns, pair_filter, report, changed
);

impl<V: Vector> Snapshot<V> {
    /// A snapshot of no world, to take one in.
    fn blank() -> Self {
        Self {
            tag: None,
            margin: 0.0,
            wants_part_contacts: false,
            wants_surface_contacts: false,
            wants_manifolds: false,
            prefers_no_contacts: false,
            lacks_contacts: false,
            columns: Columns::new(),
            pair_filter: PairFilter::NONE,
            report: Report::default(),
            changed: Vec::new(),
        }
    }

    /// The same without the contacts, where these follow from the rest: small, and quick to take if it is taken anew by
    /// [`World::snapshot_into`], for games that save each frame and come back rarely.
    ///
    /// A restored world is the same, bit for bit, if its [`Options::effort`](crate::Options::effort) is that of the world that it was taken of:
    /// [`World::restore`] measures all pairs again, as a step does in which everything moved. Contacts do not follow from the
    /// bodies, and are kept, if bodies, margin or wishes changed since the last step, if swept bodies met something in it, or if
    /// there is a filter of pairs.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// for _ in 0..20 {
    ///     world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
    /// }
    /// world.step(1.0 / 60.0)?;
    /// let (whole, lean) = (world.snapshot(), world.snapshot().without_contacts());
    /// assert!(2 * lean.memory() < whole.memory());
    /// world.clear();
    /// world.restore(&lean);
    /// assert_eq!((world.contacts().len(), world.snapshot()), (190, whole));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_contacts(mut self) -> Self {
        self.prefers_no_contacts = true;
        if !self.lacks_contacts && self.report.follows(&self.changed, &self.pair_filter) {
            self.lacks_contacts = true;
            let mut changes = Report::default();
            changes.copy_changes_of(&self.report);
            self.report = changes;
        }
        self
    }

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
        let mut snapshot = Snapshot::blank();
        copy(self, &mut snapshot);
        snapshot
    }

    /// Takes a snapshot in the memory of an older one, with or without contacts as that was taken: a ring of snapshots
    /// allocates nothing in steady frames. The older one keeps the memory that it has; [`World::snapshot`] takes no more
    /// than it needs.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot<V>) {
        copy(self, snapshot);
    }

    fn copy_into(&self, snapshot: &mut Snapshot<V>) {
        snapshot.tag = Some(self.bodies.tag);
        snapshot.margin = self.margin;
        snapshot.wants_part_contacts = self.wants_part_contacts;
        snapshot.wants_surface_contacts = self.wants_surface_contacts;
        snapshot.wants_manifolds = self.wants_manifolds;
        snapshot.columns.clone_from(&self.bodies.columns);
        snapshot.pair_filter.clone_from(&self.pair_filter);
        let follows = self
            .report
            .follows(self.bodies.changed(), &self.pair_filter);
        snapshot.lacks_contacts = snapshot.prefers_no_contacts && follows;
        if snapshot.lacks_contacts {
            snapshot.report.copy_changes_of(&self.report);
        } else {
            snapshot.report.clone_from(&self.report);
        }
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
    /// changed places. If the snapshot is without contacts, that of a step in which all bodies moved is added.
    pub fn restore(&mut self, snapshot: &Snapshot<V>) {
        restore(self, snapshot);
    }

    /// Finds the contacts of the bodies, which are those of a snapshot without contacts, by a step of no time.
    fn find_contacts_of(&mut self, snapshot: &Snapshot<V>) {
        let profile = self.profile;
        let filter = mem::replace(&mut self.pair_filter, PairFilter::NONE);
        self.margin = snapshot.margin;
        self.bodies.mark_all_changed();
        // Where nothing moves, nothing can leave the range of numbers.
        let is_found = self.step(0.0).is_ok();
        debug_assert!(is_found);
        self.pair_filter = filter;
        self.profile = profile;
        self.bodies
            .columns
            .removed
            .clone_from(&snapshot.columns.removed);
        self.report.restore_changes_of(&snapshot.report);
        if snapshot.tag.is_none() {
            self.report.set_tag(self.bodies.tag);
        }
        // What was read may be made up, and a world of another effort may find other contacts.
        self.report.forget_false_changes();
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
}

compile_once! {
    fn restore<'a, V>(world: &'a mut World<V>, snapshot: &'a Snapshot<V>) {
        let last_step = LastStep {
            count: world.last_step.count + 1,
            dt: 0.0,
            is_restored: true,
        };
        world.forget_slots_from(snapshot.columns.len());
        world.bodies.restore(&snapshot.columns);
        world.wants_part_contacts = snapshot.wants_part_contacts;
        world.wants_surface_contacts = snapshot.wants_surface_contacts;
        world.wants_manifolds = snapshot.wants_manifolds;
        if let Some(tag) = snapshot.tag {
            world.bodies.tag = tag;
        }
        world.report.clone_from(&snapshot.report);
        if snapshot.lacks_contacts {
            world.find_contacts_of(snapshot);
        }
        world.buffers.forget_starts();
        world.last_step = last_step;
        // The contacts are those of the snapshot, so they are out of date for the bodies for which they
        // were out of date when it was taken.
        for &slot in &snapshot.changed {
            world.bodies.mark_changed(slot as usize);
        }
        // Whoever met on the way is only a contact until the next step.
        for Impact { a, b, .. } in &world.report.impacts {
            for slot in [a, b].map_each(|id| id.index() as usize) {
                world.bodies.mark_changed(slot);
            }
        }
        if snapshot.tag.is_none() {
            world.report.set_tag(world.bodies.tag);
        }
        let has_other_rules =
            world.margin != snapshot.margin || !world.pair_filter.is_same(&snapshot.pair_filter);
        if has_other_rules {
            world.margin = snapshot.margin;
            world.bodies.mark_all_changed();
        }
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
    if const { V::DIM == 2 } { 2 } else { 0 }
}
