//! The part of the fourth stage for pairs of which a body or the world wants the contact manifolds.
//!
//! Of two convex shapes the manifold has the contact in it, so such a pair is measured once, and so is a pair of parts whose
//! contact is wanted (`parts.rs`). All others are measured when it is known which of their contacts count.

mod plan;

use core::iter;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use clearance_broadphase::Key;
use clearance_gjk::internal::{
    PartQuestion, part_manifold, part_manifold_along, part_manifold_each,
};
use clearance_gjk::{Manifold, Proximity, Question, intersects, proximity};
use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector, tolerances};
use clearance_shapes::Shape;

use self::plan::Plan;
use super::impacts::is_of_impact;
use super::measure::{IsLeft, Measuring};
use super::select::Selection;
use crate::pair_key::PairKey;
use crate::queries::BodyManifold;
use crate::report::changes::Found;
use crate::report::lists::Report;
use crate::report::manifolds::{Before, Entry, ManifoldKey, Manifolds};
use crate::report::splice::{Insertion, put_among};
use crate::reserve::{Need, bytes, cut_down};
use crate::slot_set::SlotSet;
use crate::threads::OrderedResults;
use crate::{BodyId, Contact, Impact};

/// How many manifolds a thread takes at a time that are measured on their own.
const IN_CHUNKS_OF: usize = 32;

/// What the search for manifolds needs; kept between steps for its memory.
#[derive(Clone)]
pub(crate) struct ManifoldBuffers<V: Vector> {
    /// The manifolds of pairs of convex shapes, each with its contact; behind them those of parts.
    convex: OrderedResults<BodyManifold<V>, Contact<V>>,
    /// How many are of convex shapes.
    convex_count: usize,
    /// The keys of all of them: those in the manifolds are far from each other in memory.
    keys: Vec<ManifoldKey>,
    /// The contacts of all other pairs, and where they go among those of convex shapes.
    others: Found<V>,
    insertions: Vec<Insertion>,
    /// What the list is to be.
    planned: Vec<Planned>,
    /// The places of manifolds that are replaced or ended.
    freed: Vec<u32>,
    /// The contacts whose manifolds are measured on their own, and those manifolds.
    wanted: Vec<Wanted<V>>,
    found: OrderedResults<BodyManifold<V>, ManifoldKey>,
    entries: Vec<Entry>,
}

impl<V: Vector> Default for ManifoldBuffers<V> {
    fn default() -> Self {
        Self {
            convex: OrderedResults::default(),
            convex_count: 0,
            keys: Vec::new(),
            others: Found::default(),
            insertions: Vec::new(),
            planned: Vec::new(),
            freed: Vec::new(),
            wanted: Vec::new(),
            found: OrderedResults::in_chunks_of(IN_CHUNKS_OF),
            entries: Vec::new(),
        }
    }
}

/// What is known when pairs of convex shapes are measured.
#[derive(Clone, Copy)]
pub(super) struct Known<'a, V: Vector> {
    /// The manifolds of the step before.
    pub(super) last: &'a Manifolds<V>,
    /// Of which pairs the contacts are not known.
    pub(super) is_left: IsLeft<'a>,
}

/// A contact whose manifold is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<V: Vector> {
    pub(crate) contact: Contact<V>,
    /// Whether it takes the place of a ghost.
    pub(crate) is_instead: bool,
}

/// An entry to come.
#[derive(Clone, Copy)]
struct Planned {
    entry: Entry,
    source: Source,
}

/// Where the manifold of an entry to come is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Where it was.
    Kept,
    /// Among those of convex shapes and of parts, at the place of the entry.
    Convex,
    /// Among those that are measured on their own, if there is one.
    Alone,
}

impl<V: Vector> ManifoldBuffers<V> {
    /// Forgets what the last step found.
    pub(super) fn clear(&mut self) {
        self.convex.clear();
        self.keys.clear();
    }

    /// Finds the contacts among `pairs`, in their order, of those whose contacts are not known yet, and the manifolds of those
    /// pairs of convex shapes that want them.
    ///
    /// The manifolds of the step before are overwritten where they are, and not cleared: threads put theirs into their room.
    pub(super) fn measure(
        &mut self,
        measuring: &Measuring<'_, V>,
        known: &Known<'_, V>,
        pairs: &[(Key, Key)],
        contacts: &mut Found<V>,
    ) {
        let &Known { last, is_left } = known;
        let is_other = |pair| !measuring.has_manifold(pair) && is_left(pair);
        let has_others = AtomicBool::new(false);
        let see_other = |pair| {
            if is_other(pair) {
                has_others.store(true, Ordering::Relaxed);
            }
        };
        let work = |places: Range<usize>, found: &mut Vec<BodyManifold<V>>| {
            let mut before = last.before();
            measuring.each_near(&pairs[places], &mut |near| {
                measuring.append_manifolds(near, see_other, &mut before, found);
            });
        };
        (measuring.threads).gather(pairs.len(), &mut self.convex, &work, BodyManifold::contact);
        core::mem::swap(&mut contacts.items, &mut self.convex.keys);
        contacts.keys.clear();
        contacts.keys.extend(contacts.items.iter().map(PairKey::of));
        self.keys.clear();
        let keys = contacts.keys.iter().map(ManifoldKey::without_parts);
        self.keys.extend(keys);
        if has_others.into_inner() {
            measuring.contacts(pairs, Some(&is_other), &mut self.others);
            put_among(contacts, &self.others, &mut self.insertions);
        }
    }

    /// Takes the manifolds that were found with the contacts of parts.
    pub(super) fn take_parts(&mut self, of_parts: &[BodyManifold<V>]) {
        self.convex_count = self.convex.items.len();
        self.keys.extend(of_parts.iter().map(ManifoldKey::of));
        self.convex.items.extend_from_slice(of_parts);
    }

    /// Measures what is left, and brings the list of manifolds up to date with the contacts of the step. Those of pairs that
    /// were not selected stay, unless their contact became a ghost or ceased to be one.
    pub(super) fn report(
        &mut self,
        measuring: &Measuring<'_, V>,
        selection: Selection<'_>,
        to: &mut Report<V>,
    ) {
        let changed = match selection {
            Selection::None => return to.manifolds.keep_all(),
            Selection::Some { changed, .. } => Some(changed),
            Selection::All(_) => None,
        };
        to.manifolds.are_all = measuring.wants_manifolds;
        if measuring.want_no_manifolds() && to.manifolds.len() == 0 {
            return;
        }
        let are_all_convex = self.convex.items.len() == self.convex_count;
        let are_of_all_contacts = are_all_convex && to.contacts.len() == self.convex_count;
        if changed.is_none() && are_of_all_contacts && !measuring.wants_surface {
            return self.list_all(&mut to.manifolds);
        }
        self.plan(measuring, changed, to);
        self.measure_alone(measuring, to);
        self.list(changed.is_none(), &mut to.manifolds);
    }

    /// Lists those of convex shapes where each contact has one.
    fn list_all(&mut self, manifolds: &mut Manifolds<V>) {
        manifolds.replace_places(&mut self.convex.items);
        self.entries.clear();
        let entries = self.keys.iter().zip(0..);
        (self.entries).extend(entries.map(|(&key, place)| Entry::found(key, place)));
        manifolds.replace_entries(&mut self.entries);
    }

    /// Plans the list.
    fn plan(
        &mut self,
        measuring: &Measuring<'_, V>,
        changed: Option<&SlotSet>,
        report: &Report<V>,
    ) {
        self.planned.clear();
        self.freed.clear();
        self.wanted.clear();
        let (convex_count, found_count) = (self.convex_count, self.convex.items.len());
        let mut plan = Plan {
            buffers: self,
            changed,
            are_all_listed: measuring.wants_surface,
            // Where all are measured, none of the last step is kept.
            last: changed.map_or(&[], |_| report.manifolds.entries()),
            next: 0,
            runs: [0..convex_count, convex_count..found_count],
        };
        if measuring.wants_surface {
            for of in report.parts.surface() {
                let contact = *of.contact;
                let is_instead = of.is_instead;
                if measuring.wants_manifold([contact.a, contact.b].map_each(BodyId::index)) {
                    plan.add(Wanted {
                        contact,
                        is_instead,
                    });
                }
            }
        } else {
            report.each_contact_of(changed, &mut |contact| {
                if measuring.wants_manifold([contact.a, contact.b].map_each(BodyId::index)) {
                    plan.add(Wanted {
                        contact: *contact,
                        is_instead: false,
                    });
                }
            });
        }
        plan.finish();
    }

    /// Measures the manifolds that were not found with the contacts. A pair that met on its way and is out of range has
    /// none.
    fn measure_alone(&mut self, measuring: &Measuring<'_, V>, last: &Report<V>) {
        let Self { wanted, found, .. } = self;
        let work = |places: Range<usize>, found: &mut Vec<BodyManifold<V>>| {
            let mut before = last.manifolds.before();
            for wanted in &wanted[places] {
                found.extend(measuring.manifold_alone(wanted, &last.impacts, &mut before));
            }
        };
        (measuring.threads).gather(wanted.len(), found, &work, ManifoldKey::of);
    }

    /// Makes the list that was planned.
    fn list(&mut self, are_all_new: bool, manifolds: &mut Manifolds<V>) {
        if are_all_new {
            manifolds.replace_places(&mut self.convex.items);
        } else {
            manifolds.free(&self.freed);
        }
        self.entries.clear();
        let mut alone = self.found.keys.iter().zip(&self.found.items).peekable();
        for &Planned { mut entry, source } in &self.planned {
            match source {
                Source::Kept => entry = manifolds.kept(entry),
                Source::Convex if are_all_new => {}
                Source::Convex => {
                    entry.place = manifolds.put(&self.convex.items[entry.place as usize]);
                }
                Source::Alone => match alone.next_if(|(key, _)| **key == entry.key) {
                    Some((_, found)) => entry.place = manifolds.put(found),
                    None => continue,
                },
            }
            self.entries.push(entry);
        }
        manifolds.replace_entries(&mut self.entries);
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        self.convex.cut_down(need.manifolds);
        cut_down(&mut self.keys, need.manifolds);
        self.others.cut_down(need.contacts);
        cut_down(&mut self.insertions, need.contacts);
        cut_down(&mut self.planned, need.manifolds);
        cut_down(&mut self.freed, need.manifolds);
        cut_down(&mut self.wanted, need.manifolds);
        self.found.cut_down(need.manifolds);
        cut_down(&mut self.entries, need.manifolds);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.convex.memory()
            + bytes(&self.keys)
            + self.others.memory()
            + bytes(&self.insertions)
            + bytes(&self.planned)
            + bytes(&self.freed)
            + bytes(&self.wanted)
            + self.found.memory()
            + bytes(&self.entries)
    }
}

impl<V: Vector> Measuring<'_, V> {
    /// Whether no pair is to have a manifold.
    pub(super) fn want_no_manifolds(&self) -> bool {
        !self.wants_manifolds && self.bodies.columns.manifolds.are_none()
    }

    /// Whether the pair of the bodies in two slots is to have manifolds.
    pub(super) fn wants_manifold(&self, [a, b]: [Key; 2]) -> bool {
        let wishes = &self.bodies.columns.manifolds;
        self.wants_manifolds || wishes[a as usize] || wishes[b as usize]
    }

    /// Whether the manifold of a pair is found with its contact: two convex shapes have one wherever they are in range.
    pub(super) fn has_manifold(&self, (a, b): (Key, Key)) -> bool {
        let shapes = &self.bodies.columns.shapes;
        let are_convex = matches!(
            (&shapes[a as usize], &shapes[b as usize]),
            (
                Some(Shape::Convex(_)),
                Some(Shape::Convex(_) | Shape::HalfSpace(_))
            ) | (Some(Shape::HalfSpace(_)), Some(Shape::Convex(_)))
        );
        are_convex && self.wants_manifold([a, b])
    }

    /// Appends the manifolds of those pairs that have one and are within range. All others are shown to `see_other`.
    fn append_manifolds(
        &self,
        pairs: &[(Key, Key)],
        see_other: impl Fn((Key, Key)),
        before: &mut Before<'_, V>,
        found: &mut Vec<BodyManifold<V>>,
    ) {
        let ask = |&pair: &(Key, Key)| {
            if self.has_manifold(pair) {
                return self.part_question(pair, [0; 2]);
            }
            see_other(pair);
            None
        };
        part_manifold_each(pairs, ask, |&pair, asked, manifold| {
            let Some(manifold) = manifold else {
                return;
            };
            let poses = [asked.question.a.pose, asked.question.b.pose];
            let bodies = [pair.0, pair.1].map_each(|slot| self.bodies.id(slot as usize));
            // Space is made first, so that it is copied straight to its place.
            found.extend(iter::once_with(|| {
                BodyManifold::new(bodies, manifold, poses)
            }));
            if let Some(found) = found.last_mut() {
                before.fill(found, self.go_on_within(pair));
            }
        });
    }

    /// The manifold of a contact, if it is still in range.
    fn manifold_alone(
        &self,
        wanted: &Wanted<V>,
        impacts: &[Impact<V>],
        before: &mut Before<'_, V>,
    ) -> Option<BodyManifold<V>> {
        let contact = &wanted.contact;
        let pair = (contact.a.index(), contact.b.index());
        let parts = [contact.separation.part_a, contact.separation.part_b];
        let asked = self.part_question(pair, parts)?;
        let manifold = wanted.manifold(asked, |question| {
            !is_of_impact(contact, impacts) || is_in_range(question)
        })?;
        let poses = [asked.question.a.pose, asked.question.b.pose];
        let mut found = BodyManifold::new([contact.a, contact.b], &manifold, poses);
        before.fill(&mut found, self.go_on_within(pair));
        Some(found)
    }

    #[inline(always)]
    fn part_question(&self, pair: (Key, Key), parts: [u32; 2]) -> Option<PartQuestion<'_, V>> {
        Some(PartQuestion {
            question: self.question(pair)?,
            parts,
            hint: self.hints.of(pair),
        })
    }

    /// How far apart points may be of which one goes on from the other, unless they have the same features.
    pub(super) fn go_on_within(&self, (a, b): (Key, Key)) -> Real {
        let spheres = self.bodies.columns.shapes.bounding_spheres();
        let [a, b] = [a, b].map_each(|slot| spheres[slot as usize].radius);
        tolerances::POINTS_GO_ON * a.min(b)
    }
}

impl<V: Vector> Wanted<V> {
    /// The manifold of the contact at the present poses: along its normal if it takes the place of a ghost, or if a shape has
    /// an inside, since how deep that is overlapped does not follow from two parts.
    pub(crate) fn manifold(
        &self,
        asked: PartQuestion<'_, V>,
        is_in_range: impl FnOnce(&Question<'_, V>) -> bool,
    ) -> Option<Manifold<V>> {
        if !(self.is_instead || is_of_solids(&asked)) {
            return part_manifold(asked);
        }
        // Parts have a distance along a normal wherever they are.
        let are_near = is_in_range(&asked.question);
        are_near.then(|| part_manifold_along(asked, self.contact.separation.normal))?
    }
}

/// Whether two shapes are as near as is asked. How deep they overlap is not looked for, which takes long for solids.
pub(crate) fn is_in_range<V: Vector>(&Question { a, b, within }: &Question<'_, V>) -> bool {
    let near = || proximity(a, b, within).ok().and_then(Proximity::near);
    intersects(a, b).unwrap_or(false) || near().is_some_and(|near| near.distance <= within)
}

/// Whether a shape has an inside.
pub(crate) fn is_of_solids<V: Vector>(asked: &PartQuestion<'_, V>) -> bool {
    are_of_solids(&asked.question)
}

/// Whether one of two shapes has an inside.
pub(super) fn are_of_solids<V: Vector>(question: &Question<'_, V>) -> bool {
    let sides = [&question.a, &question.b];
    sides.iter().any(|side| side.shape.has_solid())
}
