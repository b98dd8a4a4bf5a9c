//! A world made from a scene, stepped within the bounds of the scene.

use std::time::{Duration, Instant};

use clearance_math::{PreciseVector, Real, Vector};
use clearance_shapes::Shape;
use clearance_world::{
    Backend, Body, BodyId, BodyKind, Options, Profile, Velocity, World, WorldError,
};

use crate::FileVector;
use crate::scene::{BodyShape, Scene, SceneBody, SceneBounds};

/// Options for stepping a scene. The margin is that of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunOptions {
    /// The broad phase.
    pub backend: Backend,
    /// How many threads a step uses, at least 1.
    pub threads: usize,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            backend: Backend::default(),
            threads: 1,
        }
    }
}

/// Why a scene cannot be stepped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A body names a shape that the scene does not have.
    #[error("bodies[{body}].shape: no shape of that name")]
    NoShape {
        /// The number of the body, counted from 0.
        body: usize,
    },
    /// A pair names a body that the scene does not have.
    #[error("ignored_pairs[{pair}]: no body of that number")]
    NoBody {
        /// The number of the pair, counted from 0.
        pair: usize,
    },
    /// The world refused the scene.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// A world with the bodies of a scene. The ids of the bodies ascend in the order of the scene.
///
/// ```
/// use clearance_scene::{RunOptions, SceneKind, SceneRunner, generate};
///
/// let scene = generate(SceneKind::Balls2, 50, 1).into_plane().unwrap();
/// let mut runner = SceneRunner::new(&scene, RunOptions::default())?;
/// for _ in 0..10 {
///     runner.step(1.0 / 60.0)?;
/// }
/// assert_eq!(runner.world().len(), 50);
/// # Ok::<(), clearance_scene::RunError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneRunner<V: FileVector> {
    world: World<V>,
    moving: Vec<BodyId>,
    bounds: Option<SceneBounds<V>>,
    shape_memory: usize,
    is_profiling: bool,
    reflect_time: Duration,
}

impl<V: FileVector> SceneRunner<V> {
    /// Makes a world and inserts the bodies of `scene`.
    ///
    /// # Errors
    /// If the world refuses an option or a body, or a body names a shape that the scene lacks.
    /// Scenes that were read from files have no such bodies.
    pub fn new(scene: &Scene<V>, options: RunOptions) -> Result<Self, RunError> {
        let mut world = World::new(Options {
            margin: scene.margin,
            backend: options.backend,
            threads: options.threads,
            ..Options::default()
        })?;
        let mut moving = Vec::new();
        let mut ids = Vec::with_capacity(scene.bodies.len());
        for (index, body) in scene.bodies.iter().enumerate() {
            let shape = scene
                .shape_of(body)
                .ok_or(RunError::NoShape { body: index })?;
            let id = world.insert(world_body(body, shape.clone()))?;
            ids.push(id);
            if body.kind == BodyKind::Moving {
                moving.push(id);
            }
        }
        for (index, pair) in scene.ignored_pairs.iter().enumerate() {
            let [a, b] = pair.map(|number| ids.get(number as usize));
            let (a, b) = a.zip(b).ok_or(RunError::NoBody { pair: index })?;
            world.ignore_pair(*a, *b)?;
        }
        Ok(Self {
            world,
            moving,
            bounds: scene.bounds,
            shape_memory: shape_memory(scene),
            is_profiling: false,
            reflect_time: Duration::ZERO,
        })
    }

    /// Reflects velocities at the bounds, then steps the world by `dt` seconds.
    ///
    /// # Errors
    /// Those of [`World::step`].
    pub fn step(&mut self, dt: Real) -> Result<(), WorldError> {
        let start = self.is_profiling.then(Instant::now);
        self.reflect(dt)?;
        self.reflect_time = start.map_or(Duration::ZERO, |start| start.elapsed());
        self.world.step(dt)
    }

    /// Switches the measurement of how long each stage of a step takes on or off; it is off at
    /// first.
    pub fn set_profiling(&mut self, is_profiling: bool) {
        self.is_profiling = is_profiling;
        self.world
            .set_profiling(is_profiling.then_some(Profile::standard_clock));
    }

    /// The stages of the last step and the time that each took; zero while profiling is off.
    #[must_use]
    pub fn stages(&self) -> [(&'static str, Duration); 6] {
        let [a, b, c, d, e] = (self.world.profile().stages()).map(|stage| (stage.name, stage.time));
        [("reflect", self.reflect_time), a, b, c, d, e]
    }

    /// The box that reflects moving bodies; `None` for no limit.
    #[must_use]
    pub fn bounds(&self) -> Option<SceneBounds<V>> {
        self.bounds
    }

    /// How many bodies move.
    #[must_use]
    pub fn moving_count(&self) -> usize {
        self.moving.len()
    }

    /// Memory of the world and of the shapes of its bodies, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.world.memory() + self.shape_memory
    }

    /// Reflects the velocity of every body whose origin would leave the bounds within `dt`.
    ///
    /// A body outside of the bounds that is already moving back keeps its velocity.
    ///
    /// # Errors
    /// If a body of the scene has been removed from the world, or made fixed with a velocity.
    pub fn reflect(&mut self, dt: Real) -> Result<(), WorldError> {
        let Some(bounds) = self.bounds else {
            return Ok(());
        };
        for &id in &self.moving {
            let body = self.world.body(id)?;
            let velocity = body.velocity();
            let linear = reflected(&bounds, body.pose().position(), velocity.linear, dt);
            if linear != velocity.linear {
                let angular = velocity.angular;
                self.world
                    .body_mut(id)?
                    .set_velocity(Velocity { linear, angular })?;
            }
        }
        Ok(())
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World<V> {
        &self.world
    }

    /// The world, for changes.
    pub fn world_mut(&mut self) -> &mut World<V> {
        &mut self.world
    }
}

/// Memory of the shapes in bytes: a named shape counts once, since its bodies share it.
fn shape_memory<V: FileVector>(scene: &Scene<V>) -> usize {
    let own = scene.bodies.iter().filter_map(|body| match &body.shape {
        BodyShape::Own(shape) => Some(&**shape),
        BodyShape::Named(_) => None,
    });
    let shapes = scene.shapes.values().chain(own);
    shapes.map(|shape| shape.shared_memory()).sum()
}

fn world_body<V: FileVector>(body: &SceneBody<V>, shape: Shape<V>) -> Body<V> {
    let velocity = match body.kind {
        BodyKind::Fixed => Velocity::default(),
        BodyKind::Moving => body.velocity,
    };
    Body {
        velocity,
        kind: body.kind,
        groups: body.groups,
        extra_margin: body.extra_margin,
        swept: body.swept,
        ..Body::fixed(shape, body.pose)
    }
}

/// The velocity with those components negated that would carry `origin` out of `bounds`.
fn reflected<V: Vector>(bounds: &SceneBounds<V>, origin: V::Precise, velocity: V, dt: Real) -> V {
    let next = origin + velocity.to_precise() * f64::from(dt);
    let mut reflected = velocity;
    for axis in 0..V::DIM {
        let (speed, place) = (velocity.component(axis), next.component(axis));
        let leaves_below = speed < 0.0 && place < bounds.min.component(axis);
        let leaves_above = speed > 0.0 && place > bounds.max.component(axis);
        if leaves_below || leaves_above {
            reflected = reflected.with_component(axis, -speed);
        }
    }
    reflected
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_math::{DVec2, Vec2};

    #[test]
    fn velocities_are_reflected_at_the_bounds_only_outwards() {
        let (min, max) = (DVec2::ZERO, DVec2::ONE);
        let bounds = SceneBounds::<Vec2> { min, max };
        let turned = |origin, velocity| reflected(&bounds, origin, velocity, 0.5);
        let right = Vec2::new(1.0, -0.1);
        assert_eq!(turned(DVec2::splat(0.4), right), right);
        assert_eq!(turned(DVec2::splat(0.6), right), Vec2::new(-1.0, -0.1));
        assert_eq!(turned(DVec2::new(9.0, 0.0), -right), -right);
        assert_eq!(turned(DVec2::new(0.5, 0.0), right), Vec2::new(1.0, 0.1));
    }
}
