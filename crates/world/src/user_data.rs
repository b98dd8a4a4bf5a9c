//! A number that the caller attaches to each body.

use std::collections::HashMap;

use clearance_math::internal::heap_sort;

use crate::BodyId;
use crate::reserve::{bytes, cut};

/// The user data of all slots: zero in every slot that has no row.
///
/// Programs that attach nothing pay nothing.
#[derive(Default)]
pub(crate) struct UserData {
    rows: Vec<u64>,
}

impl UserData {
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> u64 {
        self.rows.get(slot).copied().unwrap_or(0)
    }

    pub(crate) fn set(&mut self, slot: usize, value: u64) {
        if let Some(row) = self.rows.get_mut(slot) {
            *row = value;
        } else if value != 0 {
            self.rows.resize(slot, 0);
            self.rows.push(value);
        }
    }

    /// Leaves out the rows from `rows` on, all of which are zero, and gives back the memory beyond
    /// `capacity` rows.
    pub(crate) fn cut_down(&mut self, rows: usize, capacity: usize) {
        cut(&mut self.rows, rows, capacity);
    }

    /// The rows up to the last one that is not zero.
    fn trimmed(&self) -> &[u64] {
        let last = self.rows.iter().rposition(|&row| row != 0);
        &self.rows[..last.map_or(0, |last| last + 1)]
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.rows)
    }
}

/// Rows of zeros at the end are as good as no rows.
impl PartialEq for UserData {
    fn eq(&self, other: &Self) -> bool {
        self.trimmed() == other.trimmed()
    }
}

impl core::fmt::Debug for UserData {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.trimmed()).finish()
    }
}

/// Copies into the capacity that is there.
impl Clone for UserData {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.rows.clone_from(&source.rows);
    }
}

/// Memory for so many removals is never given back.
const FEW_REMOVALS: usize = 64;

/// Memory for so many times the removals of a step is given back.
const MUCH_SPARE: usize = 8;

/// The user data of removed bodies, as long as events may name them.
///
/// The step after a removal reports the end of the body's contacts, and its events can be read until
/// the step after that one.
#[derive(Default, PartialEq)]
pub(crate) struct RemovedBodies {
    /// Those removed since the last step.
    pub(crate) since_step: HashMap<BodyId, u64>,
    /// Those removed between the last two steps.
    pub(crate) before_step: HashMap<BodyId, u64>,
}

impl RemovedBodies {
    pub(crate) fn add(&mut self, id: BodyId, user_data: u64) {
        self.since_step.insert(id, user_data);
    }

    pub(crate) fn get(&self, id: BodyId) -> Option<u64> {
        let found = self.since_step.get(&id);
        found.or_else(|| self.before_step.get(&id)).copied()
    }

    /// A step was made: forgets the bodies that its events cannot name.
    pub(crate) fn step(&mut self) {
        core::mem::swap(&mut self.since_step, &mut self.before_step);
        self.since_step.clear();
        give_back(&mut self.since_step, self.before_step.len());
    }

    /// Bytes held, about.
    pub(crate) fn memory(&self) -> usize {
        let entries = self.since_step.capacity() + self.before_step.capacity();
        entries * size_of::<(BodyId, u64)>()
    }
}

/// Copies into the capacity that is there.
impl Clone for RemovedBodies {
    fn clone(&self) -> Self {
        Self {
            since_step: self.since_step.clone(),
            before_step: self.before_step.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        // The `clone_from` of a map allocates where the capacities differ.
        copy(&source.since_step, &mut self.since_step);
        copy(&source.before_step, &mut self.before_step);
    }
}

fn copy(source: &HashMap<BodyId, u64>, copy: &mut HashMap<BodyId, u64>) {
    copy.clear();
    give_back(copy, source.len());
    copy.extend(source);
}

/// Gives memory back that a crowd needed; a steady number of removals keeps its own.
fn give_back(list: &mut HashMap<BodyId, u64>, needed: usize) {
    if list.capacity() > FEW_REMOVALS.max(MUCH_SPARE * needed) {
        list.shrink_to(2 * needed);
    }
}

/// Sorted, so that equal states print equal texts.
impl core::fmt::Debug for RemovedBodies {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let sorted = |list: &HashMap<BodyId, u64>| {
            let mut sorted: Vec<(BodyId, u64)> =
                list.iter().map(|(&id, &data)| (id, data)).collect();
            heap_sort(&mut sorted, |one, other| one < other);
            sorted
        };
        let [since_step, before_step] = [&self.since_step, &self.before_step].map(sorted);
        f.debug_struct("RemovedBodies")
            .field("since_step", &since_step)
            .field("before_step", &before_step)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_were_never_written_are_zero_and_zeros_at_the_end_do_not_count() {
        let (mut one, mut other) = (UserData::default(), UserData::default());
        one.set(7, 0);
        assert_eq!(one.memory(), 0);
        one.set(3, 5);
        other.set(3, 5);
        other.set(9, 1);
        assert_ne!(one, other);
        other.set(9, 0);
        assert_eq!(one, other);
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
        assert_eq!([2, 3, 4, 99].map(|slot| one.get(slot)), [0, 5, 0, 0]);
    }
}
