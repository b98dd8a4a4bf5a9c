//! Reports what the frames of a run cost.

use core::fmt;
use core::time::Duration;

use serde::{Serialize, Serializer};

use crate::percentiles::{Distribution, Percentiles, milliseconds};
use crate::{FileVector, SceneRunner};

/// Collects what each frame of a run cost, in bounded memory.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    pairs: Distribution,
    contacts: Distribution,
    /// The time of each stage under its name.
    stages: Vec<(&'static str, Distribution)>,
    /// The time of all stages of a frame together.
    frame: Distribution,
}

impl Recorder {
    /// Records the frame that `runner` has just stepped with profiling on.
    pub fn record<V: FileVector>(&mut self, runner: &SceneRunner<V>) {
        let world = runner.world();
        self.pairs.record_count(world.profile().candidates);
        self.contacts.record_count(world.contacts().len());
        let stages = runner.stages();
        if self.stages.is_empty() {
            let empty = stages.map(|(name, _)| (name, Distribution::default()));
            self.stages.extend(empty);
        }
        for ((_, times), (_, time)) in self.stages.iter_mut().zip(stages) {
            times.record_time(time);
        }
        self.frame
            .record_time(stages.iter().map(|(_, time)| *time).sum());
    }

    /// What the frames recorded so far cost.
    #[must_use]
    pub fn report<V: FileVector>(&self, runner: &SceneRunner<V>) -> Report {
        let bodies = runner.world().len();
        let stages = self.stages.iter();
        let frame = self.frame.times();
        Report {
            dimension: V::DIM,
            bodies,
            moving: runner.moving_count(),
            frames: self.frame.recorded(),
            pairs: self.pairs.counts(),
            contacts: self.contacts.counts(),
            stages: stages.map(|(name, times)| (*name, times.times())).collect(),
            frame,
            frames_per_second: frames_per_second(frame.median),
            bytes_per_body: runner.memory() / bodies.max(1),
        }
    }
}

/// The rate of frames that all take `time`; zero if no time was measured.
fn frames_per_second(time: Duration) -> f64 {
    if time.is_zero() {
        0.0
    } else {
        time.as_secs_f64().recip()
    }
}

/// What the frames of a run cost. `Display` prints a table; in JSON, times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// 2 or 3.
    pub dimension: usize,
    /// How many bodies there are.
    pub bodies: usize,
    /// How many of them move.
    pub moving: usize,
    /// How many frames were stepped.
    pub frames: u64,
    /// Number of pairs that the broad phase found in a frame.
    pub pairs: Percentiles<usize>,
    /// Number of pairs within the margin in a frame.
    pub contacts: Percentiles<usize>,
    /// The stages of a frame and their times.
    #[serde(rename = "stage_milliseconds", serialize_with = "as_map")]
    pub stages: Vec<(&'static str, Percentiles<Duration>)>,
    /// The time of a whole frame.
    #[serde(rename = "frame_milliseconds")]
    pub frame: Percentiles<Duration>,
    /// How many frames as long as the median one fit into a second.
    pub frames_per_second: f64,
    /// Memory of the world and the shapes divided by the number of bodies.
    pub bytes_per_body: usize,
}

fn as_map<S: Serializer>(
    stages: &[(&'static str, Percentiles<Duration>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(stages.iter().copied())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bodies, moving, .. } = self;
        writeln!(
            f,
            "bodies          {bodies:>12}   {moving} moving, {}D",
            self.dimension
        )?;
        writeln!(f, "frames          {:>12}", self.frames)?;
        writeln!(f, "a frame               median           p95")?;
        let counts = [
            ("pairs", self.pairs, "whose boxes overlap"),
            ("contacts", self.contacts, "within the margin"),
        ];
        for (name, Percentiles { median, p95 }, what) in counts {
            writeln!(f, "{name:<16}{median:>12}  {p95:>12}   {what}")?;
        }
        for (name, times) in self.stages.iter().chain([&("time", self.frame)]) {
            let [median, p95] = [times.median, times.p95].map(milliseconds);
            let what = stage_meaning(name);
            writeln!(f, "{name:<16}{median:>9.3} ms  {p95:>9.3} ms   {what}")?;
        }
        writeln!(
            f,
            "frames a second {:>12.1}   at the median time",
            self.frames_per_second
        )?;
        write!(f, "bytes a body    {:>12}", self.bytes_per_body)
    }
}

fn stage_meaning(name: &str) -> &'static str {
    match name {
        "reflect" => "velocities reflected at the bounds of the scene",
        "move" => "new poses",
        "bound" => "bounding boxes, and the tree over them",
        "pair" => "pairs whose boxes overlap",
        "measure" => "distance, points and normal of each pair",
        "report" => "contacts sorted, events",
        "time" => "all stages",
        _ => "",
    }
}
