//! One frame.

use clearance_math::{Real, Vector, compile_once};

use crate::error::is_finite_and_not_negative;
use crate::profile::{Methods, Stopwatch};
use crate::reserve::Need;
use crate::slots::LastStep;
use crate::{Profile, World, WorldError, stages};

impl<V: Vector> World<V> {
    /// Moves the bodies by `dt` seconds and finds all contacts.
    ///
    /// A step of 0 seconds moves nothing and brings the contacts up to date after changes. In a
    /// steady frame on one thread nothing is allocated. The cost follows what moved: fixed bodies
    /// are not looked at unless something comes near them.
    ///
    /// # Errors
    /// A `dt` that is negative, NaN or infinite; a body that would leave the range of numbers.
    pub fn step(&mut self, dt: Real) -> Result<(), WorldError> {
        step(self, dt)
    }

    fn step_generic(&mut self, dt: Real) -> Result<(), WorldError> {
        if !is_finite_and_not_negative(dt) {
            return Err(WorldError::TimeStep { value: dt });
        }
        let (threads, slots) = (self.threads.clone(), self.bodies.slots());
        threads.awake(slots, || self.frame(dt))
    }

    /// The stages, in order: move, bound, pair, measure, report.
    fn frame(&mut self, dt: Real) -> Result<(), WorldError> {
        let mut profile = Profile::default();
        let mut watch = Stopwatch::new(self.clock);
        let Self {
            bodies,
            broad_phase,
            threads,
            buffers,
            pair_filter,
            ..
        } = self;

        // Move: every moving body moves by its velocity, or none does.
        stages::move_bodies(bodies, dt, threads, buffers)?;
        bodies.mark_swept(dt);
        profile.move_bodies = watch.lap();

        // Bound: what changed gets a new box, inflated by its part of the margin; around its whole way if a body
        // is swept.
        bodies.sort_changed();
        profile.rebounded = bodies.changed().len();
        let sweeps = stages::Sweeps::new(bodies, &buffers.poses, dt);
        stages::bound(sweeps, self.margin, threads, &mut buffers.boxes);
        stages::update(bodies, &buffers.boxes, broad_phase);
        profile.bound = watch.lap();

        // Pair: bodies whose boxes overlap and whose groups allow it, in the order of ids. Those of which
        // a body changed are to be measured, if they are not ignored and the filter allows them.
        let pairs = stages::pair(broad_phase);
        let rules = stages::PairRules::new(bodies, pair_filter);
        let selection = stages::select(bodies, &rules, pairs, &mut buffers.selected);
        profile.candidates = pairs.len();
        profile.measured = selection.pairs().len();
        profile.pair = watch.lap();

        // Measure: the distance of each selected pair; those within their range are contacts. So are those that
        // met on their ways, where one is swept, and the parts of contacts, where somebody wants it.
        let (found, parts) = (&mut buffers.found, &mut buffers.parts);
        let measuring = stages::Measuring {
            wants_parts: self.wants_part_contacts || self.wants_surface_contacts,
            ..stages::Measuring::new(bodies, threads, self.margin)
        };
        measuring.contacts(selection.pairs(), found);
        let sweeps = stages::Sweeps::new(bodies, &buffers.poses, dt);
        buffers
            .impacts
            .measure(sweeps, threads, selection.pairs(), found);
        parts.measure(&measuring, &found.items);
        profile.swept = buffers.impacts.swept_pairs();
        profile.measure = watch.lap();

        // Report: the impacts, the contacts, and what changed since the last step.
        buffers.impacts.report(&mut self.report.impacts);
        parts.report(selection, &mut self.report.parts);
        if self.wants_surface_contacts {
            stages::find_ghosts(selection, bodies, &mut buffers.seams, &mut self.report);
        }
        stages::report(selection, found, &mut buffers.changes, &mut self.report);
        bodies.clear_changed();
        bodies.columns.removed.step();
        profile.contacts = self.report.contacts.len();
        profile.part_contacts = self.report.parts.list.len();
        profile.report = watch.lap();
        if self.clock.is_some() {
            profile.methods = self.methods(&profile);
        }

        self.profile = profile;
        self.last_step = LastStep {
            count: self.last_step.count + 1,
            dt,
            is_restored: false,
        };
        self.give_back_memory();
        Ok(())
    }

    /// Gives memory back that a crowd needed, some time after it is gone.
    fn give_back_memory(&mut self) {
        let need = Need {
            bodies: self.bodies.len(),
            pairs: self.profile.candidates,
            contacts: self.profile.contacts,
            part_contacts: self.profile.part_contacts,
            covers: self.buffers.seams.covers(),
            changes: self.report.changes(),
        };
        if let Some(need) = self.reserve.note(need) {
            self.bodies.cut_down(need.bodies);
            self.buffers.cut_down(&need);
            self.report.cut_down(&need);
        }
    }

    /// How many contacts were measured by each method; counted again only if any was.
    fn methods(&self, profile: &Profile) -> Methods {
        let (last, contacts) = (self.profile.methods, &self.report.contacts);
        if profile.measured == 0 && last.are_those_of(contacts) {
            last
        } else {
            Methods::of(contacts)
        }
    }
}

compile_once! {
    fn step<'a, V>(world: &'a mut World<V>, dt: Real) -> Result<(), WorldError> {
        world.step_generic(dt)
    }
}
