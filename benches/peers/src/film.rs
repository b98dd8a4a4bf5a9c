//! Poses recorded beforehand, so that motion is no part of what is measured.

use std::error::Error;

use clearance_math::{Pose, Real};
use clearance_scene::{BodyKind, FileVector, RunOptions, Scene, SceneRunner};

/// How many frames are recorded; they are shown forwards, then backwards, and so on.
const FRAMES: usize = 16;

/// Seconds from frame to frame.
const STEP: Real = 1.0 / 60.0;

/// A scene and the poses of its moving bodies, frame by frame.
#[derive(Clone, Debug)]
pub struct Film<V: FileVector> {
    scene: Scene<V>,
    movers: Vec<u32>,
    frames: Vec<Vec<Pose<V>>>,
}

impl<V: FileVector> Film<V> {
    /// Records the scene.
    ///
    /// # Errors
    /// A scene that the world refuses.
    pub fn record(scene: Scene<V>) -> Result<Self, Box<dyn Error>> {
        let numbered = (0..).zip(&scene.bodies);
        let moving = numbered.filter(|(_, body)| body.kind == BodyKind::Moving);
        let movers: Vec<u32> = moving.map(|(number, _)| number).collect();
        let mut runner = SceneRunner::new(&scene, RunOptions::default())?;
        let ids: Vec<_> = runner.world().bodies().map(|body| body.id()).collect();
        let mut frames = Vec::with_capacity(FRAMES);
        for _ in 0..FRAMES {
            runner.step(STEP)?;
            let world = runner.world();
            let bodies = movers.iter().map(|&number| ids[number as usize]);
            let poses = bodies.filter_map(|id| world.get(id).map(|body| *body.pose()));
            frames.push(poses.collect());
        }
        Ok(Self {
            scene,
            movers,
            frames,
        })
    }

    /// The scene as it was before the first frame.
    #[must_use]
    pub fn scene(&self) -> &Scene<V> {
        &self.scene
    }

    /// The numbers of the bodies that move, ascending.
    #[must_use]
    pub fn movers(&self) -> &[u32] {
        &self.movers
    }

    /// The frame after `count` others: to the end, back to the start, and so on.
    #[must_use]
    pub fn frame(&self, count: usize) -> &[Pose<V>] {
        let index = count % self.period();
        &self.frames[index.min(self.period() - index)]
    }

    /// After how many frames the film starts again.
    #[must_use]
    pub fn period(&self) -> usize {
        2 * FRAMES - 2
    }

    /// The poses of all bodies in the frame after `count` others.
    #[must_use]
    pub fn all(&self, count: usize) -> Vec<Pose<V>> {
        let mut poses: Vec<_> = self.scene.bodies.iter().map(|body| body.pose).collect();
        for (&number, pose) in self.movers.iter().zip(self.frame(count)) {
            poses[number as usize] = *pose;
        }
        poses
    }
}
