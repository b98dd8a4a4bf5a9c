//! parry's tree and pair functions, driven by hand.

use std::error::Error;

use clearance_math::Pose;

use super::parry::bounding_volume::BoundingVolume;
use super::parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use super::parry::query::Contact;
use super::{Dimension, Form, bounds, contact, parry, pose};
use crate::{Cuboids, Engine, Film, Found, Upkeep};

/// parry's tree and pair functions, driven by hand: a tree of the moving bodies and one of the fixed.
pub struct ByHand {
    upkeep: Upkeep,
    pairs: Pairs,
    movers: Vec<u32>,
    moving: Bvh,
    fixed: Bvh,
    workspace: BvhWorkspace,
}

/// The bodies, and what is reported of them.
struct Pairs {
    cuboids: Cuboids,
    margin: f32,
    forms: Vec<Form>,
    poses: Vec<parry::math::Pose>,
    contacts: Vec<(u32, u32, Contact)>,
}

impl Pairs {
    fn measure(&mut self, a: u32, b: u32) {
        let (form_a, form_b) = (&self.forms[a as usize], &self.forms[b as usize]);
        let (pose_a, pose_b) = (&self.poses[a as usize], &self.poses[b as usize]);
        let b_in_a = pose_a.inv_mul(pose_b);
        let near = contact(self.cuboids, &b_in_a, (form_a, form_b), self.margin);
        if let Some(mut near) = near {
            near.transform_by_mut(pose_a, pose_b);
            self.contacts.push((a, b, near));
        }
    }

    fn bounds(&self, body: u32) -> parry::bounding_volume::Aabb {
        let (form, pose) = (&self.forms[body as usize], &self.poses[body as usize]);
        bounds(form, pose).loosened(0.5 * self.margin)
    }
}

impl ByHand {
    /// The bodies of the film.
    ///
    /// # Errors
    /// A shape that parry lacks.
    pub fn new(
        film: &Film<Dimension>,
        upkeep: Upkeep,
        cuboids: Cuboids,
    ) -> Result<Self, Box<dyn Error>> {
        let scene = film.scene();
        let forms = super::forms(scene)?;
        let poses = scene.bodies.iter().map(|body| pose(&body.pose)).collect();
        let pairs = Pairs {
            cuboids,
            margin: scene.margin,
            forms,
            poses,
            contacts: Vec::new(),
        };
        let mut is_fixed = vec![true; scene.bodies.len()];
        for &body in film.movers() {
            is_fixed[body as usize] = false;
        }
        let fixed = (0..scene.bodies.len() as u32).filter(|&body| is_fixed[body as usize]);
        Ok(Self {
            upkeep,
            movers: film.movers().to_vec(),
            moving: tree(&pairs, film.movers().iter().copied()),
            fixed: tree(&pairs, fixed),
            workspace: BvhWorkspace::default(),
            pairs,
        })
    }

    fn follow(&mut self) {
        match self.upkeep {
            Upkeep::Refit => {
                for &body in &self.movers {
                    let bounds = self.pairs.bounds(body);
                    self.moving.insert_or_update_partially(bounds, body, 0.0);
                }
                self.moving.optimize_incremental(&mut self.workspace);
                self.moving.refit(&mut self.workspace);
            }
            Upkeep::Rebuild => self.moving = tree(&self.pairs, self.movers.iter().copied()),
        }
    }
}

fn tree(pairs: &Pairs, bodies: impl Iterator<Item = u32>) -> Bvh {
    let leaves = bodies.map(|body| (body as usize, pairs.bounds(body)));
    Bvh::from_iter(BvhBuildStrategy::Binned, leaves)
}

impl Engine<Dimension> for ByHand {
    fn frame(&mut self, poses: &[Pose<Dimension>]) -> Result<usize, Box<dyn Error>> {
        for (&body, new) in self.movers.iter().zip(poses) {
            self.pairs.poses[body as usize] = pose(new);
        }
        self.follow();
        let pairs = &mut self.pairs;
        pairs.contacts.clear();
        self.moving
            .traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
                pairs.measure(a, b);
            });
        if !self.fixed.is_empty() {
            let near = self.moving.leaf_pairs(&self.fixed, |a, b| a.intersects(b));
            for (a, b) in near {
                pairs.measure(a, b);
            }
        }
        Ok(pairs.contacts.len())
    }

    fn found(&self) -> Vec<Found> {
        let contacts = self.pairs.contacts.iter();
        contacts
            .map(|(a, b, near)| Found::new(*a, *b, near.dist))
            .collect()
    }
}
