//! What the page asks of a world that is open.

use clearance_math::Pose;

use super::details::{self, BodyDetails, ContactDetails, ContactOf, Crossing, Picked};
use super::driver::Driver;
use super::frame::{self, Boxes, Frame};
use super::layout::Shapes;
use super::room::{Bounds, Loaded, Room};
use super::save::{self, Saved};
use crate::binary::Binary;
use crate::dimension::{Dimension, vector};
use crate::failure::Failure;
use crate::request::{Aim, BoxesOf};

/// The most steps of one request.
const MOST_STEPS: u32 = 100_000;

/// A world of either dimension.
pub(crate) trait WorldRoom {
    fn loaded(&self) -> Loaded;
    fn step(&mut self, dt: f32, count: u32) -> Result<(), Failure>;
    fn push(&mut self, blocks: &[u8]) -> Result<(), Failure>;
    fn seek(&mut self, frame: u64) -> Result<(), Failure>;
    fn fork(&mut self) -> Result<(), Failure>;
    fn move_body(
        &mut self,
        index: usize,
        translation: [f32; 3],
        rotation: Option<[f32; 4]>,
    ) -> Result<(), Failure>;
    fn frame(&mut self, contacts: bool, binary: &mut Binary) -> Frame;
    fn shapes(&mut self, binary: &mut Binary) -> Shapes;
    fn boxes(&self, of: BoxesOf, level: usize, binary: &mut Binary) -> Boxes;
    fn body(&self, index: usize) -> Result<BodyDetails, Failure>;
    fn contact(&self, number: usize) -> Result<ContactDetails, Failure>;
    fn crossing(&self, bodies: [usize; 2], binary: &mut Binary) -> Result<Crossing, Failure>;
    fn pick(&self, aim: &Aim) -> Result<Picked, Failure>;
    fn hashes(&self) -> Hashes;
    fn contacts(&self) -> Vec<ContactOf>;
    fn save(&self) -> Result<Saved, Failure>;
}

/// The hashes of the contacts of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hashes {
    /// Of the contacts that this engine found.
    pub(crate) computed: u64,
    /// Of those that the recording knows.
    pub(crate) recorded: Option<u64>,
}

impl<V: Dimension> WorldRoom for Room<V> {
    fn loaded(&self) -> Loaded {
        let [first, last] = self.driver.span();
        Loaded {
            source: self.driver.name(),
            dimension: V::DIM,
            bodies: self.world().len(),
            margin: self.world().options().margin,
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
            None => self.world().body(id).map_err(Failure::of)?.pose().rotation,
        };
        let (clock, pose) = (self.clock, Pose::new(vector::<V>(translation), turned));
        // Before a recording or a live world is left for it.
        pose.checked().map_err(Failure::of)?;
        self.timed(|driver| {
            let simulated = driver.simulated(clock)?;
            simulated.change(|world| {
                world
                    .body_mut(id)
                    .and_then(|mut body| body.set_pose(pose))
                    .map_err(Failure::of)
            })
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

    fn crossing(&self, bodies: [usize; 2], binary: &mut Binary) -> Result<Crossing, Failure> {
        details::crossing(self, bodies, binary)
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
