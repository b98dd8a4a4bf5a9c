//! parry's tree and pair functions, driven by hand.

use std::error::Error;

use clearance_math::Pose;

use super::parry::bounding_volume::BoundingVolume;
use super::parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use super::parry::query::{
    Contact, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
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
    manifolds: Option<Manifolds>,
}

/// The manifolds of a frame, each in the frames of its bodies, and those whose memory is free again.
#[derive(Default)]
struct Manifolds {
    listed: Vec<(u32, u32, ContactManifold<(), ()>)>,
    spare: Vec<ContactManifold<(), ()>>,
}

impl Pairs {
    fn measure(&mut self, a: u32, b: u32) {
        let (form_a, form_b) = (&self.forms[a as usize], &self.forms[b as usize]);
        let (pose_a, pose_b) = (&self.poses[a as usize], &self.poses[b as usize]);
        let b_in_a = pose_a.inv_mul(pose_b);
        if let Some(manifolds) = &mut self.manifolds {
            return manifolds.measure((a, b), &b_in_a, [form_a, form_b], self.margin);
        }
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

impl Manifolds {
    /// Forgets those of the last frame.
    fn start(&mut self) {
        let free = self.listed.drain(..).map(|(_, _, mut manifold)| {
            manifold.clear();
            manifold
        });
        self.spare.extend(free);
    }

    fn measure(
        &mut self,
        pair: (u32, u32),
        b_in_a: &parry::math::Pose,
        forms: [&Form; 2],
        within: f32,
    ) {
        let [a, b] = forms.map(Form::as_shape);
        // It refuses no pair of these forms.
        let parry = DefaultQueryDispatcher;
        if forms.iter().any(|form| matches!(form, Form::Surface(_))) {
            let mut found = Vec::new();
            let _ = parry.contact_manifolds(b_in_a, a, b, within, &mut found, &mut None);
            found.retain(|manifold| !manifold.points.is_empty());
            self.listed
                .extend(found.into_iter().map(|manifold| (pair.0, pair.1, manifold)));
            return;
        }
        let mut manifold = self.spare.pop().unwrap_or_default();
        let _ =
            parry.contact_manifold_convex_convex(b_in_a, a, b, None, None, within, &mut manifold);
        if manifold.points.is_empty() {
            self.spare.push(manifold);
        } else {
            self.listed.push((pair.0, pair.1, manifold));
        }
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
            manifolds: None,
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

    /// The same, but each pair gets its manifolds, found anew.
    #[must_use]
    pub fn with_manifolds(mut self) -> Self {
        self.pairs.manifolds = Some(Manifolds::default());
        self
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
        if let Some(manifolds) = &mut pairs.manifolds {
            manifolds.start();
        }
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
        let manifolds = pairs.manifolds.as_ref().map(|all| all.listed.len());
        Ok(manifolds.unwrap_or(pairs.contacts.len()))
    }

    fn found(&self) -> Vec<Found> {
        let contacts = self.pairs.contacts.iter();
        let contacts = contacts.map(|(a, b, near)| Found::new(*a, *b, near.dist));
        let manifolds = self.pairs.manifolds.iter().flat_map(|all| &all.listed);
        let manifolds = manifolds.filter_map(|(a, b, manifold)| {
            let deepest = manifold.find_deepest_contact()?;
            Some(Found::new(*a, *b, deepest.dist))
        });
        contacts.chain(manifolds).collect()
    }
}
