//! Which bodies changed since the last step.

use clearance_math::{Pose, PoseResidual, PreciseVector, Real, Rotation, Vector};

use super::{Bodies, MovedPose};

/// If more than one slot in this many changed, looking at all is faster than sorting.
const SCAN_SHARE: usize = 16;

impl<V: Vector> Bodies<V> {
    /// The slots that changed since the last step.
    pub(crate) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Lists `slot` for the broad phase to catch up with in the next step.
    pub(crate) fn mark_changed(&mut self, slot: usize) {
        let state = &mut self.states[slot];
        state.is_only_edited = false;
        if !state.is_changed {
            state.is_changed = true;
            self.changed.push(slot as u32);
        } else if state.is_told {
            state.is_told = false;
            self.changed_again.push(slot as u32);
        }
    }

    /// As [`Self::mark_changed`] where cells of the shape changed, but nothing on which its contacts with others depend than those
    /// near the cells, which are given: only the pairs of these have to be measured.
    pub(crate) fn mark_edited(&mut self, slot: usize, near: &[u32]) {
        if self.is_wholly_changed(slot) {
            return;
        }
        self.mark_changed(slot);
        self.states[slot].is_only_edited = true;
        self.near_edits.extend_from_slice(near);
    }

    /// Whether a slot changed since the last step.
    pub(crate) fn has_changed(&self, slot: usize) -> bool {
        self.states[slot].is_changed
    }

    /// Whether all pairs of a slot have to be measured.
    pub(crate) fn is_wholly_changed(&self, slot: usize) -> bool {
        let state = self.states[slot];
        state.is_changed && !state.is_only_edited
    }

    /// The slots of which only cells changed since the last step.
    pub(crate) fn only_edited(&self) -> impl Iterator<Item = u32> {
        let changed = self.changed.iter().copied();
        changed.filter(|&slot| self.states[slot as usize].is_only_edited)
    }

    /// The slots all of whose pairs have to be measured.
    pub(crate) fn to_be_measured(&self) -> impl Iterator<Item = u32> {
        let changed = self.changed.iter().copied();
        let wholly = changed.filter(|&slot| self.is_wholly_changed(slot as usize));
        // After a restore there may be fewer slots.
        let near = self.near_edits.iter().copied();
        wholly.chain(near.filter(|&slot| (slot as usize) < self.slots()))
    }

    /// The slots of which the broad phase has yet to learn that they changed: it does not know rightly where they are.
    pub(crate) fn stale(&self) -> impl Iterator<Item = usize> {
        let stale = self.changed[self.told..].iter().chain(&self.changed_again);
        stale.map(|&slot| slot as usize)
    }

    /// Whether the broad phase knows of all changes.
    #[inline]
    pub(crate) fn is_none_stale(&self) -> bool {
        self.told == self.changed.len() && self.changed_again.is_empty()
    }

    /// Takes the list of the stale slots, in their order, for the broad phase to be told of: see [`Self::put_told`].
    pub(crate) fn take_stale(&mut self) -> Vec<u32> {
        let mut stale = core::mem::take(&mut self.changed_again);
        stale.extend_from_slice(&self.changed[self.told..]);
        stale.sort_unstable();
        stale
    }

    /// Notes that the broad phase was told of these slots, which were all that were stale.
    pub(crate) fn put_told(&mut self, mut slots: Vec<u32>) {
        for slot in slots.drain(..) {
            self.states[slot as usize].is_told = true;
        }
        self.changed_again = slots;
        self.told = self.changed.len();
    }

    /// Takes the list of the slots that changed since the last step, in their order, and no others are changed until it
    /// is put back.
    pub(crate) fn take_changed(&mut self) -> Vec<u32> {
        self.forget_told();
        self.sort_changed();
        core::mem::take(&mut self.changed)
    }

    /// Puts back what [`Self::take_changed`] took.
    pub(crate) fn put_changed(&mut self, changed: Vec<u32>) {
        self.changed = changed;
    }

    /// Forgets of which changes the broad phase was told, as if it had not been.
    pub(super) fn forget_told(&mut self) {
        for &slot in &self.changed[..self.told] {
            self.states[slot as usize].is_told = false;
        }
        self.told = 0;
        self.changed_again.clear();
    }

    /// As [`Self::mark_changed`], where the body came, went, or is of another kind or in other groups.
    pub(super) fn mark_new_kind(&mut self, slot: usize) {
        self.has_new_kinds = true;
        self.mark_changed(slot);
    }

    /// Whether a slot that changed may be of another kind or in other groups than the broad phase knows.
    pub(crate) fn has_new_kinds(&self) -> bool {
        self.has_new_kinds
    }

    pub(crate) fn mark_all_changed(&mut self) {
        for slot in 0..self.slots() {
            if self.kind(slot).is_some() {
                self.mark_changed(slot);
            }
        }
    }

    /// Notes that the broad phase knows of no body any more.
    pub(crate) fn forget_broad_phase(&mut self) {
        self.forget_told();
        for slot in 0..self.slots() {
            self.states[slot].in_broad_phase = None;
            self.mark_new_kind(slot);
        }
    }

    /// Puts a body at a pose that was given, of which nothing is left over.
    pub(crate) fn set_pose(&mut self, slot: usize, pose: Pose<V>) {
        self.columns.residuals[slot] = PoseResidual::none();
        // A game that sets all poses in each frame must not pay for bodies that stay where they are.
        if !have_same_bits(&self.columns.poses[slot], &pose) {
            self.columns.poses[slot] = pose;
            self.mark_changed(slot);
        }
    }

    /// Puts the moving bodies where they are next, in the order of [`Bodies::moving`], and leaves in `next`
    /// where they were, and what was left over of that.
    ///
    /// A body whose pose stays as it is, but for what is left over, has not changed.
    pub(crate) fn commit_moves(&mut self, next: &mut [MovedPose<V>]) {
        for (place, moved) in next.iter_mut().enumerate() {
            let slot = self.moving[place] as usize;
            core::mem::swap(&mut self.columns.residuals[slot], &mut moved.residual);
            if self.columns.poses[slot] == moved.pose {
                moved.pose = self.columns.poses[slot];
            } else {
                core::mem::swap(&mut self.columns.poses[slot], &mut moved.pose);
                self.mark_changed(slot);
            }
        }
    }

    /// Lists the bodies as changed whose boxes are to be made around the ways of this step, and those of which
    /// they were in the last.
    ///
    /// A body that spins may be where it was before.
    pub(crate) fn mark_swept(&mut self, dt: Real) {
        let mut swept = core::mem::take(&mut self.swept);
        for slot in swept.drain(..) {
            if (slot as usize) < self.slots() {
                self.mark_changed(slot as usize);
            }
        }
        if dt != 0.0 && self.is_any_swept() {
            let moving = self.moving.iter().copied();
            swept.extend(moving.filter(|&slot| self.has_velocity(slot as usize)));
            for &slot in &swept {
                self.mark_changed(slot as usize);
            }
        }
        self.swept = swept;
    }

    /// Puts the list of changes in the order of slots: what lies behind each other in memory is read one
    /// after the other, and threads can have a part each.
    fn sort_changed(&mut self) {
        if self.changed.is_sorted() {
            return;
        }
        if self.changed.len() > self.slots() / SCAN_SHARE {
            let slots = (0..).zip(&self.states);
            let changed = slots.filter(|(_, state)| state.is_changed);
            self.changed.clear();
            self.changed.extend(changed.map(|(slot, _)| slot));
        } else {
            self.changed.sort_unstable();
        }
    }

    /// Forgets what changed: the broad phase knows of it all.
    pub(crate) fn clear_changed(&mut self) {
        for slot in self.changed.drain(..) {
            self.states[slot as usize].is_changed = false;
            self.states[slot as usize].is_only_edited = false;
        }
        self.near_edits.clear();
        self.has_new_kinds = false;
    }
}

/// Whether two poses are equal to the last bit: zeros of both signs differ, as answers may.
fn have_same_bits<V: Vector>(a: &Pose<V>, b: &Pose<V>) -> bool {
    let bits = |pose: &Pose<V>, axis| pose.position().component(axis).to_bits();
    (0..V::DIM).all(|axis| bits(a, axis) == bits(b, axis))
        && a.rotation.to_bits() == b.rotation.to_bits()
}
