//! What lets a world be used like a collection: defaults, indexing, iteration, printing.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Index;

use clearance_broadphase::AnyBroadPhase;
use clearance_math::{Pose, Vector};

use crate::bodies::Bodies;
use crate::pair_filter::PairFilter;
use crate::report::Report;
use crate::reserve::Reserve;
use crate::slots::LastStep;
use crate::stages::Buffers;
use crate::threads::Threads;
use crate::{BodyId, BodyRef, Options, Profile, World};

/// A world without bodies and with [`Options::default`].
impl<V: Vector> Default for World<V> {
    fn default() -> Self {
        let Options {
            margin,
            part_contacts,
            surface_contacts,
            backend,
            ..
        } = Options::default();
        Self {
            bodies: Bodies::new(),
            broad_phase: AnyBroadPhase::new(backend),
            report: Report::new(),
            buffers: Buffers::default(),
            reserve: Reserve::default(),
            threads: Threads::default(),
            pair_filter: PairFilter::NONE,
            margin,
            wants_part_contacts: part_contacts,
            wants_surface_contacts: surface_contacts,
            last_step: LastStep::default(),
            profile: Profile::default(),
            is_profiling: false,
        }
    }
}

/// The pose of a body, as in `world[id].translation`.
///
/// ```
/// use clearance::dim2::{Body, Pose, Shape, Vec2, World};
///
/// let mut world = World::default();
/// let pose = Pose::from_translation(Vec2::new(1.0, 2.0));
/// let ball = world.insert(Body::moving(Shape::ball(0.5)?, pose))?;
/// assert_eq!(world[ball].translation, Vec2::new(1.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the body is not in this world, as indexing does everywhere; [`World::get`] does not panic.
impl<V: Vector> Index<BodyId> for World<V> {
    type Output = Pose<V>;

    fn index(&self, id: BodyId) -> &Pose<V> {
        match self.get(id) {
            Some(body) => body.pose(),
            None => panic!("body {id} is not in this world"),
        }
    }
}

/// All bodies of a world, in the order of their ids: see [`World::bodies`].
#[derive(Clone)]
pub struct BodyIter<'w, V: Vector> {
    bodies: &'w Bodies<V>,
    slots: core::ops::Range<usize>,
    left: usize,
}

impl<'w, V: Vector> BodyIter<'w, V> {
    pub(crate) fn new(bodies: &'w Bodies<V>) -> Self {
        Self {
            bodies,
            slots: 0..bodies.slots(),
            left: bodies.len(),
        }
    }
}

impl<'w, V: Vector> Iterator for BodyIter<'w, V> {
    type Item = BodyRef<'w, V>;

    fn next(&mut self) -> Option<BodyRef<'w, V>> {
        let bodies = self.bodies;
        let body = self.slots.find_map(|slot| BodyRef::new(bodies, slot))?;
        self.left -= 1;
        Some(body)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<V: Vector> ExactSizeIterator for BodyIter<'_, V> {}
impl<V: Vector> FusedIterator for BodyIter<'_, V> {}

impl<V: Vector> fmt::Debug for BodyIter<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BodyIter({} bodies)", self.left)
    }
}

/// The bodies, as in `for body in &world`.
impl<'w, V: Vector> IntoIterator for &'w World<V> {
    type Item = BodyRef<'w, V>;
    type IntoIter = BodyIter<'w, V>;

    fn into_iter(self) -> BodyIter<'w, V> {
        self.bodies()
    }
}

/// How much there is of everything; the bodies themselves are printed by [`BodyRef`].
impl<V: Vector> fmt::Debug for World<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ignored = self.bodies.columns.ignored.pairs().count();
        f.debug_struct("World")
            .field("dimension", &V::DIM)
            .field("bodies", &self.len())
            .field("moving", &self.bodies.moving().len())
            .field("contacts", &self.contacts().len())
            .field("ignored_pairs", &ignored)
            .field("pair_filter", &self.pair_filter)
            .field("margin", &self.margin)
            .field("backend", &self.backend())
            .field("threads", &self.threads())
            .field("bytes", &self.memory())
            .finish_non_exhaustive()
    }
}
