//! A world that is open, of one dimension.

use core::time::Duration;

use clearance_math::Aabb;
use clearance_recording::Player;
use clearance_scene::Scene;
use clearance_world::{BodyId, Clock, World};
use serde::Serialize;

use super::driver::{Driver, Live, Simulated};
use super::layout::Layout;
use super::simulation::Simulation;
use crate::dimension::{Dimension, three};
use crate::failure::Failure;

/// A world and where its frames come from.
pub(crate) struct Room<V: Dimension> {
    pub(super) driver: Driver<V>,
    pub(super) layout: Layout<V>,
    /// How long the last step took.
    pub(super) step_time: Duration,
    pub(super) clock: Clock,
}

/// What was opened.
#[derive(Serialize)]
pub(crate) struct Loaded {
    pub(super) source: &'static str,
    pub(crate) dimension: usize,
    pub(super) bodies: usize,
    pub(super) margin: f32,
    pub(super) bounds: Bounds,
    pub(super) frame: u64,
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(super) frames: Option<u64>,
    pub(crate) damage: Option<String>,
}

impl Loaded {
    /// A live world of which nothing has come.
    pub(crate) fn nothing() -> Self {
        Self {
            source: "live",
            dimension: 3,
            bodies: 0,
            margin: 0.0,
            bounds: Bounds {
                min: [-1.0; 3],
                max: [1.0; 3],
            },
            frame: 0,
            first: 0,
            last: 0,
            frames: None,
            damage: None,
        }
    }
}

/// A box.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bounds {
    pub(crate) fn of<V: Dimension>(bounds: &Aabb<V>) -> Self {
        Self {
            min: three(bounds.min),
            max: three(bounds.max),
        }
    }
}

impl<V: Dimension> Room<V> {
    pub(crate) fn of_scene(scene: &Scene<V>, clock: Clock) -> Result<Self, Failure> {
        let simulated = Simulated::new(Simulation::of_scene(scene, clock)?);
        Ok(Self::new(Driver::Simulated(simulated), clock))
    }

    pub(crate) fn of_recording(mut player: Player<V>, clock: Clock) -> Self {
        player.set_profiling(Some(clock));
        Self::new(Driver::Recorded(player), clock)
    }

    pub(crate) fn of_live(mut player: Player<V>, clock: Clock) -> Self {
        player.set_profiling(Some(clock));
        Self::new(Driver::Live(Live::new(player)), clock)
    }

    fn new(driver: Driver<V>, clock: Clock) -> Self {
        Self {
            layout: Layout::of(&driver),
            driver,
            step_time: Duration::ZERO,
            clock,
        }
    }

    pub(super) fn world(&self) -> &World<V> {
        self.driver.world()
    }

    /// The id of the body with this number.
    pub(super) fn id_of(&self, index: usize) -> Result<BodyId, Failure> {
        let count = self.world().len();
        let id = self.world().bodies().ids().nth(index);
        id.ok_or_else(|| {
            Failure::new(format!(
                "index is {index}, must be less than {count}, the number of bodies"
            ))
        })
    }

    /// The box around all bodies whose boxes are finite; around the origin if there are none.
    pub(super) fn bounds(&self) -> Aabb<V> {
        let boxes = self.world().bodies().map(|body| body.bounds());
        let finite = boxes.filter(Aabb::is_finite);
        let around = finite.reduce(|all, bounds| all.merged(&bounds));
        around.unwrap_or_else(|| Aabb::new(V::splat(-1.0), V::splat(1.0)))
    }

    /// Does what changes the world, and notes how long it took.
    pub(super) fn timed(
        &mut self,
        work: impl FnOnce(&mut Driver<V>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let start = (self.clock)();
        let done = work(&mut self.driver);
        self.step_time = (self.clock)().saturating_sub(start);
        self.layout.update(&self.driver);
        done
    }
}
