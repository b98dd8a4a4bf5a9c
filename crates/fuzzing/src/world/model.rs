//! What a world is, in the plainest way: bodies by id, the ids that were given, the last contacts.

use std::collections::{BTreeMap, BTreeSet};

use clearance_math::{Real, Rotation, VelocityStep};
use clearance_world::{Body, BodyId, BodyKind, BodyPair, Velocity};

use super::measured::{Pair, PartContact, can_pair, pairs_within_range, parts_of};
use super::pair_rule::PairRule;
use super::ways::{Impacts, Ways};
use crate::dimension::Dimension;

/// What the worlds must be like.
#[derive(Clone, Debug)]
pub(super) struct Model<V: Dimension> {
    bodies: BTreeMap<BodyId, Body<V>>,
    /// The generation that comes next in each slot.
    next: Vec<u32>,
    /// The user data of bodies that are gone.
    gone: BTreeMap<BodyId, u64>,
    ignored: BTreeSet<BodyPair>,
    /// Not part of what is saved and restored.
    pub(super) rule: PairRule,
    pub(super) margin: Real,
    /// Whether the world wants part contacts of all pairs.
    pub(super) part_contacts: bool,
    /// Whether the world wants surface contacts.
    pub(super) surface_contacts: bool,
    pub(super) contacts: Vec<Pair<V>>,
    /// The part contacts of those pairs.
    pub(super) parts: Vec<PartContact>,
    /// Where swept bodies met others in the last step.
    pub(super) impacts: Impacts,
    /// Those of the part contacts that are no ghosts: what the first world says, and all others must.
    pub(super) surface: Vec<PartContact>,
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
            gone: BTreeMap::new(),
            ignored: BTreeSet::new(),
            rule: PairRule::All,
            margin,
            part_contacts: false,
            surface_contacts: false,
            contacts: Vec::new(),
            parts: Vec::new(),
            impacts: Impacts::default(),
            surface: Vec::new(),
        }
    }

    pub(super) fn bodies(&self) -> &BTreeMap<BodyId, Body<V>> {
        &self.bodies
    }

    pub(super) fn ignored(&self) -> &BTreeSet<BodyPair> {
        &self.ignored
    }

    /// The user data of a body that is there or was.
    pub(super) fn user_data(&self, id: BodyId) -> Option<u64> {
        let body = self.bodies.get(&id);
        body.map_or_else(|| self.gone.get(&id).copied(), |body| Some(body.user_data))
    }

    /// Ignores a pair, or no longer, if both bodies are there.
    pub(super) fn set_ignored(&mut self, a: BodyId, b: BodyId, is_ignored: bool) -> Option<()> {
        if a == b || !self.bodies.contains_key(&a) || !self.bodies.contains_key(&b) {
            return None;
        }
        let pair = BodyPair {
            a: a.min(b),
            b: a.max(b),
        };
        if is_ignored {
            self.ignored.insert(pair);
        } else {
            self.ignored.remove(&pair);
        }
        Some(())
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
        self.gone.insert(id, body.user_data);
        self.ignored.retain(|pair| pair.a != id && pair.b != id);
        self.contacts.retain(|pair| pair.a != id && pair.b != id);
        for list in [&mut self.parts, &mut self.impacts.list, &mut self.surface] {
            list.retain(|&(a, b, _)| a != id && b != id);
        }
        Some(body)
    }

    fn wants_all_parts(&self) -> bool {
        self.part_contacts || self.surface_contacts
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
            .filter(|body| dt > 0.0 && body.kind == BodyKind::Moving)
        {
            advance(body, dt);
            if body.pose.checked().is_err() {
                return None;
            }
        }
        let before = core::mem::replace(&mut self.bodies, bodies);
        let allowed = |a: BodyId, b: BodyId| {
            let [body_a, body_b] = [a, b].map(|id| &self.bodies[&id]);
            let is_ignored = self.ignored.contains(&BodyPair { a, b });
            can_pair(body_a, body_b) && self.rule.allows(body_a, body_b) && !is_ignored
        };
        let mut contacts = pairs_within_range(&self.bodies, self.margin, allowed);
        let ways = Ways {
            before: &before,
            after: &self.bodies,
            told: &self.contacts,
            dt,
        };
        self.impacts = ways.find_impacts(&mut contacts, allowed);
        self.contacts = contacts;
        self.parts.clear();
        for pair in &self.contacts {
            let (a, b) = (&self.bodies[&pair.a], &self.bodies[&pair.b]);
            if self.wants_all_parts() || a.part_contacts || b.part_contacts {
                self.parts.extend(parts_of(pair, a, b, self.margin));
            }
        }
        Some(())
    }
}

fn advance<V: Dimension>(body: &mut Body<V>, dt: Real) {
    let Velocity { linear, angular } = body.velocity;
    let motion = VelocityStep {
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
