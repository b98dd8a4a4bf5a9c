//! Clearance itself.

use std::error::Error;

use clearance_math::Pose;
use clearance_scene::{FileVector, RunOptions, SceneRunner};
use clearance_shapes::Shape;
use clearance_world::{BodyId, Contact, Options, Velocity, World, WorldError};

use crate::{Engine, Film, Found};

/// A world whose bodies are put where they are to be; the step only finds contacts.
#[derive(Clone, Debug)]
pub struct Clearance<V: FileVector> {
    world: World<V>,
    movers: Vec<BodyId>,
}

impl<V: FileVector> Clearance<V> {
    /// The bodies of the film, at rest.
    ///
    /// # Errors
    /// What the world refuses.
    pub fn new(film: &Film<V>, threads: usize) -> Result<Self, Box<dyn Error>> {
        let options = RunOptions {
            threads,
            ..RunOptions::default()
        };
        let mut world = SceneRunner::new(film.scene(), options)?.world().clone();
        let ids: Vec<_> = world.bodies().map(|body| body.id()).collect();
        for &id in &ids {
            world.body_mut(id)?.set_velocity(Velocity::default())?;
        }
        let movers = film.movers().iter().map(|&number| ids[number as usize]);
        Ok(Self {
            movers: movers.collect(),
            world,
        })
    }

    /// The same, but each step finds the manifolds of its contacts, too, and those of each triangle of a mesh.
    ///
    /// # Errors
    /// None: the bodies are those of the world.
    pub fn with_manifolds(mut self) -> Result<Self, WorldError> {
        let bodies = self.world.bodies();
        let composites = bodies.filter(|body| matches!(body.shape(), Shape::Composite(_)));
        let composites: Vec<_> = composites.map(|body| body.id()).collect();
        for id in composites {
            self.world.body_mut(id)?.set_part_contacts(true);
        }
        self.world.set_options(Options {
            manifolds: true,
            ..self.world.options()
        })?;
        Ok(self)
    }

    /// The contacts of the last frame.
    #[must_use]
    pub fn contacts(&self) -> &[Contact<V>] {
        self.world.contacts()
    }
}

impl<V: FileVector> Engine<V> for Clearance<V> {
    fn frame(&mut self, poses: &[Pose<V>]) -> Result<usize, Box<dyn Error>> {
        for (&id, pose) in self.movers.iter().zip(poses) {
            self.world.body_mut(id)?.set_pose(*pose)?;
        }
        self.world.step(0.0)?;
        Ok(self.world.contacts().len())
    }

    fn found(&self) -> Vec<Found> {
        let contacts = self.world.contacts().iter();
        let found = contacts.map(|c| Found::new(c.a.index(), c.b.index(), c.distance()));
        found.collect()
    }
}
