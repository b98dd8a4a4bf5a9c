//! Ways out of obstacles, the shortest first.

use arrayvec::ArrayVec;
use clearance_math::internal::{Plane, nearest_allowed};
use clearance_math::{PreciseVector, tolerances};

/// Out of how many obstacles one way leads at most.
const MOST_EXITS: usize = 8;

/// How many ways are kept at most.
const MOST_WAYS: usize = 256;

/// At how many places ways part at most.
const MOST_FORKS: usize = 128;

/// A side of an obstacle on which a translation has to be to lead out of it.
#[derive(Clone, Copy)]
pub(super) struct Exit<P> {
    /// The number of the obstacle; `None` for a side that was guessed.
    pub(super) obstacle: Option<usize>,
    pub(super) normal: P,
    /// A length along the normal that all translations on this side have.
    pub(super) least: f64,
    /// From this length on a translation is out of the obstacle. No number if that is not known yet.
    pub(super) enough: f64,
}

/// Translations that are on one side each of some obstacles.
#[derive(Clone)]
pub(super) struct Way<P> {
    pub(super) exits: ArrayVec<Exit<P>, MOST_EXITS>,
    /// None of the translations is shorter.
    pub(super) length: f64,
}

impl<P: PreciseVector> Way<P> {
    /// The shortest translation that is on the side of each exit, by as much as a function of the exit says.
    pub(super) fn shortest(&self, bound: impl Fn(&Exit<P>) -> f64) -> Option<P> {
        let planes = self.exits.iter();
        let planes: ArrayVec<_, MOST_EXITS> = planes
            .map(|exit| Plane::new(exit.normal, bound(exit)))
            .collect();
        nearest_allowed(&planes, P::ZERO)
    }
}

/// Where a way parts into those on the sides of an obstacle.
struct Fork<P> {
    before: Way<P>,
    /// The shortest translation on the way so far.
    shortest: P,
    /// Sides that the obstacle got before this time are among the ways.
    seen: usize,
}

/// A fork and a side to go on.
struct ForkExit<P> {
    fork: usize,
    exit: Exit<P>,
    length: f64,
}

/// The next way to look at.
pub(super) struct NextWay<P> {
    pub(super) way: Way<P>,
    /// The fork that it comes from.
    pub(super) fork: usize,
}

/// The ways that were not looked at yet. Each translation that leads out and is shorter than `longest` is on one of them,
/// or on one that was given up.
pub(super) struct Ways<P> {
    forks: ArrayVec<Fork<P>, MOST_FORKS>,
    branches: ArrayVec<ForkExit<P>, MOST_WAYS>,
    longest: f64,
    /// How far the planes of sides may be off by rounding, in units of length.
    rounding: f64,
    /// No translation of those given up is shorter.
    given_up: f64,
}

impl<P: PreciseVector> Ways<P> {
    /// No ways but those given up: translations from a length on. Obstacles have up to a size.
    pub(super) fn up_to(longest: f64, size: f64) -> Self {
        Self {
            forks: ArrayVec::new(),
            branches: ArrayVec::new(),
            longest,
            rounding: 4.0 * tolerances::CELL_ROUNDING * size,
            given_up: longest,
        }
    }

    /// The least length that a translation which leads out may have.
    pub(super) fn least(&self) -> f64 {
        let lengths = self.branches.iter().map(|branch| branch.length);
        lengths.fold(self.given_up, f64::min)
    }

    /// Takes the way whose translations may be the shortest.
    pub(super) fn pop(&mut self) -> Option<NextWay<P>> {
        let lengths = self.branches.iter().map(|branch| branch.length);
        let (index, _) = lengths.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let ForkExit { fork, exit, length } = self.branches.swap_remove(index);
        let mut exits = self.forks[fork].before.exits.clone();
        exits.push(exit);
        Some(NextWay {
            way: Way { exits, length },
            fork,
        })
    }

    /// Gives up what is at least so long: nothing more is known of it.
    pub(super) fn give_up(&mut self, length: f64) {
        self.given_up = self.given_up.min(length);
    }

    /// Lets a way part. `None`, and it is given up, if there is no more room.
    pub(super) fn fork(&mut self, before: &Way<P>) -> Option<usize> {
        let fork = Fork {
            shortest: before
                .shortest(|exit| exit.least - self.rounding)
                .unwrap_or(P::ZERO),
            before: before.clone(),
            seen: 0,
        };
        if before.exits.is_full() || self.forks.try_push(fork).is_err() {
            self.give_up(before.length);
            return None;
        }
        Some(self.forks.len() - 1)
    }

    /// The time from which on sides are not among the ways of a fork yet. From now on they are, up to another time.
    pub(super) fn unseen(&mut self, fork: usize, until: usize) -> usize {
        std::mem::replace(&mut self.forks[fork].seen, until)
    }

    /// Continues a way at a fork, if that leads anywhere. A flat side may be divided into several faces.
    pub(super) fn push(&mut self, fork: usize, exit: Exit<P>) {
        let is_same = |branch: &ForkExit<P>| {
            branch.fork == fork
                && (branch.exit.normal - exit.normal).length() <= tolerances::CELL_ROUNDING
        };
        if exit.least >= self.longest || self.branches.iter().any(is_same) {
            return;
        }
        let Some(length) = self
            .length(fork, exit)
            .filter(|&length| length < self.longest)
        else {
            return;
        };
        if self.branches.is_full() {
            self.give_up_longest();
        }
        self.branches.push(ForkExit { fork, exit, length });
    }

    /// The least length of a way that is continued; `None` if there are no translations on it.
    fn length(&self, fork: usize, exit: Exit<P>) -> Option<f64> {
        let Fork {
            before, shortest, ..
        } = &self.forks[fork];
        if exit.normal.dot(*shortest) >= exit.least {
            return Some(before.length);
        }
        let mut way = before.clone();
        way.exits.push(exit);
        // Between two obstacles that touch there is no room.
        way.shortest(|exit| exit.least + self.rounding)?;
        let shortest = way.shortest(|exit| exit.least - self.rounding);
        Some(before.length.max(shortest.map_or(0.0, P::length)))
    }

    fn give_up_longest(&mut self) {
        let lengths = self.branches.iter().map(|branch| branch.length);
        let longest = lengths.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((index, length)) = longest {
            self.branches.swap_remove(index);
            self.give_up(length);
        }
    }
}
