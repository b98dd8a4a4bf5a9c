//! What a world is, in the plainest way: bodies by id, the ids that were given, the last contacts.

use std::collections::BTreeMap;

use clearance_math::{Motion, Real, Rotation};
use clearance_world::{Body, BodyId, Kind, Velocity};

use super::measured::{Pair, pairs_within_range};
use crate::dimension::Dimension;

/// What the worlds must be like.
#[derive(Clone, Debug)]
pub(super) struct Model<V: Dimension> {
    bodies: BTreeMap<BodyId, Body<V>>,
    /// The generation that comes next in each slot.
    next: Vec<u32>,
    pub(super) margin: Real,
    pub(super) contacts: Vec<Pair<V>>,
}

/// Whether a number can be a margin or a time step.
pub(super) fn is_extent(value: Real) -> bool {
    value.is_finite() && value >= 0.0
}

pub(super) fn is_velocity<V: Dimension>(velocity: Velocity<V>) -> bool {
    velocity.linear.is_finite() && V::Rotation::is_finite_angular(velocity.angular)
}

fn is_body<V: Dimension>(body: &Body<V>) -> bool {
    body.pose.checked().is_ok() && is_velocity(body.velocity) && is_extent(body.extra_margin)
}

impl<V: Dimension> Model<V> {
    pub(super) fn new(margin: Real) -> Self {
        Self {
            bodies: BTreeMap::new(),
            next: Vec::new(),
            margin,
            contacts: Vec::new(),
        }
    }

    pub(super) fn bodies(&self) -> &BTreeMap<BodyId, Body<V>> {
        &self.bodies
    }

    /// The id that the body gets: the lowest vacant slot, in its next generation.
    pub(super) fn insert(&mut self, body: Body<V>) -> Option<BodyId> {
        if !is_body(&body) {
            return None;
        }
        let taken = |slot: u32| self.bodies.keys().any(|id| id.index() == slot);
        let slot = (0..).find(|&slot| !taken(slot))?;
        if self.next.len() <= slot as usize {
            self.next.push(0);
        }
        let id = BodyId::from_parts(slot, self.next[slot as usize]);
        self.bodies.insert(id, body);
        Some(id)
    }

    pub(super) fn remove(&mut self, id: BodyId) -> Option<Body<V>> {
        let body = self.bodies.remove(&id)?;
        self.next[id.index() as usize] = id.generation() + 1;
        self.contacts.retain(|pair| pair.a != id && pair.b != id);
        Some(body)
    }

    /// Changes a body if it is there and the change is allowed.
    pub(super) fn edit(
        &mut self,
        id: BodyId,
        allowed: bool,
        change: impl FnOnce(&mut Body<V>),
    ) -> Option<()> {
        let body = self.bodies.get_mut(&id).filter(|_| allowed)?;
        change(body);
        Some(())
    }

    /// Moves the bodies and finds the contacts, unless a body would leave the range of numbers.
    pub(super) fn step(&mut self, dt: Real) -> Option<()> {
        if !is_extent(dt) {
            return None;
        }
        let mut bodies = self.bodies.clone();
        for body in bodies
            .values_mut()
            .filter(|body| dt > 0.0 && body.kind == Kind::Moving)
        {
            advance(body, dt);
            if !body.pose.translation.is_finite() {
                return None;
            }
        }
        self.bodies = bodies;
        self.contacts = pairs_within_range(&self.bodies, self.margin);
        Some(())
    }
}

fn advance<V: Dimension>(body: &mut Body<V>, dt: Real) {
    let Velocity { linear, angular } = body.velocity;
    let motion = Motion {
        linear,
        angular,
        dt,
    };
    let (next, residual) = body.pose.moved(&body.residual, &motion);
    body.residual = residual;
    // A body that goes nowhere keeps the sign of its zeros.
    if next != body.pose {
        body.pose = next;
    }
}
