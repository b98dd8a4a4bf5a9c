//! Three worlds and the model, stepped together.

use core::fmt::Debug;

use clearance_math::{Aabb, PoseResidual, Real};
use clearance_world::{
    Backend, Body, BodyId, BodyKind, BodyMut, BodyPair, Contact, Groups, Options, Snapshot,
    Velocity, World, WorldError,
};

use super::history::{History, Saved, events, stored};
use super::measured::{bits, first_difference};
use super::model::{Model, is_extent, is_velocity};
use super::operation::{AboutPairs, Operation};
use super::rebuild::surface_contacts;
use crate::dimension::Dimension;

const BACKENDS: [Backend; 3] = [Backend::Bvh, Backend::RTree, Backend::BruteForce];

/// Every so many operations a world is made anew from the bodies.
const OPERATIONS_PER_REBUILD: usize = 8;

/// Worlds of each broad phase, and what they must be like.
pub(super) struct Twins<V: Dimension> {
    pub(super) worlds: Vec<World<V>>,
    pub(super) model: Model<V>,
    history: History<V>,
    saved: Option<Box<Saved<V>>>,
    /// What was done, for the message.
    done: Vec<Operation<V>>,
}

impl<V: Dimension> Twins<V> {
    pub(super) fn new(margin: Real) -> Self {
        Self {
            worlds: BACKENDS.map(|backend| new_world(margin, backend)).into(),
            model: Model::new(margin),
            history: History::new(),
            saved: None,
            done: Vec::new(),
        }
    }

    pub(super) fn model(&self) -> &Model<V> {
        &self.model
    }

    /// Whether rounding left it open which bodies met in the last step, so that nothing more can be told.
    pub(super) fn is_open(&self) -> bool {
        self.model.impacts.are_open
    }

    /// Does it to all worlds and to the model, and compares them.
    pub(super) fn apply(&mut self, operation: Operation<V>) {
        self.done.push(operation.clone());
        let steps = matches!(operation, Operation::Step(_));
        let rebuilds = steps && self.done.len().is_multiple_of(OPERATIONS_PER_REBUILD);
        let fresh = rebuilds.then(|| self.rebuilt());
        let accepted = self.perform(&operation);
        let stepped = match operation {
            Operation::Step(dt) if accepted => Some(dt),
            _ => None,
        };
        if self.is_open() {
            return;
        }
        if stepped.is_some() {
            self.history.step(self.worlds[0].contacts());
            self.model.surface = surface_contacts(&self.worlds[0]);
            self.check_surface();
        }
        for world in &self.worlds {
            self.compare(world);
            self.compare_impacts(world);
        }
        if let (Some(dt), Some(fresh)) = (stepped, fresh)
            && !self.model.impacts.are_news
        {
            self.compare_rebuilt(fresh, dt);
        }
    }

    /// Whether the operation was accepted.
    fn perform(&mut self, operation: &Operation<V>) -> bool {
        let model = &mut self.model;
        match operation {
            Operation::Insert(body) => {
                let expected = model.insert((**body).clone());
                self.each(expected, |world| world.insert((**body).clone()))
            }
            Operation::Remove(id) => {
                let expected = model.remove(*id);
                self.each(expected, |world| world.remove(*id))
            }
            Operation::SetPose(id, pose) => {
                let expected = model.edit(*id, pose.checked().is_ok(), |body| {
                    body.pose = *pose;
                    body.residual = PoseResidual::none();
                });
                self.try_each_body(*id, expected, |body| body.set_pose(*pose))
            }
            Operation::SetVelocity(id, velocity) => {
                let body = model.bodies().get(id);
                let is_moving = body.is_some_and(|body| body.kind == BodyKind::Moving);
                let is_none = *velocity == Velocity::default();
                let allowed = is_velocity(*velocity) && (is_moving || is_none);
                let expected = model.edit(*id, allowed, |body| body.velocity = *velocity);
                self.try_each_body(*id, expected, |body| body.set_velocity(*velocity))
            }
            Operation::SetShape(id, shape) => {
                let expected = model.edit(*id, true, |body| body.shape = (**shape).clone());
                self.each_body(*id, expected, |body| body.set_shape((**shape).clone()))
            }
            Operation::SetGroups(id, groups) => {
                let expected = model.edit(*id, true, |body| body.groups = *groups);
                self.each_body(*id, expected, |body| body.set_groups(*groups))
            }
            Operation::SetKind(id, kind) => {
                let expected = model.edit(*id, true, |body| body.kind = *kind);
                self.each_body(*id, expected, |body| body.set_kind(*kind))
            }
            Operation::SetExtraMargin(id, extra) => {
                let expected =
                    model.edit(*id, is_extent(*extra), |body| body.extra_margin = *extra);
                self.try_each_body(*id, expected, |body| body.set_extra_margin(*extra))
            }
            Operation::SetUserData(id, user_data) => {
                let expected = model.edit(*id, true, |body| body.user_data = *user_data);
                self.each_body(*id, expected, |body| body.set_user_data(*user_data))
            }
            Operation::AboutPairs(operation) => self.perform_about_pairs(*operation),
            Operation::SetMargin(margin) => {
                let expected = is_extent(*margin).then(|| model.margin = *margin);
                self.set_options(expected, |options| options.margin = *margin)
            }
            Operation::Step(dt) => {
                let expected = model.step(*dt);
                self.each(expected, |world| world.step(*dt))
            }
            Operation::BodiesInBox(bounds) => self.ask_for_bodies(bounds),
            Operation::Keep => self.keep(),
            Operation::Restore => self.restore(|snapshot| Some(snapshot.clone())),
            Operation::RestoreStored(damage) => self.restore(|snapshot| stored(snapshot, *damage)),
        }
    }

    /// Whether the operation was accepted.
    fn perform_about_pairs(&mut self, operation: AboutPairs) -> bool {
        let model = &mut self.model;
        match operation {
            AboutPairs::Ignore(a, b) => {
                let expected = model.set_ignored(a, b, true);
                self.each(expected, |world| world.ignore_pair(a, b))
            }
            AboutPairs::Unignore(a, b) => {
                let expected = model.set_ignored(a, b, false);
                self.each(expected, |world| world.unignore_pair(a, b))
            }
            AboutPairs::SetFilter(rule) => {
                model.rule = rule;
                self.worlds.iter_mut().for_each(|world| rule.install(world));
                true
            }
            AboutPairs::SetSwept(id, is_swept) => {
                let expected = model.edit(id, true, |body| body.swept = is_swept);
                self.each_body(id, expected, |body| body.set_swept(is_swept))
            }
            AboutPairs::SetSurfaceContacts(are_wanted) => {
                model.surface_contacts = are_wanted;
                self.set_options(Some(()), |options| options.surface_contacts = are_wanted)
            }
            AboutPairs::SetPartContacts(Some(id), wanted) => {
                let expected = model.edit(id, true, |body| body.part_contacts = wanted);
                self.each_body(id, expected, |body| body.set_part_contacts(wanted))
            }
            AboutPairs::SetPartContacts(None, wanted) => {
                model.part_contacts = wanted;
                self.set_options(Some(()), |options| options.part_contacts = wanted)
            }
        }
    }

    /// Whether all worlds accepted other options, as expected.
    fn set_options(&mut self, expected: Option<()>, change: impl Fn(&mut Options)) -> bool {
        self.each(expected, |world| {
            let mut options = world.options();
            change(&mut options);
            world.set_options(options)
        })
    }

    /// All worlds are in the same state, which is saved.
    fn keep(&mut self) -> bool {
        let snapshot = self.worlds[0].snapshot();
        for world in &self.worlds {
            self.demand(world.snapshot() == snapshot, || "another state".to_owned());
        }
        self.saved = Some(Box::new(Saved {
            snapshot,
            model: self.model.clone(),
            history: self.history.clone(),
        }));
        true
    }

    /// Brings worlds and model back to the saved state by what `read` makes of the snapshot: the same,
    /// or nothing if it was damaged.
    fn restore(&mut self, read: impl FnOnce(&Snapshot<V>) -> Option<Snapshot<V>>) -> bool {
        let Some(saved) = &self.saved else {
            return false;
        };
        let Some(snapshot) = read(&saved.snapshot) else {
            let is_damaged = matches!(self.done.last(), Some(Operation::RestoreStored(Some(_))));
            self.demand(is_damaged, || "refused".to_owned());
            return false;
        };
        self.demand(snapshot == saved.snapshot, || "changed".to_owned());
        for world in &mut self.worlds {
            world.restore(&snapshot);
        }
        let rule = self.model.rule;
        self.model = saved.model.clone();
        self.model.rule = rule;
        self.history = saved.history.clone();
        true
    }

    /// Asks all worlds, which must answer as expected, or all refuse with the same words.
    fn each<T: Debug + PartialEq>(
        &mut self,
        expected: Option<T>,
        query: impl Fn(&mut World<V>) -> Result<T, WorldError>,
    ) -> bool {
        let answers: Vec<Result<T, WorldError>> = self.worlds.iter_mut().map(query).collect();
        let words = |answer: &Result<T, WorldError>| answer.as_ref().err().map(ToString::to_string);
        for answer in &answers {
            let right =
                answer.as_ref().ok() == expected.as_ref() && words(answer) == words(&answers[0]);
            self.demand(right, || format!("{answers:?}, expected {expected:?}"));
        }
        expected.is_some()
    }

    /// [`Self::each`] for a change of a body.
    fn try_each_body(
        &mut self,
        id: BodyId,
        expected: Option<()>,
        change: impl Fn(&mut BodyMut<'_, V>) -> Result<(), WorldError>,
    ) -> bool {
        self.each(expected, |world| change(&mut world.body_mut(id)?))
    }

    /// [`Self::each`] for a change of a body that is refused only if the body is not there.
    fn each_body(
        &mut self,
        id: BodyId,
        expected: Option<()>,
        change: impl Fn(&mut BodyMut<'_, V>),
    ) -> bool {
        self.try_each_body(id, expected, |body| {
            change(body);
            Ok(())
        })
    }

    fn ask_for_bodies(&self, bounds: &Aabb<V>) -> bool {
        let is_inside = |body: &Body<V>| body.shape.bounds(&body.pose).overlaps(bounds);
        let bodies = self.model.bodies().iter();
        // As all questions, it is about what meets anything at all.
        let counts = |body: &Body<V>| body.groups.pairs_with(Groups::ALL);
        let inside =
            bodies.filter(|(_, body)| !bounds.is_empty() && counts(body) && is_inside(body));
        let expected: Vec<BodyId> = inside.map(|(&id, _)| id).collect();
        for world in &self.worlds {
            let mut found = vec![BodyId::from_parts(7, 7)];
            world.query().in_box_into(bounds, &mut found);
            self.demand(found == expected, || {
                format!("{found:?} in {bounds:?}, expected {expected:?}")
            });
        }
        true
    }

    /// The world holds the bodies of the model, and its contacts.
    fn compare(&self, world: &World<V>) {
        let name = format!("{:?}", world.options().backend);
        if let Err(complaint) = world.validate() {
            panic!("{name}: {complaint}: {}", self.story());
        }
        let bodies = self.model.bodies();
        let is_alike = world.len() == bodies.len() && world.options().margin == self.model.margin;
        self.demand(is_alike, || {
            format!(
                "{name} holds {} bodies, margin {}",
                world.len(),
                world.options().margin
            )
        });
        for (body, (&id, expected)) in world.bodies().zip(bodies) {
            let same = body.id() == id && body.to_body() == *expected;
            self.demand(same, || {
                format!("{name} holds {body:?}, not {id} {expected:?}")
            });
        }
        for generation in [0, 1] {
            let gone = |slot| BodyId::from_parts(slot, generation);
            let wrong = (0..4)
                .map(gone)
                .find(|id| world.contains(*id) != bodies.contains_key(id));
            self.demand(wrong.is_none(), || format!("{name} mistakes {wrong:?}"));
        }
        let ignored = self.model.ignored().iter().copied();
        self.demand(world.ignored_pairs().eq(ignored), || {
            format!("{name} ignores other pairs")
        });
        for event in world.events() {
            let BodyPair { a, b } = event.contact.pair();
            let expected = [a, b].map(|id| self.model.user_data(id));
            let found = [event.user_data_a, event.user_data_b].map(Some);
            self.demand(found == expected, || {
                format!("{name}: {event:?}, expected {expected:?}")
            });
        }
        let (events, expected) = (events(world), self.history.reported());
        self.demand(events == expected, || {
            format!("{name} reports {events:?}, not {expected:?}")
        });
        self.compare_contacts(world.contacts(), &name);
        self.compare_parts(world, &name);
    }

    /// The part contacts are those of the model, of the pairs that are contacts. Half-spaces that overlap
    /// without bound have no others than their contact.
    fn compare_parts(&self, world: &World<V>, name: &str) {
        let parts = world.part_contacts().iter();
        let bounded = parts.filter(|contact| !contact.is_unbounded());
        let parts = bounded.map(|part| (part.a, part.b, bits(&part.separation)));
        let expected = self.model.parts.iter();
        let expected = expected.filter(|(a, b, _)| world.contact_between(*a, *b).is_some());
        self.demand(parts.eq(expected.cloned()), || {
            let (found, expected) = (world.part_contacts(), &self.model.parts);
            format!("{name} has the part contacts {found:?}, expected {expected:?}")
        });
        let wishes = [
            world.options().part_contacts,
            world.options().surface_contacts,
        ];
        let expected = [self.model.part_contacts, self.model.surface_contacts];
        self.demand(wishes == expected, || format!("{name} wants {wishes:?}"));
    }

    /// The contacts are those of the model, and those of the first world bit by bit.
    pub(super) fn compare_contacts(&self, contacts: &[Contact<V>], name: &str) {
        if let Some(difference) = first_difference(contacts, &self.model.contacts) {
            panic!("{name} has {difference}: {}", self.story());
        }
        let first = self.worlds[0].contacts();
        let alike = contacts.len() == first.len()
            && contacts.iter().zip(first).all(|(one, other)| {
                (one.a, one.b) == (other.a, other.b)
                    && bits(&one.separation) == bits(&other.separation)
            });
        self.demand(alike, || {
            format!("{name} has {contacts:?}, the first {first:?}")
        });
    }

    /// Fails with what is wrong and what was done if this does not hold.
    pub(super) fn demand(&self, holds: bool, what: impl FnOnce() -> String) {
        assert!(holds, "{}: {}", what(), self.story());
    }

    /// What was done, an operation a line.
    pub(super) fn story(&self) -> String {
        let lines = self
            .done
            .iter()
            .map(|operation| format!("\n  {operation:?}"));
        format!("margin, then{}", lines.collect::<String>())
    }
}

pub(super) fn new_world<V: Dimension>(margin: Real, backend: Backend) -> World<V> {
    let options = Options {
        margin,
        backend,
        ..Options::default()
    };
    match World::new(options) {
        Ok(world) => world,
        Err(error) => panic!("{error}: {options:?}"),
    }
}
