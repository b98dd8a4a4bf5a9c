//! What a run of many frames cost: a table for people, a value for programs.

use core::fmt;
use core::time::Duration;

use serde::{Serialize, Serializer};

use crate::{FileVector, SceneRunner};

/// Collects what each frame of a run cost.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    pairs: Vec<usize>,
    contacts: Vec<usize>,
    /// For each stage its name and its time in each frame.
    stages: Vec<(&'static str, Vec<Duration>)>,
}

impl Recorder {
    /// Notes the frame that `runner` has just stepped, with profiling on.
    pub fn record<V: FileVector>(&mut self, runner: &SceneRunner<V>) {
        self.pairs.push(runner.world().profile().candidates);
        self.contacts.push(runner.world().contacts().len());
        let stages = runner.stages();
        self.stages.resize_with(stages.len(), Default::default);
        for ((name, times), stage) in self.stages.iter_mut().zip(stages) {
            *name = stage.0;
            times.push(stage.1);
        }
    }

    /// What the frames noted so far cost.
    #[must_use]
    pub fn report<V: FileVector>(&self, runner: &SceneRunner<V>) -> Report {
        let mut frames = vec![Duration::ZERO; self.pairs.len()];
        for (_, times) in &self.stages {
            for (sum, time) in frames.iter_mut().zip(times) {
                *sum += *time;
            }
        }
        let total: Duration = frames.iter().sum();
        let bodies = runner.world().len();
        Report {
            dimension: V::DIM,
            bodies,
            moving: runner.moving_count(),
            frames: frames.len(),
            pairs: Spread::of(&self.pairs),
            contacts: Spread::of(&self.contacts),
            stages: self
                .stages
                .iter()
                .map(|(name, times)| (*name, Spread::of(times)))
                .collect(),
            frame: Spread::of(&frames),
            frames_per_second: frames.len() as f64 / total.as_secs_f64().max(1e-9),
            bytes_per_body: runner.memory() / bodies.max(1),
        }
    }
}

/// What a run cost. Its `Display` is a table, its JSON has times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// 2 or 3.
    pub dimension: usize,
    /// How many bodies there are.
    pub bodies: usize,
    /// How many of them move.
    pub moving: usize,
    /// How many frames were stepped.
    pub frames: usize,
    /// Pairs that the broad phase found, a frame.
    pub pairs: Spread<usize>,
    /// Pairs within the margin, a frame.
    pub contacts: Spread<usize>,
    /// Each stage of a frame and its time.
    #[serde(rename = "stage_milliseconds", serialize_with = "as_map")]
    pub stages: Vec<(&'static str, Spread<Duration>)>,
    /// The time of a whole frame.
    #[serde(rename = "frame_milliseconds")]
    pub frame: Spread<Duration>,
    /// Frames divided by the time that they took together.
    pub frames_per_second: f64,
    /// Memory of the world and the shapes divided by the number of bodies.
    pub bytes_per_body: usize,
}

/// A quantity over the frames of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread<T> {
    /// Half of the frames have no more.
    pub median: T,
    /// 95 of 100 frames have no more.
    pub p95: T,
}

impl<T: Copy + Ord + Default> Spread<T> {
    /// The spread of `values`; nothing of none.
    fn of(values: &[T]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let at_percent = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100).max(1);
            sorted.get(rank - 1).copied().unwrap_or_default()
        };
        Self {
            median: at_percent(50),
            p95: at_percent(95),
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[derive(Serialize)]
struct SpreadInFile<T> {
    median: T,
    p95: T,
}

impl Serialize for Spread<usize> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { median, p95 } = *self;
        SpreadInFile { median, p95 }.serialize(serializer)
    }
}

impl Serialize for Spread<Duration> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [median, p95] = [self.median, self.p95].map(milliseconds);
        SpreadInFile { median, p95 }.serialize(serializer)
    }
}

fn as_map<S: Serializer>(
    stages: &[(&'static str, Spread<Duration>)],
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
        for (name, Spread { median, p95 }, what) in counts {
            writeln!(f, "{name:<16}{median:>12}  {p95:>12}   {what}")?;
        }
        for (name, spread) in self.stages.iter().chain([&("time", self.frame)]) {
            let [median, p95] = [spread.median, spread.p95].map(milliseconds);
            let what = stage_meaning(name);
            writeln!(f, "{name:<16}{median:>9.3} ms  {p95:>9.3} ms   {what}")?;
        }
        writeln!(f, "frames a second {:>12.1}", self.frames_per_second)?;
        write!(f, "bytes a body    {:>12}", self.bytes_per_body)
    }
}

fn stage_meaning(name: &str) -> &'static str {
    match name {
        "reflect" => "turn back at the bounds of the scene",
        "move" => "new poses",
        "bound" => "new boxes, and the tree over them",
        "pair" => "pairs whose boxes overlap",
        "measure" => "distance, points and normal of each pair",
        "report" => "contacts in order",
        "time" => "all of it",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_taken_by_nearest_rank() {
        let values: Vec<usize> = (1..=100).rev().collect();
        let expected = Spread {
            median: 50,
            p95: 95,
        };
        assert_eq!(Spread::of(&values), expected);
        assert_eq!(Spread::of(&[7]).p95, 7);
        assert_eq!(Spread::<usize>::of(&[]).median, 0);
    }
}
