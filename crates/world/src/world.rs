//! The world: what it holds, and how it is read.

use clearance_broadphase::{AnyBroadPhase, BroadPhase};
use clearance_math::{Real, Vector};

use crate::bodies::Bodies;
use crate::box_space::BoxSpace;
use crate::error::is_finite_and_not_negative;
use crate::pair_filter::PairFilter;
use crate::report::lists::Report;
use crate::reserve::Reserve;
use crate::stages::Buffers;
use crate::threads::Threads;
use crate::{BodyId, BodyIter, BodyRef, Clock, Options, Profile, WorldError};

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
/// let contact = world.contact_between(wall, ball).ok_or("the ball is near the wall")?;
/// assert!((contact.distance() - 0.0625).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct World<V: Vector> {
    pub(crate) bodies: Bodies<V>,
    pub(crate) broad_phase: AnyBroadPhase<V>,
    /// Where the boxes lie that the broad phase has.
    pub(crate) space: BoxSpace,
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
    /// Whether all pairs are to have manifolds.
    pub(crate) wants_manifolds: bool,
    pub(crate) last_step: LastStep,
    pub(crate) profile: Profile,
    /// Read by a step that is profiled; `None` if it is not.
    pub(crate) clock: Option<Clock>,
}

/// Of what the world is now the outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastStep {
    /// How many steps the world has made; a return to a snapshot counts, too.
    pub count: u64,
    /// The length of the last step in seconds; 0 if a return to a snapshot came last.
    pub dt: Real,
    /// Whether a return to a snapshot came after the last step.
    pub is_restored: bool,
}

/// A world without bodies and with [`Options::default`].
impl<V: Vector> Default for World<V> {
    fn default() -> Self {
        let Options {
            margin,
            part_contacts,
            surface_contacts,
            manifolds,
            backend,
            ..
        } = Options::default();
        Self {
            bodies: Bodies::new(),
            broad_phase: AnyBroadPhase::new(backend),
            space: BoxSpace::default(),
            report: Report::default(),
            buffers: Buffers::default(),
            reserve: Reserve::default(),
            threads: Threads::default(),
            pair_filter: PairFilter::NONE,
            margin,
            wants_part_contacts: part_contacts,
            wants_surface_contacts: surface_contacts,
            wants_manifolds: manifolds,
            last_step: LastStep::default(),
            profile: Profile::default(),
            clock: None,
        }
    }
}

impl<V: Vector> World<V> {
    /// A world without bodies.
    ///
    /// # Errors
    /// A margin that is negative, NaN or infinite; zero threads, more than [`MAX_THREADS`](crate::MAX_THREADS), or
    /// more than this build or the operating system has.
    pub fn new(options: Options) -> Result<Self, WorldError> {
        let mut world = Self::default();
        world.set_options(options)?;
        Ok(world)
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

    /// The body `id`, to look at. To change it, see [`World::body_mut`].
    ///
    /// # Errors
    /// A body that is not in this world.
    #[doc(alias("get", "index"))]
    pub fn body(&self, id: BodyId) -> Result<BodyRef<'_, V>, WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        BodyRef::new(&self.bodies, slot).ok_or(WorldError::NotInWorld { id })
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

    /// How the world is set up now: its margin, what steps find, broad phase and threads.
    #[must_use]
    pub fn options(&self) -> Options {
        Options {
            margin: self.margin,
            part_contacts: self.wants_part_contacts,
            surface_contacts: self.wants_surface_contacts,
            manifolds: self.wants_manifolds,
            backend: self.broad_phase.backend(),
            threads: self.threads.count(),
            effort: self.bodies.effort,
        }
    }

    /// Sets the world up anew, from the next step on: `Options { margin: 0.1, ..world.options() }` changes the margin alone. If
    /// anything but the threads differs, that step measures every pair.
    ///
    /// ```
    /// use clearance::dim2::{Options, World};
    ///
    /// let mut world = World::default();
    /// world.set_options(Options { manifolds: true, threads: 2, ..world.options() })?;
    /// assert!(world.set_options(Options { margin: -1.0, ..Options::default() }).is_err());
    /// assert_eq!(world.options(), Options { manifolds: true, threads: 2, ..Options::default() });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::new`]; then nothing is changed.
    #[doc(alias("set_margin", "set_threads"))]
    pub fn set_options(&mut self, options: Options) -> Result<(), WorldError> {
        let margin = check_margin(options.margin)?;
        let present = self.options();
        if options.threads != present.threads {
            self.threads = Threads::new(options.threads)?;
            let workers = self.threads.workers().clone();
            self.broad_phase.set_workers(workers);
        }
        if options.backend != present.backend {
            self.broad_phase = AnyBroadPhase::new(options.backend);
            self.broad_phase.set_workers(self.threads.workers().clone());
            self.bodies.forget_broad_phase();
        }
        let threads = present.threads;
        if (Options {
            margin,
            threads,
            ..options
        }) != present
        {
            self.bodies.mark_all_changed();
        }
        self.margin = margin;
        self.wants_part_contacts = options.part_contacts;
        self.wants_surface_contacts = options.surface_contacts;
        self.wants_manifolds = options.manifolds;
        self.bodies.effort = options.effort;
        Ok(())
    }

    /// Times and counts of the last step.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Lets steps measure times by a clock, such as [`Profile::standard_clock`], or by none, as at first: then they read
    /// none.
    ///
    /// The standard library has no clock for some platforms, such as WebAssembly in a browser: give one of your own there.
    pub fn set_profiling(&mut self, clock: Option<Clock>) {
        self.clock = clock;
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
            + self.space.memory()
            + self.buffers.memory()
            + self.report.memory()
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
