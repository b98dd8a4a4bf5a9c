//! The owner of the bodies: what it holds, and how it is read.

use clearance_broadphase::{AnyBroadPhase, Backend, BroadPhase};
use clearance_math::{Real, Vector};

use crate::bodies::Bodies;
use crate::error::is_finite_and_not_negative;
use crate::report::Report;
use crate::stages::Buffers;
use crate::threads::Threads;
use crate::{BodyId, BodyRef, Contact, Event, Options, Profile, WorldError};

/// Bodies, and the contacts of the last step.
///
/// There is no global state: worlds do not know of each other, and can be sent between threads.
/// A clone has the same bodies, ids and contacts, and shares the threads.
#[derive(Clone, Debug)]
pub struct World<V: Vector> {
    pub(crate) bodies: Bodies<V>,
    pub(crate) broad_phase: AnyBroadPhase<V>,
    pub(crate) report: Report<V>,
    pub(crate) buffers: Buffers<V>,
    pub(crate) threads: Threads,
    pub(crate) margin: Real,
    pub(crate) profile: Profile,
    pub(crate) is_profiling: bool,
}

impl<V: Vector> World<V> {
    /// A world without bodies.
    ///
    /// # Errors
    /// A margin that is negative, NaN or infinite; no thread, or more than can be had.
    pub fn new(options: Options) -> Result<Self, WorldError> {
        let margin = check_margin(options.margin)?;
        Ok(Self {
            bodies: Bodies::new(),
            broad_phase: AnyBroadPhase::new(options.backend),
            report: Report::new(),
            buffers: Buffers::default(),
            threads: Threads::new(options.threads)?,
            margin,
            profile: Profile::default(),
            is_profiling: false,
        })
    }

    /// The contacts that the last step found, sorted by (a, b), with a < b.
    ///
    /// A pair is a contact if its groups allow it, at least one of its bodies moves, and its
    /// signed distance is at most the margin of the world plus the extra margins of both bodies
    /// (equal counts; the sum is rounded to the nearest [`Real`]). Contacts of a body that was
    /// removed since are gone; all other changes show after the next step.
    #[must_use]
    pub fn contacts(&self) -> &[Contact<V>] {
        self.report.present(|id| self.contains(id))
    }

    /// What became of each pair in the last step: in the order of (a, b), and for each pair in that
    /// of [`EventKind`](crate::EventKind).
    ///
    /// A pair that began to touch ends to touch, and one that entered the range leaves it, whatever
    /// happens: bodies that come apart, teleports, other shapes, kinds, groups or margins. For a body
    /// that was removed this is told by the next step. Events follow from the contacts of the last
    /// two steps; nothing is allocated, and nothing computed unless asked for.
    ///
    /// ```
    /// use clearance_math::{Pose, Vec2};
    /// use clearance_shapes::Shape;
    /// use clearance_world::{Body, EventKind, Options, Velocity, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let wall = Body::fixed(Shape::cuboid(Vec2::ONE)?, Pose::IDENTITY);
    /// let ball = Body::moving(Shape::ball(1.0)?, Pose::from_translation(Vec2::new(3.0, 0.0)))
    ///     .with_velocity(Velocity::from_linear(-Vec2::X));
    /// let (wall, ball) = (world.insert(wall)?, world.insert(ball)?);
    /// let mut told = Vec::new();
    /// for _ in 0..3 {
    ///     world.step(0.98)?;
    ///     told.extend(world.events().map(|event| event.kind));
    /// }
    /// world.remove(wall)?;
    /// world.step(0.0)?;
    /// told.extend(world.events().map(|event| event.kind));
    /// use EventKind::*;
    /// assert_eq!(told, [Entered, Began, Stayed, Ended, Left]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn events(&self) -> impl Iterator<Item = Event<'_, V>> {
        self.report.events()
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

    /// How many bodies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bodies, in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = BodyRef<'_, V>> {
        (0..self.bodies.slots()).filter_map(|slot| BodyRef::new(&self.bodies, slot))
    }

    /// The ids of all bodies, in order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> {
        self.bodies().map(|body| body.id())
    }

    /// Pairs not farther apart than this are contacts, in units of length.
    #[must_use]
    pub fn margin(&self) -> Real {
        self.margin
    }

    /// Changes the margin, from the next step on. Cost: that step makes every box anew.
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

    /// How many threads a step uses.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Where the time of the last step went, and how much there was to do.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Whether steps take their time; they do not unless asked to, and then read no clock.
    pub fn set_profiling(&mut self, is_profiling: bool) {
        self.is_profiling = is_profiling;
    }

    /// Bytes that the world holds, broad phase and contacts included.
    ///
    /// What shapes share with their clones (the vertices of hulls) is not: see
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

pub(crate) fn check_margin(value: Real) -> Result<Real, WorldError> {
    if is_finite_and_not_negative(value) {
        // Minus zero becomes zero: equal margins have equal bits.
        Ok(value + 0.0)
    } else {
        Err(WorldError::Margin { value })
    }
}
