//! rapier's broad phase.

use std::collections::HashSet;

use clearance_broadphase::BodyKind;
use clearance_math::{Aabb, Vec3};
use rapier3d::prelude::{
    Aabb as RapierBox, ActiveCollisionTypes, BroadPhaseBvh, BroadPhasePairEvent, ColliderBuilder,
    ColliderHandle, ColliderSet, IntegrationParameters, RigidBodySet,
};

use super::{BoxFilm, Boxes};

/// rapier's broad phase: it keeps boxes with room to move and tells of changes, so that the list of
/// pairs is kept beside it; pairs of which only those fat boxes overlap are in it.
pub struct RapierBoxes {
    parameters: IntegrationParameters,
    movers: Vec<ColliderHandle>,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    events: Vec<BroadPhasePairEvent>,
    pairs: HashSet<(ColliderHandle, ColliderHandle)>,
}

impl RapierBoxes {
    /// The boxes of the film.
    #[must_use]
    pub fn new(film: &BoxFilm) -> Self {
        let mut this = Self {
            parameters: IntegrationParameters::default(),
            movers: Vec::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            broad_phase: BroadPhaseBvh::new(),
            events: Vec::new(),
            pairs: HashSet::new(),
        };
        for (bounds, mobility) in film.all() {
            let types = match mobility {
                BodyKind::Moving => ActiveCollisionTypes::all(),
                BodyKind::Fixed => ActiveCollisionTypes::empty(),
            };
            // The shape is never asked for its box: that is set.
            let collider = ColliderBuilder::ball(1.0).active_collision_types(types);
            let handle = this.colliders.insert(collider);
            this.set(handle, bounds);
            if *mobility == BodyKind::Moving {
                this.movers.push(handle);
            }
        }
        this
    }

    fn set(&mut self, handle: ColliderHandle, bounds: &Aabb<Vec3>) {
        let bounds = RapierBox::new(bounds.min, bounds.max);
        self.broad_phase.set_aabb(&self.parameters, handle, bounds);
    }
}

impl Boxes for RapierBoxes {
    fn frame(&mut self, boxes: &[Aabb<Vec3>]) -> usize {
        for (index, bounds) in boxes.iter().enumerate() {
            self.set(self.movers[index], bounds);
        }
        self.events.clear();
        let (colliders, bodies) = (&self.colliders, &self.bodies);
        let broad_phase = &mut self.broad_phase;
        broad_phase.update(
            &self.parameters,
            colliders,
            bodies,
            &[],
            &[],
            &mut self.events,
        );
        for event in &self.events {
            match event {
                BroadPhasePairEvent::AddPair(pair) => {
                    self.pairs.insert((pair.collider1, pair.collider2));
                }
                BroadPhasePairEvent::DeletePair(pair) => {
                    self.pairs.remove(&(pair.collider1, pair.collider2));
                }
            }
        }
        self.pairs.len()
    }
}
