//! Where the frames of a world come from: they are simulated, recorded, or come live.

use clearance_recording::Player;
use clearance_scene::SceneBounds;
use clearance_world::{BodyId, Clock, World};

use super::history::History;
use super::simulation::Simulation;
use crate::dimension::Dimension;
use crate::failure::Failure;

/// The source of the frames.
pub(super) enum Driver<V: Dimension> {
    /// The page steps the world.
    Simulated(Simulated<V>),
    /// The page plays a recording.
    Recorded(Player<V>),
    /// The page follows a world that runs elsewhere.
    Live(Live<V>),
}

/// A world that is stepped here, with its last frames.
pub(super) struct Simulated<V: Dimension> {
    simulation: Simulation<V>,
    history: History<V>,
    frame: u64,
}

/// A world that runs elsewhere, with the last frames that came of it.
pub(super) struct Live<V: Dimension> {
    player: Player<V>,
    history: History<V>,
}

impl<V: Dimension> Simulated<V> {
    pub(super) fn new(simulation: Simulation<V>) -> Self {
        Self {
            history: History::new(simulation.world()),
            simulation,
            frame: 0,
        }
    }

    pub(super) fn step(&mut self, dt: f32) -> Result<(), Failure> {
        self.simulation.step(dt)?;
        self.history.forget_after(self.frame);
        self.frame += 1;
        (self.history).note_step(self.frame, dt, self.simulation.world());
        Ok(())
    }

    fn seek(&mut self, frame: u64) -> Result<(), Failure> {
        let (first, last) = (self.history.first(), self.history.last());
        let moment = (self.history.before(frame)).filter(|_| frame <= last);
        let moment = moment.ok_or_else(|| no_frame(frame, first, last))?;
        self.simulation.world_mut().restore(&moment.snapshot);
        // Frames of a world that ran elsewhere cannot be stepped again: the one that was kept is shown.
        let steps = moment.steps.len().min((frame - moment.frame) as usize);
        for &dt in &moment.steps[..steps] {
            self.simulation.step(dt)?;
        }
        self.frame = moment.frame + steps as u64;
        Ok(())
    }

    /// Changes the world, and measures it again.
    pub(super) fn change(
        &mut self,
        change: impl FnOnce(&mut World<V>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let world = self.simulation.world_mut();
        change(world)?;
        world.step(0.0).map_err(Failure::of)?;
        (self.history).note_change(self.frame, self.simulation.world());
        Ok(())
    }
}

impl<V: Dimension> Live<V> {
    pub(super) fn new(player: Player<V>) -> Self {
        Self {
            history: History::of_frames_from(player.frame(), player.world()),
            player,
        }
    }

    /// Plays the blocks that came.
    pub(super) fn push(&mut self, blocks: &[u8]) -> Result<(), Failure> {
        let pushed = self.player.push(blocks);
        (self.history).note_frame(self.player.frame(), self.player.world());
        pushed.map(|_| ()).map_err(Failure::of)
    }
}

impl<V: Dimension> Driver<V> {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Simulated(_) => "scene",
            Self::Recorded(_) => "recording",
            Self::Live(_) => "live",
        }
    }

    pub(super) fn world(&self) -> &World<V> {
        match self {
            Self::Simulated(simulated) => simulated.simulation.world(),
            Self::Recorded(player) => player.world(),
            Self::Live(live) => live.player.world(),
        }
    }

    pub(super) fn frame(&self) -> u64 {
        match self {
            Self::Simulated(simulated) => simulated.frame,
            Self::Recorded(player) => player.frame(),
            Self::Live(live) => live.player.frame(),
        }
    }

    /// The first and the last frame that can be gone to.
    pub(super) fn span(&self) -> [u64; 2] {
        match self {
            Self::Simulated(simulated) => [simulated.history.first(), simulated.history.last()],
            Self::Recorded(player) => [player.first(), player.last()],
            Self::Live(live) => [live.history.first(), live.player.frame()],
        }
    }

    /// Goes on by one frame. A recording stays at its end, and a live world goes on by itself.
    pub(super) fn step(&mut self, dt: f32) -> Result<(), Failure> {
        match self {
            Self::Simulated(simulated) => simulated.step(dt),
            Self::Recorded(player) => player.advance().map(|_| ()).map_err(Failure::of),
            Self::Live(_) => Err(Failure::new(
                "a live world goes on by itself: seek a frame of it to go on from there",
            )),
        }
    }

    /// Goes to a frame. Of a live world that ends the following: from there it goes on here.
    pub(super) fn seek(&mut self, frame: u64, clock: Clock) -> Result<(), Failure> {
        let [first, last] = self.span();
        if !(first..=last).contains(&frame) {
            return Err(no_frame(frame, first, last));
        }
        if let Self::Recorded(player) = self {
            return player.seek(frame).map_err(Failure::of);
        }
        self.simulated(clock)?.seek(frame)
    }

    /// The world as one that is stepped here. One that was recorded or came live goes on by its velocities.
    pub(super) fn simulated(&mut self, clock: Clock) -> Result<&mut Simulated<V>, Failure> {
        if !matches!(self, Self::Simulated(_)) {
            let simulation = Simulation::of_world(self.world(), clock)?;
            let frame = self.frame();
            let mut history = match self {
                Self::Live(live) => core::mem::take(&mut live.history),
                _ => History::default(),
            };
            history.note_change(frame, simulation.world());
            *self = Self::Simulated(Simulated {
                simulation,
                history,
                frame,
            });
        }
        match self {
            Self::Simulated(simulated) => Ok(simulated),
            _ => Err(Failure::no_world()),
        }
    }

    /// The box that reflects moving bodies, if there is one.
    pub(super) fn bounds(&self) -> Option<SceneBounds<V>> {
        match self {
            Self::Simulated(simulated) => simulated.simulation.bounds(),
            _ => None,
        }
    }

    /// The hash that was recorded of the present frame.
    pub(super) fn recorded_hash(&self) -> Option<u64> {
        match self {
            Self::Simulated(_) => None,
            Self::Recorded(player) => player.recorded_hash(),
            Self::Live(live) => live.player.recorded_hash(),
        }
    }

    /// Where a recording ends early, and why.
    pub(super) fn damage(&self) -> Option<String> {
        match self {
            Self::Recorded(player) => player.damage().map(ToString::to_string),
            _ => None,
        }
    }

    /// Whether a body is shown as a box, since its shape is the program's own.
    pub(super) fn is_stand_in(&self, id: BodyId) -> bool {
        match self {
            Self::Simulated(_) => false,
            Self::Recorded(player) => player.is_stand_in(id),
            Self::Live(live) => live.player.is_stand_in(id),
        }
    }
}

fn no_frame(frame: u64, first: u64, last: u64) -> Failure {
    Failure::new(format!("frame is {frame}, must be from {first} to {last}"))
}
