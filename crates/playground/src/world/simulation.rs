//! What moves the world: the rules of a scene, or nothing but velocities.

use clearance_scene::{FileVector, RunOptions, Scene, SceneBounds, SceneRunner};
use clearance_world::{Clock, Options, World};

use crate::failure::Failure;

/// A world, and how it is stepped.
pub(crate) enum Simulation<V: FileVector> {
    /// A scene: bodies are reflected at its bounds.
    Scene(SceneRunner<V>),
    /// A world that was taken out of a recording or a live stream: bodies move by their velocities.
    Free(World<V>),
}

impl<V: FileVector> Simulation<V> {
    pub(crate) fn of_scene(scene: &Scene<V>, clock: Clock) -> Result<Self, Failure> {
        let mut runner = SceneRunner::new(scene, RunOptions::default()).map_err(Failure::of)?;
        runner.world_mut().set_profiling(Some(clock));
        // A step of no time, so that the first frame has its contacts.
        runner.world_mut().step(0.0).map_err(Failure::of)?;
        Ok(Self::Scene(runner))
    }

    /// A copy of a world that ran elsewhere, as it is now.
    pub(crate) fn of_world(world: &World<V>, clock: Clock) -> Result<Self, Failure> {
        let mut copy = World::new(Options::default()).map_err(Failure::of)?;
        copy.restore(&world.snapshot());
        copy.set_profiling(Some(clock));
        Ok(Self::Free(copy))
    }

    pub(crate) fn step(&mut self, dt: f32) -> Result<(), Failure> {
        let stepped = match self {
            Self::Scene(runner) => runner.step(dt),
            Self::Free(world) => world.step(dt),
        };
        stepped.map_err(Failure::of)
    }

    /// The box that reflects moving bodies, if there is one.
    pub(crate) fn bounds(&self) -> Option<SceneBounds<V>> {
        match self {
            Self::Scene(runner) => runner.bounds(),
            Self::Free(_) => None,
        }
    }

    pub(crate) fn world(&self) -> &World<V> {
        match self {
            Self::Scene(runner) => runner.world(),
            Self::Free(world) => world,
        }
    }

    pub(crate) fn world_mut(&mut self) -> &mut World<V> {
        match self {
            Self::Scene(runner) => runner.world_mut(),
            Self::Free(world) => world,
        }
    }
}
