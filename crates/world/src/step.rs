//! One step of the world.

use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_broadphase::BroadPhase;
use clearance_math::{Real, Vector, compile_once};

use crate::error::is_finite_and_not_negative;
use crate::profile::{Methods, Stopwatch};
use crate::range::range;
use crate::reserve::Need;
use crate::stages::Buffers;
use crate::world::LastStep;
use crate::{Profile, World, WorldError, stages};

impl<V: Vector> World<V> {
    /// Moves the bodies by `dt` seconds and finds all contacts.
    ///
    /// A step of 0 seconds moves nothing and brings the contacts up to date after changes. It is a step like any other:
    /// its events, impacts and contacts take the place of those of the step before. In a steady frame on one thread
    /// nothing is allocated. The cost follows what moved: fixed bodies
    /// are not looked at unless something comes near them.
    ///
    /// # Errors
    /// A `dt` that is negative, NaN or infinite; a body that would leave the range of numbers.
    pub fn step(&mut self, dt: Real) -> Result<(), WorldError> {
        step(self, dt)
    }

    /// Brings what questions search up to date, and nothing else: contacts, events and impacts stay those of the last step.
    ///
    /// Questions see every edit without it, but each of them tests all bodies that changed since the last step or
    /// `refresh`: after many edits, one call of it pays from about the tenth question on. Cost: that of the bodies that
    /// changed. The next step costs as much as without it.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Ray, RayOptions, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// for x in 0..100 {
    ///     world.insert(Body::fixed(Shape::ball(0.25)?, Pose::from_translation(Vec2::new(x as f32, 0.0))))?;
    /// }
    /// world.refresh();
    /// for x in 0..100 {
    ///     let down = Ray::new(Vec2::new(x as f32, 8.0), -Vec2::Y)?;
    ///     let first = world.query().cast_ray(&down, RayOptions::default())?;
    ///     assert_eq!(first.map(|first| first.hit.distance), Some(7.75));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refresh(&mut self) {
        refresh(self);
    }

    /// The stages, in order: move, bound, pair, measure, report.
    fn frame(&mut self, dt: Real) -> Result<(), WorldError> {
        let mut profile = Profile::default();
        let mut watch = Stopwatch::new(self.clock);

        // Move: every moving body moves by its velocity, or none does.
        self.move_bodies(dt)?;
        profile.move_bodies = watch.lap();

        // Bound: bodies that changed get new boxes.
        self.bound(dt);
        profile.boxes_updated = self.bodies.changed().len();
        profile.bound = watch.lap();

        // Pair: bodies whose boxes overlap and whose groups allow it, in the order of ids. Those that changed and may
        // be contacts are selected.
        let (bodies, buffers) = (&self.bodies, &mut self.buffers);
        let pairs = self.broad_phase.pairs();
        let rules = stages::PairRules::new(bodies, &self.pair_filter);
        let selection = stages::select(bodies, &rules, pairs, &mut buffers.selected);
        buffers.hints.make_room::<V>(pairs.len());
        profile.candidates = pairs.len();
        profile.selected = selection.pairs().len();
        profile.pair = watch.lap();

        // Measure: the selected pairs within range are contacts, and so are those that met on their ways.
        let undecided = AtomicUsize::new(0);
        let measuring = stages::Measuring {
            bodies,
            threads: &self.threads,
            hints: &buffers.hints,
            undecided: &undecided,
            wants_parts: self.wants_part_contacts || self.wants_surface_contacts,
            wants_surface: self.wants_surface_contacts,
            wants_manifolds: self.wants_manifolds,
            margin: self.margin,
            usual: range(self.margin, 0.0, 0.0),
        };
        let ways = stages::Ways {
            sweeps: stages::Sweeps::new(bodies, &buffers.poses, dt),
            before: &self.report,
        };
        buffers.findings.measure(&measuring, &ways, selection);
        profile.swept = buffers.findings.swept_pairs();
        profile.undecided = undecided.load(Ordering::Relaxed);
        profile.open_impacts = buffers.findings.open_impacts();
        profile.measure = watch.lap();

        // Report: the impacts, the contacts, what changed since the last step, and the manifolds that are wanted.
        (buffers.findings).report(&measuring, selection, &mut self.report);
        self.forget_changes();
        profile.contacts = self.report.contacts.len();
        profile.incomplete_parts = self.buffers.findings.incomplete_parts();
        profile.part_contacts = self.report.parts.list.len();
        profile.manifolds = self.report.manifolds.len();
        profile.report = watch.lap();

        self.finish(dt, profile);
        Ok(())
    }

    /// The first stage. It also notes which bodies are swept in this step.
    fn move_bodies(&mut self, dt: Real) -> Result<(), WorldError> {
        stages::move_bodies(&mut self.bodies, dt, &self.threads, &mut self.buffers)?;
        self.bodies.mark_swept(dt);
        Ok(())
    }

    /// The second stage: a body that changed gets a new box, inflated by its part of the margin; if a body is swept, it
    /// is around the whole way. Then the broad phase learns of the new boxes.
    fn bound(&mut self, dt: Real) {
        let changed = self.bodies.take_changed();
        self.tell_broad_phase(&changed, dt);
        self.bodies.put_changed(changed);
    }

    fn tell_broad_phase(&mut self, slots: &[u32], dt: Real) {
        self.make_boxes(slots, dt);
        let poses = &self.bodies.columns.poses;
        let places = slots.iter().map(|&slot| poses[slot as usize].position());
        if self.space.has_become_bad::<V>(places) {
            // Then all boxes are elsewhere.
            let all: Vec<u32> = (0..self.bodies.slots() as u32).collect();
            self.space.choose::<V>(&self.bodies.positions());
            self.make_boxes(&all, dt);
            return self.hand_over_boxes(&all);
        }
        self.hand_over_boxes(slots);
    }

    fn make_boxes(&mut self, slots: &[u32], dt: Real) {
        let Buffers { poses, boxes, .. } = &mut self.buffers;
        let bounding = stages::Bounding {
            sweeps: stages::Sweeps::new(&self.bodies, poses, dt),
            space: &self.space,
            margin: self.margin,
        };
        stages::bound(bounding, slots, &self.threads, boxes);
    }

    fn hand_over_boxes(&mut self, slots: &[u32]) {
        let boxes = &self.buffers.boxes;
        stages::update(&mut self.bodies, slots, boxes, &mut self.broad_phase);
    }

    /// From here on a body changed if it changes after this step.
    fn forget_changes(&mut self) {
        self.bodies.clear_changed();
        self.bodies.columns.removed.step();
    }

    /// What is left when the report is complete: the profile, the count of steps, and the memory.
    fn finish(&mut self, dt: Real, mut profile: Profile) {
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
    }

    /// Gives memory back that a crowd needed, some time after it is gone.
    fn give_back_memory(&mut self) {
        // Those of parts are found, also where a ghost is not listed.
        let manifolds = match self.profile.manifolds {
            0 => 0,
            listed => listed.max(self.profile.part_contacts),
        };
        let need = Need {
            bodies: self.bodies.len(),
            pairs: self.profile.candidates,
            contacts: self.profile.contacts,
            part_contacts: self.profile.part_contacts,
            manifolds,
            covers: self.buffers.findings.covers(),
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
        if profile.selected == 0 && last.are_those_of(contacts) {
            last
        } else {
            Methods::of(contacts)
        }
    }
}

compile_once! {
    fn refresh<'a, V>(world: &'a mut World<V>) {
        if world.bodies.is_none_stale() {
            return;
        }
        let (threads, slots) = (world.threads.clone(), world.bodies.slots());
        threads.awake(slots, || {
            let stale = world.bodies.take_stale();
            world.tell_broad_phase(&stale, 0.0);
            world.bodies.put_told(stale);
        });
    }
}

compile_once! {
    fn step<'a, V>(world: &'a mut World<V>, dt: Real) -> Result<(), WorldError> {
        if !is_finite_and_not_negative(dt) {
            return Err(WorldError::TimeStep { value: dt });
        }
        let (threads, slots) = (world.threads.clone(), world.bodies.slots());
        threads.awake(slots, || world.frame(dt))
    }
}
