//! The world: what it holds, and how it is read.

use clearance_broadphase::{AnyBroadPhase, Backend, BroadPhase};
use clearance_math::{Real, Vector, compile_once};

use crate::bodies::Bodies;
use crate::error::is_finite_and_not_negative;
use crate::iterators::{ContactIter, EventIter};
use crate::pair_filter::PairFilter;
use crate::profile::standard_clock;
use crate::report::Report;
use crate::reserve::Reserve;
use crate::slots::LastStep;
use crate::stages::Buffers;
use crate::threads::Threads;
use crate::{BodyId, BodyIter, BodyRef, Clock, Contact, Event, Options, Profile, WorldError};

/// Bodies, and the contacts of the last step.
///
/// Worlds are independent of each other and can be sent between threads. A clone has the same bodies,
/// ids and contacts, and shares the threads.
///
/// ```
/// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, Velocity, World};
///
/// let mut world = World::new(Options { margin: 0.1, ..Options::default() })?;
/// let wall = world.insert(Body::fixed(Shape::half_space(Vec2::X)?, Pose::IDENTITY))?;
/// let ball = Body::moving(Shape::ball(0.5)?, Pose::from_translation(Vec2::new(1.5, 3.0)));
/// let ball = world.insert(ball.with_velocity(Velocity::from_linear(Vec2::new(-2.0, 0.0))))?;
/// world.step(0.46875)?;
/// let contact = world.contact(wall, ball).ok_or("the ball is near the wall")?;
/// assert!((contact.distance() - 0.0625).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct World<V: Vector> {
    pub(crate) bodies: Bodies<V>,
    pub(crate) broad_phase: AnyBroadPhase<V>,
    pub(crate) report: Report<V>,
    pub(crate) buffers: Buffers<V>,
    pub(crate) reserve: Reserve,
    pub(crate) threads: Threads,
    pub(crate) pair_filter: PairFilter<V>,
    pub(crate) margin: Real,
    /// Whether all pairs are to have part contacts.
    pub(crate) wants_part_contacts: bool,
    /// Whether ghosts are told from the other part contacts.
    pub(crate) wants_surface_contacts: bool,
    pub(crate) last_step: LastStep,
    pub(crate) profile: Profile,
    /// Read by a step that is profiled; `None` if it is not.
    pub(crate) clock: Option<Clock>,
}

impl<V: Vector> World<V> {
    /// A world without bodies.
    ///
    /// # Errors
    /// A margin that is negative, NaN or infinite; zero threads, more than [`MAX_THREADS`](crate::MAX_THREADS), or
    /// more than this build or the operating system has.
    pub fn new(options: Options) -> Result<Self, WorldError> {
        let margin = check_margin(options.margin)?;
        let threads = Threads::new(options.threads)?;
        let mut broad_phase = AnyBroadPhase::new(options.backend);
        broad_phase.set_workers(threads.workers().clone());
        let mut bodies = Bodies::new();
        bodies.effort = options.effort;
        Ok(Self {
            bodies,
            margin,
            wants_part_contacts: options.part_contacts,
            wants_surface_contacts: options.surface_contacts,
            threads,
            broad_phase,
            ..Self::default()
        })
    }

    /// The contacts that the last step found, sorted by (a, b), with a < b.
    ///
    /// A pair is a contact if its groups allow it, at least one of its bodies is of the kind
    /// [`Moving`](crate::Kind::Moving) (it may be at rest), and its signed distance is at most the margin of the world
    /// plus the extra margins of both bodies (equality counts; the sum is rounded to the nearest [`Real`]). A pair that
    /// met on its way and is apart by the end has the contact of that time: see [`World::impacts`]. Contacts of a body
    /// that was removed since the step are left out; all other changes show after the next step.
    #[must_use]
    #[doc(alias("collisions", "contact_pairs", "narrow_phase"))]
    pub fn contacts(&self) -> &[Contact<V>] {
        present_contacts(self)
    }

    fn present_contacts_generic(&self) -> &[Contact<V>] {
        self.report.present(|id| self.contains(id))
    }

    /// What changed for each pair in the last step, in the order of (a, b), and for each pair in the
    /// order of [`EventKind`](crate::EventKind).
    ///
    /// Every pair that [`Entered`](crate::EventKind::Entered) will report
    /// [`Left`](crate::EventKind::Left), and every pair that [`Began`](crate::EventKind::Began) will
    /// report [`Ended`](crate::EventKind::Ended), whatever the reason: bodies move apart, are teleported,
    /// or change shape, kind, groups or margin. If a body is removed, the next step reports it. Events
    /// follow from the contacts of the last two steps; they are computed while you iterate, without
    /// allocation.
    ///
    /// ```
    /// use clearance::dim2::{Body, EventKind, Options, Pose, Shape, Vec2, Velocity, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let wall = Body::fixed(Shape::cuboid(Vec2::ONE)?, Pose::IDENTITY);
    /// let ball = Body::moving(Shape::ball(1.0)?, Pose::from_translation(Vec2::new(3.0, 0.0)))
    ///     .with_velocity(Velocity::from_linear(-Vec2::X));
    /// let (wall, ball) = (world.insert(wall)?, world.insert(ball)?);
    /// let mut events = Vec::new();
    /// for _ in 0..3 {
    ///     world.step(0.98)?;
    ///     events.extend(world.events().map(|event| event.kind));
    /// }
    /// world.remove(wall)?;
    /// world.step(0.0)?;
    /// events.extend(world.events().map(|event| event.kind));
    /// use EventKind::*;
    /// assert_eq!(events, [Entered, Began, Stayed, Ended, Left]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias(
        "collision_events",
        "trigger",
        "sensor",
        "on_collision_enter",
        "body_entered"
    ))]
    pub fn events(&self) -> impl Iterator<Item = Event<'_, V>> {
        EventIter::new(self)
    }

    /// The contacts of a body: those of [`World::contacts`] that name it, sorted by the other body.
    ///
    /// Empty if the body is not in this world. Cost: that of its contacts; the first call after a step in which pairs
    /// came or went sorts all contacts by body, which takes as long as looking at each of them three times.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let ids = [0.0, 0.9, 1.8, 2.7].map(|x| {
    ///     let pose = Pose::from_translation(Vec2::new(x, 0.0));
    ///     let ball = Shape::ball(0.5).map(|ball| Body::moving(ball, pose));
    ///     world.insert(ball.expect("the radius is positive")).expect("the world has space")
    /// });
    /// world.step(0.0)?;
    /// let neighbours = world.contacts_of(ids[2]).filter_map(|contact| contact.other(ids[2]));
    /// assert!(neighbours.eq([ids[1], ids[3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts_of(&self, id: BodyId) -> impl Iterator<Item = &Contact<V>> {
        ContactIter::new(self, id)
    }

    /// The contact of two bodies, in whichever order they are named; `None` if they make none.
    ///
    /// Cost: a binary search.
    #[must_use]
    pub fn contact(&self, a: BodyId, b: BodyId) -> Option<&Contact<V>> {
        contact_of(self, a, b)
    }

    fn contact_generic(&self, a: BodyId, b: BodyId) -> Option<&Contact<V>> {
        let [a, b] = [self.bodies.slot(a)?, self.bodies.slot(b)?];
        let contact = self.report.contact(a.min(b) as u32, a.max(b) as u32);
        contact.filter(|contact| self.is_present(contact))
    }

    /// Whether neither body of a contact of the last step was removed since.
    pub(crate) fn is_present(&self, contact: &Contact<V>) -> bool {
        self.contains(contact.a) && self.contains(contact.b)
    }

    /// The user data of a body of this world, or of a body that was removed and that events may still
    /// name: until the second step after its removal. `None` for any other id.
    #[must_use]
    pub fn user_data(&self, id: BodyId) -> Option<u64> {
        let columns = &self.bodies.columns;
        match self.bodies.slot(id) {
            Some(slot) => Some(columns.user_data.get(slot)),
            None if self.bodies.tag.accepts(id) => columns.removed.get(id),
            None => None,
        }
    }

    /// The body `id`, or `None` if it is not in this world.
    #[must_use]
    pub fn get(&self, id: BodyId) -> Option<BodyRef<'_, V>> {
        BodyRef::new(&self.bodies, self.bodies.slot(id)?)
    }

    /// Whether the body `id` is in this world.
    #[must_use]
    pub fn contains(&self, id: BodyId) -> bool {
        self.bodies.slot(id).is_some()
    }

    /// The number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bodies, in the order of their ids.
    #[doc(alias("iter"))]
    pub fn bodies(&self) -> BodyIter<'_, V> {
        BodyIter::new(&self.bodies)
    }

    /// The ids of all bodies, in order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> {
        self.bodies().map(|body| body.id())
    }

    /// Pairs that are no farther apart than this are contacts; in units of length.
    #[must_use]
    pub fn margin(&self) -> Real {
        self.margin
    }

    /// Changes the margin, from the next step on. That step updates every bounding box and measures
    /// every pair.
    ///
    /// # Errors
    /// A margin that is negative, NaN or infinite.
    pub fn set_margin(&mut self, margin: Real) -> Result<(), WorldError> {
        let margin = check_margin(margin)?;
        if self.margin != margin {
            self.margin = margin;
            self.bodies.mark_all_changed();
        }
        Ok(())
    }

    /// The structure that finds overlapping boxes.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.broad_phase.backend()
    }

    /// The number of threads that a step uses.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Times and counts of the last step.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Switches the measuring of times on or off; it is off at first, and then steps read no clock.
    pub fn set_profiling(&mut self, is_profiling: bool) {
        self.clock = is_profiling.then_some(standard_clock as Clock);
    }

    /// Switches the measuring of times on, by a clock of your own: for platforms on which the standard library
    /// has none, such as WebAssembly in a browser.
    pub fn set_profiling_by(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// Bytes that the world holds, including broad phase and contacts.
    ///
    /// Memory that a crowd needed is given back within 512 steps after the crowd is gone. What stays are
    /// four bytes for each slot that was ever in use, by which ids of removed bodies are told from those of
    /// later ones; the slots below the highest one in use; and lists of the broad phase.
    ///
    /// Vertices of hulls are not counted, since clones of a shape share them: see
    /// [`clearance_shapes::Shape::shared_memory`].
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.bodies.memory()
            + self.broad_phase.memory()
            + self.buffers.memory()
            + self.report.memory()
    }
}

compile_once! {
    fn present_contacts<'w, V>(world: &'w World<V>) -> &'w [Contact<V>] {
        world.present_contacts_generic()
    }
}

compile_once! {
    fn contact_of<'w, V>(world: &'w World<V>, a: BodyId, b: BodyId) -> Option<&'w Contact<V>> {
        world.contact_generic(a, b)
    }
}

pub(crate) fn check_margin(value: Real) -> Result<Real, WorldError> {
    if is_finite_and_not_negative(value) {
        // Turns minus zero into zero, so that equal margins have equal bits.
        Ok(value + 0.0)
    } else {
        Err(WorldError::Margin { value })
    }
}
