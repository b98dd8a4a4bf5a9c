//! Times and counts of a step.

use clearance_math::Vector;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clearance_gjk::Status;

use crate::Contact;

/// Times and counts of the last step.
///
/// The times are zero unless [`crate::World::set_profiling`] asked for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Time spent on moving bodies by their velocities.
    pub move_bodies: Duration,
    /// Time spent on updating the bounding boxes of bodies that moved, including the broad phase.
    pub bound: Duration,
    /// Time spent on finding and sorting the pairs whose boxes overlap.
    pub pair: Duration,
    /// Time spent on measuring those pairs.
    pub measure: Duration,
    /// Time spent on assembling the contacts.
    pub report: Duration,
    /// How many bodies got a new bounding box.
    pub boxes_updated: usize,
    /// How many pairs might be contacts: their boxes overlap, and their groups allow it.
    pub candidates: usize,
    /// How many candidates were selected for measuring: one of their bodies changed, or is near cells of the other one that did,
    /// and they are neither ignored nor refused by the pair filter.
    ///
    /// Of these, the pairs whose bounding spheres are within range were measured. The other candidates are as near
    /// to each other as before.
    pub selected: usize,
    /// How many selected pairs were looked at on their ways, because one of their bodies is swept: see
    /// [`World::impacts`](crate::World::impacts).
    pub swept: usize,
    /// For how many of those it was left open whether they met, since the search ended at its effort: see
    /// [`Options::effort`](crate::Options::effort). They have no impact.
    pub open_impacts: usize,
    /// For how many selected pairs the search ended at its effort before it found any parts that count: see
    /// [`Options::effort`](crate::Options::effort). They are no contacts.
    pub undecided: usize,
    /// How many of the candidates are contacts.
    pub contacts: usize,
    /// How many contacts of parts there are, where they are wanted: see
    /// [`World::part_contacts`](crate::World::part_contacts).
    pub part_contacts: usize,
    /// How many contact manifolds there are, where they are wanted: see
    /// [`World::manifolds`](crate::World::manifolds).
    pub manifolds: usize,
    /// How many pairs were measured in this step whose part contacts are not complete: see
    /// [`Options::effort`](crate::Options::effort).
    pub incomplete_parts: usize,
    /// How many contacts were measured by each method; zero unless profiling, as the times are.
    pub methods: Methods,
}

/// How many contacts were measured by each method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Methods {
    /// By a closed form: [`Status::Exact`].
    pub closed_form: usize,
    /// By iteration, GJK or an expanding polytope, to the tolerance: [`Status::Converged`].
    pub iteration: usize,
    /// By iteration that stopped at its limit: [`Status::IterationLimit`].
    pub iteration_limit: usize,
    /// By any, and beyond the range of single precision: [`Status::Saturated`].
    pub saturated: usize,
}

impl Methods {
    /// How many contacts were counted.
    fn total(&self) -> usize {
        self.closed_form + self.iteration + self.iteration_limit + self.saturated
    }

    /// Whether these are the methods of `contacts`, none of which were measured since.
    pub(crate) fn are_those_of<V: Vector>(&self, contacts: &[Contact<V>]) -> bool {
        self.total() == contacts.len()
    }

    pub(crate) fn of<V: Vector>(contacts: &[Contact<V>]) -> Self {
        let mut methods = Self::default();
        for contact in contacts {
            *match contact.separation.status {
                Status::Exact => &mut methods.closed_form,
                Status::Converged => &mut methods.iteration,
                Status::IterationLimit => &mut methods.iteration_limit,
                _ => &mut methods.saturated,
            } += 1;
        }
        methods
    }
}

/// How long a stage of a step took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageTime {
    /// The name of the stage.
    pub name: &'static str,
    /// The time spent on it.
    pub time: Duration,
}

impl Profile {
    /// The clock of the standard library, for [`crate::World::set_profiling`]; where it has none it is always the same time.
    #[must_use]
    pub fn standard_clock() -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        if HAS_CLOCK {
            START.get_or_init(Instant::now).elapsed()
        } else {
            Duration::ZERO
        }
    }

    /// The stages and the time of each, in the order in which they run.
    #[must_use]
    pub fn stages(&self) -> [StageTime; 5] {
        [
            ("move", self.move_bodies),
            ("bound", self.bound),
            ("pair", self.pair),
            ("measure", self.measure),
            ("report", self.report),
        ]
        .map(|(name, time)| StageTime { name, time })
    }

    /// How many candidates are no contacts: the bodies are out of range of each other, or the pair is
    /// ignored or refused by the pair filter.
    #[must_use]
    pub fn without_contact(&self) -> usize {
        self.candidates.saturating_sub(self.contacts)
    }

    /// The time of all stages together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.stages().iter().map(|stage| stage.time).sum()
    }
}

/// The times of all stages in milliseconds, and how much there was to do, on one line.
impl core::fmt::Display for Profile {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
        write!(f, "{:.3} ms (", milliseconds(self.total()))?;
        for (place, StageTime { name, time }) in self.stages().into_iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {:.3}", milliseconds(time))?;
        }
        let (candidates, contacts) = (self.candidates, self.contacts);
        write!(f, "), {candidates} candidates, {contacts} contacts")
    }
}

/// A clock: the time since any moment that stays the same.
pub type Clock = fn() -> Duration;

/// Whether the platform has a clock: the standard library has none for WebAssembly in a browser, where
/// reading it would panic.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Times stage after stage; reads no clock unless it is running.
pub(crate) struct Stopwatch(Option<(Clock, Duration)>);

impl Stopwatch {
    pub(crate) fn new(clock: Option<Clock>) -> Self {
        Self(clock.map(|clock| (clock, clock())))
    }

    /// The time since the last lap.
    pub(crate) fn lap(&mut self) -> Duration {
        let Some((clock, start)) = &mut self.0 else {
            return Duration::ZERO;
        };
        let now = clock();
        // A clock that goes backwards, as one of a browser may, measures nothing.
        let time = now.saturating_sub(*start);
        *start = now;
        time
    }
}
