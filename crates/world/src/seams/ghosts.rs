//! Which of the contacts that are covered are ghosts.

use super::Covered;
use super::components::Components;
use crate::columns::bytes;
use crate::reserve::{Need, cut_down};

/// Tells ghosts from contacts that cover each other; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Ghosts {
    /// By contact, whether it is covered and not known to be a ghost.
    is_open: Vec<bool>,
    /// What takes the place of contacts that are open, where that is open, too.
    edges: Vec<(u32, u32)>,
    components: Components,
}

impl Ghosts {
    /// Marks the ghosts. `covered` is sorted.
    ///
    /// A contact is a ghost if something covers it, and each contact that takes its place either is not covered, or was
    /// found to be a ghost before: then somebody else stands where it stood. A corner on the seam of two movable boxes
    /// is covered as each of the boxes sees it, by the other; both contacts stay.
    ///
    /// Those that are left cover each other in circles. They stay, but for those that lead to a circle without being
    /// part of it.
    pub(super) fn mark(&mut self, covered: &[Covered], ghosts: &mut [bool]) {
        self.is_open.clear();
        self.is_open.resize(ghosts.len(), false);
        for cover in covered {
            self.is_open[cover.contact as usize] = true;
        }
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for Covered { contact, instead } in covered {
                let contact = *contact as usize;
                let are_open = instead.map(|other| self.is_open[other as usize]);
                if self.is_open[contact] && are_open == [false; 2] {
                    self.is_open[contact] = false;
                    ghosts[contact] = true;
                    is_done = false;
                }
            }
        }
        let Self {
            is_open,
            edges,
            components,
        } = self;
        let open = |contact: &u32| is_open[*contact as usize];
        edges.clear();
        for Covered { contact, instead } in covered {
            let instead = instead.iter().filter(|other| open(contact) && open(other));
            edges.extend(instead.map(|&other| (*contact, other)));
        }
        if !edges.is_empty() {
            edges.sort_unstable();
            components.for_each_above_another(ghosts.len(), edges, |place| ghosts[place] = true);
        }
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.is_open, need.part_contacts);
        cut_down(&mut self.edges, 2 * need.covers);
        self.components.cut_down(need);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.is_open) + bytes(&self.edges) + self.components.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ghosts(count: usize, covered: &[(u32, [u32; 2])]) -> Vec<usize> {
        let mut covered: Vec<_> = covered
            .iter()
            .map(|&(contact, instead)| Covered { contact, instead })
            .collect();
        covered.sort_unstable();
        let mut marks = vec![false; count];
        Ghosts::default().mark(&covered, &mut marks);
        (0..count).filter(|&place| marks[place]).collect()
    }

    #[test]
    fn chains_that_end_at_what_stays_are_ghosts() {
        assert_eq!(
            ghosts(4, &[(3, [2, 2]), (2, [1, 1]), (1, [0, 0])]),
            [1, 2, 3]
        );
        // Whatever else covers them.
        assert_eq!(ghosts(3, &[(1, [2, 2]), (2, [1, 1]), (2, [0, 0])]), [1, 2]);
    }

    #[test]
    fn what_covers_each_other_stays_and_what_leads_there_does_not() {
        assert_eq!(ghosts(3, &[(0, [1, 1]), (1, [0, 0]), (2, [1, 1])]), [2]);
        // Both that take the place must be there.
        assert_eq!(ghosts(3, &[(0, [1, 2]), (1, [0, 2])]), []);
        assert_eq!(ghosts(3, &[(0, [1, 2])]), [0]);
    }
}
