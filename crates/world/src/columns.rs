//! The properties of the bodies that a snapshot holds: a column for each property, a row for each slot.

use std::sync::Arc;

use clearance_broadphase::Groups;
use clearance_math::{Pose, PoseResidual, Real, Vector};
use clearance_shapes::Shape;

use crate::ignored::IgnoredPairs;
use crate::reserve::{bytes, cloned_in_place, cut};
use crate::shape_column::ShapeColumn;
use crate::sparse_column::SparseColumn;
use crate::user_data::{RemovedBodies, UserData};
use crate::{Body, BodyKind, Velocity};

/// What a slot is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occupancy {
    /// Free for the next body.
    Vacant,
    /// Free for ever: its generations are used up.
    Retired,
    /// A body lives in it.
    Taken(BodyKind),
}

impl Occupancy {
    /// The kind of the body that lives in the slot.
    #[inline]
    pub(crate) fn kind(self) -> Option<BodyKind> {
        match self {
            Self::Taken(kind) => Some(kind),
            Self::Vacant | Self::Retired => None,
        }
    }
}

/// The properties of all slots, in columns of equal length.
///
/// Rows without a body hold [`Columns::set_blank`], so that equal bodies make equal columns. Vacant rows at
/// the end may be left out, but for their generations.
#[derive(Debug)]
pub(crate) struct Columns<V: Vector> {
    /// Shared with snapshots until a shape comes, goes or changes: steps never touch it.
    pub(crate) shapes: Arc<ShapeColumn<V>>,
    pub(crate) poses: Vec<Pose<V>>,
    /// What rounding left over of the poses; no contact depends on it.
    pub(crate) residuals: Vec<PoseResidual<V>>,
    pub(crate) velocities: Vec<Velocity<V>>,
    pub(crate) groups: SparseColumn<Groups>,
    pub(crate) extra_margins: SparseColumn<Real>,
    /// Whether the body wants the contacts of parts.
    pub(crate) part_contacts: SparseColumn<bool>,
    /// Whether the body wants contact manifolds.
    pub(crate) manifolds: SparseColumn<bool>,
    /// Whether steps look at the whole way of the body.
    pub(crate) swept: SparseColumn<bool>,
    pub(crate) occupancies: Vec<Occupancy>,
    /// The generation of the body in a slot, or of the next one if it is vacant. Those of slots that were
    /// left out are kept, so that ids never come back.
    pub(crate) generations: Vec<u32>,
    pub(crate) user_data: UserData,
    /// Not by slot: bodies that are in no slot any more.
    pub(crate) removed: RemovedBodies,
    /// Not by slot: pairs of slots.
    pub(crate) ignored: IgnoredPairs,
}

/// Whether vacant rows at the end were left out does not count.
impl<V: Vector> PartialEq for Columns<V> {
    fn eq(&self, other: &Self) -> bool {
        let used = self.used();
        used == other.used()
            && self.generations == other.generations
            && self.shapes[..used] == other.shapes[..used]
            && self.poses[..used] == other.poses[..used]
            && self.residuals[..used] == other.residuals[..used]
            && self.velocities[..used] == other.velocities[..used]
            && self.groups.rows(used) == other.groups.rows(used)
            && self.extra_margins.rows(used) == other.extra_margins.rows(used)
            && self.part_contacts.rows(used) == other.part_contacts.rows(used)
            && self.manifolds.rows(used) == other.manifolds.rows(used)
            && self.swept.rows(used) == other.swept.rows(used)
            && self.occupancies[..used] == other.occupancies[..used]
            && self.user_data == other.user_data
            && self.removed == other.removed
            && self.ignored == other.ignored
    }
}

// A snapshot taken again and again allocates nothing.
cloned_in_place!(
    Columns: shapes, poses, residuals, velocities, groups, extra_margins, part_contacts, manifolds, swept, occupancies,
    generations, user_data, removed, ignored
);

impl<V: Vector> Columns<V> {
    pub(crate) fn new() -> Self {
        Self {
            shapes: Arc::default(),
            poses: Vec::new(),
            residuals: Vec::new(),
            velocities: Vec::new(),
            groups: SparseColumn::new(Groups::ALL),
            extra_margins: SparseColumn::new(0.0),
            part_contacts: SparseColumn::new(false),
            manifolds: SparseColumn::new(false),
            swept: SparseColumn::new(false),
            occupancies: Vec::new(),
            generations: Vec::new(),
            user_data: UserData::default(),
            removed: RemovedBodies::default(),
            ignored: IgnoredPairs::default(),
        }
    }

    /// The number of slots, vacant ones included.
    pub(crate) fn len(&self) -> usize {
        self.occupancies.len()
    }

    /// Adds a vacant slot.
    pub(crate) fn push(&mut self) {
        Arc::make_mut(&mut self.shapes).push();
        self.poses.push(Pose::IDENTITY);
        self.residuals.push(PoseResidual::none());
        self.velocities.push(Velocity::default());
        self.groups.push();
        self.extra_margins.push();
        self.part_contacts.push();
        self.manifolds.push();
        self.swept.push();
        self.occupancies.push(Occupancy::Vacant);
        if self.generations.len() < self.occupancies.len() {
            self.generations.push(0);
        }
    }

    /// The number of slots without the vacant ones at the end.
    pub(crate) fn used(&self) -> usize {
        let is_used = |&occupancy: &Occupancy| occupancy != Occupancy::Vacant;
        let last = self.occupancies.iter().rposition(is_used);
        last.map_or(0, |last| last + 1)
    }

    /// Leaves out the vacant slots at the end, and gives back the memory beyond `capacity` slots.
    pub(crate) fn cut_down(&mut self, capacity: usize) {
        let used = self.used();
        Arc::make_mut(&mut self.shapes).cut_down(used, capacity);
        cut(&mut self.poses, used, capacity);
        cut(&mut self.residuals, used, capacity);
        cut(&mut self.velocities, used, capacity);
        self.groups.cut_down(used, capacity);
        self.extra_margins.cut_down(used, capacity);
        self.part_contacts.cut_down(used, capacity);
        self.manifolds.cut_down(used, capacity);
        self.swept.cut_down(used, capacity);
        cut(&mut self.occupancies, used, capacity);
        self.user_data.cut_down(used, capacity);
    }

    /// Puts a body into a slot.
    pub(crate) fn set(&mut self, slot: usize, body: Body<V>) {
        self.set_shape(slot, Some(body.shape));
        self.poses[slot] = body.pose;
        self.residuals[slot] = body.residual;
        self.velocities[slot] = body.velocity;
        self.groups.set(slot, body.groups);
        self.extra_margins.set(slot, body.extra_margin);
        self.part_contacts.set(slot, body.part_contacts);
        self.manifolds.set(slot, body.manifolds);
        self.swept.set(slot, body.swept);
        self.user_data.set(slot, body.user_data);
        self.occupancies[slot] = Occupancy::Taken(body.kind);
    }

    pub(crate) fn set_shape(&mut self, slot: usize, shape: Option<Shape<V>>) {
        Arc::make_mut(&mut self.shapes).set(slot, shape);
    }

    /// Leaves nothing of a body but the generation of its slot.
    pub(crate) fn set_blank(&mut self, slot: usize) {
        self.set_shape(slot, None);
        self.poses[slot] = Pose::IDENTITY;
        self.residuals[slot] = PoseResidual::none();
        self.velocities[slot] = Velocity::default();
        self.groups.reset(slot);
        self.extra_margins.reset(slot);
        self.part_contacts.reset(slot);
        self.manifolds.reset(slot);
        self.swept.reset(slot);
        self.user_data.set(slot, 0);
        self.ignored.remove_all_of(slot as u32);
        self.occupancies[slot] = Occupancy::Vacant;
    }

    /// The body that lives in a slot.
    pub(crate) fn body(&self, slot: usize) -> Option<Body<V>> {
        Some(Body {
            shape: self.shapes.get(slot)?.clone()?,
            pose: self.poses[slot],
            residual: self.residuals[slot],
            velocity: self.velocities[slot],
            kind: self.occupancies[slot].kind()?,
            groups: self.groups[slot],
            extra_margin: self.extra_margins[slot],
            part_contacts: self.part_contacts[slot],
            manifolds: self.manifolds[slot],
            swept: self.swept[slot],
            user_data: self.user_data.get(slot),
        })
    }

    /// Whether the broad phase sees the same in a slot of `other`: shape, pose, groups, extra margin.
    pub(crate) fn looks_alike(&self, other: &Self, slot: usize) -> bool {
        let same_shape =
            Arc::ptr_eq(&self.shapes, &other.shapes) || self.shapes[slot] == other.shapes[slot];
        same_shape
            && self.occupancies[slot] == other.occupancies[slot]
            && self.poses[slot] == other.poses[slot]
            && self.groups[slot] == other.groups[slot]
            && self.extra_margins[slot] == other.extra_margins[slot]
    }

    /// Bytes held, without the list of shapes.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.poses)
            + bytes(&self.residuals)
            + bytes(&self.velocities)
            + self.groups.memory()
            + self.extra_margins.memory()
            + self.part_contacts.memory()
            + self.manifolds.memory()
            + self.swept.memory()
            + bytes(&self.occupancies)
            + bytes(&self.generations)
            + self.user_data.memory()
            + self.removed.memory()
            + self.ignored.memory()
    }
}
