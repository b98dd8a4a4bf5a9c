//! A world that is open, of one dimension.

use core::time::Duration;

use clearance_math::{Aabb, Pose};
use clearance_recording::Player;
use clearance_scene::Scene;
use clearance_world::{BodyId, Clock, World};
use serde::Serialize;

use super::driver::{Driver, Live, Simulated};
use super::frame::{Boxes, Frame};
use super::layout::{Layout, Shapes};
use super::simulation::Simulation;
use super::{
    BodyDetails, ContactDetails, ContactOf, Hashes, Picked, Saved, WorldRoom, details, frame, save,
};
use crate::binary::Binary;
use crate::dimension::{Dimension, three, vector};
use crate::failure::Failure;
use crate::request::{Aim, BoxesOf};

/// The most steps of one request.
const MOST_STEPS: u32 = 100_000;

/// A world and where its frames come from.
pub(crate) struct Room<V: Dimension> {
    pub(super) driver: Driver<V>,
    pub(super) layout: Layout<V>,
    /// How long the last step took.
    pub(super) step_time: Duration,
    clock: Clock,
}

/// What was opened.
#[derive(Serialize)]
pub(crate) struct Loaded {
    source: &'static str,
    pub(crate) dimension: usize,
    bodies: usize,
    margin: f32,
    bounds: Bounds,
    frame: u64,
    pub(crate) first: u64,
    pub(crate) last: u64,
    frames: Option<u64>,
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
        player.set_profiling_by(clock);
        Self::new(Driver::Recorded(player), clock)
    }

    pub(crate) fn of_live(mut player: Player<V>, clock: Clock) -> Self {
        player.set_profiling_by(clock);
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
        let id = self.world().ids().nth(index);
        id.ok_or_else(|| {
            Failure::new(format!(
                "index is {index}, must be less than {count}, the number of bodies"
            ))
        })
    }

    /// The box around all bodies whose boxes are finite; around the origin if there are none.
    fn bounds(&self) -> Aabb<V> {
        let boxes = self.world().bodies().map(|body| body.bounds());
        let finite = boxes.filter(Aabb::is_finite);
        let around = finite.reduce(|all, bounds| all.merged(&bounds));
        around.unwrap_or_else(|| Aabb::new(V::splat(-1.0), V::splat(1.0)))
    }

    /// Does what changes the world, and notes how long it took.
    fn timed(
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

impl<V: Dimension> WorldRoom for Room<V> {
    fn loaded(&self) -> Loaded {
        let [first, last] = self.driver.span();
        Loaded {
            source: self.driver.name(),
            dimension: V::DIM,
            bodies: self.world().len(),
            margin: self.world().margin(),
            bounds: Bounds::of(&self.bounds()),
            frame: self.driver.frame(),
            first,
            last,
            frames: matches!(self.driver, Driver::Recorded(_))
                .then_some(last.saturating_sub(first).saturating_add(1)),
            damage: self.driver.damage(),
        }
    }

    fn step(&mut self, dt: f32, count: u32) -> Result<(), Failure> {
        if count > MOST_STEPS {
            return Err(Failure::new(format!(
                "count is {count}, must be at most {MOST_STEPS}"
            )));
        }
        for _ in 0..count {
            self.timed(|driver| driver.step(dt))?;
        }
        Ok(())
    }

    fn push(&mut self, blocks: &[u8]) -> Result<(), Failure> {
        self.timed(|driver| match driver {
            Driver::Live(live) => live.push(blocks),
            _ => Err(Failure::new("no live world is followed")),
        })
    }

    fn seek(&mut self, frame: u64) -> Result<(), Failure> {
        let clock = self.clock;
        self.timed(|driver| driver.seek(frame, clock))
    }

    fn fork(&mut self) -> Result<(), Failure> {
        let clock = self.clock;
        self.timed(|driver| driver.simulated(clock).map(|_| ()))
    }

    fn move_body(
        &mut self,
        index: usize,
        translation: [f32; 3],
        rotation: Option<[f32; 4]>,
    ) -> Result<(), Failure> {
        let id = self.id_of(index)?;
        let turned = match rotation {
            Some(numbers) => V::rotation_of(numbers)
                .map_err(|error| Failure::new(format!("rotation {error}")))?,
            None => self.world()[id].rotation,
        };
        let (clock, pose) = (self.clock, Pose::new(vector(translation), turned));
        // Before a recording or a live world is left for it.
        pose.checked().map_err(Failure::of)?;
        self.timed(|driver| {
            let simulated = driver.simulated(clock)?;
            simulated.change(|world| world.set_pose(id, pose).map_err(Failure::of))
        })
    }

    fn frame(&mut self, contacts: bool, binary: &mut Binary) -> Frame {
        frame::of(self, contacts, binary)
    }

    fn shapes(&mut self, binary: &mut Binary) -> Shapes {
        self.layout.shapes(&self.driver, binary)
    }

    fn boxes(&self, of: BoxesOf, level: usize, binary: &mut Binary) -> Boxes {
        frame::boxes(self.world(), of, level, binary)
    }

    fn body(&self, index: usize) -> Result<BodyDetails, Failure> {
        details::body(self, index)
    }

    fn contact(&self, number: usize) -> Result<ContactDetails, Failure> {
        details::contact(self, number)
    }

    fn pick(&self, aim: &Aim) -> Result<Picked, Failure> {
        details::pick(self, aim)
    }

    fn hashes(&self) -> Hashes {
        Hashes {
            computed: self.world().contacts_hash(),
            recorded: self.driver.recorded_hash(),
        }
    }

    fn contacts(&self) -> Vec<ContactOf> {
        details::all_contacts(self)
    }

    fn save(&self) -> Result<Saved, Failure> {
        save::save(self.world(), self.driver.bounds())
    }
}
