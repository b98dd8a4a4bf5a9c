//! A world that is open, of one dimension.

use core::time::Duration;

use clearance_math::{Aabb, Pose};
use clearance_scene::Scene;
use clearance_world::{BodyId, Clock, World};
use serde::Serialize;

use super::frame::{Boxes, Frame};
use super::history::History;
use super::layout::{Layout, Shapes};
use super::simulation::Simulation;
use super::{BodyDetails, ContactDetails, Picked, Saved, WorldRoom, details, frame, save};
use crate::binary::Binary;
use crate::dimension::{Dimension, three, vector};
use crate::failure::Failure;
use crate::request::{Aim, BoxesOf};

/// The most steps of one request.
const MOST_STEPS: u32 = 100_000;

/// A world with its history.
pub(crate) struct Room<V: Dimension> {
    pub(super) simulation: Simulation<V>,
    pub(super) history: History<V>,
    pub(super) layout: Layout<V>,
    /// The number of the frame that is shown.
    pub(super) frame: u64,
    /// How long the last step took.
    pub(super) step_time: Duration,
    clock: Clock,
}

/// What was opened.
#[derive(Serialize)]
pub(crate) struct Loaded {
    source: &'static str,
    dimension: usize,
    bodies: usize,
    margin: f32,
    bounds: Bounds,
    frame: u64,
    first: u64,
    last: u64,
    frames: Option<u64>,
    damage: Option<String>,
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
        Ok(Self::new(Simulation::of_scene(scene, clock)?, clock))
    }

    fn new(simulation: Simulation<V>, clock: Clock) -> Self {
        Self {
            history: History::new(simulation.world()),
            layout: Layout::of(simulation.world()),
            simulation,
            frame: 0,
            step_time: Duration::ZERO,
            clock,
        }
    }

    pub(super) fn world(&self) -> &World<V> {
        self.simulation.world()
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

    fn step_once(&mut self, dt: f32) -> Result<(), Failure> {
        let start = (self.clock)();
        self.simulation.step(dt)?;
        self.step_time = (self.clock)().saturating_sub(start);
        Ok(())
    }
}

impl<V: Dimension> WorldRoom for Room<V> {
    fn loaded(&self) -> Loaded {
        Loaded {
            source: "scene",
            dimension: V::DIM,
            bodies: self.world().len(),
            margin: self.world().margin(),
            bounds: Bounds::of(&self.bounds()),
            frame: self.frame,
            first: self.history.first(),
            last: self.history.last(),
            frames: None,
            damage: None,
        }
    }

    fn step(&mut self, dt: f32, count: u32) -> Result<(), Failure> {
        if count > MOST_STEPS {
            return Err(Failure::new(format!(
                "count is {count}, must be at most {MOST_STEPS}"
            )));
        }
        for _ in 0..count {
            self.step_once(dt)?;
            self.history.forget_after(self.frame);
            self.frame += 1;
            (self.history).note_step(self.frame, dt, self.simulation.world());
        }
        Ok(())
    }

    fn seek(&mut self, frame: u64) -> Result<(), Failure> {
        let (first, last) = (self.history.first(), self.history.last());
        let moment = (self.history.before(frame)).filter(|_| frame <= last);
        let moment = moment.ok_or_else(|| {
            Failure::new(format!("frame is {frame}, must be from {first} to {last}"))
        })?;
        self.simulation.world_mut().restore(&moment.snapshot);
        for &dt in &moment.steps[..(frame - moment.frame) as usize] {
            self.simulation.step(dt)?;
        }
        self.frame = frame;
        Ok(())
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
        let world = self.simulation.world_mut();
        let pose = Pose::new(vector(translation), turned);
        world.set_pose(id, pose).map_err(Failure::of)?;
        self.step_once(0.0)?;
        (self.history).note_change(self.frame, self.simulation.world());
        Ok(())
    }

    fn frame(&mut self, contacts: bool, binary: &mut Binary) -> Frame {
        frame::of(self, contacts, binary)
    }

    fn shapes(&mut self, binary: &mut Binary) -> Shapes {
        self.layout.shapes(self.simulation.world(), binary)
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

    fn save(&self) -> Result<Saved, Failure> {
        save::save(self.world())
    }
}
