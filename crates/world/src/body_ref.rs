//! A view of a body of the world, and one of each.

use core::fmt;
use core::iter::FusedIterator;

use clearance_broadphase::Groups;
use clearance_gjk::Placed;
use clearance_math::{Aabb, Pose, PoseResidual, Real, Vector};
use clearance_shapes::Shape;

use crate::bodies::Bodies;
use crate::{Body, BodyId, BodyKind, Velocity};

/// A view of a body of the world. It shows every change at once, also between steps.
#[derive(Clone, Copy)]
pub struct BodyRef<'a, V: Vector> {
    bodies: &'a Bodies<V>,
    shape: &'a Shape<V>,
    kind: BodyKind,
    slot: usize,
}

impl<'a, V: Vector> BodyRef<'a, V> {
    /// The body in `slot`, or `None` if the slot is vacant.
    pub(crate) fn new(bodies: &'a Bodies<V>, slot: usize) -> Option<Self> {
        let shape = bodies.columns.shapes.get(slot)?.as_ref()?;
        Some(Self {
            bodies,
            shape,
            kind: bodies.kind(slot)?,
            slot,
        })
    }

    /// The id of the body.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.bodies.id(self.slot)
    }

    /// The shape, in the body's own frame.
    #[must_use]
    pub fn shape(&self) -> &'a Shape<V> {
        self.shape
    }

    /// Where the body is, in the world.
    #[must_use]
    pub fn pose(&self) -> &'a Pose<V> {
        &self.bodies.columns.poses[self.slot]
    }

    /// The shape where the body is: what queries about a pair, a cast and [`Query::slide`](crate::Query::slide) take.
    #[must_use]
    pub fn placed(&self) -> Placed<'a, V> {
        Placed::new(self.shape, self.pose()).with_effort(self.bodies.effort)
    }

    /// What rounding left over of the pose: see [`Body::residual`].
    #[must_use]
    pub fn residual(&self) -> &'a PoseResidual<V> {
        &self.bodies.columns.residuals[self.slot]
    }

    /// Its velocity; not applied while the body is fixed.
    #[must_use]
    pub fn velocity(&self) -> Velocity<V> {
        self.bodies.columns.velocities[self.slot]
    }

    /// Whether a step moves it.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Which bodies it can make contacts with.
    #[must_use]
    pub fn groups(&self) -> Groups {
        self.bodies.columns.groups[self.slot]
    }

    /// Added to the world's margin for all contacts of this body, in units of length.
    #[must_use]
    pub fn extra_margin(&self) -> Real {
        self.bodies.columns.extra_margins[self.slot]
    }

    /// Whether its pairs give the contacts of their parts: see [`Body::part_contacts`].
    #[must_use]
    pub fn wants_part_contacts(&self) -> bool {
        self.bodies.columns.part_contacts[self.slot]
    }

    /// Whether steps find the contact manifolds of its pairs: see [`Body::manifolds`].
    #[must_use]
    pub fn wants_manifolds(&self) -> bool {
        self.bodies.columns.manifolds[self.slot]
    }

    /// Whether a step looks at its whole way: see [`Body::swept`].
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.bodies.columns.swept[self.slot]
    }

    /// The caller's number: see [`Body::user_data`].
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.bodies.columns.user_data.get(self.slot)
    }

    /// The smallest box with sides along the world axes that contains the body, without any margin.
    ///
    /// Computed on each call.
    #[must_use]
    pub fn bounds(&self) -> Aabb<V> {
        self.shape.bounds(self.pose())
    }

    /// The description of the body, for instance to insert it into another world.
    #[must_use]
    pub fn to_body(&self) -> Body<V> {
        Body {
            shape: self.shape.clone(),
            pose: *self.pose(),
            residual: *self.residual(),
            velocity: self.velocity(),
            kind: self.kind(),
            groups: self.groups(),
            extra_margin: self.extra_margin(),
            part_contacts: self.wants_part_contacts(),
            manifolds: self.wants_manifolds(),
            swept: self.is_swept(),
            user_data: self.user_data(),
        }
    }
}

impl<V: Vector> fmt::Debug for BodyRef<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BodyRef")
            .field("id", &self.id())
            .field("body", &self.to_body())
            .finish()
    }
}

/// All bodies of a world, in the order of their ids: see [`World::bodies`](crate::World::bodies).
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

    /// The ids of the bodies, in order.
    #[doc(alias("keys"))]
    pub fn ids(self) -> impl Iterator<Item = BodyId> + use<'w, V> {
        self.map(|body| body.id())
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
