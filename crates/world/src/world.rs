//! The owner of the bodies: what it holds, and how it is read.

use clearance_broadphase::{AnyBroadPhase, Backend, BroadPhase};
use clearance_math::{Real, Vector};

use crate::bodies::Bodies;
use crate::error::is_finite_and_not_negative;
use crate::stages::Buffers;
use crate::threads::Threads;
use crate::{BodyId, BodyRef, Contact, Options, Profile, WorldError};

/// Bodies, and the contacts of the last step.
///
/// There is no global state: worlds do not know of each other, and can be sent between threads.
/// A clone has the same bodies, ids and contacts, and shares the threads.
#[derive(Clone, Debug)]
pub struct World<V: Vector> {
    pub(crate) bodies: Bodies<V>,
    pub(crate) broad_phase: AnyBroadPhase<V>,
    pub(crate) contacts: Vec<Contact<V>>,
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
            contacts: Vec::new(),
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
        &self.contacts
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
            + crate::bodies::bytes(&self.contacts)
    }
}

fn check_margin(value: Real) -> Result<Real, WorldError> {
    if is_finite_and_not_negative(value) {
        Ok(value)
    } else {
        Err(WorldError::Margin { value })
    }
}
