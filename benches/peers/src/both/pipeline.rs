//! rapier's collision pipeline.

use std::error::Error;

use clearance_math::Pose;
use clearance_scene::BodyKind;

use super::rapier::prelude::*;
use super::{Dimension, pose};
use crate::{Engine, Film, Found};

/// rapier's collision pipeline: colliders without bodies, whose pairs must be asked for.
///
/// The distance of a pair is the least of its manifold's points.
pub struct Pipeline {
    margin: f32,
    movers: Vec<ColliderHandle>,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    pipeline: CollisionPipeline,
    contacts: Vec<Near>,
}

/// A pair and its closest points.
struct Near {
    a: ColliderHandle,
    b: ColliderHandle,
    distance: f32,
    points: [Vector; 2],
}

impl Pipeline {
    /// The bodies of the film.
    ///
    /// # Errors
    /// A shape that parry lacks.
    pub fn new(film: &Film<Dimension>) -> Result<Self, Box<dyn Error>> {
        let scene = film.scene();
        let mut colliders = ColliderSet::new();
        let mut movers = Vec::with_capacity(film.movers().len());
        for (form, body) in super::forms(scene)?.iter().zip(&scene.bodies) {
            let types = match body.kind {
                BodyKind::Moving => ActiveCollisionTypes::all(),
                BodyKind::Fixed => ActiveCollisionTypes::empty(),
            };
            let collider = ColliderBuilder::new(form.shared())
                .position(pose(&body.pose))
                .active_collision_types(types);
            let handle = colliders.insert(collider);
            if body.kind == BodyKind::Moving {
                movers.push(handle);
            }
        }
        Ok(Self {
            margin: scene.margin,
            movers,
            bodies: RigidBodySet::new(),
            colliders,
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            pipeline: CollisionPipeline::new(),
            contacts: Vec::new(),
        })
    }

    fn list(&mut self) {
        self.contacts.clear();
        for pair in self.narrow_phase.contact_pairs() {
            let points = pair
                .manifolds()
                .iter()
                .flat_map(|manifold| &manifold.points);
            let Some(deepest) = points.min_by(|a, b| a.dist.total_cmp(&b.dist)) else {
                continue;
            };
            let at = |handle| self.colliders.get(handle).map(Collider::position);
            let (a, b) = (pair.collider1, pair.collider2);
            if let (Some(pose_a), Some(pose_b)) = (at(a), at(b))
                && deepest.dist <= self.margin
            {
                self.contacts.push(Near {
                    a,
                    b,
                    distance: deepest.dist,
                    points: [*pose_a * deepest.local_p1, *pose_b * deepest.local_p2],
                });
            }
        }
    }

    /// The closest points of the first pair, if any.
    #[must_use]
    pub fn points(&self) -> Option<[Vector; 2]> {
        self.contacts.first().map(|near| near.points)
    }
}

impl Engine<Dimension> for Pipeline {
    fn frame(&mut self, poses: &[Pose<Dimension>]) -> Result<usize, Box<dyn Error>> {
        for (&handle, new) in self.movers.iter().zip(poses) {
            if let Some(collider) = self.colliders.get_mut(handle) {
                collider.set_position(pose(new));
            }
        }
        self.pipeline.step(
            self.margin,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &(),
            &(),
        );
        self.list();
        Ok(self.contacts.len())
    }

    fn found(&self) -> Vec<Found> {
        let number = |handle: ColliderHandle| handle.into_raw_parts().0;
        let contacts = self.contacts.iter();
        contacts
            .map(|near| Found::new(number(near.a), number(near.b), near.distance))
            .collect()
    }
}
