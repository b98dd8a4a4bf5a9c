//! What the fourth stage finds of the selected pairs, and how the last stage puts it into the report.

use clearance_math::Vector;

use super::impacts::{ImpactBuffers, Ways};
use super::manifolds::{Known, ManifoldBuffers};
use super::measure::{IsLeft, Measuring};
use super::parts::PartBuffers;
use super::seams::find_ghosts;
use super::select::Selection;
use crate::report::changes::{Changes, Found};
use crate::report::lists::Report;
use crate::reserve::Need;
use crate::seams::SeamBuffers;

/// What was found of the selected pairs. Kept between steps for its memory.
#[derive(Clone, Default)]
pub(crate) struct Findings<V: Vector> {
    /// The contacts among the selected pairs.
    contacts: Found<V>,
    /// Where the list of contacts changes.
    changes: Changes,
    /// The impacts of swept bodies.
    impacts: ImpactBuffers<V>,
    /// The contacts of parts.
    parts: PartBuffers<V>,
    /// The contact manifolds.
    manifolds: ManifoldBuffers<V>,
    /// For the ghosts among the contacts of parts.
    seams: SeamBuffers<V>,
}

impl<V: Vector> Findings<V> {
    /// The fourth stage. It measures each selected pair, and those within range are contacts. Pairs that met on their
    /// ways are contacts, too, where one of the bodies is swept. Then it finds the contacts of parts that are wanted.
    pub(crate) fn measure(
        &mut self,
        measuring: &Measuring<'_, V>,
        ways: &Ways<'_, V>,
        selection: Selection<'_>,
    ) {
        let (pairs, contacts) = (selection.pairs(), &mut self.contacts);
        let last = &ways.before.manifolds;
        self.parts.measure_first(measuring, last, pairs);
        let is_left = |pair| !self.parts.have_contact_of(measuring, pair);
        let is_left: IsLeft<'_> = &is_left;
        if measuring.want_no_manifolds() {
            self.manifolds.clear();
            let are_all_left = self.parts.have_none();
            measuring.contacts(pairs, (!are_all_left).then_some(is_left), contacts);
        } else {
            let known = Known { last, is_left };
            self.manifolds.measure(measuring, &known, pairs, contacts);
        }
        self.parts.put_contacts(contacts);
        (self.impacts).measure(ways, measuring.threads, pairs, contacts);
        self.parts.measure_others(measuring, &contacts.items);
        self.manifolds.take_parts(self.parts.manifolds());
    }

    /// How many pairs were looked at on their ways.
    pub(crate) fn swept_pairs(&self) -> usize {
        self.impacts.swept_pairs()
    }

    /// For how many of them it was left open whether they met.
    pub(crate) fn open_impacts(&self) -> usize {
        self.impacts.open()
    }

    /// For how many of the measured pairs part contacts are not complete.
    pub(crate) fn incomplete_parts(&self) -> usize {
        self.parts.incomplete()
    }

    /// The last stage: puts everything that was found into the report. The contacts of all other pairs stay.
    ///
    /// Where it is wanted, ghosts at seams are told from the other part contacts, and the manifolds are brought up to date.
    pub(crate) fn report(
        &mut self,
        measuring: &Measuring<'_, V>,
        selection: Selection<'_>,
        to: &mut Report<V>,
    ) {
        self.impacts.report(&mut to.impacts);
        self.parts.report(selection, &mut to.parts);
        if measuring.wants_surface {
            find_ghosts(selection, measuring.bodies, &mut self.seams, to);
        }
        match selection {
            Selection::None => to.keep_all(),
            Selection::Some { changed, .. } => {
                to.replace_some(&self.contacts, changed, &mut self.changes);
            }
            Selection::All(_) => to.replace_all(&mut self.contacts),
        }
        self.manifolds.report(measuring, selection, to);
    }

    /// How many covers the search for ghosts found.
    pub(crate) fn covers(&self) -> usize {
        self.seams.covers()
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        self.contacts.cut_down(need.contacts);
        self.changes.cut_down(need.changes);
        self.impacts.cut_down(need);
        self.parts.cut_down(need);
        self.manifolds.cut_down(need);
        self.seams.cut_down(need);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.contacts.memory()
            + self.changes.memory()
            + self.impacts.memory()
            + self.parts.memory()
            + self.manifolds.memory()
            + self.seams.memory()
    }
}
