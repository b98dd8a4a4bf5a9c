//! The thread that steps a scene while somebody looks.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Instant;

use clearance_inspect::{Broadcaster, InspectError};
use clearance_math::Real;
use clearance_scene::{AnyScene, FileVector, RunOptions, SceneRunner};
use clearance_world::WorldError;

use super::pace::{Order, Pace};
use crate::failure::Failure;

const DT: Real = 1.0 / 60.0;
/// How many orders wait at most.
const MOST_ORDERS: usize = 64;

/// Why a scene stands still.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("cannot step the scene: {0}")]
    Step(#[from] WorldError),
    #[error("cannot show the scene: {0}")]
    Show(#[from] InspectError),
}

/// Starts the thread. It ends when nobody is left who could give orders.
pub(super) fn start(
    scene: &AnyScene,
    options: RunOptions,
    broadcaster: Broadcaster,
) -> Result<(SyncSender<Order>, JoinHandle<()>), Failure> {
    match scene {
        AnyScene::Plane(scene) => spawn(SceneRunner::new(scene, options)?, broadcaster),
        AnyScene::Space(scene) => spawn(SceneRunner::new(scene, options)?, broadcaster),
    }
}

fn spawn<V: FileVector>(
    runner: SceneRunner<V>,
    broadcaster: Broadcaster,
) -> Result<(SyncSender<Order>, JoinHandle<()>), Failure> {
    let (sender, orders) = sync_channel(MOST_ORDERS);
    let builder = std::thread::Builder::new().name("scene".to_owned());
    let mut stepper = Stepper {
        runner,
        broadcaster,
        orders,
        pace: Pace::new(Instant::now()),
    };
    let thread = builder.spawn(move || stepper.run());
    Ok((sender, thread.map_err(|error| Failure::Thread { error })?))
}

/// A scene, and who looks at it.
struct Stepper<V: FileVector> {
    runner: SceneRunner<V>,
    broadcaster: Broadcaster,
    orders: Receiver<Order>,
    pace: Pace,
}

impl<V: FileVector> Stepper<V> {
    fn run(&mut self) {
        loop {
            let done = match self.wait() {
                Ok(Some(order)) => self.obey(order),
                Ok(None) => {
                    let done = self.step();
                    self.pace.advance(Instant::now());
                    done
                }
                Err(RecvError) => return,
            };
            if let Err(stopped) = done {
                // The page shows the last frame that there is; why there are no more is said here.
                let _ = writeln!(io::stderr(), "clearance: {stopped}");
                self.pace.pause();
            }
        }
    }

    /// The next order, or nothing when a step is due. While nobody looks, no step is.
    fn wait(&self) -> Result<Option<Order>, RecvError> {
        let due = self.pace.next().filter(|_| self.broadcaster.viewers() > 0);
        let Some(due) = due else {
            return self.orders.recv().map(Some);
        };
        let left = due.saturating_duration_since(Instant::now());
        match self.orders.recv_timeout(left) {
            Ok(order) => Ok(Some(order)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(RecvError),
        }
    }

    fn obey(&mut self, order: Order) -> Result<(), Stopped> {
        let now = Instant::now();
        match order {
            Order::Come => return Ok(self.broadcaster.greet(self.runner.world())?),
            Order::Run => self.pace.run(now),
            Order::Pause => self.pace.pause(),
            Order::Step => {
                self.pace.pause();
                return self.step();
            }
            Order::Speed { factor } => self.pace.set_speed(factor, now),
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Stopped> {
        self.runner.step(DT)?;
        Ok(self.broadcaster.frame(self.runner.world())?)
    }
}
